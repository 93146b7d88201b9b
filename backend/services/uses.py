"""Where each operation's rule can be watched: the steps of lessons and starting points that go back through it."""

from __future__ import annotations

from functools import cache

from backend.engine.encode import Document
from backend.pipeline import planned
from backend.present.steps import rules_of
from backend.program.lessons import LESSONS
from backend.program.request import read
from backend.program.starts import starts

MOST = 3  # subjects of one operation


@cache
def uses() -> list[Document]:
    """For each operation at most one step of a subject: where the line is about it, else where it takes part.

    `step` counts from 1, as in an address; `gradient` is what the step computes.
    """
    found: dict[str, list[Document]] = {}
    for name, title in _subjects():
        for operation, place in _steps(name).items():
            found.setdefault(operation, []).append({"operation": operation, "lesson": name, "title": title, **place})
    return [place for places in found.values() for place in places[:MOST]]


def _subjects() -> list[tuple[str, str]]:
    """Lessons, then the starting points that are none of them; of a chapter its main program alone."""
    lessons = {lesson.title: name for name, lesson in LESSONS.items() if "." not in name}
    others = {start["title"]: start["name"] for start in starts() if start["name"] not in LESSONS}
    return [(name, title) for title, name in (lessons | others).items()]


def _steps(subject: str) -> dict[str, Document]:
    """The first step of each operation's rule, by operation."""
    plan = planned(read({"lesson": subject}))
    about: dict[str, Document] = {}
    partly: dict[str, Document] = {}
    for number, line in enumerate(plan.lines, start=len(plan.graph.chunks) + 1):
        rules = rules_of(line)
        place = {"step": number, "gradient": line.code.partition(" ")[0]}
        for rule in rules:
            (about if rule == rules[-1] else partly).setdefault(rule, place)
    return partly | about
