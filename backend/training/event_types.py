"""What a training run tells: its events, and the answers about it.

A session words its own events; the server adds what only it can know: `missed`, `lost`, and the numbers of the events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

from backend.engine.verify.compare import Level
from backend.present.picture_types import JsonNumber
from backend.training.choice import Kind, Lines, numbers
from backend.training.optimisers import OPTIMISERS
from backend.training.schedules import SCHEDULES

Status = Literal["running", "paused", "finished", "stopped", "diverged", "lost"]
KINDS: dict[Kind, type] = {"rate": float, "share": float, "above": float, "count": int, "steps": int}
NotFinite = Literal["autograd-not-finite", "lines-not-finite"]
RunNumber = Annotated[Literal[0, 1], "whose it is: 1 is the run beside the first one"]


def _chosen(name: str, about: str, blocks: Mapping[str, type]) -> Any:
    """The type of one of several blocks with its numbers: those that all have are always told."""
    each = [numbers(block) for block in blocks.values()]
    kinds = {setting: KINDS[kind] for one in each for setting, kind in one.items()}
    always = set.intersection(*map(set, each))
    parts = {setting: kind if setting in always else NotRequired[kind] for setting, kind in kinds.items()}
    told: Any = Literal[tuple(block.__name__.lower() for block in blocks.values())]
    functional: Any = TypedDict
    made = functional(name, {"name": told, **parts})
    made.__doc__ = about
    return made


if TYPE_CHECKING:  # made of blocks, which a type checker can't read
    ChosenOptimiser = dict[str, object]
    ChosenSchedule = dict[str, object]
else:
    about = "An optimiser with its numbers as they are now; each has its own of these."
    ChosenOptimiser = _chosen("ChosenOptimiser", about, OPTIMISERS)
    about = "A learning-rate schedule with its numbers; each has its own of these."
    ChosenSchedule = _chosen("ChosenSchedule", about, SCHEDULES)


class ChosenClip(TypedDict):
    """What is held to which limit."""

    by: Literal["norm", "loss"]
    limit: float


class TrainingData(TypedDict):
    """What is trained on; of a program's own tensors, which never change, there is nothing to tell."""

    name: Annotated[str, "the data set's; `own` for a program's own tensors"]
    batch: Annotated[int, "examples of a minibatch; 0 where none are drawn"]
    title: NotRequired[str]
    inputs: NotRequired[Annotated[list[str], "the variables that hold a minibatch"]]
    classes: NotRequired[int]
    examples: NotRequired[Annotated[dict[str, int], "of each split: train, validation, test"]]


class Settings(TypedDict):
    """Optimiser, learning rate and clipping as they are now."""

    optimiser: ChosenOptimiser
    schedule: ChosenSchedule
    clip: ChosenClip | None
    lr: Annotated[float, "of the next step"]


class OfRun(TypedDict):
    """When an event was told, and by which run."""

    steps_taken: int
    run: RunNumber


class Start(OfRun, Settings):
    """What is trained, and how: the first event of a run, and again where it goes on in another process."""

    kind: Literal["start"]
    status: Status
    target: Annotated[int, "how many steps are taken in all when it pauses or ends"]
    title: str
    steps: int
    seed: int
    lines: Lines
    own: Annotated[list[str], "the tensors whose gradients come from `answers`, lines of somebody's own"]
    step_kind: Annotated[str, "what computes a step"]
    parameters: Annotated[dict[str, list[int]], "their shapes"]
    data: TrainingData


class Statistics(TypedDict):
    """A tensor in three numbers."""

    mean: JsonNumber
    std: JsonNumber
    norm: JsonNumber


class Parameter(TypedDict):
    """One parameter at a step."""

    name: str
    value: Statistics
    gradient: Annotated[Statistics, "before clipping"]
    norm_after: Annotated[JsonNumber, "the norm of its gradient after clipping"]
    update_ratio: Annotated[JsonNumber | None, "standard deviation of the update over that of the weights"]


class Histogram(TypedDict):
    """How many cells lie in each of equal bins between the least and the largest finite one."""

    low: float
    high: float
    counts: list[int]


class Activation(TypedDict):
    """An activation on the minibatch of a step."""

    name: str
    histogram: Histogram
    word: Annotated[str, "what a flat cell is called, such as saturated"]
    share: Annotated[float, "the share of flat cells"]
    units: Annotated[list[float], "that of each unit; of a large layer, of the first ones"]
    size: Annotated[int, "how many units there are"]
    whole: Annotated[int, "units that are flat for every example"]


class SilencedExample(TypedDict):
    """An example whose gradient is 0 because its loss is clipped."""

    index: Annotated[int, "in the minibatch, counted from 0"]
    text: Annotated[str, "such as `..e → m`"]
    loss: Annotated[JsonNumber, "before clipping"]


class Silenced(TypedDict):
    """What a clipped loss silences in a minibatch; of a loss that is no mean over examples, all of it."""

    count: int
    of: int
    loss: Annotated[JsonNumber, "without clipping"]
    limit: float
    lost: Annotated[JsonNumber, "the share by which a small step lowers the loss less than the whole gradient would"]
    examples: Annotated[list[SilencedExample], "at most twelve, those with the largest loss"]
    says: str


class Report(OfRun):
    """One step, with the losses since the report before it."""

    kind: Literal["report"]
    step: Annotated[int, "counted from 0"]
    loss: JsonNumber
    smoothed: Annotated[JsonNumber, "a running mean of about the last hundred steps"]
    losses: Annotated[list[tuple[int, JsonNumber, JsonNumber]], "step, loss and running mean, thinned to fifty"]
    lr: float
    accuracy: Annotated[float | None, "the share of this minibatch that is told right; null without scores"]
    norm: Annotated[JsonNumber, "of the whole gradient before clipping"]
    norm_after: JsonNumber
    silenced: Annotated[Silenced | None, "by a clipped loss; null where nothing is"]
    parameters: list[Parameter]
    activations: list[Activation]
    speed: Annotated[float, "steps in a second"]
    seconds_left: float


class Validation(OfRun):
    """The loss on a part of the validation split, and names that the network makes up."""

    kind: Literal["validation"]
    loss: Annotated[JsonNumber | None, "null where the split is empty"]
    accuracy: Annotated[float | None, "share of examples whose largest score is the right one; null without scores"]
    examples: int
    names: list[str]


class GradientVerdict(TypedDict):
    """How a gradient compares with another one, judged as in a walk; where only the other is not finite, not at all."""

    level: Level | NotFinite
    maxdiff: JsonNumber | None
    relative_error: JsonNumber | None


class NudgedCell(TypedDict):
    """One cell's gradient beside the central difference of the loss, both in float64."""

    cell: list[int]
    numeric: JsonNumber
    analytic: JsonNumber
    agrees: bool


class Nudged(TypedDict):
    """Central differences at a few cells of a parameter, that with the largest gradient first."""

    agrees: bool
    cells: list[NudgedCell]


class Compared(GradientVerdict):
    """One parameter's gradient before three oracles; autograd's verdict is its own."""

    name: str
    printed: Annotated[GradientVerdict, "against the printed lines, run one by one"]
    differences: Annotated[Nudged | None, "null where there was no time, or the loss is not finite"]


class Comparison(OfRun):
    """The gradients of a step before three oracles: autograd, the printed lines, central differences."""

    kind: Literal["compared"]
    step: int
    parameters: list[Compared]


class Replayed(OfRun):
    """A step is taken again, so that it can be walked and compared."""

    kind: Literal["replay"]
    step: int
    begun: Annotated[int, "the checkpoint that it begins from"]
    at: Annotated[int, "how many steps are taken"]
    state: Literal["under way", "ready", "cancelled"]


class Changed(OfRun, Settings):
    """Settings have changed."""

    kind: Literal["settings"]


class Restarted(OfRun):
    """The run begins again from its first weights."""

    kind: Literal["restart"]


class StatusChange(OfRun):
    """The run goes on, pauses or ends."""

    kind: Literal["status"]
    status: Status
    target: int


class Diverged(OfRun):
    """The loss of a step is not finite; its minibatch and weights are kept, and nothing was updated."""

    kind: Literal["diverged"]
    step: int
    loss: JsonNumber
    losses: Annotated[list[tuple[int, JsonNumber, JsonNumber]], "of the steps since the last report, as there"]
    lr: float


class Splits(OfRun):
    """At the end: the losses of the whole splits, and names, from a calibrated network."""

    kind: Literal["splits"]
    losses: Annotated[dict[str, JsonNumber | None], "of train, validation and test; null where a split is empty"]
    accuracies: dict[str, float | None]
    calibrated: Annotated[list[str], "variables held at their means over all training examples, such as a batchnorm's"]
    names: list[str]


class Lost(TypedDict):
    """The process of the run has died."""

    kind: Literal["lost"]
    resumable: Annotated[bool, "`resume` goes on from its last state"]


class Missed(TypedDict):
    """In place of events that are forgotten: the numbers of the first and the last of them."""

    kind: Literal["missed"]
    first: int
    last: int


RunEvent = (
    Start
    | Report
    | Validation
    | Comparison
    | Replayed
    | Changed
    | Restarted
    | StatusChange
    | Diverged
    | Splits
    | Lost
    | Missed
)


class RunNumbered(TypedDict):
    """An event of a run with its number."""

    number: int
    told: RunEvent


class RunNews(TypedDict):
    """What a run tells after an event; empty where nothing came in the time that was waited."""

    events: list[RunNumbered]


class Begun(TypedDict):
    """The answer of POST /api/training."""

    id: Annotated[str, "the key to the run"]
    status: Status
    first_event: Annotated[int, "the number of the oldest event that is kept"]
    last_event: int
    watched: Annotated[bool, "somebody follows its events"]
    events: Annotated[str, "where they are streamed"]


class About(Start):
    """What is trained and how, as in the event `start`."""

    beside: NotRequired[Annotated[Start, "the run that keeps step with this one"]]
    kept: Annotated[list[int], "steps that can be walked at once; all others that are taken are taken again for it"]


class Standing(TypedDict):
    """The answer of GET /api/training/{id}."""

    id: str
    status: Status
    first_event: int
    last_event: int
    watched: bool
    run: NotRequired[Annotated[About, "from the run itself; missing where its process has died"]]


class NothingTold(TypedDict):
    """The answer to a command of which no event came, such as `stop` where the run has ended."""


class StepWalk(TypedDict):
    """The answer of GET /api/training/{id}/walk."""

    kind: Literal["walk"]
    step: int
    walk: Annotated[dict[str, object], "the body of POST /api/walk with the minibatch and the weights of the step"]


CommandAnswer = RunEvent | NothingTold
