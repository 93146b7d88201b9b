"""Questions are spelled by the recorder as by the page that asks them."""

import json

import pytest

from app.site.question import Question
from tests.tools.server import ROOT

CASES = json.loads((ROOT / "tests/support/spellings.json").read_text())


@pytest.mark.parametrize("case", [one for one in CASES if one["path"] != "/api/walk"], ids=lambda one: one["spelling"])
def test_a_question_is_spelled_as_the_page_spells_it(case: dict[str, str | None]) -> None:
    question = Question(str(case["path"]), json.loads(case["body"]) if case["body"] else None)
    assert question.spelling == case["spelling"]
    assert question.scope == case["scope"]
