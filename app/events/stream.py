"""What somebody who follows a topic is sent, as server-sent events."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncGenerator

from app.events.tail import Tail

PING = b": still here\n\n"  # a comment that shows either side that the connection is alive
MOST_EVENTS = 200  # in one document
# Milliseconds until a browser takes a lost connection up again: drawn, so that not all come back in the same moment.
SOONEST, LATEST = 500, 2500


async def follow(tail: Tail, number: int) -> AsyncGenerator[bytes, None]:
    """The events after one, and then those to come, until the topic is closed."""
    yield b"retry: %d\n\n" % (SOONEST + secrets.randbelow(LATEST - SOONEST))
    while True:
        if number + 1 < tail.first:
            yield missed(number + 1, tail.first - 1)
            number = tail.first - 1
        if (event := tail.after(number)) is not None:
            yield event.lines
            number = event.number
            if number < tail.last:
                await asyncio.sleep(0)  # others have a turn, however long the log is
        elif tail.closed:
            return
        else:
            last = tail.last
            await tail.news()
            if tail.last == last and not tail.closed:
                yield PING


async def page(tail: Tail, number: int, seconds: float) -> bytes:
    """The events after one as a document, waited for as long where there is none yet: for who can't follow a stream.

    Some of many: whoever asks again after the last of them gets the rest.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while tail.last <= number and not tail.closed:
                await tail.news()
    if number + 1 < tail.first:
        return paged([(tail.first - 1, _missed(number + 1, tail.first - 1))])
    events: list[tuple[int, bytes]] = []
    while len(events) < MOST_EVENTS and (event := tail.after(number)) is not None:
        events.append((event.number, event.document))
        number = event.number
    return paged(events)


def paged(events: list[tuple[int, bytes]]) -> bytes:
    """Events with their numbers, each a JSON document, as one."""
    return b'{"events": [%s]}' % b", ".join(b'{"number": %d, "told": %s}' % event for event in events)


def missed(first: int, last: int) -> bytes:
    """What a stream says in place of events that are forgotten; it has the number of the last of them."""
    return b"id: %d\ndata: %s\n\n" % (last, _missed(first, last))


def _missed(first: int, last: int) -> bytes:
    return json.dumps({"kind": "missed", "first": first, "last": last}).encode()
