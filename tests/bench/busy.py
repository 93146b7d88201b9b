"""What is ours on a machine that is busy: 200 loads beside sixteen processes that never rest, of which none may fail.

`python -m tests.bench.busy` asks a server of its own, from the moment on at which it is ready.
"""

import contextlib
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from tests.bench.reach import told
from tests.support.own_requests import Asked, own_requests
from tests.tools.server import Server, running

BUSY, LOADS, VISITORS, PATIENCE = 16, 200, 2, 600.0


def never_rest() -> None:
    """Take all of a processor that can be had."""
    while True:
        pass


@contextlib.contextmanager
def load(count: int) -> Iterator[None]:
    """So many processes that take all they can."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=never_rest, daemon=True) for _ in range(count)]
    for one in processes:
        one.start()
    try:
        yield
    finally:
        for one in processes:
            one.kill()
            one.join()


def spread(asked: list[Asked], count: int) -> list[Asked]:
    """So many of them, evenly from first to last."""
    return [asked[place * len(asked) // count] for place in range(count)]


def opened(server: Server, asked: Asked) -> tuple[int, float]:
    """The status of one load, and its seconds."""
    address, body = asked
    began = time.perf_counter()
    reply = server.ask("GET", address, timeout=PATIENCE) if body is None else server.post(address, body, PATIENCE)
    return reply.status, time.perf_counter() - began


def report(server: Server) -> None:
    """Print how the loads were answered, and how long they took."""
    wanted = spread(list(own_requests()), LOADS)
    with load(BUSY), ThreadPoolExecutor(VISITORS) as visitors:
        answers = list(visitors.map(lambda asked: opened(server, asked), wanted))
    statuses = Counter(status for status, _ in answers)
    seconds = sorted(taken for _, taken in answers)
    slowest = max(zip(answers, wanted, strict=True), key=lambda one: one[0][1])[1][0]
    told(f"{LOADS} loads beside {BUSY} busy processes, refused", statuses[503] + statuses[504], 0)
    print(f"their statuses: {dict(statuses)}; half take {median(seconds):.2f} s, {slowest} {seconds[-1]:.1f} s")
    failed = [(asked, status) for asked, (status, _) in zip(wanted, answers, strict=True) if status != 200]
    for (address, body), status in failed:
        print(f"{status}: {address} {str(body)[:100]}")


if __name__ == "__main__":
    with running() as own:
        report(own)
