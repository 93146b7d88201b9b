"""The fixture that pytest loads by itself: in a pytest of its own, by the entry point that the project declares."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.tools.server import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TESTS = """
import sys

def test_that_asks_for_nothing(assert_gradients):
    assert "torch" not in sys.modules

def product(x, w):
    hidden = x @ w
    return hidden.square().sum()

def test_right(assert_gradients):
    import torch
    assert_gradients(product, torch.ones(2, 3), torch.ones(3, 2))

def test_wrong(assert_gradients):
    import torch
    def hooked(x, w):
        twice = w * 1.0
        twice.register_hook(lambda gradient: 3 * gradient)
        return product(x, twice)
    assert_gradients(hooked, torch.ones(2, 3), torch.ones(3, 2))
"""


def installed_in(folder: Path) -> None:
    """What an installation leaves of the entry points."""
    (folder / "gradwalk-0.dist-info").mkdir()
    (folder / "gradwalk-0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: gradwalk\nVersion: 0\n")
    lines = [f"{name} = {value}" for name, value in PROJECT["entry-points"]["pytest11"].items()]
    (folder / "gradwalk-0.dist-info" / "entry_points.txt").write_text("\n".join(["[pytest11]", *lines]))


def test_a_failure_says_which_line_which_mistake_and_where_the_walk_is(tmp_path: Path) -> None:
    installed_in(tmp_path)
    (tmp_path / "test_mine.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "kept")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    ended = subprocess.run([*command, "test_mine.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    said = ended.stdout
    assert "1 failed, 2 passed" in said, said + ended.stderr
    assert re.search(r"The first to differ is w: `dw = .*` \(test_mine\.py, line 18: twice = w \* 1\.0\)\.\n", said)
    assert "Your model's own: This is 3 times the gradient." in said
    found = re.search(r"The walk is in (.*)\.\n", said)
    assert found is not None
    assert Path(found[1]).is_relative_to(tmp_path / "kept")
    assert Path(found[1]).read_text().startswith("<!DOCTYPE html>")
    assert "gradwalk/testing.py" not in said  # the line that is shown is the test's own
