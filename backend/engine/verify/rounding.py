"""Reasons for a verdict other than exact: the rule that rounds differently from autograd, and who inherits it."""

from __future__ import annotations

from itertools import permutations

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.execute.session import ProgramRun
from backend.engine.ops.base import Op
from backend.engine.verify.compare import Verdict, Verdicts
from backend.engine.verify.damage import damage
from backend.engine.verify.nonfinite import Origins, origin_text
from backend.engine.verify.zeros import Zeros

FIXED = {
    "exact": "Equal to autograd's gradient bit for bit.",
    "shape": "The shapes differ, so the numbers can't be compared.",
    "wrong": "It differs from autograd's by more than rounding can explain.",
    "not-finite": "Autograd's gradient is not finite either.",
}
OTHER_ORDER = "autograd adds or multiplies in another order here, which rounds otherwise"
OTHER_SUM = "autograd adds the {count} paths that meet here in another order"
FOLDED = "one line takes {steps} together, which autograd takes one by one, rounding in between"
COPIES = "autograd adds over the copies in another order"
MOST_PATHS, MOST_CELLS = 4, 65_536  # of which other orders are tried


def reasons(
    run: ProgramRun, verdicts: Verdicts, zeros: Zeros | None = None, starts: Origins | None = None
) -> dict[str, str]:
    """A sentence for each variable that has a verdict; `zeros` and `starts` are the run's, where they are known."""
    origins: dict[str, tuple[str, str]] = {}
    for name, numbers in run.plan.once(_by_last_line):
        verdict = verdicts.get(name)
        if verdict is not None and verdict.level == "approximate":
            origins[name] = _origin(run, name, numbers, origins)
    zeros, starts = zeros or Zeros(run, verdicts), starts or Origins(run)
    return {
        name: _sentence(name, origins[name]) if name in origins else _other(name, verdict, zeros, starts)
        for name, verdict in verdicts.items()
    }


def _by_last_line(plan: Plan) -> list[tuple[str, list[int]]]:
    """The variables with the numbers of their gradients' lines, in the order of their last ones.

    A gradient is complete after its last line: only then are the reasons of all its upstream gradients known.
    """
    lines: dict[str, list[int]] = {}
    for number, line in enumerate(plan.lines):
        lines.setdefault(line.target.variable, []).append(number)
    return sorted(lines.items(), key=lambda item: item[1][-1])


def _other(name: str, verdict: Verdict, zeros: Zeros, starts: Origins) -> str:
    """The sentence for a verdict other than approximate."""
    if verdict.kind == "lost":
        return f"It could not be computed. {zeros.run.lost['d' + name]}"
    if verdict.level in ("wrong", "shape") and zeros.run.plan.planted is not None:
        return damage(zeros.run, name)
    if verdict.kind is not None:
        return zeros.because(name, verdict)
    if verdict.level == "exact":
        return FIXED["exact"]
    origin = starts.of_gradient("d" + name)
    return FIXED[verdict.level] + (f" {origin_text(origin)}" if origin else "")


def _origin(run: ProgramRun, name: str, numbers: list[int], origins: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Where a gradient's rounding began, as (variable, reason): in a rule of its own lines, or further upstream."""
    lines = [run.plan.lines[number] for number in numbers]
    known = [op for line in lines if origins.keys().isdisjoint(_read(line)) for op in _known(line, run.material.exact)]
    usual = [op.why_not_exact for op in known if not op.seldom_differs]
    arriving = [origins[read] for line in lines for read in _read(line) if read in origins]
    if usual or not arriving:
        return name, usual[0] if usual else _own(run, name, numbers, lines, [op.why_not_exact for op in known])
    return arriving[0]


def _read(line: Line) -> list[str]:
    """The variables whose gradients a line reads."""
    return [node.variable for node in line.results]


def _known(line: Line, exact: bool) -> list[type[Op]]:
    """The operations on the line's path that state why their rules round differently."""
    return [node.op for node in line.nodes if node.op is not None and _differs(node.op, exact)]


def _differs(op: type[Op], exact: bool) -> bool:
    return bool(op.why_not_exact) and not (exact and op.exact)


def _own(run: ProgramRun, name: str, numbers: list[int], lines: list[Line], seldom: list[str]) -> str:
    """Why lines round differently although their upstream gradients are exact and no operation states a reason."""
    if _adds_otherwise(run, name, numbers, lines) or any(map(_adds_twice, lines)):
        return OTHER_SUM.replace("{count}", str(sum(max(len(line.uses), 1) for line in lines)))
    if seldom:
        return seldom[0]
    if any(node.is_broadcast for line in lines for node in line.nodes):
        return COPIES
    if len(numbers) > 2 and any(line.is_partial for line in lines):
        return OTHER_SUM.replace("{count}", str(len(numbers)))
    longest = max(([node.op.name() for node in line.nodes if node.op] for line in lines), key=len)
    steps = list(dict.fromkeys(f"`{step}`" for step in longest))
    return FOLDED.replace("{steps}", _listed(steps)) if len(steps) > 1 else OTHER_ORDER


def _adds_otherwise(run: ProgramRun, name: str, numbers: list[int], lines: list[Line]) -> bool:
    """Whether the same contributions, added in another order, are autograd's gradient bit for bit."""
    wanted = run.forward.autograd[name]
    if not 2 < len(numbers) <= MOST_PATHS or wanted.numel() > MOST_CELLS or any(line.is_partial for line in lines):
        return False
    values = [run.contributions[number].value for number in numbers]
    return any(torch.equal(sum(order[1:], order[0]), wanted) for order in permutations(values))


def _adds_twice(line: Line) -> bool:
    """Whether a line adds at once what autograd adds in two steps."""
    return line.mode == "+=" and len(line.uses) > 1 and not line.parts


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _sentence(name: str, origin: tuple[str, str]) -> str:
    where, why = origin
    if where == name:
        return f"Rounded differently here: {why}."
    return f"It carries on the rounding of `d{where}`, where {why}."
