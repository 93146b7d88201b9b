"""Where NaN or infinity began: the first line that gave one, and the cell."""

from __future__ import annotations

import json
from typing import Any

import pytest

import backend
from tests.support import makemore
from tests.support.verdicts import walked


@pytest.mark.parametrize(
    ("source", "name", "of", "origin"),
    [
        ("p = x.log()\nloss = p.sum()", "loss", "value", ("p", "value", [0, 0], 1, "NaN")),
        ("p = x.log()\nloss = p.sum()", "p", "value", ("p", "value", [0, 0], 1, "NaN")),
        (
            "h = x * 1\np = 1 / (h - 2)\nq = p * h\nloss = q.sum()",
            "h",
            "gradient",
            ("p", "value", [0, 1], 2, "Infinity"),
        ),
        ("h = x.relu()\np = h.sqrt()\nloss = p.sum()", "h", "gradient", ("h", "gradient", [0, 0], 3, "Infinity")),
        ("h = (x - 2)**2\np = h.sqrt()\nloss = p.sum()", "x", "gradient", ("h", "gradient", [0, 1], 3, "Infinity")),
    ],
)
def test_where_it_began(source: Any, name: Any, of: Any, origin: Any) -> None:
    document, nodes = walked(source)
    node = nodes[name]
    found = node["not_finite"] if of == "value" else node["gradient"]["not_finite"]
    assert (found["tensor"], found["which"], found["cell"], found["line"], found["number"]) == origin
    step = document["steps"][found["step"]]
    assert (step["node"], step["code"], step["line"]) == (found["tensor"], found["code"], found["line"])
    values = nodes[origin[0]]["value"] if origin[1] == "value" else step["contribution"]
    for i in found["cell"]:
        values = values[i]
    assert values == found["number"]
    if of == "gradient":
        assert node["gradient"]["verdict"]["level"] == "not-finite"
        assert f"line {found['line']}" in node["gradient"]["verdict"]["because"]


def test_what_is_finite_has_no_such_place() -> None:
    document = json.loads(backend.walk(makemore.LESSON))
    for node in document["nodes"]:
        assert node["not_finite"] is None
        assert node["gradient"] is None or node["gradient"]["not_finite"] is None
    assert document["summary"]["not_finite"] == 0


def test_a_wrong_gradient_says_as_well_where_it_stopped_being_finite() -> None:
    """A mask further back makes 0 · ∞ of what autograd does not multiply at all."""
    _, nodes = walked("h = x.relu()\np = (h + h).sqrt()\nloss = p.sum()")
    gradient = nodes["x"]["gradient"]
    assert (gradient["verdict"]["level"], gradient["autograd"][0][0]) == ("wrong", 0.0)
    assert gradient["verdict"]["because"].endswith("The first infinity is in `dh_sum[0, 0]`, backward line 3.")


def test_the_summary_counts_what_is_not_finite() -> None:
    document, _ = walked("h = (x - 2)**2\np = h.sqrt()\nloss = p.sum()")
    summary = document["summary"]
    assert (summary["gradients"], summary["not_finite"], summary["exact"], summary["wrong"]) == (3, 2, 1, 0)
