"""Who holds a place: counted as it changes, and the same as one finds by counting all connections anew."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest

from app.connection.places import Places
from app.settings import Settings
from tests.support.class_of import board, opened
from tests.support.sockets import HEALTH, connect, is_served
from tests.support.streams import stream
from tests.tools.forked import forked
from tests.tools.server import Server, read_from

STRANGERS, STREAMS, MOST = 40, 6, 12


@dataclass(eq=False)
class Someone:
    """A connection, as far as places are concerned."""

    client_name: str
    proxy: bool = False
    idle: bool = True
    turned_away: bool = field(default=False)

    def turn_away(self) -> None:
        self.turned_away = True


def test_places_are_the_same_as_counted_anew() -> None:
    """3,000 drawn events; the rule is written here once more, over all connections."""
    draw = random.Random(4)
    settings = Settings(connections=30, connections_per_address=4, streams=10)
    places, there, streams, teachers = Places(settings), list[Someone](), list[Someone](), set[str]()
    for _ in range(3000):
        what = draw.random()
        if draw.random() < 0.02:
            teachers = {f"c{draw.randint(0, 9)}"}
            places.teachers.clear()
            places.teach(Someone(min(teachers)))
        if what < 0.55:
            newcomer = Someone(f"c{draw.randint(0, 9)}", draw.random() < 0.1, draw.random() < 0.5)
            stays, may_go = expected(there, newcomer, settings, teachers)
            assert places.enter(newcomer) == stays
            gone = [one for one in there if one.turned_away]
            assert len(gone) == bool(may_go)
            assert all(one in may_go for one in gone)
            there = [one for one in [*there, *([newcomer] if stays else [])] if not one.turned_away]
        elif what < 0.7 and there:
            one = draw.choice(there)
            fits = len(streams) < settings.streams
            assert places.begin_stream(one) == fits
            if fits:
                there.remove(one)
                streams.append(one)
        elif what < 0.75 and streams:
            one = streams.pop(draw.randrange(len(streams)))
            places.end_stream(one)
            there.append(one)
        elif there or streams:
            among = draw.choice([group for group in (there, streams) if group])
            places.leave(one := draw.choice(among))
            among.remove(one)
        held = Counter(one.client_name for one in there if not one.proxy)
        assert (places.count, places.most) == (len(there), max(held.values(), default=0))
        assert places.streams == set(streams)


def expected(
    there: list[Someone], newcomer: Someone, settings: Settings, teachers: set[str]
) -> tuple[bool, list[Someone]]:
    """Whether a newcomer stays, and those of whom one goes for it."""
    if len(there) < settings.connections:
        return True, []
    held = Counter(one.client_name for one in [*there, newcomer] if not one.proxy)
    own = 0 if newcomer.proxy else held[newcomer.client_name]
    most, share = max(held.values()), settings.connections_per_address
    teaches = newcomer.client_name in teachers and not newcomer.proxy
    if (most <= share or own > share) and not teaches:
        return False, []
    theirs = [one for one in there if not one.proxy and held[one.client_name] == most]
    some_idle = {one.client_name for one in theirs if one.idle}
    return True, [one for one in theirs if one.idle or one.client_name not in some_idle]


def test_one_more_costs_the_same_however_many_there_are() -> None:
    """Counted in calls of the module's own functions and of the containers it asks."""

    def calls(count: int) -> int:
        places = Places(Settings(connections=count, streams=count))
        for number in range(count):
            places.enter(Someone(f"c{number % 100}"))
        counted = 0

        def count_one(*_: object) -> None:
            nonlocal counted
            counted += 1

        sys.setprofile(count_one)
        try:
            places.enter(Someone("one more"))
        finally:
            sys.setprofile(None)
        return counted

    assert calls(6000) == calls(200)


@pytest.fixture(scope="module")
def narrow() -> Iterator[Server]:
    """A server with few places."""
    bounds = {"training_streams_per_client": 8, "streams": STREAMS}
    with forked(workers=1, connections=MOST, connections_per_address=3, **bounds) as server:
        yield server


def test_strangers_never_cut_a_stream(narrow: Server) -> None:
    """With all places taken, what one address follows goes on, however many come from others."""
    asked = {"walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": 8, "embedding": 3}, "batch": 8, "steps": 20}
    begun = narrow.post("/api/training", {**asked, "paused": True})
    assert begun.status == 201, begun.body
    run = begun.json()["id"]
    with ExitStack() as stack:
        followed = [stack.enter_context(stream(narrow, run)) for _ in range(STREAMS)]
        assert narrow.get(f"/api/training/{run}/events").error["code"] == "streams-full"
        crowd(narrow)
        assert narrow.post(f"/api/training/{run}/resume", {}).status == 200
        for events in followed:
            assert any(event.data["kind"] == "splits" for event in events)


def test_where_a_class_is_taught_there_is_room_however_many_share_all_places(narrow: Server) -> None:
    teacher, _, _ = opened(narrow)
    with ExitStack() as stack:
        strangers = [stack.enter_context(connect(narrow, f"127.0.1.{n}")) for n in range(1, STRANGERS)]
        for client in strangers:
            client.sendall(HEALTH)
        assert read_from(strangers[-1]).error["code"] == "too-many-connections"
        assert teacher.tell("show", address="/walk/first-steps?step=3").status == 200
        assert board(teacher)["address"] == "/walk/first-steps?step=3"


def crowd(server: Server) -> None:
    """Take all places from one address, and then come from many others."""
    with ExitStack() as stack:
        greedy = [stack.enter_context(connect(server)) for _ in range(MOST)]
        strangers = [stack.enter_context(connect(server, f"127.0.1.{n}")) for n in range(1, STRANGERS)]
        served = 0
        for client in strangers:
            client.sendall(HEALTH)
            served += read_from(client).status == 200
        assert served >= MOST - 3, "they found the places that one address had beyond its share"
        assert sum(map(is_served, greedy)) <= 3
