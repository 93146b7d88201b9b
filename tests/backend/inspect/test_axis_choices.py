"""Which axis to sum: for every broadcast, each choice has the shape that torch gives, and only the right one is right."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from backend.engine.execute.lookup import with_gradient
from backend.engine.language.errors import Refusal
from backend.inspect.axis_choices import axis_choices_of, broadcast_tensors
from backend.pipeline import run_of
from backend.program.runs import Run
from backend.program.starts import starts
from tests.support import prose_lint

SHAPES = [
    [(4, 3), (3,)], [(4, 3), (1, 3)], [(4, 3), (4, 1)], [(4, 3), ()], [(4, 3), (1, 1)], [(3, 3), (3,)], [(3, 3), (3, 1)],
    [(2, 4, 3), (3,)], [(2, 4, 3), (4, 1)], [(2, 4, 3), (1, 4, 1)], [(2, 4, 3), (1, 3)], [(2, 2, 2, 3), (3,)], [(5,), ()],
]  # fmt: skip
WALKS: dict[str, Any] = {"makemore-mlp": {"lesson": "makemore-mlp"}}
WALKS |= {one["name"]: one["request"] for one in starts()}


def of(big: tuple[int, ...], small: tuple[int, ...], operation: str = "*") -> Run:
    axes = ["example", "feature", "unit", "head"]
    return run_of(
        {
            "source": f"Y = x {operation} b\nloss = (Y * G).sum()",
            "tensors": {
                "x": {"role": "data", "shape": list(big), "init": "randn", "seed": 1},
                "b": {"role": "parameter", "shape": list(small), "init": "randn", "seed": 2},
                "G": {"role": "target", "shape": list(big), "init": "randn", "seed": 3},
            },
            "dims": {"x": axes[: len(big)]},
        }
    )


@pytest.mark.parametrize("operation", ["*", "+", "-"])
@pytest.mark.parametrize(("big", "small"), SHAPES)
def test_every_choice_has_its_shape_and_the_right_one_is_the_gradient(
    big: tuple[int, ...], small: tuple[int, ...], operation: str
) -> None:
    run = of(big, small, operation)
    found = axis_choices_of(run, "b")
    x, upstream = run.forward.tensors["x"], run.gradients["dY"]
    before = {"*": x * upstream, "+": upstream, "-": -upstream}[operation]
    autograd = run.forward.autograd["b"]
    assert found["shape"] == list(big)
    for one in found["choices"]:
        result = before.sum(tuple(one["axes"]), keepdim=one["keepdim"])
        if one["code"].endswith("[0]"):  # the line's own, where of two summed axes one stays
            result = result[0]
        assert list(result.shape) == one["shape"]
        assert one["fits"] == (one["shape"] == list(small))
        if one["right"]:
            torch.testing.assert_close(result, autograd)
        elif one["fits"]:
            assert not torch.allclose(result, autograd)
    assert sum(one["right"] for one in found["choices"]) == 1
    count = len(big)
    if count <= 3:
        offered = {(tuple(one["axes"]), one["keepdim"]) for one in found["choices"]}
        assert len(offered) >= 2 * (2**count - 1)


@pytest.mark.parametrize("name", WALKS)
def test_of_every_broadcast_of_a_walk_the_axis_can_be_asked(name: str) -> None:
    run = run_of(WALKS[name])
    asked = broadcast_tensors(run.plan)
    for tensor in asked:
        found = axis_choices_of(run, tensor)
        right = [one for one in found["choices"] if one["right"]]
        assert len(right) == 1, tensor
        assert found["needed"] == list(with_gradient(run.plan, tensor).shape)
        assert len({one["code"] for one in found["choices"]}) == len(found["choices"])
        for one in found["choices"]:
            assert list(prose_lint.problems(one["why"])) == [], one["why"]
    assert asked or name in {"line", "linear-layer", "attention"}


def why(run: Run, axes: list[int], keep: bool) -> str:
    return next(
        one["why"] for one in axis_choices_of(run, "b")["choices"] if (one["axes"], one["keepdim"]) == (axes, keep)
    )


def test_a_wrong_choice_is_told_what_is_wrong_with_it() -> None:
    row = of((4, 3), (1, 3))
    assert "it has to stay with length 1" in why(row, [0], False)
    assert "wasn't copied along axis 1 (feature): this adds up its 3 features" in why(row, [1], False)
    assert "It was copied along axis 0 (example), and those copies are not added up" in why(row, [1], True)
    assert "The result is (4, 1); `b` is (1, 3)." in why(row, [1], True)
    assert "used 4 times, so 4 gradients add up. The axis stays" in why(row, [0], True)
    flat = of((4, 3), (3,))
    assert "`b` has no such axis: leave `keepdim=True` out" in why(flat, [0], True)
    assert "a single number" in why(flat, [0, 1], False)
    mixed = of((2, 4, 3), (1, 3))
    for keep in (False, True):
        assert "The right axes, but only axis 1 (feature) has to stay with length 1." in why(mixed, [0, 1], keep)
    square = of((3, 3), (3,))
    assert why(square, [1], False).endswith("The shape fits by chance; the numbers are others.")
    alone = of((4, 3), ())
    assert f"it was used {math.prod((4, 3))} times" in why(alone, [0, 1], False)


def test_a_shape_that_fits_by_chance_with_numbers_that_fit_by_chance() -> None:
    run = run_of(
        {
            "source": "Y = x + b\nloss = Y.sum()",
            "tensors": {
                "x": {"role": "data", "values": [[1.0, 2.0], [3.0, 4.0]]},
                "b": {"role": "parameter", "values": [1.0, 2.0]},
            },
        }
    )
    assert why(run, [1], False).endswith("The numbers agree here by chance.")


def test_a_tensor_that_was_not_copied_is_refused() -> None:
    with pytest.raises(Refusal, match="was not broadcast"):
        axis_choices_of(of((4, 3), (3,)), "x")
    with pytest.raises(Refusal):
        axis_choices_of(of((4, 3), (3,)), "nothing")
