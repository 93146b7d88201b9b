"""The search call by call: its list is a topological order, and its reverse an order for the backward pass."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from backend.engine.language.errors import Refusal
from backend.inspect.pieces.search_order import order, searched
from tests.support.programs import PATHS, load

FIRST = {"lesson": "first-steps"}


def test_first_steps_call_by_call() -> None:
    told = order({"walk": FIRST, "tensor": "z"})
    kinds = [(event["kind"], event["tensor"]) for event in told["events"]]
    assert kinds == [*[("enter", name) for name in "zyx"], *[("append", name) for name in "xyz"], ("reverse", "z")]
    assert (told["order"], told["backward"]) == (["x", "y", "z"], ["z", "y", "x"])
    assert [event["stack"] for event in told["events"]][2] == ["z", "y", "x"]
    assert "`x`" in told["events"][1]["text"]


def test_a_tensor_that_two_read_is_visited_once() -> None:
    events = list(searched({"x": [], "a": ["x"], "b": ["x", "a"], "z": ["a", "b"]}, "z"))
    assert [event["tensor"] for event in events if event["kind"] == "known"] == ["x", "a"]
    assert events[-1]["order"] == ["x", "a", "b", "z"]
    for before, after in itertools.pairwise(events):
        assert len(after["visited"]) - len(before["visited"]) in (0, 1)
        assert after["order"][: len(before["order"])] == before["order"]


def is_topological(inputs: dict[str, list[str]], order: list[str]) -> bool:
    return all(order.index(source) < order.index(name) for name in order for source in inputs[name])


def test_every_order_is_topological_and_every_call_ends(thorough: bool) -> None:
    walks: list[Any] = [load(path) for path in (PATHS if thorough else PATHS[::25])] + [{"lesson": "makemore-mlp"}]
    shown = 0
    for walk in walks:
        try:
            told = order({"walk": walk, "tensor": "loss"})
        except Refusal as refused:
            assert refused.code in ("order-too-large", "tensor-unknown")
            continue
        shown += 1
        inputs = {node["name"]: node["inputs"] for node in told["nodes"]}
        assert is_topological(inputs, told["order"])
        assert told["backward"] == told["order"][::-1]
        calls = [event for event in told["events"] if event["kind"] in ("enter", "known")]
        assert len(calls) == 1 + sum(len(inputs[name]) for name in told["order"])
    assert shown >= 2
    assert not is_topological({"x": [], "y": ["x"]}, ["y", "x"])


@pytest.mark.parametrize(
    ("source", "tensor", "code"),
    [
        ("y = x * 2", "q", "tensor-unknown"),
        ("y = x\nfor i in range(60):\n    y = y + x\nz = y.sum()", "z", "order-too-large"),
    ],
)
def test_what_is_refused(source: str, tensor: str, code: str) -> None:
    walk = {"source": source, "tensors": {"x": {"role": "parameter", "values": 2.0}}}
    with pytest.raises(Refusal) as refused:
        order({"walk": walk, "tensor": tensor})
    assert refused.value.code == code
