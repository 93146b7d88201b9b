"""What SQLite was keeping when the power went."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from tests.support.engines import cut, noting

# Appends forever, and says of each event what it was told of it; `weaker`: with `synchronous=NORMAL`.
APPENDING = """
import asyncio, sys
from pathlib import Path
from app.events.journal import Sqlite

opened = Sqlite._opened

def weaker(self, group):
    file = opened(self, group)
    file.execute("PRAGMA synchronous=NORMAL")
    return file

if "weaker" in sys.argv:
    Sqlite._opened = weaker

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


def until_power_cut(folder: Path, seed: int, *, weaker: bool = False) -> dict[str, int]:
    """What a process was told of its events, by their keys, until the power went; the class is in `kept`."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes, files = folder / "sizes", folder / "kept"
    command = [sys.executable, "-c", APPENDING, str(files), *(["weaker"] if weaker else [])]
    acknowledged: dict[str, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=noting(sizes)) as process:
        assert process.stdout is not None
        for _, line in zip(range(random.Random(seed).randint(100, 400)), process.stdout, strict=False):
            number, key = line.split()
            acknowledged[key] = int(number)
        process.kill()
    without_power(sizes, files)
    return acknowledged


def without_power(sizes: Path, files: Path) -> None:
    """Take from SQLite's files what was not on the disk; the index beside a log is in memory."""
    cut(sizes, [file for file in files.glob("*") if not file.name.endswith("-shm")])
    for file in files.glob("*-shm"):
        file.unlink()
