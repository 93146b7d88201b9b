"""Windows into tensors: the right cells, clipped and pooled truly, and runs that are kept to look into."""

from __future__ import annotations

import base64
import itertools
from typing import Any

import numpy as np
import pytest
import torch

import backend
from backend import pipeline
from backend.engine.execute.plan import plan_for
from backend.engine.language.errors import Refusal
from backend.pipeline import run_of
from backend.program import runs
from tests.support import makemore
from tests.support.asking import array

BIG: dict[str, Any] = {
    "source": "y = torch.tanh(x)\nz = y * x\nloss = z.square().mean()",
    "tensors": {"x": {"role": "parameter", "shape": [1024, 1024], "init": "randn", "seed": 1}},
}


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    runs._runs.clear()


def pooled(wire: Any, name: Any) -> Any:
    shape = [int(size) for size in wire["pooled"]["shape"].split(", ")]
    return torch.tensor(np.frombuffer(base64.b64decode(wire["pooled"][name]), np.float32).reshape(shape).copy())


def ask(walk: Any, tensor: Any, window: Any, which: str = "value", step: Any = None) -> Any:
    more = {} if step is None else {"step": step}
    return backend.window({"walk": walk, "tensor": tensor, "which": which, "window": window, **more})


def program(shape: Any, **tensor: Any) -> Any:
    return {
        "source": "y = x * 2\nloss = y.sum()",
        "tensors": {"x": {"role": "parameter", "shape": list(shape), "init": "randn"} | tensor},
    }


def test_a_window_holds_the_tensors_own_cells() -> None:
    h = run_of(makemore.LESSON).forward.tensors["h"]
    answer = ask(makemore.LESSON, "h", [3, 9, 10, 12])
    assert (answer["window"], answer["sheet"]) == ([3, 9, 10, 12], [32, 64])
    assert array(answer["tensor"]).equal(h[3:9, 10:12])


@pytest.mark.parametrize(
    ("window", "clipped"),
    [
        ([0, 32, 0, 64], [0, 32, 0, 64]),
        ([-5, 2, -1, 3], [0, 2, 0, 3]),
        ([30, 99, 60, 2**53], [30, 32, 60, 64]),
        ([-(2**53), 2**53, -(2**53), 2**53], [0, 32, 0, 64]),
        ([31, 32, 63, 64], [31, 32, 63, 64]),
    ],
)
def test_windows_are_clipped(window: Any, clipped: Any) -> None:
    answer = ask(makemore.LESSON, "h", window)
    assert answer["window"] == clipped
    first, end, left, right = clipped
    assert array(answer["tensor"]).equal(run_of(makemore.LESSON).forward.tensors["h"][first:end, left:right])


@pytest.mark.parametrize("window", [[0, 0, 0, 1], [5, 3, 0, 1], [32, 40, 0, 1], [-4, 0, 0, 1], [0, 1, 64, 65]])
def test_a_window_without_cells_is_refused(window: Any) -> None:
    with pytest.raises(Refusal) as refusal:
        ask(makemore.LESSON, "h", window)
    assert refusal.value.code == "window-empty"
    assert "32" in refusal.value.message


@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 4), (2, 3, 4), (1, 2, 1, 3, 2), (2,) * 8])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_tensors_of_any_rank(shape: Any, dtype: Any) -> None:
    walk = program(shape) | {"dtype": dtype}
    x = run_of(walk).forward.tensors["x"]
    sheet = x.reshape(-1, shape[-1]) if shape else x.reshape(1, 1)
    answer = ask(walk, "x", [0, 1000, 0, 1000])
    assert answer["sheet"] == list(sheet.shape)
    assert array(answer["tensor"]).equal(sheet)
    assert array(ask(walk, "x", [0, 1000, 0, 1000], "manual")["tensor"]).equal(torch.full_like(sheet, 2.0))


def test_whole_numbers_and_masks() -> None:
    walk = {
        "source": "m = x > 0\ni = x.long()\nloss = (x * m).sum() + k.sum() * x.sum()",
        "tensors": {"x": {"role": "data", "values": [1.5, -2.5]}, "k": {"role": "target", "values": [3, 4]}},
    }
    assert array(ask(walk, "m", [0, 1, 0, 2])["tensor"]).tolist() == [[1, 0]]
    assert array(ask(walk, "i", [0, 1, 0, 2])["tensor"]).tolist() == [[1, -2]]
    assert array(ask(walk, "k", [0, 1, 1, 2])["tensor"]).tolist() == [[4]]


def test_tensors_without_cells_have_no_window() -> None:
    walk = {
        "source": "y = x[:0]\nloss = x.sum() + y.sum()",
        "tensors": {"x": {"role": "parameter", "values": [1.0, 2.0]}},
    }
    with pytest.raises(Refusal) as refusal:
        ask(walk, "y", [0, 1, 0, 1])
    assert refusal.value.code == "window-empty"


def test_all_that_a_walk_shows_can_be_looked_into() -> None:
    run = run_of(makemore.LESSON)
    everything = [0, 10**6, 0, 10**6]
    for node in run.plan.graph.named:
        name, variable = node.name, node.variable
        if variable not in run.forward.autograd:
            continue
        manual, autograd = run.gradients["d" + variable], run.forward.autograd[variable]
        for which, want in (("manual", manual), ("autograd", autograd), ("difference", manual - autograd)):
            assert array(ask(makemore.LESSON, name, everything, which)["tensor"]).reshape(-1).equal(want.reshape(-1))
    first = run.plan.first_backward
    for number, (line, kept) in enumerate(zip(run.plan.lines, run.contributions, strict=True)):
        if line.inner:
            continue
        for which, want in (("contribution", kept.value), ("accumulated", kept.accumulated)):
            found = ask(makemore.LESSON, line.target.name, everything, which, first + number)["tensor"]
            assert array(found).reshape(-1).equal(want.reshape(-1))


def test_an_alias_is_its_tensor() -> None:
    walk = {
        "source": "a = x * 2\nb = a\nloss = (a * b).sum()",
        "tensors": {"x": {"role": "parameter", "values": [1.0, 2.0]}},
    }
    assert ask(walk, "b", [0, 1, 0, 2]) == ask(walk, "a", [0, 1, 0, 2])
    assert ask(walk, "b", [0, 1, 0, 2], "manual") == ask(walk, "a", [0, 1, 0, 2], "manual")


@pytest.mark.parametrize("window", [[0, 1024, 0, 1024], [3, 500, 7, 1001], [0, 1024, 0, 65], [5, 6, 0, 1024]])
def test_tiles_agree_with_the_windows_cells(window: Any) -> None:
    x = run_of(BIG).forward.tensors["x"]
    first, end, left, right = window
    part = x[first:end, left:right]
    answer = ask(BIG, "x", window)
    assert answer["window"] == window
    wire = answer["tensor"]
    if part.numel() <= 65_536:
        assert array(wire).equal(part)
        return
    assert wire["shape"] == f"{end - first}, {right - left}"
    mean, least, most = (pooled(wire, name) for name in ("mean", "min", "max"))
    assert mean.numel() * 3 <= 65_536
    rows, columns = mean.shape
    assert least.min() == part.min()
    assert most.max() == part.max()
    for row, column in itertools.product((0, rows // 2, rows - 1), (0, columns // 3, columns - 1)):
        block = part[
            -(-row * (end - first) // rows) : -(-(row + 1) * (end - first) // rows),
            -(-column * (right - left) // columns) : -(-(column + 1) * (right - left) // columns),
        ]
        assert torch.allclose(mean[row, column], block.mean(), atol=1e-6)
        assert least[row, column] == block.min()
        assert most[row, column] == block.max()


@pytest.mark.parametrize(
    ("tensor", "which", "step", "code"),
    [
        ("hh", "value", None, "tensor-near"),
        ("xylophone", "value", None, "tensor-unknown"),
        ("Xb", "manual", None, "gradient-none"),
        ("h", "contribution", 0, "step-other"),
        ("h", "contribution", 10**6, "step-other"),
        ("h", "accumulated", -1, "step-other"),
        ("Xb", "accumulated", 30, "gradient-none"),
    ],
)
def test_refusals(tensor: Any, which: Any, step: Any, code: Any) -> None:
    with pytest.raises(Refusal) as refusal:
        ask(makemore.LESSON, tensor, [0, 1, 0, 1], which, step)
    assert refusal.value.code == code


def test_the_steps_of_a_tensor_are_named() -> None:
    with pytest.raises(Refusal) as refusal:
        ask(makemore.LESSON, "logits", [0, 1, 0, 1], "contribution", 3)
    run = run_of(makemore.LESSON)
    first = run.plan.first_backward
    own = [str(first + n) for n, line in enumerate(run.plan.lines) if line.target.name == "logits"]
    assert len(own) == 2
    assert all(step in refusal.value.hint for step in own)


# Runs are kept.
def test_a_large_run_is_kept_and_looked_into_without_another() -> None:
    kept = run_of(BIG)
    for row in range(20):
        ask(BIG, "x", [row, row + 64, 0, 64], "manual")
    assert len(runs._runs) == 1
    assert run_of(BIG) is kept


def test_one_large_run_goes_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = BIG, BIG | {"source": BIG["source"] + "\n"}
    run_of(first)
    present: list[int] = []

    def counting(material: Any, make: Any) -> Any:
        present.append(len(runs._runs))
        return plan_for(material, make)

    monkeypatch.setattr(pipeline, "plan_for", counting)
    run_of(second)
    assert present == [0]
    assert len(runs._runs) == 1


def test_small_runs_are_kept_side_by_side() -> None:
    """As many as a class that walks on seeds of its own."""
    for seed in range(runs.KEPT + 4):
        run_of(makemore.LESSON | {"seed": seed})
    assert len(runs._runs) == runs.KEPT >= 40
    kept = run_of(makemore.LESSON | {"seed": runs.KEPT + 3})
    assert run_of(makemore.LESSON | {"seed": runs.KEPT + 3}) is kept
    assert runs._bytes() < runs.MOST_BYTES


def test_a_run_that_is_too_large_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "LARGEST_BYTES", run_of(makemore.LESSON).bytes)
    run_of(BIG)
    assert [run.material.source for run in runs._runs.values()] == [run_of(makemore.LESSON).material.source]
