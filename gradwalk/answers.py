"""What a page asks of a walk of somebody's model, answered in their own process: for files and cells of a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import orjson

from app.endpoints import BY_PATH
from app.site.here import Here
from app.site.question import Document
from backend.engine.language.limits import widened
from backend.program.own import served
from backend.program.request import Material

NAME = "own-model"  # by which the walk goes in the questions about it


def here(room: Mapping[str, int]) -> Here:
    """Answers of this process; `room` is what a program may cost here."""

    def carry_out(path: str, body: Document) -> bytes:
        endpoint = BY_PATH[path]
        given = [body[field] for field in endpoint.fields] or [body]
        with widened(**room):
            told: Any = endpoint.load()(*given)
        return told if isinstance(told, bytes) else orjson.dumps(told)

    return Here("", carry_out)


@contextmanager
def answering(material: Material, room: Mapping[str, int]) -> Iterator[Here]:
    """Answers about a walk that is no lesson, for a while."""
    with served(NAME, material):
        yield here(room)
