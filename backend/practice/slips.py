"""Slips of the hand in an answer, which no printed line has: an index the wrong way round, a sign of `+=`, an axis."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from backend.engine.language.application import operands
from backend.engine.language.rewrite import exchanged
from backend.engine.language.tree import constant, copied, nodes_in, number, target_of
from backend.engine.language.unparse import printed
from backend.engine.ops.compose import transposed
from backend.lines.mistakes.codes import DiagnosisCode
from backend.lines.mistakes.edits import Edit, Setting, parts_of
from backend.practice.trial import Case

# Numbers below this in a program keep something finite, as 1e-5 does under a root.
SMALL = 1e-2
# Numbers beyond this stand for infinity, as −1e9 does in front of a softmax.
HUGE = 1e4
ORDERS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Lt: ast.GtE, ast.GtE: ast.Lt,
}  # fmt: skip
STRICT: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.GtE: ast.Gt, ast.LtE: ast.Lt}


def slips_in(value: ast.expr, setting: Setting, case: Case) -> Iterator[Edit]:
    """What may stand in the place of a part of an expression; each label says what is wrong."""
    parts = parts_of(value)
    for part in parts:
        yield from _other_axes(part, setting)
        yield from _exchanged_index(part)
        yield from _turned_mask(part)
        yield from _filled(part)
    yield from _small_numbers(parts, setting, case)
    yield from _all_turned(value, parts, setting)


def _other_axes(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """Another axis for a function that works along one, such as a softmax."""
    if not isinstance(part, ast.Call):
        return
    (of, *rest), named = operands(part) if operands(part)[0] else ((part,), {})
    shape, axes = setting.shape(of), [*rest, *named.values()]
    for axis in axes:
        at = number(axis)
        if not shape or type(at) is not int or not -len(shape) <= at < len(shape):
            continue
        for other in range(len(shape)):
            if other != at % len(shape):
                label = f"`{printed(part)}` runs along axis {at % len(shape)}, and has to run along axis {other}."
                instead = exchanged(part, {id(axis): constant(other)})
                yield Edit("wrong-axis", part, instead, label)


def _exchanged_index(part: ast.expr) -> Iterator[Edit]:
    if isinstance(part, ast.Subscript):
        turned = _turned(part)
        if turned is not None:
            yield Edit("transposed", part, turned, _order(part, turned))


def _turned(cells: ast.Subscript) -> ast.Subscript | None:
    """Cells with their two indices exchanged."""
    if not (isinstance(cells.slice, ast.Tuple) and len(cells.slice.elts) == 2):
        return None
    made = copied(cells)
    made.slice = ast.Tuple(cells.slice.elts[::-1], ast.Load())
    return made


def _order(was: ast.Subscript, instead: ast.Subscript) -> str:
    return f"The indices of `{printed(was)}` are the wrong way round: `{printed(instead)}`."


def _turned_mask(part: ast.expr) -> Iterator[Edit]:
    """A comparison the wrong way round, and one that lets equals through."""
    if isinstance(part, ast.Compare) and len(part.ops) == 1:
        for orders, what in ((ORDERS, "is true where it has to be false"), (STRICT, "lets equal numbers through")):
            order = orders.get(type(part.ops[0]))
            if order is not None:
                made = ast.Compare(part.left, [order()], part.comparators)
                yield Edit("unknown", part, made, f"The mask `{printed(part)}` {what}: `{printed(made)}`.")


def _filled(part: ast.expr) -> Iterator[Edit]:
    """A huge number that a mask fills in going forward: going back nothing comes through there."""
    value = number(part)
    if value is not None and abs(value) >= HUGE:
        yield Edit(
            "unknown", part, constant(0), f"`{printed(part)}` belongs to the forward pass: the gradient there is 0."
        )


def _small_numbers(parts: list[ast.expr], setting: Setting, case: Case) -> Iterator[Edit]:
    """The small number under a root: another one, and none."""
    written = (n for chunk in case.trial.graph.named for n in nodes_in(chunk.written))
    values = (number(n) for n in written if isinstance(n, ast.Constant))
    for small in dict.fromkeys(v for v in values if v is not None and 0 < abs(v) < SMALL):
        right = constant(small)
        for part in parts:
            value = number(part)
            if value is not None and 0 < abs(value) < 10 * SMALL and value != small:
                label = f"`{printed(part)}` stands where the program has `{printed(right)}`."
                yield Edit("close-but-unstable", part, right, label)
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Pow) and setting.shape(part.left) is not None:
                base = ast.BinOp(part.left, ast.Add(), right)
                label = f"`{printed(part.left)}` goes without the `{printed(right)}` that the program adds."
                yield Edit("close-but-unstable", part, ast.BinOp(base, ast.Pow(), part.right), label)


def _all_turned(value: ast.expr, parts: list[ast.expr], setting: Setting) -> Iterator[Edit]:
    """Every matrix product with one side turned: who forgets a transpose forgets it in each."""
    products = [part for part in parts if isinstance(part, ast.BinOp) and isinstance(part.op, ast.MatMult)]
    if len(products) < 2:
        return
    for side in ("right", "left"):
        sides = [getattr(part, side) for part in products]
        lengths = [len(setting.shape(one) or ()) for one in sides]
        if min(lengths) >= 2:
            turned = {id(one): transposed(one, length) for one, length in zip(sides, lengths, strict=True)}
            names = " and ".join(dict.fromkeys(f"`{printed(one)}`" for one in turned.values()))
            yield Edit("transposed", value, exchanged(value, turned), f"The matrices are not turned: {names}.")


def slips_of(statement: ast.stmt) -> Iterator[tuple[DiagnosisCode, str, ast.stmt, str]]:
    """A statement with the other sign of `+=`, or other cells written to: code, what it reads, itself, a sentence."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add | ast.Sub):
        made = copied(statement)
        made.op = ast.Sub() if isinstance(statement.op, ast.Add) else ast.Add()
        was, now = (f"`{'+' if isinstance(one.op, ast.Add) else '-'}=`" for one in (statement, made))
        yield "sign", printed(made), made, f"The sign is wrong: {was} stands where {now} belongs."
    if isinstance(statement, ast.Assign | ast.AugAssign):
        cells = target_of(statement)
        turned = _turned(cells) if isinstance(cells, ast.Subscript) else None
        if turned is not None and isinstance(cells, ast.Subscript):
            other = copied(statement)
            if isinstance(other, ast.Assign):
                other.targets = [turned]
            else:
                other.target = turned
            yield "transposed", printed(turned), other, _order(cells, turned)
