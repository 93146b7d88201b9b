"""A loop, index_add and a one-hot product give the walk's own gradient; a plain assignment would not."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.inspect.pieces import three_ways as module
from backend.inspect.pieces.three_ways import picks, ran, three_ways, three_ways_offers
from backend.pipeline import new_run

MAKEMORE = {"lesson": "makemore-mlp"}


def program(source: str, **tensors: Any) -> dict[str, Any]:
    table = {"role": "parameter", "shape": [5, 3], "init": "randn", "seed": 1}
    places = {"role": "target", "values": [4, 0, 4, 4]}
    return {"source": source, "tensors": {"C": table, "i": places} | tensors}


WALKS = [
    MAKEMORE,
    program("e = C[i]\nloss = (e**3).sum()"),
    program("e = F.embedding(i, C)\nloss = (e**3).mean()"),
    program("e = C.index_select(0, i)\nloss = (e**2).sum()"),
    program("e = C[i]\nf = (C**2).sum()\nloss = (e**3).sum() + f"),
    program("e = C[i]\nloss = (e**3).sum()") | {"dtype": "float64"},
    program("e = C[i]\nloss = (e**3).sum()", i={"role": "target", "values": [[4, 0], [2, 2]]}),
]


@pytest.mark.parametrize("walk", WALKS)
def test_three_ways_agree_with_the_walk(walk: dict[str, Any]) -> None:
    told: Any = three_ways({"walk": walk, "tensor": "C"})
    assert [way["name"] for way in told["ways"]] == ["a loop", "index_add", "one-hot product"]
    for way in told["ways"]:
        assert way["check"]["level"] in ("exact", "approximate"), way["code"]
        assert way["check"]["share64"] < 1e-14
    run = new_run(walk)
    table = run.forward.tensors["C"]
    assert len(told["places"]) == run.forward.tensors[picks(run)[0].parameters["index"].variable].numel()
    assert min(told["places"]) >= 0
    assert max(told["places"]) < len(table)
    assert [offer["tensor"] for offer in three_ways_offers(run)] == ["C"]


def test_what_is_said_counts_rows() -> None:
    told: Any = three_ways({"walk": WALKS[1], "tensor": "C"})
    assert told["text"] == "Row 4 of `C` was picked 3 times: 3 rows add up in it. 3 rows were never picked: zero."
    once = program("e = C[i]\nloss = e.sum()", i={"role": "target", "values": [0, 1, 2, 3]})
    assert three_ways({"walk": once, "tensor": "C"})["text"].startswith("Each row of `C` was picked once at most")


def test_a_plain_assignment_keeps_only_the_last_row() -> None:
    run = new_run(WALKS[1])
    wrong = ran("dC = torch.zeros_like(C)\ndC[i] = de", "dC", run.forward, run.gradients, torch.float32)
    assert not torch.allclose(wrong, run.gradients["dC"])


@pytest.mark.parametrize(("right", "wrong"), [("] += ", "] = "), (", de)", ", 0 * de)"), ("@ de", "@ (2 * de)")])
def test_a_mistake_in_a_way_is_seen(monkeypatch: pytest.MonkeyPatch, right: str, wrong: str) -> None:
    written = module.ways_as_code

    def planted(*args: Any) -> list[tuple[str, str, str]]:
        return [(name, code.replace(right, wrong), text) for name, code, text in written(*args)]

    monkeypatch.setattr(module, "ways_as_code", planted)
    told: Any = three_ways({"walk": WALKS[1], "tensor": "C"})
    assert [way["check"]["level"] for way in told["ways"]].count("wrong") == 1


@pytest.mark.parametrize(
    "source",
    [
        "e = C[2:4]\nloss = e.sum()",
        "e = C[i - 4]\nloss = e.sum()",
        "e = C[range(4), i - 2]\nloss = e.sum()",
        "e = C[C[:, 0] > 0]\nloss = e.sum()",
    ],
)
def test_other_indices_are_no_table(source: str) -> None:
    tensors = {"i": {"role": "target", "values": [4, 2, 4, 4]}}
    with pytest.raises(Refusal) as refused:
        three_ways({"walk": program(source, **tensors), "tensor": "C"})
    assert refused.value.code == "threeways-none"
