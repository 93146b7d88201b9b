"""Forty people who walk at once, each on a minibatch of their own, and take a step now and then."""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor

from tests.bench.reach import told
from tests.support.crowd import at
from tests.tools.server import Server

PEOPLE, SECONDS, STEPS = 40, 10.0, (0, 24, 32)


def report(server: Server) -> None:
    """Print how many walks a second they get, and how long the slowest hundredth of their questions waits."""
    end = time.perf_counter() + SECONDS
    with ThreadPoolExecutor(PEOPLE) as people:
        visits = list(people.map(lambda person: walked(server, person, end), range(PEOPLE)))
    walks = [seconds for made, _ in visits for seconds in made]
    steps = [seconds for _, made in visits for seconds in made]
    print(f"{PEOPLE} people, walks and steps a second: {len(walks) / SECONDS:.0f} and {len(steps) / SECONDS:.0f}")
    told(f"{PEOPLE} people, a walk, p99", 1e3 * at(0.99, sorted(walks)), 250, "ms")
    told(f"{PEOPLE} people, a step, p99", 1e3 * at(0.99, sorted(steps)), 250, "ms")


def walked(server: Server, person: int, end: float) -> tuple[list[float], list[float]]:
    """The seconds of one person's walks and steps until the end."""
    walks: list[float] = []
    steps: list[float] = []
    seeds = itertools.count(1000 * person)
    while time.perf_counter() < end:
        walk = {"lesson": "makemore-mlp", "seed": next(seeds)}
        walks.append(timed(server, "/api/walk", walk))
        steps += [timed(server, "/api/steps", {"walk": walk, "steps": [step], "judged": []}) for step in STEPS]
    return walks, steps


def timed(server: Server, path: str, body: object) -> float:
    """Seconds until an answer is there."""
    began = time.perf_counter()
    assert server.post(path, body).status == 200
    return time.perf_counter() - began
