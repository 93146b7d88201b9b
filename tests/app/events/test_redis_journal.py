"""Several servers have one log: all hear the same in one order, and a Redis that could lose something is refused."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from app.errors import Failure
from app.events import redis_journal
from app.events.journal import Appended, Kept
from app.events.redis_journal import NEEDED, Entries, RedisJournal, UnsafeLogError, check
from app.settings import Settings
from tests.support.engines import free_port, redis
from tests.support.waiting import eventually
from tests.tools.forked import run_module
from tests.tools.server import ROOT


class Hearing:
    """Remembers what it hears."""

    def __init__(self) -> None:
        self.events: list[Kept] = []
        self.ended: list[str] = []
        self.anew: list[str] = []

    def heard(self, _group: str, events: list[Kept]) -> None:
        self.events += events

    def gone(self, group: str) -> None:
        self.ended.append(group)

    def lost(self, group: str) -> None:
        self.events.clear()
        self.anew.append(group)


@contextlib.asynccontextmanager
async def at(address: str, most: int = 64) -> AsyncIterator[tuple[RedisJournal, Hearing]]:
    """A server's journal, and what it hears."""
    journal, hearing = RedisJournal(address, most), Hearing()
    await journal.open(hearing)
    try:
        yield journal, hearing
    finally:
        await journal.close()


async def until(condition: Callable[[], bool]) -> None:
    """Wait as long as a busy machine may take."""
    assert await asyncio.to_thread(eventually, condition)


async def kept_in_the_end(journal: RedisJournal, key: str) -> Appended:
    """Append as a phone does: again until it is acknowledged."""
    while True:
        try:
            return await journal.append("g", "answers", key, key.encode())
        except Failure as failure:
            assert (failure.status, failure.code) == (503, "log-away")
            await asyncio.sleep(0.01)


def test_all_servers_hear_the_same_in_the_same_order(tmp_path: Path) -> None:
    async def main(address: str) -> None:
        async with at(address) as (one, first), at(address) as (other, second):
            sent = [(journal, f"{key}") for key in range(100) for journal in (one, other)]
            told = await asyncio.gather(*(journal.append("g", "answers", key, b"") for journal, key in sent))
            assert sum(answer.new for answer in told) == 100
            for journal in (one, other):
                await journal.caught_up("g")
            assert first.events == second.events == await one.read("g")
            assert [await server.around("g", said) for server, said in ((one, "3"), (other, "4 {}"), (one, "2"))] == [
                [],
                ["3"],
                ["4 {}"],
            ]
            await other.forget("g")
            await one.caught_up("g")
            assert first.ended == second.ended == ["g"]

    with redis(tmp_path) as server:
        asyncio.run(main(server.address))


@pytest.mark.parametrize(
    ("name", "value"), [("appendfsync", "everysec"), ("appendonly", "no"), ("maxmemory-policy", "allkeys-lru")]
)
def test_a_redis_that_could_lose_something_is_refused(tmp_path: Path, name: str, value: str) -> None:
    with redis(tmp_path, **{name: value}) as server:
        with pytest.raises(UnsafeLogError) as refused:
            asyncio.run(check(server.address))
        assert str(refused.value).startswith(f"Redis has {name} {value}, and could lose what it has acknowledged.")
        for words in NEEDED.items():
            assert " ".join(words) in str(refused.value), "the sentence says how to start it"


def test_what_an_operator_is_told_to_start_is_accepted() -> None:
    """The compose file and the document for operators name every setting that is needed."""
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    told = re.findall("redis-server .*", (ROOT / "docs/CLASSES.md").read_text())
    for command in (composed["redis"]["command"], *told):
        assert all(f"--{name} {value}" in command for name, value in NEEDED.items())
    assert all(map(setting, composed["app"]["environment"]))


def setting(name: str) -> bool:
    """Whether a variable of the environment is one that the server reads."""
    return name.removeprefix("GRADWALK_").lower() in Settings.model_fields


def test_a_redis_that_wants_a_password_or_is_not_there_is_told(tmp_path: Path) -> None:
    with redis(tmp_path, requirepass="secret") as server:
        with pytest.raises(UnsafeLogError, match="wants a password"):
            asyncio.run(check(server.address))
        asyncio.run(check(f"redis://:secret@127.0.0.1:{server.port}"))
    with pytest.raises(UnsafeLogError, match=r"No Redis answers at 127\.0\.0\.1:\d+\.$"):
        asyncio.run(check(f"redis://:secret@127.0.0.1:{free_port()}"))


@pytest.mark.parametrize(
    "address",
    [
        "redis://:hid/den@127.0.0.1:1", "redis://:hid#den@127.0.0.1:1", "redis://:hid?den@127.0.0.1:1",
        "redis://:hid den@127.0.0.1:1", "redis://:hid@den@127.0.0.1:1", "redis://:4711?hid@127.0.0.1:1",
        "redis://:hidden@127.0.0.1:port", "redis://:hidden@127.0.0.1:99999", "redis://:hidden@127.0.0.1:1?nothing=1",
        "redis://:hidden@127.0.0.1:1?socket_timeout=long", "redis://127.0.0.1:1?password=hidden",
        "redis://127.0.0.1:1?password=hid@den", "rediss://:hidden@127.0.0.1:1", "unix://:hidden@/nowhere",
    ],
)  # fmt: skip
def test_no_word_of_a_password_is_told(address: str) -> None:
    ended = run_module("app", "--port", "0", "--no-browser", GRADWALK_LOG=address)
    assert ended.code == 1
    assert len(ended.err.splitlines()) == 1, "a sentence"
    assert not re.search("hid|den|4711", ended.out + ended.err)
    with contextlib.suppress(ValidationError):
        assert "hid" not in repr(Settings(log=address))


def test_a_server_does_not_start_on_it(tmp_path: Path) -> None:
    with redis(tmp_path, appendfsync="everysec") as server:
        ended = run_module("app", "--port", "0", "--no-browser", GRADWALK_LOG=server.address)
    assert ended.code == 1
    assert ended.err.startswith("Redis has appendfsync everysec")


def test_while_redis_is_away_nothing_is_acknowledged_and_then_it_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        with redis(tmp_path) as server:
            async with at(server.address) as (journal, hearing):
                before = [await journal.append("g", "answers", str(n), b"%d" % n) for n in range(5)]
                server.kill()
                with pytest.raises(Failure) as refused:
                    await journal.append("g", "answers", "new", b"new")
                assert (refused.value.status, refused.value.code) == (503, "log-away")
                await asyncio.to_thread(server.start)
                again = [await kept_in_the_end(journal, str(n)) for n in range(5)]
                assert [one.number for one in again] == [one.number for one in before]
                assert not any(one.new for one in again)
                await kept_in_the_end(journal, "new")
                assert hearing.events == await journal.read("g")
                assert (hearing.ended, hearing.anew) == ([], [])

    asyncio.run(main())


class Held(RedisJournal):
    """A journal that hears nothing further until it is let go."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.free = asyncio.Event()
        self.free.set()

    async def _news(self, milliseconds: int | None = None) -> dict[str, Entries]:
        told = await super()._news(milliseconds)
        await self.free.wait()
        return told


def test_what_is_kept_is_acknowledged_once_it_was_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipeline is written after the one before was answered, so the first event had its answer from Redis."""
    monkeypatch.setattr(redis_journal, "PATIENCE", 3600.0)

    async def main(address: str) -> None:
        journal, hearing = Held(address), Hearing()
        await journal.open(hearing)
        journal.free.clear()
        first = asyncio.create_task(journal.append("g", "answers", "1", b"1"))
        while not await journal.read("g"):
            pass
        second = asyncio.create_task(journal.append("h", "answers", "2", b"2"))
        while not await journal.read("h"):
            pass
        assert not first.done()
        assert not hearing.events
        journal.free.set()
        assert [*await asyncio.gather(first, second)] == [Appended(1, new=True)] * 2
        assert {event.document for event in hearing.events} == {b"1", b"2"}
        await journal.close()

    with redis(tmp_path) as server:
        asyncio.run(main(server.address))


def test_what_redis_has_lost_is_told(tmp_path: Path) -> None:
    """The file has lost its end, which happens with other settings: whoever heard of it hears all anew."""

    async def main() -> None:
        with redis(tmp_path) as server:
            async with at(server.address) as (journal, hearing):
                for number in range(5):
                    await journal.append("g", "answers", str(number), b"%d" % number)
                size = (await asyncio.to_thread(file.stat)).st_size if (file := incremental(tmp_path)) else 0
                await journal.append("g", "answers", "5", b"5")
                server.kill()
                with file.open("rb+") as cut:
                    cut.truncate(size)
                await asyncio.to_thread(server.start)
                await until(lambda: hearing.anew == ["g"] and len(hearing.events) == 5)
                assert await kept_in_the_end(journal, "6") == Appended(6, new=True)
                assert [event.document for event in hearing.events] == [b"0", b"1", b"2", b"3", b"4", b"6"]

    asyncio.run(main())


def incremental(folder: Path) -> Path:
    """The file that Redis writes commands to."""
    (file,) = folder.glob("appendonlydir/*.incr.aof")
    return file


def test_a_full_redis_says_so(tmp_path: Path) -> None:
    async def main(address: str) -> None:
        async with at(address) as (journal, _):

            async def fill() -> None:
                for number in range(200):
                    await journal.append("g", "answers", str(number), b"x" * (1 << 17))

            with pytest.raises(Failure) as refused:
                await fill()
            assert (refused.value.status, refused.value.code) == (503, "log-full")

    with redis(tmp_path, maxmemory="8mb") as server:
        asyncio.run(main(server.address))
