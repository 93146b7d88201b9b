"""A number of a walk that a class drags until another one is so much."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.classroom.dragging import number_in
from tests.support.class_of import board, joined, opened
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Server


@pytest.fixture(scope="module")
def host() -> Iterator[Server]:
    """A server without other visitors."""
    with forked(workers=1) as server:
        yield server


@pytest.mark.parametrize(
    ("text", "number"), [("−1,5", -1.5), (" 2e-3 ", 0.002), ("1_0", None), ("nan", None), ("", None)]
)
def test_a_number_is_read_as_people_write_it(text: str, number: float | None) -> None:
    assert number_in(text) == number


DRAGGED = [
    ("1", True, ""),
    ("0,97", True, ""),
    ("2", False, "too-high"),
    ("−1", False, "too-low"),
    ("much", False, "unreadable"),
]


def test_a_number_is_dragged_until_another_one_is_so_much(host: Server) -> None:
    """`loss` is 2·w + 5 here, so it is 7 where w is 1, and 3 is as far away as it was at the beginning."""
    teacher, code, _ = opened(host, "/walk/first-steps?step=2")
    tensors = {"x": {"role": "data", "values": 2.0}, "w": {"role": "parameter", "values": -1.0}}
    walk = {"source": "y = x * w\nloss = y + 5", "tensors": tensors}
    ask = {"kind": "drag", "walk": walk, "cell": "w", "goal": "loss", "value": 7}
    asked = teacher.tell("ask", ask=ask).json()["ask"]
    assert asked["prompt"] == "Drag `w`, now −1, until `loss` is 7, give or take 0.08. It is 3."
    assert asked["drag"] == {"tensor": "w", "index": [], "value": -1, "address": "/walk/first-steps?step=2"}
    assert teacher.tell("answer").error["code"] == "nothing-to-show"
    assert teacher.tell("ask-again").status == 200
    for text, *_ in DRAGGED:
        assert joined(host, code).answer(1, text, rounds=2).status == 201
    for text in ("1", "2", "2"):  # the wrong one is given most
        assert joined(host, code).answer(1, text, rounds=2).status == 201
    assert eventually(lambda: board(teacher)["question"]["waiting"] == 0)
    said = {one["text"]: one["verdict"] for one in board(teacher)["question"]["texts"]}
    assert [(text, said[text]["correct"], said[text]["code"]) for text, *_ in DRAGGED] == DRAGGED
    assert said["2"]["message"] == "With it `loss` is 9."
    assert teacher.tell("answer").json()["value"] == "1", "what most of those have found who are right"
    refused: list[dict[str, object]] = [
        {"cell": "y[3]"},
        {"goal": "nothing"},
        {"value": 3},
        {"value": None},
        {"cell": "w["},
        {"cell": "dw"},
    ]
    for wrong in refused:
        assert teacher.tell("ask", ask={**ask, **wrong}).status == 422


def test_what_the_teacher_has_changed_before_stays_changed(host: Server) -> None:
    teacher, code, _ = opened(host, "/walk/first-steps?step=2")
    tensors = {"x": {"role": "data", "values": 2.0}, "w": {"role": "parameter", "values": 1.0}}
    walk = {"source": "y = x * w\nloss = y + 5", "tensors": tensors, "changes": [{"tensor": "x", "value": 10.0}]}
    ask = {"kind": "drag", "walk": walk, "cell": "w", "goal": "loss", "value": 35}
    assert teacher.tell("ask", ask=ask).json()["ask"]["prompt"].endswith("It is 15.")
    assert joined(host, code).answer(1, "3").status == 201
    assert eventually(lambda: board(teacher)["question"]["waiting"] == 0)
    assert board(teacher)["question"]["texts"][0]["verdict"]["correct"]
