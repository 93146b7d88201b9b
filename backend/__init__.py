"""What is computed, by short names: for Python, and for what the server has no row for."""

from backend.course.check import check_chapters as check_chapters
from backend.course.page import chapter as chapter
from backend.course.page import chapter_faults as chapter_faults
from backend.course.page import chapters as chapters
from backend.course.quizzes import chapter_answer as chapter_answer
from backend.course.quizzes import number_judged as number_judged
from backend.course.sections import sections as sections
from backend.engine.language.errors import Refusal as Refusal
from backend.engine.language.guard import wants_memory as wants_memory
from backend.engine.language.wording import number_text as number_text
from backend.inspect.axis_choices import axis_choices as axis_choices
from backend.inspect.cell.cell import cell as cell
from backend.inspect.closed_forms.derivation import derivation as derivation
from backend.inspect.comparison import comparison as comparison
from backend.inspect.descent import descent as descent
from backend.inspect.finite_differences.curve import curve as curve
from backend.inspect.finite_differences.numeric import numeric as numeric
from backend.inspect.jacobian.jacobian import jacobian as jacobian
from backend.inspect.pieces.offers import pieces as pieces
from backend.inspect.pieces.saturation import saturation as saturation
from backend.inspect.pieces.search_order import order as order
from backend.inspect.pieces.three_ways import three_ways as three_ways
from backend.inspect.pieces.through_time import through_time as through_time
from backend.inspect.step import step as step
from backend.inspect.steps import steps as steps
from backend.inspect.window import window as window
from backend.packing.tensors import told_by_others as told_by_others
from backend.pipeline import walk as walk
from backend.practice.check import practice_check as practice_check
from backend.practice.check import practice_tasks as practice_tasks
from backend.program.data.digits import serve_mnist as serve_mnist
from backend.program.data.idx import IdxError as IdxError
from backend.program.data.words import (
    WordListError as WordListError,
)
from backend.program.data.words import (
    kept_words as kept_words,
)
from backend.program.data.words import (
    load_words as load_words,
)
from backend.program.lessons import serve_chapters as serve_chapters
from backend.program.starts import starts as starts
from backend.services.answer_schemas import answer_schemas as answer_schemas
from backend.services.check import check as check
from backend.services.decompose import opened as opened
from backend.services.drills import drills as drills
from backend.services.export import export as export
from backend.services.lab import exhibit as exhibit
from backend.services.lab import exhibits as exhibits
from backend.services.live_example import operation_walk as operation_walk
from backend.services.mistakes import mistakes as mistakes
from backend.services.program import program as program
from backend.services.reference import lesson as lesson
from backend.services.reference import lessons as lessons
from backend.services.reference import operations as operations
from backend.services.uses import uses as uses
from backend.services.warmup import warm as warm
from backend.services.warmup import warm_training as warm_training
from backend.training.pair import training_session as training_session
