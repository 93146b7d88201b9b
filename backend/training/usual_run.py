"""The beginning of a run at the usual settings, which the Train page shows in grey before one is begun.

`python -m backend.training.usual_run > static/usual-run.json` trains it anew on the built-in names, in a minute; a test
trains its first steps again.
"""

import json
from collections.abc import Iterator
from typing import TypedDict

from backend.engine.encode import Document
from backend.training.session import Session
from backend.training.task import read_task
from backend.training.trainer import Trainer

STEPS = 20_000  # a tenth of the whole run, in which the loss falls most
REQUEST: Document = {"walk": {"lesson": "makemore-mlp"}, "steps": 200_000, "schedule": {"name": "step"}}
POINTS = 100  # evenly along the steps, and before them where the curve is steep
EARLY = 1, 3, 10, 20, 30, 50, 70, 100, 140
DIGITS = 4
NAMES = 5


class UsualRun(TypedDict):
    """How many steps, the smoothed loss after some of them, and names that the network made up after the last."""

    steps: int
    points: list[tuple[int, float]]
    names: list[str]


def points_of(trainer: Trainer, until: int) -> Iterator[tuple[int, float]]:
    """The smoothed loss after each of the steps that are told, taken one after the other."""
    for step in sorted({*EARLY, *range(STEPS // POINTS, STEPS + 1, STEPS // POINTS)}):
        if step > until:
            return
        trainer.advance(step - trainer.number)
        trainer.forget()
        yield step, round(trainer.smoothed.value, DIGITS)


def main() -> None:
    """Train, and write what is told of it."""
    session = Session(REQUEST)
    points = list(points_of(session.trainer, STEPS))
    (told,) = session.command({"do": "sample", "count": NAMES})
    run = UsualRun(steps=STEPS, points=points, names=told["names"])
    print(json.dumps(run, ensure_ascii=False))


def beginning(until: int) -> list[tuple[int, float]]:
    """The same points of a run that is taken anew, up to a step."""
    return list(points_of(Trainer(read_task(REQUEST, None)), until))


if __name__ == "__main__":
    main()
