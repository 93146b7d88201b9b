"""gradwalk's engine: reads a forward pass, writes its backward pass, runs both, and checks every gradient."""

from backend.check import check
from backend.data.words import WordListError, load_words
from backend.differences.numeric import numeric
from backend.export import export
from backend.jacobians.jacobian import jacobian
from backend.language.errors import Refusal
from backend.lens.cells import cell
from backend.opened import opened
from backend.own import program
from backend.reference import lesson, lessons, operations
from backend.starts import starts
from backend.walk import walk
from backend.warm import warm
from backend.window import window

__all__ = [
    "Refusal",
    "WordListError",
    "cell",
    "check",
    "export",
    "jacobian",
    "lesson",
    "lessons",
    "load_words",
    "numeric",
    "opened",
    "operations",
    "program",
    "starts",
    "walk",
    "warm",
    "window",
]
