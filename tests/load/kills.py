"""`python -m tests.load.kills 20`: what holds a class is killed while it answers, with its power or without.

Everything is on this machine, in a folder of its own. What was acknowledged is looked for in the log that is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock
from typing import Any

from app.errors import Failure
from app.events.journal import Deaf, Journal, Kept, Sqlite
from app.events.redis_journal import RedisJournal
from tests.support.class_of import Someone, joined, opened
from tests.support.engines import Redis, cut, haproxy, noting, redis
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Server, running

MOST_SEEDS = 100
STUDENTS, REVISIONS = 12, 8
# Appends forever, and says of each event what it was told of it.
APPENDING = """
import asyncio, sys
from http.client import HTTPException
from pathlib import Path
from app.events.journal import Sqlite

opened = Sqlite._opened

def as_told(self, group):
    file = opened(self, group)
    if "weaker" in sys.argv:
        file.execute("PRAGMA synchronous=NORMAL")
    return file

Sqlite._opened = as_told

async def main():
    journal = Sqlite(Path(sys.argv[1]))
    async def one(seat):
        for number in range(10_000):
            key = f"{seat}:{number}"
            await journal.append("class", "answers", key, key.encode())
            print(key, flush=True)
    await asyncio.gather(*map(one, range(20)))
asyncio.run(main())
"""


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
    folder.mkdir(parents=True, exist_ok=True)
    sizes, files = folder / "sizes", folder / "kept"
    command = [sys.executable, "-c", APPENDING, str(files), *(["weaker"] if weaker else [])]
    acknowledged: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=noting(sizes)) as process:
        assert process.stdout is not None
        for _, line in zip(range(random.Random(seed).randint(100, 400)), process.stdout, strict=False):
            acknowledged.append(line.strip())
        process.kill()
    without_power(sizes, files)
    kept = asyncio.run(left(lambda: Sqlite(files), "class"))
    return outcome(acknowledged, [event.document.decode() for event in kept])


def without_power(sizes: Path, files: Path) -> None:
    """Take from SQLite's files what was not on the disk; the index beside a log is in memory."""
    cut(sizes, [file for file in files.glob("*") if not file.name.endswith("-shm")])
    for file in files.glob("*-shm"):
        file.unlink()


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
    """What holds a class, how it ends and begins again, and the log that is left of it."""

    teacher: Server
    students: Server
    fail: Callable[[], None]
    log: Callable[[], Journal]


def class_kept(folder: Path, seed: int, held: Callable[[Path], contextlib.AbstractContextManager[Held]]) -> Outcome:
    """A class answers, each student again until it is acknowledged, while what holds it fails once."""
    drawn = random.Random(seed)
    with held(folder) as places:
        teacher, code, _ = opened(places.teacher)
        ask = {"kind": "choice", "walk": {"lesson": "first-steps"}, "step": 0}
        assert teacher.tell("ask", ask=ask).status == 200
        seated = [joined(places.students, code) for _ in range(STUDENTS)]
        acknowledged, lock, due = list[str](), Lock(), Event()
        after = drawn.randrange(STUDENTS, STUDENTS * (REVISIONS - 2))

        def answer_all(student: Someone) -> None:
            for revision in range(REVISIONS):
                assert eventually(partial(kept, student, revision))
                with lock:
                    acknowledged.append(f"{student.cookies['seat'].partition('.')[0]}:{revision}")
                    if len(acknowledged) == after:
                        due.set()

        with ThreadPoolExecutor(STUDENTS) as threads:
            answering = [threads.submit(answer_all, student) for student in seated]
            due.wait()
            places.fail()
            for one in answering:
                one.result()
        seen = replace(teacher, server=places.students)
        assert eventually(lambda: answered(seen) == STUDENTS), "the board counts each once"
        events = asyncio.run(left(places.log, teacher.path.rpartition("/")[2]))
    documents = [json.loads(event.document) for event in events]
    given = [f"{one['seat']}:{one['revision']}" for one in documents if one["kind"] == "given"]
    return outcome(acknowledged, given)


def kept(student: Someone, revision: int) -> bool:
    """Whether an answer was acknowledged."""
    try:
        return student.answer(1, revision % 2, revision).status in (200, 201)
    except (OSError, HTTPException, json.JSONDecodeError):
        return False


def answered(teacher: Someone) -> int:
    """How many have answered, as the teacher's board says."""
    with teacher.events("/board") as pictures:
        count: int = next(pictures)["question"]["answered"]
        return count


@contextlib.contextmanager
def replicas(folder: Path, fail: Callable[[Redis, Server], None]) -> Iterator[Held]:
    """Two servers with one Redis behind a proxy."""
    with redis(folder / "redis") as log:
        settings: dict[str, Any] = {"workers": 1, "log": log.address, "trusted_proxies": "127.0.0.0/8"}
        with (
            forked(**settings) as one,
            forked(**settings) as other,
            haproxy(folder, [one.address, other.address]) as url,
        ):
            proxied = Server(url, other.process, other.log)
            assert eventually(lambda: found(proxied))
            yield Held(other, proxied, lambda: fail(log, one), lambda: RedisJournal(log.address))


def found(server: Server) -> bool:
    """Whether a proxy has found a server."""
    try:
        return server.get("/readyz").status == 200
    except OSError:
        return False


def replica_killed(folder: Path) -> contextlib.AbstractContextManager[Held]:
    """One of two servers is killed, and does not come again."""
    return replicas(folder, lambda _, server: server.process.send_signal(9))


def redis_killed(folder: Path, *, power: bool = False) -> contextlib.AbstractContextManager[Held]:
    """Redis is killed, and started again."""

    def fail(log: Redis, _: Server) -> None:
        log.kill(power=power)
        log.start()

    return replicas(folder, fail)


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

        yield Held(places, places, fail, lambda: Sqlite(files))


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
