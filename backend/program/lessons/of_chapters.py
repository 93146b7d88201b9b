"""Lessons from chapters: each program of a chapter is walked by the chapter's name, as a lesson is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from backend.program.chapters.chapter import Chapter, Program
from backend.program.lessons.base import Instead, Lesson
from backend.program.starts import starts


def lessons_of(chapter: Chapter, known: Mapping[str, Lesson]) -> Iterator[Lesson]:
    """The lessons that a chapter brings; raises Refusal where it refers to one that isn't there.

    The chapter's own program has its name, a further one `chapter.program`. A starting point that the chapter takes in
    keeps its old name, so that addresses stay, and is told of as the chapter tells of it.
    """
    for name, program in chapter.programs.items():
        lesson = _lesson(chapter, f"{chapter.name}.{name}" if name else chapter.name, program, known)
        yield lesson
        if not name and program.lesson in chapter.starts:
            yield replace(lesson, name=str(program.lesson))


def _lesson(chapter: Chapter, name: str, program: Program, known: Mapping[str, Lesson]) -> Lesson:
    narration = {step: _told(text) for step, text in program.narration.items()}
    claimed = (
        (step, text["holds"])
        for step, text in program.narration.items()
        if not isinstance(text, str) and "holds" in text
    )
    holds = {step: tuple(claims) for step, claims in claimed}
    if program.lesson is not None and program.lesson in known:
        lesson = known[program.lesson]
        return replace(lesson, name=name, narration={**lesson.narration, **narration}, holds={**lesson.holds, **holds})
    request = program.request if program.lesson is None else _request_of_start(chapter, program.lesson)
    return Lesson(
        name=name,
        title=chapter.title,
        about=chapter.promise,
        narration=narration,
        holds=holds,
        request=request,
        seed=None,
    )


def _told(text: str | Mapping[str, Any]) -> str:
    if isinstance(text, str):
        return text
    told: str = text["says"] if "says" in text else Instead(text["instead"])
    return told


def _request_of_start(chapter: Chapter, name: str) -> Mapping[str, object]:
    found = next((one["request"] for one in starts() if one["name"] == name), None)
    if found is None:
        line = next((n for n, text in enumerate(chapter.source.split("\n"), 1) if re.match("lesson|starts", text)), 1)
        raise chapter.refusal("chapter/lesson-unknown", line, found=name)
    request: Mapping[str, object] = found
    return request
