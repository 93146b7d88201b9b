"""What a walk says at its backward steps is true: pictures, questions, candidates and formulas, decided by numbers."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from backend.engine.language.guard import caught
from tests.support.backward_claims import CASES, EXACT_TOO, REQUESTS, daily, questions, taught, told_of
from tests.support.equation_checks import picture_faults
from tests.support.formula_checks import formula_faults
from tests.support.planted_claims import planted_faults, planted_steps
from tests.support.question_checks import candidate_faults, combinations, question_faults, slip_faults
from tests.support.sentence_checks import sentence_faults

pytestmark = pytest.mark.filterwarnings("ignore")
# Sums that cancel, cells that dwarf others, none at all; copies that are none, and helpers of a struck one.
FALSE_ONCE = [
    ("dice", "missing-local"), ("empty", "scale"), ("graph-mean-aggregator", "missing-upstream"),
    ("instance-norm-images", "missing-upstream"), ("least-of-a-product", "keepdim"),
    ("spelled-by-module", "missing-sum"), ("spelled-by-module", "wrong-axis"),
]  # fmt: skip
CHECKS = (picture_faults, question_faults, slip_faults, sentence_faults, candidate_faults, formula_faults)


def faults(name: Any, exact: bool) -> Any:
    walk = taught(name, exact)
    found = {step["code"]: [fault for check in CHECKS for fault in check(walk, step)] for step in walk.steps}
    return {code: all_of for code, all_of in found.items() if all_of}


@pytest.mark.parametrize(("name", "exact"), CASES)
def test_all_that_is_told_is_true(name: Any, exact: bool) -> None:
    assert faults(name, exact) == {}


@pytest.mark.parametrize("name", told_of(REQUESTS))
def test_a_planted_line_is_drawn_as_it_is_run(name: str, thorough: bool) -> None:
    """Its own operands give the result, nothing else is said to go in, and what it leaves out is struck through."""
    every, before = 1 if thorough else 12, caught.total()
    steps = planted_steps(taught(name, False), every, first=len(name) % every)
    assert {told: found for told, walk in steps if (found := planted_faults(walk))} == {}
    assert caught.total() == before


@pytest.mark.parametrize(("name", "mistake"), FALSE_ONCE)
def test_what_was_drawn_falsely_once_is_drawn_as_it_is_run(name: str, mistake: str) -> None:
    walks = [walk for told, walk in planted_steps(taught(name, False)) if told.startswith(f"{mistake}:")]
    assert walks
    assert [planted_faults(walk) for walk in walks] == [[] for _ in walks]


def test_most_steps_have_a_picture_and_a_question() -> None:
    told = [step for name in EXACT_TOO for step in taught(name, False).steps if step["picture"]]
    assert sum(step["picture"]["kind"] == "other" for step in told) < 0.1 * len(told)
    assert sum(step["question"] is not None for step in told) > 0.8 * len(told)
    assert sum(step["math"] != "" for step in told) > 0.5 * len(told)


def steps_of(name: Any, exact: bool = False) -> Any:
    return {step["code"].split("\n")[-1].split(" ")[0] + step["mode"]: step for step in taught(name, exact).steps}


def text_of(step: Any) -> Any:
    return re.sub(r"<[^>]*>", "", step["math"])


def test_a_spread_keeps_its_factor() -> None:
    drawn = steps_of("lesson makemore-mlp")["dbndiff2="]["picture"]
    assert [operand["code"] for operand in drawn["operands"]] == ["1/(n-1)", "dbnvar"]
    assert (drawn["symbol"], drawn["then"]) == ("·", "spread")


def test_one_over_the_divisor_is_the_local_derivative() -> None:
    drawn = steps_of("lesson makemore-mlp")["dprobs="]["picture"]
    assert [(operand["code"], operand["role"]) for operand in drawn["operands"]] == [
        ("1 / probs", "local"),
        ("dlogprobs", "arrives"),
    ]


def test_the_exact_slope_of_tanh_is_a_product_and_reads_one_minus_the_square() -> None:
    step = steps_of("lesson makemore-mlp", True)["dhpreact="]
    assert (step["picture"]["kind"], step["picture"]["then"]) == ("product", "")
    assert text_of(step) == "∂L∂hpreact=(1−h2)⊙∂L∂h"


def test_the_last_path_of_a_gradient_is_written_as_the_whole_sum() -> None:
    step = steps_of("lesson makemore-mlp")["dcounts+="]
    assert text_of(step) == "∂L∂counts=counts_sum_inv⊙∂L∂probs+𝟙⊙∂L∂counts_sum"


def test_a_program_without_a_loss_has_derivatives_of_what_it_ends_with() -> None:
    assert text_of(steps_of("lesson first-steps")["dy="]) == "∂z∂y=∂z∂z"


def test_all_eight_orders_and_transposes_are_listed() -> None:
    walk = taught("start recurrent", False)
    for step in [step for step in walk.steps if step["candidates"]]:
        codes = [operand["code"].removesuffix(".T") for operand in step["picture"]["operands"]]
        assert {option["code"] for option in step["candidates"]} == combinations(codes)


def test_where_several_fit_index_letters_decide() -> None:
    step = steps_of("start recurrent")["dh_4="]
    own = next(option for option in step["candidates"] if option["own"])
    assert sum(option["fits"] for option in step["candidates"]) == 2
    assert own["code"] == "dh_5_sum @ Wh.T"
    assert own["why"].startswith("Σₖ dh_5_sum[i, k]·Wh[j, k] runs over k, the axis that `dh_5_sum` and `Wh` share")


def test_questions_of_all_kinds_are_asked() -> None:
    kinds = Counter(asked["kind"] for name in EXACT_TOO for asked in questions(name))
    assert set(kinds) == {"factor", "constant", "sign", "sum", "accumulate", "product", "repeats"}
    assert max(kinds.values()) < 0.5 * sum(kinds.values())


def test_the_right_answer_stands_in_every_place_about_as_often(thorough: bool) -> None:
    """By the place alone nobody may guess better than by chance: each is right within a third of its share."""
    programs = [name for name in REQUESTS if thorough or daily(name)]
    for size in (2, 3, 4):
        asked = [one for name in programs for one in questions(name) if len(one["choices"]) == size]
        answers = Counter(one["answer"] for one in asked)
        for place in range(size):
            assert abs(answers[place] * size / answers.total() - 1) < 1 / 3, (size, answers)
