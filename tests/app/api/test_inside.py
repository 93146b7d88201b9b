"""What one may ask about the inside of a walk: differences, Jacobians, and windows into tensors."""

from typing import Any

import pytest

from tests.tools.server import Server

WALK: dict[str, Any] = {"lesson": "makemore-mlp"}
LARGE: dict[str, Any] = {
    "source": "y = torch.tanh(x)\nz = y * x\nloss = z.square().mean()",
    "tensors": {"x": {"role": "parameter", "shape": [1024, 1024], "init": "randn"}},
}
SLOW: dict[str, Any] = {
    "source": "h = x\nfor i in range(12):\n    h = torch.tanh(h @ x)\nloss = h.square().mean()",
    "tensors": {"x": {"role": "parameter", "shape": [700, 700], "init": "randn", "scale": 0.04}},
}
X: dict[str, Any] = {"x": {"role": "parameter", "values": [1.0, -2.0, 0.5]}}


def program(source: str) -> dict[str, Any]:
    return {"source": source, "tensors": X, "loss": "loss"}


def test_every_gradient_beside_central_differences(server: Server) -> None:
    answer = server.post("/api/numeric", {"walk": WALK, "node": "*"}).json()
    assert answer["agrees"]
    assert answer["relative_error"] < 1e-7
    assert len(answer["results"]) == 27
    assert set(answer) == {"mode", "results", "worst", "relative_error", "agrees", "skipped"}


def test_one_gradient_with_its_sweep(server: Server) -> None:
    answer = server.post("/api/numeric", {"walk": WALK, "node": "W1", "seed": 3}).json()
    assert (answer["node"], answer["mode"], answer["agrees"], answer["kink"]) == ("W1", "direction", True, None)
    assert len(answer["sweep"]) == 21


def test_some_cells(server: Server) -> None:
    cells = [[0, 0], [31, 63], [4, 5]]
    answer = server.post("/api/numeric", {"walk": WALK, "node": "h", "mode": "cells", "cells": cells}).json()
    assert [told["cell"] for told in answer["cells"]] == cells
    assert answer["cell"] in cells
    assert answer["agrees"]


def test_a_jacobian_of_one_example(server: Server) -> None:
    answer = server.post("/api/jacobian", {"walk": WALK, "node": "h", "input": "hpreact", "example": 3}).json()
    assert answer["structure"] == "diagonal"
    assert answer["jacobian"]["shape"] == "64, 64"
    assert answer["agrees"]


def test_what_lines_cost(server: Server) -> None:
    answer = server.post("/api/costs", {"walk": WALK, "again": ["h"]}).json()
    assert answer["again"] == ["h"]
    assert [one["code"] for one in answer["lines"] if one["direction"] == "again"][-1] == "h = torch.tanh(hpreact)"
    assert server.post("/api/costs", {"walk": WALK, "again": ["W1"]}).error["code"] == "again-given"
    assert server.post("/api/costs", {"walk": WALK, "again": ["nothing"]}).status == 422


def test_a_window(server: Server) -> None:
    body = {"walk": WALK, "tensor": "h", "which": "value", "window": [30, 40, 0, 5]}
    answer = server.post("/api/tensor", body).json()
    assert (answer["window"], answer["sheet"], answer["tensor"]["shape"]) == ([30, 32, 0, 5], [32, 64], "2, 5")


def test_a_step_downhill(server: Server) -> None:
    answer = server.post("/api/descent", {"walk": WALK, "rates": [0.1]}).json()
    assert len(answer["parameters"]) == 7
    assert answer["steps"][0]["loss"] < answer["loss"]


def test_the_loss_along_a_cell(server: Server) -> None:
    answer = server.post("/api/curve", {"walk": WALK, "tensor": "h", "index": [3, 7], "span": 0.5, "points": 5}).json()
    assert [round(value - answer["value"], 9) for value, _ in answer["points"]] == [-0.5, -0.25, 0, 0.25, 0.5]
    assert answer["points"][2][1] == answer["loss"]


WINDOW = {"tensor": "h", "which": "value", "window": [0, 1, 0, 1]}


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("numeric", {"node": "hh"}, "tensor-near"),
        ("numeric", {"node": "Xb"}, "gradient-none"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[0, 64]]}, "cell-outside"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[-1, 0]]}, "cell-outside"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[2**53, 0]]}, "cell-outside"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[]]}, "cell-outside"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[0, 0]] * 65}, "request-invalid"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[0] * 9]}, "request-invalid"),
        ("numeric", {"node": "h", "mode": "cells", "cells": []}, "request-invalid"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[0.0, 0]]}, "request-invalid"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[True, 0]]}, "request-invalid"),
        ("numeric", {"node": "h", "cells": [[0, 0]]}, "request-invalid"),
        ("numeric", {"node": "*", "mode": "cells"}, "request-invalid"),
        ("numeric", {"node": "h", "seed": -1}, "request-invalid"),
        ("numeric", {"node": "h", "seed": 2**63}, "request-invalid"),
        ("numeric", {"node": "h", "mode": "both"}, "request-invalid"),
        ("numeric", {"node": "h" * 101}, "request-invalid"),
        ("numeric", {"node": ""}, "request-invalid"),
        ("numeric", {"node": "h\u0000../../etc"}, "tensor-unknown"),
        ("numeric", {}, "request-invalid"),
        ("curve", {"tensor": "h", "index": [32, 0]}, "cell-outside"),
        ("curve", {"tensor": "h", "index": [0]}, "cell-outside"),
        ("curve", {"tensor": "Xb", "index": [0, 0]}, "gradient-none"),
        ("curve", {"tensor": "h", "index": [0, 0], "span": 0}, "request-invalid"),
        ("curve", {"tensor": "h", "index": [0, 0], "span": "1"}, "request-invalid"),
        ("curve", {"tensor": "h", "index": [0, 0], "points": 202}, "request-invalid"),
        ("curve", {"tensor": "h", "index": [0, 0], "within": {"least": 1, "greatest": 1}}, "request-invalid"),
        (
            "curve",
            {"tensor": "h", "index": [0, 0], "within": {"least": 0, "greatest": 1, "log": True}},
            "request-invalid",
        ),
        ("curve", {"tensor": "h", "index": [0, 0], "within": {"least": 0}}, "request-invalid"),
        ("curve", {"tensor": "h", "index": [0, 0], "within": {"least": 0, "greatest": "1"}}, "request-invalid"),
        ("descent", {}, "request-invalid"),
        ("descent", {"rates": []}, "request-invalid"),
        ("descent", {"rates": [0.1] * 33}, "request-invalid"),
        ("descent", {"rates": ["0.1"]}, "request-invalid"),
        ("descent", {"rates": [float("inf")]}, "request-invalid"),
        ("jacobian", {"node": "h", "input": "hprebn"}, "input-not-read"),
        ("jacobian", {"node": "emb", "input": "Xb"}, "input-whole-numbers"),
        ("jacobian", {"node": "probs", "input": "counts"}, "jacobian-too-large"),
        ("jacobian", {"node": "probs", "input": "counts", "example": 32}, "example-unknown"),
        ("jacobian", {"node": "probs", "input": "counts", "example": -1}, "example-unknown"),
        ("jacobian", {"node": "probs", "input": "counts", "example": 2**53}, "example-unknown"),
        ("jacobian", {"node": "probs", "input": "counts", "example": "3"}, "request-invalid"),
        ("jacobian", {"node": "probs"}, "request-invalid"),
        ("jacobian", {"node": "probs", "input": "counts", "cell": [0, 0], "along": [0, 1]}, "jacobian-along"),
        ("jacobian", {"node": "probs", "input": "counts", "cell": [0, 0], "along": [0]}, "request-invalid"),
        ("tensor", WINDOW | {"window": [0, 0, 0, 1]}, "window-empty"),
        ("tensor", WINDOW | {"window": [0, 1, 0]}, "request-invalid"),
        ("tensor", WINDOW | {"window": [0, 1, 0, 2**60]}, "request-invalid"),
        ("tensor", WINDOW | {"step": 3}, "request-invalid"),
        ("tensor", WINDOW | {"which": "contribution"}, "request-invalid"),
        ("tensor", WINDOW | {"which": "picture"}, "request-invalid"),
        ("tensor", WINDOW | {"which": "contribution", "step": 3}, "step-other"),
        ("tensor", WINDOW | {"tensor": "Yb", "which": "manual"}, "gradient-none"),
        ("tensor", WINDOW | {"page": 3}, "request-invalid"),
    ],
)
def test_what_is_refused(server: Server, path: str, body: dict[str, Any], code: str) -> None:
    reply = server.post(f"/api/{path}", {"walk": WALK, **body})
    assert (reply.status, reply.error["code"]) == (422, code)


@pytest.mark.parametrize(
    ("path", "body"),
    [("numeric", {"node": "x"}), ("jacobian", {"node": "y", "input": "x"}), ("tensor", WINDOW | {"tensor": "y"})],
)
@pytest.mark.parametrize(
    ("walk", "status", "code"),
    [
        ({"lesson": "no-such-lesson"}, 404, "lesson-unknown"),
        (program("y = x *"), 422, "syntax"),
        (program("import os"), 422, "import"),
        (program("y = x * 2"), 422, "loss-unknown"),
        ({"lesson": 3}, 422, "request-invalid"),
    ],
)
def test_a_walk_that_is_refused(
    server: Server, path: str, body: dict[str, Any], walk: dict[str, Any], status: int, code: str
) -> None:
    reply = server.post(f"/api/{path}", {"walk": walk, **body})
    assert (reply.status, reply.error["code"]) == (status, code)


def test_a_walk_full_of_nan(server: Server) -> None:
    walk = program("y = x.sqrt()\nloss = y.sum()")
    assert server.post("/api/numeric", {"walk": walk, "node": "*"}).error["code"] == "loss-not-finite"
    answer = server.post("/api/jacobian", {"walk": walk, "node": "y", "input": "x"})
    assert (answer.status, answer.json()["structure"]) == (200, "not finite")
    window = {"walk": walk, "tensor": "y", "which": "manual", "window": [0, 9, 0, 9]}
    assert server.post("/api/tensor", window).status == 200


def test_infinite_slopes_travel_as_words(server: Server) -> None:
    walk = program("y = (x - x.detach()).abs().sqrt()\nloss = y.sum() + x.sum()")
    reply = server.post("/api/numeric", {"walk": walk, "node": "x", "mode": "cells", "cells": [[0]]})
    assert reply.status == 200
    assert reply.json()["kink"] == {"left": "-Infinity", "right": "Infinity"}


def test_large_tensors(server: Server) -> None:
    """2**20 cells: windows, Jacobians refused before they are computed, differences in time."""
    window = {"walk": LARGE, "tensor": "x", "which": "manual", "window": [100, 140, 200, 240]}
    assert server.post("/api/tensor", window).status == 200
    replies = [server.post("/api/tensor", window | {"window": [row, row + 64, 0, 64]}) for row in range(8)]
    assert {reply.status for reply in replies} == {200}
    whole = server.post("/api/tensor", window | {"window": [0, 1024, 0, 1024]}).json()
    assert whole["tensor"]["pooled"]["block"]
    for example in ({}, {"example": 3}):
        reply = server.post("/api/jacobian", {"walk": LARGE, "node": "y", "input": "x"} | example)
        assert reply.error["code"] == "jacobian-too-large"
    answer = server.post("/api/numeric", {"walk": LARGE, "node": "*"})
    assert answer.status == 200 or answer.error["code"] in ("numeric-too-slow", "too-slow")


def test_a_program_too_slow_to_be_run_again(server: Server) -> None:
    """One run is in time, two dozen are not: an answer in part, or a refusal for time or memory, and never a 500."""
    for node in ("x", "*"):
        reply = server.post("/api/numeric", {"walk": SLOW, "node": node})
        assert reply.status in (200, 422, 504)
        if reply.status == 200:
            assert reply.json()["agrees"]
        else:
            assert reply.error["code"] in ("numeric-too-slow", "too-slow", "memory")
    assert server.post("/api/numeric", {"walk": WALK, "node": "loss"}).status == 200


def test_pieces_of_a_walk(server: Server) -> None:
    """What is offered at its steps, and the one that collapses."""
    offers = {(one["kind"], one["tensor"]): one for one in server.post("/api/pieces", {"walk": WALK}).json()["pieces"]}
    assert {("derivation", "logits"), ("derivation", "hprebn")} <= set(offers)
    made = server.post("/api/derivation", {"walk": WALK, "tensor": "logits"}).json()
    assert made["steps"] == offers["derivation", "logits"]["steps"]
    assert made["stages"][-1]["code"] == "dlogits = (probs - F.one_hot(Yb, 27)) / n"
    refused = {"h": "derivation-none", "hh": "derivation-none", "": "request-invalid", 3: "request-invalid"}
    for tensor, code in refused.items():
        assert server.post("/api/derivation", {"walk": WALK, "tensor": tensor}).error["code"] == code
