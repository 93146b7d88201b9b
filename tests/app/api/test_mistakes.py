"""Mistakes planted over HTTP: their list, the walk with one, what is refused, and what other questions make of it."""

from typing import Any

import pytest

from tests.tools.server import Server

LESSON: dict[str, Any] = {"lesson": "makemore-mlp"}
STEP = 24
KEEPDIM: dict[str, Any] = LESSON | {"plant": {"step": STEP, "mistake": "keepdim"}}
RIGHT = "dcounts_sum_inv = (counts * dprobs).sum(1, keepdim=True)"


def test_the_mistakes_of_a_step_each_as_a_line_that_can_be_planted(server: Server) -> None:
    told = server.post("/api/mistakes", {"walk": LESSON, "step": STEP}).json()
    assert (told["step"], told["code"]) == (STEP, RIGHT)
    assert [one["label"] for one in told["mistakes"]][:3] == [
        "the sum is left out",
        "the other axis is summed",
        "keepdim is left out",
    ]
    for one in told["mistakes"]:
        plant = {"step": STEP, "mistake": one["mistake"]}
        planted = server.post("/api/walk", LESSON | {"plant": plant}).json()["planted"]
        assert {key: planted[key] for key in one} == one
        assert planted["wrong"]
        # what the walk itself plants is no part of the question
        assert server.post("/api/mistakes", {"walk": LESSON | {"plant": plant}, "step": STEP}).json() == told


def test_a_walk_says_what_was_planted_and_what_came_of_it(server: Server) -> None:
    walk = server.post("/api/walk", KEEPDIM).json()
    planted, steps = walk["planted"], walk["steps"]
    assert steps[STEP]["code"] == planted["code"] == "dcounts_sum_inv = (counts * dprobs).sum(1)"
    assert planted["right"] == RIGHT
    assert planted["code"] in walk["backward_source"].split("\n")
    assert planted["outcome"] == "That gives (32,); it must be (32, 1)."
    assert len(planted["wrong"]) == walk["summary"]["wrong"] == 24
    nodes = {node["variable"]: node["gradient"]["verdict"] for node in walk["nodes"] if node["gradient"]}
    assert {f"d{name}" for name, verdict in nodes.items() if verdict["kind"] == "lost"} == set(planted["lost"])
    assert next(step["index"] for step in steps if step.get("lost")) == 26
    assert steps[30].get("question") is None
    doubled = server.post("/api/walk", LESSON | {"plant": {"step": STEP, "mistake": "sign"}}).json()["nodes"]
    turned = next(node["gradient"]["verdict"] for node in doubled if node["variable"] == "counts_sum_inv")
    assert (turned["share"], turned["share64"]) == pytest.approx((2.0, 2.0), rel=1e-5)
    assert walk["id"] != server.post("/api/walk", LESSON).json()["id"]
    assert server.post("/api/walk", LESSON).json()["planted"] is None


PLANTS: list[tuple[Any, str, str]] = [
    ({"step": 3, "mistake": "sign"}, "plant-no-line", "20 to 50"),
    ({"step": 51, "mistake": "sign"}, "plant-no-line", "20 to 50"),
    ({"step": STEP, "mistake": "transposed"}, "mistake-unknown", "missing-sum"),
    ({"step": STEP, "mistake": "typo"}, "request-invalid", ""),
    ({"step": -1, "mistake": "sign"}, "request-invalid", ""),
    ({"step": 24.0, "mistake": "sign"}, "request-invalid", ""),
    ({"step": STEP}, "request-invalid", '"mistake": "missing-sum"'),
    ({"step": STEP, "mistake": "sign", "code": "x = 1"}, "request-invalid", '"mistake": "missing-sum"'),
    ({"step": STEP, "code": ""}, "request-invalid", ""),
    ({"step": STEP, "code": "#" * 2_001}, "request-invalid", ""),
    ({"step": STEP, "code": "#"}, "program-empty", ""),
    ({"step": STEP, "code": "dcounts_sum_inv = open('/etc/passwd')"}, "function-unlisted", ""),
    ({"step": STEP, "code": "dcounts_sum_inv = (1).__class__"}, "name-underscore", ""),
    ({"step": STEP, "code": "for i in range(10**9):\n    dcounts_sum_inv = counts"}, "", ""),
]


@pytest.mark.parametrize(("plant", "code", "hint"), PLANTS)
def test_what_can_t_be_planted_is_refused_and_says_what_can(server: Server, plant: Any, code: str, hint: str) -> None:
    reply = server.post("/api/walk", LESSON | {"plant": plant})
    if not code:  # too much to run: the line is lost, and the walk is there
        assert reply.status == 200
        assert reply.json()["planted"]["lost"][0] == "dcounts_sum_inv"
        return
    assert (reply.status, reply.error["code"]) == (422, code)
    assert hint in reply.error["hint"]


def test_a_step_that_is_no_backward_one_has_no_mistakes(server: Server) -> None:
    assert server.post("/api/mistakes", {"walk": LESSON, "step": 0}).error["code"] == "plant-no-line"


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("cell", {"tensor": "counts_sum_inv", "which": "gradient", "index": [0, 0]}, "gradient-misshapen"),
        ("cell", {"tensor": "counts_sum_inv", "which": "gradient", "index": [0]}, "gradient-misshapen"),
        ("cell", {"tensor": "counts_sum", "which": "contribution", "index": [0, 0], "step": 25}, "gradient-misshapen"),
        ("cell", {"tensor": "C", "which": "gradient", "index": [0, 0]}, "gradient-lost"),
        ("cell", {"tensor": "h", "which": "value", "index": [0, 0]}, ""),
        ("jacobian", {"node": "counts_sum_inv", "input": "counts_sum", "example": 0}, "gradient-misshapen"),
        ("jacobian", {"node": "logits", "input": "h", "example": 0}, "gradient-lost"),
        ("jacobian", {"node": "logprobs", "input": "probs", "example": 0}, ""),
        ("curve", {"tensor": "W1", "index": [0, 0]}, "gradient-lost"),
        ("descent", {"rates": [0.1]}, "gradient-lost"),
        ("descent", {"rates": [0.1], "path": 3}, ""),
        ("descent", {"rates": [0.1], "path": 21}, "request-invalid"),
        ("numeric", {"node": "*"}, ""),
        ("numeric", {"node": "counts_sum"}, ""),
        ("step", {"index": STEP, "nodes": ["counts_sum_inv"]}, ""),
        ("step", {"index": 30, "nodes": ["logits", "counts"]}, ""),
        ("tensor", {"tensor": "counts_sum_inv", "which": "manual", "window": [0, 1, 0, 5]}, ""),
        ("tensor", {"tensor": "counts_sum_inv", "which": "difference", "window": [0, 1, 0, 5]}, ""),
        ("export", {"format": "py"}, ""),
        ("program", {}, ""),
    ],
)
def test_whatever_is_asked_of_a_broken_walk_has_an_answer(server: Server, path: str, body: Any, code: str) -> None:
    reply = server.post(f"/api/{path}", {"walk": KEEPDIM, **body})
    assert reply.status == (422 if code else 200), reply.body[:300]
    if code:
        assert reply.error["code"] == code


def test_central_differences_find_the_truth_beside_a_wrong_gradient(server: Server) -> None:
    asked = {"walk": LESSON | {"plant": {"step": STEP, "mistake": "sign"}}, "node": "*"}
    found = {told["node"]: told for told in server.post("/api/numeric", asked).json()["results"]}
    for node, agrees in {"probs": True, "counts_sum_inv": False, "counts_sum": False, "C": False, "b1": True}.items():
        told = found[node]
        assert told["agrees"] is agrees, node
        assert told["numeric"] == pytest.approx(told["autograd"], rel=1e-4, abs=1e-6), node
    assert found["counts_sum_inv"]["analytic"] == pytest.approx(-found["counts_sum_inv"]["autograd"], rel=1e-6)


def test_the_lens_disagrees_at_the_wrong_line_and_carries_the_damage_on(server: Server) -> None:
    walk = LESSON | {"plant": {"step": STEP, "mistake": "sign"}}
    asked = {"which": "gradient", "index": [0, 0]}
    at, after = (
        server.post("/api/cell", {"walk": walk, "tensor": t, **asked}).json() for t in ("counts_sum_inv", "counts_sum")
    )
    assert (at["agrees"], after["agrees"]) == (False, True)
    assert at["shown"] == pytest.approx(-at["sum"], rel=1e-5)
    right = server.post("/api/cell", {"walk": LESSON, "tensor": "counts_sum", **asked}).json()
    assert after["shown"] == pytest.approx(-right["shown"], rel=1e-5)
