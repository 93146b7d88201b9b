"""Backward lines with one mistake each, made from their text alone, with the codes that name what was done to them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SHAPES = {"ones_like", "zeros_like", "one_hot", "zeros"}


@dataclass(frozen=True)
class Wrong:
    """A changed text, and the codes any of which names the change."""

    source: str
    codes: frozenset[str]
    how: str


def wrong_lines(lines: list[str], shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Wrong]:
    """Every change of a gradient's lines; `shapes` are those of the tensors by name, the gradients among them."""
    seen = {"\n".join(lines)}
    for wrong in _changed(lines, shapes, gradients):
        if wrong.source not in seen:
            seen.add(wrong.source)
            yield wrong


def _changed(lines: list[str], shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Wrong]:
    variable = lines[0].split()[0]
    tensor = variable.removeprefix("d")
    if tensor in shapes:
        yield Wrong(f"{variable} = {tensor}", frozenset({"forward-value"}), "the value itself")
    for place, line in enumerate(lines):
        before, after = lines[:place], lines[place + 1 :]
        if line.startswith(f"{variable} += "):
            given = [*before, line.replace(" += ", " = ", 1), *after]
            yield Wrong("\n".join(given), frozenset({"overwritten-path"}), "= for +=")
            yield Wrong("\n".join([*before, line.replace(" += ", " -= ", 1), *after]), frozenset({"sign"}), "-= for +=")
            if not after:
                yield Wrong("\n".join(before), frozenset({"missing-path"}), "a path left out")
        if ".clone()" in line:
            text = "\n".join([*before, line.replace(".clone()", ""), *after])
            yield Wrong(text, frozenset({"aliasing"}), "no clone")
        if not line.startswith(variable):
            continue  # a helper line: what it makes is read by name
        tree = ast.parse(line).body[0]
        assert isinstance(tree, ast.Assign | ast.AugAssign)
        if _is_zeros(tree.value):
            continue
        for how, codes, value in _values(tree.value, shapes, gradients):
            made = copy.deepcopy(tree)
            made.value = value
            text = ast.unparse(ast.fix_missing_locations(made))
            yield Wrong("\n".join([*before, text, *after]), frozenset(codes.split()), how)


def _is_zeros(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "zeros_like"


Change = tuple[str, str, ast.expr]


def _values(value: ast.expr, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Change]:
    yield "minus", "sign", ast.UnaryOp(ast.USub(), value)
    yield "twice", "scale", ast.BinOp(ast.Constant(2), ast.Mult(), value)
    yield "halved", "scale", ast.BinOp(value, ast.Div(), ast.Constant(2))
    for path, part in _parts(value):
        for how, codes, made in _part(part, shapes, gradients):
            yield how, codes, _replaced(value, path, made)


def _parts(tree: ast.expr) -> list[tuple[tuple[Any, ...], ast.expr]]:
    """Every expression in a tree with the way to it, those that only give a shape and exponents left out."""
    found: list[tuple[tuple[Any, ...], ast.expr]] = []

    def visit(node: ast.AST, path: tuple[Any, ...]) -> None:
        if isinstance(node, ast.expr):
            found.append((path, node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in SHAPES:
                return
            visit(node.func.value, (*path, "func", "value"))
            if isinstance(node.func.value, ast.Name) and node.func.value.id in ("torch", "F", "math"):
                found.pop()
                for i, argument in enumerate(node.args):
                    visit(argument, (*path, "args", i))
        elif isinstance(node, ast.BinOp):
            visit(node.left, (*path, "left"))
            if not isinstance(node.op, ast.Pow):
                visit(node.right, (*path, "right"))
        elif isinstance(node, ast.UnaryOp):
            visit(node.operand, (*path, "operand"))
        elif isinstance(node, ast.Attribute | ast.Subscript):
            visit(node.value, (*path, "value"))

    visit(tree, ())
    return found


def _replaced(tree: ast.expr, path: tuple[Any, ...], by: ast.expr) -> ast.expr:
    if not path:
        return by
    made = copy.deepcopy(tree)
    node: Any = made
    for step in path[:-1]:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    if isinstance(path[-1], int):
        node[path[-1]] = by
    else:
        setattr(node, path[-1], by)
    return made


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {"torch", "F", "math"}


def _kind(node: ast.expr, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> str:
    """What a factor that is left out leaves missing."""
    names = _names(node)
    if names & gradients:
        single = all(shapes.get(name) == () for name in names & gradients)
        return "missing-upstream scale" if single else "missing-upstream"
    return "missing-local" if names - {"n"} else "scale"


def _only_shapes(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "ones_like"


def _part(part: ast.expr, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Change]:
    for look in (_products, _sums, _matrices, _signs, _divisors):
        yield from look(part, shapes, gradients)
    if isinstance(part, ast.Name) and part.id in shapes:
        yield from _others(part, shapes, gradients)


def _products(part: ast.expr, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Change]:
    match part:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for dropped, kept in ((left, right), (right, left)):
                if not _only_shapes(dropped) and not _only_shapes(kept):
                    yield "a factor left out", _kind(dropped, shapes, gradients), kept
            if not _kind(right, shapes, gradients).startswith("missing-upstream") and not _only_shapes(right):
                codes = "scale" if _kind(right, shapes, gradients) == "scale" else "unknown"
                yield "divided for multiplied", codes, ast.BinOp(left, ast.Div(), right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            yield "a divisor left out", _kind(right, shapes, gradients), left
            codes = "scale" if _kind(right, shapes, gradients) == "scale" else "unknown"
            yield "multiplied for divided", codes, ast.BinOp(left, ast.Mult(), right)


def _sums(part: ast.expr, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Change]:
    del shapes, gradients
    match part:
        case ast.Call(func=ast.Attribute(value=of, attr="sum") as func, args=args, keywords=keywords):
            yield "not summed", "missing-sum", of
            yield "averaged", "scale", ast.Call(ast.Attribute(of, "mean", ast.Load()), args, keywords)
            if args and isinstance(args[0], ast.Constant) and args[0].value in (0, 1):
                yield "another axis", "wrong-axis", ast.Call(func, [ast.Constant(int(not args[0].value))], keywords)
            if args and isinstance(args[0], ast.Constant):
                other = [] if keywords else [ast.keyword("keepdim", ast.Constant(True))]
                yield "keepdim", "keepdim", ast.Call(func, args, other)


def _matrices(part: ast.expr, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Change]:
    del shapes, gradients
    match part:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            yield "sides exchanged", "transposed", ast.BinOp(right, ast.MatMult(), left)
            turned = _turned(right), _turned(left)
            yield "the transposed product", "transposed", ast.BinOp(turned[0], ast.MatMult(), turned[1])
            yield "left side turned", "transposed", ast.BinOp(_turned(left), ast.MatMult(), right)
            yield "right side turned", "transposed", ast.BinOp(left, ast.MatMult(), _turned(right))


def _turned(node: ast.expr) -> ast.expr:
    match node:
        case ast.Attribute(value=inner, attr="T" | "mT"):
            return inner
        case ast.UnaryOp() | ast.BinOp() | ast.Name() | ast.Subscript() | ast.Call():
            return ast.Attribute(node, "mT", ast.Load())
    return node


def _signs(part: ast.expr, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Change]:
    del gradients
    match part:
        case ast.UnaryOp(op=ast.USub(), operand=inner) if not isinstance(inner, ast.Constant):
            yield "minus left out", "sign", inner
        case ast.BinOp(left=left, op=ast.Sub(), right=right) if _names(part) & shapes.keys():
            yield "plus for minus", "sign", ast.BinOp(left, ast.Add(), right)


def _divisors(part: ast.expr, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Change]:
    del shapes, gradients
    match part:
        case ast.BinOp(left=ast.Name(id="n") as n, op=ast.Sub(), right=ast.Constant(value=1)):
            yield "n for n-1", "bessel", n
        case ast.BinOp(left=left, op=ast.Div(), right=ast.Name(id="n") as n):
            less = ast.BinOp(n, ast.Sub(), ast.Constant(1))
            yield "n-1 for n", "bessel", ast.BinOp(left, ast.Div(), less)


def _others(part: ast.Name, shapes: Mapping[str, tuple[int, ...]], gradients: set[str]) -> Iterator[Change]:
    value = part.id.removeprefix("d") if part.id in gradients else f"d{part.id}"
    alike = [name for name, shape in shapes.items() if shape == shapes[part.id] and name != part.id]
    chosen = [name for name in alike if name == value] + [name for name in alike if name != value][:3]
    for name in chosen:
        yield "another tensor", "wrong-tensor", ast.Name(name, ast.Load())
