"""What a network is worth outside its minibatches: loss and accuracy over whole splits, and names that it makes up.

A network with batchnorm is calibrated first: whatever a line computes across the examples of a minibatch is held at
its mean over the training examples.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import torch

from backend.engine.execute.plan import Plan
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import as_tensor
from backend.engine.language.values import Values
from backend.engine.trace.graph import Node, named_inputs
from backend.inspect.closed_forms.find import found_in
from backend.inspect.closed_forms.softmax import CROSS_ENTROPY
from backend.program.data.examples import Examples
from backend.training.data import Minibatches
from backend.training.fitting import EXAMPLES
from backend.training.task import Task

CHUNK = 4096  # examples that are computed at once
LOGITS = "logits"
LONGEST = 30  # letters of a name that is made up
SAME = 1e-3  # how near two losses are that differ by rounding alone
Tensors = Mapping[str, torch.Tensor]


def statistics_of(plan: Plan, inputs: tuple[str, str]) -> frozenset[str]:
    """The variables that are computed across the examples of a minibatch and go back into each of them.

    Such a statistic is long along one axis at most, as a batchnorm's mean is; a view of all examples in one is none.
    """
    drawn = _computed_from(plan, inputs)
    chunks = [chunk.node for chunk in plan.graph.chunks if chunk.node is not plan.graph.loss]
    examples = {node for node in drawn if _is_per_example(plan, node, inputs[1])}
    spread = examples | {node for node in drawn if _long_axes(node) > 1}
    reading = {node: named_inputs(node) for node in chunks}
    across = [node for node in chunks if node not in spread and any(read in spread for read in reading[node])]
    leads_on = {node for node in chunks if node in examples}
    for node in reversed(chunks):
        if any(node in reading[later] and later in leads_on for later in chunks):
            leads_on.add(node)
    return frozenset(node.variable for node in across if node in leads_on)


def _long_axes(node: Node) -> int:
    return sum(size > 1 for size in node.shape)


def _computed_from(plan: Plan, inputs: tuple[str, str]) -> set[Node]:
    """The named tensors that depend on the data, these themselves among them."""
    found = {plan.graph.by_variable[name] for name in inputs}
    for chunk in plan.graph.chunks:
        if any(read in found for read in named_inputs(chunk.node)):
            found.add(chunk.node)
    return found


def _is_per_example(plan: Plan, node: Node, targets: str) -> bool:
    """Whether a tensor has an entry for each example: its first axis is that of the targets."""
    examples = plan.graph.by_variable[targets].shape[0]
    return bool(node.shape) and node.shape[0] == examples > 1


def scores_of(plan: Plan, inputs: tuple[str, str]) -> Node | None:
    """The scores of every class for each example: what goes into softmax, or is called logits."""
    closed = [found.x for found in found_in(plan) if found.pattern is CROSS_ENTROPY and found.root is plan.graph.loss]
    called = [node for node in plan.graph.named if node.variable == LOGITS]
    drawn = _computed_from(plan, inputs)
    fit = (node for node in (*closed, *called) if len(node.shape) == 2 and node in drawn)
    return next((node for node in fit if node.shape[0] == plan.graph.by_variable[inputs[1]].shape[0]), None)


@dataclass(frozen=True)
class Score:
    """Mean loss over examples, the share of them whose largest score is the right one, and how many they were."""

    loss: float = math.nan
    accuracy: float | None = None
    examples: int = 0


@dataclass(frozen=True)
class Network:
    """A task's program with weights, run forward on any number of examples of its data set."""

    task: Task
    weights: Tensors

    @property
    def source(self) -> Minibatches:
        """Where its minibatches come from; only a task that draws some has such a network."""
        assert isinstance(self.task.source, Minibatches)
        return self.task.source

    @cached_property
    def scores(self) -> str | None:
        """The variable of the scores."""
        node = scores_of(self.task.plan, self.source.inputs)
        return None if node is None else node.variable

    @cached_property
    def size(self) -> int:
        """How many examples are computed at once: many, where two minibatches in one cost what they cost apart."""
        batch = self.source.batch
        if self.task.material.lesson is not None and self.task.material.lesson.parameters is not None:
            return CHUNK
        both = first_of(self.source.data.train, 2 * batch)
        if len(both.Y) < 2 * batch:
            return batch
        parts = _cut(both, batch)
        try:
            held = self._means(parts)
            apart = [float(as_tensor(self.run(part, held)[self._loss])) for part in parts]
            together = float(as_tensor(self.run(both, held)[self._loss]))
        except Refusal:
            return batch
        return CHUNK if math.isclose(together, sum(apart) / 2, rel_tol=SAME) else batch

    @property
    def _loss(self) -> str:
        return self.task.plan.graph.loss.variable

    def run(self, examples: Examples, held: Values | None = None) -> Values:
        """All values for these examples; what is `held` is not computed."""
        graph, held = self.task.plan.graph, held or {}
        scope: Values = {**graph.constants, **self.task.material.tensors, **self.weights}
        scope |= dict(zip(self.source.inputs, examples, strict=True)) | held
        if graph.constants.get(EXAMPLES) == self.source.batch:
            scope[EXAMPLES] = len(examples.Y)
        evaluator = Evaluator(scope)
        with torch.no_grad(), DefaultDtype(self.task.dtype):
            for statement in graph.statements:
                if not _makes(statement, held):
                    evaluator.statement(statement)
        return scope

    def chunked(self, examples: Examples) -> list[Examples]:
        """Examples in parts that are computed at once; where only whole minibatches fit, what is left over is not."""
        parts = _cut(examples, self.size)
        return parts if self.size == CHUNK else [part for part in parts if len(part.Y) == self.size]

    def calibrated(self, examples: Examples) -> Values:
        """The statistics of a minibatch, each as its mean over the examples."""
        return self._means([part for part in self.chunked(examples) if len(part.Y) > 1])

    def _means(self, parts: list[Examples]) -> Values:
        names = statistics_of(self.task.plan, self.source.inputs)
        sums: dict[str, torch.Tensor] = {}
        for part in parts if names else ():
            scope = self.run(part)
            for name in names:
                share = as_tensor(scope[name]) * len(part.Y)
                sums[name] = sums[name] + share if name in sums else share
        count = sum(len(part.Y) for part in parts)
        return {name: total / count for name, total in sums.items()}

    def score(self, examples: Examples, held: Values) -> Score:
        """Loss and accuracy over examples, part by part."""
        total, right, count = 0.0, 0, 0
        for part in self.chunked(examples):
            values = self.run(part, held)
            total += float(as_tensor(values[self._loss])) * len(part.Y)
            count += len(part.Y)
            right += correct(values, self.scores, part.Y) or 0
        return Score(total / count, right / count if self.scores else None, count) if count else Score()

    def samples(self, count: int, held: Values, seed: int) -> list[str]:
        """Names that the network makes up, letter by letter; none for other data, without scores, or of NaNs."""
        spell = self.source.data.vocabulary
        if spell is None or self.scores is None:
            return []
        g = torch.Generator().manual_seed(seed)
        contexts = torch.zeros((count, self.source.examples.shape[1]), dtype=torch.int64)
        letters = torch.zeros((count, 0), dtype=torch.int64)
        for _ in range(LONGEST):
            chances = torch.softmax(self._scored(contexts, held), 1)
            if not bool(chances.isfinite().all()):
                return []
            drawn = torch.multinomial(chances, 1, generator=g)
            contexts, letters = torch.cat((contexts[:, 1:], drawn), 1), torch.cat((letters, drawn), 1)
            if bool((letters == 0).any(1).all()):
                break
        return [spell.decode(row[: row.index(0)] if 0 in row else row) for row in letters.tolist()]

    def _scored(self, contexts: torch.Tensor, held: Values) -> torch.Tensor:
        """The scores of each context; filled up to whole minibatches where only those fit."""
        count, size = len(contexts), self.size
        room = count if size == CHUNK else -(-count // size) * size
        filled = torch.cat((contexts, contexts.new_zeros((room - count, contexts.shape[1]))))
        parts = _cut(Examples(filled, filled.new_zeros(room)), size)
        return torch.cat([as_tensor(self.run(part, held)[str(self.scores)]) for part in parts])[:count]


def _makes(statement: ast.Assign, held: Values) -> bool:
    return any(isinstance(target, ast.Name) and target.id in held for target in statement.targets)


def correct(values: Values, scores: str | None, targets: torch.Tensor) -> int | None:
    """For how many examples the largest score is that of the target."""
    return None if scores is None else int((as_tensor(values[scores]).argmax(1) == targets).sum())


def _cut(examples: Examples, size: int) -> list[Examples]:
    """Examples in parts of so many; the last may be smaller."""
    return [
        Examples(examples.X[start : start + size], examples.Y[start : start + size])
        for start in range(0, len(examples.Y), size)
    ]


def first_of(examples: Examples, count: int) -> Examples:
    """So many of the examples, from the beginning: a data set's are shuffled."""
    return Examples(examples.X[:count], examples.Y[:count])
