"""A mistake is told by one sentence, in the list of mistakes as behind a wrong prediction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import backend
from backend.lines.equations.names import names_of
from backend.lines.mistakes import wording
from backend.lines.mistakes.library import mutants_of
from backend.pipeline import planned
from backend.program.request import read
from tests.support.asking import whole

LESSON: dict[str, Any] = {"lesson": "makemore-mlp"}
BACKEND = Path(backend.__file__).parent


def test_a_predicted_mistake_has_the_words_of_the_planted_one() -> None:
    plan = planned(read(LESSON))
    names = names_of(plan)
    steps = whole(LESSON)["steps"]
    met = 0
    for number, line in enumerate(plan.lines, start=plan.first_backward):
        question = steps[number].get("question")
        if not question or question["kind"] != "sum":
            continue
        told = {choice["code"]: choice["why"] for choice in question["choices"] if choice["why"]}
        planted = {mutant.source.partition(" = ")[2]: mutant.label for mutant in mutants_of(line, names, plan.lines)}
        for code in told.keys() & planted.keys():
            assert told[code].startswith(planted[code]) or "axis" in planted[code], code  # an axis by name or number
            met += 1
    assert met >= 6


def test_no_other_module_words_them_again() -> None:
    texts = [wording.AVERAGED, wording.REPLACED, wording.EXPONENT, wording.TURNED, wording.NO_MINUS, wording.NO_SIGN]
    own = BACKEND / "lines" / "mistakes" / "wording.py"
    assert all(text in own.read_text() for text in texts)
    for path in [*own.parent.glob("*.py"), *(BACKEND / "present").glob("*.py")]:
        assert path == own or not [text for text in texts if text in path.read_text()], path
