"""A class that opens the page at the same moment."""

import asyncio
from collections import Counter

from tests.bench.visitors import visit
from tests.tools.server import Server

CLASS = 50
SECONDS = 15  # it took thirty when every file was looked for at every request, and takes one now


def test_a_class_at_once_is_served_whole(server: Server) -> None:
    visits = asyncio.run(visit(server.address, CLASS))
    answers = sum((one.answers for one in visits), Counter())
    assert answers == {"200": sum(one.asked for one in visits)}
    assert all(one.asked >= 7 for one in visits)
    assert max(one.seconds for one in visits) < SECONDS
