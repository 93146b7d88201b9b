"""Runs among many clients: who gets a place, who loses one, and how many follow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.support.streams import ask_from, stream
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Server

LONG: dict[str, Any] = {
    "walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": 8, "embedding": 3}, "batch": 8, "steps": 1_000_000,
}  # fmt: skip
PAUSED = {**LONG, "paused": True}
ONE, TWO, THREE = "127.0.0.1", "127.0.0.2", "127.0.0.3"
MOST, STREAMS_EACH, STREAMS_OF_ONE = 4, 3, 5


@pytest.fixture(scope="module")
def crowded() -> Iterator[Server]:
    """A server with few places for runs and for those who follow them."""
    streams = {"training_streams_per_client": STREAMS_EACH, "training_streams_per_run": STREAMS_OF_ONE}
    with forked(workers=1, training_runs=MOST, training_runs_per_client=1, **streams) as server:
        yield server


@pytest.fixture
def host(crowded: Server) -> Iterator[Server]:
    """The same without the runs of the test before."""
    yield crowded
    for run in BEGUN:
        crowded.ask("DELETE", f"/api/training/{run}")
    BEGUN.clear()


BEGUN: list[str] = []


def begin(server: Server, address: str, request: dict[str, Any] = PAUSED) -> str:
    reply = ask_from(server, address, "POST", "/api/training", request)
    assert reply.status == 201, reply.body
    BEGUN.append(reply.json()["id"])
    return BEGUN[-1]


def refused(server: Server, address: str) -> tuple[int, str]:
    reply = ask_from(server, address, "POST", "/api/training", PAUSED)
    return reply.status, reply.error["code"]


def status_of(server: Server, run: str) -> str:
    reply = server.get(f"/api/training/{run}")
    return str(reply.json()["status"]) if reply.status == 200 else reply.error["code"]


def test_two_strangers_who_watch_all_runs_lose_the_one_that_has_rested_longest(host: Server) -> None:
    with ExitStack() as stack:
        owners = ONE, TWO, ONE, TWO
        held = [begin(host, address) for address in owners]
        following = zip(held, owners, strict=True)
        streams = [stack.enter_context(stream(host, run, address=address)) for run, address in following]
        third = begin(host, THREE)
        assert [status_of(host, run) for run in held].count("training-unknown") == 1
        assert status_of(host, held[0]) == "training-unknown"
        assert [event.data["kind"] for event in streams[0]][:1] == ["start"], "and its stream has an end"
        assert refused(host, THREE) == (429, "training-full"), "no more than its share is anybody sure of"
        assert status_of(host, third) == "paused"


def test_what_trains_is_taken_after_what_rests(host: Server) -> None:
    held = [begin(host, ONE, LONG), *(begin(host, ONE) for _ in range(MOST - 1))]
    with ExitStack() as stack:
        for run in held[:2]:
            stack.enter_context(stream(host, run))
        begin(host, TWO)
        assert [status_of(host, run) for run in held] == ["running", "training-unknown", "paused", "paused"]


def test_a_class_behind_one_address_has_every_place_that_nobody_else_needs(host: Server) -> None:
    for _ in range(MOST):
        begin(host, ONE)
    assert refused(host, ONE) == (429, "training-full")
    for address in (TWO, THREE, "127.0.0.4"):
        begin(host, address)
    assert refused(host, "127.0.0.5") == (503, "training-full"), "everybody has one"


def test_streams_are_bounded_for_each_client_and_each_run(host: Server) -> None:
    run, path = begin(host, ONE), f"/api/training/{BEGUN[-1]}/events"
    with ExitStack() as stack:
        for _ in range(STREAMS_EACH):
            stack.enter_context(stream(host, run))
        reply = ask_from(host, ONE, "GET", path)
        assert (reply.status, reply.error["code"], reply.headers["retry-after"]) == (429, "streams-full", "3")
        for _ in range(STREAMS_OF_ONE - STREAMS_EACH):
            stack.enter_context(stream(host, run, address=TWO))
        assert ask_from(host, TWO, "GET", path).status == 429
    assert eventually(lambda: host.get(f"/api/training/{run}").json()["watched"] is False)
    for _ in range(2 * STREAMS_EACH):  # whoever leaves gives the place back, and so does who asks for the head alone
        assert ask_from(host, ONE, "HEAD", path).status == 200
    with stream(host, run):
        assert host.get(f"/api/training/{run}").json()["watched"] is True


@pytest.mark.exhaustive
def test_what_rests_too_long_or_is_too_old_ends_though_it_is_watched() -> None:
    with forked(workers=1, training_rested=1.0) as server, ExitStack() as stack:
        rests, trains = begin(server, ONE, LONG), begin(server, ONE, LONG)
        for run in (rests, trains):
            stack.enter_context(stream(server, run))
        server.post(f"/api/training/{rests}/pause", {})
        assert eventually(lambda: status_of_unasked(server, rests) == 404)
        assert status_of_unasked(server, trains) == 200
    with forked(workers=1, training_longest_hours=6 / 3600) as server:
        run = begin(server, ONE, LONG)
        with stream(server, run):
            assert eventually(lambda: status_of_unasked(server, run) == 404)
    BEGUN.clear()


def status_of_unasked(server: Server, run: str) -> int:
    """Whether a run is there, without asking the run itself for anything."""
    return server.ask("HEAD", f"/api/training/{run}/events").status
