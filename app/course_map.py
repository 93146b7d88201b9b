"""The course as a map: where each chapter lies by what it builds on, and routes to a few of them."""

from collections.abc import Mapping, Sequence
from statistics import mean
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
# Of the map: how wide a column and how tall a row is, half the width that a line takes to go up or down, and how far
# above a row's circles one goes past them.
WIDE, TALL, BEND, LANE = 150, 54, 20, 15


class Route(TypedDict):
    """A way through the course: the chapters to be read, in their order, and the minutes that they take."""

    name: str
    title: str
    chapters: list[str]
    minutes: int


class Stop(TypedDict):
    """A chapter on the map: its column is the number of chapters before it at least; x and y are of its circle."""

    name: str
    title: str
    number: int
    column: int
    row: int
    x: int
    y: int
    needs: list[int]


class Line(TypedDict):
    """From a chapter to one that builds on it: what an SVG's path is drawn by."""

    source: str
    target: str
    path: str


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
    """Every chapter's place on the map, in the order of the course; of what it needs, what nothing else of it needs.

    Columns are ordered by where what their chapters need lies, so that few lines cross, and begin beside it.
    """
    by_name = {str(one["name"]): one for one in chapters}
    numbers = {name: number for number, name in enumerate(by_name, 1)}
    needs = {name: _direct(name, by_name) for name in by_name}
    columns: dict[str, int] = {}
    for name in by_name:
        columns[name] = 1 + max((columns[need] for need in needs[name] if need in columns), default=-1)
    rows: dict[str, int] = {}
    for column in range(max(columns.values(), default=-1) + 1):
        rows |= _rows([name for name in columns if columns[name] == column], needs, columns, rows)
    return [
        Stop(
            name=name, title=str(one["title"]), number=numbers[name], column=columns[name], row=rows[name],
            x=WIDE * columns[name] + WIDE // 2, y=TALL * rows[name] + TALL // 3,
            needs=[numbers[need] for need in needs[name]],
        )
        for name, one in by_name.items()
    ]  # fmt: skip


def lines(made: Sequence[Stop]) -> list[Line]:
    """The lines between stops: level where names are, up and down between columns, and above a row past others."""
    found: list[Line] = []
    for stop in made:
        for need in (made[number - 1] for number in stop["needs"]):
            lane = stop["y"] - LANE
            heights = [stop["y"]] if stop["column"] == need["column"] + 1 else [lane, stop["y"]]
            bends = [(need["x"] + WIDE // 2, heights[0]), (stop["x"] - WIDE // 2, heights[-1])][-len(heights) :]
            path, y = f"M{need['x']} {need['y']}", need["y"]
            for x, to in bends:
                path += f"H{x - BEND}C{x} {y} {x} {to} {x + BEND} {to}"
                y = to
            found.append(Line(source=need["name"], target=stop["name"], path=f"{path}H{stop['x']}"))
    return found


def _rows(
    names: list[str], needs: Mapping[str, list[str]], columns: Mapping[str, int], rows: Mapping[str, int]
) -> dict[str, int]:
    """The rows of one column's chapters: each as near as may be to what it needs of the column before."""
    near = {
        name: mean([rows[need] for need in needs[name] if columns[need] == columns[name] - 1] or [0]) for name in names
    }
    ordered = sorted(names, key=near.__getitem__)
    first = max(0, round(mean(near.values()) - (len(names) - 1) / 2))
    return {name: first + at for at, name in enumerate(ordered)}


def _direct(name: str, by_name: Mapping[str, Chapter]) -> list[str]:
    """What a chapter needs, but for what another of these needs already."""
    needs = [need for need in _needs(by_name[name]) if need in by_name]
    return [need for need in needs if not any(need in _before(other, by_name) for other in needs if other != need)]


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
