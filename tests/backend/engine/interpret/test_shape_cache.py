"""Shapes that are worked out once: made anew they are what torch gives, views stay views, and the budget is charged."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch

from backend.engine.interpret import shape_cache
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.limits import LIMITS
from backend.engine.language.parse import parse
from backend.engine.language.pytree import tensors_in
from backend.engine.language.values import Pair
from tests.support.random_programs import Author


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape_cache, "_results", {})


def meta(*shape: Any, dtype: Any = torch.float32) -> Any:
    return torch.empty(shape, dtype=dtype, device="meta")


def outline(value: Any) -> Any:
    return [(tuple(t.shape), t.stride(), t.dtype) for t in tensors_in(value)]


def run(source: Any, **scope: Any) -> Any:
    evaluator = ShapeEvaluator(scope)
    evaluator.run(parse(source).statements)
    return evaluator


@pytest.mark.parametrize("seed", range(12))
def test_the_second_time_is_like_the_first(seed: Any) -> None:
    """Every name of a program, with nothing remembered and with everything remembered."""
    drawn = (Author(random.Random(100 * seed + n).choice).write() for n in range(100))
    case = next(case for case in drawn if "mask]" not in case["source"])  # a mask's places are numbers
    inputs = {name: meta(*spec["shape"]) for name, spec in case["tensors"].items() if name != "mask"}
    first, second = run(case["source"], **inputs), run(case["source"], **inputs)
    assert {name: outline(value) for name, value in first.scope.items()} == {
        name: outline(value) for name, value in second.scope.items()
    }
    assert (first.bytes, first.arithmetic) == (second.bytes, second.arithmetic)


@pytest.mark.parametrize("source", ["y = x.T", "y = x[0]", "y = x.view(-1)", "y = x.expand(2, 2, 3)", "y = x.detach()"])
def test_a_view_shares_its_memory_each_time(source: Any) -> None:
    for _ in range(2):
        scope = run(source, x=meta(2, 3)).scope
        assert scope["y"].untyped_storage()._cdata == scope["x"].untyped_storage()._cdata


def test_no_two_results_share_their_memory() -> None:
    scope = run("a = x * 2\nb = x * 2\nm = x.max(1)", x=meta(2, 3)).scope
    assert isinstance(scope["m"], Pair)
    storages = {t.untyped_storage()._cdata for value in scope.values() for t in tensors_in(value)}
    assert len(storages) == 5


@pytest.mark.parametrize(("number", "dtype"), [("2", torch.int64), ("2.0", torch.float32)])
def test_numbers_that_are_equal_are_not_alike(number: Any, dtype: Any) -> None:
    run("y = k * 2\ny = k * 2.0", k=meta(2, dtype=torch.int64))
    assert run(f"y = k * {number}", k=meta(2, dtype=torch.int64)).scope["y"].dtype is dtype


def test_strides_count() -> None:
    run("y = x.reshape(-1)\nz = x * 1", x=meta(2, 3))
    scope = run("y = x.reshape(-1)\nz = x * 1", x=meta(3, 2).T).scope
    assert scope["z"].stride() == (1, 2)
    assert scope["y"].untyped_storage()._cdata != scope["x"].untyped_storage()._cdata


def test_the_budget_is_charged_each_time() -> None:
    x = meta(2**18)
    steps = LIMITS.live_bytes // 2**20
    with pytest.raises(Refusal) as refused:
        run("\n".join(f"a{n} = x * 2" for n in range(steps + 1)), x=x)
    assert refused.value.code == "memory-budget"
    assert (refused.value.where or {})["line"] == steps + 1


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape_cache, "KEPT", 8)
    for size in range(1, 30):
        run("y = x * 2", x=meta(size))
    assert len(shape_cache._results) <= 8
    run("y = x[" + str(list(range(5)) * 40) + "]", x=meta(5))
    assert all(len(use) < 3 * shape_cache.LONGEST for use in shape_cache._results)
