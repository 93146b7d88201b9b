"""`python -m tests.load.kills 20`: what holds a class is killed while it answers, with its power or without.

Everything is on this machine, in a folder of its own. What was acknowledged is looked for in the log that is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock
from typing import Any

from app.errors import Failure
from app.events.journal import Deaf, Journal, Kept, Sqlite
from app.events.redis_journal import RedisJournal
from tests.support.class_of import Someone, joined, opened
from tests.support.engines import Redis, noting, redis
from tests.support.power_cut import until_power_cut, without_power
from tests.support.replicas import is_kept, known, replicas
from tests.support.waiting import eventually
from tests.tools.server import Server, running

MOST_SEEDS = 100
STUDENTS, REVISIONS = 12, 8


@dataclass(frozen=True)
class Outcome:
    """How many were acknowledged, and of these how many are not in the log, and how many are there twice."""

    acknowledged: int
    lost: int
    twice: int


def outcome(acknowledged: list[str], found: list[str]) -> Outcome:
    """Compare what was acknowledged with what is kept."""
    counts = Counter(found)
    return Outcome(
        len(acknowledged), sum(not counts[key] for key in acknowledged), sum(count > 1 for count in counts.values())
    )


# The log alone.
def sqlite_cut(folder: Path, seed: int, *, weaker: bool = False) -> Outcome:
    """The power goes while SQLite keeps events; `weaker`: with `synchronous=NORMAL`."""
    acknowledged = list(until_power_cut(folder, seed, weaker=weaker))
    kept = asyncio.run(left(lambda: Sqlite(folder / "kept"), "class"))
    return outcome(acknowledged, [event.document.decode() for event in kept])


def redis_cut(folder: Path, seed: int, *, power: bool = True, weaker: bool = False) -> Outcome:
    """Redis ends while it keeps events; `weaker`: with `appendfsync everysec`, which a server would refuse."""
    with redis(folder) as server:
        acknowledged = asyncio.run(appended(server, random.Random(seed).randint(100, 400), power, weaker))
        kept = asyncio.run(left(lambda: RedisJournal(server.address), "class"))
    return outcome(acknowledged, [event.document.decode() for event in kept])


async def appended(server: Redis, count: int, power: bool, weaker: bool) -> list[str]:
    """What was acknowledged until Redis ended, which is there again now."""
    journal, acknowledged = RedisJournal(server.address), list[str]()
    await journal.open(Deaf())
    if weaker:
        server.ask("CONFIG", "SET", "appendfsync", "everysec")

    async def one(seat: int) -> None:
        for number in range(10_000):
            key = f"{seat}:{number}"
            await journal.append("class", "answers", key, key.encode())
            acknowledged.append(key)
            if len(acknowledged) == count:
                server.kill(power=power)

    answers = await asyncio.gather(*map(one, range(20)), return_exceptions=True)
    assert all(isinstance(answer, Failure) for answer in answers), answers
    await journal.close()
    server.start()
    return acknowledged


async def left(make: Callable[[], Journal], group: str) -> list[Kept]:
    """What a log holds."""
    journal = make()
    await journal.open(Deaf())
    try:
        return await journal.read(group)
    finally:
        await journal.close()


# A class.
@dataclass
class Held:
    """What holds a class: where they reach it, how it ends and begins again, and the log that is left of it."""

    teacher: Server
    students: Server
    servers: Sequence[Server]
    fail: Callable[[], None]
    log: Callable[[], Journal]


def class_kept(folder: Path, seed: int, held: Callable[[Path], contextlib.AbstractContextManager[Held]]) -> Outcome:
    """A class answers, each student again until it is acknowledged, while what holds it fails once."""
    drawn = random.Random(seed)
    with held(folder) as places:
        teacher, code, _ = opened(places.teacher)
        assert known(teacher, places.servers)
        ask = {"kind": "choice", "walk": {"lesson": "first-steps"}, "step": 0}
        assert teacher.tell("ask", ask=ask).status == 200
        seated = [joined(places.students, code) for _ in range(STUDENTS)]
        told, lock, due = list[str](), Lock(), Event()
        after = drawn.randrange(STUDENTS, STUDENTS * (REVISIONS - 2))

        def answer_all(student: Someone) -> None:
            for revision in range(REVISIONS):
                assert eventually(partial(is_kept, student, revision % 2, revision))
                with lock:
                    told.append(f"{student.cookies['seat'].partition('.')[0]}:{revision}")
                    if len(told) == after:
                        due.set()

        with ThreadPoolExecutor(STUDENTS) as threads:
            answering = [threads.submit(answer_all, student) for student in seated]
            while not due.wait(1):
                assert not any(one.done() and one.exception() for one in answering), "nothing is kept any more"
            places.fail()
            for one in answering:
                one.result()
        seen = replace(teacher, server=places.students)
        assert eventually(lambda: answered(seen) == STUDENTS), "the board counts each once"
        events = asyncio.run(left(places.log, teacher.path.rpartition("/")[2]))
    documents = [json.loads(event.document) for event in events]
    given = [f"{one['seat']}:{one['revision']}" for one in documents if one["kind"] == "given"]
    return outcome(told, given)


def answered(teacher: Someone) -> int:
    """How many have answered, as the teacher's board says."""
    with teacher.events("/board") as pictures:
        count: int = next(pictures)["question"]["answered"]
        return count


@contextlib.contextmanager
def several(folder: Path, fail: Callable[[Redis, Server], None]) -> Iterator[Held]:
    """Two servers with one Redis behind a proxy, and what becomes of one of them, or of Redis."""
    with replicas(folder) as two:
        log, (one, other) = two.log, two.servers
        yield Held(other, two.proxied, two.servers, lambda: fail(log, one), lambda: RedisJournal(log.address))


def replica_killed(folder: Path) -> contextlib.AbstractContextManager[Held]:
    """One of two servers is killed, and does not come again."""
    return several(folder, lambda _, server: server.process.send_signal(9))


def redis_killed(folder: Path, *, power: bool = False) -> contextlib.AbstractContextManager[Held]:
    """Redis is killed, and started again."""

    def fail(log: Redis, _: Server) -> None:
        log.kill(power=power)
        log.start()

    return several(folder, fail)


def redis_without_power(folder: Path) -> contextlib.AbstractContextManager[Held]:
    """The same, and what Redis had not synchronised is gone."""
    return redis_killed(folder, power=True)


@contextlib.contextmanager
def embedded(folder: Path, *, power: bool) -> Iterator[Held]:
    """One server with SQLite, which is killed, and another one in its place."""
    folder.mkdir(parents=True, exist_ok=True)
    files, sizes = folder / "classes", folder / "sizes"
    with contextlib.ExitStack() as servers:
        settings: dict[str, Any] = {"workers": 1, "class_folder": files}
        with variables(noting(sizes)):
            first = servers.enter_context(running(**settings))
        places = Server(first.url, first.process, first.log)

        def fail() -> None:
            first.process.send_signal(9)
            first.process.wait()
            if power:
                without_power(sizes, files)
            again = ["--port", first.url.rpartition(":")[2]]
            servers.enter_context(running(*again, **settings))

        yield Held(places, places, [places], fail, lambda: Sqlite(files))


@contextlib.contextmanager
def variables(given: dict[str, str]) -> Iterator[None]:
    """The environment of what is started meanwhile."""
    before = dict(os.environ)
    os.environ.update(given)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


# Each with how many acknowledged answers may be lost: none, or, with a setting that is too weak, some.
MATRIX: dict[str, Callable[[Path, int], Outcome]] = {
    "SQLite, its power": sqlite_cut,
    "Redis, kill -9": partial(redis_cut, power=False),
    "Redis, its power": redis_cut,
    "class, a replica, kill -9": partial(class_kept, held=replica_killed),
    "class, Redis, kill -9": partial(class_kept, held=redis_killed),
    "class, Redis, its power": partial(class_kept, held=redis_without_power),
    "class, one server, kill -9": partial(class_kept, held=partial(embedded, power=False)),
    "class, one server, its power": partial(class_kept, held=partial(embedded, power=True)),
}
WEAKER: dict[str, Callable[[Path, int], Outcome]] = {
    "SQLite, its power, synchronous=NORMAL": partial(sqlite_cut, weaker=True),
    "Redis, its power, appendfsync everysec": partial(redis_cut, weaker=True),
}


def main() -> None:
    """Play the whole matrix for so many seeds, and print what came of it."""
    seeds = min(int((sys.argv[1:] or ["3"])[0]), MOST_SEEDS)
    for name, play in (MATRIX | WEAKER).items():
        outcomes: list[Outcome] = []
        for seed in range(seeds):
            with TemporaryDirectory() as folder:
                outcomes.append(play(Path(folder), seed))
        told = (sum(one.acknowledged for one in outcomes), sum(one.lost for one in outcomes))
        print(f"{name}: {told[0]} acknowledged, {told[1]} lost, {sum(one.twice for one in outcomes)} twice", flush=True)


if __name__ == "__main__":
    main()
