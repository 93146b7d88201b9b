"""A seat is a promise until it follows, and then it is kept."""

import time
from collections.abc import Callable

import pytest

from app.classroom.room import Room
from app.classroom.seats import COME_SECONDS, seat_cookie, seat_in
from app.errors import Failure
from tests.support.class_of import board, joined, opened, seated
from tests.support.waiting import eventually
from tests.tools.forked import forked


def test_who_has_only_the_code_cannot_stuff_a_count() -> None:
    """A seat that has not followed can't answer; one that has can, however seldom it looks since."""
    with forked(workers=1, classes_per_client=50) as server:
        teacher, code, _ = opened(server)
        student, stuffed = joined(server, code), [seated(server, code) for _ in range(20)]
        ask = {"kind": "choice", "walk": {"lesson": "first-steps"}, "step": 0}
        assert teacher.tell("ask", ask=ask).status == 200
        assert [one.answer(1, 0).error["code"] for one in stuffed] == ["not-here"] * 20
        assert student.answer(1, 1).status == 201
        assert board(teacher)["question"]["answered"] == 1
        assert stuffed[0].ask("GET", "/events?wait=0").status == 200
        assert board(teacher)["present"] >= 1, "and is seen"
        assert stuffed[0].answer(1, 0).status == 201
        assert eventually(lambda: board(teacher)["question"]["answered"] == 2)


def test_a_seat_is_lost_unless_it_follows_in_time() -> None:
    room = Room("class", {"kind": "opened", "code": "BCDFGH", "secret": "00" * 32, "at": 0.0})
    drawn = seat_cookie(room, 7, time.time())
    old = seat_cookie(room, 7, time.time() - COME_SECONDS - 1)
    assert seat_in(room, drawn) == 7
    with pytest.raises(Failure) as refused:
        seat_in(room, old)
    assert refused.value.status == 401
    room.take_private({"kind": "came", "seat": 7})
    assert seat_in(room, old) == 7, "it has followed"


@pytest.mark.parametrize(
    "forged",
    [
        lambda cookie: cookie.replace("7.", "8.", 1),
        lambda cookie: f"0{cookie}",
        lambda cookie: f"{cookie}\n",
        lambda cookie: cookie.rpartition(".")[0] + ".",
        lambda cookie: ".".join([*cookie.split(".")[:1], "99999999999", cookie.rpartition(".")[2]]),
        lambda cookie: cookie.replace("7", "٧", 1),
        lambda _: "..",
    ],
)
def test_a_proof_is_of_its_seat_and_time(forged: Callable[[str], str]) -> None:
    room = Room("class", {"kind": "opened", "code": "BCDFGH", "secret": "00" * 32, "at": 0.0})
    with pytest.raises(Failure):
        seat_in(room, forged(seat_cookie(room, 7, time.time())))
