"""Errors planted into the makemore gradients and lines: the checker must see every one, and true zeros for what they are."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.engine.verify.compare import judge, judge_all
from tests.support import makemore

NAMES = makemore.names()
BAD = {"wrong", "shape"}


def first_row_only(g: Any) -> Any:
    return g[:1].expand_as(g).clone()


def neighbours(g: Any) -> Any:
    return g.reshape(-1).roll(1).reshape(g.shape)


def one_cell(g: Any) -> Any:
    """The largest cell alone, a hundredth off."""
    made = g.clone().reshape(-1)
    made[g.abs().argmax()] *= 1.01
    return made.reshape(g.shape)


def with_nan(g: Any) -> Any:
    made = g.clone()
    made.view(-1)[-1] = torch.nan
    return made


NUMBERS = {
    "a thousandth too large": lambda g: g * 1.001,
    "the sign": lambda g: -g,
    "half of it missing": lambda g: g / 2,
    "zeros": torch.zeros_like,
    "shifted by one cell": neighbours,
    "one cell": one_cell,
    "the largest gradient's size in one cell": lambda g: g + torch.eye(g.numel())[0].reshape(g.shape).to(g.dtype),
}
SHAPES = {
    "an axis too many": lambda g: g.unsqueeze(0),
    "flat": lambda g: g.reshape(-1) if g.ndim > 1 else g.reshape(1, -1),
    "summed over the first axis": lambda g: g.sum(0, keepdim=True) if g.shape[0] > 1 else g.sum(0),
    "not summed": lambda g: g.expand(32, *g.shape),
}


def test_there_are_26() -> None:
    assert len(NAMES) == 26


@pytest.mark.parametrize("plant", NUMBERS.values(), ids=NUMBERS)
def test_wrong_numbers(plant: Any) -> None:
    """One gradient at a time: all but the true zeros, whose rounding noise may be anything as small."""
    for name in set(NAMES) - makemore.TRUE_ZEROS:
        verdicts = makemore.pair().judge_changed(plant, [name])
        assert {n for n, verdict in verdicts.items() if verdict.level in BAD} == {name}
        assert verdicts[name].level == "wrong"
        assert not any((verdicts[name].approximate, verdicts[name].exact))


@pytest.mark.parametrize("plant", SHAPES.values(), ids=SHAPES)
def test_wrong_shapes(plant: Any) -> None:
    for name in NAMES:
        verdict = makemore.pair().judge_changed(plant, [name])[name]
        assert verdict.level == "shape"
        assert not any((verdict.shape, verdict.exact, verdict.approximate))


@pytest.mark.parametrize("name", [n for n in NAMES if 1 in makemore.pair().coarse.gradients[f"d{n}"].shape])
def test_a_lost_axis_of_length_one(name: Any) -> None:
    """`(64,)` against `(1, 64)` would pass a comparison that broadcasts."""
    assert makemore.pair().judge_changed(torch.squeeze, [name])[name].level == "shape"


def test_only_the_first_row() -> None:
    names = {n for n in NAMES if makemore.pair().coarse.gradients[f"d{n}"].shape[0] > 1}
    # dbndiff2 is one row copied 32 times, and rightly so.
    for name in names - makemore.TRUE_ZEROS - {"bndiff2"}:
        assert makemore.pair().judge_changed(first_row_only, [name])[name].level == "wrong"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_a_number(name: Any) -> None:
    for plant in (with_nan, lambda g: torch.full_like(g, torch.inf), lambda g: -torch.full_like(g, torch.inf)):
        assert makemore.pair().judge_changed(plant, [name])[name].level == "wrong"


def test_a_missing_gradient() -> None:
    pair = makemore.pair()
    for name in NAMES:
        fewer = {key: value for key, value in pair.coarse.gradients.items() if key != f"d{name}"}
        verdicts = judge_all(fewer, pair.coarse.forward.autograd, pair.fine.gradients, pair.fine.forward.autograd)
        assert verdicts[name].level == "shape"


def test_true_zeros() -> None:
    verdicts = makemore.pair().judge()
    assert {n for n, verdict in verdicts.items() if verdict.level == "zero"} == makemore.TRUE_ZEROS
    for size in (1e-2, 1e-4):
        verdicts = makemore.pair().judge_changed(lambda g, size=size: g + size, makemore.TRUE_ZEROS)
        assert {verdicts[n].level for n in makemore.TRUE_ZEROS} == {"wrong"}


def test_a_zero_that_more_cancels_in_is_one_where_float64_says_so() -> None:
    left, zero = torch.full((3,), 3e-5), torch.zeros(3)
    for fine, level in ((4e-14, "zero"), (4e-10, "wrong")):
        assert judge(left, zero, torch.full((3,), fine, dtype=torch.float64), zero.double()).level == level


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e4])
def test_small_gradients_are_no_zeros(scale: Any) -> None:
    """A loss on another scale changes nothing: what was wrong stays wrong, what was right stays right."""
    pair = makemore.pair()
    sides = [side.gradients["dW1"] * scale for side in (pair.coarse, pair.fine)]
    assert judge(sides[0], sides[0], sides[1], sides[1], scale).level == "exact"
    for wrong in (torch.zeros_like, lambda g: g * 1.001):
        assert judge(wrong(sides[0]), sides[0], wrong(sides[1]), sides[1], scale).level == "wrong"


def test_a_run_in_float64_is_judged_in_float64() -> None:
    """Which of the two precisions is shown changes nothing of what is right."""
    pair = makemore.pair()
    for plant, level in ((lambda g: g, "approximate"), (lambda g: g * (1 + 1e-6), "wrong")):
        coarse, fine = (plant(side.gradients["dhprebn"]) for side in (pair.coarse, pair.fine))
        auto, auto_fine = (side.forward.autograd["hprebn"] for side in (pair.coarse, pair.fine))
        verdict = judge(fine, auto_fine, coarse, auto)
        assert verdict.level == level
        assert verdict.relative_error is not None
        assert (verdict.relative_error < 1e-12) == (level == "approximate")


# What noise carries, noise can hide: dlogit_maxes, db1, and the path that brings dlogit_maxes back.
NOISY = {"dlogit_maxes", "db1", "dlogits +="}


def key(line: Any) -> Any:
    return f"{line.variable} +=" if line.mode == "+=" else line.variable


@pytest.mark.parametrize("number", range(len(makemore.pair().coarse.lines)))
def test_a_tampered_line(number: Any) -> None:
    """Each printed line a thousandth too large: its own gradient turns wrong, and nothing before it does."""
    lines = list(makemore.pair().coarse.lines)
    line = lines[number]
    *before, last = line.code.split("\n")
    place, _, expression = last.partition(" = " if line.mode == "=" else " += ")
    mode = "=" if line.mode == "=" else "+="
    lines[number] = makemore.with_code(line, "\n".join([*before, f"{place} {mode} 1.001 * ({expression})"]))
    level = makemore.pair().judge(lines)[line.variable[1:]].level
    assert level == ("wrong" if key(line) not in NOISY else level)
    assert level in {"wrong", "zero"} or key(line) in NOISY


@pytest.mark.parametrize("number", [i for i, line in enumerate(makemore.pair().coarse.lines) if line.mode == "+="])
def test_a_missing_path(number: Any) -> None:
    lines = list(makemore.pair().coarse.lines)
    line = lines.pop(number)
    level = makemore.pair().judge(lines)[line.variable[1:]].level
    assert level == "wrong" or key(line) in NOISY


@pytest.mark.parametrize("number", [i for i, line in enumerate(makemore.pair().coarse.lines) if ".sum(" in line.code])
def test_a_sum_over_the_wrong_axis_or_none(number: Any) -> None:
    line = makemore.pair().coarse.lines[number]
    for old, new in (("sum(0", "sum(1"), ("sum(1", "sum(0"), (", keepdim=True", "")):
        if old in line.code:
            assert level_with(number, line.code.replace(old, new)) in BAD
    start = line.code.index(".sum(")
    assert level_with(number, line.code[:start] + line.code[line.code.index(")", start) + 1 :]) in BAD


def level_with(number: Any, code: Any) -> Any:
    lines = list(makemore.pair().coarse.lines)
    lines[number] = makemore.with_code(lines[number], code)
    try:
        return makemore.pair().judge(lines)[lines[number].variable[1:]].level
    except Refusal as refusal:
        return "shape" if refusal.code == "shapes-do-not-fit" else refusal.code


@pytest.mark.parametrize(("left", "level"), [(3e-17, "zero"), (3e-12, "wrong")])
def test_what_cancels_in_one_precision_only_is_judged_by_its_size(left: float, level: str) -> None:
    """Terms as large as the walk's gradients may leave one rounding in float64 and nothing in float32."""
    nothing, residue = torch.zeros(4), torch.full((4,), left, dtype=torch.float64)
    for autograd in (torch.zeros(4, dtype=torch.float64), 2 * residue):
        assert judge(residue, autograd, nothing, nothing, scale=1.0).level == level
        if level == "zero":
            assert judge(nothing, nothing, residue, autograd, scale=1.0).level == level


@pytest.mark.parametrize(
    ("lost", "off", "level"),
    [
        (80.0, 3.3e-7, "approximate"),  # as of a normalisation of a normalisation
        (80.0, 1e-5, "wrong"),
        (1e9, 1e-4, "wrong"),
        (1e-6, 3.3e-7, "wrong"),
    ],
)
def test_what_nearly_cancels_may_be_off_by_what_autograd_loses_in_float32(lost: float, off: float, level: str) -> None:
    fine = torch.tensor([5.3e-10, -3.1e-11, -5.0e-10], dtype=torch.float64)
    coarse = (fine + lost * 5.3e-10).float()
    assert judge(coarse, coarse, fine * (1 + off), fine).level == ("exact" if level == "approximate" else level)
    assert judge(fine * (1 + off), fine, coarse, coarse).level == level
