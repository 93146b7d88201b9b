"""`walk`: a model of one's own, recorded as it runs, walked by the engine, and held against its own backward pass."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch.nn.parameter import is_lazy

from app.site.single import single
from backend.engine.language.errors import Refusal
from backend.engine.language.limits import widened
from backend.engine.verify.compare import Verdicts, verify
from backend.engine.verify.own import CLOSE, HALF, OwnBackward
from backend.engine.verify.scatter import scatters
from backend.pipeline import planned
from backend.present.schema import PlannedBackward
from backend.present.steps import steps_of
from backend.program.request import Material
from backend.program.runs import Run, execute
from gradwalk.answers import NAME, answering
from gradwalk.comparing import Comparison, compared
from gradwalk.notebook import framed, show
from gradwalk.own_backward.examining import Examined, examined
from gradwalk.part import part_of
from gradwalk.recorder.function import Function
from gradwalk.recorder.recording import Recording, WalkError, recorded
from gradwalk.recorder.trial import material_of, same
from gradwalk.room import ROOM
from gradwalk.table import Held, table

LARGEST = 50_000_000  # parameters, beyond which a part is walked


class Walk:
    """A model's gradients, line by line."""

    def __init__(self, recording: Recording, material: Material) -> None:
        self.recording, self.material = recording, material
        self.own = material.own = OwnBackward(recording.own, float(recording.loss), half=recording.half)
        with widened(**ROOM):
            self.run: Run = execute(planned(material), material)
            self.judged: Verdicts = verify(self.run)
            doubted = [
                name for name, one in recording.own.items() if not self.held(name, one).right and name in self.judged
            ]
            measured = scatters(self.run, doubted) if doubted else {}
            self.own.carried = {name: far.own for name, far in measured.items()}

    @property
    def forward(self) -> str:
        """The forward pass, as text that runs in plain PyTorch."""
        return self.run.plan.graph.forward_source

    @property
    def backward(self) -> str:
        """The backward pass, line by line: it runs behind the forward pass."""
        return self.run.plan.backward_source

    @property
    def loss(self) -> float:
        """The loss."""
        return float(self.recording.loss)

    @property
    def notes(self) -> list[str]:
        """What is not as it was in the model."""
        unused = (
            [f"No path leads from the loss to {', '.join(self.recording.unused)}."] if self.recording.unused else []
        )
        half = (
            ["The model computes in half precision, the walk in float32: they agree to two digits."]
            if self.own.half
            else []
        )
        alone = [
            f"`{cls.__name__}` can't be run on its own: its backward pass is held against the walk's lines alone."
            for cls, one in self.alone.items()
            if one is None
        ]
        return [*self.recording.notes, *half, *alone, *unused]

    @cached_property
    def verdicts(self) -> list[Held]:
        """Every parameter's and input's gradient beside the model's own."""
        return [self.held(name, one) for name, one in self.recording.own.items()]

    def held(self, name: str, own: torch.Tensor) -> Held:
        """One gradient beside the model's own."""
        judged = self.judged.get(name)
        residue = judged.left(self.material.dtype) if judged is not None else None
        found = self.own.judge(name, self.run.gradients.get(f"d{name}"), residue)
        level = judged.level if judged is not None else "no path"
        label = self.recording.program.labels.get(name, name)
        return Held(label, tuple(own.shape), float(own.double().norm()), level, found.maxdiff, found.right)

    @property
    def right(self) -> bool:
        """Whether every gradient is the model's own, and every printed line autograd's, up to rounding."""
        levels = {verdict.level for verdict in self.judged.values()}
        theirs = all(one.right for one in self.verdicts) and all(one.right for one in self.functions)
        return theirs and not levels & {"wrong", "shape"}

    @property
    def functions(self) -> list[Examined]:
        """The functions with a backward pass of their own that the model calls, held against their forward pass."""
        return [one for one in self.alone.values() if one is not None]

    @cached_property
    def alone(self) -> dict[Function, Examined | None]:
        """The same by their classes; None of one that can't be run on its own, as on weights of a layer elsewhere."""
        return {cls: examined_or_none(cls, args) for cls, args in self.recording.functions.items()}

    @property
    def gradients(self) -> dict[str, torch.Tensor]:
        """The gradients of the printed lines, by the names of the program."""
        return {name.removeprefix("d"): one for name, one in self.run.gradients.items()}

    @property
    def by_label(self) -> dict[str, torch.Tensor]:
        """The gradients of parameters and inputs, by the names that the model's owner knows them by."""
        labels, zero = self.recording.program.labels, self.recording.own
        return {
            labels.get(name, name): self.run.gradients.get(f"d{name}", torch.zeros_like(one))
            for name, one in zero.items()
        }

    @property
    def steps(self) -> list[PlannedBackward]:
        """The backward lines with what is said of each."""
        return steps_of(self.run.plan).backward

    def compare(self, given: str | Path | Mapping[str, Any]) -> Comparison:
        """Hold another implementation's tensors beside the walk's, to the first line at which they part.

        `given` is a file of `.npz` or `.safetensors`, or a dictionary; gradients are called `dx` or `x.grad`. Raises
        WalkError where no name is the same, or what is given isn't numbers.
        """
        with widened(**ROOM):
            return compared(self.recording, self.run, self.judged, given)

    def parts_at(self) -> str | None:
        """The first line whose value isn't the model's own; None where there is none."""
        for node in self.run.plan.graph.named:
            value = self.recording.values.get(node.variable)
            if value is not None and not same(self.run.forward.tensors[node.variable], value.kept):
                return str(node.variable)
        return None

    def __repr__(self) -> str:
        return table(self)

    def html(self) -> str:
        """The walk with all its numbers as one page, which any browser opens without a net."""
        with answering(self.material, ROOM) as answers:
            return single(answers, {"lesson": NAME}, self.material.title)

    def save(self, path: str | Path) -> Path:
        """Write that page into a file: it holds the model's numbers, inputs and weights alike."""
        file = Path(path)
        file.write_text(self.html(), encoding="utf-8")
        return file

    def open(self) -> None:
        """Show that page in the browser."""
        with tempfile.NamedTemporaryFile(prefix="gradwalk-", suffix=".html", delete=False) as file:
            file.write(self.html().encode())
        webbrowser.open(Path(file.name).as_uri())

    def _repr_html_(self) -> str:
        """The walk in the cell of a notebook, as a page that computes nothing."""
        return framed(self.html(), self.material.title)

    def _ipython_display_(self) -> None:
        """The walk in the cell that is run, answered by the kernel as long as it runs."""
        show(self.html(), self.material, repr(self))


def walk(
    model: Callable[..., Any],
    *args: Any,
    loss: Callable[[Any], Any] | None = None,
    only: str | None = None,
    towards: str | None = None,
    **kwargs: Any,
) -> Walk:
    """Run a model or a function on its inputs, and walk through its gradients.

    `loss` makes a number of the result: without it a scalar result is the loss, of others the sum of the cells. `only`
    is the path of a submodule, which is walked against the gradient that truly arrives at it; `towards` the name of one
    parameter or input, whose path alone is walked. The model, its gradients and the random numbers stay as they were.
    Raises WalkError where a call can't be walked, with all of them, and where the walk's loss isn't the model's.
    """
    if only is not None:
        recording = recorded(*part_of(model, args, kwargs, loss, only))
    else:
        refuse_large(model)
        recording = recorded(model, args, kwargs, loss)
    material = walked(recording, towards)
    try:
        made = laid_out(recording, material)
    except Refusal as refusal:
        place = refusal.where or {}
        raise WalkError(f"{refusal.message} {refusal.hint} (line {place.get('line')}: {place.get('text')})") from None
    if loss_differs(made):
        first = made.parts_at()
        raise WalkError(f"The walk's loss isn't the model's: the values part at `{first}`. Please report this model.")
    return made


def examined_or_none(cls: Function, args: Sequence[Any]) -> Examined | None:
    """What a model's custom function is told of itself; None where it can't be run on its own."""
    try:
        return examined(cls, args, in_model=True)
    except (WalkError, RuntimeError, TypeError, ValueError, AttributeError):
        return None


def laid_out(recording: Recording, material: Material) -> Walk:
    """The walk; where cells lie another way than in the model, which wrote into a view of them, they are copied."""
    try:
        return Walk(recording, material)
    except Refusal as refusal:
        if refusal.entry != "view-apart":
            raise
    return Walk(recording, replace(material, source=material.source.replace(".view(", ".reshape(")))


def loss_differs(made: Walk) -> bool:
    """Whether the walk's loss isn't the model's."""
    ours = made.run.forward.tensors[made.run.plan.graph.loss.variable]
    return not same(ours, made.recording.loss, HALF if made.own.half else CLOSE)


def walked(recording: Recording, towards: str | None) -> Material:
    """The recording as a program with its tensors."""
    program = recording.program
    inputs = dict(program.inputs)
    material = material_of(program.source, inputs)
    if towards is not None:
        narrowed(material, recording, towards)
    material.title = "Your model"
    return material


def narrowed(material: Material, recording: Recording, towards: str) -> None:
    """Let one input alone have a gradient."""
    labels: Mapping[str, str] = {name: recording.program.labels.get(name, name) for name in recording.own}
    wanted = [name for name, label in labels.items() if towards in (name, label)]
    if not wanted:
        raise WalkError(f"There is no {towards}; there are {', '.join(labels.values())}.")
    for name, given in material.inputs.items():
        if name not in wanted:
            material.inputs[name] = type(given)("constant", given.shape, given.dtype)
    recording.own = {name: one for name, one in recording.own.items() if name in wanted}


def refuse_large(model: Any) -> None:
    """Name the parts of a model that is too large."""
    if not isinstance(model, torch.nn.Module):
        return
    count = sum(one.numel() for one in model.parameters() if not is_lazy(one))
    if count <= LARGEST:
        return
    sizes = [
        (sum(p.numel() for p in one.parameters() if not is_lazy(p)), path)
        for path, one in model.named_modules()
        if path
    ]
    fitting = sorted(((size, path) for size, path in sizes if size <= LARGEST), reverse=True)[:5]
    parts = ", ".join(f'"{path}" ({size / 1e6:.1f} M)' for size, path in fitting)
    raise WalkError(f"{count / 1e6:.0f} M parameters are more than a walk shows. Walk a part with only=: {parts}.")
