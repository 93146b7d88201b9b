"""What is ours is there at once: no deadline, no stranger's program and no lost worker keeps it from anybody."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from typing import Any

import pytest

import backend
from app.body import Posted
from app.compute.ours import Ours
from app.compute.pool import busy, lost, overdue
from app.errors import Failure
from app.settings import Settings
from backend.engine.encode import as_json
from tests.support.own_requests import own_requests
from tests.tools.forked import forked
from tests.tools.server import Server

LESSON = {"lesson": "first-steps"}


@pytest.fixture(scope="module")
def hasty() -> Iterator[Server]:
    """A server with one worker that leaves no time for any program of a stranger's."""
    with forked(ahead=True, workers=1, queue=1, deadline=0.02) as server:
        yield server


def slow(size: int = 20) -> dict[str, Any]:
    """Half a second of work, within the language's own budget."""
    drawn = {"role": "parameter", "shape": [size, size], "init": "randn", "seed": 1}
    return {
        "source": "h = x * w\nfor i in range(400):\n    h = h * w\nloss = h.mean()",
        "tensors": {"x": drawn, "w": drawn},
    }


@pytest.mark.exhaustive
def test_no_deadline_and_no_stranger_keeps_anybody_from_what_is_ours(hasty: Server) -> None:
    asked = [own_requests(every=8)] * 20
    with ThreadPoolExecutor(1) as strangers:
        for some in zip_longest(*asked, fillvalue=("/", None)):
            late = strangers.submit(hasty.post, "/api/walk", slow())
            for address, body in some:
                reply = hasty.get(address) if body is None else hasty.post(address, body)
                assert reply.status == 200, (address, body, reply.body[:200])
            assert (late.result().status, late.result().error["code"]) == (504, "too-slow")


def test_what_is_ours_has_room_where_strangers_fill_the_line() -> None:
    with (
        forked(workers=1, queue=1, deadline=60, wall_deadline=240, queue_patience=240) as server,
        ThreadPoolExecutor(4) as strangers,
    ):
        late = [strangers.submit(server.post, "/api/walk", slow(20 + number), 480) for number in range(4)]
        for lesson in [one["name"] for one in server.get("/api/lessons").json()["lessons"]]:
            assert server.post("/api/practice/tasks", {"walk": {"lesson": lesson}}).status == 200
        assert sorted(one.result().status for one in late) == [200, 200, 503, 503]


def test_a_worker_that_is_lost_is_replaced_for_what_is_ours_too(hasty: Server) -> None:
    for seed in (6, 7):
        hasty.signal_workers(signal.SIGKILL)
        assert hasty.get(f"/api/drills?seed={seed}&groups=products").status == 200


def test_what_is_kept_is_what_the_engine_answers(hasty: Server) -> None:
    for walk in (LESSON | {"exact": True}, LESSON, LESSON | {"exact": False}):
        asked = hasty.post("/api/walk", walk).body
        assert stripped(asked) == stripped(backend.walk({"exact": False, **walk}))
        assert asked == hasty.post("/api/walk", walk).body  # timings and all: it is not computed again


def test_a_whole_walk_of_ours_is_not_the_near_one_that_is_kept(hasty: Server) -> None:
    near, complete = hasty.post("/api/walk", LESSON).body, hasty.post("/api/walk?steps=all", LESSON).body
    assert stripped(near) == stripped(backend.walk({"exact": False, **LESSON}))
    assert stripped(complete) == stripped(backend.walk({"exact": False, **LESSON, "steps": "all"}))
    assert len(complete) > len(near)
    kept = hasty.post("/api/walk", LESSON).body, hasty.post("/api/walk?steps=all", LESSON).body
    assert kept == (near, complete)


def test_steps_of_a_walk_of_ours_are_answered_where_no_deadline_holds(hasty: Server) -> None:
    dear = {"walk": {"lesson": "recurrent"}, "steps": [20, 30], "judged": [], "gradients": True, "questions": True}
    hasty.get("/api/lessons")
    assert hasty.post("/api/steps", dear).json() == json.loads(as_json(backend.steps(dear), "typed"))
    assert hasty.post("/api/steps", {"walk": slow(), "steps": [0], "judged": []}).error["code"] == "too-slow"


@pytest.mark.parametrize(
    ("job", "body", "near"),
    [
        ("steps", {"walk": LESSON, "steps": [0], "judged": []}, True),
        ("steps", {"walk": LESSON | {"exact": True}, "steps": "nonsense"}, True),
        ("steps", {"walk": LESSON | {"seed": 1}, "steps": [0], "judged": []}, False),
        ("steps", {"steps": [0]}, False), ("steps", [], False), ("step", {"walk": LESSON, "index": 0}, False),
        ("steps", {"walk": LESSON, "steps": [0], "judged": ["x" * 4096]}, False),
    ],
)  # fmt: skip
def test_steps_of_ours_are_asked_of_our_worker_and_not_kept(ours: Ours, job: str, body: Any, near: bool) -> None:
    posted = Posted(json.dumps(body).encode(), {})
    asyncio.run(ours.answer("lessons"))
    assert ours.near(job, posted) == near
    assert ours.recognised(job, posted) is None
    assert [key for key in ours._answers if "steps" in key] == []


def stripped(body: bytes) -> bytes:
    """Without what no two runs have in common."""
    return re.sub(rb'"milliseconds":\{[^}]*\}', b"", body)


@pytest.fixture
def ours(monkeypatch: pytest.MonkeyPatch) -> Ours:
    """A store that knows one lesson and one start, whose worker counts what it is asked instead of computing it."""
    made = Ours(Settings())
    start = {"source": "y = x * 3", "tensors": {"x": {"role": "parameter", "values": 2.0}, "w": {"role": "data"}}}
    lists = {"lessons": [{"name": "first-steps", "also": ["line"]}], "starts": [{"name": "line", "request": start}]}
    asked: list[str] = []

    async def run(job: str, argument: Any, _: str) -> tuple[int, bytes]:
        asked.append(job)
        await asyncio.sleep(0)
        if isinstance(argument, Failure):
            raise argument
        return (404, b"{}") if argument == "unknown" else (200, json.dumps({job: lists.get(job)}).encode())

    monkeypatch.setattr(made.pool, "run", run)
    monkeypatch.setattr(made, "asked", asked, raising=False)
    return made


def test_each_is_computed_once_and_who_leaves_does_not_end_it(ours: Ours) -> None:
    async def hold() -> None:
        leaving = asyncio.create_task(ours.answer("chapter", "softmax"))
        staying = asyncio.create_task(ours.answer("chapter", "softmax"))
        await asyncio.sleep(0)
        leaving.cancel()
        assert (await staying)[0] == (await ours.answer("chapter", "softmax"))[0] == 200
        assert (await ours.answer("chapter", "unknown"))[0] == (await ours.answer("chapter", "unknown"))[0] == 404

    asyncio.run(hold())
    assert ours.asked == ["chapter", "chapter", "chapter"]  # type: ignore[attr-defined]  # see the fixture


@pytest.mark.parametrize("failure", [busy(), lost(), overdue(2.0)], ids=lambda failure: str(failure.code))
def test_what_fails_is_never_laid_at_the_reader_s_door(
    ours: Ours, failure: Failure, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(*_: object) -> None:
        raise failure

    monkeypatch.setattr(ours.pool, "run", run)
    for _ in range(2):  # nothing is kept of it
        with pytest.raises(Failure) as told:
            asyncio.run(ours.answer("chapter", "softmax"))
        assert (told.value.code, told.value.headers) == ("not-made", {"Retry-After": "1"})
        assert "smaller" not in f"{told.value.message} {told.value.hint}"


TENSORS = '{"x":{"role":"parameter","values":2.0},"w":{"role":"data"}}'
OWN = [
    ("walk", '{"lesson":"first-steps"}'),
    ("walk", '{ "exact": true, "lesson": "line" }'),
    ("walk", f'{{"source":"y = x * 3","tensors":{TENSORS},"exact":false}}'),
    ("pieces", '{"walk":{"lesson":"first-steps","exact":false}}'),
    ("practice-tasks", '{"walk":{"lesson":"line"}}'),
]
STRANGERS = [
    ("walk", '{"lesson":"first-steps","seed":1}'),
    ("walk", '{"lesson":"first-steps","changes":[]}'),
    ("walk", '{"lesson":"first-steps","only":["y"]}'),
    ("walk", '{"lesson":"first-steps","exact":0}'),
    ("walk", '{"lesson":["first-steps"]}'),
    ("walk", '{"lesson":"second-steps"}'),
    # an answer follows the order in which tensors are told, and so this is another question
    ("walk", '{"source":"y = x * 3","tensors":{"w":{"role":"data"},"x":{"role":"parameter","values":2.0}}}'),
    ("walk", f'{{"source":"y = x * 4","tensors":{TENSORS}}}'),
    ("walk", '{"lesson":"first-steps"' + " " * 4096 + "}"),
    ("walk", "[" * 4000),
    ("walk", "\ud800"),
    ("walk", "[]"),
    ("walk", "null"),
    ("walk", ""),
    ("pieces", '{"lesson":"first-steps"}'),
    ("pieces", '{"walk":{"lesson":"first-steps"},"tensor":"y"}'),
    ("practice-check", '{"walk":{"lesson":"first-steps"}}'),
]


@pytest.mark.parametrize(
    ("job", "body", "own"), [(*one, True) for one in OWN] + [(*one, False) for one in STRANGERS]
)  # fmt: skip
def test_what_is_ours_is_recognised_and_nothing_else(ours: Ours, job: str, body: str, own: bool) -> None:
    async def found(**options: str) -> Posted | None:
        for name in ("lessons", "starts"):
            await ours.answer(name)
        return ours.recognised(job, Posted(body.encode("utf-8", "surrogatepass"), options))

    known = asyncio.run(found(arrays="typed"))
    assert (known is not None) == own
    assert asyncio.run(found(arrays="lists")) is None
    if known is not None:
        told = json.loads(known.body)
        walk = told if job == "walk" else told["walk"]
        assert walk == {"exact": False} | (json.loads(body) if job == "walk" else json.loads(body)["walk"])


def test_what_pages_are_made_of_is_computed_before_anybody_asks(ours: Ours, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, Any]] = []
    starts = [{"name": "short", "request": LESSON}]

    async def run(job: str, argument: Any, _: str) -> tuple[int, bytes]:
        asked.append((job, argument))
        lists = {"chapters": [{"name": "softmax"}], "groups": [{"name": "products"}], "lessons": [], "starts": starts}
        lists |= {"exhibits": [{"title": "", "kind": "bug", "sides": [{"label": "", "link": "/walk/one.meant"}]}]}
        return 200, json.dumps(lists).encode()

    monkeypatch.setattr(ours.pool, "run", run)
    asyncio.run(ours.prepare())
    lists = ("lessons", "operations", "starts", "chapters", "exhibits", "uses", "sections")
    dear = [("chapter", "softmax"), ("drills", (0, ())), ("drills", (0, ("products",)))]
    walked = ("walk", Posted(b'{"lesson":"first-steps","exact":false}', {}))
    assert asked == [*((name, None) for name in lists), *dear, walked]
