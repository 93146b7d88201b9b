"""Practice over HTTP: right and wrong answers, what can't be read, and requests that name no gradient."""

from typing import Any

import pytest

from backend.practice import reply
from tests.support.schema_check import faults
from tests.tools.server import Server

WALK: dict[str, Any] = {"lesson": "makemore-mlp"}


def check(server: Server, target: str, answer: str, **options: Any) -> Any:
    answered = server.post("/api/practice/check", {"walk": WALK, "target": target, "answer": answer, **options})
    assert answered.status == 200, answered.body
    return answered.json()


def test_a_right_answer_and_a_wrong_one(server: Server) -> None:
    right = check(server, "probs", "dprobs = dlogprobs / probs", hints=2)
    assert right["correct"]
    assert right["diagnosis"] is None
    assert right["verdict"]["approximate"]
    assert len(right["hints"]) == 2
    wrong = check(server, "dprobs", "dlogprobs * probs")
    assert not wrong["correct"]
    assert wrong["diagnosis"]["message"]
    assert not wrong["verdict"]["approximate"]
    for answer in (right, wrong):
        assert faults(answer, reply.Checked) == []
        assert answer["gradient"]["worst"]["index"]


@pytest.mark.parametrize(
    ("answer", "code", "text"),
    [
        ("dprobs = = 1", "syntax", "="),
        ("dprobs = dlogprob / probs", "unknown-name", "dlogprob"),
        ("dprobs = probs.grad", "not-allowed", "probs.grad"),
        ("loss.backward()", "not-allowed", "loss.backward"),
    ],
)
def test_what_cannot_be_read_is_a_diagnosis(server: Server, answer: str, code: str, text: str) -> None:
    told = check(server, "probs", answer)["diagnosis"]
    assert (told["code"], told["where"]["text"]) == (code, text)


def test_a_gradient_that_there_is_none_of(server: Server) -> None:
    for target in ("probz", "Xb"):
        refused = server.post("/api/practice/check", {"walk": WALK, "target": target, "answer": "1"})
        assert refused.status == 422
        assert refused.json()["error"]["hint"]


def test_the_tasks_of_a_program_in_backward_order(server: Server) -> None:
    answer = server.post("/api/practice/tasks", {"walk": WALK}).json()
    assert faults(answer, reply.Tasks) == []
    names = [task["name"] for task in answer["tasks"]]
    assert len(names) == 26
    assert (names[:2], names[-1]) == (["dlogprobs", "dprobs"], "dC")
    assert [task["target"] for task in answer["tasks"] if task["closed"]] == ["logits", "hprebn"]
    probs = answer["tasks"][1]
    assert {"name": "dlogprobs", "shape": [32, 27], "gradient": True} in probs["given"]
    assert "dprobs" not in [given["name"] for given in probs["given"]]


def test_a_hostile_answer_is_answered_or_stopped_and_the_next_one_is_checked(server: Server) -> None:
    for answer in (
        "torch.zeros(1024, 1024, 1024)",
        "for i in range(10**6):\n    x = probs",
        "().__class__",
        "-" * 9_000 + "1",
    ):
        assert check(server, "probs", answer)["diagnosis"]["code"] in ("not-allowed", "syntax", "unknown-name")
    assert server.post("/api/practice/check", {"walk": WALK, "target": "probs", "answer": "x" * 20_001}).status == 422
    assert check(server, "probs", "dprobs = dlogprobs / probs")["correct"]
