"""`check` and `explain`: a walk asked for its verdict, or for the lines that lead to one gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gradwalk.own_backward.examining import Examined, examined
from gradwalk.own_backward.judging import Verdict
from gradwalk.recorder.function import function_of
from gradwalk.recorder.recording import WalkError
from gradwalk.table import Held
from gradwalk.walking import Walk, walk


class Check:
    """The verdict on a function's gradients: true where all are right; printed, the table."""

    def __init__(self, found: Walk | Examined) -> None:
        self.found = found
        self.verdicts: Sequence[Held | Verdict] = found.verdicts

    def __bool__(self) -> bool:
        return self.found.right

    def __repr__(self) -> str:
        return repr(self.found)

    @property
    def walk(self) -> Walk:
        """The walk; raises WalkError where there is none, as the forward pass is known by its numbers alone."""
        if isinstance(self.found, Walk):
            return self.found
        if self.found.lines is None:
            raise WalkError(f"{self.found.function}.forward can't be walked.")
        return Walk(self.found.lines.recording, self.found.lines.material)

    @property
    def questions(self) -> list[str]:
        """The gradients of custom functions that aren't the true ones, where that may be meant."""
        every = self.found.functions if isinstance(self.found, Walk) else [self.found]
        return [f"{one.function}'s `{verdict.name}`" for one in every for verdict in one.verdicts if verdict.meant]

    @property
    def code(self) -> int:
        """What a script may end with: 0 where all is right."""
        return int(not self)

    def save(self, path: str | Path) -> Path:
        """Write the walk into a file."""
        return self.walk.save(path)


# Who is told of every check: `gradwalk check` counts those of a script.
LISTENERS: list[Callable[[Check], None]] = []


def check(function: Callable[..., Any], *args: Any, loss: Callable[[Any], Any] | None = None, **kwargs: Any) -> Check:
    """Hold every gradient of a function against its own backward pass; raises WalkError where it can't be walked.

    Of the `apply` of a custom function every gradient that its backward pass returns is held against the true
    vector-Jacobian product, and a wrong one is told what is wrong with it.
    """
    custom = function_of(function)
    found = Check(examined(custom, args) if custom is not None else walk(function, *args, loss=loss, **kwargs))
    for tell in LISTENERS:
        tell(found)
    return found


def explain(model: Callable[..., Any], *args: Any, name: str, **kwargs: Any) -> str:
    """The backward lines on the path to one gradient, each with the reason why it holds."""
    made = walk(model, *args, towards=name, **kwargs)
    told = []
    for step in made.steps:
        reasons = [one["text"] for one in step["explanation"]]
        told.append("\n".join([step["code"], *(f"    {reason}" for reason in reasons)]))
    return "\n".join(told)
