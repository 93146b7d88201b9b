"""A nudge carried forwards by forward mode ends at the loss as the gradient that the backward lines have made."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from backend.engine.execute.run import values_of
from backend.engine.language.errors import Refusal
from backend.inspect.tangents import tangents, tangents_of
from backend.pipeline import run_of
from backend.program.lessons import SHELF
from tests.support import makemore
from tests.support.programs import request_of

CELLS = 40
# Of the chapters' programs, those that are tried each day, and how many cells of each.
DAILY = {"first-steps", "broadcasting", "softmax-cross-entropy.batch"}
OF_CHAPTERS = 4
PROGRAMS = [
    *({"lesson": name} for name in ("makemore-mlp", "relu-classifier", "recurrent", "attention", "layernorm")),
    *(request_of(name) for name in ("gru", "conv1d", "soft-dtw", "causal-multihead", "crf")),
]


def cells(run: Any, count: int) -> list[tuple[Any, tuple[int, ...]]]:
    """Cells drawn from every tensor of decimals, given and computed, in turn."""
    generator = torch.Generator().manual_seed(26)
    nodes = [node for node in run.plan.graph.named if node.needs and 0 not in node.shape]
    picked = [nodes[i % len(nodes)] for i in torch.randperm(len(nodes), generator=generator).tolist()][:count]
    return [(node, tuple(int(torch.randint(size, (), generator=generator)) for size in node.shape)) for node in picked]


def of_chapters() -> Iterator[Any]:
    """Every program that a chapter's figures show."""
    for chapter in SHELF.chapters.values():
        for program in chapter.programs:
            lesson = f"{chapter.name}.{program}" if program else chapter.name
            yield lesson if lesson in DAILY else pytest.param(lesson, marks=pytest.mark.exhaustive)


@pytest.mark.parametrize("lesson", [*of_chapters()])
def test_in_a_chapter_the_last_wobble_is_the_gradient(lesson: str) -> None:
    assert_last_wobble_is_gradient({"lesson": lesson}, OF_CHAPTERS)


@pytest.mark.parametrize("request_", PROGRAMS, ids=lambda request: request.get("lesson", "kept"))
def test_the_last_wobble_is_the_gradient(request_: dict[str, Any]) -> None:
    """Four cells of each of ten programs."""
    assert_last_wobble_is_gradient(request_, CELLS // len(PROGRAMS))


def assert_last_wobble_is_gradient(request_: dict[str, Any], count: int) -> None:
    """To 1e-6 of the loss's own gradient, which is 1."""
    run = run_of(request_)
    found = cells(run, count)
    assert found
    for node, index in found:
        answer = tangents({"walk": request_, "tensor": node.name, "index": list(index)})
        shown = run.gradients.get("d" + node.variable)
        gradient = 0.0 if shown is None else float(shown[index])
        size = 1.0 if shown is None else max(1.0, float(shown.nan_to_num().abs().max()))
        told = None if shown is None else pytest.approx(gradient, abs=0, nan_ok=True)
        assert (answer["gradient"] and float(answer["gradient"])) == told
        if math.isfinite(gradient):  # what has met a root of zero on its way back may have a slope nevertheless
            assert answer["slope"] == pytest.approx(gradient, abs=1e-6 * size), (node.name, index)


def test_every_tensor_between_moves_as_far_as_central_differences_say() -> None:
    run = run_of(makemore.LESSON)
    node, index = run.plan.by_name["W1"], (2, 5)
    moved = tangents_of(run, node, index)
    assert [one.name for one in moved][:3] == ["W1", "hprebn", "bnmeani"]
    step = 1e-6

    def at(by: float) -> Any:
        tensors = {name: one.double() if one.is_floating_point() else one for name, one in run.material.tensors.items()}
        tensors["W1"] = tensors["W1"].clone()
        tensors["W1"][index] += by
        return values_of(run.plan.graph, tensors, torch.float64)

    above, below = at(step), at(-step)
    for one, tangent in moved.items():
        quotient = (above[one.variable] - below[one.variable]) / (2 * step)
        assert torch.allclose(tangent, quotient, atol=1e-6 * max(1.0, float(quotient.abs().max()))), one.name
    still = {str(one.name) for one in run.plan.graph.named} - {str(one.name) for one in moved}
    assert {"emb", "embcat", "C", "b1", "W2", "Yb"} <= still


def test_probabilities_move_as_far_as_central_differences_say() -> None:
    run = run_of(makemore.LESSON)
    chances: Any = tangents({"walk": makemore.LESSON, "tensor": "bngain", "index": [0, 7]})["chances"]
    row, step = chances["row"], 1e-6
    assert run.material.labels["example"][row].partition(" → ")[2] == run.material.labels["class"][chances["target"]]

    def at(by: float) -> Any:
        tensors = {name: one.double() if one.is_floating_point() else one for name, one in run.material.tensors.items()}
        tensors["bngain"] = tensors["bngain"].clone()
        tensors["bngain"][0, 7] += by
        probs: Any = values_of(run.plan.graph, tensors, torch.float64)["probs"]
        return probs[row]

    assert chances["shares"] == pytest.approx(at(0.0).tolist(), abs=1e-6)
    assert chances["moves"] == pytest.approx(((at(step) - at(-step)) / (2 * step)).tolist(), abs=1e-7)
    assert sum(chances["moves"]) == pytest.approx(0, abs=1e-12)
    assert max(map(abs, chances["moves"])) > 1e-5


@pytest.mark.parametrize("tensor", ["counts", "loss"])
def test_behind_the_scores_no_probability_is_told_of(tensor: str) -> None:
    index = [0, 0] if tensor == "counts" else []
    assert tangents({"walk": makemore.LESSON, "tensor": tensor, "index": index})["chances"] is None


def small(source: str, **over: Any) -> dict[str, Any]:
    tensor = {"role": "parameter", "values": [1.0, -2.0, 3.0]}
    return {"source": source, "tensors": {"w": tensor, "x": tensor | {"role": "data"}}, **over}


def test_a_cell_without_a_path_stands_still_and_detach_cuts() -> None:
    request = small("a = w * x\nb = a.detach() * 2\nc = torch.relu(w)\nloss = c.sum() + b.sum() * 0 + b.mean()")
    answer = tangents({"walk": request, "tensor": "w", "index": [0]})
    assert list(answer["moved"]) == ["w", "a", "c", "loss"]
    assert answer["slope"] == 1.0
    flat = tangents({"walk": request, "tensor": "w", "index": [1]})
    assert (list(flat["moved"]), flat["slope"], flat["gradient"]) == (["w", "a"], 0.0, 0.0)
    beyond = tangents({"walk": request, "tensor": "b", "index": [0]})
    assert beyond["slope"] == pytest.approx(1 / 3)
    assert beyond["gradient"] is None


def test_an_infinite_slope_elsewhere_is_no_move() -> None:
    """Of a row of zeros the length has an infinite slope; who moves another row doesn't multiply it by nothing."""
    request = small("h = x * w\nlength = (h**2).sqrt()\nloss = length.sum()")
    request["tensors"]["x"] = {"role": "data", "values": [0.0, 1.0, 2.0]}
    answer = tangents({"walk": request, "tensor": "w", "index": [2]})
    assert (answer["moved"]["length"], answer["slope"]) == (2.0, 2.0)
    through = tangents({"walk": request, "tensor": "h", "index": [0]})
    assert (through["slope"], through["gradient"]) == ("NaN", "NaN")


def test_only_cells_that_depend_on_it_move() -> None:
    request = small("h = w * x\nloss = h.sum()")
    run = run_of(request)
    moved = tangents_of(run, run.plan.by_name["w"], (2,))
    assert moved[run.plan.by_name["h"]].tolist() == [0.0, 0.0, 3.0]
    assert tangents({"walk": request, "tensor": "w", "index": [2]})["moved"] == {"w": 1.0, "h": 3.0, "loss": 3.0}


@pytest.mark.parametrize(
    ("tensor", "index", "code"),
    [("w", [3], "cell-outside"), ("w", [], "cell-outside"), ("v", [0], "tensor-unknown"), ("k", [0], "nudge-whole")],
)
def test_what_is_not_there_or_whole_is_refused(tensor: str, index: list[int], code: str) -> None:
    request = small("h = w * x + k\nloss = h.sum()")
    request["tensors"]["k"] = {"role": "data", "values": [0, 1, 2]}
    with pytest.raises(Refusal) as refused:
        tangents({"walk": request, "tensor": tensor, "index": index})
    assert refused.value.code == code
