"""What would mend an answer: one edit of its own text after which it is right, and so the place of the mistake."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

import torch

from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.tree import copied, names_in, nodes_in, number, target_of
from backend.engine.language.unparse import printed
from backend.engine.language.values import Values
from backend.engine.ops.base import Shape, broadcast_shape
from backend.engine.ops.compose import added_into, transposed
from backend.lines.mistakes import wording
from backend.lines.mistakes.brackets import mistaken_brackets
from backend.lines.mistakes.codes import DiagnosisCode
from backend.lines.mistakes.edits import Edit, Setting, parts_of
from backend.lines.mistakes.library import edits_of
from backend.lines.mistakes.slips import slips_in, slips_of
from backend.lines.mistakes.slopes import mistaken_slopes
from backend.lines.mistakes.sums import Sum, sum_of
from backend.lines.mistakes.tensors import confusable
from backend.practice.answer import Answer, AnswerEvaluator, run_answer
from backend.practice.classes import rows_for_cells, rows_for_ones, rows_left_out
from backend.practice.factor import BESSEL, FORMS
from backend.practice.judge import Judged, agrees, at_sizes
from backend.practice.statements import Path, places_in, value_of, with_statement
from backend.practice.trial import ARRIVING, Case

# Longer answers aren't tried: each edit costs as much as the answer.
MOST_STATEMENTS, MOST_STEPS = 8, 40
# Pieces of an answer that all its edits together may evaluate: some tens of milliseconds.
MOST_PIECES = 8_000
# What leaving something out means the other way round: it was too much.
ADDED = "added"
TOO_MANY = "No sum belongs here."
REVERSED: dict[str, DiagnosisCode] = {
    "missing-sum": "wrong-axis", "missing-local": "wrong-tensor", "missing-upstream": "wrong-tensor",
}  # fmt: skip


@dataclass(frozen=True)
class Repair:
    """An edit that makes an answer right on so many cases; `part` is a node of the answer.

    `told` is the edit's own sentence, where it has one.
    """

    code: DiagnosisCode
    part: ast.AST
    instead: str
    matched: int
    of: int
    told: str = ""


def repair_of(found: Judged, wanted: Collection[str] = ()) -> Repair | None:
    """The first edit that makes the answer right on every instance; None where no single one does.

    With `wanted` only edits of these mistakes are tried: they are known already, and their place isn't.
    """
    answer = found.answer
    statements = answer.statements
    small = min((case for case in found.cases if case.trial.kind != ARRIVING), key=lambda case: _cells(case))
    steps = found.outcomes[found.cases.index(small)].steps
    if len(statements) > MOST_STATEMENTS or steps > MOST_STEPS:
        return None
    pieces = max(steps, sum(1 for one in statements for _ in nodes_in(one)))
    every = _edited(answer, small, found.cases[0], wanted, _line(found))
    for tried, (code, part, instead, edited, told) in enumerate(every):
        if tried * pieces >= MOST_PIECES:
            return None
        if _is_right(edited, small, found.cases[0]):
            right = [_is_right(edited, case, found.cases[0]) for case in found.cases]
            if all(ok for ok, case in zip(right, found.cases, strict=True) if case.trial.kind != ARRIVING):
                return Repair(code, part, instead, sum(right), len(right), told)
    return None


def _line(found: Judged) -> int:
    """The line of an answer that failed, 0 where none did."""
    refusal = found.shown.refusal
    return int(refusal.where["line"]) if refusal is not None and refusal.where is not None else 0


def _cells(case: Case) -> int:
    return sum(value.numel() for value in case.scope.values() if isinstance(value, torch.Tensor))


def _is_right(answer: Answer, case: Case, shown: Case) -> bool:
    adapted = at_sizes(answer, case, shown)
    return agrees(run_answer(adapted, case.scope, case.trial.precision).value, case)


Edited = tuple[DiagnosisCode, ast.AST, str, Answer, str]


def _edited(answer: Answer, case: Case, shown: Case, wanted: Collection[str], first: int) -> Iterator[Edited]:
    """The answer after every edit that is tried, the likeliest first."""
    if not first and (not wanted or "overwritten-path" in wanted):
        yield from _accumulating(answer)
    setting = _setting(answer, case, shown)
    places = sorted(places_in(answer.statements), key=lambda place: place[1].lineno != first)
    slips = (one for path, statement in places for one in _slipped(answer, path, statement, case))
    yield from (one for one in slips if not wanted or one[0] in wanted)
    for path, statement in places:
        if len(path) == 1 or first:
            several = _mended(answer, path, statement, setting, case, shown)
            yield from (one for one in several if not wanted or one[0] in wanted)


def _slipped(answer: Answer, path: Path, statement: ast.stmt, case: Case) -> Iterator[Edited]:
    for code, instead, made, told in (*slips_of(statement), *rows_for_cells(statement, case)):
        yield code, statement, instead, with_statement(answer, path, made), told


def _mended(
    answer: Answer, path: Path, statement: ast.stmt, setting: Setting, case: Case, shown: Case
) -> Iterator[Edited]:
    """The answer after every edit of one statement's value."""
    value = value_of(statement)
    if value is None:
        return
    for edit, told in _edits(value, setting, case, shown):
        code = edit.code if edit.label == ADDED else REVERSED.get(edit.code, edit.code)
        made = copied(statement)
        made.value = edit.applied_to(value)  # type: ignore[attr-defined]  # a statement that has a value
        yield code, edit.part, printed(edit.instead), with_statement(answer, path, made), told


def _accumulating(answer: Answer) -> Iterator[Edited]:
    """`+=` in the place of `=`, and gradients added in the place of cells written, also where an index repeats."""
    for path, one in places_in(answer.statements):
        target = target_of(one) if isinstance(one, ast.Assign | ast.AugAssign) else None
        if not isinstance(one, ast.Assign | ast.AugAssign):
            continue
        if isinstance(one, ast.Assign) and isinstance(target, ast.Name) and target.id == answer.variable:
            made: ast.stmt = ast.copy_location(ast.AugAssign(target, ast.Add(), one.value), one)
            yield "overwritten-path", one, printed(made), with_statement(answer, path, made), ""
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and not _takes_away(one):
            put = added_into(target.value, target.slice, one.value)
            made = ast.copy_location(ast.Assign([ast.Name(target.value.id, ast.Store())], put), one)
            yield "overwritten-path", one, printed(made), with_statement(answer, path, made), ""


def _takes_away(one: ast.stmt) -> bool:
    return isinstance(one, ast.AugAssign) and not isinstance(one.op, ast.Add)


def _edits(value: ast.expr, setting: Setting, case: Case, shown: Case) -> Iterator[tuple[Edit, str]]:
    """The edits that are tried, the likeliest first; with the slips of the hand what is to be said of them."""
    known = list(edits_of(value, setting))
    first = (edit for edit in known if edit.code in ("keepdim", "wrong-axis", "transposed", "sign", "bessel"))
    yield from ((edit, _of_sign(edit)) for edit in first)
    yield from ((edit, edit.label) for edit in slips_in(value, setting, _numbers(case)))
    yield from _untold(_weighing_terms(value, case))
    yield from _untold(_adding_sums(value, setting))
    # a factor too many goes before another name in its place: some name always happens to be 1 there
    yield from _untold(edit for edit in known if edit.code == "missing-local")
    yield from _untold(edit for edit in known if edit.code == "wrong-tensor")
    yield from ((edit, _of_factor(edit)) for edit in _adding_factors(value, setting, case))
    yield from _untold(edit for edit in known if edit.code in ("scale", "unknown"))
    yield from ((edit, TOO_MANY) for edit in known if edit.code == "missing-sum")
    yield from _untold(_turning(value, setting))
    yield from _untold(edit for edit in known if edit.code == "missing-upstream")
    for part in parts_of(value):
        yield from ((edit, edit.label) for look in (mistaken_brackets, mistaken_slopes) for edit in look(part))
    yield from ((edit, edit.label) for edit in (*rows_for_ones(value, shown), *rows_left_out(value, shown)))
    yield from _untold(_passing_on(value, setting))


def _numbers(case: Case) -> Iterator[float]:
    """The numbers that a program is written with."""
    written = (node for chunk in case.trial.graph.named for node in nodes_in(chunk.written))
    yield from (value for node in written if isinstance(node, ast.Constant) and (value := number(node)) is not None)


def _of_sign(edit: Edit) -> str:
    """What is said where `+` and `-` are exchanged between two terms: the sign of the whole may be right."""
    match edit:
        case Edit(code="sign", part=ast.BinOp(op=ast.Add())):
            return wording.PLUS
        case Edit(code="sign", part=ast.BinOp(op=ast.Sub())):
            return wording.MINUS
    return ""


def _of_factor(edit: Edit) -> str:
    """What is said where one factor more makes an answer right."""
    assert isinstance(edit.instead, ast.BinOp)
    factor = printed(edit.instead.right)
    if edit.code == "missing-upstream":
        return f"The upstream gradient `{factor}` is missing."
    return f"The local derivative `{'1 / ' * isinstance(edit.instead.op, ast.Div)}{factor}` is missing."


def _untold(edits: Iterable[Edit]) -> Iterator[tuple[Edit, str]]:
    return ((edit, "") for edit in edits)


def _weighing_terms(value: ast.expr, case: Case) -> Iterator[Edit]:
    """One term of a sum times a number, or a length in one of the usual forms."""
    terms = [side for part in parts_of(value) for side in _terms_of(part) if not _terms_of(side)]
    lengths = [name for name, size in case.trial.graph.constants.items() if isinstance(size, int) and size > 1]
    factors: list[tuple[DiagnosisCode, str]] = [("scale", "2"), ("scale", "0.5")]
    factors += [("bessel" if form in BESSEL else "scale", form.format(n=n)) for n in lengths for form, _ in FORMS]
    for term in terms:
        for code, text in factors:
            yield Edit(code, term, ast.BinOp(expression(text), ast.Mult(), term), ADDED)


def _terms_of(part: ast.expr) -> tuple[ast.expr, ...]:
    match part:
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            return left, right
    return ()


def _adding_sums(value: ast.expr, setting: Setting) -> Iterator[Edit]:
    """A sum over some axes, around the whole and around each factor."""
    for part in parts_of(value):
        shape = setting.shape(part)
        if not shape or isinstance(part, ast.Constant) or (part is not value and isinstance(part, ast.Name)):
            continue
        for size in range(1, len(shape) + 1):
            for axes in combinations(range(len(shape)), size):
                for keep in (True, False):
                    total = Sum(part, axes, keep).written()
                    yield Edit("missing-sum", part, total, ADDED)


def _adding_factors(value: ast.expr, setting: Setting, case: Case) -> Iterator[Edit]:
    """One more factor or divisor: a tensor in scope that stretches to the product."""
    bodies = [value, *(total.of for part in parts_of(value) if (total := sum_of(part, setting)))]
    # a mere number is no gradient from which a local derivative is missing
    reads = any(isinstance(part, ast.Name) and part.id in setting.others for part in parts_of(value))
    for part in bodies:
        shape = setting.shape(part)
        for name in _stretching(shape, case) if shape is not None else ():
            word = ast.Name(name, ast.Load())
            if name in setting.gradients:
                yield Edit("missing-upstream", part, ast.BinOp(part, ast.Mult(), word), ADDED)
                continue
            for op in (ast.Mult(), *([] if name in names_in(part) else [ast.Div()])) if reads else ():
                yield Edit("missing-local", part, ast.BinOp(part, op, word), ADDED)


def _stretching(shape: Shape, case: Case) -> Iterator[str]:
    """The names of tensors that a tensor of this shape can be multiplied by."""
    held = {name: value for name, value in case.scope.items() if isinstance(value, torch.Tensor)}
    for name, tensor in held.items():
        fits = tensor.is_floating_point() and name != case.variable
        if fits and broadcast_shape(tuple(tensor.shape), shape) is not None:
            yield name


def _passing_on(value: ast.expr, setting: Setting) -> Iterator[Edit]:
    """A function of a tensor where the tensor itself was taken."""
    for part in parts_of(value):
        shape = setting.shape(part) if isinstance(part, ast.Name) else None
        if not isinstance(part, ast.Name) or shape is None or part.id in setting.gradients:
            continue
        texts = [f"{part.id} > 0", f"torch.sigmoid({part.id})", f"torch.tanh({part.id})", f"torch.exp({part.id})"]
        texts += [f"F.softmax({part.id}, {len(shape) - 1})"] if shape else []
        for text in texts:
            yield Edit("wrong-tensor", part, expression(text), "")


def _turning(value: ast.expr, setting: Setting) -> Iterator[Edit]:
    for part in parts_of(value):
        shape = setting.shape(part)
        if shape is not None and len(shape) == 2:
            yield Edit("transposed", part, transposed(part), "")


def _setting(answer: Answer, case: Case, shown: Case) -> Setting:
    """What is known of an answer's names on a case, those that it makes itself among them."""
    scope: Values = dict(case.scope)
    shaper = Shaper(scope, case.trial.precision)
    for statement in at_sizes(answer, case, shown).statements[:-1]:
        if isinstance(statement, ast.Assign):
            shaper.run(statement)
    floats = {n: t for n, t in scope.items() if isinstance(t, torch.Tensor) and t.is_floating_point()}
    shapes = {name: tuple(tensor.shape) for name, tensor in floats.items() if name != answer.variable}
    gradients = {line.variable for line in case.trial.lines}
    return Setting(answer.variable[1:], shaper.shape, case.trial.names.number, gradients, _others(shapes))


class Shaper:
    """Shapes of expressions over a scope, each worked out once: an expression is kept with its shape."""

    def __init__(self, scope: Values, precision: torch.dtype) -> None:
        self.evaluator, self.precision = AnswerEvaluator(scope, weighed=False), precision
        self.known: dict[int, tuple[ast.expr, Shape | None]] = {}

    def run(self, statement: ast.stmt) -> None:
        """Run a statement, as far as it runs."""
        with suppress(Refusal, RuntimeError), torch.no_grad(), DefaultDtype(self.precision):
            self.evaluator.statement(statement)

    def shape(self, expr: ast.expr) -> Shape | None:
        """The shape of an expression; None where it is no tensor, or fails."""
        if id(expr) not in self.known:
            self.known[id(expr)] = expr, self.worked_out(expr)
        return self.known[id(expr)][1]

    def worked_out(self, expr: ast.expr) -> Shape | None:
        value: object = None
        with suppress(Refusal, RuntimeError, TypeError, AttributeError), torch.no_grad(), DefaultDtype(self.precision):
            value = self.evaluator.value(expr)
        return tuple(value.shape) if isinstance(value, torch.Tensor) else None


def _others(shapes: dict[str, Shape]) -> dict[str, list[str]]:
    """Every other name, those of the same shape first."""
    alike = confusable(shapes, (), most=len(shapes))
    return {name: [*alike[name], *(o for o in shapes if o != name and o not in alike[name])] for name in shapes}
