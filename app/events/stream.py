"""What somebody who follows a topic is sent, as server-sent events."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator

from app.events.tail import Tail

PING_SECONDS = 15.0  # a comment that shows either side that the connection is alive
PING = b": still here\n\n"
# Milliseconds until a browser takes a lost connection up again: drawn, so that not all come back in the same moment.
SOONEST, LATEST = 500, 2500


async def follow(tail: Tail, number: int) -> AsyncIterator[bytes]:
    """The events after one, and then those to come, until the topic is closed."""
    yield b"retry: %d\n\n" % (SOONEST + secrets.randbelow(LATEST - SOONEST))
    while True:
        if number + 1 < tail.first:
            yield missed(number + 1, tail.first - 1)
            number = tail.first - 1
        if (event := tail.after(number)) is not None:
            yield event.lines
            number = event.number
            await asyncio.sleep(0)  # others have a turn, however long the log is
        elif tail.closed:
            return
        elif not await _news(tail):
            yield PING


async def _news(tail: Tail) -> bool:
    before = tail.last, tail.closed
    await tail.news(PING_SECONDS)
    return (tail.last, tail.closed) != before


def missed(first: int, last: int) -> bytes:
    """What a stream says in place of events that are forgotten; it has the number of the last of them."""
    return b"id: %d\ndata: %s\n\n" % (last, json.dumps({"kind": "missed", "first": first, "last": last}).encode())
