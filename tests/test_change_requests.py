"""Ten changes that somebody may ask for, each with the files to open and what in them is to be changed.

README's table of folders leads to the first file of each; the others are named there, or in CONTRIBUTING.md.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from tests.tools.server import ROOT

README = (ROOT / "README.md").read_text()


class Change(NamedTuple):
    """What is asked for, and the text to be changed, by file; the first file is the one to open first."""

    asked: str
    files: dict[str, str]


CHANGES = [
    Change(
        "Add an activation, say a hard sigmoid with a slope of its own.",
        {"backend/ops/activation.py": "class Relu(Pointwise):"},
    ),
    Change(
        "Say in other words why only the largest cell gets the gradient of a max.",
        {"backend/ops/reduce.py": 'because = {"x": "Only the largest cell decided the result;'},
    ),
    Change(
        "Let the walk play more slowly by itself.",
        {"static/js/page/tempo.js": "const READING = "},
    ),
    Change(
        "Name the axes of a result after its first input rather than its longest.",
        {"backend/trace/axis_names.py": "def _aligned("},
    ),
    Change(
        "Allow programs of 500 lines.",
        {"backend/language/limits.py": "statements: int = 400"},
    ),
    Change(
        "Add a starting point with a convolution.",
        {"backend/program/starts/01-line.toml": "[tensors]"},
    ),
    Change(
        "Send one more response header for security.",
        {"app/middleware/guard.py": "SECURITY_HEADERS = tuple("},
    ),
    Change(
        "Draw the corners of the graph's long edges rounder.",
        {"static/js/graph/rail-paths.js": "export function railPath("},
    ),
    Change(
        "Export a walk as a Markdown document, too.",
        {
            "backend/services/export.py": 'if form == "ipynb":',
            "app/requests.py": 'format: Literal["py", "ipynb"]',
            "templates/parts/desk.html": 'data-format="ipynb"',
        },
    ),
    Change(
        "Add a verdict between approximate and wrong.",
        {
            "backend/verify/compare.py": "Level = Literal[",
            "backend/present/schema.py": "rounding), not-finite",
            "backend/verify/rounding.py": "FIXED = {",
            "static/js/walk/verdict-levels.js": "export const LEVELS =",
            "static/css/badge.css": ".level-approximate {",
        },
    ),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.asked)
def test_the_file_to_open_has_what_is_to_be_changed(change: Change) -> None:
    for name, text in change.files.items():
        assert text in (ROOT / name).read_text(), f"{name} has no {text!r}"


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.asked)
def test_the_first_file_lies_in_a_folder_that_readme_explains(change: Change) -> None:
    folders = re.findall(r"^\| (`[^|]+`) \|", README.split("## Where things are")[1], re.MULTILINE)
    explained = {folder.rstrip("/") for cell in folders for folder in re.findall(r"`([^`]+)`", cell)}
    first = next(iter(change.files))
    parents = [str(parent) for parent in (ROOT / first).relative_to(ROOT).parents]
    assert explained & set(parents[:2]), first


def test_there_are_ten() -> None:
    assert len(CHANGES) == len({change.asked for change in CHANGES}) == 10
