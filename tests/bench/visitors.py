"""A class that opens the page at the same moment: how long until the last of them has all of it.

Every visitor has an empty cache and asks as a browser does: the page, then everything it names over at most six
connections that stay open, and the walk. `python -m tests.bench.visitors 50 300` asks a server of its own.
"""

import asyncio
import re
import resource
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from tests.tools.server import Server, running

CONNECTIONS = 6  # of a browser to one server
CLASSES = (50, 300)
ADDRESS = re.compile(rb'(?:src|href)="(/static/[^"]+)"')
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
WALK = b'{"lesson":"makemore-mlp","exact":false}'
WALK_REQUEST = (
    b"POST /api/walk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
    % (len(WALK), WALK)
)
PATIENCE = 120


@dataclass
class Visit:
    """What one visitor asked for and got, and the seconds from the first byte sent to the last byte read."""

    seconds: float = 0.0
    asked: int = 0
    answers: Counter[str] = field(default_factory=Counter)


@dataclass
class Browser:
    """One visitor's connections, and what it still has to ask for."""

    address: tuple[str, int]
    visit: Visit = field(default_factory=Visit)

    async def open(self) -> Visit:
        """Load the page and all that it needs."""
        began = time.perf_counter()
        pages = await self.fetch([get(b"/")])
        wanted = [*map(get, dict.fromkeys(ADDRESS.findall(b"".join(pages)))), WALK_REQUEST]
        self.visit.asked = len(wanted) + 1
        wanted.reverse()
        await asyncio.gather(*(self.fetch(wanted) for _ in range(min(CONNECTIONS, len(wanted)))))
        self.visit.seconds = time.perf_counter() - began
        return self.visit

    async def fetch(self, wanted: list[bytes]) -> list[bytes]:
        """Fetch over one connection, from the list's end on, until nothing is wanted or the server ends it."""
        bodies = []
        try:
            reader, writer = await asyncio.open_connection(*self.address)
            while wanted:
                bodies.append(await self.ask(reader, writer, wanted.pop()))
            writer.close()
        except (OSError, asyncio.IncompleteReadError) as error:
            self.visit.answers[type(error).__name__] += 1
        return bodies

    async def ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> bytes:
        """One request and its whole answer."""
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        found = LENGTH.search(head)
        body = await reader.readexactly(int(found[1])) if found else b""
        self.visit.answers[head.split(b" ", 2)[1].decode()] += 1
        return body


def get(path: bytes) -> bytes:
    """The request for a path."""
    return b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n" % path


async def visit(address: tuple[str, int], count: int) -> list[Visit]:
    """That many visitors who come at once."""
    async with asyncio.timeout(PATIENCE):
        return await asyncio.gather(*(Browser(address).open() for _ in range(count)))


def report(server: Server, classes: tuple[int, ...] = CLASSES) -> None:
    """Print when the median and the last visitor had everything, and what was refused."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for count in classes:
        visits = asyncio.run(visit(server.address, count))
        times = [one.seconds for one in visits]
        asked = sum(one.asked for one in visits)
        answered = sum(one.answers["200"] for one in visits)
        print(f"{count} visitors at once, half are served after:      {median(times):.2f} s")
        print(
            f"{count} visitors at once, the last is served after:   {max(times):.2f} s ({answered} of {asked} answered)"
        )


if __name__ == "__main__":
    with running() as own:
        report(own, tuple(int(word) for word in sys.argv[1:]) or CLASSES)
