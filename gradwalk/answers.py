"""What a page asks of a walk, answered in this process: for files and for cells of a notebook, without a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson

from app.endpoints import ENDPOINTS
from app.site.question import Question
from app.site.server import Answers
from backend.engine.language.errors import Refusal
from backend.engine.language.limits import widened
from backend.program.own import served
from backend.program.request import Material

NAME = "own-model"  # by which the walk goes in the questions about it
BY_PATH = {endpoint.path: endpoint for endpoint in ENDPOINTS}


@dataclass
class Here(Answers):
    """Answers as a server of ours gives them, of no address; `room` is what a program may cost here."""

    room: Mapping[str, int] = field(default_factory=dict)

    def answer(self, question: Question) -> bytes | None:
        """The answer to a question; None where it is refused: not every walk has everything."""
        try:
            return self.told(question)
        except Refusal:
            return None

    def told(self, question: Question) -> bytes:
        """The answer to a question; raises Refusal."""
        path, _, query = question.path.partition("?")
        endpoint, body = BY_PATH[path], dict(question.body or {})
        if query == "steps=all":
            body["steps"] = "all"
        given = [body[field] for field in endpoint.fields] or [body]
        with widened(**self.room):
            told: Any = endpoint.load()(*given)
        return told if isinstance(told, bytes) else orjson.dumps(told)


@contextmanager
def answering(material: Material, room: Mapping[str, int]) -> Iterator[Here]:
    """Answers about a walk that is no lesson, for a while."""
    with served(NAME, material):
        yield Here("", room)
