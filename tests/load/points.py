"""`python -m tests.load.points 7 8`: what a class is held to, each point played on this machine and measured.

The numbers are those of the list in `POINTS`; without any all are played. Times are of a machine with nothing else to
do; what has no time is asserted.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from app.classroom.rooms import LEFT_SECONDS
from tests.bench.reach import told
from tests.load.students import Student, crowd, heard, resident_mib, say
from tests.support.class_of import Someone, board, joined, opened
from tests.support.replicas import known, replicas
from tests.support.sockets import HEALTH, connect
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Server, read_from

CHOICE = {"kind": "choice", "walk": {"lesson": "first-steps"}, "step": 0}
GRADIENT = {"kind": "gradient", "walk": {"lesson": "first-steps"}, "target": "x"}
SPREAD = 15.0  # seconds
STEPS = 5000
STRANGERS, EACH = 200, 12
SECRET = "dx = 3 * dy + 424242 * 0"


async def seated(server: Server, code: str, count: int) -> tuple[list[Student], list[asyncio.Task[None]]]:
    """So many who follow."""
    students = crowd(server, count)
    await asyncio.gather(*(one.join(code) for one in students))
    following = [asyncio.create_task(one.follow("ended")) for one in students]
    await heard(students, 1)
    return students, following


def p99(times: Sequence[float]) -> float:
    """The slowest hundredth, in milliseconds."""
    return 1e3 * quantiles(times, n=100)[98]


def spread(count: int = 1000) -> None:
    """Answers over fifteen seconds, how soon the board has them all, and what memory is left of the class."""

    async def main(server: Server) -> None:
        before = resident_mib(server.process.pid)
        teacher, code, _ = await asyncio.to_thread(opened, server)
        students, following = await seated(server, code, count)
        asked = await say(teacher, "ask", ask=CHOICE)
        await heard(students, 2)

        async def later(place: int, one: Student) -> float:
            await asyncio.sleep(SPREAD * place / count)
            return await one.answer(place % len(asked["ask"]["choices"]))

        times = await asyncio.gather(*(later(place, one) for place, one in enumerate(students)))
        last = time.perf_counter()
        while (await asyncio.to_thread(board, teacher))["question"]["answered"] < count:
            pass
        told(f"3: {count} answers over {SPREAD:.0f} s, kept, p99", p99(times), 250, "ms")
        told("3: the board has all of them", 1e3 * (time.perf_counter() - last), 500, "ms")
        await say(teacher, "end")
        await asyncio.gather(*following)
        await asyncio.sleep(LEFT_SECONDS + 5)
        told("4: memory more than before, after the class", resident_mib(server.process.pid) - before, 20, "MiB")

    with TemporaryDirectory() as folder, forked(workers=1, class_folder=folder) as server:
        asyncio.run(main(server))
        assert not list(Path(folder).iterdir()), "12: nothing is left in the folder"


def replica_dies(count: int = 1000) -> None:
    """Half of the streams are cut; each comes again, as a page does, and misses nothing."""

    async def main(proxied: Server, servers: Sequence[Server]) -> None:
        teacher, code, _ = await asyncio.to_thread(opened, servers[1])
        assert await asyncio.to_thread(known, teacher, servers)
        students = crowd(proxied, count)
        for start in range(0, count, 100):
            await asyncio.gather(*(one.join(code) for one in students[start : start + 100]))
        cuts: list[float] = []
        draw = random.Random(1)

        async def follow(one: Student) -> None:
            while not (one.told and one.told[-1][1]["kind"] == "ended"):
                await one.follow("ended")
                if one.told and one.told[-1][1]["kind"] != "ended":
                    cuts.append(time.perf_counter())
                await asyncio.sleep(draw.uniform(0.5, 2.5))  # as `retry:` says

        following = [asyncio.create_task(follow(one)) for one in students]
        await heard(students, 1)
        died = time.perf_counter()
        servers[0].process.send_signal(signal.SIGKILL)
        await say(teacher, "show", address="/walk/first-steps?step=7")
        await heard(students, 2)
        times = [one.told[1][0] - died for one in students]
        cut = sorted(times)[-len(cuts) :]
        told(f"6: {len(cuts)} of {count} streams cut; whole again, p50", median(cut), 3, "s")
        told("6: the last of them", max(times), 8, "s")
        await say(teacher, "end")
        await asyncio.gather(*following)
        kinds = {tuple(event["kind"] for _, event in one.told) for one in students}
        assert kinds == {("shown", "shown", "ended")}, kinds
        assert len(cuts) <= 0.7 * count, "no stream of the living one was cut"

    with TemporaryDirectory() as folder, replicas(Path(folder)) as held:
        asyncio.run(main(held.proxied, held.servers))


def gradients(count: int = 300) -> None:
    """As many different wrong gradients at once, while somebody else walks; then ten texts, each judged once."""

    async def main(server: Server) -> None:
        teacher, code, _ = await asyncio.to_thread(opened, server)
        students, _ = await seated(server, code, count)
        await say(teacher, "ask", ask=GRADIENT)
        await heard(students, 2)
        begun = time.perf_counter()
        kept = await asyncio.gather(*(write(one, 1, f"dx = {place + 4} * dy") for place, one in enumerate(students)))
        assert [status for status, _ in kept] == [201] * count, "no answer is refused"
        told(f"7: {count} gradients kept", time.perf_counter() - begun, 1, "s")
        walk = {"walk": {"lesson": "first-steps", "seed": 77}}
        asked = time.perf_counter()
        reply = await asyncio.to_thread(server.post, "/api/walk", walk["walk"])
        assert reply.status == 200, reply.body
        told("7: another one's walk meanwhile", time.perf_counter() - asked, 2, "s")
        await judged(teacher)
        told("7: all judged", time.perf_counter() - begun, 30, "s")
        await say(teacher, "ask", ask=GRADIENT)
        await heard(students, 4)
        await asyncio.gather(*(write(one, 2, f"dx = {place % 10 + 900} * dy") for place, one in enumerate(students)))
        texts = (await judged(teacher))["texts"]
        assert sorted(one["students"] for one in texts) == [count // 10] * 10

    with forked(workers=2) as server:
        asyncio.run(main(server))


async def judged(teacher: Someone) -> dict[str, Any]:
    """A question as it stands once nothing is left to judge."""
    assert await asyncio.to_thread(eventually, lambda: board(teacher)["question"]["waiting"] == 0)
    standing: dict[str, Any] = (await asyncio.to_thread(board, teacher))["question"]
    return standing


async def write(student: Student, question: int, text: str) -> tuple[int, bytes]:
    """What comes of an answer in words."""
    return await student.ask("POST", "/answers", {"question": question, "round": 1, "revision": 0, "value": text})


def late() -> None:
    """Somebody comes at event 5,000, and a phone after ten minutes."""

    async def main(server: Server) -> None:
        teacher, code, _ = await asyncio.to_thread(opened, server)

        def lead() -> None:
            for step in range(STEPS):
                assert teacher.tell("show", address=f"/walk/first-steps?step={step % 9}").status == 200

        (phone,), _ = await seated(server, code, 1)
        await asyncio.to_thread(lead)
        (one,) = crowd(server, 1)
        begun = time.perf_counter()
        await one.join(code)
        status, body = await one.ask("GET", "/state", None)
        told(f"8: the class as it is at event {STEPS}", 1e3 * (time.perf_counter() - begun), 300, "ms")
        told("8: its size", len(body) / 1024, 64, "KiB")
        assert (status, json.loads(body)["number"]) == (200, STEPS + 1)
        status, body = await phone.ask("GET", f"/events?after={STEPS - 99}&wait=1", None)
        events = [event["number"] for event in json.loads(body)["events"]]
        assert events == list(range(STEPS - 98, STEPS + 2)), "8: a hundred steps in one answer"

    with forked(workers=1) as server:
        asyncio.run(main(server))


def strangers(count: int = 40) -> None:
    """All places are taken by two hundred addresses: no stream is cut, and the teacher goes on."""

    async def main(server: Server) -> None:
        teacher, code, _ = await asyncio.to_thread(opened, server)
        students, following = await seated(server, code, count)
        with ExitStack() as stack:
            for place in range(STRANGERS * EACH):
                client = stack.enter_context(connect(server, f"127.9.0.{1 + place % STRANGERS}"))
                client.setblocking(False)
            refused = stack.enter_context(connect(server, "127.8.0.1"))
            refused.sendall(HEALTH)
            assert read_from(refused).status == 503, "all places are taken"
            begun = time.perf_counter()
            await say(teacher, "show", address="/walk/first-steps?step=4")
            assert (await asyncio.to_thread(board, teacher))["present"] == count
            await heard(students, 2)
            told(f"11: {STRANGERS} strangers: the teacher's step", 1e3 * (time.perf_counter() - begun), 1000, "ms")
            assert not any(task.done() for task in following), "no stream is cut"

    with forked(workers=1, header_seconds=120) as server:
        asyncio.run(main(server))


def ended() -> None:
    """A class in Redis leaves no key, and no word in its files ten seconds later."""

    with TemporaryDirectory() as name, replicas(Path(name)) as held:
        folder, (server, _) = Path(name), held.servers
        teacher, code, _ = opened(server)
        students = [joined(server, code) for _ in range(5)]
        assert teacher.tell("ask", ask=GRADIENT).status == 200
        assert all(one.answer(1, SECRET).status == 201 for one in students)
        assert is_in(folder), "it was there"
        assert teacher.tell("end").status == 200
        begun = time.perf_counter()
        assert eventually(lambda: not is_in(folder))
        told("12: no word in Redis' files after", time.perf_counter() - begun, 10, "s")
        assert teacher.path.rpartition("/")[2].encode() not in held.log.ask("KEYS", "*"), "no key"


def is_in(folder: Path) -> bool:
    """Whether an answer stands in a file of Redis, which may remove one meanwhile."""
    found = False
    for file in folder.rglob("*.aof"):
        with suppress(FileNotFoundError):
            found |= SECRET.encode() in file.read_bytes()
    return found


POINTS: dict[str, Callable[[], None]] = {
    "3": spread, "6": replica_dies, "7": gradients, "8": late, "11": strangers, "12": ended,
}  # fmt: skip


def main() -> None:
    """Play some."""
    for name in sys.argv[1:] or POINTS:
        POINTS[name]()


if __name__ == "__main__":
    main()
