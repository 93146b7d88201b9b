"""Everything of ours that pages ask a server for: addresses, and what is posted there."""

from collections.abc import Iterator
from typing import Any

import backend

PAGES = ("/", "/learn", "/practise", "/practise/drills", "/train", "/code", "/reference", "/search?q=tanh")
LISTS = ("/api/lessons", "/api/starts", "/api/chapters", "/api/ops", "/api/drills")
Asked = tuple[str, Any]


def own_requests(every: int = 1) -> Iterator[Asked]:
    """Pages, chapters, lessons, starting points, drills of a set that nobody has asked for, and live examples.

    Of live examples one in `every`. A body of None is asked for by GET.
    """
    starts = backend.starts()
    names = [name for one in backend.lessons() for name in (one["name"], *one["also"])]
    yield from ((address, None) for address in (*PAGES, *LISTS))
    for chapter in backend.chapters():
        yield f"/learn/{chapter['name']}", None
    for group in backend.drills(5)["groups"]:
        yield f"/api/drills?seed=5&groups={group['name']}", None
    for name in dict.fromkeys([*names, *(one["name"] for one in starts)]):
        yield from of_a_lesson(name)
    for start in starts:
        yield "/api/walk", start["request"]
    for operation in [one["name"] for one in backend.operations() if one["live"]][::every]:
        yield from of_an_operation(operation)


def of_a_lesson(name: str) -> Iterator[Asked]:
    """A lesson's pages, and what those ask for at once."""
    walk = {"lesson": name, "exact": False}
    yield from ((f"/{page}/{name}", None) for page in ("walk", "practise", "train"))
    yield f"/api/lessons/{name}/program", None
    yield "/api/walk", walk
    yield "/api/practice/tasks", {"walk": walk}
    yield "/api/pieces", {"walk": walk}


def of_an_operation(name: str) -> Iterator[Asked]:
    """A live example of the reference, and its walk."""
    yield f"/api/ops/{name}/walk", None
    yield "/api/walk", backend.operation_walk(name)["walk"]
