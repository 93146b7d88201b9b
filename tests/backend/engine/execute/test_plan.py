"""A plan is kept for the next request, but never for numbers that it is not right for."""

import json
from typing import Any

import pytest

import backend

LOGITS = {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 1}
LOSS = "loss = F.cross_entropy(x, y, ignore_index=1)"
POWER = "loss = (b ** n).sum()"


def wrong(source: str, tensors: dict[str, Any]) -> int:
    summary = json.loads(backend.walk({"source": source, "tensors": tensors}))["summary"]
    return int(summary["wrong"])


@pytest.mark.parametrize("targets", [([2, 0, 2, 2], [2, 1, 2, 1]), ([2, 1, 2, 1], [2, 0, 2, 2])])
def test_targets_to_ignore_are_noticed_in_a_program_seen_before(targets: tuple[list[int], list[int]]) -> None:
    for values in (*targets, targets[0]):
        assert wrong(LOSS, {"x": LOGITS, "y": {"role": "target", "values": values}}) == 0


@pytest.mark.parametrize("bases", [([1.0, 2.0], [0.0, 2.0]), ([0.0, 2.0], [1.0, 2.0])])
def test_a_base_of_zero_is_noticed_in_a_program_seen_before(bases: tuple[list[float], list[float]]) -> None:
    for values in (*bases, bases[0]):
        powers = {"role": "parameter", "values": [2.0, 3.0]}
        assert wrong(POWER, {"b": {"role": "parameter", "values": values}, "n": powers}) == 0
