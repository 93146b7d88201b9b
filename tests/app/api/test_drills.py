"""Drills over HTTP: by group and seed, each of which can be checked as it was sent."""

from __future__ import annotations

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
