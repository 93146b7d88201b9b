"""The numbers in an exhibit's text: roles as chapters have them, computed from its two programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import torch

from backend.course.numbers import number_of, number_shown
from backend.engine.language.errors import Refusal
from backend.engine.language.wording import fixed_text, told_apart
from backend.inspect.comparison import gradients_of, likeness, values_of
from backend.pipeline import run_of
from backend.program.exhibits.exhibit import Exhibit
from backend.program.runs import Run

ROLE = re.compile(r"\{(\w+)\}`([^`]+)`")


class Told:
    """Fills in the roles of an exhibit's sentences; each program is run once, when first asked for.

    `meant` and `written` are expressions over one side's values and gradients; `ratio` and `cosine` say how many times
    as long a tensor is as written, and the angle to what was meant.
    """

    def __init__(self, exhibit: Exhibit, names: Path | None = None) -> None:
        self.exhibit, self.names = exhibit, names
        self._runs: dict[int, Run] = {}
        self.roles: dict[str, Callable[[str], str]] = {
            "meant": lambda text: number_of(self.run(0), text),
            "written": lambda text: number_of(self.run(1), text),
            "ratio": lambda text: self.alike(text, "ratio"),
            "cosine": lambda text: self.alike(text, "cosine"),
        }

    def run(self, side: int) -> Run:
        if side not in self._runs:
            self._runs[side] = run_of(self.exhibit.sides[side].walk, self.names)
        return self._runs[side]

    def text(self, text: str) -> str:
        """A text with its numbers; raises Refusal, with the file, where one can't be computed."""
        return ROLE.sub(self._filled, text)

    def alike(self, name: str, what: str) -> str:
        """How many times as long a tensor is as written, or the cosine of the angle between the two."""
        both = [_tensor(self.run(side), name) for side in (0, 1)]
        told = likeness(*both)
        number = None if told is None else told["ratio"] if what == "ratio" else told["cosine"]
        if number is None:
            raise Refusal("exhibit/value", file=self.exhibit.file, found=name, what="a tensor of both programs")
        if what == "cosine" and told and told["kind"] == "turned":
            return told_apart([number, 1.0, -1.0], 2, fixed_text)[0]  # not that of two that point the same way
        return number_shown(number, 2 if what == "cosine" else 3, what == "cosine", name)

    def _filled(self, match: re.Match[str]) -> str:
        role, text = match[1], match[2]
        if role not in self.roles:
            known = " or ".join(f"{{{name}}}" for name in self.roles)
            raise Refusal("exhibit/value", file=self.exhibit.file, found=match[0], what=known)
        return self.roles[role](text)


def _tensor(run: Run, name: str) -> torch.Tensor | None:
    """A gradient (`dW`) or a value, as the code calls it."""
    values = values_of(run)
    return values[name] if name in values else gradients_of(run).get(name.removeprefix("d"))
