"""What may be asked of training: what to train and how, and the commands of a run."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, create_model, model_validator

from app.fields import Number, Seed, Strict
from app.options import OPTIONS, Option
from app.plant_request import Plant
from app.requests import Answers, WalkRequest
from app.tensor_values import wrong

MOST_STEPS = 10_000_000
MOST_BATCH, MOST_CONTEXT, MOST_EMBEDDING, MOST_HIDDEN = 1024, 16, 128, 1024
OPTIMISER = 'Write {"name": "sgd"}, or {"name": "adam", "beta1": 0.9, "beta2": 0.999, "eps": 1e-8}.'
SCHEDULE = 'Write {"name": "step", "lr": 0.1, "factor": 0.1, "every": 100000}, or {"name": "constant", "lr": 0.1}.'
Decimal = AfterValidator(float)  # as it is told of, whether it was written as a whole number or not
Rate = Annotated[Number, Field(ge=0), Decimal]
Share = Annotated[Number, Field(ge=0, lt=1), Decimal]
Above = Annotated[Number, Field(gt=0), Decimal]
Count = Annotated[int, Field(ge=1, le=MOST_STEPS)]
# What each kind of number may be.
KINDS: Mapping[str, Any] = {
    "rate": Rate, "share": Share, "above": Above, "count": Count,
    "steps": Annotated[int, Field(ge=0, le=MOST_STEPS)],
}  # fmt: skip


def settings_model(name: str, about: str, options: Mapping[str, Option]) -> Any:
    """A model with every number of some options, none of which is needed."""
    settings = {setting: kind for one in options.values() for setting, kind in one["settings"].items()}
    parts: Any = {setting: (KINDS[kind] | None, None) for setting, kind in settings.items()}
    return create_model(name, __base__=Strict, __doc__=about, __module__=__name__, **parts)


if TYPE_CHECKING:  # made of the options, which a type checker can't read
    OptimiserName = str
    ScheduleName = str
    Lines = str
    LoopName = str
    OptimiserSettings = Strict
    ScheduleSettings = Strict
else:
    OptimiserName, ScheduleName = Literal[tuple(OPTIONS["optimisers"])], Literal[tuple(OPTIONS["schedules"])]
    Lines = Literal[tuple(OPTIONS["lines"])]
    LoopName = Literal[tuple(OPTIONS["loops"])]
    about = "The numbers of an optimiser; each has its own of these."
    OptimiserSettings = settings_model("OptimiserSettings", about, OPTIONS["optimisers"])
    ScheduleSettings = settings_model("ScheduleSettings", "The numbers of a schedule.", OPTIONS["schedules"])


class Optimiser(OptimiserSettings):
    """An optimiser by its name, with those of its numbers that are not the usual ones."""

    name: OptimiserName

    @model_validator(mode="after")
    def _own_settings(self) -> Self:
        check_own(self, OPTIONS["optimisers"][self.name], self.name, OPTIMISER)
        return self


class Schedule(ScheduleSettings):
    """The learning rate of every step, counted from 0: `constant`, `step` (decay), or `cosine` after a warm-up."""

    name: ScheduleName

    @model_validator(mode="after")
    def _own_settings(self) -> Self:
        check_own(self, OPTIONS["schedules"][self.name], self.name, SCHEDULE)
        return self


def check_own(given: Strict, option: Option, name: str, hint: str) -> None:
    """Raise where something is given that belongs to another optimiser or schedule."""
    others = {field for field in given.model_fields_set if getattr(given, field) is not None} - {"name"}
    if strangers := others - option["settings"].keys():
        raise wrong(f"`{name}` has no {', '.join(f'`{one}`' for one in sorted(strangers))}", hint)


class Clip(Strict):
    """What is held to a limit: the gradient's norm, or, by the common mistake, the loss."""

    by: Literal["norm", "loss"]
    limit: Above


class Sizes(Strict):
    """The sizes of a lesson's network that is trained."""

    context: Annotated[int, Field(ge=1, le=MOST_CONTEXT)] | None = None
    embedding: Annotated[int, Field(ge=1, le=MOST_EMBEDDING)] | None = None
    hidden: Annotated[int, Field(ge=1, le=MOST_HIDDEN)] | None = None


class Beside(Strict):
    """In what a second run differs from the first one, whose seed and minibatches it has."""

    plant: Plant | None = None
    optimiser: Optimiser | None = None
    schedule: Schedule | None = None
    lines: Lines | None = None
    loop: LoopName | None = None


class TrainingRequest(Strict):
    """What to train and how: a `walk` (a planted mistake is trained with), for so many `steps`.

    `lines`: gradients come from the `printed` lines, or from `autograd`; `answers` are lines of one's own for some of
    them, by the tensors' names; `loop` plants a mistake into the loop around them. `data` says what minibatches are
    drawn from (`names`, `digits`), or that the program's `own` tensors are taken at every step; `batch` goes with the
    former, `sizes` with makemore.
    With `beside` two runs keep step.
    """

    walk: WalkRequest
    steps: Count = 10_000
    seed: Seed | None = None
    data: Literal["own", "names", "digits"] | None = None
    batch: Annotated[int, Field(ge=2, le=MOST_BATCH)] | None = None
    sizes: Sizes | None = None
    optimiser: Optimiser | None = None
    schedule: Schedule | None = None
    clip: Clip | None = None
    lines: Lines = next(iter(OPTIONS["lines"]))
    loop: LoopName | None = None
    answers: Answers | None = None
    beside: Beside | None = None
    paused: bool = False


class StepCommand(Strict):
    """How many steps to take before the run pauses."""

    count: Count = 1


class RunToCommand(Strict):
    """How many steps are to be taken in all when the run pauses."""

    step: Count


class OfOne(Strict):
    """Which of two runs that keep step is asked: 1 is the one beside the first."""

    run: Literal[0, 1] = 0


class CompareCommand(OfOne):
    """Which step's gradients, counted from 0; without it those of the latest one that was reported."""

    step: Annotated[int, Field(ge=0, lt=MOST_STEPS)] | None = None


class ReplayCommand(OfOne):
    """Which step to take again, counted from 0."""

    step: Annotated[int, Field(ge=0, lt=MOST_STEPS)]


class Rates(Strict):
    """What to train with from now on; `unclipped`: without clipping."""

    schedule: Schedule | None = None
    optimiser: OptimiserSettings | None = None
    clip: Clip | None = None
    unclipped: bool = False


class SetCommand(Rates):
    """What to train with from now on; `beside`: the run beside it, where that is something else."""

    beside: Rates | None = None


class SampleCommand(OfOne):
    """How many names to make up."""

    count: Annotated[int, Field(ge=1, le=100)] = 5


class NoMore(Strict):
    """A command that says all by its name."""


COMMANDS: dict[str, type[Strict]] = {
    "pause": NoMore, "resume": NoMore, "step": StepCommand, "run-to": RunToCommand, "stop": NoMore, "restart": NoMore,
    "set": SetCommand, "compare": CompareCommand, "replay": ReplayCommand, "cancel-replay": OfOne,
    "sample": SampleCommand,
}  # fmt: skip
