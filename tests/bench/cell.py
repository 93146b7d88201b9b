"""The time in which one number opens, request in to answer out, over random cells of the lesson."""

import random
from statistics import quantiles
from typing import Any

from tests.bench.reach import told
from tests.bench.walk import LESSON, timed
from tests.tools.server import Server

ROUNDS = 300
WARM_UP = 30


def report(server: Server) -> None:
    """Print the median and the 95th percentile."""
    walk = {"lesson": LESSON}
    nodes = [node for node in server.post("/api/walk", walk).json()["nodes"] if node["gradient"]]
    chance = random.Random(1)

    def ask() -> None:
        node = chance.choice(nodes)
        wanted: dict[str, Any] = {"tensor": node["name"], "which": chance.choice(["value", "gradient"])}
        reply = server.post("/api/cell", wanted | {"walk": walk, "index": [chance.randrange(n) for n in node["shape"]]})
        assert reply.status == 200, reply.body

    times = [timed(ask) for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
    parts = quantiles(times, n=20)
    told(f"one number opened (median {1e3 * parts[9]:.2f} ms), p95", 1e3 * parts[18], 100, "ms", digits=2)
