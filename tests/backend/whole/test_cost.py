"""What a program costs grows straight with its lines, and what it would write out is counted as it is unrolled."""

from __future__ import annotations

from typing import Any

import pytest

import backend
from backend.engine.execute import plan
from backend.program import runs
from tests.support.costs import PROGRAMS, costs_of, counted, table

GIVEN = {
    "x": {"role": "data", "shape": [4, 4], "init": "randn"},
    "W": {"role": "parameter", "shape": [4, 4], "init": "randn"},
}


def request(source: str) -> dict[str, Any]:
    return {"source": source, "tensors": GIVEN}


LOOP = "h = x\nfor i in range({}):\n    h = torch.tanh(h @ W)\nloss = h.sum()"
LIST = "hs = []\nh = x\nfor i in range({}):\n    h = torch.tanh(h @ W)\n    hs.append(h)\ny = torch.stack(hs)\nloss = y.sum()"
WAYS = {
    "loop": LOOP,
    "list": LIST,
    "sums": "h = x * W\nfor i in range({}):\n    h = h + x * W[0]\nloss = h.sum()",
    "cat": LIST.replace("torch.stack(hs)", "torch.cat(hs, 1)"),
}


def cost(source: str, turns: int, steps: str) -> tuple[int, int]:
    """Calls that are made and bytes of answer, of a walk that nothing was kept for."""
    plan._plans.clear()
    runs._runs.clear()
    return counted(lambda: backend.walk(request(source.format(turns)) | {"steps": steps}))


@pytest.mark.parametrize(
    "way", ["list", *(pytest.param(way, marks=pytest.mark.exhaustive) for way in WAYS if way != "list")]
)
@pytest.mark.parametrize("steps", ["near", pytest.param("all", marks=pytest.mark.exhaustive)])
def test_twice_the_turns_cost_twice_as_much(way: str, steps: str) -> None:
    cost(WAYS[way], 2, steps)  # what is made once for all programs
    (calls, size), (calls_twice, size_twice) = cost(WAYS[way], 60, steps), cost(WAYS[way], 120, steps)
    assert calls_twice <= 2.2 * calls
    assert size_twice <= 2.2 * size


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_walk_costs_no_more_than_the_table_says(name: str) -> None:
    kept, now = table()[name], costs_of(name)
    dearer = {what: (kept[what], cost) for what, cost in now.items() if cost > 1.1 * kept[what]}
    assert not dearer, "why? If it must be, `python -m tests.support.costs` writes the table anew"


WORD = "'" + "a" * 200 + "'"


def test_the_characters_of_an_unrolled_loop_are_counted() -> None:
    words = ", ".join([WORD] * 90)
    with pytest.raises(backend.Refusal) as caught:
        backend.check(request(f"h = x * W\nfor i in range(100):\n    s = ({words})\nloss = h.sum()"))
    assert (caught.value.code, "1,000,000 characters" in caught.value.message) == ("too-many-steps", True)
    assert caught.value.where is not None
    assert (caught.value.where["line"], caught.value.where["text"]) == (2, "for i in range(100):")


def test_a_long_numeral_in_a_loop_is_counted() -> None:
    with pytest.raises(backend.Refusal) as caught:
        backend.check(request(f"h = x * W\nfor i in range(100):\n    h = h * 0.{'1' * 15_000}\nloss = h.sum()"))
    assert "1,000,000 characters" in caught.value.message


@pytest.mark.parametrize(
    ("length", "code"), [(200, "arguments"), (201, "string-too-long"), (19_000, "string-too-long")]
)
def test_texts_in_quotes_are_short(length: int, code: str) -> None:
    text = "ij->ij" + " " * (length - 6)
    with pytest.raises(backend.Refusal) as caught:
        backend.check(request(f"h = torch.einsum('{text}', x, W)\nloss = h.sum()"))
    assert caught.value.code == code
    assert caught.value.where is not None
    assert caught.value.where["line"] == 1


def test_a_backward_pass_that_is_too_long_is_refused_while_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[int] = []
    monkeypatch.setattr(plan, "scope_after", lambda lines, _: shapes.append(len(lines)))
    with pytest.raises(backend.Refusal) as caught:
        backend.walk(request(LOOP.format(700)))
    assert (caught.value.code, shapes) == ("too-many-steps", [])
    assert caught.value.where is not None
    assert caught.value.where["line"] == 3
