"""The smallest walk there is: two operations on one number."""

from __future__ import annotations

from pathlib import Path

import torch

from backend.program.lessons.base import Instead, Lesson, Material


def material(seed: int, _names: Path | None) -> Material:
    """x = 2 for seed 2, and so on: the seed is the number."""
    return Material({"x": torch.tensor(float(seed))})


NARRATION = {
    "y": "Three times `x`: nudge `x` by ε and `y` moves by 3ε.",
    "z": "One more than `y`: nudge `y` by ε and `z` moves by ε as well.",
    "dx": Instead("The slopes along the way multiply. Nudge `x` by ε, and `y` moves by 3ε, and so does `z`."),
}

HOLDS = {"y": (), "z": (), "dx": ("y == x * 3", "z == y + 1", "dx == 3")}

LESSON = Lesson(
    name="first-steps",
    title="3x + 1",
    about="Two operations on one number: what is recorded forward, and read backward.",
    seed=2,
    seed_means="the number x",
    seed_noun="x",
    seed_drawn=False,
    source="y = x * 3\nz = y + 1\n",
    constants={},
    roles={},
    dims={},
    material=material,
    narration=NARRATION,
    holds=HOLDS,
)
