"""What a run trains on: minibatches drawn from a word list, or a program's own tensors at every step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from backend.program.data.dataset import Dataset, load_dataset
from backend.program.data.examples import Examples

# Minibatches drawn at once; the same numbers come out as when each is drawn by itself.
BLOCK = 512
CONTEXTS, TARGETS = "Xb", "Yb"


class Source:
    """Where the inputs of each step come from; this one gives a program's own tensors, which never change."""

    changing: frozenset[str] = frozenset()
    batch = 0

    def start(self, inputs: dict[str, torch.Tensor]) -> None:
        """Write into these tensors from now on."""

    def next(self) -> None:
        """Write the next minibatch."""

    def state(self) -> dict[str, object]:
        """What the minibatches to come depend on."""
        return {}

    def restore(self, state: dict[str, object]) -> None:
        """Go on from a state."""


class Names(Source):
    """Minibatches of a word list: contexts of letters, and the letter that follows each."""

    changing = frozenset({CONTEXTS, TARGETS})

    def __init__(self, data: Dataset, batch: int, generator: torch.Generator) -> None:
        self.data, self.batch, self.generator = data, batch, generator
        self.contexts, self.targets = data.train.X.numpy(), data.train.Y.numpy()
        self.block, self.place = np.empty((0, batch), np.int64), 0
        self.before = generator.get_state()

    def start(self, inputs: dict[str, torch.Tensor]) -> None:
        self.into = inputs[CONTEXTS].numpy(), inputs[TARGETS].numpy()

    def next(self) -> None:
        if self.place == len(self.block):
            self.before = self.generator.get_state()
            drawn = torch.randint(0, len(self.contexts), (BLOCK, self.batch), generator=self.generator)
            self.block, self.place = drawn.numpy(), 0
        places = self.block[self.place]
        self.place += 1
        np.take(self.contexts, places, 0, self.into[0], "clip")
        np.take(self.targets, places, 0, self.into[1], "clip")

    def state(self) -> dict[str, object]:
        return {"generator": self.before.clone(), "place": self.place, "begun": len(self.block) > 0}

    def restore(self, state: dict[str, object]) -> None:
        before, place = state["generator"], state["place"]
        assert isinstance(before, torch.Tensor)
        assert isinstance(place, int)
        self.generator.set_state(before)
        self.block, self.place = np.empty((0, self.batch), np.int64), 0
        if state["begun"]:
            self.before = before.clone()
            drawn = torch.randint(0, len(self.contexts), (BLOCK, self.batch), generator=self.generator)
            self.block, self.place = drawn.numpy(), place


@dataclass(frozen=True)
class Splits:
    """The examples of each split, for losses over all of them."""

    train: Examples
    validation: Examples
    test: Examples


def splits_of(source: Source) -> Splits | None:
    """The splits that a source draws from; None where there are none."""
    return Splits(source.data.train, source.data.validation, source.data.test) if isinstance(source, Names) else None


def names(path: Path | None, context: int) -> Dataset:
    """The dataset of a word list, the embedded one without a path."""
    return load_dataset(path, context)
