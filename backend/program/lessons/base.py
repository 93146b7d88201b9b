"""A lesson is one file of data and prose: a program, its tensors, the names of its axes, and what to tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import torch

from backend.engine.trace.inputs import InputRole

Tensors = Mapping[str, torch.Tensor]
Labels = Mapping[str, list[str]]
Fact = Callable[[Tensors, Labels], str]


@dataclass(frozen=True)
class Material:
    """The tensors of one run of a lesson, and labels for the places along its axes."""

    tensors: dict[str, torch.Tensor]
    labels: dict[str, list[str]] = field(default_factory=dict)


class Instead(str):
    """What a lesson tells of a backward step in place of the operation's own reason."""


@dataclass(frozen=True)
class Facts(Mapping[str, str]):
    """The facts of one run as text, each worked out when it is first asked for: a changed program may lack what one
    needs."""

    made: Mapping[str, Fact]
    tensors: Tensors
    labels: Labels
    known: dict[str, str] = field(default_factory=dict, init=False)

    def __getitem__(self, name: str) -> str:
        if name not in self.known:
            self.known[name] = self.made[name](self.tensors, self.labels)
        return self.known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.made)

    def __len__(self) -> int:
        return len(self.made)


def _no_material(_seed: int, _names: Path | None) -> Material:
    return Material({})


@dataclass(frozen=True)
class Lesson:
    """One lesson; `material` makes its tensors from a seed and an optional word list.

    A lesson with a `request` is walked as that program is, and has no seed: every tensor of it has its own.
    `narration` tells of a step in words, by the name of the tensor or of its gradient. `{…}` in it is one of the
    `facts`: numbers as text, worked out from the values of the run. `holds` says of a sentence what has to be true of
    values and gradients for it to be told of a changed program, too (see backend/present/retelling.py); `labels` finds
    the labels of a changed program's tensors.
    """

    name: str
    title: str
    about: str
    seed: int | None
    seed_means: str = ""
    source: str = ""
    constants: Mapping[str, int | float] = field(default_factory=dict)
    roles: Mapping[str, InputRole] = field(default_factory=dict)
    dims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    material: Callable[[int, Path | None], Material] = _no_material
    request: Mapping[str, Any] | None = None
    beginning: tuple[str, ...] = ()  # before the first step: what is computed, and from what; with facts, too
    narration: Mapping[str, str] = field(default_factory=dict)
    holds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # the same tensors with a word in the place of the first examples, where it reads words
    with_word: Callable[[Material, str, Path | None], Material] | None = None
    codes: Mapping[str, str] = field(default_factory=dict)  # whole numbers that stand for labels
    # by an axis, which of its labels is shown and told of as an example of all
    focus: Mapping[str, Callable[[list[str]], int]] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    labels: Callable[[Tensors, Path | None], Mapping[str, list[str]]] = lambda _tensors, _names: {}
    seed_noun: str = ""  # what another seed gives another of: a minibatch, a number
    parameters: Callable[..., dict[str, torch.Tensor]] | None = None  # drawn for other sizes, where it can be trained
    trained_on: Literal["own", "names", "digits"] = "own"  # what its minibatches are usually drawn from
    seed_drawn: bool = True  # whether any seed is as good as another, so that one may be drawn

    def focused(self, labels: Labels) -> dict[str, int]:
        """The place along an axis that is shown and told of as an example of all, by the axis's name."""
        return {axis: choose(labels[axis]) for axis, choose in self.focus.items() if labels.get(axis)}

    def known(self, values: Tensors, labels: Labels) -> Facts:
        """The facts of a run with these values."""
        return Facts(self.facts, values, labels)
