"""Twenty polite clients, a second apart each, without and with one that asks for sixty heavy walks at a time.

`python -m tests.bench.greedy` asks a server of its own; polite clients come from addresses of their own.
"""

import contextlib
import itertools
import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

from tests.tools.server import JSON, Server, read, running

POLITE, GREEDY, SECONDS = 20, 60, 15.0
CONSTANTS = itertools.count()


def heavy() -> dict[str, Any]:
    """A walk of some 0.3 s that no worker knows yet."""
    drawn = {"role": "parameter", "shape": [4, 4], "init": "randn", "seed": 1}
    source = f"h = x\nfor i in range(100):\n    h = torch.tanh(h @ w + {next(CONSTANTS)}.0)\nloss = h.sum()"
    return {"source": source, "tensors": {"x": drawn, "w": drawn}}


def ask(server: Server, address: str, document: Any) -> int:
    """The status of a walk asked for by a client of another address."""
    with contextlib.closing(HTTPConnection(*server.address, timeout=60, source_address=(address, 0))) as connection:
        connection.request("POST", "/api/walk", json.dumps(document), JSON)
        return read(connection).status


def polite(server: Server, number: int, done: threading.Event) -> list[tuple[float, int]]:
    """The seconds and the status of each of one client's walks."""
    seeds, answers = random.Random(number), []
    done.wait(seeds.random())
    while not done.is_set():
        began = time.perf_counter()
        status = ask(server, f"127.0.1.{number}", {"lesson": "makemore-mlp", "seed": seeds.randrange(10**9)})
        answers.append((time.perf_counter() - began, status))
        done.wait(1)
    return answers


def greedy(server: Server, done: threading.Event) -> None:
    """One of a greedy client's connections."""
    while not done.is_set():
        ask(server, "127.0.0.2", heavy())


def measured(server: Server, connections: int) -> str:
    """What the polite ones see beside so many connections of a greedy one."""
    done = threading.Event()
    with ThreadPoolExecutor(POLITE + GREEDY) as pool:
        clients = [pool.submit(polite, server, number, done) for number in range(1, POLITE + 1)]
        for _ in range(connections):
            pool.submit(greedy, server, done)
        done.wait(SECONDS)
        done.set()
        answers = [answer for client in clients for answer in client.result()]
    times = sorted(seconds * 1000 for seconds, _ in answers)
    p50, p95 = (times[int(len(times) * share)] for share in (0.5, 0.95))
    refused = sum(status != 200 for _, status in answers)
    return f"p50 {p50:.0f} ms, p95 {p95:.0f} ms, {len(times)} walks, {refused} refused"


def report(server: Server) -> None:
    """Print both."""
    print("Polite clients alone:              ", measured(server, 0))
    print("Polite clients beside a greedy one:", measured(server, GREEDY))


if __name__ == "__main__":
    with running(workers=2) as started:
        started.wait_until_ready(2)
        report(started)
