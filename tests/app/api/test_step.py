"""What belongs to single steps of a walk, asked for by number: the answer, and what is refused."""

from typing import Any

import pytest

from tests.tools.server import Server

PROGRAM: dict[str, Any] = {
    "source": "h = torch.tanh(x @ W)\nloss = (h * h).sum()",
    "tensors": {
        "x": {"role": "data", "shape": [5, 3], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [3, 4], "init": "randn", "seed": 2},
    },
}
ASKED: dict[str, Any] = {"walk": PROGRAM, "steps": [0, 3], "judged": ["W"]}
LAST = 6


def test_the_parts_that_were_asked_for_and_no_others(server: Server) -> None:
    answer = server.post("/api/steps", ASKED).json()
    assert (set(answer["parts"]), set(answer["judged"])) == ({"0", "3"}, {"W"})
    assert (answer["gradients"], answer["questions"]) == (None, None)
    every = server.post(
        "/api/steps", {"walk": PROGRAM, "steps": [], "judged": [], "gradients": True, "questions": True}
    )
    walk = server.post("/api/walk", PROGRAM).json()
    back = [step for step in walk["steps"] if step["direction"] == "backward"]
    assert walk["steps"][-1]["index"] == LAST
    assert len(every.json()["gradients"]) == len(every.json()["questions"]) == len(back)


def test_as_many_steps_as_are_shown_at_once(server: Server) -> None:
    assert server.post("/api/steps", ASKED | {"steps": [*range(LAST + 1), *range(LAST + 1)][:8]}).status == 200


@pytest.mark.parametrize(
    ("asked", "code", "words"),
    [
        ({"steps": [LAST + 1]}, "step-unknown", str(LAST)),
        ({"steps": [2**40]}, "step-unknown", str(LAST)),
        ({"steps": [10**30]}, "request-invalid", "steps"),
        ({"steps": [-1]}, "request-invalid", "steps"),
        ({"steps": [1.5]}, "request-invalid", "steps"),
        ({"steps": [True]}, "request-invalid", "steps"),
        ({"steps": ["1"]}, "request-invalid", "steps"),
        ({"steps": 1}, "request-invalid", "steps"),
        ({"steps": [0] * 9}, "request-invalid", "steps"),
        ({"judged": ["W"] * 9}, "request-invalid", "judged"),
        ({"judged": ["V"]}, "tensor-unknown", "V"),
        ({"judged": ["__class__"]}, "tensor-unknown", "__class__"),
        ({"judged": [0]}, "request-invalid", "judged"),
        ({"gradients": 1}, "request-invalid", "gradients"),
        ({"questions": "yes"}, "request-invalid", "questions"),
        ({"more": True}, "request-invalid", "more"),
        ({"walk": PROGRAM | {"source": "loss = nowhere.sum()"}}, "name-unknown", "nowhere"),
        ({"walk": PROGRAM | {"plant": {"step": 0, "mistake": "sign"}}}, "plant-no-line", "0"),
    ],
    ids=str,
)
def test_what_is_asked_amiss_is_refused_in_the_one_shape(
    server: Server, asked: dict[str, Any], code: str, words: str
) -> None:
    reply = server.post("/api/steps", ASKED | asked)
    assert (reply.status, reply.error["code"]) == (422, code)
    assert words in str(reply.error)
    assert reply.error["hint"]


def test_a_lesson_that_is_not_there_is_not_found(server: Server) -> None:
    reply = server.post("/api/steps", ASKED | {"walk": {"lesson": "nowhere"}})
    assert (reply.status, reply.error["code"]) == (404, "lesson-unknown")


def test_what_is_too_large_to_be_read_is_refused_unread(server: Server) -> None:
    reply = server.post("/api/steps", ASKED | {"judged": ["W" * 10**7]})
    assert (reply.status, reply.error["code"]) == (413, "body-too-large")
