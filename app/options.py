"""What the engine has to choose from, for training, to be planted, and to be found.

Written by `python -m tests.tools.documents` from the engine's blocks, which this process does not load.
"""

import json
from importlib import resources
from typing import NotRequired, TypedDict


class Option(TypedDict):
    """One for training; what its `settings` may be is a kind of number, by name."""

    title: str
    told: str  # its name in a run's events
    settings: dict[str, str]
    rate: NotRequired[float]  # the learning rate that it usually begins with


class LoopMistake(TypedDict):
    """A mistake of the training loop; without what it `needs` of a run's settings it is none."""

    title: str
    asks: str
    says: str
    lesson: str
    needs: dict[str, str]
    thread: str
    year: int


class Options(TypedDict):
    """All of them, by name; a mistake is its code."""

    optimisers: dict[str, Option]
    schedules: dict[str, Option]
    loops: dict[str, LoopMistake]
    mistakes: list[str]
    networks: dict[str, str]  # those with a bug to be found, and what they are called
    lines: dict[str, str]  # what gradients come from, and what that is called; the first is the usual one


WRITTEN = resources.files(__package__).joinpath("options.json").read_text(encoding="utf-8")
OPTIONS: Options = json.loads(WRITTEN)
