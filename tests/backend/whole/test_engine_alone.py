"""The engine walks with everything else out of reach: no picture, no lesson, no mistake, no page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import backend
from backend.engine.verify.compare import verify
from backend.pipeline import new_run
from tests.support.makemore import LESSON

BACKEND = Path(backend.__file__).parent
REST = sorted(path.stem for path in BACKEND.iterdir() if path.stem not in {"engine", "__init__", "__pycache__"})
# What walks without the package's own front: the front imports everything.
WALK = """
import json, sys, types
from importlib.abc import MetaPathFinder

class Alone(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top, _, rest = name.partition(".")
        if top in ("app", "tests") or top == "backend" and rest.split(".")[0] != "engine":
            raise ImportError(f"{name} is out of reach")

sys.meta_path.insert(0, Alone())
sys.modules["backend"] = package = types.ModuleType("backend")
package.__path__ = [PATH]

import torch
from backend.engine.differentiate.reverse import differentiate
from backend.engine.execute.bound_program import BoundProgram
from backend.engine.execute.plan import plan_of
from backend.engine.execute.session import execute
from backend.engine.language.parse import parse
from backend.engine.trace.axis_names import name_axes
from backend.engine.trace.inputs import Input
from backend.engine.trace.tracer import trace
from backend.engine.verify.compare import verify
from backend.engine.verify.rounding import reasons

given = json.load(sys.stdin)
tensors = {name: torch.tensor(cells) for name, cells in given["tensors"].items()}
inputs = {name: Input(given["roles"][name], tuple(x.shape), x.dtype) for name, x in tensors.items()}
bound = BoundProgram(given["source"], tensors, inputs, given["constants"], given["dims"])
graph = trace(parse(bound.source), bound.inputs, bound.constants, bound.loss, bound.tensors)
name_axes(graph, bound.dims)
run = execute(plan_of(graph, differentiate(graph, bound.exact)), bound)
verdicts = verify(run)
json.dump({name: [verdict.level, reasons(run, verdicts)[name]] for name, verdict in verdicts.items()}, sys.stdout)
"""


def alone(program: dict[str, Any], first: str = "") -> subprocess.CompletedProcess[str]:
    """The walk of a program in a process of its own, in which nothing but the engine can be imported."""
    text = f"PATH = {str(BACKEND)!r}\n" + WALK.replace("import torch\n", f"{first}\nimport torch\n", 1)
    command = [sys.executable, "-c", text]
    return subprocess.run(command, input=json.dumps(program), capture_output=True, text=True, check=False)


def makemore() -> tuple[dict[str, Any], dict[str, str]]:
    """The lesson's program with its tensors, and the verdicts of its walk."""
    run = new_run(LESSON)
    material = run.material
    program = {
        "source": material.source,
        "constants": material.constants,
        "dims": material.dims,
        "tensors": {name: tensor.tolist() for name, tensor in material.tensors.items()},
        "roles": {name: one.role for name, one in material.inputs.items()},
    }
    return program, {name: verdict.level for name, verdict in verify(run).items()}


def test_the_engine_alone_walks_makemore() -> None:
    program, levels = makemore()
    done = alone(program)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {name: level for name, (level, _) in found.items()} == levels
    assert {"exact", "approximate", "zero"} <= {level for level, _ in found.values()}
    assert all(why for _, why in found.values())


@pytest.mark.parametrize("room", REST)
def test_whatever_else_is_imported_is_out_of_reach(room: str) -> None:
    done = alone({}, first=f"import backend.{room}")
    assert done.returncode != 0
    assert f"backend.{room} is out of reach" in done.stderr


def test_there_is_more_than_the_engine() -> None:
    assert {"lines", "program", "present", "pipeline"} <= set(REST)
