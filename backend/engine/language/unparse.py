"""Prints expressions and simple statements with few brackets: `x**2`, `1/n`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from backend.engine.language.grammar import BINARY, COMPARISONS, UNARY
from backend.engine.language.nodes import Constant, Plain, by_kind
from backend.engine.language.signs import head

# A printed line is no longer than this.
LONGEST_LINE = 110
COMPARE, OR, XOR, AND, SUM, PRODUCT, SIGN, POWER, ATOM = range(9)
_LEVELS = {"|": OR, "^": XOR, "&": AND, "+": SUM, "-": SUM, "**": POWER} | dict.fromkeys(
    ("*", "/", "@", "//", "%"), PRODUCT
)


def printed(node: ast.AST) -> str:
    """The text of an expression or of a simple statement."""
    if isinstance(node, ast.expr):
        return _text(node)[0]
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        return f"{_items(target) if isinstance(target, ast.Tuple) else printed(target)} = {printed(node.value)}"
    if isinstance(node, ast.AugAssign):
        return f"{printed(node.target)} {BINARY[type(node.op)]}= {printed(node.value)}"
    return _text(node)[0]


def is_tight(node: ast.AST) -> bool:
    """Whether an expression holds numbers and the names of numbers only, so that it is set tight: `1/n`."""
    if isinstance(node, ast.BinOp) and not isinstance(node, Plain):
        return is_tight(node.left) and is_tight(node.right)
    return isinstance(node, Plain | ast.Constant)


def _text(node: ast.AST) -> tuple[str, int]:
    """The text and its level, kept with the node: trees are never changed in place. A copy has another id."""
    known: tuple[int, tuple[str, int]] | None = getattr(node, "printed_as", None)
    if known is not None and known[0] == id(node):
        return known[1]
    writer = _WRITERS.get(type(node))
    if writer is None:
        raise TypeError(f"{type(node).__name__} is not printed")
    made = writer(node)
    vars(node)["printed_as"] = id(node), made
    return made


def _name(node: ast.Name) -> tuple[str, int]:
    return node.id, ATOM


def _constant(node: ast.Constant) -> tuple[str, int]:
    if isinstance(node, Constant):
        return node.written, ATOM  # a program's own number is printed as its text has it
    return ("..." if node.value is ... else _numeral(repr(node.value))), ATOM


def _comparison(node: ast.Compare) -> tuple[str, int]:
    left, right = _inside(node.left, OR), _inside(node.comparators[0], OR)
    return f"{left} {COMPARISONS[type(node.ops[0])]} {right}", COMPARE


def _attribute(node: ast.Attribute) -> tuple[str, int]:
    return f"{_inside(node.value, ATOM)}.{node.attr}", ATOM


def _call(node: ast.Call) -> tuple[str, int]:
    parts = [printed(a) for a in node.args] + [f"{k.arg}={printed(k.value)}" for k in node.keywords]
    return f"{_inside(node.func, ATOM)}({', '.join(parts)})", ATOM


def _subscript(node: ast.Subscript) -> tuple[str, int]:
    index = node.slice
    bare = _items(index) if isinstance(index, ast.Tuple) and index.elts else printed(index)
    return f"{_inside(node.value, ATOM)}[{bare}]", ATOM


def _tuple(node: ast.Tuple) -> tuple[str, int]:
    return f"({_items(node)}{',' if len(node.elts) == 1 else ''})", ATOM


def _list(node: ast.List) -> tuple[str, int]:
    return f"[{_items(node)}]", ATOM


def _slice(node: ast.Slice) -> tuple[str, int]:
    ends = ["" if end is None else printed(end) for end in (node.lower, node.upper)]
    return ":".join(ends) + (f":{printed(node.step)}" if node.step else ""), ATOM


def _numeral(text: str) -> str:
    # Python prints infinity by a name that it does not know.
    if text in ("inf", "nan"):
        return f"math.{text}"
    return text.replace("e-0", "e-").replace("e+0", "e+")


def _items(node: ast.Tuple | ast.List) -> str:
    return ", ".join(printed(item) for item in node.elts)


def _inside(node: ast.AST, level: int) -> str:
    text, own = _text(node)
    numeral = level == ATOM and isinstance(node, ast.Constant) and not isinstance(node.value, str)
    return f"({text})" if own < level or numeral else text


def _binary(node: ast.BinOp) -> tuple[str, int]:
    symbol = BINARY[type(node.op)]
    level = _LEVELS[symbol]
    if symbol == "**":
        # A sign after ** needs no brackets, a power before it does.
        base = _text(node.left)
        left = base[0] if base[1] == ATOM else f"({base[0]})"
        return f"{left}**{_inside(node.right, SIGN)}", POWER
    # a - b reads the same with or without brackets around b's sign, x * -y does not.
    left, right = _inside(node.left, level), _inside(node.right, level + 1)
    tight = is_tight(node.left) and is_tight(node.right)
    return (f"{left}{symbol}{right}" if tight else f"{left} {symbol} {right}"), level


def _unary(node: ast.UnaryOp) -> tuple[str, int]:
    if isinstance(node.op, ast.Invert):
        return f"~{_inside(node.operand, SIGN)}", SIGN
    text, level = _text(node.operand)
    if rounded := _rounded_head(node.operand):
        return f"{UNARY[type(node.op)]}({rounded}){text[len(rounded) :]}", SIGN if text == rounded else PRODUCT
    # -(a * b) is written -a * b: the same number, bit for bit.
    bare = level >= PRODUCT and not text.startswith("-")  # nobody writes --a
    return UNARY[type(node.op)] + (text if bare else f"({text})"), min(level, SIGN) if bare else SIGN


def _rounded_head(node: ast.expr) -> str:
    """What a product begins with, if that is `a // b` or `a % b`: the sign of such a number isn't its first one's."""
    first = head(node)
    rounds = isinstance(first, ast.BinOp) and isinstance(first.op, ast.FloorDiv | ast.Mod)
    return _text(first)[0] if rounds else ""


_WRITERS: dict[type[ast.AST], Callable[[Any], tuple[str, int]]] = by_kind({
    ast.Name: _name, ast.Constant: _constant, ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _comparison,
    ast.Attribute: _attribute, ast.Call: _call, ast.Subscript: _subscript, ast.Tuple: _tuple, ast.List: _list,
    ast.Slice: _slice,
})  # fmt: skip
