"""How soon the event loop answers while others send what is slow to judge, or walk."""

import json
from collections.abc import Sequence

from tests.bench.reach import told
from tests.support.crowd import asking, at, posted, waits, worst_bodies
from tests.tools.server import Server

SECONDS = 4.0
ATTACKERS, CLASS = 12, 40


def report(server: Server) -> None:
    """Print what /healthz takes beside nobody, beside each kind of large body, and beside a class that walks."""
    say("nobody", waits(server, SECONDS))
    for name, body in worst_bodies().items():
        beside(server, f"{ATTACKERS} × 250 kB of {name}", [posted("/api/walk", body)], ATTACKERS)
    walks = [json.dumps({"lesson": "makemore-mlp", "seed": seed}).encode() for seed in range(CLASS)]
    beside(server, f"{CLASS} who walk", [posted("/api/walk", walk) for walk in walks], CLASS)


def beside(server: Server, name: str, requests: Sequence[bytes], connections: int) -> None:
    """Print one of these."""
    with asking(server, requests, connections):
        say(name, waits(server, SECONDS))


def say(name: str, times: Sequence[float]) -> None:
    """Print three of the times."""
    median, high, longest = (1e3 * at(share, times) for share in (0.5, 0.99, 1))
    told(f"healthz beside {name} (median {median:.1f} ms), p99", high, 5, "ms", digits=1)
    told(f"healthz beside {name}, longest", longest, 15, "ms", digits=1)
