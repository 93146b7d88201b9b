"""Drills over HTTP: by group and seed, each of which can be checked as it was sent."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from app.api.drills import SETS
from tests.tools.server import Server


def test_drills_come_by_group_and_a_drill_is_checked_as_it_was_sent(server: Server) -> None:
    made = server.get("/api/drills?seed=7&groups=reductions,products").json()
    assert made["seed"] == 7
    assert {drill["group"] for drill in made["drills"]} == {"reductions", "products"}
    drill = next(one for one in made["drills"] if one["id"].startswith("turned-"))
    asked = {"walk": drill["walk"], "target": drill["target"], "answer": "dout", "hints": 3}
    told = server.post("/api/practice/check", asked).json()
    assert not told["correct"]
    assert server.post("/api/practice/check", asked | {"answer": told["hints"][2]}).json()["correct"]


def test_other_seeds_and_groups_are_refused(server: Server) -> None:
    for query in ("seed=-1", "seed=x", "groups=sums"):
        refused = server.get(f"/api/drills?{query}")
        assert refused.status in (400, 422), query
        assert refused.json()["error"]["message"]


def test_seeds_without_end_are_answered_from_a_few_sets_that_are_made_once(server: Server) -> None:
    path = "/api/drills?groups=indexing,indexing&seed="
    sets = [server.get(f"{path}{seed}").json() for seed in range(3)]
    with standing_still(server):  # so that what had to be made again would never come
        for number, first in enumerate(sets):
            assert server.get(f"{path}{number + 1_000 * SETS}").json() == first | {"seed": number + 1_000 * SETS}
    assert len({str(one["drills"]) for one in sets}) == len(sets)
    assert len({drill["id"] for drill in sets[0]["drills"]}) == len(sets[0]["drills"])


@contextmanager
def standing_still(server: Server) -> Iterator[None]:
    """Its workers do nothing in the meantime."""
    pids = server.worker_pids()
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
