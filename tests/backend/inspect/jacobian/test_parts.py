"""Blocks of Jacobians beside torch's full one: what lies outside of them is zero, and what one is said to be it is."""

from __future__ import annotations

import ast
from typing import Any

import pytest
import torch

import backend
from backend.pipeline import run_of
from backend.program.runs import Run
from tests.support import makemore, torch_reference
from tests.support.asking import array, drawn, program

MEMORY = 4_000_000


def ask(walk: Any, node: str, source: str, cell: list[int], tensor: str | None = None) -> Any:
    return backend.jacobian(
        {"walk": walk, "node": node, "input": source, "cell": cell} | ({"tensor": tensor} if tensor else {})
    )


def full(run: Run, name: str, other: str) -> torch.Tensor:
    """torch's Jacobian of the printed statement, run by Python itself: [*node's axes, *input's axes]."""
    node, source = run.plan.by_name[name], run.plan.by_name[other]
    assigned = [s for s in run.plan.graph.statements if isinstance(s, ast.Assign)]
    statement = next(s for s in assigned if node.variable in ast.unparse(s.targets[0]).split(", "))
    scope = torch_reference.scope({}, run.forward.values)

    def function(tensor: torch.Tensor) -> Any:
        inner = scope | {source.variable: tensor}
        with torch_reference.DefaultDtype(run.material.dtype):
            exec(ast.unparse(statement), inner)
        return inner[node.variable]

    return torch.autograd.functional.jacobian(function, run.forward.tensors[source.variable].clone(), vectorize=True)


def held(walk: Any, name: str, other: str, cell: list[int], along: list[int] | None = None) -> Any:
    """One answer beside torch's full Jacobian: the block is torch's, and off the blocks torch has nothing but zeros."""
    run = run_of(walk)
    walk_node, source = run.plan.by_name[name], run.plan.by_name[other]
    chosen = {} if along is None else {"along": along}
    answer = backend.jacobian({"walk": walk, "node": name, "input": other, "cell": cell} | chosen)
    assert answer["jacobian"] is not None, (name, other)
    whole, count = full(run, name, other), len(walk_node.shape)
    place = tuple(slice(None) if at is None else at for side in ("rows", "columns") for at in answer[side]["fixed"])
    matrix = array(answer["jacobian"])
    assert torch.allclose(matrix, whole[place].reshape(matrix.shape), rtol=1e-5, atol=0), (name, other)
    if answer["apart"]:
        for mine, theirs in answer["along"]:
            entries = whole.movedim((mine, count + theirs), (0, 1))
            off = ~torch.eye(len(entries), dtype=torch.bool)
            assert not entries[off].any(), (name, other, mine, theirs)
    assert answer["agrees"], (name, other)
    assert [source.shape[theirs] for _, theirs in answer["along"]] == [walk_node.shape[a] for a, _ in answer["along"]]
    return answer


def test_every_step_of_makemore_has_a_jacobian_that_can_be_drawn() -> None:
    run, along = run_of(makemore.LESSON), {}
    for name, node in run.plan.by_name.items():
        for other in run.plan.inputs_of.get(name, []):
            source = run.plan.by_name[other]
            if "d" + node.variable not in run.gradients or not source.meta.is_floating_point():
                continue
            if node.meta.numel() * source.meta.numel() > MEMORY:
                continue
            cell = [size - 1 for size in source.shape]
            answer = held(makemore.LESSON, name, other, cell)
            along[name, other] = answer["along"]
            fixed = [at for at in answer["columns"]["fixed"] if at is not None]
            assert fixed == [cell[theirs] for _, theirs in answer["along"]]
    assert len(along) >= 22
    assert along["logits", "W2"] == [[1, 1]]
    assert along["logits", "b2"] == [[1, 0]]
    assert along["bnmeani", "hprebn"] == [[1, 1]]
    assert along["probs", "counts"] == [[0, 0]]


@pytest.mark.parametrize(
    ("name", "other", "ways"),
    [
        ("logits", "W2", [[1, 1]]),
        ("logits", "b2", [[1, 0]]),
        ("h", "hpreact", [[0, 0], [1, 1]]),
        ("probs", "counts", [[0, 0], [1, 1]]),
        ("hpreact", "bngain", [[1, 1]]),
        ("bnmeani", "hprebn", [[1, 1]]),
        ("counts_sum_inv", "counts_sum", [[0, 0]]),
    ],
)
def test_any_axis_along_which_it_falls_apart_can_be_chosen(name: str, other: str, ways: list[list[int]]) -> None:
    source = run_of(makemore.LESSON).plan.by_name[other]
    cell = [size // 2 for size in source.shape]
    assert ask(makemore.LESSON, name, other, cell)["ways"] == ways
    for way in ways:
        answer = held(makemore.LESSON, name, other, cell, way)
        assert (answer["along"], answer["at"], answer["apart"]) == ([way], [cell[way[1]]], True)


@pytest.mark.parametrize("along", [[0, 1], [1, 0], [7, 7], [-1, -1]])
def test_axes_along_which_it_does_not_fall_apart_are_refused(along: list[int]) -> None:
    asked = {"walk": makemore.LESSON, "node": "logits", "input": "h", "cell": [0, 0], "along": along}
    with pytest.raises(backend.Refusal) as refused:
        backend.jacobian(asked)
    assert refused.value.code == "jacobian-along"


def test_the_jacobian_of_one_class_by_its_weights_is_the_hidden_layer() -> None:
    run = run_of(makemore.LESSON)
    answer = ask(makemore.LESSON, "logits", "W2", [0, 5])
    assert answer["itself"] == "h"
    assert array(answer["jacobian"]).equal(run.forward.tensors["h"])
    mean = ask(makemore.LESSON, "bnmeani", "hprebn", [0, 7])
    assert array(mean["jacobian"]).shape == (1, 32)
    assert mean["columns"]["fixed"] == [None, 7]
    gain = ask(makemore.LESSON, "hpreact", "bngain", [3, 11], "hpreact")
    assert gain["itself"] == "bnraw[:, 11]"
    assert array(gain["jacobian"]).flatten().equal(run.forward.tensors["bnraw"][:, 11])


# A line whose whole Jacobian is not drawn, the input, and the axes of its blocks: none where it does not fall apart.
LINES = [
    ("y = x @ w", "w", [[1, 1]]),
    ("y = x @ w + b", "b", [[1, 0]]),
    ("y = x - x.mean(0)", "x", [[1, 1]]),
    ("y = F.softmax(x, 1)", "x", [[0, 0]]),
    ("y = F.softmax(x, 0)", "x", [[1, 1]]),
    ("y = x.T @ c", "x", [[0, 1]]),
    ("y = q @ q.mT.detach()", "q", [[0, 0]]),
    ("y = (q + 0.0).tanh()", "q", [[0, 0]]),
    ("y = q.sum(0)", "q", [[1, 2]]),
    ("y = x.cumsum(0)", "x", [[1, 1]]),
]


@pytest.mark.parametrize(("line", "by", "along"), LINES, ids=[line for line, _, _ in LINES])
def test_blocks_lie_along_any_axis_that_both_share(line: Any, by: Any, along: Any) -> None:
    given = {"x": drawn(12, 24), "w": drawn(24, 24), "b": drawn(24), "c": drawn(12, 30), "q": drawn(9, 5, 8)}
    walk = program(f"{line}\nloss = (y * y).sum()", "float64", **given)
    answer = held(walk, "y", by, [0] * len(run_of(walk).plan.by_name[by].shape))
    assert answer["along"] == along
    assert answer["apart"]
    for way in answer["ways"]:
        assert held(walk, "y", by, [0] * len(run_of(walk).plan.by_name[by].shape), way)["along"] == [way]


@pytest.mark.parametrize("line", ["y = x + 1e-20 * x.sum()", "y = s @ s", "y = x + 1e-20 * x.flip(0).flip(1)"])
def test_the_faintest_entry_beside_the_blocks_is_seen(line: Any) -> None:
    walk = program(f"{line}\nloss = (y * y).sum()", "float64", x=drawn(12, 24), s=drawn(20, 20))
    answer = held(walk, "y", "s" if "s @" in line else "x", [1, 0])
    assert answer["along"] == [[0, 0]]
    assert not answer["apart"]
    assert answer["across"]


def test_several_axes_are_held_where_one_is_not_enough() -> None:
    walk = program("y = q @ k.mT\nloss = y.sum()", q=drawn(3, 2, 60, 40), k=drawn(3, 2, 60, 40))
    answer = ask(walk, "y", "q", [2, 1, 7, 0])
    assert answer["along"] == [[0, 0], [2, 2]]
    assert answer["apart"]
    assert answer["at"] == [2, 7]


@pytest.mark.parametrize(
    ("line", "shapes", "words"),
    [
        ("y = x.mean()", {"x": (300, 400)}, "1 row and 120,000 columns"),
        ("y = x @ w", {"x": (300, 400), "w": (400, 200)}, "300 rows and 400 columns"),
        ("y = v.cumsum(0)", {"v": (300,)}, "300 rows and 300 columns"),
    ],
)
def test_of_what_is_too_large_only_its_size_is_said(line: Any, shapes: Any, words: Any) -> None:
    walk = program(f"{line}\nloss = (y * y).sum()", **{name: drawn(*shape) for name, shape in shapes.items()})
    by = list(shapes)[-1]
    answer = ask(walk, "y", by, [0] * len(shapes[by]))
    assert answer["jacobian"] is None
    assert words in answer["words"]
    assert "fall" not in answer["words"]


def test_a_cell_outside_of_the_tensor_leads_to_the_first_block() -> None:
    walk = makemore.LESSON
    assert ask(walk, "logits", "W2", [900, 900])["at"] == [0]
    assert ask(walk, "logits", "W2", [-1, -1])["at"] == [0]
    assert ask(walk, "logits", "W2", [])["at"] == [0]
