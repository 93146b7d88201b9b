"""What a run trains on: minibatches drawn from a data set, or a program's own tensors at every step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from backend.program.data.dataset import load_dataset
from backend.program.data.digits import load_digits, served_folder
from backend.program.data.examples import Examples
from backend.program.data.vocabulary import Vocabulary

# Minibatches drawn at once; the same numbers come out as when each is drawn by itself.
BLOCK = 512
CONTEXTS, TARGETS = "Xb", "Yb"
SPLIT_SEED = 42
DIGITS = 10
PARTS = "train", "validation", "test"


@dataclass(frozen=True)
class DataSet:
    """Examples in three splits; `label` writes one of them in words, and `classes` are those that a target may be."""

    name: str
    title: str
    splits: tuple[Examples, ...]  # in the order of PARTS
    classes: int
    label: Callable[[torch.Tensor, int], str]
    vocabulary: Vocabulary | None = None

    def split(self, part: str) -> Examples:
        """The examples of one of the `PARTS`."""
        return self.splits[PARTS.index(part)]

    @property
    def train(self) -> Examples:
        """The examples that minibatches are drawn from."""
        return self.splits[0]

    @property
    def validation(self) -> Examples:
        """The examples that tell while it trains how well it does on others."""
        return self.splits[1]


def names(path: Path | None, context: int) -> DataSet:
    """A word list, the embedded one without a path: so many letters in front, and the one that follows."""
    data = load_dataset(path, context)
    spell = data.vocabulary

    def label(letters: torch.Tensor, target: int) -> str:
        return spell.example(letters.tolist(), target)

    title = f"{len(data.words):,} names"
    return DataSet("names", title, (data.train, data.validation, data.test), len(spell), label, spell)


def digits(dtype: torch.dtype) -> DataSet:
    """Pictures of digits, shuffled and cut 80 : 10 : 10; those of MNIST where a folder of it is served."""
    known = load_digits(served_folder())
    order = torch.randperm(len(known.labels), generator=torch.Generator().manual_seed(SPLIT_SEED))
    cuts = int(0.8 * len(order)), int(0.9 * len(order))
    images = known.images.to(dtype)
    parts = tuple(Examples(images[part], known.labels[part]) for part in torch.tensor_split(order, cuts))
    kind = "pictures of MNIST" if served_folder() else "handwritten digits"
    title = f"{len(order):,} {kind} of {known.side} × {known.side} pixels"
    return DataSet("digits", title, parts, DIGITS, lambda _, target: f"a {target}")


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

    def copy(self) -> Source:
        """Another source of the same data, which goes its own way."""
        return Source()


class Minibatches(Source):
    """Minibatches of a data set, drawn with replacement; `inputs` are the program's names for examples and targets."""

    def __init__(
        self, data: DataSet, batch: int, generator: torch.Generator, inputs: tuple[str, str] = (CONTEXTS, TARGETS)
    ) -> None:
        self.data, self.batch, self.generator, self.inputs = data, batch, generator, inputs
        self.changing = frozenset(inputs)
        self.examples, self.targets = data.train.X.numpy(), data.train.Y.numpy()
        self.block, self.place = np.empty((0, batch), np.int64), 0
        self.before = generator.get_state()

    def start(self, inputs: dict[str, torch.Tensor]) -> None:
        self.into = tuple(inputs[name].numpy() for name in self.inputs)

    def next(self) -> None:
        if self.place == len(self.block):
            self._draw()
        places = self.block[self.place]
        self.place += 1
        np.take(self.examples, places, 0, self.into[0], "clip")
        np.take(self.targets, places, 0, self.into[1], "clip")

    def _draw(self) -> None:
        self.before = self.generator.get_state()
        drawn = torch.randint(0, len(self.examples), (BLOCK, self.batch), generator=self.generator)
        self.block, self.place = drawn.numpy(), 0

    def state(self) -> dict[str, object]:
        return {"generator": self.before.clone(), "place": self.place, "begun": len(self.block) > 0}

    def restore(self, state: dict[str, object]) -> None:
        before, place = state["generator"], state["place"]
        assert isinstance(before, torch.Tensor)
        assert isinstance(place, int)
        self.generator.set_state(before)
        self.block, self.place = np.empty((0, self.batch), np.int64), 0
        if state["begun"]:
            self._draw()
            self.place = place

    def copy(self) -> Minibatches:
        generator = torch.Generator()
        generator.set_state(self.generator.get_state())
        return Minibatches(self.data, self.batch, generator, self.inputs)
