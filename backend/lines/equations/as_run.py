"""The equation of a line that stands in the place of the right one: its own operands, and those that it leaves out."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeGuard, cast

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.language.application import operands
from backend.engine.language.grammar import RESERVED
from backend.engine.language.guard import attempted
from backend.engine.language.rewrite import filled_from, substitute
from backend.engine.language.tree import Assignment, loaded_in, minus, names_in, number, stored_in, target_of
from backend.engine.language.unparse import printed
from backend.lines.equations.drawn import MOVING, drawn, moves_cells
from backend.lines.equations.equation import Operand, Picture, contributed, operand_of, picture_of, side_of, summed
from backend.lines.equations.factors import factors_of
from backend.lines.equations.names import Names, NamesWithOnes, numbers_read, parts_read
from backend.lines.equations.peel import matrix_sides, total_of

# What a line reads that is no product is drawn side by side; more than these have no room.
MOST_READ = 6
# What only moves, copies or sums its input, whose factors it has then.
ADDING = ast.Add | ast.Sub
PASSING = MOVING | {"copy", "spread", "sum"}
ONE = ast.Constant(1)


def picture_as_run(line: Line, right: Line, meant: Picture | None, names: Names) -> Picture:
    """The picture of a line in the place of the right one, whose own picture is `meant`; none of the seed."""
    used = replace(line, statements=cast(list[Assignment], _used(line)))
    picture = attempted(partial(_drawn, used, right, meant, names), None) or _read(line, names)
    there = meant.operands if meant else []
    picture.operands = [_honest(operand, there, names) for operand in picture.operands]
    arriving = names.gradients_in(*(operand.expr for operand in picture.operands))
    picture.arrives = arriving[0] if len(arriving) == 1 else None
    picture.left_out = attempted(partial(_left_out, line, right, there, names), [])
    return picture


def _drawn(line: Line, right: Line, meant: Picture | None, names: Names) -> Picture | None:
    """The equation of a line that is one expression; None of any other."""
    if not _is_one_expression(line, right) or names.gradients_in(*line.statements[:-1]):
        return None
    known = names if names.gradients_in(line.last.value) else NamesWithOnes.like(names)
    if not known.gradients_in(line.last.value):
        return None if line.is_partial else _of_values(contributed(line), names)
    picture = picture_of(line, known)
    if picture.then == "scatter" and not _alike_inside(picture, meant, names):
        return None
    if picture.then == "scatter" and _replaces(line.last.value):
        picture.then = "replace"
    return None if picture.kind == "other" else _stretched(picture, line, known)


def _alike_inside(picture: Picture, meant: Picture | None, names: Names) -> bool:
    """Whether as many cells are put into their places as in the right line, none of them several times."""
    inside = [one.layer and names.shape(one.layer[1]) for one in (picture, meant) if one]
    return len(inside) == 2 and inside[0] == inside[1]


def _stretched(picture: Picture, line: Line, names: Names) -> Picture:
    """The picture of a line that adds a gradient moved and then copied: moved already."""
    brought = contributed(line)
    if line.mode == "=" or picture.then != "rearrange" or names.shape(brought) == line.target.shape:
        return picture
    bare = minus(brought) if picture.negative else brought
    return Picture("copy", [side_of(bare, names)], negative=picture.negative)


def _replaces(expr: ast.expr) -> bool:
    """Whether of what is put into one place the last stays, instead of the sum."""
    given = [keyword for part in ast.walk(expr) if isinstance(part, ast.Call) for keyword in part.keywords]
    return any(one.arg == "accumulate" and printed(one.value) == "False" for one in given)


def _is_one_expression(line: Line, right: Line) -> bool:
    """Whether the last statement alone makes what the line brings, perhaps in cells that begin as the right line's."""
    *before, last = line.statements
    if not isinstance(last, Assignment) or line.variable not in names_in(target_of(last)):
        return False
    begun = [one for one in before if line.variable in stored_in(one) or not isinstance(one, Assignment)]
    alike = line.is_partial and [_text(one) for one in begun] == _beginning(right)
    return (not begun or alike) and not (isinstance(last, ast.AugAssign) and not isinstance(last.op, ADDING))


def _text(statement: ast.stmt) -> str:
    return printed(statement.value) if isinstance(statement, ast.Assign) else ""


def _beginning(line: Line) -> list[str]:
    """The statements before a line's last one that write to its gradient."""
    return [_text(one) for one in line.statements[:-1] if line.variable in stored_in(one)]


def _of_values(expr: ast.expr, names: Names) -> Picture | None:
    """A product of values alone, into which no gradient goes."""
    total = total_of(expr, names)
    of = expr if total is None else total.of
    picture = _of_matrices(of, names) or Picture("copy", [operand_of("local", of, names)])
    return picture if total is None else summed(picture, total, names)


def _of_matrices(expr: ast.expr, names: Names) -> Picture | None:
    sides = matrix_sides(expr)
    return sides and Picture(sides[0], [operand_of("local", side, names) for side in sides[1]])


def _read(line: Line, names: Names) -> Picture:
    """What a line reads, side by side, where it is no such product."""
    read = [one for one in parts_read(*_used(line)) if _is_read(one, line, names)] or _leaves(line)
    known = {printed(one): one for one in read}
    operands = [operand_of("read", one, names) for one in known.values()]
    shown = [replace(one, role="arrives") if _arrives(one.expr, names) else one for one in operands]
    return Picture("other", shown[:MOST_READ])


def _arrives(expr: ast.expr, names: Names) -> bool:
    return names.is_gradient(expr) or filled_from(expr) is not None


def _used(line: Line) -> list[ast.stmt]:
    """The statements that go into what a line makes; a helper that nothing reads any more does not."""
    used, needed = list[ast.stmt](), {line.variable}
    for statement in reversed(line.statements):
        if not isinstance(statement, Assignment) or needed.intersection(names_in(target_of(statement))):
            used.insert(0, statement)
            needed |= {*loaded_in(statement)}
    return used


def _is_read(part: ast.AST, line: Line, names: Names) -> TypeGuard[ast.expr]:
    """Whether a part is a tensor by its name, and not the line's own, or ones."""
    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
        own = {line.variable, *stored_in(*line.statements)}
        return part.id not in own and isinstance(names.scope.get(part.id), torch.Tensor)
    return isinstance(part, ast.Call) and filled_from(part) is not None


def _honest(operand: Operand, meant: list[Operand], names: Names) -> Operand:
    """An operand by its role: a factor is the local derivative only where the right line has it, too."""
    if operand.role in ("arrives", "upstream") and not names.gradients_in(operand.expr):
        return replace(operand, role="ones" if operand.role == "arrives" else "read")
    truly = any(other.role == "local" and _alike(operand.expr, other.expr) for other in meant)
    return replace(operand, role="read") if operand.role == "local" and not truly else operand


def _alike(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions have the same factors."""
    mine, theirs = factors_of(one), factors_of(other)
    return mine.negative == theirs.negative and all(
        sorted(map(_bare, here)) == sorted(map(_bare, there))
        for here, there in ((mine.above, theirs.above), (mine.below, theirs.below))
    )


def _bare(expr: ast.expr) -> str:
    return printed(expr).replace(" ", "")


def _left_out(line: Line, right: Line, meant: list[Operand], names: Names) -> list[Operand]:
    """The operands of the right line that the other one does without: a whole one, or some of its factors."""
    gone = [leaf for leaf in _missing(line, right) if _is_known(leaf, names)]
    texts = set(map(printed, gone))
    read = set(numbers_read(*_used(line)))
    whole = [operand for operand in meant if _is_whole(operand, texts) or _is_unread(operand, read)]
    covered = {printed(leaf) for operand in whole for leaf in _factors_in(operand.expr)}
    parts = [leaf for leaf in gone if printed(leaf) not in covered]
    told = _with_helpers(set(numbers_read(*(operand.expr for operand in whole), *parts)), right) | read
    rest = [ast.Name(name, ast.Load()) for name in dict.fromkeys(numbers_read(*right.statements)) if name not in told]
    inside = [one for one in rest if names.node_of(one) and one.id != line.variable]
    return [
        *(replace(operand, role="left out") for operand in whole),
        *(operand_of("left out", part, names) for part in [*parts, *inside]),
    ]


def _with_helpers(told: set[str], line: Line) -> set[str]:
    """The names that are told, and those that the helper lines behind them read, which needn't be told again."""
    for statement in reversed(line.statements[:-1]):
        if isinstance(statement, ast.Assign) and not told.isdisjoint(stored_in(statement)):
            told |= {*numbers_read(statement.value)}
    return told


def _is_whole(operand: Operand, gone: set[str]) -> bool:
    """Whether all of an operand's factors are gone, numbers aside."""
    leaves = [printed(leaf) for leaf in _factors_in(operand.expr) if number(leaf) is None]
    return bool(leaves) and gone.issuperset(leaves)


def _is_unread(operand: Operand, read: set[str]) -> bool:
    """Whether an operand has names, none of which is read."""
    names = set(numbers_read(operand.expr)) - RESERVED
    return bool(names) and read.isdisjoint(names)


def _is_known(leaf: ast.expr, names: Names) -> bool:
    return {*names.values, *names.gradients, *names.constants, *RESERVED}.issuperset(numbers_read(leaf))


def _missing(line: Line, right: Line) -> list[ast.expr]:
    """The factors of the right line for which nothing stands in the other one."""
    read, own = set(numbers_read(*_used(line))), _leaves(line)
    texts = Counter(map(printed, own))
    missing = [leaf for leaf in _leaves(right, stored_in(*line.statements)) if not _taken(printed(leaf), texts)]
    spare = [leaf for leaf in own if _taken(printed(leaf), texts)] if _is_one_expression(line, right) else None
    return [leaf for leaf in missing if not _is_there(leaf, spare, read)]


def _is_there(leaf: ast.expr, spare: list[ast.expr] | None, read: set[str]) -> bool:
    """Whether a factor was changed and not left out: one of the spare ones, or what is `read`, takes its place."""
    if spare is None or isinstance(leaf, ast.Name):
        return not read.isdisjoint(numbers_read(leaf))
    return any(_stands_for(other, leaf) for other in spare)


def _taken(text: str, texts: Counter[str]) -> bool:
    """Whether there was one of these left; there is one less then."""
    texts[text] -= 1
    return texts[text] >= 0


def _stands_for(one: ast.expr, other: ast.expr) -> bool:
    """Whether a factor is another one changed, and not left out: the two read a name in common, or are numbers."""
    mine, theirs = set(numbers_read(one)), set(numbers_read(other))
    return bool(mine & theirs) or not (mine or theirs)


def _leaves(line: Line, kept: Container[str] = ()) -> list[ast.expr]:
    """The factors of what a line brings, as they stand inside its sums, turns and matrix products.

    A helper stands for what it holds, but for those that are `kept`.
    """
    *before, last = line.statements
    helpers = [one for one in before if isinstance(one, ast.Assign) and _is_helper(one, line)]
    words = {name: one.value for one in helpers for name in stored_in(one) if name not in kept}
    value = getattr(last, "value", None)
    return [leaf for leaf in _factors_in(substitute(value, words)) if number(leaf) is None] if value else []


def _is_helper(statement: ast.Assign, line: Line) -> bool:
    return isinstance(statement.targets[0], ast.Name) and statement.targets[0].id != line.variable


def _factors_in(expr: ast.expr) -> Iterator[ast.expr]:
    sides, factors = matrix_sides(expr), factors_of(expr)
    inner = sides[1] if sides else factors.above if factors.above != [expr] or factors.below else _inside(expr)
    for part in inner:
        yield from [part] if part is expr else _factors_in(part)
    yield from (ast.BinOp(ONE, ast.Div(), divisor) for divisor in factors.below)


def _inside(expr: ast.expr) -> list[ast.expr]:
    """What a call or an attribute moves, copies or sums; an expression of another kind is its own and only factor."""
    match expr:
        case ast.Attribute(value=inner, attr=name) if moves_cells(name):
            return [inner]
        case ast.Call(func=ast.Attribute(attr=name)) if drawn(name) == "shape":
            return []
        case ast.Call(func=ast.Attribute(attr=name)) if drawn(name) in PASSING:
            return list(operands(expr)[0][:1])
    return [expr]
