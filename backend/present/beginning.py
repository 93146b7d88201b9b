"""What is said before the first step: what is computed, from what, and what will be asked of it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from backend.engine.language.wording import listed, number_text, plural
from backend.engine.trace.graph import Node
from backend.program.runs import Run

MOST_NAMED = 3


def beginning(run: Run, facts: Mapping[str, str]) -> list[str]:
    """Sentences for somebody who sees the walk for the first time; a lesson's own come with its facts filled in."""
    told_by, loss = run.material.told_by, run.plan.graph.loss
    finite = math.isfinite(run.forward.tensors[loss.variable])  # of a loss that is no number a lesson says nothing
    own = [text.format_map(facts) for text in told_by.beginning] if told_by and finite else []
    back = len(run.plan.graph.chunks) + 1
    question = f"Step {back} begins backpropagation: nudge a number by ε, and how far does `{loss.name}` move?"
    return [*(own or [_computed(run)]), question]


def _computed(run: Run) -> str:
    """From what the loss is computed, in how many steps, and what it is."""
    graph, read = run.plan.graph, {name for names in run.plan.inputs_of.values() for name in names}
    inputs = [node for node in graph.inputs if str(node.name) in read]
    value = number_text(float(run.forward.tensors[graph.loss.variable]))
    steps = len(graph.chunks)
    return (
        f"`{graph.loss.name}` is computed in {plural('step', steps)} from {_sources(run, inputs)}: here it is {value}."
    )


def _sources(run: Run, inputs: list[Node]) -> str:
    """`W` and `x`, or how many there are of each kind."""
    if len(inputs) <= MOST_NAMED:
        return listed([f"`{node.name}`" for node in inputs])
    parameters = sum(run.material.inputs[node.variable].role == "parameter" for node in inputs)
    counts = {"parameter": parameters, "input": len(inputs) - parameters}
    return listed([plural(word, count) for word, count in counts.items() if count])
