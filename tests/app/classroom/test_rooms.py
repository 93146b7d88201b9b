"""A class played on a real server: followed, asked, answered, counted, and forgotten."""

from __future__ import annotations

import asyncio
import csv
import io
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from app.classroom.class_types import ClassVerdict
from app.classroom.rooms import Rooms
from app.compute.ours import Ours
from app.compute.pool import Pool
from app.errors import Failure
from app.events.journal import Memory
from app.settings import Settings
from tests.support.class_of import LESSON, Someone, board, joined, opened, seated
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Server

GRADIENT = {"kind": "gradient", "walk": {"lesson": "first-steps"}, "target": "x"}
PLENTY: dict[str, Any] = {"workers": 1, "classes_per_client": 50}


@pytest.fixture(scope="module")
def host() -> Iterator[Server]:
    """A server without other visitors."""
    with forked(**PLENTY) as server:
        yield server


def first_question(teacher: Someone) -> dict[str, Any]:
    """What the walk's backward pass asks first."""
    reply = teacher.tell("ask", ask={"kind": "choice", "walk": {"lesson": "first-steps"}, "step": 0})
    assert reply.status == 200, reply.body
    asked: dict[str, Any] = reply.json()
    return asked


def state(student: Someone) -> dict[str, Any]:
    """The question as a student sees it who comes now."""
    question: dict[str, Any] = student.ask("GET", "/state").json()["question"]
    return question


def test_students_follow_and_a_late_one_gets_the_same(host: Server) -> None:
    teacher, code, _ = opened(host)
    student = joined(host, code.lower()[:3] + " " + code.lower()[3:])
    with student.events() as told:
        assert next(told) == {"kind": "shown", "address": "/walk/makemore-mlp?step=40"}
        for step in range(41, 46):
            assert teacher.tell("show", address=f"/walk/makemore-mlp?step={step}").status == 200
        assert [next(told)["address"][-2:] for _ in range(5)] == ["41", "42", "43", "44", "45"]
        assert board(teacher)["present"] == 1
        teacher.tell("pace", pace="free")
        assert next(told) == {"kind": "paced", "pace": "free"}
    late = joined(host, code).ask("GET", "/state").json()
    assert (late["address"], late["pace"], late["number"]) == ("/walk/makemore-mlp?step=45", "free", 7)
    assert eventually(lambda: board(teacher)["present"] == 0)


def test_who_can_follow_no_stream_asks_for_news(host: Server) -> None:
    """And counts as present between two questions; a picture comes once it is another one."""
    teacher, code, _ = opened(host)
    student = joined(host, code)
    for step in (41, 42):
        assert teacher.tell("show", address=f"/walk/makemore-mlp?step={step}").status == 200
    news = student.ask("GET", "/events?after=1&wait=20").json()["events"]
    assert [(one["number"], one["told"]["address"][-2:]) for one in news] == [(2, "41"), (3, "42")]
    assert student.ask("GET", "/events?after=3&wait=0").json() == {"events": []}
    assert student.ask("GET", "/events?after=9&wait=20").json() == {
        "events": [{"number": 3, "told": {"kind": "reset"}}]
    }
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(student.ask, "GET", "/events?after=3&wait=20")
        assert eventually(lambda: board(teacher)["present"] == 1)
        assert teacher.tell("pace", pace="free").status == 200
        assert waiting.result().json() == {"events": [{"number": 4, "told": {"kind": "paced", "pace": "free"}}]}
        (seen,) = teacher.ask("GET", "/board?wait=0").json()["events"]
        assert seen["told"] == board(teacher)
        waiting = threads.submit(teacher.ask, "GET", f"/board?after={seen['number']}&wait=30")
        assert teacher.tell("lock").status == 200
        (locked,) = waiting.result().json()["events"]
        assert (locked["told"]["locked"], locked["number"] == seen["number"]) == (True, False)
    assert Someone(host, teacher.path).ask("GET", "/events?wait=0").status == 401
    assert Someone(host, teacher.path).ask("GET", "/board?wait=0").status == 403
    assert student.ask("GET", "/events?wait=31").status == 422


def test_choices_are_counted_once_and_shown_when_the_teacher_says(host: Server) -> None:
    teacher, code, wall = opened(host)
    students = [joined(host, code) for _ in range(5)]
    asked = first_question(teacher)
    assert "right" not in str(asked["ask"])
    choices = len(asked["ask"]["choices"])
    with students[0].events() as told:
        assert [next(told)["kind"] for _ in range(2)] == ["shown", "asked"]
        given = [0, 0, 1, choices - 1, 1]
        for student, choice in zip(students, given, strict=True):
            assert student.answer(1, choice).status == 201
            assert student.answer(1, choice).status == 200, "the same again is not another"
        assert students[0].answer(1, 2, revision=1).status == 201
        given[0] = 2
        assert students[1].answer(1, 2).error["code"] == "revision-taken"
        assert students[1].answer(1, choices).status == 422
        assert students[1].answer(1, "text").status == 422
        assert students[1].answer(2, 0).error["code"] == "not-asked"
        viewer = Someone(host, teacher.path)
        assert viewer.ask("POST", "/enter", {"key": wall}).json()["part"] == "board"
        seen = board(viewer)["question"]
        assert (seen["answered"], "rounds" in seen, "texts" in seen) == (5, False, False)
        counts = [given.count(place) for place in range(choices)]
        assert [bar["students"] for bar in board(teacher)["question"]["rounds"][0]] == counts
        assert teacher.tell("count").status == 200
        assert next(told)["kind"] == "closed"
        shown = next(told)["bars"]
        assert [bar["students"] for bar in shown] == counts
        assert [bar["right"] for bar in shown].count(True) == 1
        assert all(bool(bar["message"]) != bar["right"] for bar in shown), "each wrong one says what is wrong"
    assert students[2].answer(1, 1).json() == {"late": False}, "it was in time, and is sent again"
    assert students[2].answer(1, 0, revision=1).json() == {"late": True}
    standing = board(viewer)["question"]
    assert (standing["answered"], standing["late"]) == (5, 1)
    assert [bar["students"] for bar in standing["rounds"][0]] == counts, "what comes late is counted apart"
    assert state(students[2])["mine"] == {"revision": 1, "value": 0}
    assert state(students[2])["counts"] == {"bars": shown, "waiting": 0}
    assert teacher.tell("answer").status == 200
    assert teacher.tell("ask-again").json()["round"] == 2
    assert (state(students[2])["counts"], state(students[2])["answer"]) == (None, None)
    assert students[2].answer(1, 0, rounds=2).json() == {"late": False}
    assert len(board(teacher)["question"]["rounds"]) == 2
    assert teacher.tell("answer").status == 200
    assert state(students[2])["answer"]["value"], "each round may end with the answer"
    rows = list(csv.DictReader(io.StringIO(teacher.ask("GET", "/answers.csv").body.decode())))
    own = [row for row in rows if row["revision"] == "1" and row["late"] == "True"]
    assert (len(rows), len(own), own[0]["round"]) == (7, 1, "1")
    assert all(float(row["seconds"]) >= 0 for row in rows), "since its own round began"


def test_one_browser_teaches_and_shows_the_wall(host: Server) -> None:
    teacher, code, wall = opened(host)
    assert teacher.ask("POST", "/enter", {"key": wall}).json()["part"] == "board"
    first_question(teacher)
    assert joined(host, code).answer(1, 0).status == 201
    assert "rounds" in board(teacher)["question"]
    with teacher.events("/board?part=board") as pictures:
        assert "rounds" not in next(pictures)["question"], "the wall does not tell what is being chosen"


def test_an_axis_is_chosen_and_the_reason_told(host: Server) -> None:
    teacher, code, _ = opened(host)
    student = joined(host, code)
    reply = teacher.tell("ask", ask={"kind": "axis", "walk": LESSON, "tensor": "b2"})
    assert reply.status == 200, reply.body
    codes = [choice["code"] for choice in reply.json()["ask"]["choices"]]
    assert len(codes) == len(set(codes)) > 3
    assert student.answer(1, codes.index("dlogits.sum(1)")).status == 201
    bars = {bar["text"]: bar for bar in teacher.tell("count").json()["bars"]}
    assert [text for text, bar in bars.items() if bar["right"]] == ["dlogits.sum(0)"]
    assert bars["dlogits.sum(1)"]["students"] == 1
    assert "wasn't copied along axis 1" in bars["dlogits.sum(1)"]["message"]
    answer = teacher.tell("answer").json()
    assert answer["value"] == "dlogits.sum(0)"
    assert "32 gradients add up" in answer["because"]
    assert "right" not in str(state(student)["ask"]), "nobody is told before"


NUMBERS = [
    ("6", True, ""), ("6.02", True, ""), (" 6,0 ", True, ""), ("−6", False, "sign"), ("18", False, "scale"),
    ("7", False, "unknown"), ("many", False, "unreadable"), ("nan", False, "unreadable"),
    ("1e999", False, "unreadable"),
]  # fmt: skip


def test_a_number_is_judged_as_a_quiz_judges_it(host: Server) -> None:
    """Within half a percent; what is a factor or a sign away is told so."""
    teacher, code, _ = opened(host)
    walk = {
        "source": "y = x * w\nloss = y.sum()",
        "tensors": {
            "x": {"role": "data", "values": [2.0, 5.0, 12345.6]},
            "w": {"role": "parameter", "values": [3.0, -1.5, 1.0]},
        },
    }
    ask = {"kind": "number", "walk": walk, "cell": "y[0]"}
    assert "`y[0]`" in teacher.tell("ask", ask=ask).json()["ask"]["prompt"]
    for text, *_ in NUMBERS:
        assert joined(host, code).answer(1, text).status == 201
    assert eventually(lambda: board(teacher)["question"]["waiting"] == 0)
    said = {one["text"]: one["verdict"] for one in board(teacher)["question"]["texts"]}
    found = [(text, said[text.strip()]["correct"], said[text.strip()]["code"]) for text, _, _ in NUMBERS]
    assert found == NUMBERS
    assert said["18"]["message"] == "That is 3 times too large."
    assert teacher.tell("answer").json()["value"] == "6"
    assert teacher.tell("ask", ask={**ask, "cell": "dw[1]"}).status == 200
    assert teacher.tell("answer").json()["value"] == "5", "a gradient, by its name"
    for place, written in ((1, "−7.5"), (2, "12346")):
        assert teacher.tell("ask", ask={**ask, "cell": f"y[{place}]"}).status == 200
        assert teacher.tell("answer").json()["value"] == written, "as pages write numbers"
    for wrong, problem in (("y[7]", 422), ("nothing", 422), ("y[0", 422), ("y", 422)):
        assert teacher.tell("ask", ask={**ask, "cell": wrong}).status == problem


def test_where_one_joins_is_told_as_a_picture_too(host: Server) -> None:
    teacher, code, _ = opened(host)
    picture = teacher.ask("GET", "/qr.svg")
    assert (picture.status, picture.headers["content-type"]) == (200, "image/svg+xml")
    assert joined(host, code).ask("GET", "/qr.svg").status == 403
    seen = board(teacher)
    assert seen["join"] == f"http://{host.address[0]}:{host.address[1]}/c"
    assert seen["reachable"] is False, "nobody is sent to an address of this machine's alone without being told"


def test_where_nothing_is_asked_the_teacher_is_told(host: Server) -> None:
    teacher, _, _ = opened(host)
    for kind, more in (("choice", {"step": 99}), ("gradient", {"target": "nothing"}), ("shape", {"tensor": "nothing"})):
        reply = teacher.tell("ask", ask={"kind": kind, "walk": {"lesson": "first-steps"}, **more})
        assert (reply.status, reply.error["code"]) == (422, "nothing-to-ask")
    refused = teacher.tell("ask", ask={"kind": "gradient", "walk": {"lesson": "nosuch"}, "target": "x"})
    assert refused.error["code"] == "lesson-unknown"
    assert teacher.tell("close").error["code"] == "nothing-asked"


def test_a_class_has_so_many_seats() -> None:
    with forked(**PLENTY, class_seats=2) as server:
        teacher, code, _ = opened(server)
        first_question(teacher)
        third = seated(server, code)
        first, second = (joined(server, code) for _ in range(2))
        assert [one.answer(1, 0).status for one in (first, second)] == [201, 201]
        assert third.ask("GET", "/events").error["code"] == "class-full"
        assert server.post("/api/class/join", {"code": code}).error["code"] == "class-full"
        assert first.answer(1, 1, revision=1).status == 201


def test_gradients_are_judged_once_each_and_named(host: Server) -> None:
    """Two right ones in different words, a sign, and a line that is none; the wall shows what can be read."""
    teacher, code, _ = opened(host)
    students = [joined(host, code) for _ in range(6)]
    assert teacher.tell("ask", ask=GRADIENT).status == 200
    texts = ["dx = 3 * dy", "dx = dy * 3", "dx = -3 * dy", "dx = -3 * dy", "dx = dy", "dx = ("]
    for student, text in zip(students, texts, strict=True):
        assert student.answer(1, text).status == 201
    counted = teacher.tell("count").json()
    assert sum(bar["students"] for bar in counted["bars"]) + counted["waiting"] == 6
    assert eventually(lambda: state(students[0])["counts"]["waiting"] == 0), "told again once all are judged"
    assert state(students[0])["counts"]["bars"] == board(teacher)["question"]["rounds"][0]
    bars = {bar["code"]: bar["students"] for bar in board(teacher)["question"]["rounds"][0]}
    assert bars["right"] == 2
    assert bars["sign"] == 2
    assert bars["syntax"] == 1
    assert sum(bars.values()) == 6
    listed = {one["text"]: one for one in board(teacher)["question"]["texts"]}
    assert listed["dx = -3 * dy"]["students"] == 2
    assert teacher.tell("wall", text="dx = (").error["code"] == "not-for-the-wall"
    walled = teacher.tell("wall", text="dx = -3 * dy").json()
    assert (walled["students"], walled["correct"]) == (2, False)
    answered = teacher.tell("answer").json()
    assert answered["value"] == "dx = 3 * dy"
    rows = list(csv.DictReader(io.StringIO(teacher.ask("GET", "/answers.csv").body.decode())))
    assert sorted(row["answer"] for row in rows) == sorted(texts)
    assert sorted(row["correct"] for row in rows) == ["False"] * 4 + ["True"] * 2


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(32, 27)", ""),
        ("32, 27", ""),
        ("[32,27]", ""),
        ("(27, 32)", "shape"),
        ("(32,)", "shape"),
        ("many", "unreadable"),
    ],
)
def test_shapes_are_judged(host: Server, text: str, code: str) -> None:
    if not SHAPED:
        teacher, joining, _ = opened(host)
        assert teacher.tell("ask", ask={"kind": "shape", "walk": LESSON, "tensor": "logits"}).status == 200
        SHAPED.extend([teacher, joined(host, joining)])
    teacher, student = SHAPED
    assert student.answer(1, text, revision=len(REVISED)).status == 201
    REVISED.append(text)
    assert eventually(lambda: board(teacher)["question"]["waiting"] == 0)
    (said,) = board(teacher)["question"]["texts"]
    assert (said["verdict"]["correct"], said["verdict"]["code"]) == (not code, code)


SHAPED: list[Someone] = []
REVISED: list[str] = []


def test_nobody_does_what_is_not_theirs(host: Server) -> None:
    teacher, code, wall = opened(host)
    student, stranger = joined(host, code), Someone(host, teacher.path)
    viewer = Someone(host, teacher.path)
    viewer.ask("POST", "/enter", {"key": wall})
    for somebody in (student, stranger, viewer):
        assert somebody.tell("close").error["code"] == "not-yours"
        assert somebody.ask("GET", "/answers.csv").status == 403
        assert somebody.ask("DELETE", "").status == 403
    for somebody in (stranger, viewer):
        assert somebody.ask("GET", "/state").error["code"] == "no-seat"
        assert somebody.ask("GET", "/events").status == 401
        assert somebody.answer(1, 0).status == 401
    assert stranger.ask("GET", "/board").status == 403
    student.cookies["seat"] = f"7.{student.cookies['seat'].partition('.')[2]}"
    assert student.ask("GET", "/state").status == 401, "a seat is not another's"
    assert teacher.tell("lock").status == 200
    assert Someone(host, "/api/class").ask("POST", "/join", {"code": code}).error["code"] == "locked"
    assert host.post("/api/class/join", {"code": "ZZZZZ"}).error["code"] == "code-unknown"
    assert teacher.ask("POST", "/enter", {"key": "x"}).status == 403


@pytest.mark.parametrize(
    "command",
    [
        {"kind": "show", "address": "https://elsewhere.example/"},
        {"kind": "show", "address": "//elsewhere.example"},
        {"kind": "show", "address": "javascript:alert(1)"},
        {"kind": "ask", "ask": {"kind": "choice", "walk": LESSON, "step": -1}},
        {"kind": "dance"},
        {"kind": "close", "more": 1},
        {},
    ],
)
def test_what_a_teacher_cannot_say(host: Server, command: dict[str, object]) -> None:
    if not TOLD:
        TOLD.append(opened(host)[0])
    reply = TOLD[0].ask("POST", "/tell", command)
    assert (reply.status, reply.error["code"]) == (422, "request-invalid")


TOLD: list[Someone] = []


def test_what_comes_after_its_end_is_not_kept() -> None:
    """Such as the verdict on an answer that was being judged."""
    verdict: ClassVerdict = {
        "kind": "judged", "question": 1, "text": "a", "correct": True, "code": "right", "message": "", "where": None,
    }  # fmt: skip

    async def main() -> None:
        settings, journal = Settings(), Memory()
        rooms = Rooms(settings, journal, Pool(settings), Ours(settings))
        await rooms.open()
        room = await rooms.begin("/walk/first-steps", "a teacher")
        await rooms.note(room, verdict, "judged:1:a")
        await rooms.end(room)
        for late in (rooms.note(room, verdict, "judged:1:b"), rooms.say(room, {"kind": "locked"})):
            with pytest.raises(Failure, match="There is no such class"):
                await late
        assert await journal.groups() == []
        await rooms.stop()

    asyncio.run(main())


def test_a_class_survives_its_server_and_ended_means_gone(tmp_path: Path) -> None:
    kept = {**PLENTY, "class_folder": tmp_path / "classes"}
    with forked(**kept) as server:
        teacher, code, _ = opened(server)
        student = joined(server, code)
        teacher.tell("ask", ask=GRADIENT)
        assert student.answer(1, "dx = 2 * dy").status == 201
        server.process.send_signal(signal.SIGKILL)
    with forked(**kept) as server:
        for somebody in (teacher, student):
            somebody.server = server
        assert student.ask("GET", "/state").json()["question"]["mine"] == {"revision": 0, "value": "dx = 2 * dy"}
        assert student.answer(1, "dx = 2 * dy").status == 200
        assert eventually(lambda: board(teacher)["question"]["waiting"] == 0)
        assert board(teacher)["question"]["answered"] == 1
        assert joined(server, code).ask("GET", "/state").status == 200
        with student.events() as told:
            assert teacher.ask("DELETE", "").status == 204
            assert [event["kind"] for event in told][-1] == "ended"
        assert student.ask("GET", "/state").error["code"] == "class-unknown"
    assert list((tmp_path / "classes").iterdir()) == []
