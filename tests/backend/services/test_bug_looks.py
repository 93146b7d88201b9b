"""The looks at a network with a bug: each tells what was asked for, and none which line is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

from backend.engine.encode import decoded
from backend.engine.execute.run import recorded
from backend.engine.language.errors import Refusal
from backend.services.bug_case import case_of
from backend.services.bug_looks import (
    bug,
    bug_accuse,
    bug_gradient,
    bug_hint,
    bug_lens,
    bug_nudge,
    bug_reveal,
    bug_run,
)

BUG = {"network": "digits", "seed": 3}
GIVEN_UP = {**BUG, "given_up": True}


def at(line: int, index: list[int] | None = None) -> dict[str, Any]:
    return {**BUG, "line": line} | ({} if index is None else {"index": index})


def lines() -> range:
    return range(len(bug(BUG)["lines"]))


def hidden() -> int:
    return case_of("digits", 3).number


def test_no_answer_before_the_accusation_tells_the_line() -> None:
    """Every line is told of with the same keys, and the right line's text is in no answer."""
    told = bug(BUG)
    assert {frozenset(line) for line in told["lines"]} == {frozenset({"line", "code", "name", "shape", "named"})}
    zero = {line["line"]: [0] * len(line["shape"]) for line in told["lines"]}
    looks: list[Any] = [told, bug_hint({**BUG, "grade": 1})]
    for one in lines():
        looks += [bug_gradient(at(one)), bug_lens(at(one, zero[one])), bug_run(at(one))]
    accused = [bug_accuse(at(one)) for one in lines() if one != hidden()]
    right = bug_reveal(GIVEN_UP)["right"]
    assert right not in told["forward"]
    assert not [one for one in (*looks, *accused) if right in json.dumps(one)]
    assert {frozenset(one) for one in accused} == {frozenset({"line", "right", "named", "mistakes"})}
    assert not [one for one in accused if one["right"] or one["mistakes"]]


def test_a_gradient_is_what_the_printed_line_leaves() -> None:
    case = case_of("digits", 3)
    for one in lines():
        told = bug_gradient(at(one))
        shown = decoded(told["gradient"], torch.float32)
        assert torch.equal(shown, case.run.contributions[one].accumulated)


def test_a_nudge_parts_at_the_wrong_line_and_agrees_above_it() -> None:
    """The gradients above the line that is wrong are right; at its own a cell that is off is told as one."""
    case = case_of("digits", 3)
    plan = case.run.plan
    _, autograd = recorded(plan.graph, case.run.material.tensors, torch.float64)
    name = plan.lines[case.number].target.variable
    apart = (case.run.gradients[f"d{name}"].double() - autograd[name]).abs()
    worst = [int(part) for part in torch.unravel_index(apart.argmax(), apart.shape)]
    found = bug_nudge(at(case.number, worst))
    assert not found["agrees"]
    assert float(found["numeric"]) == pytest.approx(float(autograd[name][tuple(worst)]), rel=1e-5)
    assert float(found["printed"]) == pytest.approx(float(case.run.gradients[f"d{name}"][tuple(worst)]), rel=1e-4)
    above = bug_nudge(at(1, [0, 1]))
    assert above["agrees"]
    assert above["name"] == "dlogits"


def test_a_lens_tells_the_line_as_it_is_printed() -> None:
    told = bug_lens(at(1, [0, 1]))
    assert told["formula"].startswith("dlogits[i,j] = ")
    assert told["numbers"] is not None
    case = case_of("digits", 3)
    assert told["value"] == pytest.approx(float(case.run.contributions[1].value[0, 1]))


def test_a_second_run_is_the_same_unless_the_wrong_line_is_put_right() -> None:
    told = bug(BUG)
    ends = [bug_run(at(one))["losses"] for one in lines()]
    assert [end == told["wrong"] for end in ends] == [one != hidden() for one in lines()]
    assert ends[hidden()] == told["right"]


def test_hints_tell_more_and_more() -> None:
    half, mistake, name = (bug_hint({**BUG, "grade": grade})["text"] for grade in (1, 2, 3))
    first, last = (int(word.strip(".")) for word in half.split() if word.strip(".").isdigit())
    assert first <= hidden() + 1 <= last
    assert bug_reveal(GIVEN_UP)["label"] in mistake
    assert f"`{bug(BUG)['lines'][hidden()]['name']}`" in name


def test_the_right_line_is_told_with_mistakes_to_choose_from() -> None:
    found = bug_accuse(at(hidden()))
    made = bug_reveal(GIVEN_UP)["mistake"]
    assert found["right"]
    assert found["named"] is None
    assert len({one["label"] for one in found["mistakes"]}) == 4
    for one in found["mistakes"]:
        named = bug_accuse({**at(hidden()), "mistake": one["mistake"]})["named"]
        assert named == (one["mistake"] == made)
    assert bug_accuse({**at(0), "mistake": made})["named"] is None


def test_the_answer_is_for_who_names_the_line_and_the_mistake_or_gives_up() -> None:
    """Neither alone is enough, and the server judges it: a browser that says it has found it is not believed."""
    line, given_up = hidden(), bug_reveal(GIVEN_UP)
    named = {"line": line, "mistake": given_up["mistake"]}
    assert bug_reveal({**BUG, **named}) == {**given_up, "found": True}
    assert not given_up["found"]
    other = next(one["mistake"] for one in bug_accuse(at(line))["mistakes"] if one["mistake"] != named["mistake"])
    halves: list[dict[str, Any]] = [{}, {"line": line}, {"mistake": named["mistake"]}, {"line": line, "mistake": other}]
    for half in [*halves, {**named, "line": line - 1}, {"given_up": False}]:
        with pytest.raises(Refusal) as refused:
            bug_reveal({**BUG, **half})
        assert refused.value.code == "bug-not-found"


@pytest.mark.parametrize(
    ("look", "wanted", "code"),
    [
        (bug_gradient, at(13), "bug-line"),
        (bug_run, at(99), "bug-line"),
        (bug_accuse, at(13), "bug-line"),
        (bug_nudge, at(1, [0]), "cell-outside"),
        (bug_lens, at(1, [0, 10]), "cell-outside"),
        (bug_nudge, at(5, [0, 0]), "bug-unnamed"),
    ],
)
def test_what_is_not_there_is_refused(look: Any, wanted: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        look(wanted)
    assert refused.value.code == code
