"""A run outlives the server that has it: another one goes on where it was, and tells every event once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.events.redis_runs import key_of
from app.settings import Settings
from app.training import shared_runs
from app.training.shared_runs import SharedRuns
from tests.support.engines import Redis, redis
from tests.support.streams import Received, stream, until
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Reply, Server

SMALL: dict[str, Any] = {"walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": 8, "embedding": 3}, "batch": 8}
LONG = {**SMALL, "steps": 1_000_000}
MORE = 20  # events


@contextmanager
def several(folder: Path, count: int = 2, **settings: object) -> Iterator[tuple[Redis, list[Server]]]:
    """Servers that share a log."""
    with redis(folder) as log, ExitStack() as servers:
        given = {"workers": 1, "log": log.address} | settings
        yield log, [servers.enter_context(forked(**given)) for _ in range(count)]


def begun(server: Server, request: dict[str, Any]) -> str:
    reply = server.post("/api/training", request)
    assert reply.status == 201, reply.body
    return str(reply.json()["id"])


def losses(events: list[Received], place: int = 0) -> list[tuple[int, object]]:
    """Every loss that was told of a run, in the order in which it was."""
    reports = (event.data for event in events if event.data["kind"] == "report" and event.data["run"] == place)
    return [(step, loss) for report in reports for step, loss, _ in report["losses"]]


def some(server: Server, run: str, after: int | None = None, count: int = MORE) -> list[Received]:
    """The next events of a stream."""
    with stream(server, run, after) as events:
        return [event for event, _ in zip(events, range(count), strict=False)]


def numbers(events: list[Received]) -> list[int]:
    return [event.number for event in events]


def test_a_run_whose_server_is_killed_goes_on_at_another_as_if_nothing_had_been(tmp_path: Path) -> None:
    request = LONG | {"beside": {"optimiser": {"name": "adam"}}}
    with several(tmp_path) as (log, (one, other)):
        run = begun(one, request)
        told = some(one, run)
        one.process.send_signal(signal.SIGKILL)
        assert eventually(lambda: log.ask("HGET", key_of(run, "about"), "fence") == b"$1\r\n2\r\n"), (
            "nobody has asked for it"
        )
        told += some(other, run, told[-1].number)
        assert numbers(told) == list(range(1, len(told) + 1))
        assert [event.data["kind"] for event in told].count("start") == 4, "it went on in another process"
        whole = undisturbed(other, {**request, "steps": told[-1].data["steps_taken"]})
        for place in (0, 1):
            steps, known = [step for step, _ in losses(told, place)], dict(losses(whole, place))
            assert steps == sorted(set(steps)), "no step is told twice"
            alike = [known[step] == loss for step, loss in losses(told, place) if step in known]
            assert len(alike) > 50
            assert all(alike)


@pytest.mark.exhaustive
def test_a_server_that_only_slept_says_nothing_of_a_run_that_another_one_has_taken(tmp_path: Path) -> None:
    with several(tmp_path) as (_, (one, other)):
        workers = one.worker_pids()
        run = begun(one, LONG)
        told = some(one, run)
        one.process.send_signal(signal.SIGSTOP)
        told += some(other, run, told[-1].number)
        one.process.send_signal(signal.SIGCONT)
        assert eventually(lambda: one.worker_pids() == workers), "it has ended its process"
        assert tell(one, run, "stop").status == 200
        whole = until(other, run)
        assert whole[: len(told)] == told
        assert whole == until(one, run)


def test_a_run_is_told_what_to_do_and_ended_at_any_server_and_survives_the_end_of_its_own(tmp_path: Path) -> None:
    with several(tmp_path) as (log, (one, other)):
        run = begun(one, {**LONG, "paused": True})
        rate = {"name": "constant", "lr": 0.03125}
        assert tell(other, run, "set", schedule=rate).json()["lr"] == rate["lr"]
        assert tell(other, run, "step", count=3).status == 200
        assert eventually(lambda: other.get(f"/api/training/{run}").json()["status"] == "paused")
        assert other.get(f"/api/training/{run}").json()["run"]["steps_taken"] == 3
        assert tell(other, run, "compare", step=7).error["code"] == "step-not-taken"
        told = until(other, run, "report")
        assert told == until(one, run, "report")
        one.process.terminate()
        start = until(other, run, "start", after=until(other, run, "status")[-1].number)[-1].data
        assert (start["lr"], start["steps_taken"], start["status"]) == (rate["lr"], 3, "paused")
        assert tell(other, run, "resume").status == 200
        assert other.ask("DELETE", f"/api/training/{run}").status == 204
        assert other.get(f"/api/training/{run}").error["code"] == "training-unknown"
        assert run.encode() not in log.ask("KEYS", "*")


def tell(server: Server, run: str, command: str, **body: object) -> Reply:
    return server.post(f"/api/training/{run}/{command}", body)


def undisturbed(server: Server, request: dict[str, Any]) -> list[Received]:
    """The events of two runs that nothing happens to, to the end of both."""
    run = begun(server, request)
    first = until(server, run, "splits")
    return first + until(server, run, "splits", after=first[-1].number)


def test_a_server_stops_at_any_moment_of_its_looking_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that swallows a cancellation while it connects would have it look around for good."""
    monkeypatch.setattr(shared_runs, "LOOK_EVERY", 0)

    async def stopped(address: str, moment: int) -> None:
        runs = SharedRuns(Settings(), address)
        runs.open()
        for _ in range(moment):
            await asyncio.sleep(0)
        await runs.stop()

    async def main(address: str) -> None:
        stopping = {moment: asyncio.create_task(stopped(address, moment)) for moment in range(40)}
        _, left = await asyncio.wait(stopping.values(), timeout=60)
        assert not [moment for moment, task in stopping.items() if task in left]

    with redis(tmp_path) as log:
        asyncio.run(main(log.address))
