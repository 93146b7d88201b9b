"""What a notebook's kernel answers to the page in a cell."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from IPython.core.interactiveshell import InteractiveShell

import gradwalk
from gradwalk.notebook import answer


def walk_of_five() -> gradwalk.Walk:
    torch.manual_seed(0)
    return gradwalk.walk(lambda x, w: F.silu(x @ w).sum(), torch.randn(3, 2), torch.randn(2, 4))


def told(walk: gradwalk.Walk, path: str, **question: Any) -> tuple[int, Any]:
    status, text = answer(walk.material, path, json.dumps({"walk": {"lesson": "own"}, **question}))
    return status, json.loads(text)


def test_the_kernel_nudges_each_cell_and_runs_the_walk_with_another_number() -> None:
    walk = walk_of_five()
    status, nudged = told(walk, "/api/numeric", node="w", mode="cells", cells=[[1, 3]])
    assert status == 200
    slope = float(walk.gradients["w"][1, 3])
    assert nudged["cells"][0]["numeric"] == pytest.approx(slope, rel=1e-5)
    status, curve = told(walk, "/api/curve", tensor="w", index=[1, 3])
    assert status == 200
    assert curve["loss"] == pytest.approx(walk.loss)


def test_a_question_that_is_refused_or_unknown_is_told_in_the_one_shape() -> None:
    walk = walk_of_five()
    status, refused = told(walk, "/api/numeric", node="nothing")
    assert (status, set(refused["error"])) == (422, {"code", "message", "hint"})
    assert told(walk, "/api/training")[0] == 404
    assert answer(walk.material, "/api/starts", None)[0] == 404


def test_the_cell_that_is_run_shows_the_walk_and_a_terminal_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    shell: Any = InteractiveShell.instance()
    try:
        shell.user_ns["walk"] = walk = walk_of_five()
        shell.run_cell("walk")
    finally:
        InteractiveShell.clear_instance()
    assert repr(walk) in capsys.readouterr().out
