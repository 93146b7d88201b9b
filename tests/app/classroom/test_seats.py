"""A seat is a promise until it follows, and then it is kept."""

import time
from collections.abc import Callable

import pytest

from app.classroom.room import Room
from app.classroom.seats import COME_SECONDS, free_for, seat_cookie, seat_in
from app.errors import Failure
from app.settings import Settings
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


def new_room() -> Room:
    """A class that has just begun."""
    return Room("class", {"kind": "opened", "code": "BCDFGH", "secret": "00" * 32, "at": 0.0})


def came(room: Room, client: str, most: int, settings: Settings) -> int:
    """How many seats an address takes that wants so many."""
    first = len(room.seats)
    for place in range(most):
        try:
            free_for(room, client, settings)
        except Failure as failure:
            assert (failure.status, failure.code) == (409, "class-full")
            return place
        room.take_private({"kind": "came", "seat": first + place})
        room.came_from[client] += 1
    return most


def test_nobody_fills_a_class_from_one_address_and_no_school_is_kept_out() -> None:
    settings = Settings()
    all_of_it, share = settings.class_seats, settings.class_seats_per_address
    room = new_room()
    assert came(room, "a stranger", all_of_it, settings) == all_of_it // 2
    assert came(room, "a school", share, settings) == share, "which comes after the stranger"
    assert came(room, "another stranger", all_of_it, settings) == share
    left = all_of_it - len(room.seats)
    assert [came(room, f"student {place}", 1, settings) for place in range(left)] == [1] * left
    assert came(room, "one more", 1, settings) == 0
    assert came(new_room(), "a school", 3 * share, settings) == all_of_it // 2, "a large one, in a class without others"
    few = Settings(class_seats=30)
    assert came(new_room(), "a school", 31, few) == 30, "a class that is as small as a school is all of it for one"


def test_seats_are_counted_by_address_once_each_as_they_come() -> None:
    """One that follows over two streams, or could not be kept, is no second one."""
    with forked(workers=1, class_seats=6, class_seats_per_address=2) as server:
        _, code, _ = opened(server)
        places = [seated(server, code) for _ in range(4)]
        for one in (*places[:3], places[0], *places[:3]):
            assert one.ask("GET", "/events?wait=0").status == 200
        assert places[3].ask("GET", "/events?wait=0").error["code"] == "class-full", "three are left, and three came"
        refused = server.post("/api/class/join", {"code": code})
        assert (refused.status, refused.error["code"]) == (409, "class-full")
        assert "from your network" in refused.error["message"]
        assert places[0].ask("GET", "/events?wait=0").status == 200, "who has come stays"


def test_a_seat_is_lost_unless_it_follows_in_time() -> None:
    room = new_room()
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
    room = new_room()
    with pytest.raises(Failure):
        seat_in(room, forged(seat_cookie(room, 7, time.time())))
