"""Events in Redis Streams, which several servers share: what one of them keeps all of them hear, in the same order."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, RedisError, ResponseError

from app.events.journal import GONE, Appended, Deaf, Kept, Listener, not_kept

AT_ONCE = 500  # appends of one pipeline, for which Redis synchronises its file once
PATIENCE = 10.0  # seconds until Redis counts as away
AGAIN = 0.25  # seconds until it is looked for again
BLOCK = 2000  # milliseconds of one wait for news
HERE_SECONDS = 15  # after which a server that says nothing more counts nobody
FIRST = "0-0"
Entries = list[tuple[bytes, dict[bytes, bytes]]]
AWAY = RedisError, OSError, TimeoutError
GROUPS, NEWS = "gradwalk:groups", "gradwalk:news"
# Nothing that was acknowledged is lost with these, whatever ends Redis or its machine.
NEEDED = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
# A key is looked for and added in one go; Redis runs nothing else meanwhile, and logs all of it or nothing.
APPEND = """
if ARGV[7] == '' and redis.call('EXISTS', KEYS[1]) == 0 then return {0, 0} end
local there = redis.call('HGET', KEYS[2], ARGV[2] .. ' ' .. ARGV[3])
if there then return {tonumber(there), 0} end
if tonumber(redis.call('HGET', KEYS[2], '#') or '0') + #ARGV[4] > tonumber(ARGV[5]) then return {-1, 0} end
redis.call('HINCRBY', KEYS[2], '#', #ARGV[4])
local number = redis.call('HINCRBY', KEYS[2], '#' .. ARGV[2], 1)
redis.call('HSET', KEYS[2], ARGV[2] .. ' ' .. ARGV[3], number)
redis.call('XADD', KEYS[1], '*', 'topic', ARGV[2], 'number', number, 'document', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[6])
if redis.call('SADD', KEYS[3], ARGV[1]) == 1 then
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', 1000, '*', 'group', ARGV[1], 'gone', '')
end
return {number, 1}
"""
log = logging.getLogger("gradwalk.events")


class UnsafeLogError(Exception):
    """Why a Redis can't be used, in a sentence."""


@dataclass(eq=False)
class Write:
    """An append, and who waits for it; the answer is None where Redis is away, and begins with −1 where it is full."""

    group: str
    topic: str
    key: str
    document: bytes
    begin: bool
    done: asyncio.Future[tuple[int, int] | None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class RedisJournal:
    """One stream for each group, of no more than `most_mib`, forgotten `hours` after its last event at the latest.

    One connection reads all streams, one writes what all wait for in a pipeline. An append is answered once Redis has
    synchronised its file and this server has heard the event, in its place among those of others.
    """

    def __init__(self, address: str, most_mib: int = 64, hours: float = 24.0) -> None:
        self.most, self.seconds = most_mib << 20, int(hours * 3600) + 1
        self.reading, self.writing = client(address, alone=True), client(address)
        self.listener: Listener = Deaf()
        self.me = secrets.token_hex(8)
        self.places: dict[str, str] = {}  # of each stream, what was heard of it last
        self.numbers: dict[tuple[str, str], int] = {}  # of each group's topics
        self.waiting: asyncio.Queue[Write] = asyncio.Queue()
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.safe = False  # Redis is there, and set up as it has to be
        self.tasks: set[asyncio.Task[None]] = set()
        self.closed = False  # the library may turn a task's cancellation into an error of its own

    async def open(self, listener: Listener) -> None:
        """Tell a listener all that is kept, and from then on whatever comes; raises UnsafeLogError."""
        self.listener = listener
        await self._resume()
        self.tasks |= {asyncio.create_task(self._read_all()), asyncio.create_task(self._write_all())}

    async def close(self) -> None:
        """Read and write no more."""
        self.closed = True
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for one in (self.reading, self.writing):
            with contextlib.suppress(*AWAY):
                await one.aclose()

    # What is kept.
    async def append(self, group: str, topic: str, key: str, document: bytes, *, begin: bool = True) -> Appended:
        """Keep an event once; 503 where Redis is full or away."""
        if not self.safe:
            raise not_kept("log-away")
        write = Write(group, topic, key, document, begin)
        self.waiting.put_nowait(write)
        answer = await write.done
        if answer is None:
            raise not_kept("log-away")
        number, new = answer
        if number < 0:
            raise not_kept("log-full")
        if not number:
            return GONE
        await self._until(lambda: self.numbers.get((group, topic), 0) >= number)
        return Appended(number, bool(new))

    async def read(self, group: str) -> list[Kept]:
        """Every event of a group."""
        return [event for _, event in kept_in(await self._asked("XRANGE", events_of(group), "-", "+"))]

    async def groups(self) -> list[str]:
        """The groups that are kept."""
        named = sorted(name.decode() for name in await self._asked("SMEMBERS", GROUPS))
        return [name for name in named if await self._asked("EXISTS", events_of(name))]

    async def forget(self, group: str) -> None:
        """Remove a group, and have Redis write its file anew without what was in it."""
        try:
            pipeline = self.writing.pipeline(transaction=True)
            pipeline.execute_command("UNLINK", events_of(group), seen_of(group), here_of(group))
            pipeline.execute_command("SREM", GROUPS, group)
            pipeline.execute_command("XADD", NEWS, "MAXLEN", "~", 1000, "*", "group", group, "gone", "1")
            await pipeline.execute()
        except AWAY:
            raise not_kept("log-away") from None
        rewriting = asyncio.create_task(self._rewrite())
        self.tasks.add(rewriting)
        rewriting.add_done_callback(self.tasks.discard)
        await self._until(lambda: events_of(group) not in self.places)

    async def _rewrite(self) -> None:
        """Until then its file holds every word that was deleted."""
        while not self.closed:
            try:
                await self.writing.execute_command("BGREWRITEAOF")
                return
            except AWAY:  # it is away, or at it already, for what was deleted before
                await asyncio.sleep(AGAIN)

    async def caught_up(self, group: str) -> None:
        """Hear all of a group that any server has kept before now."""
        last: dict[str, str] = {}
        for stream in (NEWS, events_of(group)):
            for place, _ in await self._asked("XREVRANGE", stream, "+", "-", "COUNT", 1):
                last[stream] = place.decode()
        await self._until(lambda: all(order(self.places.get(one, FIRST)) >= order(last[one]) for one in last))

    async def around(self, group: str, said: str) -> list[str]:
        """Say something of a group for HERE_SECONDS; what the other servers say."""
        here, (now, _) = here_of(group), await self._asked("TIME")
        pipeline = self.writing.pipeline(transaction=False)
        pipeline.execute_command("HSET", here, self.me, f"{int(now)} {said}")
        pipeline.execute_command("EXPIRE", here, HERE_SECONDS)
        pipeline.execute_command("HGETALL", here)
        try:
            *_, told = await pipeline.execute()
        except AWAY:
            raise not_kept("log-away") from None
        others = [one.decode().partition(" ") for server, one in told.items() if server.decode() != self.me]
        return [text for when, _, text in others if int(now) - int(when) < HERE_SECONDS]

    async def _asked(self, *words: str | int) -> Any:
        try:
            return await self.writing.execute_command(*words)
        except AWAY:
            raise not_kept("log-away") from None

    # Writing.
    async def _write_all(self) -> None:
        while not self.closed:
            first = await self.waiting.get()
            batch = [first, *islice(iter(self._at_hand, None), AT_ONCE - 1)]
            for write, answer in zip(batch, await self._written(batch), strict=True):
                if not write.done.done():  # else whoever asked has gone
                    write.done.set_result(answer)

    def _at_hand(self) -> Write | None:
        return None if self.waiting.empty() else self.waiting.get_nowait()

    async def _written(self, batch: list[Write]) -> list[tuple[int, int] | None]:
        pipeline = self.writing.pipeline(transaction=False)
        for one in batch:
            keys = events_of(one.group), seen_of(one.group), GROUPS, NEWS
            given = one.group, one.topic, one.key, one.document, self.most, self.seconds, "begin" if one.begin else ""
            pipeline.execute_command("EVAL", APPEND, len(keys), *keys, *given)
        try:
            return [read_answer(one) for one in await pipeline.execute(raise_on_error=False)]
        except AWAY:
            return [None] * len(batch)

    # Reading.
    async def _read_all(self) -> None:
        while not self.closed:
            try:
                if not self.safe:
                    await self._resume()
                self._take(await self._news(BLOCK))
            except AWAY:
                self._lost_sight()
                await asyncio.sleep(AGAIN)
            except UnsafeLogError as unsafe:
                log.error("%s", unsafe)
                await asyncio.sleep(PATIENCE)

    def _lost_sight(self) -> None:
        if self.safe:
            log.warning("Redis is away: nothing is kept until it is back.")
        self.safe = False

    async def _news(self, milliseconds: int | None = None) -> dict[str, Entries]:
        """What came after what was heard of each stream; waits so long where nothing did."""
        wait = () if milliseconds is None else ("BLOCK", milliseconds)
        answer = await self.reading.execute_command("XREAD", *wait, "STREAMS", *self.places, *self.places.values())
        return {name.decode(): entries for name, entries in answer or ()}

    async def _resume(self) -> None:
        """Take up where the last connection has ended, or begin."""
        await checked(self.reading)
        news = await self.reading.execute_command("XREVRANGE", NEWS, "+", "-", "COUNT", 1)
        self.places[NEWS] = news[0][0].decode() if news else FIRST
        there = {name.decode() for name in await self.reading.execute_command("SMEMBERS", GROUPS)}
        for group in self._known() - there:
            self._drop(group)
        for group in there:
            await self._resume_group(group)
        self._take(await self._news())
        self.safe = True

    async def _resume_group(self, group: str) -> None:
        place = self.places.setdefault(events_of(group), FIRST)
        if place != FIRST and not await self.reading.execute_command("XRANGE", events_of(group), place, place):
            log.error("Redis has lost the end of what it had kept: look at its settings and at its disk.")
            self._forgotten(group)
            self.listener.lost(group)
            self.places[events_of(group)] = FIRST

    def _known(self) -> set[str]:
        return {name.removeprefix("gradwalk:events:") for name in self.places if name != NEWS}

    def _drop(self, group: str) -> None:
        self._forgotten(group)
        self.listener.gone(group)

    def _forgotten(self, group: str) -> None:
        self.places.pop(events_of(group), None)
        self.numbers = {key: number for key, number in self.numbers.items() if key[0] != group}

    def _take(self, told: dict[str, Entries]) -> None:
        """Pass on what was read, and wake whoever waits for it."""
        for stream in [name for name in told if name != NEWS]:
            group, events = stream.removeprefix("gradwalk:events:"), list(kept_in(told[stream]))
            self.places[stream] = events[-1][0]
            self.numbers |= {(group, event.topic): event.number for _, event in events}
            self.listener.heard(group, [event for _, event in events])
        for place, said in told.get(NEWS, ()):
            self.places[NEWS], group = place.decode(), said[b"group"].decode()
            if said[b"gone"]:
                self._drop(group)
            else:
                self.places.setdefault(events_of(group), FIRST)
        turned, self.turn = self.turn, asyncio.get_running_loop().create_future()
        turned.set_result(None)

    async def _until(self, ready: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not ready():
                    await asyncio.shield(self.turn)
        except TimeoutError:
            raise not_kept("log-away") from None


def client(address: str, *, alone: bool = False) -> Redis:
    """Connections, or one alone, that tell at once when they are lost: nothing is asked again unseen."""
    return Redis.from_url(
        address, single_connection_client=alone, protocol=2, retry=Retry(NoBackoff(), 0),
        socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE,
    )  # fmt: skip


async def check(address: str) -> None:
    """Raise UnsafeLogError where a Redis can't be reached, or would lose in a power cut what it has acknowledged."""
    try:
        async with client(address) as asking:
            await checked(asking)
    except AuthenticationError:
        sentence = "Redis wants a password, or another one: write it as in redis://:password@host:6379."
        raise UnsafeLogError(sentence) from None
    except AWAY:
        host = address.partition("?")[0].rpartition("@")[2].removeprefix("redis://")  # never the password
        raise UnsafeLogError(f"No Redis answers at {host}.") from None
    except (TypeError, ValueError):
        raise UnsafeLogError("The address of Redis has a port or an option that there can't be.") from None


async def checked(asking: Redis) -> None:
    """Raise UnsafeLogError where the settings of a Redis are others than needed."""
    for name, needed in NEEDED.items():
        try:
            answer: list[bytes] = await asking.execute_command("CONFIG", "GET", name)
        except ResponseError:
            raise UnsafeLogError("This Redis doesn't tell its settings, so it can't be relied on.") from None
        found = answer[1].decode() if answer else "unknown"
        if found != needed:
            raise UnsafeLogError(
                f"Redis has {name} {found}, and could lose what it has acknowledged. Start it as in "
                f"redis-server {' '.join(f'--{one} {value}' for one, value in NEEDED.items())}"
            )


def read_answer(answer: object) -> tuple[int, int] | None:
    """What the script answered; None for what Redis itself refused, and as with a full log where it is full."""
    if isinstance(answer, list):
        return answer[0], answer[1]
    return (-1, 0) if "maxmemory" in str(answer) else None


def kept_in(entries: Entries) -> Iterator[tuple[str, Kept]]:
    """Entries of a stream as events, each with its place."""
    for place, said in entries:
        yield place.decode(), Kept(said[b"topic"].decode(), int(said[b"number"]), said[b"document"])


def order(place: str) -> tuple[int, ...]:
    """Places of a stream in their order."""
    return tuple(map(int, place.split("-")))


def events_of(group: str) -> str:
    """The stream of a group."""
    return f"gradwalk:events:{group}"


def seen_of(group: str) -> str:
    """The keys of a group's events."""
    return f"gradwalk:seen:{group}"


def here_of(group: str) -> str:
    """What each server says of a group for the moment."""
    return f"gradwalk:here:{group}"
