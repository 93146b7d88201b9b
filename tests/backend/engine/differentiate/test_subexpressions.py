"""Helper lines: nothing long is written twice, no line is too long, and names are those of the forward text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backend.engine.language.unparse import LONGEST_LINE
from tests.support.programs import BY_NAME, mostly, run_for
from tests.support.solve import problems, solve
from tests.tools.golden import BLACKBOARD, PASSES, printed_pass


def case(source: str, constants: dict[str, Any] | None = None, **shapes: tuple[int, ...]) -> dict[str, Any]:
    tensors = {
        name: {"role": "parameter", "shape": list(shape), "init": "rand", "seed": seed}
        for seed, (name, shape) in enumerate(shapes.items())
    }
    return {"source": source, "tensors": tensors, "constants": constants or {}}


def lines(given: dict[str, Any]) -> list[str]:
    return solve(given).backward_source.splitlines()


@pytest.mark.parametrize("path", BLACKBOARD, ids=lambda path: path.stem)
def test_a_pass_reads_like_a_blackboard(path: Path) -> None:
    assert printed_pass(path) == (PASSES / f"{path.stem}.txt").read_text()


@pytest.mark.parametrize("name", mostly(BY_NAME))
@pytest.mark.parametrize("exact", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_no_line_is_too_long(name: str, exact: bool) -> None:
    printed = [code for line in run_for(name, exact=exact).plan.lines for code in line.code.splitlines()]
    assert [code for code in printed if len(code) > LONGEST_LINE] == []


def test_what_is_read_twice_is_computed_once() -> None:
    given = case("y = w / torch.sqrt(x.var(0, keepdim=True) + 1e-5)\nloss = y.sum()", x=(4, 3), w=(4, 3))
    assert lines(given)[2:] == [
        "x_sqrt = torch.sqrt(x.var(0, keepdim=True) + 1e-5)",
        "dx_sqrt = -(y / x_sqrt * dy).sum(0, keepdim=True)",
        "dw = dy / x_sqrt",
        "dx = 2/3 * (dx_sqrt / (2 * x_sqrt)) * (x - x.mean(0, keepdim=True))",
    ]
    assert not problems(given)


def test_a_gradient_that_changes_is_not_shared_between_lines() -> None:
    source = "p = (x * 3.0).exp() * (x * 3.0).exp()\nq = (p * p).exp() + p\nloss = q.sum()"
    assert not problems(case(source, x=(3,)))


def test_a_helper_has_a_name_of_its_own() -> None:
    given = case("y = w / x.norm(dim=1, keepdim=True)\nx_norm = y * 2\nloss = x_norm.sum()", x=(4, 3), w=(4, 3))
    assert any(line.startswith("x_norm2 = x.norm(") for line in lines(given))
    assert not problems(given)


def test_a_helper_is_not_named_as_if_the_gradient_of_something_else_were_its_own() -> None:
    source = "r = torch.exp(x)\nloss = torch.min(-(a * r), -(a * r.clamp(0.8, 1.2))).mean()"
    given = case(source, x=(4,), a=(4,))
    sides = [line.partition(" = ")[::2] for line in lines(given)]
    products = [name for name, value in sides if value == "a * r.clamp(0.8, 1.2)"]
    gradients = {name for name, _ in sides if name.startswith("dloss_")}  # of the negated ones
    assert (len(products), len(gradients)) == (1, 2)
    assert gradients.isdisjoint(f"d{name}" for name in products)
    assert not problems(given)


COUNTED = {
    "a temperature that equals the number of cells": ("p = x / T\nloss = (p * y).mean()", {"T": 20}, "T"),
    "a number of crops that equals the batch": ("loss = (x / ncrops).sum(1).mean()", {"ncrops": 4}, "ncrops"),
    "a width that the program only multiplies by": ("loss = (x * width).mean(1).sum()", {"width": 5}, "width"),
}


@pytest.mark.parametrize(("source", "constants", "name"), COUNTED.values(), ids=COUNTED)
def test_a_count_is_not_called_after_a_constant_that_merely_equals_it(
    source: str, constants: dict[str, int], name: str
) -> None:
    given = case(source, constants, x=(4, 5), y=(4, 5))
    assert not problems(given)
    other = given | {"constants": {name: constants[name] + 7}}
    changed = [line.replace(name, "_") for line in lines(other)]
    assert [line.replace(name, "_") for line in lines(given)] == changed


NAMED = {
    "a range": ("loss = -x[range(n), range(n)].mean()", {"n": 4}, "dx[range(n), range(n)] = -dloss / n"),
    "the size of a tensor": ("B, T = x.shape\nloss = x.mean()", {}, "dloss / (B*T)"),
    "one axis": ("n = x.shape[0]\nloss = x.mean(0).sum()", {}, " / n"),
    "a view": ("y = (x.view(B, 2, T)**2).view(x.shape)\nloss = (y * y).sum()", {"B": 4, "T": 3}, "dy.view(B, 2, T)"),
    "classes": ("n, C = x.shape\nloss = F.cross_entropy(x, torch.arange(n))", {}, "F.one_hot(torch.arange(n), C)"),
}


@pytest.mark.parametrize(("source", "constants", "part"), NAMED.values(), ids=NAMED)
def test_a_length_goes_by_the_name_that_the_text_made_it_with(
    source: str, constants: dict[str, int], part: str
) -> None:
    given = case(source, constants, x=(4, 6))
    assert part in "\n".join(lines(given))
    assert not problems(given)
