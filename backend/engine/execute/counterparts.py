"""Finds the steps of one plan in another, made from the same program with some of its lines cut."""

from __future__ import annotations

from collections import Counter

from backend.engine.execute.plan import Plan

Key = tuple[str, str | None, int]


def counterparts(plan: Plan, other: Plan) -> list[int | None]:
    """For each step of the plan, forward then backward, the index of the same tensor's step in the other one.

    Backward, it is the same gradient through the same line; None where the other plan has no such step.
    """
    if plan is other:
        return list(range(plan.first_backward + len(plan.lines)))
    forward, backward = _forward(other), _backward(other)
    found = [forward.get(variable) for variable in _forward(plan)]
    return found + [backward.get(key) for key in _backward(plan)]


def _forward(plan: Plan) -> dict[str, int]:
    return {chunk.node.variable: number for number, chunk in enumerate(plan.graph.chunks)}


def _backward(plan: Plan) -> dict[Key, int]:
    """Backward steps by gradient, by the line that they go back through, and by their turn there."""
    found: dict[Key, int] = {}
    turns: Counter[tuple[str, str | None]] = Counter()
    for number, line in enumerate(plan.lines, start=plan.first_backward):
        key = line.variable, line.through.node.variable if line.through else None
        found[*key, turns[key]] = number
        turns[key] += 1
    return found
