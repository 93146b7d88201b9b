"""What is wrong with a text that a person reads: a lint for the engine's sentences, from the rules of plain English."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

MOST_IN_SENTENCE, MOST_IN_STEP = 22, 60
# Names that begin a sentence as they are.
SMALL = ("tanh", "log", "exp", "diag", "softmax", "gradwalk")
POETRY = [
    "have their say", "has its say", "no say", "of no account", "what stands behind", "is told", "are told", "feels every",
    "feel every", "lets nothing through", "exactly as far", "times as far", "the harder the pull", "looks at", "went astray",
    "stands in", "turned round", "by hand", "what arrives",
]  # fmt: skip
THINGS = "examples|cells|places|classes|rows|columns|numbers|gradients|times|letters|units|steps|lines|paths"
FAULTS = {
    r"--|\+ -": "two signs for one",
    r"\ban? (?=[AEIOUaeiou]?[a-z]*[A-Z][a-z]*\b)(?!I\b|Code|Shape|ReLU|BatchNorm|Jacobian|Mish|Euclid|Kullback)": "a name with an article",
    r"\bdim\b": "an argument's name as a word",
    r"(?<![\w.'’])[xyzgtw](?![\w.'’-])": "a placeholder for a tensor",
    r"`": "a backtick that opens no code",
    r"\*\*": "two stars that are no bold",
    r"(?<!\w)-\d|\b[a-z\d]-\d|(?<=\s)-(?=\s)": "a hyphen for a minus sign",
    r"\d\.\d+e-?\d|\de-\d": "a number as a computer writes it",
    rf"(?<![.·\d])\b1 (?:{THINGS})\b": "one of several",
    r"\b[a-z]*[aeiou]y?ies\b(?<!series)|\b[a-z]+(?:sss|chs|xs|shs)\b": "a wrong plural",
    r"\b(\w+) \1\b": "a word twice",
    r"(?:isn't|is not|aren't|no) [^.]*\bso far\b": "`so far` for `yet`",
    r"[{}]": "a hole that was not filled",
    r" ,| \.(?!\d)|  ": "a space that should not be there",
}


_SHAPE = re.compile(r"\((?:\d+,|\d+(?:, \d+)+)\)(?=[^`]*(?:`[^`]*`[^`]*)*$)")


def bare(text: str) -> str:
    """A text whose pieces of code, and shapes, are one word each, and without the marks of bold."""
    return re.sub(r"\*\*([^*]+)\*\*", r"\1", re.sub(r"`[^`]+`", "Code", _SHAPE.sub("Shape", text)))


def sentences(text: str) -> list[str]:
    """A text's sentences; a full stop inside a number or code ends none."""
    return [part for part in re.split(r"(?<=[.!?])\s+", bare(text).strip()) if part]


def words(text: str) -> int:
    return len(bare(text).split())


def problems(text: str, names: Collection[str] = ()) -> Iterator[str]:
    """All that is wrong with a text; `names` are the program's, which only stand as code where they are no words."""
    plain = bare(text)
    for pattern, fault in FAULTS.items():
        if found := re.search(pattern, plain):
            yield f"{fault}: {found[0]!r} in {text!r}"
    yield from (f"poetry: {phrase!r} in {text!r}" for phrase in POETRY if phrase in plain.lower())
    for name in names:
        if (
            re.search(r"[A-Z\d_]", name)
            and name not in ("A", "I")
            and re.search(rf"(?<![\w“]){re.escape(name)}(?![\w”])", plain)
        ):
            yield f"a name that is not set as code: {name!r} in {text!r}"
    for sentence in sentences(text):
        yield from _of_sentence(sentence)


def _of_sentence(sentence: str) -> Iterator[str]:
    if words(sentence) > MOST_IN_SENTENCE:
        yield f"{words(sentence)} words: {sentence!r}"
    if not re.search(r"[.!?:][”)]?$", sentence):
        yield f"no end: {sentence!r}"
    if sentence[0].islower() and not sentence.startswith(SMALL):
        yield f"begins small: {sentence!r}"


def of_step(texts: Iterable[str]) -> Iterator[str]:
    """What is wrong with the sentences of one step taken together."""
    texts = list(texts)
    if sum(map(words, texts)) > MOST_IN_STEP:
        yield f"{sum(map(words, texts))} words in one step: {texts}"
    whole = [re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\u00a0"), text) for text in texts]
    said = [sentence for text in whole for sentence in re.split(r"(?<=[.!?]) +", text)]
    yield from (f"said twice: {one!r}" for one in dict.fromkeys(said) if said.count(one) > 1)
