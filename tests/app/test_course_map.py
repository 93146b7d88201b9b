"""The course as a map: a route has all that its chapters build on, and each lies to the right of what it needs."""

from __future__ import annotations

import json
import re

import pytest

from app.course_map import ROUTES, routes, stops
from app.template_filters import duration
from tests.tools.server import Server

CHAPTERS = [
    {"name": "a", "title": "A", "minutes": 10, "needs": []},
    {"name": "b", "title": "B", "minutes": 20, "needs": [{"name": "a"}]},
    {"name": "gpt-block", "title": "C", "minutes": 40, "needs": [{"name": "b"}, {"name": "a"}]},
    {"name": "d", "title": "D", "minutes": 80, "needs": [{"name": "a"}]},
]


def test_a_route_has_what_its_chapters_build_on_and_no_more() -> None:
    assert routes(CHAPTERS) == [
        {"name": "attention", "title": "a GPT block", "chapters": ["a", "b", "gpt-block"], "minutes": 70}
    ]
    assert routes([]) == []


def test_a_chapter_lies_to_the_right_of_what_it_builds_on() -> None:
    made = stops(CHAPTERS)
    assert [(one["column"], one["row"]) for one in made] == [(0, 0), (1, 0), (2, 0), (1, 1)]
    assert [one["needs"] for one in made] == [[], [1], [2], [1]], "what another of these needs is on the way"


def test_the_course_has_every_route_and_its_page_says_the_same(server: Server) -> None:
    chapters = server.get("/api/chapters").json()["chapters"]
    made, known = routes(chapters), {one["name"]: one for one in chapters}
    assert [one["name"] for one in made] == list(ROUTES)
    page = server.get("/learn").markup
    for route in made:
        ends = ROUTES[route["name"]][1]
        assert set(ends) <= set(route["chapters"])
        assert route["chapters"][-1] in ends
        needed = {need["name"] for name in route["chapters"] for need in known[name]["needs"]}
        assert needed <= set(route["chapters"])
        assert route["minutes"] == sum(known[name]["minutes"] for name in route["chapters"])
        assert f'data-chapters="{" ".join(route["chapters"])}"' in page
    assert {name for route in made for name in route["chapters"]} == set(known), "every chapter is on a route"
    places = {one["number"]: one for one in stops(chapters)}
    assert all(places[need]["column"] < one["column"] for one in places.values() for need in one["needs"])
    assert len({(one["column"], one["row"]) for one in places.values()}) == len(chapters)
    assert len(re.findall(r'<g data-chapter="', page)) == len(chapters), json.dumps(places)


@pytest.mark.parametrize(
    ("minutes", "said"), [(16, "16 min"), (59, "59 min"), (60, "1 h"), (124, "2 h"), (167, "2¾ h"), (150, "2½ h")]
)
def test_how_long_it_takes_is_said_to_a_quarter_of_an_hour(minutes: int, said: str) -> None:
    assert duration(minutes) == said
