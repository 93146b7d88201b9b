"""The lab: what each exhibit claims is decided by numbers, and its numbers are those of plain PyTorch."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import pytest
import torch
import torch.nn.functional as F

import backend
from backend.engine.language.errors import Refusal
from backend.pipeline import run_of
from backend.program.exhibits.exhibit import Exhibit
from backend.program.lessons import ROOM
from backend.services.exhibit_text import ROLE
from tests.support import chapter_lint
from tests.support.exhibit_runs import Named, inputs, plain, program_of, trained
from tests.support.programs import some
from tests.support.torch_reference import scope
from tests.support.wrong_gradients import WRONG

MISTAKES = [one for one in ROOM.exhibits.values() if one.kind != "contrast"]
BUGS = [one for one in MISTAKES if one.kind == "bug"]
SUSPECTS = [one for one in MISTAKES if one.kind == "suspect"]
PLANTED = [one for one in MISTAKES if one.sides[1].program is None]
PLAIN = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")


def ids(exhibit: Exhibit) -> str:
    return exhibit.name


@cache
def found(name: str) -> dict[str, Any]:
    sides = ROOM.exhibits[name].sides
    told = backend.comparison({"left": sides[0].walk, "right": sides[1].walk})
    return {one["variable"]: one for one in told["tensors"]}


def looked_at(exhibit: Exhibit) -> list[Any]:
    """What the tensors that an exhibit is about have in common."""
    known = found(exhibit.name)
    return [known[n]["value"] if n in known else known[n[1:]]["gradient"] for n in exhibit.look_at]


@pytest.mark.parametrize("exhibit", BUGS, ids=ids)
def test_what_is_seen_is_what_the_room_sorts_it_by(exhibit: Exhibit) -> None:
    """The room says it by the first of `look_at`, which the reader predicts: the two must not disagree."""
    first = looked_at(exhibit)[0]
    kinds = {
        "zeros": ["zero"], "none": ["missing"], "nan": ["broken"], "shape": ["shape"], "scale": ["scale"],
        "direction": ["turned", "opposite"], "leak": ["turned", "missing"], "noise": ["turned"],
        "nothing": ["same", "rounding"],
    }  # fmt: skip
    assert exhibit.shows is not None
    assert first["kind"] in kinds[exhibit.shows]
    assert exhibit.shows != "none" or first["right"] is None
    assert exhibit.shows != "noise" or abs(first["cosine"]) < 0.1
    if exhibit.shows == "leak":
        assert first["left"] is None or "zero" in [one["kind"] for one in looked_at(exhibit)]


@pytest.mark.parametrize("exhibit", SUSPECTS, ids=ids)
def test_what_only_looks_like_a_mistake_changes_no_gradient(exhibit: Exhibit) -> None:
    assert {one["kind"] for one in looked_at(exhibit)} <= {"same", "rounding"}


@pytest.mark.parametrize("exhibit", MISTAKES, ids=ids)
def test_lengths_and_angles_are_those_of_plain_pytorch(exhibit: Exhibit) -> None:
    sides = [plain(exhibit, side, inputs(exhibit, side)) for side in (0, 1)]
    known = found(exhibit.name)
    for name in exhibit.look_at:
        variable, part = (name, 0) if name in known else (name[1:], 1)
        told = known[variable][("value", "gradient")[part]]
        both = [side[part].get(variable) for side in sides]
        for one, of in zip(both, (told["left"], told["right"]), strict=True):
            assert (one is None) == (of is None)
            if one is not None:
                assert of["shape"] == list(one.shape)
                assert of["broken"] == int((~one.isfinite()).sum())
                if told["kind"] == "zero" and exhibit.name != "bias-summed-over-everything":
                    assert of["zeros"] == int((one == 0).sum())
        a, b = (one if one is None else one.detach().double() for one in both)
        if told["cosine"] is not None and a is not None and b is not None:
            assert told["ratio"] == pytest.approx(float(b.norm() / a.norm()), rel=1e-4)
            assert told["cosine"] == pytest.approx(float((a * b).sum() / (a.norm() * b.norm())), abs=1e-4)


@pytest.mark.parametrize("exhibit", PLANTED, ids=ids)
def test_a_planted_line_is_one_of_the_gradient_that_the_exhibit_is_about(exhibit: Exhibit) -> None:
    planted = run_of(exhibit.sides[1].walk).plan.planted
    assert planted is not None
    assert planted.line.variable == planted.right.variable
    assert exhibit.name in WRONG, "tests/support/wrong_gradients.py has no such gradient"


TEXTS = [
    pytest.param(exhibit, text, id=f"{exhibit.name}-{field}")
    for exhibit in MISTAKES
    for field, text in (("reveal", exhibit.reveal), ("sees", exhibit.sees))
    if ROLE.search(text)
]


@pytest.mark.parametrize(("exhibit", "text"), TEXTS)
def test_the_numbers_of_a_sentence_are_those_of_plain_pytorch(exhibit: Exhibit, text: str) -> None:
    page = backend.exhibit(exhibit.name)
    told = page["reveal"] if text == exhibit.reveal else page["sees"]
    pattern = ROLE.sub("\0", text)
    shown = re.fullmatch("(.+?)".join(map(re.escape, pattern.split("\0"))), told)
    assert shown is not None
    sides = [plain(exhibit, side, inputs(exhibit, side)) for side in (0, 1)]
    for (role, expression), said in zip(ROLE.findall(text), shown.groups(), strict=True):
        numbers = number_of(exhibit, sides, role, expression.partition(" | ")[0])
        assert numbers_in(said) == pytest.approx(numbers, rel=0.005, abs=half_a_digit(said)), said


@pytest.mark.parametrize(("exhibit", "text"), [one for one in TEXTS if "{cosine}" in str(one.values[1])])
def test_the_cosine_of_another_direction_never_reads_as_that_of_the_same(exhibit: Exhibit, text: str) -> None:
    page = backend.exhibit(exhibit.name)
    told = page["reveal"] if text == exhibit.reveal else page["sees"]
    shown = re.search("(.+?)".join(map(re.escape, ROLE.sub("\0", text).split("\0"))) + "$", told)
    assert shown is not None
    said = [one for (role, _), one in zip(ROLE.findall(text), shown.groups(), strict=True) if role == "cosine"]
    assert not {"1.00", "−1.00"} & set(said)


def number_of(exhibit: Exhibit, sides: list[tuple[Named, Named]], role: str, expression: str) -> list[float]:
    """What a role stands for: an expression, evaluated by Python over plain PyTorch's tensors."""
    if role in ("ratio", "cosine"):
        a, b = (one_of(side, expression).double().flatten() for side in sides)
        number = b.norm() / a.norm() if role == "ratio" else F.cosine_similarity(a, b, dim=0)
        return [float(number)]
    values, grads = sides[role == "written"]
    program = program_of(exhibit, role == "written")
    known = {name: one.detach() for name, one in values.items()} | {f"d{name}": grad for name, grad in grads.items()}
    with torch.no_grad():
        made = torch.as_tensor(eval(expression, scope(program, known)))
    return [float(one) for one in made.flatten()]


def one_of(side: tuple[Named, Named], name: str) -> torch.Tensor:
    values, grads = side
    return (values[name] if name in values else grads[name[1:]]).detach()


def half_a_digit(said: str) -> float:
    """Half of the last digit that a text shows, of its first number."""
    digits = re.match(r"\[?−?\d+(?:\.(\d+))?(?:·10(\S+))?", said)
    if digits is None:
        return 0.0
    power = int((digits[2] or "0").translate(PLAIN))
    return 0.501 * 10.0 ** (power - len(digits[1] or ""))


def numbers_in(said: str) -> list[float]:
    """The numbers of a text as it is read: `[−0.5, 2]`, `−3·10⁻⁶`, `∞`."""
    text = said.translate(PLAIN).replace("·10", "e").replace("∞", "inf")
    return [float(one) for one in text.strip("[]").split(", ")]


@pytest.mark.parametrize("exhibit", MISTAKES, ids=ids)
def test_no_result_is_typed_and_every_sentence_is_plain_english(exhibit: Exhibit) -> None:
    for text in (exhibit.ask, exhibit.reveal, exhibit.sees, exhibit.in_training):
        assert list(chapter_lint.typed_in(text)) == []
        assert list(chapter_lint.faults(text)) == []


@pytest.mark.parametrize("name", some([one.name for one in MISTAKES if one.training], 3))
def test_both_runs_end_where_plain_pytorch_ends(name: str) -> None:
    exhibit = ROOM.exhibits[name]
    runs = backend.exhibit(exhibit.name)["runs"]
    assert runs is not None
    for side, told in ((0, runs["meant"]), (1, runs["written"])):
        end = trained(name, side)[0][-1]
        if math.isnan(end):
            assert told[-1] == "NaN"
        else:
            assert told[-1] == pytest.approx(end, rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("exhibit", BUGS, ids=ids)
def test_a_mistake_is_seen_in_training_or_its_card_says_why_not(exhibit: Exhibit) -> None:
    assert exhibit.training or exhibit.in_training


def test_an_exhibit_that_is_not_there_is_told() -> None:
    with pytest.raises(Refusal) as caught:
        backend.exhibit("nothing")
    assert caught.value.status == 404


def test_the_list_gives_no_answer_away() -> None:
    listed = backend.exhibits()
    assert listed["faults"] == []
    kinds = [one["kind"] for one in listed["exhibits"]]
    assert (kinds.count("bug"), kinds.count("suspect")) == (72, 9)
    for one in listed["exhibits"]:
        assert "reveal" not in one
        assert one["kind"] == "contrast" or one["threads"][0]["year"] is not None
