"""A lesson is one file of data and prose: a program, its tensors, the names of its axes, and what to tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch


@dataclass(frozen=True)
class Material:
    """The tensors of one run of a lesson, and labels for the places along its axes."""

    tensors: dict[str, torch.Tensor]
    labels: dict[str, list[str]] = field(default_factory=dict)


class Instead(str):
    """What a lesson tells of a backward step in place of the operation's own reason."""


@dataclass(frozen=True)
class Lesson:
    """One lesson; `material` makes its tensors from a seed and an optional word list.

    `narration` tells of a step in words, by the name of the tensor or of its gradient. `{…}` in it is one of the
    `facts`: numbers as text, worked out from the values of the run.
    """

    name: str
    title: str
    about: str
    seed: int
    seed_means: str
    source: str
    constants: Mapping[str, int | float]
    roles: Mapping[str, str]
    dims: Mapping[str, tuple[str, ...]]
    material: Callable[[int, Path | None], Material]
    beginning: tuple[str, ...] = ()  # before the first step: what is computed, and from what; with facts, too
    narration: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)  # whole numbers that stand for labels
    facts: Callable[[Mapping[str, torch.Tensor], Mapping[str, list[str]]], Mapping[str, str]] = (
        lambda _values, _labels: {}
    )
    seed_noun: str = ""  # what another seed gives another of: a minibatch, a number
    parameters: Callable[..., dict[str, torch.Tensor]] | None = None  # drawn for other sizes, where it can be trained
    seed_drawn: bool = True  # whether any seed is as good as another, so that one may be drawn
