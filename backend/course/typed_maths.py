"""What people type as an answer, half maths and half code, as the language reads it: `2p + 1`, `4w^3`, `ln(27)`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<string>'[^']*'|\"[^\"]*\")"
    r"|(?P<mark>\*\*|//|[<>=!]=|.))",
    re.DOTALL,
)
SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "∙": "*", "÷": "/", "π": " pi ", "∞": " inf "})
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
POWER = re.compile(r"⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
TRANSPOSED = re.compile(r"\s*(?:\^\s*\{?T\b\}?|ᵀ)")
WORDS = {"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "ten": "10"}
# Functions by the names that they have on paper: of tensors, and of numbers.
OF_TENSORS = {
    "ln": "torch.log", "log": "torch.log", "sqrt": "torch.sqrt", "exp": "torch.exp", "tanh": "torch.tanh",
    "sigmoid": "torch.sigmoid", "sin": "torch.sin", "cos": "torch.cos", "abs": "torch.abs", "sum": "torch.sum",
    "mean": "torch.mean", "relu": "F.relu", "softmax": "F.softmax",
}  # fmt: skip
OF_NUMBERS = {name: f"math.{'log' if name == 'ln' else name}" for name in ("ln", "log", "sqrt", "exp", "tanh", "cos")}
OF_NUMBERS |= {"sin": "math.sin", "log2": "math.log2", "log10": "math.log10"}
# `ln 27` and `torch.log(27)` are `ln(27)`.
BARE = re.compile(rf"\b({'|'.join(OF_NUMBERS)})\s+(\d+\.?\d*|[A-Za-z_]\w*)\b(?!\s*\()")
OF_LIBRARY = re.compile(rf"\b(?:torch|np|numpy|math)\.({'|'.join(OF_NUMBERS)})(?=\()")
CONSTANTS = {"pi": "math.pi", "e": "math.e"}
LIBRARIES = {"np": "torch", "numpy": "torch"}
KEYWORDS = frozenset({"and", "or", "not", "in", "is", "if", "else", "for", "lambda"})
GROUPED, COMMA = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?"), re.compile(r"[-+]?\d+,\d+")
ASSIGNED = re.compile(r"^\s*(?:[A-Za-z_]\w*\s*)?=(?!=)")
PERCENT = re.compile(r"([-+]?[\d.,]+)\s*%")
OF_TEN = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))\s*\*\s*10\s*(?:\*\*|\^)\s*([-+]?\d+)")


def number_typed(text: str) -> str:
    """A number as people write it, with a dot and nothing between its digits; any other text as it is."""
    bare = ASSIGNED.sub("", text.translate(SIGNS)).strip()
    if percent := PERCENT.fullmatch(bare):
        return f"{number_typed(percent[1])} / 100"
    if power := OF_TEN.fullmatch(_with_powers(bare, "**{}")):
        return f"{power[1]}e{power[2]}"
    if GROUPED.fullmatch(bare):
        return bare.replace(",", "")
    return bare.replace(",", ".") if COMMA.fullmatch(bare) else WORDS.get(bare.lower(), bare)


def as_code(text: str, names: Container[str], times: str = "*") -> str:
    """An expression as people type it as one of the language.

    `names` are those that have a value, and `times` is what two of them side by side are joined by.
    """
    text = text if "T" in names else TRANSPOSED.sub(".T", text)
    text = OF_LIBRARY.sub(r"\1", BARE.sub(r"\1(\2)", text))
    plain = _with_powers(text.translate(SIGNS), "**({})").strip()
    tokens = list(_tokens(plain.removeprefix("=")))
    return "".join(_spelled(tokens, place, names, times) for place in range(len(tokens)))


def _with_powers(text: str, form: str) -> str:
    return POWER.sub(lambda power: form.format(power[0].translate(RAISED)), text)


def _tokens(text: str) -> Iterator[tuple[str, str, str]]:
    """The kind of each token, the space before it, and itself."""
    for found in TOKEN.finditer(text):
        kind = str(found.lastgroup)
        word = found[kind]
        yield kind, found[0][: len(found[0]) - len(word)], word


Tokens = list[tuple[str, str, str]]


def _spelled(tokens: Tokens, place: int, names: Container[str], times: str) -> str:
    """One token with the space before it, or with the sign of a product that was left out."""
    space = tokens[place][1]
    if place and _multiplies(tokens, place, names):
        space = f" {'*' if 'number' in (tokens[place - 1][0], tokens[place][0]) else times} "
    return space + _word(tokens, place, names)


def _word(tokens: Tokens, place: int, names: Container[str]) -> str:
    """One token as the language has it."""
    kind, _, word = tokens[place]
    if word == "^":
        return "**"
    if kind != "name" or word in names or (place and tokens[place - 1][2] == "."):
        return word
    following = tokens[place + 1][2] if place + 1 < len(tokens) else ""
    if following == "(" and (word in OF_TENSORS or word in OF_NUMBERS):
        reads = any(other in names for other in _bracketed(tokens, place + 1))
        first, second = (OF_TENSORS, OF_NUMBERS) if reads else (OF_NUMBERS, OF_TENSORS)
        return first.get(word) or second[word]
    if following == ".":
        return LIBRARIES.get(word, word)
    return CONSTANTS.get(word, word) if following != "=" else word


def _multiplies(tokens: Tokens, place: int, names: Container[str]) -> bool:
    """Whether two tokens that stand side by side are meant as a product."""
    (before, _, left), (kind, space, word) = tokens[place - 1], tokens[place]
    if {left, word} & KEYWORDS or "string" in (before, kind):
        return False
    ends = before in ("number", "name") or left in (")", "]")
    if not (ends and (kind in ("number", "name") or word == "(")):
        return False
    if word == "(" and before == "name":
        return left in names and (place < 2 or tokens[place - 2][2] != ".")
    # digits right behind a bracket or a name are part of it, or of nothing that is known
    return kind != "number" or bool(space) or left in (")", "]")


def _bracketed(tokens: Tokens, place: int) -> Iterator[str]:
    """The words in a bracket that begins here."""
    depth = 0
    for _, _, word in tokens[place:]:
        depth += (word == "(") - (word == ")")
        yield word
        if not depth:
            return
