"""What POST /api/walk accepts: strict types, finite numbers, either a lesson or a program."""

import json
from typing import Any

import pytest

from tests.tools.server import JSON, Server

TENSORS = {"x": {"role": "parameter", "values": 2.0}}
PROGRAM: dict[str, Any] = {"source": "y = x * 3\nz = y + 1", "tensors": TENSORS}


def tensor(**fields: Any) -> dict[str, Any]:
    return {"source": "y = x.sum()", "tensors": {"x": {"role": "data", **fields}}}


def typed(dtype: Any, shape: Any, bdata: Any) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "bdata": bdata}


def changing(*changes: Any) -> dict[str, Any]:
    return {**PROGRAM, "changes": list(changes)}


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 1.0


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"lesson": 1}, "lesson: must be a text"),
        ({"lesson": "makemore-mlp", "seed": False}, "seed: must be an integer"),
        ({"lesson": "makemore-mlp", "seed": "1"}, "seed: must be an integer"),
        ({"lesson": "makemore-mlp", "seed": 1.0}, "seed: must be an integer"),
        ({"lesson": "makemore-mlp", "seed": -1}, "seed: must be at least 0"),
        ({"lesson": "makemore-mlp", "seed": 2**63}, "seed: must be at most"),
        ({"lesson": "makemore-mlp", "exact": 1}, "exact: must be true or false"),
        ({"lesson": "makemore-mlp", "extra": 1}, "extra: there is no such field"),
        ({"lesson": "makemore-mlp", "source": "y = 1"}, "the body: a lesson brings its own program"),
        ({"tensors": {}}, "the body: give a `lesson` or a `source`"),
        (PROGRAM | {"as_written": [[1]]}, "as_written.0: needs 2 or more entries"),
        (PROGRAM | {"as_written": [[1, -1]]}, "as_written.0.1: must be at least 0"),
        (PROGRAM | {"as_written": [[1, 1]] * 201}, "as_written: may have at most 200 entries"),
        (PROGRAM | {"seed": 1}, "the body: `seed` goes with a lesson"),
        (changing({"tensor": "x"}), "changes.0: give one of `value`, `scale`, `shift`, `noise`, `saturate` and"),
        (changing({"tensor": "x", "value": 1, "scale": 2}), "changes.0: give one of"),
        (changing({"scale": 2}), "changes.0: `scale` needs a `tensor`"),
        (changing({"descend": 0.1, "tensor": "x"}), "changes.0: `descend` goes without tensor"),
        (changing({"descend": 0.1, "steps": 0}), "changes.0.steps: must be at least 1"),
        (changing({"descend": 0.1, "steps": 101}), "changes.0.steps: must be at most 100"),
        (changing({"tensor": "x", "value": 1, "steps": 2}), "changes.0: `value` goes without steps"),
        (changing({"tensor": "x", "value": float("nan")}), "changes.0.value: must be finite"),
        (changing({"tensor": "x", "value": True}), "changes.0.value: must be a number"),
        (changing({"tensor": "x", "index": [-1], "value": 1}), "changes.0.index.0: must be at least 0"),
        (changing({"tensor": "x", "index": [[3, 3]], "value": 1}), "changes.0.index.0: a range has two ends"),
        (changing({"tensor": "x", "index": [[0, 1, 2]], "value": 1}), "changes.0.index.0: a range has two ends"),
        (changing({"tensor": "x", "index": [[-1, 2]], "value": 1}), "changes.0.index.0: must be at least 0"),
        (changing({"tensor": "x", "index": ["0:2"], "value": 1}), "changes.0.index.0: must hold whole numbers"),
        (changing({"tensor": "x", "saturate": -1}), "changes.0.saturate: must be at least 0"),
        (changing({"tensor": "x", "shift": 1, "seed": 2}), "changes.0: `shift` goes without seed"),
        (changing(*[{"tensor": "x", "scale": 2}] * 65), "changes: may have at most 64"),
        (PROGRAM | {"only": []}, "only: needs 1 or more entries"),
        (PROGRAM | {"only": "x"}, "only: must be a list"),
        (PROGRAM | {"dtype": "float16"}, "dtype: must be one of"),
        (PROGRAM | {"constants": {"n": True}}, "constants.n: must be a number"),
        (PROGRAM | {"constants": {"n": 2**53 + 1}}, "constants.n: must lie within"),
        (PROGRAM | {"constants": {"n": float("inf")}}, "constants.n: must be finite"),
        (PROGRAM | {"dims": {"x": "example"}}, "dims.x: must be a list"),
        (PROGRAM | {"dims": {"x": ["\ud800"]}}, "dims.x.0: must be printable text"),
        (PROGRAM | {"dims": {"x": ["a" * 65]}}, "dims.x.0: may have at most 64 characters"),
        (PROGRAM | {"dims": {"x": ["a"] * 9}}, "dims.x: may have at most 8 entries"),
        (tensor(), "tensors.x: give `values`, or `shape` and `init`"),
        (tensor(shape=[2]), "tensors.x: give `values`, or `shape` and `init`"),
        (tensor(values=[1.0], shape=[1]), "tensors.x: `values` stands alone: leave out shape"),
        (tensor(shape=[2], init="randint"), "tensors.x: `high` goes with"),
        (tensor(shape=[2], init="randint", high=0), "tensors.x: `high` must be more than `low`"),
        (tensor(shape=[2], init="randint", low=5, high=5), "tensors.x: `high` must be more than `low`"),
        (tensor(shape=[2], init="normal"), "tensors.x.init: must be one of"),
        (tensor(shape=[-1], init="zeros"), "tensors.x.shape.0: must be at least 0"),
        (tensor(shape=[1] * 9, init="zeros"), "tensors.x.shape: may have at most 8"),
        (tensor(shape=[2.0], init="zeros"), "tensors.x.shape.0: must be an integer"),
        (tensor(shape=[2], init="zeros", scale=float("nan")), "tensors.x.scale: must be finite"),
        (tensor(values=[1, float("nan")]), "tensors.x.values: must be finite"),
        (tensor(values=[1, True]), "tensors.x.values: must be a number"),
        (tensor(values=[1, None]), "tensors.x.values: must be a number"),
        (tensor(values=["1"]), "tensors.x.values: must be a number"),
        (tensor(values=[[1, 2], [3]]), "tensors.x.values: the rows of nested lists must be equally long"),
        (tensor(values=[[1, 2], 3]), "tensors.x.values: the rows of nested lists must be equally long"),
        (tensor(values=["inf"]), "tensors.x.values: must be a number"),
        (tensor(values=["NaN"]), "tensors.x.values: must be a number"),
        (tensor(values=[[], [1]]), "tensors.x.values: the rows of nested lists must be equally long"),
        (tensor(values=typed("f4", "2", "AACAPw")), "tensors.x.values: `bdata` must be base64"),
        (tensor(values=typed("f4", "2", "AACAPw==")), "tensors.x.values: `bdata` must hold the 8 bytes"),
        (tensor(values=typed("f4", "1", 1)), "tensors.x.values: `bdata` must hold the 4 bytes"),
        (tensor(values=typed("f4", "1", "é")), "tensors.x.values: `bdata` must be base64"),
        (tensor(values=typed("f4", "1", "AADAfw==")), "tensors.x.values: `bdata` holds NaN"),
        (tensor(values=typed("u1", "1", "Ag==")), "tensors.x.values: cells of u1 are truth values"),
        (tensor(values=typed("i8", "1", "AACAPw==")), "tensors.x.values: `dtype` must be f4, f8, i4 or u1"),
        (tensor(values=typed(["f4"], "1", "AACAPw==")), "tensors.x.values: `dtype` must be"),
        (tensor(values=typed("f4", [1], "AACAPw==")), "tensors.x.values: `shape` must be a text of sizes"),
        (tensor(values=typed("f4", "1,1", "AACAPw==")), "tensors.x.values: `shape` must be a text of sizes"),
        (tensor(values=typed("f4", ", ".join("1" * 9), "AACAPw==")), "tensors.x.values: a tensor has at most 8 axes"),
        (tensor(values=typed("f4", "1048577", "")), "tensors.x.values: a tensor has at most 1,048,576 cells"),
        (tensor(values=typed("f4", "9999999, " * 7 + "9999999", "")), "tensors.x.values: a tensor has at most"),
        (tensor(values=typed("f4", "1", "AACAPw==") | {"pooled": {}}), "tensors.x.values: a typed array has"),
        (tensor(values={"dtype": "f4"}), "tensors.x.values: a typed array has"),
        (tensor(values=nested(9)), "tensors.x.values: a tensor has at most 8 axes"),
        (tensor(values=nested(200)), "tensors.x.values: a tensor has at most 8 axes"),
        (tensor(role="bias", values=1.0), "tensors.x.role: must be one of"),
    ],
)
def test_what_is_refused(server: Server, body: dict[str, Any], where: str) -> None:
    reply = server.post("/api/walk", body)
    assert (reply.status, reply.error["code"]) == (422, "request-invalid")
    assert reply.error["message"].startswith(where)
    assert len(reply.error["hint"]) > 10
    assert "{ge}" not in reply.error["hint"]
    assert "where" not in reply.error


def test_a_number_too_large_to_be_finite(server: Server) -> None:
    body = b'{"source": "y = x * 1", "tensors": {"x": {"role": "data", "values": 1e999}}}'
    assert server.ask("POST", "/api/walk", body, JSON).error["message"] == "tensors.x.values: must be finite."


def test_several_mistakes_are_all_named(server: Server) -> None:
    error = server.post("/api/walk", {"lesson": 1, "seed": "2", "exact": 3}).error
    assert "seed" in error["hint"]
    assert "exact" in error["hint"]


@pytest.mark.parametrize(
    "body",
    [
        PROGRAM,
        PROGRAM | {"exact": True, "loss": "z", "dtype": "float64", "constants": {}, "seed": None},
        tensor(values=nested(8)),
        tensor(values=[]),
        tensor(values=[[], []]),
        tensor(values=["Infinity", 1, -2.5]) | {"source": "y = torch.exp(-x).sum()"},
        tensor(values=typed("f4", "", "AACAPw==")),
        tensor(values=typed("f4", "0, 3", "")),
        tensor(shape=[2, 3], init="randn", seed=1, scale=2, shift=-1.5),
    ],
)
def test_what_is_accepted(server: Server, body: dict[str, Any]) -> None:
    reply = server.post("/api/walk", body)
    assert reply.status == 200, reply.body
    assert reply.headers["content-type"] == "application/json"
    assert reply.json()["schema"] == 1


def test_truth_values_make_a_mask(server: Server) -> None:
    """As whole numbers they would pick rows."""
    body = tensor(values=[3.0, 5.0, 7.0]) | {"source": "z = x[m].sum()"}
    body["tensors"]["m"] = {"role": "data", "values": [True, False, True]}
    walk = server.post("/api/walk?arrays=lists", body).json()
    assert walk["loss"]["value"] == 10.0
    (node,) = [node for node in walk["nodes"] if node["name"] == "x"]
    assert node["gradient"]["manual"] == [1.0, 0.0, 1.0]


def test_arrays_are_taken_as_they_are_answered(server: Server) -> None:
    """Decimals, whole numbers and truth values, sent back as the answer has them: the very same walk."""
    body: dict[str, Any] = {
        "source": "h = x[i] * w\nloss = h.masked_fill(m, 0.0).sum()",
        "tensors": {
            "x": {"role": "data", "shape": [4, 3], "init": "randn", "seed": 1},
            "i": {"role": "data", "values": [0, 3, 3]},
            "w": {"role": "parameter", "values": [[0.1], [float(2**30)], [-3.5]]},
            "m": {"role": "constant", "values": [[True, False, True]] * 3},
        },
    }
    walk = server.post("/api/walk", body).json()
    values = {node["name"]: node["value"] for node in walk["nodes"]}
    tensors = {name: {"role": spec["role"], "values": values[name]} for name, spec in body["tensors"].items()}
    again = server.post("/api/walk", body | {"tensors": tensors}).json()
    for one in (walk, again):
        del one["summary"]["milliseconds"], one["id"]
    assert again == walk


def test_the_same_request_gives_the_same_walk(server: Server) -> None:
    first, second = (server.post("/api/walk", {"lesson": "makemore-mlp", "seed": 7}).json() for _ in range(2))
    for walk in (first, second):
        del walk["summary"]["milliseconds"]
    assert first == second


def test_arrays_as_lists(server: Server) -> None:
    walk = server.post("/api/walk?arrays=lists", tensor(values=[[1.0, 2.0]])).json()
    assert {node["name"]: node["value"] for node in walk["nodes"]}["x"] == [[1.0, 2.0]]
    assert "bdata" not in json.dumps(walk)


def test_the_description_of_the_interface_lists_it(server: Server) -> None:
    paths = server.get("/api/openapi.json").json()["paths"]
    assert {"/api/walk", "/api/lessons", "/api/lessons/{name}", "/api/ops", "/healthz", "/readyz"} <= set(paths)
    assert server.get("/docs").status == 404


def test_changes_come_before_the_walk(server: Server) -> None:
    walk = server.post("/api/walk?arrays=lists", changing({"tensor": "y", "value": 10})).json()
    assert walk["loss"] == {"name": "z", "value": 11.0}
    assert {node["name"]: node["role"] for node in walk["nodes"]}["y"] == "data"
    assert [step["node"] for step in walk["steps"] if step["direction"] == "backward"] == ["z", "y"]


def test_only_some_tensors_are_a_small_answer_about_the_same_walk(server: Server) -> None:
    whole = server.post("/api/walk?arrays=lists", PROGRAM).json()
    some = server.post("/api/walk?arrays=lists", PROGRAM | {"only": ["y", "dx"]}).json()
    assert some == {"id": whole["id"], "loss": whole["loss"], "tensors": {"y": 6.0, "dx": 3.0}}
    refusal = server.post("/api/walk", PROGRAM | {"only": ["dyy"]})
    assert (refusal.status, refusal.json()["error"]["code"]) == (422, "tensor-near")
