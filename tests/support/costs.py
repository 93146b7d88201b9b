"""What walks cost in counted calls and bytes, which no other work of the machine changes, beside the table of it.

`python -m tests.support.costs` writes the table anew; the commit that does says why a walk has become dearer.
"""

from __future__ import annotations

import gc
import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import backend
from backend.engine.encode import as_json
from backend.engine.execute import plan
from backend.program import runs
from tests.support.programs import request_of

TABLE = Path(__file__).parents[1] / "backend" / "whole" / "costs.toml"
PROGRAMS = ("makemore", "lstm", "ode", "linear-attention", "conv2d-by-slices", "nanogpt-block")
HEAD = """\
# Python calls of a walk whose program is new (`first`), walked once before (`second`: what its lines call is written
# down) and known (`warm`), of the part of its middle step (`step`), and the bytes of both answers. Written by
# `python -m tests.support.costs`; tests/backend/whole/test_cost.py fails where one is dearer by more than a tenth.
# A commit that makes one dearer says why.
"""


def counted(work: Callable[[], bytes]) -> tuple[int, int]:
    """The calls that some work makes, and the bytes of its answer."""
    calls = 0

    def called(_frame: FrameType, event: str, _of: object) -> None:
        nonlocal calls
        calls += event == "call"

    gc.disable()  # what it would end meanwhile is none of this work's
    sys.setprofile(called)
    try:
        answer = work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls, len(answer)


def costs_of(name: str) -> dict[str, int]:
    """A program's costs, as the table has them."""
    walk = request_of(name)
    backend.walk(walk)  # what is made once for all programs
    plan._plans.clear()
    runs._runs.clear()
    first, size = counted(lambda: backend.walk(walk))
    runs._runs.clear()
    second, _ = counted(lambda: backend.walk(walk))
    runs._runs.clear()
    warm, _ = counted(lambda: backend.walk(walk))
    middle = len(json.loads(backend.walk(walk))["steps"]) * 3 // 4
    asked: dict[str, Any] = {"walk": walk, "steps": [middle], "judged": []}
    runs._runs.clear()
    backend.walk(walk)
    step, step_size = counted(lambda: as_json(backend.steps(asked), "typed"))
    return {"first": first, "second": second, "warm": warm, "bytes": size, "step": step, "step_bytes": step_size}


def table() -> dict[str, dict[str, int]]:
    """The table that is kept."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def written(costs: dict[str, dict[str, int]]) -> str:
    """The table as it is kept."""
    rows = (f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in one.items()) for name, one in costs.items())
    return "\n".join([HEAD, *rows])


if __name__ == "__main__":
    TABLE.write_text(written({name: costs_of(name) for name in PROGRAMS}), encoding="utf-8")
    sys.stdout.write(TABLE.read_text(encoding="utf-8"))
