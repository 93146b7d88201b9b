"""Random requests to a real server: `python -m tests.fuzz.http --seconds 3600 --seed 1`.

A finding is a 500, an error without the one shape, a word about the inside, a connection without an answer, a log with
a traceback, or a server that does not answer at the end as it did at first.
"""  # noqa: A005

import argparse
import contextlib
import http.client
import json
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from tests.fuzz.requests import anything
from tests.tools.forked import forked
from tests.tools.server import ROOT, Server

PATIENCE = 30.0  # a place in the line and the deadline, on a machine that does other things too
INSIDE = re.compile(
    rb"Traceback|site-packages|object at 0x|<class '|File \\?\"|\bNoneType\b|" + re.escape(str(ROOT).encode()) + rb"/"
)
FOR_PROGRAMS = re.compile(rb"\w+ /(?:api|static|healthz|readyz)\b")
TRAILING = re.compile(rb'"milliseconds":\{[^}]*\}')
CLIENTS = 4


@dataclass
class Tally:
    """What came of it."""

    requests: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    findings: list[tuple[str, bytes]] = field(default_factory=list)

    def add(self, request: bytes, status: int, finding: str | None) -> None:
        """Count an answer, 0 for none."""
        self.requests += 1
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if finding is not None:
            self.findings.append((finding, request))


def fuzz(server: Server, chance: Random, tally: Tally, *, requests: int = sys.maxsize, until: float = 1e18) -> None:
    """Send random requests, so many or until a time."""
    for _ in range(requests):
        if time.monotonic() > until:
            return
        request = anything(chance)
        tally.add(request, *answered(server, request))


def answered(server: Server, request: bytes) -> tuple[int, str | None]:
    """The status of the answer, 0 for none, and what is wrong with it."""
    try:
        with server.connect(PATIENCE) as client:
            with contextlib.suppress(ConnectionError):  # it may have heard enough
                client.sendall(request)
            response = http.client.HTTPResponse(client, method=request.partition(b" ")[0].decode("latin-1"))
            response.begin()
            body = response.read()
    except TimeoutError:
        return 0, "no answer, and the connection stays"
    except (http.client.HTTPException, ConnectionError):
        return 0, None  # half a request, and nobody there any more to read about it
    return response.status, wrong(request, response, body)


def wrong(request: bytes, response: http.client.HTTPResponse, body: bytes) -> str | None:
    """What is wrong with an answer, if anything."""
    if response.status >= 500 and response.status not in (503, 504):
        return f"status {response.status}: {body[:200]!r}"
    if response.status < 400:
        return None
    if found := INSIDE.search(body):
        return f"tells of the inside: {found[0]!r}"
    if response.getheader("content-security-policy") is None:
        return "no security headers"
    if request.startswith(b"HEAD "):
        return None
    if str(response.getheader("content-type")).startswith("text/html"):
        return "a page, to a program" if FOR_PROGRAMS.match(request) else None
    return None if in_shape(body) else f"not in the one shape: {body[:200]!r}"


def in_shape(body: bytes) -> bool:
    """Whether an error is told as all are."""
    try:
        error = json.loads(body)["error"]
        return set(error) - {"where", "others", "needs"} == {"code", "message", "hint"} and bool(error["message"])
    except (ValueError, KeyError, TypeError):
        return False


@dataclass(frozen=True)
class State:
    """How a server is: its memory in MiB, the time of its first page's walk, and what it answers."""

    server: float
    workers: float
    milliseconds: float
    page: bytes
    walk: bytes

    def __str__(self) -> str:
        return f"server {self.server:.0f} MiB, workers {self.workers:.0f} MiB, walk {self.milliseconds:.1f} ms"


def state(server: Server) -> State:
    """Ask for the first page and its walk, and look at the processes."""
    times = []
    for _ in range(21):
        began = time.perf_counter()
        walk = server.post("/api/walk", {"lesson": "makemore-mlp"}).body
        times.append(1e3 * (time.perf_counter() - began))
    workers = sum(memory(pid) for pid in server.worker_pids())
    page = server.get("/").body
    return State(memory(server.process.pid), workers, median(times), page, TRAILING.sub(b"", walk))


def memory(pid: int) -> float:
    """MiB that a process has to itself or as its share of what it shares, on Linux; elsewhere 0."""
    rollup = Path(f"/proc/{pid}/smaps_rollup")
    found = re.search(r"^Pss: +(\d+)", rollup.read_text(), re.MULTILINE) if rollup.exists() else None
    return int(found[1]) / 1024 if found else 0.0


def crowd(server: Server, seed: int, seconds: float) -> Tally:
    """Several clients at once, for a while."""
    tally = Tally()
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(CLIENTS) as pool:
        chances = [Random(seed * CLIENTS + client) for client in range(CLIENTS)]
        for done in [pool.submit(fuzz, server, chance, tally, until=until) for chance in chances]:
            done.result()
    return tally


def hasty() -> contextlib.AbstractContextManager[Server]:
    """A server that waits for half a request no longer than it must."""
    return forked(header_seconds=0.5, body_seconds=0.5, idle_seconds=1)


def main() -> int:
    """Run it, and say what came of it."""
    arguments = argparse.ArgumentParser(prog="python -m tests.fuzz.http", description="Send random hostile requests.")
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    with hasty() as server:
        state(server)  # warm
        first = state(server)
        print(f"at first:   {first}", flush=True)
        tally = crowd(server, options.seed, options.seconds)
        last = state(server)
        log = server.log.read_text()
    print(f"at the end: {last}")
    print(f"{tally.requests} requests, by status: {dict(sorted(tally.statuses.items()))}")
    for finding, request in dict(reversed(tally.findings)).items():
        print(f"FINDING {finding}\n  {request[:1500]!r}")
    same = (first.page, first.walk) == (last.page, last.walk)
    print(f"{len(tally.findings)} findings; the first page and its walk are {'the same' if same else 'OTHERS'}")
    if "Traceback" in log:
        print(f"FINDING in the log:\n{log[log.index('Traceback') :][:3000]}")
    return int(bool(tally.findings) or not same or "Traceback" in log)


if __name__ == "__main__":
    sys.exit(main())
