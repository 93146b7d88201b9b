"""The engine: reads a forward pass, writes its backward pass, runs both, and checks every gradient."""

from backend.inspect.cell.cell import cell
from backend.inspect.descent import descent
from backend.inspect.finite_differences.curve import curve
from backend.inspect.finite_differences.numeric import numeric
from backend.inspect.jacobian.jacobian import jacobian
from backend.inspect.step import step
from backend.inspect.window import window
from backend.language.errors import Refusal
from backend.language.guard import wants_memory
from backend.pipeline import walk
from backend.practice.check import practice_check, practice_tasks
from backend.program.data.words import WordListError, load_words
from backend.program.starts import starts
from backend.services.check import check
from backend.services.decompose import opened
from backend.services.export import export
from backend.services.mistakes import mistakes
from backend.services.program import program
from backend.services.reference import lesson, lessons, operations
from backend.training.session import Session as TrainingSession
from backend.warmup import warm, warm_training

__all__ = [
    "Refusal",
    "TrainingSession",
    "WordListError",
    "cell",
    "check",
    "curve",
    "descent",
    "export",
    "jacobian",
    "lesson",
    "lessons",
    "load_words",
    "mistakes",
    "numeric",
    "opened",
    "operations",
    "practice_check",
    "practice_tasks",
    "program",
    "starts",
    "step",
    "walk",
    "wants_memory",
    "warm",
    "warm_training",
    "window",
]
