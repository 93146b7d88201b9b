"""Every real Walk has exactly the fields and types that backend/present/schema.py says, and no field is always empty."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import backend
from backend.present import schema
from tests.support.asking import whole
from tests.support.programs import PATHS, load, some
from tests.support.schema_check import faults

X = {"role": "parameter", "values": [[-1.0, 2.0], [3.0, 4.0]]}
ODD = {
    "not finite": {"source": "p = x.log()\nq = (x * 0.0).sqrt()\nloss = p.sum() + q.sum()", "tensors": {"x": X}},
    "no path": {
        "source": "d = x.detach()\nk = x > 0\nz = x * 1.0\nloss = (x * d * k * t).sum()",
        "tensors": {"x": X, "t": {"role": "target", "values": 2.0}},
    },
    "large": {
        "source": "h = x @ W\nloss = h.mean()",
        "tensors": {
            "x": {"role": "data", "shape": [300, 400], "init": "randn"},
            "W": {"role": "parameter", "shape": [400, 300], "init": "randn"},
        },
    },
    "second name": {"source": "y = x * 3\nz = y\nloss = (z * z).sum()", "tensors": {"x": X}},
    "float64": {"source": "y = x * 3\nloss = y.sum()", "tensors": {"x": X}, "dtype": "float64"},
}
KEPT = {path.stem: load(path) for path in PATHS}
REQUESTS: dict[str, dict[str, Any]] = {
    **{lesson["name"]: {"lesson": lesson["name"]} for lesson in backend.lessons() if lesson["seed"]},
    **{f"start-{start['name']}": start["request"] for start in backend.starts()},
    **KEPT,
    **ODD,
}


@pytest.mark.parametrize("name", [*[name for name in REQUESTS if name not in KEPT], *some(list(KEPT), 8)])
def test_a_walk_is_what_its_types_say(name: str) -> None:
    for document in (json.loads(backend.walk(REQUESTS[name])), whole(REQUESTS[name])):
        assert faults(document, schema.WalkDocument) == []
    for node in document["nodes"]:
        assert (node["gradient"] is None) != (node["no_gradient"] is None), node["name"]


WALK = whole(REQUESTS["makemore-mlp"])


def planted(change: Any) -> list[str]:
    document = copy.deepcopy(WALK)
    change(document)
    return faults(document, schema.WalkDocument)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda walk: walk.update(extra=1), "no extra in WalkDocument"),
        (lambda walk: walk["summary"].pop("zero"), "summary: zero is missing"),
        (lambda walk: walk["nodes"][0].update(name=None), "name: None"),
        (lambda walk: walk["nodes"][0].update(shape=[True]), "shape[0]: True"),
        (lambda walk: walk["nodes"][0]["gradient"]["verdict"].update(maxdiff=0), "maxdiff: 0"),
        (lambda walk: walk["nodes"][0]["gradient"]["verdict"].update(level="good"), "level: 'good'"),
        (lambda walk: walk["steps"][-1].update(mode="-="), "mode: '-='"),
        (lambda walk: walk["steps"][-1]["picture"]["axes"].append({}), "picture.axes"),
        (lambda walk: walk["groups"][0]["nodes"].append(1), "nodes["),
    ],
)
def test_what_is_not_so_is_found(change: Any, said: str) -> None:
    assert any(said in fault for fault in planted(change)), planted(change)


def test_no_field_is_always_empty() -> None:
    """A field that is None, "", [] or {} in every walk there is would be dead weight."""
    mistaken = {"lesson": "makemore-mlp", "plant": {"step": 24, "mistake": "keepdim"}}
    named = (REQUESTS[name] for name in (*ODD, "makemore-mlp", "start-attention", "distillation"))
    walks = [whole(request) for request in (*named, mistaken)]
    walks.append(json.loads(backend.walk(REQUESTS["makemore-mlp"] | {"arrays": "lists"})))
    seen: dict[str, set[str]] = {}

    def look(value: Any, kind: str) -> None:
        if isinstance(value, dict):
            for key, part in value.items():
                seen.setdefault(f"{kind}.{key}", set()).update({"filled"} if part not in (None, "", [], {}) else set())
                look(part, key)
        for part in value if isinstance(value, list) else ():
            look(part, kind)

    for walk in walks:
        look(walk, "walk")
    assert {name for name, found in seen.items() if not found} == set()
