"""The equation of a line in the place of the right one: what its operands are said to be, decided by numbers."""

from __future__ import annotations

from typing import Any

import pytest

from backend.engine.language.guard import caught
from tests.support.backward_claims import Taught, given
from tests.support.planted_claims import planted_faults, written_step
from tests.support.programs import request_of

pytestmark = pytest.mark.filterwarnings("ignore")
COPIED = {"source": "y = x * w\nloss = (y * y).sum()", "tensors": {"x": given(1, 2), "w": given(1, 2, seed=1)}}
NUMBERS = {"source": "y = x * w\nloss = y * y", "tensors": {"x": given(), "w": given(seed=1)}}
TURNED = {
    "source": "y = x.T * w\nz = x * w\nloss = (y * z).sum()",
    "tensors": {"x": given(2, 2), "w": given(2, 2, seed=1)},
}
HELPED = {
    "source": "p = torch.sigmoid(x)\ninter = (p * w).sum()\nloss = 1 - (2 * inter + 1) / (p.sum() + w.sum() + 1)",
    "tensors": {"x": given(3, 2), "w": given(3, 2, seed=1, role="target")},
}


def drawn(program: dict[str, Any], text: str) -> tuple[str, list[tuple[str, str]]]:
    walk = written_step(Taught(program | {"dtype": "float64"}), text)
    assert planted_faults(walk) == []
    picture = walk.step["picture"]
    return picture["then"], [(one["role"], one["code"]) for one in picture["operands"]]


@pytest.mark.parametrize(
    ("code", "then"),
    [
        ("(w * dy).expand(1, 2)", ""),
        ("(w * dy).expand(1, 1, 2)", "rearrange"),
        ("(w * dy).expand(3, 2)", "spread"),
    ],
)
def test_cells_are_copied_only_where_there_are_more_of_them(code: str, then: str) -> None:
    assert drawn(COPIED, f"dx = {code}") == (then, [("local", "w"), ("arrives", "dy")])


def test_a_single_number_that_is_summed_over_an_axis_is_foreseen() -> None:
    before = caught.total()
    assert drawn(NUMBERS, "dx = (w * dy).sum(0)") == ("", [("read", "w"), ("arrives", "dy")])
    assert caught.total() == before


def test_a_sum_of_what_arrives_is_not_what_arrives() -> None:
    assert drawn(TURNED, "dx += dy[0, :1]")[1][0] == ("arrives", "dy")
    assert drawn(TURNED, "dx += dy.sum(1, keepdim=True).T")[1][0] == ("upstream", "dy.sum(1, keepdim=True).T")


@pytest.mark.parametrize("before", ["", "loss_sum = p.sum() + w.sum() + 1\n"])
def test_what_a_struck_helper_is_made_of_is_not_struck_again(before: str) -> None:
    assert drawn(HELPED, f"{before}dloss_sum = dloss")[1] == [
        ("arrives", "dloss"),
        ("left out", "(2 * inter + 1) / loss_sum / loss_sum"),
    ]


def test_a_helper_that_only_the_right_line_reads_is_struck_through_beside_a_line_without_it() -> None:
    assert drawn(request_of("deep-sets-masked"), "dmx_masked = dmx.unsqueeze(1)")[1] == [
        ("arrives", "dmx"),
        ("left out", "mx_masked_scattered"),
    ]
