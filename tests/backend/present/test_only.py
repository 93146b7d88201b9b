"""Some tensors of a walk are those of the whole one, and a gradient that nothing sends is none."""

from __future__ import annotations

import json
from typing import Any

import pytest

import backend
from backend.engine.language.errors import Refusal

LESSON = {"lesson": "makemore-mlp", "arrays": "lists"}
VARIABLES = ["h", "dh", "W1", "dW1", "logits", "dlogits"]


def answer(**more: Any) -> Any:
    return json.loads(backend.walk(LESSON | more))


def test_every_tensor_is_that_of_the_whole_walk() -> None:
    whole, some = answer(), answer(only=VARIABLES)
    nodes = {node["name"]: node for node in whole["nodes"]}
    assert list(some["tensors"]) == VARIABLES
    for name, gradient in (("h", "dh"), ("W1", "dW1"), ("logits", "dlogits")):
        assert some["tensors"][name] == nodes[name]["value"]
        assert some["tensors"][gradient] == nodes[name]["gradient"]["manual"]
    assert (some["id"], some["loss"]) == (whole["id"], whole["loss"])
    assert answer(changes=[{"tensor": "h", "scale": 2.0}])["id"] != whole["id"]


def test_no_gradient_arrives_above_what_is_cut_loose() -> None:
    cut = answer(only=["dh", "dhpreact", "dW2"], changes=[{"tensor": "h", "scale": 2.0}])
    assert cut["tensors"]["dhpreact"] is None
    assert cut["tensors"]["dh"] is not None
    assert cut["tensors"]["dW2"] is not None


def test_the_gradient_of_whole_numbers_is_no_tensor_of_the_walk() -> None:
    assert answer(only=["Xb"])["tensors"]["Xb"]
    with pytest.raises(Refusal) as caught:
        answer(only=["dprobabilities"])
    assert caught.value.code in ("tensor-unknown", "tensor-near")
