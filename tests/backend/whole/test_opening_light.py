"""The light of the opening, held against plain PyTorch: how bright each gradient is, where it splits and where it joins."""

from __future__ import annotations

import ast
import json
import math
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from backend import walk
from backend.program.lessons.makemore_mlp import LESSON, SOURCE
from tests.support.plain_makemore import by_autograd
from tests.tools.node import find

LIGHT = Path(__file__).parents[2] / "js" / "light.js"
RANGE = 1e4  # the least that is seen, as a share of the largest
SAME = 2e-3


@pytest.fixture(scope="module")
def light() -> dict[str, list[dict[str, Any]]]:
    node = find()
    if node is None:
        pytest.skip("Node is not there")
    given = walk({"lesson": "makemore-mlp"})
    done = subprocess.run([node, str(LIGHT)], input=given, capture_output=True, text=isinstance(given, str), check=True)
    found: dict[str, list[dict[str, Any]]] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def norms() -> dict[str, float]:
    """The norm of every gradient by autograd, of a program that is written once more."""
    return {name: float(one.grad.norm()) for name, one in by_autograd().items() if one.grad is not None}


def read() -> list[tuple[str, str]]:
    """Which name each line reads, by Python's own parser: (what is read, what is made)."""
    lines = [one for one in ast.parse(SOURCE).body if isinstance(one, ast.Assign)]
    made = {line: line.targets[0].id for line in lines if isinstance(line.targets[0], ast.Name)}
    known = {*made.values(), *LESSON.dims}
    found = {(node.id, made[line]): None for line in lines for node in ast.walk(line.value)
             if isinstance(node, ast.Name) and node.id in known and node.id != made[line]}  # fmt: skip
    return list(found)


def test_each_tensor_is_as_bright_as_its_gradient_is_large(light: Any, norms: dict[str, float]) -> None:
    largest = max(norms.values())
    shown = {one["name"]: one["light"] for one in light["tiles"] if one["name"] in norms}
    assert set(shown) == set(norms)
    for name, bright in shown.items():
        expected = max(0.0, 1 + math.log(norms[name] / largest, RANGE)) if norms[name] else 0.0
        assert bright == pytest.approx(expected, abs=SAME), name
    order = sorted(norms, key=lambda name: norms[name])
    assert all(shown[one] <= shown[other] + SAME for one, other in pairwise(order))
    assert {name for name, bright in shown.items() if bright == 0} == {"b1", "logit_maxes"}


def test_it_splits_and_joins_where_the_program_reads_twice(light: Any) -> None:
    links = [(one["from"], one["to"]) for one in light["links"]]
    assert sorted(links) == sorted(read())
    lit = [(one["from"], one["to"]) for one in light["links"] if one["light"]]
    assert set(links) - set(lit) == {("Xb", "emb"), ("Yb", "loss"), ("b1", "hprebn")} | {
        ("logits", "logit_maxes"),
        ("logit_maxes", "norm_logits"),
    }
    joins = {name for name, _ in links if sum(one == name for one, _ in links) > 1}
    assert joins == {"hprebn", "bndiff", "logits", "counts"}


def test_what_is_passed_by_a_longer_link_stands_beside_the_way(light: Any) -> None:
    lanes = {one["name"]: one["lane"] for one in light["tiles"]}
    assert {name for name, lane in lanes.items() if lane == "branch"} == {
        *("bnmeani", "bndiff2", "bnvar", "bnvar_inv", "logit_maxes", "counts_sum", "counts_sum_inv")
    }
    assert {name for name, lane in lanes.items() if lane == "parameter"} == set(LESSON.dims) - {"Xb", "Yb"}
    columns = {one["name"]: one["column"] for one in light["tiles"]}
    assert all(columns[one] < columns[other] or one in LESSON.dims for one, other in read())


def test_each_sentence_stays_as_long_as_it_takes_to_read_and_all_of_them_half_a_minute(light: Any) -> None:
    moments = light["moments"]
    assert len(moments) == 10
    for one in moments:
        words = [word for word in one["says"].split() if any(c.isalnum() for c in word)]
        assert 0.25 * len(words) <= one["seconds"], one["says"]
        assert len(words) <= 20, one["says"]
    assert 25 <= sum(one["seconds"] for one in moments) <= 37
    assert "untrained" in moments[0]["says"]
    assert "next letter" in moments[0]["says"]


def test_nothing_hangs_in_the_air_while_a_sentence_is_read(light: Any) -> None:
    columns = {one["name"]: one["column"] for one in light["tiles"]}
    assert [one["name"] for one in light["rests"]][-4:] == [
        *("Back", "Through tanh", "To the parameters", "A step downhill")
    ]
    under_way = [
        (rest["name"], one["from"], one["to"])
        for rest in light["rests"]
        for one in light["links"]
        for wave in (rest["front"], rest["back"])
        if columns[one["from"]] < wave < columns[one["to"]]
    ]
    assert under_way == []
