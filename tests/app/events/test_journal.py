"""What is acknowledged is kept once, whatever ends the server, and forgotten as a whole."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from app.errors import Failure
from app.events.journal import GONE, Appended, Deaf, Journal, Kept, Memory, Sqlite
from app.events.redis_journal import RedisJournal
from tests.support.engines import needed, redis
from tests.support.power_cut import until_power_cut
from tests.support.waiting import eventually

Make = Callable[..., Journal]
Try = Callable[[Journal], Awaitable[None]]


@pytest.fixture(params=["memory", "sqlite", "redis"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Makes a journal of one kind, in a loop; all that it makes share what is kept, but in memory."""
    if request.param == "redis":
        with redis(tmp_path / "redis") as server:
            yield lambda most=64: RedisJournal(server.address, most)
    elif request.param == "sqlite":
        yield lambda most=64: Sqlite(tmp_path / "kept", most)
    else:
        yield Memory


class Hearing(Deaf):
    """Remembers what it hears."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Kept]] = []
        self.ended: list[str] = []

    def heard(self, group: str, events: list[Kept]) -> None:
        self.events += [(group, event) for event in events]

    def gone(self, group: str) -> None:
        self.ended.append(group)


def tried(make: Make, trial: Try, most: int = 64) -> None:
    """Run it with a journal that is open."""

    async def main() -> None:
        journal = make(most)
        await journal.open(Deaf())
        await trial(journal)
        await journal.close()

    asyncio.run(main())


def test_numbers_count_in_each_topic_and_a_key_is_kept_once(make: Make) -> None:
    async def trial(journal: Journal) -> None:
        sent = [(topic, str(key)) for topic in ("show", "answers") for key in range(30)] * 3
        random.Random(1).shuffle(sent)
        got = await asyncio.gather(*(journal.append("g", topic, key, key.encode()) for topic, key in sent))
        for topic in ("show", "answers"):
            of_topic = [one for (where, _), one in zip(sent, got, strict=True) if where == topic]
            assert sorted(one.number for one in of_topic if one.new) == list(range(1, 31))
        numbers = {sent[place]: one.number for place, one in enumerate(got) if one.new}
        assert all(numbers[where] == one.number for where, one in zip(sent, got, strict=True))
        kept = await journal.read("g")
        assert sorted(kept) == sorted(Kept(topic, number, key.encode()) for (topic, key), number in numbers.items())
        assert await journal.append("h", "show", "1", b"") == Appended(1, new=True)
        assert sorted(await journal.groups()) == ["g", "h"]

    tried(make, trial)


def test_a_group_that_is_forgotten_leaves_nothing(make: Make, tmp_path: Path) -> None:
    async def trial(journal: Journal) -> None:
        await journal.append("g", "answers", "1", b"a very secret answer")
        await journal.append("g", "answers", "2", b"b")
        await journal.forget("g")
        assert await journal.read("g") == []
        assert await journal.groups() == []
        assert await journal.append("g", "answers", "1", b"new") == Appended(1, new=True)

    tried(make, trial)
    assert eventually(lambda: b"secret" not in written(tmp_path)), "Redis writes its file anew after a moment"


def test_nothing_is_kept_of_a_group_that_is_forgotten_meanwhile(make: Make, tmp_path: Path) -> None:
    """What was under way when it ended, such as an answer that was being judged, does not begin it anew."""

    async def trial(journal: Journal) -> None:
        await journal.append("g", "answers", "1", b"kept")
        assert await journal.append("g", "answers", "2", b"kept too", begin=False) == Appended(2, new=True)
        await journal.forget("g")
        late = (journal.append("g", "answers", str(key), b"a very secret answer", begin=False) for key in (2, 3))
        assert await asyncio.gather(*late) == [GONE, GONE]
        assert await journal.read("g") == []
        assert await journal.groups() == []

    tried(make, trial)
    assert b"secret" not in written(tmp_path)


def written(folder: Path) -> bytes:
    """All that is in a folder's files, some of which may go meanwhile."""
    found = b""
    for file in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            found += file.read_bytes()
    return found


def test_a_journal_goes_on_where_another_has_ended(make: Make, tmp_path: Path) -> None:
    if make is Memory:
        pytest.skip("what is in memory ends with it")

    async def main() -> None:
        first = make()
        await first.open(Deaf())
        await asyncio.gather(*(first.append("g", "show", str(n), b"%d" % n) for n in range(5)))
        await first.close()
        second, hearing = make(), Hearing()
        await second.open(hearing)
        assert hearing.events == [("g", Kept("show", n + 1, b"%d" % n)) for n in range(5)]
        assert await second.groups() == ["g"]
        assert await second.append("g", "show", "2", b"2") == Appended(3, new=False)
        assert await second.append("g", "show", "new", b"") == Appended(6, new=True)
        await second.close()

    asyncio.run(main())
    for file in (tmp_path / "kept").glob("g.db"):
        assert file.stat().st_mode & 0o077 == 0, "nobody else on this machine may read it"


def test_each_event_is_heard_once_in_its_place(make: Make) -> None:
    """Before whoever has it kept is answered; sent again it is not heard again."""
    hearing = Hearing()

    async def main() -> None:
        journal = make()
        await journal.open(hearing)

        async def one(topic: str, number: int) -> None:
            kept = await journal.append("g", topic, str(number), b"%d" % number)
            assert ("g", Kept(topic, kept.number, b"%d" % number)) in hearing.events

        await asyncio.gather(*(one(topic, n) for n in [*range(40), *range(40)] for topic in ("show", "answers")))
        for topic in ("show", "answers"):
            of_topic = [event for _, event in hearing.events if event.topic == topic]
            assert [event.number for event in of_topic] == list(range(1, 41))
        assert sorted(event for _, event in hearing.events) == sorted(await journal.read("g"))
        await journal.forget("g")
        assert hearing.ended == ["g"]
        await journal.close()

    asyncio.run(main())


def test_what_cannot_be_kept_is_refused_and_the_rest_goes_on(make: Make) -> None:
    """What has grown as far as it may is full, as a disk is."""

    async def trial(journal: Journal) -> None:
        await journal.append("g", "show", "1", b"kept")
        with pytest.raises(Failure) as refused:
            await journal.append("g", "show", "3", b"x" * (1 << 20))
        assert (refused.value.status, refused.value.code) == (503, "log-full")
        assert await journal.append("h", "show", "1", b"") == Appended(1, new=True)
        assert await journal.append("g", "show", "4", b"small") == Appended(2, new=True)

    tried(make, trial, 1)


def test_a_file_that_was_only_begun_keeps_no_server_from_starting(tmp_path: Path) -> None:
    """Killed before the file had a table, a server did not start again, and no other class was taken up."""

    async def main() -> None:
        before = Sqlite(tmp_path)
        await before.append("class", "show", "1", b"{}")
        await before.close()
        (tmp_path / "begun.db").touch()
        after = Sqlite(tmp_path)
        await after.open(Deaf())
        assert await after.groups() == ["class"]
        await after.close()

    asyncio.run(main())


def test_what_a_disk_that_is_away_does_not_keep_is_refused_and_then_it_goes_on(tmp_path: Path) -> None:
    async def trial(journal: Journal) -> None:
        folder = (tmp_path / "kept").rename(tmp_path / "away")
        with pytest.raises(Failure) as refused:
            await journal.append("g", "show", "1", b"")
        assert (refused.value.status, refused.value.code) == (503, "log-away")
        folder.rename(tmp_path / "kept")
        assert await journal.append("g", "show", "1", b"") == Appended(1, new=True)

    tried(lambda most: Sqlite(tmp_path / "kept", most), trial)


@pytest.mark.parametrize("seed", range(3))
def test_what_was_acknowledged_survives_a_power_cut(tmp_path: Path, seed: int) -> None:
    """Killed in the middle, and all that was not yet on the disk is cut off."""
    needed("cc")
    acknowledged = until_power_cut(tmp_path, seed)

    async def main() -> None:
        journal = Sqlite(tmp_path / "kept")
        kept = {event.document.decode(): event.number for event in await journal.read("class")}
        assert len(acknowledged) > 20
        assert {key: kept.get(key) for key in acknowledged} == acknowledged
        assert sorted(kept.values()) == list(range(1, len(kept) + 1))
        again = await asyncio.gather(*(journal.append("class", "answers", key, b"") for key in acknowledged))
        assert again == [Appended(number, new=False) for number in acknowledged.values()]
        await journal.close()

    asyncio.run(main())
