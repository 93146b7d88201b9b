"""The course as a map: where each chapter lies by what it builds on, and routes to a few of them."""

from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

Chapter = Mapping[str, object]
# What a route is called, and the chapters it leads to: with all that those build on they are the route. Together they
# lead to every chapter, and they are few: with more, the first pictures of chapters lie below the screen.
ROUTES = {
    "makemore-mlp": ("the makemore network", ("makemore-closed-form", "train-by-hand")),
    "relu-classifier": ("a deep classifier", ("depth", "ways-to-step")),
    "attention": ("a GPT block", ("gpt-block",)),
    "through-time": ("a recurrent network", ("through-time",)),
    "is-my-gradient-right": ("a gradient you can trust", ("small-numbers", "no-gradient")),
    "convolution": ("a convolution", ("convolution",)),
    "build-the-engine": ("an engine of your own", ("memory", "twice")),
}


class Route(TypedDict):
    """A way through the course: the chapters to be read, in their order, and the minutes that they take."""

    name: str
    title: str
    chapters: list[str]
    minutes: int


class Stop(TypedDict):
    """A chapter on the map: its column is the number of chapters before it at least, its row its place among those."""

    name: str
    title: str
    number: int
    column: int
    row: int
    needs: list[int]


def routes(chapters: Sequence[Chapter]) -> list[Route]:
    """The routes, to those of their chapters that are there."""
    by_name = {str(one["name"]): one for one in chapters}
    found: list[Route] = []
    for name, (title, ends) in ROUTES.items():
        wanted = set[str]().union(*(_before(end, by_name) for end in ends))
        if wanted:
            read = [one for one in chapters if one["name"] in wanted]
            minutes = sum(cast(int, one["minutes"]) for one in read)
            found.append(Route(name=name, title=title, chapters=[str(one["name"]) for one in read], minutes=minutes))
    return found


def stops(chapters: Sequence[Chapter]) -> list[Stop]:
    """Every chapter's place on the map, in the order of the course."""
    by_name = {str(one["name"]): one for one in chapters}
    numbers = {name: number for number, name in enumerate(by_name, 1)}
    columns: dict[str, int] = {}
    made: list[Stop] = []
    for name, one in by_name.items():
        needs = [need for need in _needs(one) if need in columns]
        columns[name] = 1 + max((columns[need] for need in needs), default=-1)
        row = sum(stop["column"] == columns[name] for stop in made)
        made.append(
            Stop(
                name=name, title=str(one["title"]), number=numbers[name], column=columns[name], row=row,
                needs=[numbers[need] for need in needs],
            )
        )  # fmt: skip
    return made


def _needs(chapter: Chapter) -> list[str]:
    return [need["name"] for need in cast(list[dict[str, str]], chapter["needs"])]


def _before(name: str, by_name: Mapping[str, Chapter]) -> set[str]:
    """A chapter and all that it builds on."""
    wanted, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one not in wanted and one in by_name:
            wanted.add(one)
            waiting += _needs(by_name[one])
    return wanted
