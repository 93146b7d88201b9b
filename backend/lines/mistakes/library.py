"""The library: what a backward line becomes with one mistake in it, as statements of the same language."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.language.errors import Refusal
from backend.engine.language.layout import laid_out
from backend.engine.language.pytree import is_decimal
from backend.engine.language.rewrite import is_placing
from backend.engine.language.signs import OffMasks, negated
from backend.engine.language.tree import Assignment, is_minus, names_in, nodes_in, number
from backend.engine.language.unparse import printed
from backend.engine.ops.base import Shape, broadcast_shape
from backend.engine.ops.compose import zeros_over
from backend.lines.equations.names import Names
from backend.lines.mistakes import wording
from backend.lines.mistakes.codes import DiagnosisCode
from backend.lines.mistakes.edits import Edit, Editor, Setting, flipped, parts_of, sign_of
from backend.lines.mistakes.products import (
    mistaken_calls,
    mistaken_divisors,
    mistaken_factors,
    mistaken_gradients,
    mistaken_halves,
    mistaken_matrices,
    mistaken_powers,
    mistaken_signs,
    mistaken_turns,
)
from backend.lines.mistakes.sums import mistaken_sums
from backend.lines.mistakes.tensors import confusable, mistaken_names

# In the order in which a mistake is looked for: what two of them bring about alike is named by the first.
EDITORS: tuple[Editor, ...] = (
    mistaken_sums, mistaken_matrices, mistaken_turns, mistaken_calls, mistaken_signs, mistaken_divisors,
    mistaken_factors, mistaken_halves, mistaken_gradients, mistaken_names, mistaken_powers,
)  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A backward line with one mistake: `word` of it became `instead`.

    `shape` is what the statement then computes, None where torch refuses it; `fits` tells whether the line runs on as
    a gradient of its target.
    """

    code: DiagnosisCode
    label: str
    word: str
    instead: str
    statements: list[Assignment]
    shape: Shape | None
    fits: bool

    @property
    def source(self) -> str:
        """The statements as printed."""
        return laid_out(self.statements)


def mutants_of(line: Line, names: Names, lines: Sequence[Line]) -> list[Mutant]:
    """The mutants of a line among `lines`, each text once; the line itself is not among them."""
    setting = setting_of(line, names, lines)
    seen, made = {line.code}, list[Mutant]()
    for mutant in (
        *_of_the_sign(line, names, lines),
        *_of_its_parts(line, setting, names),
        *_of_the_whole(line, names),
    ):
        if mutant.source not in seen:
            seen.add(mutant.source)
            made.append(mutant)
    return made


def setting_of(line: Line, names: Names, lines: Sequence[Line]) -> Setting:
    """What is known where a line stands: the values, and the gradients that were written before."""
    before = [other.variable for other in lines[: lines.index(line)]]
    shapes = {name: tuple(node.shape) for name, node in names.values.items() if node.meta.dtype.is_floating_point}
    shapes |= {name: tuple(names.gradients[name].shape) for name in before}
    shapes.pop(line.variable, None)
    near = [] if line.through is None else [line.through.node.variable, *line.through.names_read, line.target.variable]

    def shape(expr: ast.expr) -> Shape | None:
        value = outline(expr, names)
        return tuple(value.shape) if isinstance(value, torch.Tensor) else None

    lengths = [name for name, value in names.constants.items() if isinstance(value, int)]
    inner = [other for other in lines[: lines.index(line)] if other.inner]
    steps = {one.variable: frozenset(name for s in one.statements for name in names_in(s)) for one in inner}
    target, others = line.target.variable or line.variable, confusable(shapes, near)
    return Setting(target, shape, names.number, names.gradients, others, lengths, steps)


def outline(expr: ast.expr, names: Names) -> object:
    """What an expression computes, on the meta device; None where torch refuses it."""
    try:
        return names.outline(expr)
    except (Refusal, RuntimeError):
        return None


def _mutant(
    code: DiagnosisCode, label: str, word: str, instead: str,
    line: Line, statement: Assignment, names: Names, bare: bool = False,
) -> Mutant:  # fmt: skip
    """The mutant whose last statement is this one; `bare` drops the statements before it."""
    value = outline(statement.value, names)
    shape = tuple(value.shape) if isinstance(value, torch.Tensor) else None
    right = outline(line.last.value, names)
    wanted = tuple(right.shape) if isinstance(right, torch.Tensor) else ()
    fits = shape is not None and is_decimal(value) and (shape == wanted or _stretches(line, statement, shape, wanted))
    statements = [statement] if bare else [*line.statements[:-1], statement]
    return Mutant(code, label, word, instead, statements, shape, fits)


def off_masks(expr: ast.expr, names: Names) -> ast.expr:
    """The expression without a sign before a mask, which has none to turn: torch refuses it."""
    return OffMasks(lambda part: _is_mask(part, names)).moved(expr)


def _is_mask(expr: ast.expr, names: Names) -> bool:
    value = outline(expr, names)
    return isinstance(value, torch.Tensor) and value.dtype is torch.bool


def _stretches(line: Line, statement: Assignment, shape: Shape, wanted: Shape) -> bool:
    """Whether what is added to a gradient, or written into its cells, broadcasts to what is there."""
    if isinstance(statement, ast.Assign) and not line.is_partial:
        return False
    return broadcast_shape(shape, wanted) == wanted


def _with(line: Line, value: ast.expr) -> Assignment:
    """The line's last statement with another right side."""
    last = line.last
    return (
        ast.AugAssign(last.target, last.op, value)
        if isinstance(last, ast.AugAssign)
        else ast.Assign(last.targets, value)
    )


def _of_its_parts(line: Line, setting: Setting, names: Names) -> Iterator[Mutant]:
    if is_placing(line.last.value):
        return
    for edit in edits_of(line.last.value, setting):
        value = edit.applied_to(line.last.value)
        yield _mutant(edit.code, edit.label, printed(edit.part), printed(edit.instead), line, _with(line, value), names)


def edits_of(tree: ast.expr, setting: Setting) -> Iterator[Edit]:
    """Every edit of every part of an expression, the first kinds first."""
    parts = parts_of(tree)
    for editor in EDITORS:
        for part in parts:
            yield from editor(part, setting)


def _of_the_sign(line: Line, names: Names, lines: Sequence[Line]) -> Iterator[Mutant]:
    """`=` for `+=`, `+=` for `-=`, a path left out; and the sign of the whole."""
    last, value, variable = line.last, line.last.value, line.variable
    if isinstance(last, ast.AugAssign):
        kept = wording.overwritten(sum(other.variable == variable for other in lines[: lines.index(line)]))
        overwriting = ast.Assign([last.target], line.expr)
        yield _mutant("overwritten-path", kept, line.sign, "=", line, overwriting, names)
        other = flipped(last)
        told = wording.other_sign(sign_of(other), line.sign)
        yield _mutant("sign", told, line.sign, sign_of(other), line, other, names)
    else:
        negative = off_masks(negated(value), names)
        yield _mutant(
            "sign",
            wording.sign(is_minus(value), _has_minus(value)),
            printed(value),
            printed(negative),
            line,
            _with(line, negative),
            names,
        )
    if line.target.variable and line.through is not None:
        through = line.through.node.variable
        nothing = zeros_over(last.value) if line.is_partial else zeros_over(ast.Name(line.target.variable, ast.Load()))
        told = f"The path through `{through}` is missing."
        yield _mutant("missing-path", told, printed(value), printed(nothing), line, _with(line, nothing), names)


def _has_minus(value: ast.expr) -> bool:
    """Whether a part of an expression is turned, as in `(-dz.sum(0))[0]`."""
    return any(is_minus(part) and number(part) is None for part in nodes_in(value) if isinstance(part, ast.expr))


def _of_the_whole(line: Line, names: Names) -> Iterator[Mutant]:
    """The forward value where its gradient is asked for."""
    through = line.through.node.variable if line.through else ""
    for name in dict.fromkeys((line.target.variable, through)):
        if name and names_in(line.last.value) != {name}:
            told = f"`{name}` is the forward value, not its gradient."
            value = ast.Name(name, ast.Load())
            yield _mutant("forward-value", told, printed(line.last.value), name, line, _with(line, value), names)
