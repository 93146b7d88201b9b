"""Runs in Redis, which several servers share: one of them hosts each, and another one takes it when its lease is out.

Whoever takes a run has a fencing number, one higher than whoever had it before. Redis looks at it with every word, so
that a server which only slept can say nothing more of a run that another one has taken meanwhile
(https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/, M. Kleppmann on fencing).
"""

import asyncio
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any, Literal, get_args

from app.errors import Failure
from app.events.journal import not_kept
from app.events.redis_journal import AGAIN, AWAY, BLOCK, client

LEASE = 4000  # milliseconds
SEEN = 5000  # milliseconds for which a server's word holds that somebody watches
REPLY = 2  # seconds of one wait for an answer
RUNS = "gradwalk:runs"
Word = str | int | bytes
# What it was begun with and how far it is; the server that has it, for as long as its lease; what it has told; its last
# state; and, while somebody watches it at another server than its host, that.
Part = Literal["about", "host", "events", "state", "seen"]
BEGIN = """
redis.call('HSET', KEYS[1], 'fence', 1, 'client', ARGV[1], 'body', ARGV[2], 'at', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
redis.call('SADD', KEYS[3], ARGV[7])
return 1
"""
TAKE = """
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SREM', KEYS[3], ARGV[3]) return 0 end
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return redis.call('HINCRBY', KEYS[1], 'fence', 1)
"""
FENCED = "if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return -1 end\n"
RENEW = f"""{FENCED}
for place = 1, 4 do redis.call('EXPIRE', KEYS[place], ARGV[4]) end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return redis.call('EXISTS', KEYS[5])
"""
# The same event again, after an answer that was lost on its way, changes nothing.
APPEND = f"""{FENCED}
if tonumber(redis.call('HGET', KEYS[1], 'last') or '0') >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'last', ARGV[2])
redis.call('XADD', KEYS[3], 'MINID', '=', '0-' .. ARGV[3], '0-' .. ARGV[2], 'status', ARGV[4], 'document', ARGV[5])
return 1
"""
KEEP = f"""{FENCED}
redis.call('HSET', KEYS[1], 'after', ARGV[2])
redis.call('SET', KEYS[4], ARGV[3])
return 1
"""
LEAVE = f"""{FENCED}
return redis.call('DEL', KEYS[2])
"""


class FencedError(Exception):
    """Another server has the run by now, or it has ended."""


@dataclass(frozen=True)
class Told:
    """An event as it is kept: its number, the run's status after it, and what it says."""

    number: int
    status: str
    document: bytes


@dataclass(frozen=True)
class Known:
    """What is kept of a run: of whom it is, what it was begun with, and how many seconds ago."""

    client: str
    body: bytes
    age: float


class RedisRuns:
    """Runs that several servers know; `hours` after its host's last word one is forgotten at the latest."""

    def __init__(self, address: str, hours: float) -> None:
        self.redis, self.seconds = client(address), int(hours * 3600) + 1
        self.me = secrets.token_hex(8)

    async def close(self) -> None:
        """Ask no more."""
        await self.redis.aclose()

    # Who has a run.
    async def begin(self, run: str, whose: str, body: bytes) -> int:
        """Have a run known to all servers, hosted by this one; its fencing number."""
        words = whose, body, str(time.time()), self.me, LEASE, self.seconds, run
        return await self._run(BEGIN, run, *words)

    async def all(self) -> dict[str, bool]:
        """Every run, and whether a server has it."""
        names = [name.decode() for name in await self._asked("SMEMBERS", RUNS)]
        return {name: bool(await self._asked("EXISTS", key_of(name, "host"))) for name in names}

    async def take(self, run: str) -> int:
        """The fencing number with which this server has a run from now on; 0 where another one has it, or nobody."""
        return await self._run(TAKE, run, self.me, LEASE, run)

    async def renew(self, run: str, fence: int) -> bool:
        """Keep a run for longer; whether somebody watches it at another server. Raises FencedError."""
        return bool(await self._fenced(RENEW, run, fence, self.me, LEASE, self.seconds))

    async def leave(self, run: str, fence: int) -> None:
        """Let another server take a run at once. Raises FencedError."""
        await self._fenced(LEAVE, run, fence)

    async def forget(self, run: str) -> None:
        """Remove a run, and every word of it."""
        await self._asked("UNLINK", *keys_of(run))
        await self._asked("SREM", RUNS, run)

    # What is known of it.
    async def known(self, run: str) -> Known | None:
        """What a run was begun with; None where there is none."""
        client_, body, at = await self._asked("HMGET", key_of(run, "about"), "client", "body", "at")
        return None if at is None else Known(client_.decode(), body, max(0.0, time.time() - float(at)))

    async def append(self, run: str, fence: int, told: Told, first: int) -> None:
        """Keep the next event, and of those before none with a number below `first`. Raises FencedError."""
        await self._fenced(APPEND, run, fence, told.number, first, told.status, told.document)

    async def keep(self, run: str, fence: int, state: bytes, after: int) -> None:
        """Keep a state as it is after an event, in place of the one before. Raises FencedError."""
        await self._fenced(KEEP, run, fence, after, state)

    async def state(self, run: str) -> tuple[bytes | None, int]:
        """The last state, and the number of the event before it."""
        state = await self._asked("GET", key_of(run, "state"))
        return state, int(await self._asked("HGET", key_of(run, "about"), "after") or 0)

    async def events(self, run: str, after: int) -> list[Told]:
        """The events of a run with higher numbers."""
        return list(map(told_in, await self._asked("XRANGE", key_of(run, "events"), f"(0-{after}", "+")))

    async def news(self, run: str, after: int) -> list[Told]:
        """The same once there are some; none where none come for a while."""
        found = await self._asked("XREAD", "BLOCK", BLOCK, "STREAMS", key_of(run, "events"), f"0-{after}")
        return list(map(told_in, found[0][1])) if found else []

    async def watched(self, run: str) -> None:
        """Say that somebody watches a run here."""
        await self._asked("SET", key_of(run, "seen"), 1, "PX", SEEN)

    async def exists(self, run: str) -> bool:
        """Whether there is such a run."""
        return bool(await self._asked("EXISTS", key_of(run, "about")))

    # What is asked of it at another server.
    async def ask(self, run: str, name: str, body: bytes, patience: float) -> tuple[int, bytes]:
        """What the server that has a run answers to a command; 503 where it dies meanwhile, or none takes the run."""
        try:
            async with asyncio.timeout(patience):
                host = await self._asked("GET", key_of(run, "host"))
                while host is None:  # soon another server takes the run
                    await asyncio.sleep(AGAIN)
                    host = await self._asked("GET", key_of(run, "host"))
                return await self._answer(run, host, name, body)
        except TimeoutError:
            raise moved() from None

    async def _answer(self, run: str, host: bytes, name: str, body: bytes) -> tuple[int, bytes]:
        reply = f"gradwalk:reply:{secrets.token_hex(16)}"
        head = json.dumps({"run": run, "reply": reply, "name": name}).encode()
        await self._asked("RPUSH", asked_of(host.decode()), head + b"\n" + body)
        await self._asked("EXPIRE", asked_of(host.decode()), 60)
        while (answer := await self._asked("BLPOP", reply, REPLY)) is None:
            if await self._asked("GET", key_of(run, "host")) != host:
                raise moved()
        status, _, said = answer[1].partition(b"\n")
        return int(status), said

    async def asked(self) -> tuple[dict[str, str], bytes] | None:
        """The next command that another server has for a run of this one: of which, and where the answer goes."""
        found = await self._asked("BLPOP", asked_of(self.me), REPLY)
        if found is None:
            return None
        head, _, body = found[1].partition(b"\n")
        return json.loads(head), body

    async def answer(self, reply: str, status: int, body: bytes) -> None:
        """Answer a command."""
        await self._asked("RPUSH", reply, b"%d\n%b" % (status, body))
        await self._asked("EXPIRE", reply, 60)

    # Redis.
    async def _fenced(self, script: str, run: str, fence: int, *words: Word) -> int:
        answer = await self._run(script, run, fence, *words)
        if answer < 0:
            raise FencedError
        return answer

    async def _run(self, script: str, run: str, *words: Word) -> int:
        keys = keys_of(run) if script.startswith(FENCED) else [key_of(run, "about"), key_of(run, "host"), RUNS]
        answer: int = await self._asked("EVAL", script, len(keys), *keys, *words)
        return answer

    async def _asked(self, *words: Word) -> Any:
        try:
            return await self.redis.execute_command(*words)
        except AWAY:
            raise not_kept("log-away") from None
        finally:
            task = asyncio.current_task()
            if task is not None and task.cancelling():  # the library swallows a cancellation while it connects
                raise asyncio.CancelledError


def told_in(entry: tuple[bytes, dict[bytes, bytes]]) -> Told:
    """An entry of a stream as an event."""
    place, said = entry
    return Told(int(place.partition(b"-")[2]), said[b"status"].decode(), said[b"document"])


def moved() -> Failure:
    """The 503 for a command whose run is on its way to another server."""
    message = "The server that had this run has gone, and another one takes it."
    return Failure(503, "training-moving", message, "Try again in a moment.", {"Retry-After": "2"})


def keys_of(run: str) -> list[str]:
    """Everything that is kept of a run."""
    return [key_of(run, part) for part in get_args(Part)]


def key_of(run: str, part: Part) -> str:
    """Where a part of a run is kept."""
    return f"gradwalk:run:{run}:{part}"


def asked_of(server: str) -> str:
    """The commands for runs of a server."""
    return f"gradwalk:asked:{server}"
