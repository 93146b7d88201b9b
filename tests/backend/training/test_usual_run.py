"""The run that the Train page shows before one is begun: it is what these settings give."""

import json
import math

from backend.training import usual_run
from tests.tools.server import ROOT

TOLD = json.loads((ROOT / "static" / "usual-run.json").read_text(encoding="utf-8"))
UNTIL = 200


def test_its_beginning_is_trained_again() -> None:
    again = usual_run.beginning(UNTIL)
    assert [step for step, _ in again] == [*usual_run.EARLY, UNTIL]
    assert [tuple(point) for point in TOLD["points"][: len(again)]] == again


def test_it_is_whole_and_learns() -> None:
    steps, losses = zip(*TOLD["points"], strict=True)
    assert TOLD["steps"] == steps[-1] == usual_run.STEPS
    assert len(steps) == usual_run.POINTS + len(usual_run.EARLY)
    assert losses[-1] < min(losses[:20]) < math.log(27) < losses[0]
    assert len(TOLD["names"]) == usual_run.NAMES
