"""What a network is worth outside its minibatches: losses over whole splits, and names that it makes up.

A network with batchnorm is calibrated first: whatever a line computes across the examples of a minibatch is held at
its mean over the training examples.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from backend.execute.plan import Plan
from backend.interpret.evaluate import DefaultDtype, Evaluator
from backend.language.pytree import as_tensor
from backend.language.values import Values
from backend.program.data.examples import Examples
from backend.trace.graph import Node, named_inputs
from backend.training.data import CONTEXTS, TARGETS, Names
from backend.training.task import EXAMPLES, Task

CHUNK = 4096  # examples that are computed at once
LOGITS = "logits"
LONGEST = 30  # letters of a name that is made up
Tensors = Mapping[str, torch.Tensor]


def statistics_of(plan: Plan) -> frozenset[str]:
    """The variables that are computed across the examples of a minibatch and go back into each of them."""
    axes = {node: _is_per_example(plan, node) for node in plan.graph.named}
    chunks = [chunk.node for chunk in plan.graph.chunks if chunk.node is not plan.graph.loss]
    reading = {node: named_inputs(node) for node in chunks}
    across = [node for node in chunks if not axes[node] and any(axes[read] for read in reading[node])]
    leads_on = {node for node in chunks if axes[node]}
    for node in reversed(chunks):
        if any(node in reading[later] and later in leads_on for later in chunks):
            leads_on.add(node)
    return frozenset(node.variable for node in across if node in leads_on)


def _is_per_example(plan: Plan, node: Node) -> bool:
    """Whether a tensor has an entry for each example: its first axis is that of the targets."""
    examples = plan.graph.by_variable[TARGETS].shape[0]
    return node.role != "parameter" and bool(node.shape) and node.shape[0] == examples > 1


@dataclass(frozen=True)
class Network:
    """A task's program with weights, run forward on any number of examples."""

    task: Task
    weights: Tensors

    def run(self, examples: Examples, held: Values | None = None) -> Values:
        """All values for these examples; what is `held` is not computed."""
        graph, held = self.task.plan.graph, held or {}
        scope: Values = {**graph.constants, EXAMPLES: len(examples.Y), **self.weights}
        scope |= {CONTEXTS: examples.X, TARGETS: examples.Y} | held
        evaluator = Evaluator(scope)
        with torch.no_grad(), DefaultDtype(self.task.dtype):
            for statement in graph.statements:
                if not _makes(statement, held):
                    evaluator.statement(statement)
        return scope

    def calibrated(self, examples: Examples) -> Values:
        """The statistics of a minibatch, each as its mean over the examples."""
        names = statistics_of(self.task.plan)
        sums: dict[str, torch.Tensor] = {}
        chunks = [part for part in chunked(examples) if len(part.Y) > 1]
        for part in chunks if names else ():
            scope = self.run(part)
            for name in names:
                share = as_tensor(scope[name]) * len(part.Y)
                sums[name] = sums[name] + share if name in sums else share
        count = sum(len(part.Y) for part in chunks)
        return {name: total / count for name, total in sums.items()}

    def loss(self, examples: Examples, held: Values) -> float:
        """The mean loss over examples, chunk by chunk."""
        loss = self.task.plan.graph.loss.variable
        total = sum(float(as_tensor(self.run(part, held)[loss])) * len(part.Y) for part in chunked(examples))
        return total / max(len(examples.Y), 1)

    def samples(self, count: int, held: Values, seed: int) -> list[str]:
        """Names that the network makes up, letter by letter; empty for a program without logits."""
        source, plan = self.task.source, self.task.plan
        if not isinstance(source, Names) or LOGITS not in plan.graph.by_variable:
            return []
        g = torch.Generator().manual_seed(seed)
        contexts = torch.zeros((count, source.contexts.shape[1]), dtype=torch.int64)
        letters = torch.zeros((count, 0), dtype=torch.int64)
        for _ in range(LONGEST):
            scope = self.run(Examples(contexts, torch.zeros(count, dtype=torch.int64)), held)
            drawn = torch.multinomial(torch.softmax(as_tensor(scope[LOGITS]), 1), 1, generator=g)
            contexts, letters = torch.cat((contexts[:, 1:], drawn), 1), torch.cat((letters, drawn), 1)
            if bool((letters == 0).any(1).all()):
                break
        return [_until_the_end(source, row) for row in letters.tolist()]


def _makes(statement: ast.Assign, held: Values) -> bool:
    return any(isinstance(target, ast.Name) and target.id in held for target in statement.targets)


def _until_the_end(source: Names, row: list[int]) -> str:
    return source.data.vocabulary.decode(row[: row.index(0)] if 0 in row else row)


def chunked(examples: Examples) -> list[Examples]:
    """Examples in parts that are computed at once."""
    return [
        Examples(examples.X[start : start + CHUNK], examples.Y[start : start + CHUNK])
        for start in range(0, len(examples.Y), CHUNK)
    ]


def first_of(examples: Examples, count: int) -> Examples:
    """So many of the examples, from the beginning: words stand in the order in which they were shuffled."""
    return Examples(examples.X[:count], examples.Y[:count])
