"""What the picture of a forward step shows is what was computed, decided by numbers."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch

from tests.support.backward_claims import EXACT_TOO, REQUESTS, taught, told_of
from tests.support.forward_checks import forward_faults

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", told_of(REQUESTS))
def test_what_is_drawn_is_what_was_computed(name: Any) -> None:
    walk = taught(name, False)
    found = {step["code"]: forward_faults(walk, step) for step in walk.forward}
    assert {code: faults for code, faults in found.items() if faults} == {}


def test_most_forward_steps_have_a_picture() -> None:
    drawn = [step["picture"] for name in EXACT_TOO for step in taught(name, False).forward]
    assert sum(picture is None for picture in drawn) < 0.05 * len(drawn)


def changed(change: Any, step: str) -> list[str]:
    walk = taught("lesson makemore-mlp", False)
    told = copy.deepcopy(next(one for one in walk.forward if one["code"].startswith(step + " =")))
    assert forward_faults(walk, told) == []
    change(told["picture"])
    return forward_faults(walk, told)


@pytest.mark.parametrize(
    ("step", "change"),
    [
        ("hprebn", lambda picture: picture["signs"].__setitem__(2, "−")),
        ("hprebn", lambda picture: (picture["signs"].pop(), picture["operands"].pop())),
        ("hpreact", lambda picture: picture["operands"][0].update(shape=[64])),
        ("bnmeani", lambda picture: picture["stages"][0].update(factor="1/(n-1)")),
        ("counts_sum", lambda picture: picture["stages"][0]["axes"][0].update(axis=0)),
        ("logit_maxes", lambda picture: picture["stages"][0].update(words="min")),
        ("bndiff2", lambda picture: picture["stages"][0].update(words="x**3")),
        ("probs", lambda picture: picture.update(stages=[], operands=picture["operands"][:1], signs=[""])),
        ("emb", lambda picture: picture["stages"][0]["runs"][5].__setitem__(0, 10)),
        ("embcat", lambda picture: picture["stages"][0]["runs"].pop()),
        ("loss", lambda picture: picture["stages"][0]["runs"].reverse() or picture["stages"][0]["runs"][0].reverse()),
    ],
)
def test_what_is_not_so_is_found(step: str, change: Any) -> None:
    assert changed(change, step)


def test_an_embedding_is_drawn_as_the_rows_that_were_fetched() -> None:
    walk = taught("lesson makemore-mlp", False)
    drawn = next(step["picture"] for step in walk.forward if step["node"] == "emb")
    letters = torch.as_tensor(walk.values["Xb"]).reshape(-1).tolist()
    assert drawn["stages"][0]["runs"] == [[10 * row, 10 * place, 10] for place, row in enumerate(letters)]
