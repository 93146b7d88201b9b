"""Find the bug: a network with one wrong line, and each way to look for it, a request each.

Nothing that is answered before the line is accused tells which one it is, and the answer itself is for who names the
line and the mistake, or says that they are given up. Every answer depends on the seed alone, and no game is kept here:
who asks in other ways than the page's pays nothing, and could as well compare the lines with those of the chapter.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from backend.engine.differentiate.lines import Line
from backend.engine.encode import number, typed
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.trace.graph import Node
from backend.inspect.answer_types import FormulaNumbers
from backend.inspect.finite_differences.oracle import judge, oracle_of
from backend.inspect.jvp import one_hot
from backend.lines.equations.names import names_of
from backend.lines.mistakes.choices import WORDED, hidden_in, label_of
from backend.lines.mistakes.codes import DiagnosisCode
from backend.present.drawings import drawings_of
from backend.present.picture_types import JsonNumber, Whole
from backend.program.request import Request
from backend.services.bug_case import Case, case_of, numbers_of, shuffled
from backend.services.bug_types import (
    Accused,
    Bug,
    BugGradient,
    BugHint,
    BugLens,
    BugLine,
    BugMistake,
    BugNudge,
    BugRun,
    Reveal,
)

OFFERED = 4  # mistakes, from which the one that was made is chosen


@guarded
def bug(wanted: Request, names: Path | None = None) -> Bug:
    """The program of a network, its backward lines with the wrong one among them, and both short runs."""
    case = _case(wanted, names)
    graph = case.run.plan.graph
    return {
        "network": wanted["network"],
        "seed": wanted["seed"],
        "title": case.network.title,
        "forward": graph.forward_source.strip("\n"),
        "lines": [_line(case, at) for at in range(len(case.run.plan.lines))],
        "loss": graph.loss.variable,
        "rate": case.network.rate,
        "right": _told(case.right),
        "wrong": _told(case.wrong),
    }


@guarded
def bug_gradient(wanted: Request, names: Path | None = None) -> BugGradient:
    """What the gradient of a line holds right after it; raises Refusal where there is no such line."""
    case = _case(wanted, names)
    line = _line_at(case, wanted["line"])
    held = case.run.contributions[wanted["line"]].accumulated
    return {"line": wanted["line"], "name": line.variable, "gradient": cast(Whole, typed(held))}


@guarded
def bug_nudge(wanted: Request, names: Path | None = None) -> BugNudge:
    """One cell of a line's gradient beside central differences of the loss; raises Refusal for one without a name."""
    case = _case(wanted, names)
    line, cell = _line_at(case, wanted["line"]), _cell(case, wanted)
    node = _nudged(case, line)
    if node is None:
        raise Refusal("bug-unnamed", found=line.variable)
    oracle = oracle_of(case.run)
    found = judge(oracle, node, one_hot(oracle.replay[node.variable], cell))
    return {
        "line": wanted["line"],
        "cell": list(cell),
        "name": line.variable,
        "printed": number(found.analytic),
        "numeric": number(found.slope.numeric),
        "step": found.slope.step,
        "agrees": found.slope.agrees,
    }


@guarded
def bug_lens(wanted: Request, names: Path | None = None) -> BugLens:
    """What a line as printed computes for one cell: its formula, and the same with numbers."""
    case = _case(wanted, names)
    at, line, cell = wanted["line"], _line_at(case, wanted["line"]), _cell(case, wanted)
    writer = drawings_of(case.run.plan).writer
    formula = writer.of_lines(line.variable, line.mode, [line], tuple(line.target.shape))
    numbers = formula.numbers(cell, case.run.backward.scope_after(at)) if formula.whole else None
    return {
        "line": at,
        "cell": list(cell),
        "formula": formula.whole,
        "numbers": cast(FormulaNumbers | None, numbers),
        "value": number(float(case.run.contributions[at].value[cell])),
    }


@guarded
def bug_run(wanted: Request, names: Path | None = None) -> BugRun:
    """A second run with one line put right: where it was right already, the run is the same."""
    case = _case(wanted, names)
    _line_at(case, wanted["line"])
    losses = case.right if wanted["line"] == case.number else case.wrong
    return {"line": wanted["line"], "losses": _told(losses)}


@guarded
def bug_hint(wanted: Request, names: Path | None = None) -> BugHint:
    """A hint: which half of the lines it is in, what is wrong with it, which gradient it makes."""
    case = _case(wanted, names)
    count = len(case.run.plan.lines)
    first, last = (1, count // 2) if case.number < count // 2 else (count // 2 + 1, count)
    line = case.origin.lines[case.number]
    texts = (
        f"The wrong line is one of the lines {first} to {last}.",
        f"What is wrong with it: {label_of(case.mutant, line)}.",
        f"It makes `{line.variable}`, or adds to it.",
    )
    return {"grade": wanted["grade"], "text": texts[wanted["grade"] - 1]}


@guarded
def bug_accuse(wanted: Request, names: Path | None = None) -> Accused:
    """Whether a line is the wrong one; then, whether a mistake is the one that was made."""
    case = _case(wanted, names)
    _line_at(case, wanted["line"])
    right = wanted["line"] == case.number
    named = wanted["mistake"] == case.mutant.code if right and "mistake" in wanted else None
    offered = _mistakes(case, f"{wanted['network']}/{wanted['seed']}") if right else []
    return {"line": wanted["line"], "right": right, "named": named, "mistakes": offered}


@guarded
def bug_reveal(wanted: Request, names: Path | None = None) -> Reveal:
    """The wrong line, the right one, and what is wrong, for who names them or gives up; raises Refusal for others."""
    case = _case(wanted, names)
    line = case.origin.lines[case.number]
    found = (wanted.get("line"), wanted.get("mistake")) == (case.number, case.mutant.code)
    if not found and not wanted.get("given_up"):
        raise Refusal("bug-not-found")
    return {
        "found": found,
        "line": case.number,
        "wrong": case.mutant.source,
        "right": line.code,
        "mistake": case.mutant.code,
        "label": label_of(case.mutant, line),
        "why": case.mutant.label,
    }


def _case(wanted: Request, names: Path | None) -> Case:
    return case_of(wanted["network"], wanted["seed"], names)


def _line(case: Case, at: int) -> BugLine:
    line = case.run.plan.lines[at]
    return {
        "line": at,
        "code": line.code,
        "name": line.variable,
        "shape": list(line.target.shape),
        "named": _nudged(case, line) is not None,
    }


def _line_at(case: Case, at: int) -> Line:
    lines = case.run.plan.lines
    if at >= len(lines):
        raise Refusal("bug-line", found=at, last=len(lines) - 1)
    return lines[at]


def _cell(case: Case, wanted: Request) -> tuple[int, ...]:
    shape, cell = _line_at(case, wanted["line"]).target.shape, tuple(wanted["index"])
    if len(cell) != len(shape) or any(not 0 <= i < size for i, size in zip(cell, shape, strict=True)):
        name = case.run.plan.lines[wanted["line"]].variable
        raise Refusal("cell-outside", found=list(cell), tensor=name, shape=shape_text(tuple(shape)))
    return cell


def _nudged(case: Case, line: Line) -> Node | None:
    """The named tensor whose gradient a line makes, if it is one."""
    node = case.run.plan.graph.by_variable.get(line.target.variable)
    return node if node is not None and node.variable in case.run.forward.autograd else None


def _mistakes(case: Case, key: str) -> list[BugMistake]:
    """The mistake that was made, and others: those that the line could have first, each named as if it had been made.

    A name that only the mistake that was made could bear would give it away.
    """
    made, line, plan = case.mutant.code, case.origin.lines[case.number], case.origin
    possible = {one.code: label_of(one, line) for one in hidden_in(line, names_of(plan), plan.lines)}
    labels: dict[DiagnosisCode, str] = WORDED | possible | {made: label_of(case.mutant, line)}
    others = sorted(shuffled(labels.keys() - {made}, key), key=lambda code: code not in possible)
    offered = shuffled([made, *others[: OFFERED - 1]], f"{key}/offered")
    return [{"mistake": code, "label": labels[code]} for code in offered]


def _told(losses: Sequence[float]) -> list[JsonNumber]:
    return [number(loss) for loss in numbers_of(losses)]
