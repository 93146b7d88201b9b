"""How much of a walk a file holds that is made within a request: counted, so that every machine makes the same file."""

import json
import math
from dataclasses import dataclass
from math import prod

from app.site.here import Here
from app.site.question import Document, Question

# Cells that are a step: a question runs its walk again, and one about a number reads all that it is made of.
CELLS, READ = 500, 25
# Steps that a second of a worker's processor time allows, a third of what they take on a slow machine.
ASKED, PACKED = 1_000, 800


@dataclass
class Counted(Here):
    """Answers, as many as there are steps `left` for: one for each tensor of the walk and one for so many cells."""

    left: float = math.inf
    tensors: int = 0
    cells: int = 0

    def about(self, document: Document) -> None:
        """Which walk they are about."""
        self.tensors = len(document["nodes"])
        self.cells = sum(prod(node["shape"]) for node in document["nodes"])

    def told(self, question: Question) -> bytes:
        """The answer to a question; raises Refusal."""
        text = super().told(question)
        self.left -= self.tensors + self.cells // (READ if question.path == "/api/cell" else CELLS)
        return text

    def spent(self) -> bool:
        """Whether no step is left."""
        return self.left <= 0


def counted(answers: Here, walk: Question, seconds: float) -> tuple[Counted, Document]:
    """The same answers for who has so many seconds, and the walk; raises Refusal."""
    document = json.loads(answers.told(walk))
    found = Counted(answers.address, answers.carry_out, seconds * ASKED)
    found.about(document)
    return found, document
