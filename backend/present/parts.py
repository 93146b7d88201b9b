"""What belongs to one step of a walk alone, made when somebody comes near it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import torch

from backend.engine.encode import Encoder
from backend.present.drawings import drawings_of
from backend.present.picture_types import Wire
from backend.present.pictures import forward_picture, picture
from backend.present.schema import AutogradColumn, BackwardPart, ForwardPart
from backend.present.steps import steps_of
from backend.program.runs import Run


class Columns(TypedDict, total=False):
    """A gradient by the printed lines, by autograd, and their difference; what is not sent is not there."""

    manual: Wire
    autograd: Wire
    difference: Wire


@dataclass
class Parts:
    """The parts of one run's steps; what equals another tensor of its step is sent, `equal_too`, or left out."""

    run: Run
    encode: Encoder
    equal_too: bool = False

    def forward(self, index: int) -> ForwardPart:
        """What belongs to a forward step alone."""
        planned = drawings_of(self.run.plan).forward_pictures[index]
        return {
            "cells": drawings_of(self.run.plan).forward_cells[index],
            "picture": forward_picture(self.run, planned, self.encode) if planned else None,
        }

    def backward(self, number: int) -> BackwardPart:
        """What belongs to a backward step alone, by its line's number."""
        kept = self.run.contributions[number]
        whole = not self.equal_too and (kept.value is kept.accumulated or same_bits(kept.value, kept.accumulated))
        return {
            **steps_of(self.run.plan).parts[number],
            "contribution": None if whole else self.encode(kept.value),
            "picture": picture(self.run, number, self.encode),
        }

    def gradient(self, variable: str) -> Columns:
        """A gradient as the printed lines and as autograd have it; what equals is left out, but of nested lists."""
        judged = self.judged(variable)
        manual: Columns = {"manual": self.encode(self.run.gradients["d" + variable])} if self.equal_too else {}
        return {**manual, **judged} if judged else manual

    def judged(self, variable: str) -> AutogradColumn | None:
        """Autograd's gradient and its difference from ours; None where they are the same, unless `equal_too`."""
        manual, autograd = self.run.gradients["d" + variable], self.run.forward.autograd[variable]
        if not self.equal_too and same_bits(manual, autograd):
            return None
        return {"autograd": self.encode(autograd), "difference": self.encode(difference(manual, autograd))}


def difference(manual: torch.Tensor, autograd: torch.Tensor) -> torch.Tensor:
    """Cell by cell; NaN throughout where the shapes differ."""
    return manual - autograd if manual.shape == autograd.shape else torch.full_like(autograd, torch.nan)


def same_bits(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors are equal in every cell and their difference is zero: none is infinite, nor -0 for 0."""
    alike = a.dtype == b.dtype and torch.equal(a, b) and torch.equal(a.signbit(), b.signbit())
    return alike and bool(a.isfinite().all())
