"""`check` and `explain`: a walk asked for its verdict, or for the lines that lead to one gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradwalk.walking import Walk, walk


class Check:
    """The verdict on a function's gradients: true where all are right; printed, the table."""

    def __init__(self, made: Walk) -> None:
        self.walk = made
        self.verdicts = made.verdicts

    def __bool__(self) -> bool:
        return self.walk.right

    def __repr__(self) -> str:
        return repr(self.walk)

    @property
    def code(self) -> int:
        """What a script may end with: 0 where all is right."""
        return int(not self)


def check(function: Callable[..., Any], *args: Any, loss: Callable[[Any], Any] | None = None, **kwargs: Any) -> Check:
    """Hold every gradient of a function against its own backward pass; raises WalkError where it can't be walked."""
    return Check(walk(function, *args, loss=loss, **kwargs))


def explain(model: Callable[..., Any], *args: Any, name: str, **kwargs: Any) -> str:
    """The backward lines on the path to one gradient, each with the reason why it holds."""
    made = walk(model, *args, towards=name, **kwargs)
    told = []
    for step in made.steps:
        reasons = [one["text"] for one in step["explanation"]]
        told.append("\n".join([step["code"], *(f"    {reason}" for reason in reasons)]))
    return "\n".join(told)
