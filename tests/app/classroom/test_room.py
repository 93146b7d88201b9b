"""A class of several at once: everyone hears everything once and in order, and every answer counts once."""

import asyncio

from app.classroom.class_types import ClassVerdict
from app.classroom.events import Given
from app.classroom.room import Room
from tests.load.students import play
from tests.tools.forked import forked


def test_everyone_hears_all_and_is_counted_once() -> None:
    with forked(workers=1) as server:
        played = asyncio.run(play(server, count=20, steps=5))
    assert all(told == ["shown"] * 6 + ["asked", "closed", "counted"] for told in played.told)
    assert sum(bar["students"] for bar in played.bars) == len(played.answers) == 20


def given(seat: int, revision: int, text: str, rounds: int = 1, late: bool = False) -> Given:
    """An answer in words."""
    return {
        "kind": "given", "seat": seat, "question": 1, "round": rounds, "revision": revision, "value": text,
        "late": late, "at": 0.0,
    }  # fmt: skip


def judged_wrong(text: str) -> ClassVerdict:
    """What is said of it."""
    return {
        "kind": "judged", "question": 1, "text": text, "correct": False, "code": "sign", "message": "", "where": None,
    }  # fmt: skip


def test_who_writes_again_and_again_has_one_text_judged_at_a_time() -> None:
    room = Room("r", {"kind": "opened", "code": "BCDFGH", "secret": "00", "at": 0.0})
    for revision in range(50):
        room.take_private(given(1, revision, f"dx = {revision} * dy"))
    room.take_private(given(2, 0, "dx = dy"))
    room.take_private(given(3, 0, "before it was asked again"))
    room.take_private(given(3, 0, "after it was", rounds=2))
    room.take_private(given(4, 0, "too late", late=True))
    judged = []
    while (due := room.to_judge()) is not None:
        judged.append(due[1])
        room.take_private(judged_wrong(due[1]))
    assert judged == ["dx = 49 * dy", "dx = dy", "before it was asked again", "after it was", "too late"]
    room.take_private(given(1, 50, "dx = 7 * dy"))
    assert room.to_judge() == (1, "dx = 7 * dy"), "what was passed over may be given again"
