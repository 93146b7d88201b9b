"""The engine's notebook runs in plain Python, and agrees with PyTorch on every program of the chapter."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from backend.course.notebook import engine_notebook
from backend.course.page import Page, find_chapter

PAGE = Page(find_chapter("build-the-engine"), None)
# The programs in which a gradient comes to one tensor from two lines, or twice from one.
USED_TWICE = {"first", "cubed", "twice", "branch", "stretched", "fresh", "softmax", "time"}
BLANK = re.compile("«(\\w+):([^»]*)»")


def code(text: str, lines: dict[str, str]) -> str:
    """The cells of code one after the other, each blank filled."""
    cells = json.loads(text)["cells"]
    joined = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return BLANK.sub(lambda found: lines.get(found[1], found[2]), joined)


def run(source: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", "-c", source], capture_output=True, text=True, check=False)


def test_it_agrees_with_pytorch_on_more_than_ten_programs() -> None:
    done = run(code(engine_notebook(PAGE.chapter, PAGE.runs), {}))
    assert (done.returncode, done.stderr) == (0, "")
    *each, last = done.stdout.splitlines()
    assert len(each) == len(PAGE.chapter.programs) > 10
    assert all(line.endswith("agrees with PyTorch") for line in each)
    assert last == f"{len(each)} of {len(each)} programs agree with PyTorch"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("piece", "line", "differ"),
    [
        ("accumulate", "self.grad = g", USED_TWICE),
        ("order", "ordered(self)", None),
        ("quiet", "pass", {"quiet"}),
        ("detach", "self", {"frozen"}),
        ("zero", "pass", {"fresh"}),
        ("cube", "g * x**2", {"power"}),
        ("backward", "2 * torch.ones_like(self.data)", None),
    ],
)
def test_a_wrong_line_is_seen_by_it(piece: str, line: str, differ: set[str] | None) -> None:
    done = run(code(engine_notebook(PAGE.chapter, PAGE.runs), {piece: line}))
    assert done.returncode == 1
    if differ is not None:
        assert {one.split()[0] for one in done.stdout.splitlines() if "DIFFERS" in one} == differ
