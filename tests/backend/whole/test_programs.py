"""Whole programs: gradients, values and printed code beside plain PyTorch, readable and exact."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tests.support import torch_reference
from tests.support.programs import PATHS, load, unusual, walk_for
from tests.support.solve import problems

# The lecture's network is held bit for bit in test_makemore.py.
BIT_EXACT = {"scale-and-shift", "linear-layer"}


BOTH_WAYS = [pytest.param(path, False, id=path.stem) for path in PATHS]
BOTH_WAYS += [
    pytest.param(path, True, id=f"{path.stem}, exact", marks=pytest.mark.exhaustive if unusual(path.stem) else ())
    for path in PATHS
]


@pytest.mark.parametrize(("path", "exact"), BOTH_WAYS)
def test_agrees_with_plain_torch(path: Any, exact: bool) -> None:
    case = load(path)
    if ".float()" not in case["source"]:
        assert not problems(case, exact)
    assert not problems(case, exact, 1e-4, "float32")


WALKED = [
    pytest.param(path, False, id=path.stem, marks=pytest.mark.exhaustive if unusual(path.stem) else ())
    for path in PATHS
]
WALKED += [
    pytest.param(path, True, id=f"{path.stem}, exact", marks=[] if path.stem in BIT_EXACT else pytest.mark.exhaustive)
    for path in PATHS
]


@pytest.mark.parametrize(("path", "exact"), WALKED)
def test_the_walk_judges_it_right(path: Any, exact: bool) -> None:
    document = walk_for(path.stem, exact)
    levels = {n["name"]: n["gradient"]["verdict"]["level"] for n in document["nodes"] if n["gradient"]}
    assert {name: level for name, level in levels.items() if level in ("wrong", "shape")} == {}
    after = torch_reference.printed(load(path), document["forward_source"], document["backward_source"], torch.float32)
    variables = {n["variable"] for n in document["nodes"] if n["gradient"]}
    assert {f"d{variable}" for variable in variables} <= set(after)
    if exact and path.stem in BIT_EXACT:
        assert set(levels.values()) <= {"exact", "zero"}


def test_every_program_has_a_name_of_its_own() -> None:
    assert len({path.stem for path in PATHS}) == len(PATHS) > 150
