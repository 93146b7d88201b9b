"""Small pictures of the digits 0 to 9, drawn for gradwalk: each drawing shifted, dimmed and made noisy by chance."""

from __future__ import annotations

from functools import cache
from importlib import resources

import torch

from backend.program.data.examples import Examples

SIDE, DIGITS = 8, 10
NOISE = 0.15


@cache
def drawings() -> torch.Tensor:
    """The ten drawings, (10, 8, 8): 1 where there is ink, else 0."""
    text = resources.files(__package__).joinpath("digits.txt").read_text(encoding="utf-8")
    return torch.tensor([[[float(ink == "#") for ink in row] for row in one.split()] for one in text.split("\n\n")])


def draw_digits(count: int, generator: torch.Generator) -> Examples:
    """Pictures X (count, 64) with ink between 0 and 1, and their digits Y (count,), both drawn by the generator."""
    Y = torch.randint(0, DIGITS, (count,), generator=generator)
    shifts = torch.randint(-1, 2, (count, 2), generator=generator).tolist()
    shifted = torch.stack(
        [torch.roll(drawings()[digit], (down, right), (0, 1)) for digit, (down, right) in zip(Y, shifts, strict=True)]
    )
    ink = 0.6 + 0.4 * torch.rand((count, 1, 1), generator=generator)
    noise = NOISE * torch.randn((count, SIDE, SIDE), generator=generator)
    return Examples((shifted * ink + noise).clamp(0.0, 1.0).view(count, SIDE * SIDE), Y)
