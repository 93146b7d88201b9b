"""Pictures of one quantity that stand side by side, each of another program: what full colour stands for in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from backend.course.alternative_text import Shown
from backend.course.figures import tensor_of
from backend.course.runs import Runs
from backend.program.chapters.chapter import Block, Prose


def common_scales(parts: Sequence[Block | Prose], runs: Runs) -> dict[int, float]:
    """The largest number in any of a group of pictures, by the places of those that are in one."""
    found: dict[int, float] = {}
    for places in _groups(parts):
        largest = max(_largest(part, runs) for at in places if isinstance(part := parts[at], Block))
        found |= dict.fromkeys(places, largest)
    return found


def _groups(parts: Sequence[Block | Prose]) -> Iterator[list[int]]:
    """Tensors of one name that nothing stands between; a tensor that was changed is another one by another program."""
    for name, group in groupby(range(len(parts)), lambda at: _drawn(parts[at])):
        places = list(group)
        if name and len(places) > 1:
            yield places


def _drawn(part: Block | Prose) -> str:
    return part.argument if isinstance(part, Block) and part.kind == "tensor" else ""


def _largest(figure: Block, runs: Runs) -> float:
    walked = runs[figure.program]
    name, gradient, _ = tensor_of(figure.argument, walked)
    part = Shown(walked, name, gradient, []).part
    finite = part[part.isfinite()].abs()
    return float(finite.max()) if finite.numel() else 0.0
