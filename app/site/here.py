"""What a page asks of a walk, answered in this process, without a server."""

from collections.abc import Callable
from dataclasses import dataclass

import backend
from app.site.question import Document, Question
from app.site.server import Answers

Carried = Callable[[str, Document], bytes]


@dataclass
class Here(Answers):
    """Answers as a server of ours gives them, of no address; `carry_out` makes that of a path and a body."""

    carry_out: Carried

    def answer(self, question: Question) -> bytes | None:
        """The answer to a question; None where it is refused: not every walk has everything."""
        try:
            return self.told(question)
        except backend.Refusal:
            return None

    def told(self, question: Question) -> bytes:
        """The answer to a question; raises Refusal."""
        path, _, query = question.path.partition("?")
        body = dict(question.body or {})
        if query == "steps=all":
            body["steps"] = "all"
        return self.carry_out(path, body)
