"""Sentences of chapters with what has to hold for them, and what such a check needs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch

from backend.inspect.pieces.saturation import saturation
from backend.pipeline import run_of
from backend.program.lessons import SHELF

Check = Callable[[], Any]


@dataclass(frozen=True)
class Claim:
    """A sentence of a chapter, and what has to hold for it."""

    chapter: str
    sentence: str
    check: Check

    def __str__(self) -> str:
        return f"{self.chapter}-{self.check.__name__}"

    def verify(self) -> None:
        """It stands in the chapter word for word, and is true."""
        source = re.sub(r"\s+", " ", SHELF.chapters[self.chapter].source)
        assert self.sentence in source, "the chapter no longer says so: look whether it is still true"
        assert self.check()


@dataclass(frozen=True)
class Claims:
    """Adds the function that it decorates to a list of claims."""

    kept: list[Claim]

    def __call__(self, chapter: str, sentence: str) -> Callable[[Check], Check]:
        def keep(check: Check) -> Check:
            self.kept.append(Claim(chapter, sentence, check))
            return check

        return keep


@cache
def walked(lesson: str, precise: bool = False) -> dict[str, Any]:
    """Values and gradients of a program of a chapter by name; `precise` in float64."""
    run = run_of({"lesson": lesson} | ({"dtype": "float64"} if precise else {}))
    return {**run.material.constants, **run.forward.values, **run.gradients}


def flat_share(lesson: str, tensor: str, scale: float = 1.0) -> float:
    """The share of cells that the figure of an activation counts as flat, its parameter multiplied by `scale`."""
    told = saturation({"walk": {"lesson": lesson}, "tensor": tensor})
    return float(told["points"][told["scales"].index(scale)]["share"])


def near(found: torch.Tensor, true: float | torch.Tensor, within: float = 1e-6) -> bool:
    """Whether all numbers are the same but for so much."""
    return torch.allclose(found, torch.as_tensor(true, dtype=found.dtype), rtol=0, atol=within)
