"""Start gradwalk as its users do and speak HTTP to it."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import IO, Any, Protocol
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
START_SECONDS = 240
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Reply:
    """One answer, whole."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def markup(self) -> str:
        """A page without the spaces and line breaks that only lay it out."""
        return re.sub(r"\s*([<>])\s*", r"\1", re.sub(r"\s+", " ", self.body.decode()))

    @property
    def error(self) -> dict[str, Any]:
        """The error of an answer that has the one error shape and nothing besides."""
        document = self.json()
        assert set(document) == {"error"}
        assert set(document["error"]) - {"where", "others", "needs", "fix"} == {"code", "message", "hint"}
        assert self.headers["content-type"] == "application/json"
        return dict(document["error"])


class Process(Protocol):
    """What tests ask of a server's process, however it was started."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def send_signal(self, sig: int, /) -> None: ...

    def terminate(self) -> None: ...

    def wait(self, timeout: float | None = None, /) -> int: ...


@dataclass(frozen=True)
class Server:
    """A running server."""

    url: str
    process: Process
    log: Path

    @property
    def address(self) -> tuple[str, int]:
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        assert parts.port is not None
        return parts.hostname, parts.port

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None, timeout: float = 240
    ) -> Reply:
        with closing(http.client.HTTPConnection(*self.address, timeout=timeout)) as connection:
            connection.request(method, path, body, dict(headers or {}))
            return read(connection)

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, document: Any, timeout: float = 240) -> Reply:
        return self.ask("POST", path, json.dumps(document).encode(), JSON, timeout)

    def connect(self, timeout: float = 240) -> socket.socket:
        """A bare connection, for clients that misbehave."""
        return socket.create_connection(self.address, timeout)

    def worker_pids(self) -> list[int]:
        """The worker processes, that for what is ours too, found as the children of the server's fork server."""
        return [pid for middle in children(self.process.pid) for pid in children(middle)]

    def signal_workers(self, number: int) -> set[int]:
        """Send a signal to every worker, and name them; one that the server has ended meanwhile needs none."""
        pids = self.worker_pids()
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        return set(pids)

    def wait_until_ready(self, workers: int = 1) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._has(workers):
            assert self.process.poll() is None, f"the server ended:\n{self.log.read_text()}"
            assert time.monotonic() < deadline, f"the server did not get ready:\n{self.log.read_text()}"
            Event().wait(0.05)

    def _has(self, workers: int) -> bool:
        reply = self.get("/readyz")
        return reply.status == 200 and reply.json()["workers"] >= workers and len(self.worker_pids()) > workers


def read(connection: http.client.HTTPConnection) -> Reply:
    with closing(connection.getresponse()) as response:
        return Reply(response.status, response.headers, response.read())


def read_from(client: socket.socket) -> Reply:
    """The answer on a bare connection."""
    response = http.client.HTTPResponse(client)
    with closing(response):
        response.begin()
        return Reply(response.status, response.headers, response.read())


def children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in listed.stdout.split()]


@contextmanager
def running(*arguments: str, ready: bool = True, folder: Path = ROOT, **settings: object) -> Iterator[Server]:
    """A server of its own with other settings: `running(deadline=0.5)` sets GRADWALK_DEADLINE."""
    environment = os.environ | {f"GRADWALK_{name.upper()}": str(value) for name, value in settings.items()}
    command = [sys.executable, "-m", "app", "--port", "0", "--no-browser", *arguments]
    with (
        tempfile.TemporaryDirectory() as scratch,
        (Path(scratch) / "log").open("w") as log,
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            server = Server(announced(process.stdout, Path(log.name)), process, Path(log.name))
            if ready:
                server.wait_until_ready(int(str(settings.get("workers", 1))))
            yield server
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def announced(output: IO[str], log: Path) -> str:
    """The address in the line that the server prints once it listens."""
    line = output.readline()
    found = re.search(r"http://\S+", line)
    assert found is not None, f"no address in {line!r}:\n{log.read_text()}"
    return found[0]
