"""Where events are kept: in memory, or in SQLite, where what was acknowledged survives a power cut."""

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from app.errors import Failure

AT_ONCE = 2000  # appends that one commit may hold
PAGE = 4096  # bytes; SQLite counts a file in these
TABLE = """
CREATE TABLE IF NOT EXISTS events (
    topic TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, document BLOB NOT NULL,
    PRIMARY KEY (topic, number), UNIQUE (topic, key)
) WITHOUT ROWID
"""


class Kept(NamedTuple):
    """An event as it is kept: of which topic, its number there, and what it says."""

    topic: str
    number: int
    document: bytes


class Appended(NamedTuple):
    """Under which number an event is kept, from 1, and whether it came for the first time."""

    number: int
    new: bool


GONE = Appended(0, new=False)  # not kept: its group is forgotten


class Listener(Protocol):
    """Who hears of events, in the order of each topic, whoever has them kept."""

    def heard(self, group: str, events: list[Kept]) -> None:
        """Further events of a group."""

    def gone(self, group: str) -> None:
        """A group was forgotten."""

    def lost(self, group: str) -> None:
        """The latest events of a group are lost; what is left of it is told anew."""


class Deaf:
    """Hears nothing."""

    def heard(self, group: str, events: list[Kept]) -> None:
        """Nothing to do."""

    def gone(self, group: str) -> None:
        """Nothing to do."""

    def lost(self, group: str) -> None:
        """Nothing to do."""


class Journal(Protocol):
    """Numbered events in topics, and topics in groups, which are forgotten as a whole."""

    async def open(self, listener: Listener) -> None:
        """Tell a listener all that is kept, and from then on whatever comes."""

    async def append(self, group: str, topic: str, key: str, document: bytes, *, begin: bool = True) -> Appended:
        """Keep an event once: the same key of a topic a second time is answered by the number of the first.

        Answers when the event is as safe as this journal makes it and was heard; 503 where it can't be kept. Where
        there is no such group it begins one, or without `begin` keeps nothing, and answers that it is GONE.
        """

    async def read(self, group: str) -> list[Kept]:
        """Every event of a group, in the order of each topic."""

    async def groups(self) -> list[str]:
        """The groups that are kept."""

    async def forget(self, group: str) -> None:
        """Remove a group, and every word of it."""

    async def caught_up(self, group: str) -> None:
        """Wait until all was heard of a group that any server has kept before now."""

    async def around(self, group: str, said: str, /) -> list[str]:
        """Say something of a group, which is forgotten in a moment; what other servers with the same journal say."""

    async def close(self) -> None:
        """Keep nothing more."""


class Memory:
    """Events that live as long as the server, of each group no more than `most_mib`."""

    def __init__(self, most_mib: int = 64) -> None:
        self.most = most_mib << 20
        self.bytes: Counter[str] = Counter()
        self.kept: dict[str, dict[tuple[str, str], Kept]] = {}
        self.last: dict[tuple[str, str], int] = {}
        self.listener: Listener = Deaf()

    async def open(self, listener: Listener) -> None:
        """Nothing is kept yet."""
        self.listener = listener

    async def append(self, group: str, topic: str, key: str, document: bytes, *, begin: bool = True) -> Appended:
        """Keep an event once."""
        if not begin and group not in self.kept:
            return GONE
        events = self.kept.setdefault(group, {})
        if (there := events.get((topic, key))) is not None:
            return Appended(there.number, new=False)
        if self.bytes[group] + len(document) > self.most:
            raise not_kept("log-full")
        self.bytes[group] += len(document)
        number = self.last[group, topic] = self.last.get((group, topic), 0) + 1
        events[topic, key] = Kept(topic, number, document)
        self.listener.heard(group, [events[topic, key]])
        return Appended(number, new=True)

    async def read(self, group: str) -> list[Kept]:
        """Every event of a group."""
        return list(self.kept.get(group, {}).values())

    async def groups(self) -> list[str]:
        """The groups that are kept."""
        return list(self.kept)

    async def forget(self, group: str) -> None:
        """Remove a group."""
        del self.bytes[group]
        for topic, _ in self.kept.pop(group, {}):
            self.last.pop((group, topic), None)
        self.listener.gone(group)

    async def caught_up(self, group: str) -> None:
        """There is no other server."""

    async def around(self, _group: str, _said: str) -> list[str]:
        """There is no other server."""
        return []

    async def close(self) -> None:
        """Nothing to do."""


@dataclass(eq=False)
class Write:
    """An append, or with no topic the removal of a group, and who waits for it; only some begin a group."""

    group: str
    topic: str = ""
    key: str = ""
    document: bytes = b""
    begin: bool = False
    done: asyncio.Future[Appended] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Sqlite:
    """One file for each group, of no more than `most_mib`, and one thread that commits what all wait for in one go.

    With a write-ahead log and `synchronous=FULL` a commit has been written to the disk when it returns
    (https://www.sqlite.org/pragma.html#pragma_synchronous); `NORMAL` would lose the latest ones in a power cut.
    """

    def __init__(self, folder: Path, most_mib: int = 64) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder, self.pages = folder, (most_mib << 20) // PAGE
        self.loop = asyncio.get_running_loop()
        self.waiting: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self.files: dict[str, sqlite3.Connection] = {}  # of the writing thread alone
        self.listener: Listener = Deaf()
        self.thread = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self.thread.start()

    async def open(self, listener: Listener) -> None:
        """Tell a listener what another server has left; a file without events is one that it had only begun."""
        self.listener = listener
        for group in await self.groups():
            if events := await self.read(group):
                listener.heard(group, events)
            else:
                await self.forget(group)

    async def append(self, group: str, topic: str, key: str, document: bytes, *, begin: bool = True) -> Appended:
        """Keep an event once; 503 where the disk is full or away."""
        write = Write(group, topic, key, document, begin)
        self.waiting.put(write)
        return await write.done

    async def read(self, group: str) -> list[Kept]:
        """Every event of a group."""
        return await asyncio.to_thread(self._read, group)

    async def groups(self) -> list[str]:
        """The groups that are kept."""
        return sorted(file.stem for file in self.folder.glob("*.db"))

    async def forget(self, group: str) -> None:
        """Remove the group's file, and what SQLite keeps beside it."""
        write = Write(group)
        self.waiting.put(write)
        await write.done
        self.listener.gone(group)

    async def caught_up(self, group: str) -> None:
        """There is no other server."""

    async def around(self, _group: str, _said: str) -> list[str]:
        """There is no other server."""
        return []

    async def close(self) -> None:
        """Commit what waits, and end the thread."""
        self.waiting.put(None)
        await asyncio.to_thread(self.thread.join)

    def _read(self, group: str) -> list[Kept]:
        path = self._path(group)
        if not path.is_file():
            return []
        with contextlib.closing(sqlite3.connect(path)) as file:
            if not file.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone():
                return []  # its server has died between the file and the table
            return [Kept(*row) for row in file.execute("SELECT topic, number, document FROM events ORDER BY 1, 2")]

    def _path(self, group: str) -> Path:
        return self.folder / f"{group}.db"

    # The writing thread.
    def _write_all(self) -> None:
        more = True
        while more:
            batch, more = self._batch()
            by_group: dict[str, list[Write]] = {}
            for write in batch:
                by_group.setdefault(write.group, []).append(write)
            for group, writes in by_group.items():
                self._answer(writes, self._committed(group, writes))
        for file in self.files.values():
            file.close()

    def _batch(self) -> tuple[list[Write], bool]:
        """All that waits, once something does, and whether more may come."""
        writes: list[Write] = []
        one = self.waiting.get()
        while one is not None:
            writes.append(one)
            if len(writes) == AT_ONCE or self.waiting.empty():
                return writes, True
            one = self.waiting.get()
        return writes, False

    def _committed(self, group: str, writes: list[Write]) -> list[Appended] | Exception:
        try:
            if not any(write.begin for write in writes) and not self._is_kept(group):
                return [GONE] * len(writes)
            with self._opened(group) as file:
                kept = [appended(file, write) for write in writes]
            if any(not write.topic for write in writes):
                self._remove(group)
        except (sqlite3.Error, OSError) as error:
            return error
        return kept

    def _is_kept(self, group: str) -> bool:
        return group in self.files or self._path(group).exists()

    def _opened(self, group: str) -> sqlite3.Connection:
        if group not in self.files:
            path = self._path(group)
            path.touch(0o600)
            file = self.files[group] = sqlite3.connect(path)
            file.execute("PRAGMA journal_mode=WAL")
            file.execute("PRAGMA synchronous=FULL")
            file.execute("PRAGMA secure_delete=ON")
            file.execute(f"PRAGMA max_page_count={self.pages}")
            file.execute(TABLE)
        return self.files[group]

    def _remove(self, group: str) -> None:
        self.files.pop(group).close()
        for end in ("", "-wal", "-shm"):
            self._path(group).with_name(f"{group}.db{end}").unlink(missing_ok=True)

    def _answer(self, writes: Iterable[Write], kept: list[Appended] | Exception) -> None:
        def answer() -> None:
            for place, write in enumerate(writes):
                if not isinstance(kept, Exception) and kept[place].new:
                    self.listener.heard(write.group, [Kept(write.topic, kept[place].number, write.document)])
                if write.done.done():  # whoever asked has gone
                    continue
                if isinstance(kept, Exception):
                    full = getattr(kept, "sqlite_errorname", "") == "SQLITE_FULL"
                    write.done.set_exception(not_kept("log-full" if full else "log-away"))
                else:
                    write.done.set_result(kept[place])

        with contextlib.suppress(RuntimeError):  # the loop has been closed: nobody waits any more
            self.loop.call_soon_threadsafe(answer)


def appended(file: sqlite3.Connection, write: Write) -> Appended:
    """Insert one event, unless its key is there."""
    if not write.topic:
        return GONE
    asked = write.topic, write.key
    if (there := file.execute("SELECT number FROM events WHERE topic = ? AND key = ?", asked).fetchone()) is not None:
        return Appended(there[0], new=False)
    (last,) = file.execute("SELECT coalesce(max(number), 0) FROM events WHERE topic = ?", (write.topic,)).fetchone()
    file.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (write.topic, last + 1, write.key, write.document))
    return Appended(last + 1, new=True)


def not_kept(code: str) -> Failure:
    """The 503 for an event that could not be kept; whoever sent it sends it again."""
    hint = "Send it again in a moment: nothing that was acknowledged is lost."
    return Failure(503, code, "The server can't keep anything at the moment.", hint, {"Retry-After": "2"})
