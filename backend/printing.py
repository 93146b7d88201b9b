"""With this module an expression is printed the way a person writes it: few brackets, `x**2`, `1/n`."""

from __future__ import annotations

import ast

from backend.language.grammar import BINARY, COMPARISONS, UNARY

COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM = range(6)
_LEVELS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "@": PRODUCT, "//": PRODUCT, "%": PRODUCT, "**": POWER}


def printed(node: ast.AST) -> str:
    """The text of an expression or of a simple statement."""
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        return f"{_items(target) if isinstance(target, ast.Tuple) else printed(target)} = {printed(node.value)}"
    if isinstance(node, ast.AugAssign):
        return f"{printed(node.target)} {BINARY[type(node.op)]}= {printed(node.value)}"
    return _text(node)[0]


def is_plain(node: ast.AST) -> bool:
    """Whether an expression holds numbers and the names of numbers only, so that it is set tight: `1/n`."""
    return getattr(node, "plain", False) or isinstance(node, ast.Constant)


def _text(node: ast.AST) -> tuple[str, int]:
    match node:
        case ast.Name():
            return node.id, ATOM
        case ast.Constant():
            return "..." if node.value is ... else _numeral(repr(node.value)), ATOM
        case ast.BinOp():
            return _binary(node)
        case ast.UnaryOp():
            return _unary(node)
        case ast.Compare():
            left, right = _inside(node.left, SUM), _inside(node.comparators[0], SUM)
            return f"{left} {COMPARISONS[type(node.ops[0])]} {right}", COMPARE
        case ast.Attribute():
            return f"{_inside(node.value, ATOM)}.{node.attr}", ATOM
        case ast.Call():
            parts = [printed(a) for a in node.args] + [f"{k.arg}={printed(k.value)}" for k in node.keywords]
            return f"{_inside(node.func, ATOM)}({', '.join(parts)})", ATOM
        case ast.Subscript():
            index = node.slice
            bare = isinstance(index, ast.Tuple) and index.elts
            return f"{_inside(node.value, ATOM)}[{_items(index) if bare else printed(index)}]", ATOM
        case ast.Tuple():
            return f"({_items(node)}{',' if len(node.elts) == 1 else ''})", ATOM
        case ast.List():
            return f"[{_items(node)}]", ATOM
        case ast.Slice():
            ends = ["" if end is None else printed(end) for end in (node.lower, node.upper)]
            return ":".join(ends) + (f":{printed(node.step)}" if node.step else ""), ATOM
    raise TypeError(f"{type(node).__name__} is not printed")


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
    tight = is_plain(node.left) and is_plain(node.right)
    return (f"{left}{symbol}{right}" if tight else f"{left} {symbol} {right}"), level


def _unary(node: ast.UnaryOp) -> tuple[str, int]:
    # -(a * b) is written -a * b: the same number, bit for bit.
    text, level = _text(node.operand)
    inner = text if level >= PRODUCT else f"({text})"
    return UNARY[type(node.op)] + inner, min(level, SIGN) if level >= PRODUCT else SIGN
