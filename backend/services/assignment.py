"""An exercise as a notebook for a course: a cell for each gradient, and one behind it that says what is wrong with it.

The cells' metadata is nbgrader's (nbgrader.readthedocs.io, "Creating and grading assignments", schema version 3), the
raw cells around a question those of Otter Assign (otter-grader.readthedocs.io, "Otter Assign Format").
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import indent

from backend.engine.encode import Document
from backend.engine.language.layout import laid_out
from backend.engine.language.pytree import as_tensor
from backend.engine.language.tree import Assignment, names_in, stored_in
from backend.engine.language.unused import underscored
from backend.practice.check import practice_tasks
from backend.practice.exercise import Exercise, exercise_of
from backend.practice.judge import agrees
from backend.practice.match import mutated
from backend.practice.reply import Task
from backend.practice.trial import Case, case_of, inner_of
from backend.program.notebook import Cell
from backend.program.request import Request
from backend.services import graded_cell
from backend.services.plain_torch import autograd_text, forward_text, in_precision, names_of, tensors_text

Course = Callable[[Exercise, Task, str], Iterator[Cell]]
JUDGE = Path(graded_cell.__file__).read_text(encoding="utf-8").partition('"""\n\n')[2].rstrip()
BUILTINS = ("abs", "all", "float", "globals", "int", "isinstance", "list", "map", "max", "str", "tuple", "zip")
PRECISION = "torch.float64"
MOST, ALL = 8, 240  # mistakes with another tensor in a tensor's place: of a line, and of all lines together
INTRODUCTION = """# {title}: the gradients by hand

Below is a forward pass. Write the gradient of `{loss}` with respect to each of its tensors, from the end to the
beginning, with what is there by then: `{first}` is that of `{tensor}`, and so on. The cell behind an answer holds it
against PyTorch's own gradient, and says what is wrong with a wrong one. Every answer is judged by itself: the next one
goes on from the true gradient. All numbers are float64, so that no mistake hides in rounding."""
IMPORTS = f"""import math

import torch
import torch.nn.functional as F

torch.set_default_dtype({PRECISION})"""
# What the judge needs has names of its own within a function: a program may call its tensors as it likes.
TRUTH = """{autograd}


def {begun}():
{judge}

    cells = globals()
    true = {{
{pairs}
    }}
    for name, value in list(cells.items()):
        if isinstance(value, torch.Tensor):
            cells[name] = value.detach()  # from here on numbers alone
    return Answers(cells, true, {slips!r}, {walk!r})


{answers} = {begun}()
{seed} = torch.ones_like({loss})"""


def cells_of(request: Request, course: str, names: Path | None) -> Iterator[Cell]:
    """The cells of a walk's exercise."""
    exercise, tasks = exercise_of(request, names), practice_tasks({"walk": request}, names)["tasks"]
    graph, material = exercise.run.plan.graph, exercise.run.material
    answers = underscored("answers", names_of(graph))
    loss, first = graph.loss.variable, tasks[0] if tasks else None
    title = material.lesson.title if material.lesson else "A program of your own"
    asked = {"first": first["name"], "tensor": first["target"]} if first else {"first": f"d{loss}", "tensor": loss}
    if course == "otter":
        yield Cell("raw", "# ASSIGNMENT CONFIG\nexport_cell: false")
    yield Cell("markdown", INTRODUCTION.format(title=title, loss=loss, **asked))
    constants = [f"{name} = {value!r}" for name, value in material.constants.items()]
    tensors = "\n".join([*constants, tensors_text(material, request, PRECISION)])
    yield Cell("code", f"{IMPORTS}\n\n{tensors}", told("tensors"))
    yield Cell("code", in_precision(forward_text(graph), PRECISION), told("forward"))
    yield Cell("code", _truth(exercise, tasks, request, answers), told("autograd"))
    for task in tasks:
        yield from COURSES[course](exercise, task, answers)


def told(grade_id: str, points: int | None = None, solution: bool = False) -> Document:
    """What nbgrader is to know of a cell: where an answer goes, what is graded, and what nobody may change."""
    graded = {"grade": points is not None, "solution": solution, "locked": not solution, "task": False}
    return {"nbgrader": {"grade_id": grade_id, "schema_version": 3, **graded, **({"points": points} if points else {})}}


def for_nbgrader(exercise: Exercise, task: Task, answers: str) -> Iterator[Cell]:
    """One gradient: what is asked, the answer, and its test."""
    name = task["name"]
    yield _asked(task)
    yield Cell("code", _solution(exercise, task), told(name, solution=True))
    yield Cell("code", f'{answers}.check("{name}")', told(f"test-{name}", points=1))


def for_otter(exercise: Exercise, task: Task, answers: str) -> Iterator[Cell]:
    """The same between the raw cells that mark a question."""
    yield Cell("raw", f"# BEGIN QUESTION\nname: {task['name']}\npoints: 1")
    yield _asked(task)
    yield Cell("raw", "# BEGIN SOLUTION")
    yield Cell("code", _solution(exercise, task))
    yield Cell("raw", "# END SOLUTION")
    yield Cell("raw", "# BEGIN TESTS")
    yield Cell("code", f'_ = {answers}.check("{task["name"]}")')
    yield Cell("raw", "# END TESTS")
    yield Cell("raw", "# END QUESTION")
    yield Cell("code", f'{answers}.take("{task["name"]}")  # what follows goes on from the true one')


COURSES: dict[str, Course] = {"nbgrader": for_nbgrader, "otter": for_otter}


def _asked(task: Task) -> Cell:
    shape = str(tuple(task["shape"])) if task["shape"] else "a single number"
    return Cell("markdown", f"### `{task['name']}`\n\nThe gradient of `{task['target']}`: {shape}.")


def _solution(exercise: Exercise, task: Task) -> str:
    """The printed lines; before them their helper lines, and those of gradients without a name in the program."""
    numbers = exercise.own.numbers_of(task["name"])
    every = sorted({*inner_of(exercise.own, numbers), *numbers})
    lines = [exercise.own.lines[number].code for number in every]
    code = in_precision("\n".join([*_helpers(exercise, every), *lines]), PRECISION)
    return f"# BEGIN SOLUTION\n{code}\n# END SOLUTION"


def _helpers(exercise: Exercise, numbers: list[int]) -> list[str]:
    """The statements of other lines that lines read something from which is neither a value nor a gradient."""
    lines, found = exercise.own.lines, list[Assignment]()
    gradients = {line.variable for line in lines}
    read = {name for number in numbers for one in lines[number].statements for name in names_in(one)}
    for number in range(numbers[-1] - 1, -1, -1):
        for statement in () if number in numbers else reversed(lines[number].statements[:-1]):
            if (read - gradients) & {*stored_in(statement)}:
                read |= names_in(statement)
                found.append(statement)
    return [laid_out(found[::-1])] if found else []


def _truth(exercise: Exercise, tasks: list[Task], request: Request, answers: str) -> str:
    graph = exercise.run.plan.graph
    nodes = {task["name"]: exercise.target(task["target"]) for task in tasks}
    names = names_of(graph)
    hidden = [name for name in BUILTINS if name in names]
    judge = f"from builtins import {', '.join(hidden)}\n\n{JUDGE}" if hidden else JUDGE
    slips = {name: list(_slips(exercise, name)) for name in nodes}
    return TRUTH.format(
        judge=indent(judge, " " * 4), begun=underscored(f"begun_{answers}", names), answers=answers, walk=request,
        autograd=autograd_text(graph), loss=graph.loss.variable, seed=f"d{graph.loss.variable}", slips=_packed(slips),
        pairs="\n".join(f'        "{name}": cells["{node.variable}"].grad,' for name, node in nodes.items()),
    )  # fmt: skip


def _packed(slips: Document) -> str:
    """What would give the answers away to whoever reads the cell."""
    return base64.b85encode(zlib.compress(json.dumps(slips).encode(), 9)).decode()


def _slips(exercise: Exercise, name: str) -> Iterator[list[object]]:
    """The usual mistakes by the numbers that they make, and what is said of each."""
    case, seen = case_of(exercise.shown, name), set[str]()
    for place, number, text in _told_in(case):
        made = mutated(case, place, number)
        if made is None or agrees(made, case):
            continue
        shape, size, *marks = graded_cell.fingerprint(as_tensor(made))
        rounded = [float(f"{one:.10g}") for one in marks]
        if math.isfinite(size) and (mark := f"{shape} {rounded}") not in seen:
            seen.add(mark)
            yield [shape, *rounded, text]


def _told_in(case: Case) -> Iterator[tuple[int, int, str]]:
    """The mistakes that can be made in a gradient's lines, by the place of the line and their own number."""
    most = min(MOST, ALL // len(case.trial.lines))
    for place, several in enumerate(case.mutants):
        others = 0
        for number, mutant in enumerate(several):
            others += mutant.code == "wrong-tensor"
            if mutant.code != "wrong-tensor" or others <= most:
                yield place, number, mutant.label
