"""With this module a verdict says why: which rule rounded otherwise than autograd, and who inherits it."""

from __future__ import annotations

from backend.differentiate import Line
from backend.plan import Plan
from backend.verify import Verdict

FIXED = {
    "exact": "Equal to autograd's gradient bit for bit.",
    "zero": "The true value is zero: computed in float64 it all but vanishes. What is shown is rounding.",
    "shape": "The shapes differ, so the numbers can't be compared.",
    "wrong": "It differs from autograd's by more than rounding can explain.",
}
OTHER_ORDER = "autograd adds or multiplies in another order here, which rounds otherwise"


def reasons(plan: Plan, verdicts: dict[str, Verdict], exact: bool) -> dict[str, str]:
    """A sentence for each variable that has a verdict."""
    origins: dict[str, tuple[str, str]] = {}
    told = {}
    for line in plan.lines:
        name = line.target.variable
        verdict = verdicts.get(name)
        if verdict is not None and verdict.level == "approximate" and name not in origins:
            origins[name] = _origin(line, origins, exact)
    for name, verdict in verdicts.items():
        told[name] = _sentence(name, origins[name]) if name in origins else FIXED[verdict.level]
    return told


def _origin(line: Line, origins: dict[str, tuple[str, str]], exact: bool) -> tuple[str, str]:
    for node in line.nodes:
        if node.op is not None and node.op.why_not_exact and not exact:
            return line.target.variable, node.op.why_not_exact
    through = line.through.node.variable if line.through else ""
    if through in origins:
        return origins[through]
    return line.target.variable, OTHER_ORDER


def _sentence(name: str, origin: tuple[str, str]) -> str:
    where, why = origin
    if where == name:
        return f"One rounding apart: {why}."
    return f"It carries on the rounding of `d{where}`, where {why}."
