"""What is acknowledged is kept once, whatever ends the server, and forgotten as a whole."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from app.errors import Failure
from app.events.journal import Appended, Journal, Kept, Memory, Sqlite

SYNCED = Path(__file__).with_name("synced.c")
# Appends forever, and says of each event what it was told of it.
APPENDING = """
import asyncio, sys
from pathlib import Path
from app.events.journal import Sqlite

async def main():
    journal = Sqlite(Path(sys.argv[1]))
    async def one(seat):
        for number in range(10_000):
            key = f"{seat}:{number}"
            kept = await journal.append("class", "answers", key, key.encode())
            print(kept.number, key, flush=True)
    await asyncio.gather(*map(one, range(20)))
asyncio.run(main())
"""
Try = Callable[[Journal], Awaitable[None]]


def on_each(tmp_path: Path, trial: Try) -> None:
    """Run the same with both kinds of journal."""

    async def main() -> None:
        for journal in (Memory(), Sqlite(tmp_path / "kept")):
            await trial(journal)
            await journal.close()

    asyncio.run(main())


def test_numbers_count_in_each_topic_and_a_key_is_kept_once(tmp_path: Path) -> None:
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

    on_each(tmp_path, trial)


def test_a_group_that_is_forgotten_leaves_nothing(tmp_path: Path) -> None:
    async def trial(journal: Journal) -> None:
        await journal.append("g", "answers", "1", b"a very secret answer")
        await journal.append("g", "answers", "2", b"b")
        await journal.forget("g")
        assert await journal.read("g") == []
        assert await journal.groups() == []
        assert await journal.append("g", "answers", "1", b"new") == Appended(1, new=True)

    on_each(tmp_path, trial)
    assert b"secret" not in b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_a_journal_goes_on_where_another_has_ended(tmp_path: Path) -> None:
    async def main() -> None:
        first = Sqlite(tmp_path)
        await asyncio.gather(*(first.append("g", "show", str(n), b"%d" % n) for n in range(5)))
        await first.close()
        second = Sqlite(tmp_path)
        assert await second.groups() == ["g"]
        assert await second.append("g", "show", "2", b"2") == Appended(3, new=False)
        assert await second.append("g", "show", "new", b"") == Appended(6, new=True)
        await second.close()

    asyncio.run(main())
    assert (tmp_path / "g.db").stat().st_mode & 0o077 == 0, "nobody else on this machine may read it"


def test_what_cannot_be_kept_is_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    """What has grown as far as it may is full, as a disk is."""

    async def main() -> None:
        for journal in (Memory(1), Sqlite(tmp_path, 1)):
            await journal.append("g", "show", "1", b"kept")
            with pytest.raises(Failure) as refused:
                await journal.append("g", "show", "3", b"x" * (1 << 20))
            assert (refused.value.status, refused.value.code) == (503, "log-full")
            assert await journal.append("h", "show", "1", b"") == Appended(1, new=True)
            assert await journal.append("g", "show", "4", b"small") == Appended(2, new=True)
            await journal.close()

    asyncio.run(main())


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that notes how long each file was when it was last synchronised."""
    if sys.platform != "linux" or shutil.which("cc") is None:
        pytest.skip("needs Linux and a C compiler")
    library = tmp_path_factory.mktemp("shim") / "synced.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SYNCED, "-ldl"], check=True)
    return library


@pytest.mark.parametrize("seed", range(3))
def test_what_was_acknowledged_survives_a_power_cut(tmp_path: Path, shim: Path, seed: int) -> None:
    """Killed in the middle, and all that was not yet on the disk is cut off."""
    acknowledged = until_power_cut(tmp_path, shim, seed)

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


def until_power_cut(folder: Path, shim: Path, seed: int) -> dict[str, int]:
    """What a process was told of its events until it was killed, and its files cut to what the disk had."""
    sizes = folder / "sizes"
    environment = {"LD_PRELOAD": str(shim), "SYNCED_LOG": str(sizes)}
    command = [sys.executable, "-c", APPENDING, str(folder / "kept")]
    acknowledged: dict[str, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for _, line in zip(range(random.Random(seed).randint(100, 400)), process.stdout, strict=False):
            number, key = line.split()
            acknowledged[key] = int(number)
        process.kill()
    synced: dict[str, int] = {}
    for line in sizes.read_text().splitlines():
        length, path = line.split(" ", 1)
        synced[path] = int(length)
    for file in (folder / "kept").glob("*"):
        if not file.name.endswith("-shm"):
            with file.open("rb+") as cut:
                cut.truncate(min(synced.get(str(file), 0), file.stat().st_size))
    (folder / "kept/class.db-shm").unlink(missing_ok=True)
    return acknowledged
