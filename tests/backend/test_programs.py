"""Whole programs: gradients, values and printed code beside plain PyTorch, readable and exact."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import torch

import backend
from tests.backend import plain
from tests.backend.solution import problems

ROOT = Path(__file__).parents[2]
CASES = ROOT.parent / "shared" / "conformance" / "cases"
OWN = ROOT / "tests" / "programs"
PATHS = [*sorted(CASES.glob("*.toml")), *sorted(OWN.rglob("*.toml"))]
BIT_EXACT = {"makemore-chunked", "three-x-plus-one"}


def load(path):
    return tomllib.loads(path.read_text())


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_agrees_with_plain_torch(path, exact):
    case = load(path)
    if ".float()" not in case["source"]:
        assert not problems(case, exact)
    assert not problems(case, exact, 1e-4, "float32")


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_walk_judges_it_right(path, exact):
    case = load(path)
    document = json.loads(backend.walk(case | {"exact": exact, "arrays": "lists"}))
    levels = {n["name"]: n["gradient"]["verdict"]["level"] for n in document["nodes"] if n["gradient"]}
    assert {name: level for name, level in levels.items() if level in ("wrong", "shape")} == {}
    after = plain.printed(case, document["forward_source"], document["backward_source"], torch.float32)
    variables = {n["variable"] for n in document["nodes"] if n["gradient"]}
    assert {f"d{variable}" for variable in variables} <= set(after)
    if exact and path.stem in BIT_EXACT:
        assert set(levels.values()) <= {"exact", "zero"}


def test_the_published_cases_are_here():
    if not CASES.is_dir():
        pytest.skip("the published cases are kept beside the repository, and are not there")
    assert set(map(str, PATHS)) >= {str(path) for path in CASES.glob("*.toml")}
