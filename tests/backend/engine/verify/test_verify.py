"""What a verdict says: its level, its share of the largest gradient, and whether terms cancel."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import backend
from backend.engine.verify.compare import judge, judge_all
from tests.support import makemore


def planted(change: Any, name: Any) -> Any:
    """A gradient of the makemore walk, changed alike in both precisions on both sides."""
    pair = makemore.pair()
    sides = []
    for side in (pair.coarse, pair.fine):
        gradients = side.gradients | {f"d{name}": change(side.gradients[f"d{name}"])}
        sides += [gradients, side.forward.autograd | {name: change(side.forward.autograd[name])}]
    return judge_all(*sides)[name]


def with_cell(value: Any) -> Any:
    def change(g: Any) -> Any:
        made = g.clone()
        made.view(-1)[-1] = value
        return made

    return change


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.parametrize("name", makemore.names())
def test_what_is_not_finite_is_never_exact_or_approximate(name: Any, value: Any) -> None:
    """Even where autograd has the very same NaN or infinity."""
    verdict = planted(with_cell(value), name)
    assert (verdict.level, verdict.exact, verdict.approximate, verdict.kind) == ("not-finite", False, False, None)


@pytest.mark.parametrize("name", makemore.names())
def test_nan_for_infinity_is_wrong(name: Any) -> None:
    pair = makemore.pair()
    mine, auto = (with_cell(value)(pair.coarse.gradients[f"d{name}"]) for value in (torch.nan, torch.inf))
    fine, fine_auto = (with_cell(value)(pair.fine.gradients[f"d{name}"]) for value in (torch.nan, torch.inf))
    assert judge(mine, auto, fine, fine_auto).level == "wrong"


def test_all_zero_by_rule() -> None:
    verdict = planted(torch.zeros_like, "h")
    assert (verdict.level, verdict.kind, verdict.residue) == ("exact", "rule", None)
    assert makemore.pair().judge()["h"].kind is None


def test_only_residues_have_a_residue() -> None:
    for name, verdict in makemore.pair().judge().items():
        assert (verdict.kind == "residue") == (name in makemore.TRUE_ZEROS)
        assert (verdict.residue is not None) == (name in makemore.TRUE_ZEROS)


def test_flat_against_one_row() -> None:
    """`(64,)` against `(1, 64)` would pass a comparison that broadcasts."""
    row = torch.ones(1, 64)
    assert judge(row[0], row, row[0].double(), row.double()).level == "shape"
    assert judge(row, row[0], row.double(), row[0].double()).level == "shape"


@pytest.mark.parametrize("name", makemore.names())
def test_shares_are_of_the_largest_gradient_in_both_precisions(name: Any) -> None:
    pair, verdict = makemore.pair(), makemore.pair().judge()[name]
    for share, side in ((verdict.share, pair.coarse), (verdict.share64, pair.fine)):
        autograd = side.forward.autograd
        largest = max(float(g.abs().max()) for g in autograd.values() if g.dtype) if name in makemore.TRUE_ZEROS else 0
        if name in makemore.TRUE_ZEROS and side is pair.fine:
            largest = max(float(g.abs().max()) for g in pair.coarse.forward.autograd.values())
        size = largest or float(autograd[name].abs().max())
        difference = float((side.gradients[f"d{name}"] - autograd[name]).abs().max())
        assert share == pytest.approx(difference / size, rel=1e-6)


def test_a_share_says_how_wrong_it_is() -> None:
    verdict = makemore.pair().judge_changed(lambda g: g * 1.25, ["W2"])["W2"]
    assert verdict.level == "wrong"
    assert verdict.share == pytest.approx(0.25)
    assert verdict.share64 == pytest.approx(0.25)


def test_where_terms_cancel_the_lens_says_so() -> None:
    for tensor, cancels in (("b1", True), ("logit_maxes", True), ("b2", False), ("bngain", False), ("W1", False)):
        shape = {"b1": [20], "logit_maxes": [0, 0], "b2": [3], "bngain": [0, 3], "W1": [0, 0]}[tensor]
        asked = {"walk": makemore.LESSON, "tensor": tensor, "which": "gradient", "index": shape}
        answer = backend.cell(asked)
        assert answer["agrees"]
        assert answer["cancels"] == cancels, tensor
