"""What can be chosen for training: optimisers and learning-rate schedules, with what their numbers may be.

Written by `python -m tests.tools.documents` from the engine's blocks, which this process does not load.
"""

import json
from importlib import resources
from typing import NotRequired, TypedDict


class Option(TypedDict):
    """One of them; what its `settings` may be is a kind of number, by name."""

    title: str
    told: str  # its name in a run's events
    settings: dict[str, str]
    rate: NotRequired[float]  # the learning rate that it usually begins with


WRITTEN = resources.files("app").joinpath("training_options.json").read_text(encoding="utf-8")
OPTIONS: dict[str, dict[str, Option]] = json.loads(WRITTEN)
