"""Convolutions at drawn settings: every gradient of their lines against autograd's."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support import torch_reference
from tests.support.solve import problems, solve

DRAWN, TRIED = 2_000, 100
# torch warns of a copy that it makes.
pytestmark = pytest.mark.filterwarnings("ignore:Using padding='same'")


def each(draw: random.Random, axes: int, low: int, high: int) -> Any:
    """A setting as people write it: one number, or one for each axis."""
    return draw.randint(low, high) if draw.random() < 0.5 else tuple(draw.randint(low, high) for _ in range(axes))


def by_axis(setting: Any, axes: int) -> tuple[int, ...]:
    return setting if isinstance(setting, tuple) else (setting,) * axes


def settings(draw: random.Random, axes: int, transposed: bool) -> dict[str, Any]:
    """Keywords of one call, those at their usual values left out now and then."""
    made: dict[str, Any] = {"stride": each(draw, axes, 1, 3), "dilation": each(draw, axes, 1, 3)}
    if not transposed and draw.random() < 0.3:
        made |= {"padding": draw.choice(("same", "valid"))}
        made |= {"stride": 1} if made["padding"] == "same" else {}
    else:
        made["padding"] = each(draw, axes, 0, 2)
    if transposed:
        steps, gaps = by_axis(made["stride"], axes), by_axis(made["dilation"], axes)
        made["output_padding"] = tuple(draw.randrange(max(pair)) for pair in zip(steps, gaps, strict=True))
    made["groups"] = draw.choice((1, 1, 2, 3))
    return {name: value for name, value in made.items() if value not in (0, 1) or draw.random() < 0.5}


def drawn(seed: int) -> torch_reference.Case:
    """A program with one convolution that torch takes."""
    draw = random.Random(seed)
    while True:
        axes, transposed = draw.randint(1, 3), draw.random() < 0.4
        given, examples = settings(draw, axes, transposed), draw.choice(((), (1,), (2,)))
        groups = given.get("groups", 1)
        inner, outer = (groups * draw.randint(1, 2) for _ in range(2))
        channels = (inner, outer // groups) if transposed else (outer, inner // groups)
        shapes = {
            "x": (*examples, inner, *(draw.randint(1, 7 if axes < 3 else 4) for _ in range(axes))),
            "weight": (*channels, *(draw.randint(1, 3) for _ in range(axes))),
        }
        shapes |= {"bias": (outer,)} if draw.random() < 0.5 else {}
        words = [*shapes, *(f"{name}={value!r}" for name, value in given.items())]
        call = f"F.conv{'_transpose' * transposed}{axes}d({', '.join(words)})"
        case: torch_reference.Case = {
            "source": f"y = {call}\nloss = (y * y).mean()\n",
            "tensors": {
                name: {"role": "parameter", "shape": list(shape), "init": "randn", "seed": seed + number}
                for number, (name, shape) in enumerate(shapes.items())
            },
        }
        try:
            if torch_reference.reference(case)["y"][0].numel():
                return case
        except RuntimeError:  # a kernel larger than its image
            continue


@pytest.mark.parametrize(
    "seed",
    [pytest.param(s, marks=() if s < TRIED else pytest.mark.exhaustive) for s in range(DRAWN)],
)
def test_gradients_at_drawn_settings_are_those_of_autograd(seed: int) -> None:
    case = drawn(seed)
    assert problems(case) == [], case["source"]
    assert problems(case, tolerance=1e-4, dtype="float32") == [], case["source"]


def test_what_is_drawn_reaches_every_setting() -> None:
    sources = [drawn(seed)["source"] for seed in range(TRIED)]
    for word in (
        "conv1d",
        "conv2d",
        "conv3d",
        "transpose1d",
        "transpose2d",
        "transpose3d",
        "groups=3",
        "'same'",
        "'valid'",
    ):
        assert any(word in source for source in sources), word


@pytest.mark.parametrize(
    ("call", "weight", "lines"),
    [
        (
            "F.conv2d(x, weight)",
            (3, 2, 3, 3),
            [
                "dx = F.conv_transpose2d(dy, weight)",
                "dweight = F.conv2d(x.transpose(0, 1), dy.transpose(0, 1)).transpose(0, 1)",
            ],
        ),
        (
            "F.conv2d(x, weight, stride=2, padding=1)",
            (3, 2, 3, 3),
            [
                "dx = F.conv_transpose2d(dy, weight, stride=2, padding=1, output_padding=1)",
                "dweight = F.conv2d(x.transpose(0, 1), dy.transpose(0, 1), padding=1, dilation=2)[..., :3, :3].transpose(0, 1)",
            ],
        ),
        (
            "F.conv_transpose2d(x, weight, stride=2)",
            (2, 3, 2, 2),
            [
                "dx = F.conv2d(dy, weight, stride=2)",
                "dweight = F.conv2d(dy.transpose(0, 1), x.transpose(0, 1), dilation=2).transpose(0, 1)",
            ],
        ),
    ],
)
def test_the_lines_read_like_a_blackboard(call: str, weight: tuple[int, ...], lines: list[str]) -> None:
    tensors = {
        name: {"role": "parameter", "shape": list(shape), "init": "randn", "seed": 1}
        for name, shape in {"x": (2, 2, 6, 6), "weight": weight}.items()
    }
    found = solve({"source": f"y = {call}\nloss = y.sum()", "tensors": tensors})
    assert [line.code for line in found.lines][-2:] == lines
