"""Who has a run: one server at a time, and what an earlier one still has to say is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.errors import Failure
from app.events import redis_runs
from app.events.redis_runs import FencedError, RedisRuns, Told
from tests.support.engines import redis


def told(number: int, said: bytes = b"{}") -> Told:
    return Told(number, "running", said)


async def refused(runs: RedisRuns, run: str, fence: int) -> None:
    """Nothing that changes a run is done for a server that has it no more."""
    for word in (
        runs.append(run, fence, told(9), 1),
        runs.keep(run, fence, b"late", 9),
        runs.renew(run, fence),
        runs.leave(run, fence),
    ):
        with pytest.raises(FencedError):
            await word


def test_a_run_has_one_server_and_what_an_earlier_one_says_is_refused(tmp_path: Path) -> None:
    async def main(address: str) -> None:
        one, other = RedisRuns(address, 1), RedisRuns(address, 1)
        first = await one.begin("r", "somebody", b"body")
        assert await other.take("r") == 0, "its lease goes on"
        await one.append("r", first, told(1, b"first"), 1)
        await one.keep("r", first, b"state", 1)
        assert not await one.renew("r", first)
        await other.watched("r")
        assert await one.renew("r", first), "somebody watches it elsewhere"
        await one.leave("r", first)
        assert await other.all() == {"r": False}
        second = await other.take("r")
        assert second > first
        await refused(one, "r", first)
        await other.append("r", second, told(2, b"second"), 1)
        assert await one.events("r", 0) == [told(1, b"first"), told(2, b"second")]
        assert await one.news("r", 1) == [told(2, b"second")]
        assert await one.state("r") == (b"state", 1)
        known = await one.known("r")
        assert known is not None
        assert (known.client, known.body) == ("somebody", b"body")
        await one.forget("r")
        await refused(other, "r", second)
        assert (await one.known("r"), await one.all(), await one.take("r")) == (None, {}, 0)
        assert await one._asked("KEYS", "*") == []
        await asyncio.gather(one.close(), other.close())

    with redis(tmp_path) as server:
        asyncio.run(main(server.address))


def test_a_lease_that_is_not_renewed_is_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_runs, "LEASE", 20)

    async def main(address: str) -> None:
        one, other = RedisRuns(address, 1), RedisRuns(address, 1)
        fence = await one.begin("r", "", b"")
        async with asyncio.timeout(60):
            taken = 0
            while not taken:
                await asyncio.sleep(0.01)
                taken = await other.take("r")
        await refused(one, "r", fence)
        await asyncio.gather(one.close(), other.close())

    with redis(tmp_path) as server:
        asyncio.run(main(server.address))


def test_an_event_that_is_sent_again_is_kept_once_and_old_ones_are_forgotten(tmp_path: Path) -> None:
    async def main(address: str) -> None:
        runs = RedisRuns(address, 1)
        fence = await runs.begin("r", "", b"")
        for number in (1, 2, 2, 3):
            await runs.append("r", fence, told(number, b"%d" % number), 1)
        assert [event.document for event in await runs.events("r", 0)] == [b"1", b"2", b"3"]
        await runs.append("r", fence, told(4), 3)
        assert [event.number for event in await runs.events("r", 0)] == [3, 4]
        await runs.close()

    with redis(tmp_path) as server:
        asyncio.run(main(server.address))


def test_a_command_is_carried_out_by_the_server_that_has_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_runs, "REPLY", 1)

    async def main(address: str) -> None:
        one, other = RedisRuns(address, 1), RedisRuns(address, 1)
        fence = await one.begin("r", "", b"")
        asking = asyncio.create_task(other.ask("r", "step", b"\n{}\n", 60))
        asked = await one.asked()
        assert asked is not None
        assert (asked[0]["run"], asked[0]["name"], asked[1]) == ("r", "step", b"\n{}\n")
        await one.answer(asked[0]["reply"], 409, b"no\nmore")
        assert await asking == (409, b"no\nmore")
        asking = asyncio.create_task(other.ask("r", "step", b"{}", 60))
        assert await one.asked() is not None
        await one.leave("r", fence)
        with pytest.raises(Failure, match="another one takes it"):
            await asking
        await asyncio.gather(one.close(), other.close())

    with redis(tmp_path) as server:
        asyncio.run(main(server.address))


def test_a_wait_that_is_called_off_at_any_moment_ends(tmp_path: Path) -> None:
    async def main(address: str) -> None:
        for moment in range(40):
            runs = RedisRuns(address, 1)
            waiting = asyncio.create_task(endlessly(runs))
            for _ in range(moment):
                await asyncio.sleep(0)
            waiting.cancel()
            async with asyncio.timeout(60):
                await asyncio.wait([waiting])
            await runs.close()

    async def endlessly(runs: RedisRuns) -> None:
        while True:
            await runs.news("r", 0)

    with redis(tmp_path) as server:
        asyncio.run(main(server.address))
