"""All faults of a program are told at once, and nothing that merely follows from one of them."""

from __future__ import annotations

from typing import Any

import pytest

import backend
from backend.engine.language.limits import LIMITS
from backend.engine.language.parse import MOST_FAULTS

TENSORS: dict[str, Any] = {
    "x": {"role": "data", "shape": [5, 3], "init": "randn"},
    "W": {"role": "parameter", "shape": [3, 4], "init": "randn"},
    "y": {"role": "target", "shape": [5], "init": "randint", "high": 4},
}


def faults(source: str, **more: Any) -> list[tuple[str, int]]:
    """The code and the line of every fault that a check tells."""
    with pytest.raises(backend.Refusal) as caught:
        backend.check({"source": source, "tensors": TENSORS} | more)
    return [(one.code, int((one.where or {"line": 0})["line"])) for one in (caught.value, *caught.value.others)]


SEVERAL: dict[str, list[tuple[str, int]]] = {
    # Each kind, in the order of the text.
    "h = torch.tahn(x @ W)\nq = x @ x\nr = (x @ W\ns = x ++ * 2\nu = torch.foo(x) + bias\nv = xx + 1": [
        ("function-unknown", 1), ("matmul-mismatch", 2), ("syntax", 3), ("syntax", 4),
        ("function-unlisted", 5), ("name-unknown", 5), ("name-near", 6),
    ],
    # What reads the work of a faulty line is no fault, whatever its own shapes; it is looked at again after a new one.
    "h = x @ x\nz = h @ q_h\nh = x @ W\ng = h @ W\nloss = (z + g).sum()": [
        ("matmul-mismatch", 1), ("name-unknown", 2), ("matmul-mismatch", 4),
    ],
    "h = (x @ W\nz = h @ h\nloss = z.sum()": [("syntax", 1)],
    "a, b = x.foo()\nloss = (a + b).sum()": [("function-unlisted", 1)],
    "h = x * bias\nz = x + bias\nloss = (h @ z).sum()": [("name-unknown", 1)],  # one row of the table mends both
    "h = xx * 2\nz = xx + 1": [("name-near", 1), ("name-near", 2)],  # each is to be written anew
    # A loop: its range, its body at every turn, its names behind it.
    "for i in range(3):\n    h = x @ x\n    q = x * y_\n    return h\nz = h + q": [
        ("matmul-mismatch", 2), ("shapes-do-not-fit", 3),
    ],
    "for i in range(3)\n    h = x * 2\nz = h + 1\nv = x @ x": [("syntax", 1), ("matmul-mismatch", 4)],
    "for i in range(x):\n    h = x * 2\nz = h @ W.T": [("builtin-arguments", 1)],
    # A statement over several lines, one further in than the rest, and a text that never ends.
    "m = F.relu(\n    x,\n    q=3,\n)\nn = F.relu(\n    x))\nl = (x\n  + 4))\nk = x @ x": [
        ("arguments", 1), ("syntax", 6), ("syntax", 8), ("matmul-mismatch", 9),
    ],
    "h = x * 2\n   a = 3\n   b = 4\nv = x @ x": [("syntax", 2), ("matmul-mismatch", 4)],
    'h = x @ x\n"""What it does\nand why @ x': [("matmul-mismatch", 1), ("syntax", 2)],
    "import torch.nn as nn\ndef f(x):\n    return x @ x\nh = f(x)\ng = torch.tahn(x)": [
        ("shapes-do-not-fit", 3), ("function-unknown", 5),
    ],
    "    h = x @ x\n    z = x ++ * 2\n": [("matmul-mismatch", 1), ("syntax", 2)],  # indented as a whole
}  # fmt: skip


@pytest.mark.parametrize("source", SEVERAL)
def test_every_fault_is_told_and_none_that_follows_from_one(source: str) -> None:
    assert faults(source) == SEVERAL[source]


def test_places_are_those_of_the_pasted_text() -> None:
    with pytest.raises(backend.Refusal) as caught:
        backend.check({"source": "    h = x @ x\n    é = (W @\n    g = W @ W", "tensors": TENSORS})
    found = [one.where for one in (caught.value, *caught.value.others)]
    assert found[0] == {"line": 1, "column": 9, "end_column": 14, "text": "x @ x"}
    assert found[-1] == {"line": 3, "column": 9, "end_column": 14, "text": "W @ W"}


def test_while_a_row_is_filled_lines_without_it_are_judged_and_told() -> None:
    more = {"unfinished": ["b"]}
    assert faults("h = x @ W + b\ng = x @ x\nk = h @ q", **more) == [("matmul-mismatch", 2)]
    report = backend.check({"source": "h = x @ W\nz = h + b\nloss = z.mean()", "tensors": TENSORS} | more)
    assert [(chunk["name"], chunk["shape"]) for chunk in report["chunks"]] == [("h", [5, 4])]
    assert report["loss"] is None


def test_at_most_so_many_are_told_and_they_are_the_first() -> None:
    for line in ("z = x @ x", "z = x +", "z = x.foo()", "z = x.sum(q=1)"):
        assert [number for _, number in faults("\n".join([line] * 90))] == [*range(1, MOST_FAULTS + 1)]


def test_what_is_used_up_is_told_once() -> None:
    endless = "for i in range(60):\n    for j in range(60):\n        z = x * 2"
    assert faults(endless) == [("too-many-steps", 3)]
    assert faults("h = torch.ones(1024, 1024)\n" * 40 + "z = x @ x") == [("memory-budget", 16)]


def test_a_program_that_cannot_be_taken_apart_has_one_fault() -> None:
    assert faults("x = 1\n" * (LIMITS.statements + 1)) == [("program-too-large", LIMITS.statements + 1)]
    assert faults("x = \x00") == [("character-unseen", 1)]


def test_a_loss_is_judged_where_all_lines_are_sound() -> None:
    with pytest.raises(backend.Refusal) as caught:
        backend.check({"source": "h = x @ W", "tensors": TENSORS})
    assert (caught.value.code, caught.value.others) == ("loss-not-scalar", [])
