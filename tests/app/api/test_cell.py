"""What the page asks about one number: answers, refusals, and large tensors within the deadline."""

from typing import Any

import pytest

from tests.tools.server import Server

WALK = {"lesson": "makemore-mlp"}
ASKED: dict[str, Any] = {"walk": WALK, "tensor": "W2", "which": "gradient", "index": [3, 5]}


def test_a_gradient_opens(server: Server) -> None:
    answer = server.post("/api/cell", ASKED).json()
    assert answer["formula"] == "dW2[i,j] = Σ_k h[k,i] · dlogits[k,j]"
    assert (answer["tensor"], answer["which"], answer["index"]) == ("W2", "gradient", [3, 5])
    assert answer["count"] == len(answer["terms"]) == 32
    assert answer["agrees"]
    assert answer["adds"]
    assert answer["rest"] == {"count": 0, "sum": 0.0}
    term = answer["terms"][0]
    assert term["product"] == term["local"] * term["arriving"]


def test_the_number_shown_is_the_walks(server: Server) -> None:
    walk = server.post("/api/walk?arrays=lists", WALK).json()
    node = next(node for node in walk["nodes"] if node["name"] == "h")
    for which, shown in (("value", node["value"]), ("gradient", node["gradient"]["manual"])):
        answer = server.post("/api/cell", ASKED | {"tensor": "h", "which": which, "index": [4, 7]}).json()
        assert answer["shown"] == pytest.approx(shown[4][7], rel=1e-6)
    for step in [step for step in walk["steps"] if step["node"] == "counts" and step["direction"] == "backward"]:
        wanted = {"tensor": "counts", "which": "contribution", "index": [4, 7], "step": step["index"]}
        answer = server.post("/api/cell", ASKED | wanted).json()
        assert answer["shown"] == pytest.approx(step["contribution"][4][7], rel=1e-6)
        assert [(path["step"], path["line"], path["code"]) for path in answer["paths"]] == [
            (step["index"], step["line"], step["code"])
        ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"index": [-1, 0]}, {"index": [1.0, 0]}, {"index": [True, 0]}, {"index": [0] * 9}, {"index": "3,5"},
        {"which": "all"},
        {"step": 40}, {"which": "contribution"}, {"tensor": 3}, {"more": 1}, {"walk": {}}, {"index": [2**53 + 1, 0]},
    ],
    ids=str,
)  # fmt: skip
def test_malformed_requests(server: Server, wrong: dict[str, Any]) -> None:
    reply = server.post("/api/cell", ASKED | wrong)
    assert reply.status in (400, 422)
    assert reply.error["message"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"tensor": "W22"}, "tensor-near"),
        ({"tensor": "x" * 80}, "tensor-unknown"),
        ({"index": [64, 5]}, "cell-outside"),
        ({"tensor": "Xb", "index": [0, 0]}, "gradient-none"),
        ({"which": "contribution", "step": 0}, "step-other"),
        ({"walk": {"source": "y = z", "tensors": {}}}, "name-unknown"),
    ],
)
def test_refusals(server: Server, wrong: dict[str, Any], code: str) -> None:
    reply = server.post("/api/cell", ASKED | wrong)
    assert (reply.status, reply.error["code"]) == (422, code)


WIDE = {
    "source": "y = x * s\nloss = (y * y).mean()",
    "tensors": {
        "x": {"role": "data", "shape": [1024, 1024], "init": "randn", "seed": 1},
        "s": {"role": "parameter", "values": 2.0},
    },
}


def test_a_million_terms_open_in_time(server: Server) -> None:
    reply = server.post("/api/cell", {"walk": WIDE, "tensor": "s", "which": "gradient", "index": []})
    assert reply.status == 200, reply.body
    answer = reply.json()
    assert (answer["count"], len(answer["terms"]), answer["rest"]["count"]) == (2**20, 4096, 2**20 - 4096)
    assert answer["agrees"]
