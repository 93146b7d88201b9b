"""What other libraries keep as gradient tests: accepted, and right beside plain PyTorch; refusals are listed by code."""

from __future__ import annotations

from typing import Any

import pytest

import backend
from tests.support import outside_suites, outside_suites_autograd, outside_suites_tinygrad
from tests.support.asking import whole
from tests.support.solve import problems

TABLES = {
    f"{suite} {name}": outside_suites.read(table)
    for suite, module in {"autograd": outside_suites_autograd, "tinygrad": outside_suites_tinygrad}.items()
    for name, table in {"listed": module.LISTED, "beyond": module.BEYOND}.items()
}
TITLED = [(f"{name}: {line.title}", line) for name, lines in TABLES.items() for line in lines]
REFUSED = [pytest.param(line, id=title) for title, line in TITLED if line.refused]
# Every operation is held against autograd daily by the samples of its block.
ACCEPTED = [
    pytest.param(line, id=title, marks=() if number % 4 == 0 else pytest.mark.exhaustive)
    for number, (title, line) in enumerate((title, line) for title, line in TITLED if not line.refused)
]
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("line", ACCEPTED)
def test_agrees_with_plain_torch(line: Any) -> None:
    # `.float()` means float32 and nothing else.
    precision = (1e-6, "float32") if ".float()" in line.expression else (1e-7, "float64")
    for case in line.cases():
        assert not problems(case, False, *precision), case["source"]


@pytest.mark.parametrize("line", ACCEPTED)
def test_is_judged_right(line: Any) -> None:
    document = whole(next(line.cases()))
    levels = {node["name"]: node["gradient"]["verdict"]["level"] for node in document["nodes"] if node["gradient"]}
    assert levels
    assert set(levels.values()) <= {"exact", "approximate", "zero", "not-finite"}


@pytest.mark.parametrize("line", REFUSED)
def test_is_refused_as_said(line: Any) -> None:
    for case in line.cases():
        with pytest.raises(backend.Refusal) as caught:
            backend.walk(case)
        assert caught.value.code == line.refused


@pytest.mark.parametrize("name", ["autograd listed", "tinygrad listed"])
def test_nearly_all_listed_operations_are_accepted(name: Any) -> None:
    counts = [(len(list(line.cases())), line.refused) for line in TABLES[name]]
    total, refused = sum(count for count, _ in counts), sum(count for count, code in counts if code)
    assert total > 700
    assert refused <= 0.05 * total
