"""A class that walks: forty who ask for walks of other minibatches, one after the other, of two workers.

`python -m tests.bench.walkers FOLDER` measures by turns with the gradwalk in another folder, such as an older one.
"""

import asyncio
import itertools
import json
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from tests.bench.reach import told
from tests.support.crowd import at, posted
from tests.tools.server import ROOT, Server, running

WALKERS, WORKERS, WALKS, TURNS, PATIENCE, OK = 40, 2, 400, 3, 600, 200
# On a busy machine a walk takes long, and is measured all the same.
SETTINGS = {"workers": WORKERS, "queue": 400, "deadline": 60, "wall_deadline": 600, "queue_patience": 600}
LENGTH = b"content-length: "


async def asked(server: Server, seeds: "itertools.count[int]", taken: list[float]) -> None:
    """One who walks until all have walked enough, and the seconds that each walk takes from now on."""
    reader, writer = await asyncio.open_connection(*server.address)
    while len(taken) < WALKS:
        body = json.dumps({"lesson": "makemore-mlp", "seed": next(seeds)}).encode()
        began = time.perf_counter()
        writer.write(posted("/api/walk", body))
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert head.startswith(b"http/1.1 200"), head
        await reader.readexactly(int(head.partition(LENGTH)[2].partition(b"\r\n")[0]))
        taken.append(time.perf_counter() - began)
    writer.close()


async def walking(server: Server, seeds: "itertools.count[int]", walkers: int = WALKERS) -> tuple[float, list[float]]:
    """Walks a second of all together, and the seconds of each walk, sorted."""
    taken, began = list[float](), time.perf_counter()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(asked(server, seeds, taken) for _ in range(walkers)))
    return len(taken) / (time.perf_counter() - began), sorted(taken)


def report(folders: tuple[Path, ...] = (ROOT,)) -> None:
    """Print what the gradwalk in each folder does, measured by turns."""
    seeds = itertools.count(1)
    found: dict[Path, list[tuple[float, list[float]]]] = {folder: [] for folder in folders}
    with ExitStack() as stack:
        servers = {folder: stack.enter_context(running(folder=folder, ready=False, **SETTINGS)) for folder in folders}
        for server in servers.values():
            while server.get("/readyz").status != OK:
                time.sleep(0.1)
        for turn in range(TURNS + 1):
            for folder, server in servers.items():
                figures = asyncio.run(walking(server, seeds))
                if turn:  # in the first one it is still making what is its own
                    found[folder].append(figures)
    for folder, turns in found.items():
        rate, waits = median(rate for rate, _ in turns), sorted(wait for _, taken in turns for wait in taken)
        print(f"{WALKERS} who walk, {WORKERS} workers, in {folder.name}: {rate:.1f} walks a second, "
              f"half take {1e3 * median(waits):.0f} ms")  # fmt: skip
        told(f"{WALKERS} who walk, p99", 1e3 * at(0.99, waits), 250, "ms")


if __name__ == "__main__":
    report((ROOT, *map(Path, sys.argv[1:])))
