"""The engine: reads a forward pass, writes its backward pass, runs both, and checks every gradient."""

from backend.closed_forms.derivation import derivation
from backend.course.page import chapter, chapter_faults, chapters
from backend.course.quizzes import chapter_answer
from backend.course.sections import sections
from backend.inspect.axis_choices import axis_choices
from backend.inspect.cell.cell import cell
from backend.inspect.descent import descent
from backend.inspect.finite_differences.curve import curve
from backend.inspect.finite_differences.numeric import numeric
from backend.inspect.jacobian.jacobian import jacobian
from backend.inspect.step import step
from backend.inspect.steps import steps
from backend.inspect.window import window
from backend.language.errors import Refusal
from backend.language.guard import wants_memory
from backend.pieces.offers import pieces
from backend.pieces.saturation import saturation
from backend.pieces.search_order import order
from backend.pieces.three_ways import three_ways
from backend.pieces.through_time import through_time
from backend.pipeline import walk
from backend.practice.check import practice_check, practice_tasks
from backend.program.data.digits import serve_mnist
from backend.program.data.idx import IdxError
from backend.program.data.words import WordListError, kept_words, load_words
from backend.program.lessons import serve_chapters
from backend.program.starts import starts
from backend.services.check import check
from backend.services.decompose import opened
from backend.services.drills import drills
from backend.services.export import export
from backend.services.live_example import operation_walk
from backend.services.mistakes import mistakes
from backend.services.program import program
from backend.services.reference import lesson, lessons, operations
from backend.services.uses import uses
from backend.training.pair import training_session
from backend.warmup import warm, warm_training

__all__ = [
    "IdxError",
    "Refusal",
    "WordListError",
    "axis_choices",
    "cell",
    "chapter",
    "chapter_answer",
    "chapter_faults",
    "chapters",
    "check",
    "curve",
    "derivation",
    "descent",
    "drills",
    "export",
    "jacobian",
    "kept_words",
    "lesson",
    "lessons",
    "load_words",
    "mistakes",
    "numeric",
    "opened",
    "operation_walk",
    "operations",
    "order",
    "pieces",
    "practice_check",
    "practice_tasks",
    "program",
    "saturation",
    "sections",
    "serve_chapters",
    "serve_mnist",
    "starts",
    "step",
    "steps",
    "three_ways",
    "through_time",
    "training_session",
    "uses",
    "walk",
    "wants_memory",
    "warm",
    "warm_training",
    "window",
]
