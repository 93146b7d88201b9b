"""What can be asked by posting JSON: one row for each address, from its request to its answer."""

import pkgutil
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from app import bug_requests, requests, step_requests
from app.fields import Strict

BESIDE = __name__.removesuffix("app.endpoints")  # in an installed wheel all packages stand below `gradwalk`
# What the examples ask about.
LESSON = {"lesson": "makemore-mlp"}
WALK = {
    "source": "h = torch.tanh(x @ W + b)\nloss = F.cross_entropy(h, y)",
    "tensors": {
        "x": {"role": "data", "shape": [5, 3], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [3, 4], "init": "randn", "seed": 2},
        "b": {"role": "parameter", "values": [0.5, -1.0, 2.0, 0.1]},
        "y": {"role": "target", "values": [0, 1, 2, 3, 3]},
    },
}
BUG: Mapping[str, object] = {"network": "recurrent", "seed": 7}


class Endpoint(NamedTuple):
    """An address that takes a JSON body, which a function of the engine answers in a worker.

    The function takes the body whole unless `fields` are named, which it takes one by one. `ours` says what becomes of
    questions about walks of ours: their answers are kept, or asked of the worker that is `near` such walks.
    """

    path: str
    asked: type[Strict]
    function: str  # of which module of `backend`
    answer: str  # the name of its type
    about: str
    example: Mapping[str, object]  # a right body; where the path has a `{name}`, that of `named`
    named: str = ""
    fields: tuple[str, ...] = ()
    ours: Literal["", "kept", "near"] = ""

    @property
    def job(self) -> str:
        """What the workers know it by, such as `practice-check`."""
        return re.sub(r"{\w+}/", "", self.path.removeprefix("/api/")).replace("/", "-")

    @property
    def address(self) -> str:
        """Where the example is posted to."""
        return self.path.format(name=self.named)

    def load(self) -> Callable[..., Any]:
        """The function, for a worker: it brings torch."""
        function: Callable[..., Any] = pkgutil.resolve_name(f"{BESIDE}backend.{self.function}")
        return function


ENDPOINTS = (
    Endpoint(
        "/api/walk", requests.WalkQuestion, "pipeline:walk", "WalkAnswer",
        "The whole walk as one document; 422 with the place in the source when the program is refused.",
        WALK, ours="kept",
    ),
    Endpoint(
        "/api/axes", requests.AboutTensor, "inspect.axis_choices:axis_choices", "AxisChoices",
        "Every axis that a broadcast tensor's gradient could be summed over, the shape that comes out, and why not.",
        {"walk": WALK, "tensor": "b"},
    ),
    Endpoint(
        "/api/cell", requests.CellRequest, "inspect.cell.cell:cell", "OpenedCell",
        "The terms behind one number; 422 where there is no such tensor, cell, gradient or step.",
        {"walk": WALK, "tensor": "h", "which": "gradient", "index": [0, 1]},
    ),
    Endpoint(
        "/api/check", requests.CheckRequest, "services.check:check", "CheckAnswer",
        "The shape that every line makes; 422 with the place in the source when the program is refused.\n\n"
        "With `refusals=answer` the status is 200 either way, for pages that ask at every pause in the typing:\n"
        '`{"ok": true, "report": …}` or `{"ok": false, "error": …}`.',
        WALK,
    ),
    Endpoint(
        "/api/comparison", requests.ComparisonRequest, "inspect.comparison:comparison", "SideBySide",
        "What the tensors of two walks have in common, by name: lengths, the angle between them, where they differ.",
        {"left": WALK, "right": {**WALK, "exact": True}},
    ),
    Endpoint(
        "/api/export", requests.ExportRequest, "services.export:export", "ExportedFile",
        "The file's name, media type and text; 422 with the place in the source when the program is refused.",
        {"walk": WALK, "format": "py"}, fields=("walk", "format"),
    ),
    Endpoint(
        "/api/open", requests.OpenRequest, "services.decompose:opened", "OpenedProgram",
        "The program with that line opened; 422 when there is nothing to open on it.",
        {"walk": WALK, "line": 2}, fields=("walk", "line"),
    ),
    Endpoint(
        "/api/numeric", requests.NumericRequest, "inspect.finite_differences.numeric:numeric", "Differences",
        "What central differences say of one gradient, or of all.",
        {"walk": WALK, "node": "W"},
    ),
    Endpoint(
        "/api/jacobian", requests.JacobianRequest, "inspect.jacobian.jacobian:jacobian", "JacobianAnswer",
        "The matrix, the gradient that arrives, and their product beside what the walk shows.",
        {"walk": WALK, "node": "h", "input": "b"},
    ),
    Endpoint(
        "/api/curve", requests.CurveRequest, "inspect.finite_differences.curve:curve", "Curve",
        "The loss along one cell, beside its gradient's straight line; 422 where there is no such cell or gradient.",
        {"walk": WALK, "tensor": "W", "index": [0, 1], "span": 0.5, "points": 11},
    ),
    Endpoint(
        "/api/tangents", requests.TangentsRequest, "inspect.tangents:tangents", "Tangents",
        "How far every tensor moves for each unit by which one cell does; 422 where there is no such cell.",
        {"walk": WALK, "tensor": "W", "index": [0, 1]}, ours="near",
    ),
    Endpoint(
        "/api/costs", requests.CostsRequest, "inspect.costs:line_costs", "LineCosts",
        "What each line costs: its multiply-adds, and the bytes that are kept for the way back.",
        {"walk": WALK, "again": ["h"]}, ours="near",
    ),
    Endpoint(
        "/api/descent", requests.DescentRequest, "inspect.descent:descent", "Descent",
        "The loss after one step of gradient descent, at each learning rate; 422 where no parameter has a gradient.",
        {"walk": WALK, "rates": [0.1, 10.0], "path": 3},
    ),
    Endpoint(
        "/api/mistakes", requests.MistakesRequest, "services.mistakes:mistakes", "Mistakes",
        "The mistakes of one backward step, each with its label and its line; 422 where the step is no backward one.",
        {"walk": WALK, "step": 3},
    ),
    Endpoint(
        "/api/practice/check", requests.PracticeRequest, "practice.check:practice_check", "Checked",
        "Whether an answer is right on every instance, else what is wrong; 422 where there is no such gradient.",
        {"walk": WALK, "target": "W", "answer": "dW = x.T @ (dh * (1 - h**2))", "hints": 1},
    ),
    Endpoint(
        "/api/practice/tasks", requests.AboutWalk, "practice.check:practice_tasks", "Tasks",
        "The gradients that can be written, in backward order, each with the names in scope by then.",
        {"walk": WALK}, ours="kept",
    ),
    Endpoint(
        "/api/program", requests.AboutWalk, "services.program:program", "StartingPoint",
        "The request that walks the same with all tensors as values: a starting point like those of /api/starts.",
        {"walk": LESSON}, fields=("walk",),
    ),
    Endpoint(
        "/api/tensor", step_requests.WindowRequest, "inspect.window:window", "Window",
        "The cells of that rectangle; a large one is pooled.",
        {"walk": WALK, "tensor": "h", "which": "value", "window": [0, 5, 0, 4]},
    ),
    Endpoint(
        "/api/step", step_requests.StepRequest, "inspect.step:step", "StepTensors",
        "The tensors that a step shows, cell by cell; 422 where the walk has no such step or tensor.",
        {"walk": WALK, "index": 3, "nodes": ["h", "x"]},
    ),
    Endpoint(
        "/api/steps", step_requests.StepsRequest, "inspect.steps:steps", "StepParts",
        "What a walk leaves out until somebody comes near it; 422 where the walk has no such step or tensor.",
        {"walk": WALK, "steps": [1, 3], "judged": ["W", "h"]}, ours="near",
    ),
    Endpoint(
        "/api/pieces", requests.AboutWalk, "inspect.pieces.offers:pieces", "Pieces",
        "Which pieces a walk has: kind, tensor, and the steps at which each is offered.",
        {"walk": LESSON}, ours="kept",
    ),
    Endpoint(
        "/api/derivation", requests.AboutTensor, "inspect.closed_forms.derivation:derivation", "Derivation",
        "A closed form stage by stage, each run and held against the one before; 422 where nothing collapses.",
        {"walk": LESSON, "tensor": "logits"},
    ),
    Endpoint(
        "/api/order", requests.AboutTensor, "inspect.pieces.search_order:order", "SearchOrder",
        "The search that orders the backward pass, call by call; 422 where the graph is too large.",
        {"walk": WALK, "tensor": "loss"},
    ),
    Endpoint(
        "/api/threeways", requests.AboutTensor, "inspect.pieces.three_ways:three_ways", "ThreeWays",
        "The gradient of a picked table in three ways; 422 where no rows of it are picked.",
        {"walk": LESSON, "tensor": "C"},
    ),
    Endpoint(
        "/api/saturation", requests.SaturationRequest, "inspect.pieces.saturation:saturation", "Saturation",
        "What an activation lets through, at several scales of a parameter; 422 where it can't saturate.",
        {"walk": WALK, "tensor": "h", "parameter": "W"},
    ),
    Endpoint(
        "/api/throughtime", requests.AboutTensor, "inspect.pieces.through_time:through_time", "ThroughTime",
        "A gradient's norm along a series, at several scales of its weight; 422 where there is none.",
        {"walk": {"lesson": "recurrent"}, "tensor": "h"},
    ),
    Endpoint(
        "/api/chapters/{name}/answer", requests.AnswerRequest, "course.quizzes:chapter_answer", "ChapterAnswer",
        "Whether a number, a shape or an expression answers a question of a chapter, and if not, why.",
        {"block": "quiz", "answer": "3"}, named="broadcasting",
    ),
    Endpoint(
        "/api/bug", bug_requests.BugRequest, "services.bug_looks:bug", "Bug",
        "A network with one backward line wrong, drawn from the seed: its lines, two short runs, no verdict.",
        BUG,
    ),
    Endpoint(
        "/api/bug/gradient", bug_requests.BugLineRequest, "services.bug_looks:bug_gradient", "BugGradient",
        "What a line's gradient holds right after it, as printed; 422 where there is no such line.",
        {**BUG, "line": 3},
    ),
    Endpoint(
        "/api/bug/nudge", bug_requests.BugCellRequest, "services.bug_looks:bug_nudge", "BugNudge",
        "One cell of it beside central differences of the loss; 422 for the gradient of a tensor without a name.",
        {**BUG, "line": 2, "index": [0, 1]},
    ),
    Endpoint(
        "/api/bug/lens", bug_requests.BugCellRequest, "services.bug_looks:bug_lens", "BugLens",
        "What the line as printed computes for one cell: its formula, and the same with numbers.",
        {**BUG, "line": 3, "index": [0, 1]},
    ),
    Endpoint(
        "/api/bug/run", bug_requests.BugLineRequest, "services.bug_looks:bug_run", "BugRun",
        "A second run with this line put right; the same as the first one where it was right already.",
        {**BUG, "line": 3},
    ),
    Endpoint(
        "/api/bug/hint", bug_requests.BugHintRequest, "services.bug_looks:bug_hint", "BugHint",
        "A hint: half of the lines, then the mistake, then the gradient.",
        {**BUG, "grade": 1},
    ),
    Endpoint(
        "/api/bug/accuse", bug_requests.BugAccuseRequest, "services.bug_looks:bug_accuse", "Accused",
        "Whether it is this line; if so, mistakes to choose from, and whether `mistake` is the one that was made.",
        {**BUG, "line": 3},
    ),
    Endpoint(
        "/api/bug/reveal", bug_requests.BugRevealRequest, "services.bug_looks:bug_reveal", "Reveal",
        "The wrong line, the right one, and what is wrong with it, for who names both, or gives up; else 422.",
        {**BUG, "given_up": True},
    ),
)  # fmt: skip
BY_JOB = {endpoint.job: endpoint for endpoint in ENDPOINTS}
BY_PATH = {endpoint.path: endpoint for endpoint in ENDPOINTS}
