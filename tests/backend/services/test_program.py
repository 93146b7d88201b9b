"""A walk taken over as a program of one's own is the same walk, number for number."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import backend
from backend.engine.language.errors import Refusal
from backend.pipeline import new_run

LESSON = {"lesson": "makemore-mlp", "seed": 5}
OWN = {
    "source": "h = torch.tanh(x @ W)\nloss = (h * mask).sum()",
    "tensors": {
        "x": {"role": "data", "shape": [3, 4], "init": "rand", "seed": 1, "scale": 0.3},
        "W": {"role": "parameter", "shape": [4, 2], "init": "randn", "seed": 2},
        "mask": {"role": "target", "values": [[True, False]] * 3},
    },
    "dtype": "float64",
    "dims": {"x": ["example", "feature"]},
}
CHANGES = [
    [],
    [{"tensor": "x", "index": [1, 2], "value": 0.1}, {"descend": 0.3, "steps": 2}],
    [{"tensor": "h", "scale": 1.5}],
]


@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("walk", [OWN, {"lesson": "makemore-mlp"}], ids=["own", "lesson"])
def test_every_number_is_the_same(walk: Any, changes: Any) -> None:
    if walk is not OWN:
        changes = [change | ({"tensor": "W1"} if change.get("tensor") == "x" else {}) for change in changes]
    before = new_run(walk | {"changes": changes})
    request = backend.program(walk | {"changes": changes})["request"]
    assert not {"lesson", "seed", "changes"} & set(request)
    assert all(set(spec) == {"role", "values"} for spec in request["tensors"].values())
    after = new_run(request)
    assert after.plan.backward_source == before.plan.backward_source
    for name, tensor in before.forward.tensors.items():
        assert torch.equal(after.forward.tensors[name], tensor), name
    assert {name: list(axes) for name, axes in after.material.dims.items()} == {
        name: list(axes) for name, axes in before.material.dims.items()
    }


def test_what_is_not_finite_cannot_be_kept() -> None:
    with pytest.raises(Refusal) as caught:
        backend.program(LESSON | {"changes": [{"descend": 1e38, "steps": 3}]})
    assert caught.value.code == "program-not-finite"
