"""What can be asked by posting JSON: one row for each address, from its request to its answer."""

import re
from typing import Literal, NamedTuple

from app import requests, step_requests
from app.fields import Strict


class Endpoint(NamedTuple):
    """An address that takes a JSON body, which one of the engine's public functions answers in a worker.

    The function takes the body whole unless `fields` are named, which it takes one by one. `ours` says what becomes of
    questions about walks of ours: their answers are kept, or asked of the worker that is `near` such walks.
    """

    path: str
    asked: type[Strict]
    function: str
    answer: str  # the name of its type
    answered: str  # what that is, in a word or two
    about: str
    fields: tuple[str, ...] = ()
    ours: Literal["", "kept", "near"] = ""

    @property
    def job(self) -> str:
        """What the workers know it by, such as `practice-check`."""
        return re.sub(r"{\w+}/", "", self.path.removeprefix("/api/")).replace("/", "-")


ENDPOINTS = (
    Endpoint(
        "/api/walk", requests.WalkQuestion, "walk", "WalkAnswer", "The walk",
        "The whole walk as one document; 422 with the place in the source when the program is refused.", ours="kept",
    ),
    Endpoint(
        "/api/axes", requests.AxesRequest, "axis_choices", "AxisChoices", "The choices",
        "Every axis that a broadcast tensor's gradient could be summed over, the shape that comes out, and why not.",
    ),
    Endpoint(
        "/api/cell", requests.CellRequest, "cell", "OpenedCell", "The terms",
        "The terms behind one number; 422 where there is no such tensor, cell, gradient or step.",
    ),
    Endpoint(
        "/api/check", requests.CheckRequest, "check", "CheckAnswer", "What was found",
        "The shape that every line makes; 422 with the place in the source when the program is refused.\n\n"
        "With `refusals=answer` the status is 200 either way, for pages that ask at every pause in the typing:\n"
        '`{"ok": true, "report": …}` or `{"ok": false, "error": …}`.',
    ),
    Endpoint(
        "/api/comparison", requests.ComparisonRequest, "comparison", "SideBySide", "The comparison",
        "What the tensors of two walks have in common, by name: lengths, the angle between them, where they differ.",
    ),
    Endpoint(
        "/api/export", requests.ExportRequest, "export", "ExportedFile", "The file",
        "The file's name, media type and text; 422 with the place in the source when the program is refused.",
        fields=("walk", "format"),
    ),
    Endpoint(
        "/api/open", requests.OpenRequest, "opened", "OpenedProgram", "The program",
        "The program with that line opened; 422 when there is nothing to open on it.", fields=("walk", "line"),
    ),
    Endpoint(
        "/api/numeric", requests.NumericRequest, "numeric", "Differences", "The differences",
        "What central differences say of one gradient, or of all.",
    ),
    Endpoint(
        "/api/jacobian", requests.JacobianRequest, "jacobian", "JacobianAnswer", "The matrix",
        "The matrix, the gradient that arrives, and their product beside what the walk shows.",
    ),
    Endpoint(
        "/api/curve", requests.CurveRequest, "curve", "Curve", "The loss",
        "The loss along one cell, beside its gradient's straight line; 422 where there is no such cell or gradient.",
    ),
    Endpoint(
        "/api/tangents", requests.TangentsRequest, "tangents", "Tangents", "The tangents",
        "How far every tensor moves for each unit by which one cell does; 422 where there is no such cell.",
        ours="near",
    ),
    Endpoint(
        "/api/descent", requests.DescentRequest, "descent", "Descent", "The losses",
        "The loss after one step of gradient descent, at each learning rate; 422 where no parameter has a gradient.",
    ),
    Endpoint(
        "/api/mistakes", requests.MistakesRequest, "mistakes", "Mistakes", "The mistakes",
        "The mistakes of one backward step, each with its label and its line; 422 where the step is no backward one.",
    ),
    Endpoint(
        "/api/practice/check", requests.PracticeRequest, "practice_check", "Checked", "What was found",
        "Whether an answer is right on every instance, else what is wrong; 422 where there is no such gradient.",
    ),
    Endpoint(
        "/api/practice/tasks", requests.ProgramRequest, "practice_tasks", "Tasks", "The tasks",
        "The gradients that can be written, in backward order, each with the names in scope by then.", ours="kept",
    ),
    Endpoint(
        "/api/program", requests.ProgramRequest, "program", "StartingPoint", "The program",
        "The request that walks the same with all tensors as values: a starting point like those of /api/starts.",
        fields=("walk",),
    ),
    Endpoint(
        "/api/tensor", step_requests.WindowRequest, "window", "Window", "The cells",
        "The cells of that rectangle; a large one is pooled.",
    ),
    Endpoint(
        "/api/step", step_requests.StepRequest, "step", "StepTensors", "The tensors",
        "The tensors that a step shows, cell by cell; 422 where the walk has no such step or tensor.",
    ),
    Endpoint(
        "/api/steps", step_requests.StepsRequest, "steps", "StepParts", "What belongs to single steps",
        "What a walk leaves out until somebody comes near it; 422 where the walk has no such step or tensor.",
        ours="near",
    ),
    Endpoint(
        "/api/pieces", requests.PiecesRequest, "pieces", "Pieces", "The pieces",
        "Which pieces a walk has: kind, tensor, and the steps at which each is offered.", ours="kept",
    ),
    Endpoint(
        "/api/derivation", requests.PieceRequest, "derivation", "Derivation", "The stages",
        "A closed form stage by stage, each run and held against the one before; 422 where nothing collapses.",
    ),
    Endpoint(
        "/api/order", requests.PieceRequest, "order", "SearchOrder", "The search",
        "The search that orders the backward pass, call by call; 422 where the graph is too large.",
    ),
    Endpoint(
        "/api/threeways", requests.PieceRequest, "three_ways", "ThreeWays", "The three ways",
        "The gradient of a picked table in three ways; 422 where no rows of it are picked.",
    ),
    Endpoint(
        "/api/saturation", requests.SaturationRequest, "saturation", "Saturation", "What is let through",
        "What an activation lets through, at several scales of a parameter; 422 where it can't saturate.",
    ),
    Endpoint(
        "/api/throughtime", requests.PieceRequest, "through_time", "ThroughTime", "The norms",
        "A gradient's norm along a series, at several scales of its weight; 422 where there is none.",
    ),
    Endpoint(
        "/api/chapters/{name}/answer", requests.AnswerRequest, "chapter_answer", "ChapterAnswer", "What was found",
        "Whether a number, a shape or an expression answers a question of a chapter, and if not, why.",
    ),
)  # fmt: skip
BY_JOB = {endpoint.job: endpoint for endpoint in ENDPOINTS}
