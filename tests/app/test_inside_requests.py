"""What one may ask about the inside of a walk: differences, Jacobians, and windows into tensors."""

from typing import Any

import pytest

from tests.tools.server import Server

WALK: dict[str, Any] = {"lesson": "makemore-mlp"}


def test_every_gradient_beside_central_differences(server: Server) -> None:
    answer = server.post("/api/numeric", {"walk": WALK, "node": "*"}).json()
    assert answer["agrees"]
    assert answer["relative_error"] < 1e-7
    assert len(answer["results"]) == 27


def test_a_jacobian_of_one_example(server: Server) -> None:
    answer = server.post("/api/jacobian", {"walk": WALK, "node": "h", "input": "hpreact", "example": 3}).json()
    assert answer["structure"] == "diagonal"
    assert answer["jacobian"]["shape"] == "64, 64"
    assert answer["agrees"]


def test_a_window(server: Server) -> None:
    body = {"walk": WALK, "tensor": "h", "which": "value", "window": [30, 40, 0, 5]}
    answer = server.post("/api/tensor", body).json()
    assert (answer["window"], answer["sheet"], answer["tensor"]["shape"]) == ([30, 32, 0, 5], [32, 64], "2, 5")


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("numeric", {"node": "hh"}, "tensor-near"),
        ("numeric", {"node": "Xb"}, "gradient-none"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[0, 64]]}, "cell-outside"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[-1, 0]]}, "cell-outside"),
        ("numeric", {"node": "h", "mode": "cells", "cells": [[0, 0]] * 65}, "request-invalid"),
        ("numeric", {"node": "h", "cells": [[0, 0]]}, "request-invalid"),
        ("numeric", {"node": "*", "mode": "cells"}, "request-invalid"),
        ("jacobian", {"node": "h", "input": "hprebn"}, "input-not-read"),
        ("jacobian", {"node": "emb", "input": "Xb"}, "input-whole-numbers"),
        ("jacobian", {"node": "probs", "input": "counts"}, "jacobian-too-large"),
        ("jacobian", {"node": "probs", "input": "counts", "example": 32}, "example-unknown"),
        ("tensor", {"tensor": "h", "which": "value", "window": [0, 0, 0, 1]}, "window-empty"),
        ("tensor", {"tensor": "h", "which": "value", "window": [0, 1, 0]}, "request-invalid"),
        ("tensor", {"tensor": "h", "which": "value", "step": 3, "window": [0, 1, 0, 1]}, "request-invalid"),
        ("tensor", {"tensor": "h", "which": "contribution", "step": 3, "window": [0, 1, 0, 1]}, "step-other"),
        ("tensor", {"tensor": "Yb", "which": "manual", "window": [0, 1, 0, 1]}, "gradient-none"),
    ],
)
def test_what_is_refused(server: Server, path: str, body: dict[str, Any], code: str) -> None:
    reply = server.post(f"/api/{path}", {"walk": WALK, **body})
    assert (reply.status, reply.error["code"]) == (422, code)
