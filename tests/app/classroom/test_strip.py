"""Where a class is in an exercise: counted by gradient, of all servers, and of those alone who are there."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.classroom.requests import HereRequest
from app.classroom.strip import STUCK, strip_of, together
from tests.support.class_of import Someone, joined, opened
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Server

ADDRESS = "/practise/first-steps"


def at(place: int, written: int = 0, **more: Any) -> HereRequest:
    given = {"address": ADDRESS, "place": place, "count": 3, "written": written, "tries": 0}
    return HereRequest.model_validate(given | more)


@pytest.fixture(scope="module")
def host() -> Iterator[Server]:
    """A server without other visitors."""
    with forked(workers=1) as server:
        yield server


def seen(board: Someone) -> dict[str, Any]:
    """What a board shows now."""
    with board.events("/board") as pictures:
        return next(pictures)


def test_each_is_counted_where_they_are() -> None:
    places = [at(0), at(2, 1, tries=STUCK), at(2, 3, tries=STUCK - 1), at(0, address="/practise/broadcasting")]
    assert strip_of(places, f"{ADDRESS}?at=dx") == {"here": [1, 0, 2], "stuck": [0, 0, 1], "written": [1, 1, 0, 1]}
    assert strip_of(places, "/walk/first-steps") is None


def test_one_who_counts_the_gradients_otherwise_spoils_nothing() -> None:
    places = [at(0, count=500), at(1), at(1), at(400, count=500, written=500), at(2)]
    assert strip_of(places, ADDRESS) == {"here": [0, 2, 1], "stuck": [0, 0, 0], "written": [3, 0, 0, 0]}


def test_servers_are_added_up_unless_they_speak_of_another_exercise() -> None:
    one, other = strip_of([at(0)], ADDRESS), strip_of([at(2, 2, tries=9)], ADDRESS)
    another = strip_of([at(0, count=2)], ADDRESS)
    assert one is not None
    assert other is not None
    assert another is not None
    assert together([one, other, another]) == {"here": [1, 0, 1], "stuck": [0, 0, 1], "written": [1, 0, 1, 0]}
    assert together([]) is None


@pytest.mark.parametrize("wrong", [{"place": 3}, {"written": 4}, {"count": 0}, {"count": 501}, {"tries": -1}])
def test_no_place_is_behind_the_last_gradient(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"HereRequest"):
        at(**({"place": 0} | wrong))


def test_the_teacher_sees_where_students_are_in_an_exercise_while_they_follow(host: Server) -> None:
    teacher, code, wall = opened(host, "/practise/first-steps")
    viewer, student = Someone(host, teacher.path), joined(host, code)
    viewer.ask("POST", "/enter", {"key": wall})
    place = {"address": "/practise/first-steps?at=dx", "place": 1, "count": 3, "written": 1, "tries": 3}
    assert student.ask("PUT", "/here", place).status == 204
    assert seen(teacher)["strip"] is None, "of who doesn't follow the class it is not shown"
    with student.events() as told:
        next(told)
        assert student.ask("PUT", "/here", place).status == 204
        assert seen(teacher)["strip"] == {"here": [0, 1, 0], "stuck": [0, 1, 0], "written": [0, 1, 0, 0]}
        assert "strip" not in seen(viewer)
        assert student.ask("PUT", "/here", place | {"place": 3}).status == 422
        assert student.ask("PUT", "/here", place | {"place": 2}).status == 204
        assert seen(teacher)["strip"]["here"] == [0, 0, 1]
        assert student.ask("PUT", "/here", place).status == 204
        assert student.ask("PUT", "/here", place).error["code"] == "too-often"
        assert viewer.ask("PUT", "/here", place).status == 401
        assert teacher.tell("show", address="/walk/first-steps").status == 200
        assert seen(teacher)["strip"] is None
        assert teacher.tell("show", address="/practise/first-steps").status == 200
        assert seen(teacher)["strip"] is not None
    assert eventually(lambda: seen(teacher)["strip"] is None)
