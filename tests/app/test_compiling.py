"""What an image is built with compiles what a start loads, once and for all, and fails where it can't be loaded."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path
from types import ModuleType

import pytest

from app.compiling import compile_all
from tests.tools.server import ROOT


def test_what_is_compiled_is_never_compared_with_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "once_compiled.py"
    source.write_text("said = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = importlib.import_module("once_compiled")
    assert compile_all([sys, os, ModuleType("made by hand"), module]) == 1
    source.write_text("said = 'another thing'\n")
    assert importlib.reload(module).said == 1
    assert Path(cache_from_source(str(source))).is_file()


@pytest.mark.exhaustive
def test_torch_without_its_libraries_fails_the_build(tmp_path: Path) -> None:
    """As it comes from an index that isn't PyTorch's own of CPU builds."""
    (tmp_path / "torch.py").write_text("raise OSError('libcudart.so.13: cannot open shared object file')")
    command = [sys.executable, "-m", "app.compiling"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONPYCACHEPREFIX": str(tmp_path)}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "libcudart.so.13" in ended.stderr


@pytest.mark.exhaustive
def test_a_start_compiles_nothing_that_was_compiled(tmp_path: Path) -> None:
    compiled = os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-m", "app.compiling"], cwd=ROOT, env=compiled, check=True)
    code = "import app.serving, app.compute.preload"
    told = compiled | {"PYTHONVERBOSE": "1"}
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=told, capture_output=True, text=True, check=True)
    assert ended.stderr.count(" matches ") > 1500
    assert "bytecode is stale" not in ended.stderr
