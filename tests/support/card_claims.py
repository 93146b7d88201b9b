"""Sentences on cards of the lab with what has to hold for them, and what such a check needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from backend.program.lessons import ROOM
from tests.support.exhibit_runs import Named, known, trained

Check = Callable[[Named, Named], object]


@dataclass(frozen=True)
class Said:
    """A sentence on a card; the check is given what either side's program knows, values and gradients by name."""

    exhibit: str
    sentence: str
    check: Check

    def __str__(self) -> str:
        return f"{self.exhibit}-{self.check.__name__}"

    def verify(self) -> None:
        """It stands on the card, and is true."""
        card = ROOM.exhibits[self.exhibit]
        assert any(self.sentence in text for text in (card.reveal, card.sees, card.in_training))
        assert self.check(known(self.exhibit, 0), known(self.exhibit, 1))


@dataclass(frozen=True)
class Cards:
    """Adds the function that it decorates to a list of what is said."""

    kept: list[Said]

    def __call__(self, exhibit: str, sentence: str) -> Callable[[Check], Check]:
        def keep(check: Check) -> Check:
            self.kept.append(Said(exhibit, sentence, check))
            return check

        return keep


def near(found: torch.Tensor, true: torch.Tensor | float, within: float = 1e-9) -> bool:
    return torch.allclose(found, torch.as_tensor(true, dtype=found.dtype), rtol=0, atol=within)


def ends(name: str) -> tuple[Named, Named]:
    """What either side knows at the weights that its own run ends at."""
    return known(name, 0, trained(name, 0)[1]), known(name, 1, trained(name, 1)[1])


def zero_rows(grad: torch.Tensor) -> list[int]:
    return [row for row, cells in enumerate(grad) if not cells.any()]


def nan_rows(grad: torch.Tensor) -> list[int]:
    return [row for row, cells in enumerate(grad) if cells.isnan().all()]
