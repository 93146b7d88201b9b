"""Where nodes stand in the graph, and which of them stand there at all."""

import itertools
from typing import Any

import pytest

from backend.pipeline import run_of
from backend.present.layout import drawn, lay_out
from backend.present.steps import steps_of
from backend.trace.graph import named_inputs
from tests.support.programs import REQUESTS, request_of


def program(source: str, *names: str) -> Any:
    tensor = {"role": "parameter", "shape": [3], "init": "randn"}
    return {"source": source, "tensors": dict.fromkeys(names, tensor)}


def test_a_tensor_that_no_line_reads_is_not_drawn() -> None:
    plan = run_of(program("h = x * w\nloss = h.sum()", "x", "w", "b", "W2")).plan
    assert [node.name for node in drawn(plan.graph)] == ["x", "w", "h", "loss"]
    placed = {entry["name"]: entry["position"] is not None for entry in steps_of(plan).nodes}
    assert placed == {"x": True, "w": True, "b": False, "W2": False, "h": True, "loss": True}


def test_a_tensor_that_only_an_index_or_an_unnamed_step_reads_is_drawn() -> None:
    request = program("h = torch.tanh(x + b)\nz = h[i]\nloss = z.sum()", "x", "b")
    request["tensors"]["i"] = {"role": "data", "values": [0, 2]}
    assert [node.name for node in drawn(run_of(request).plan.graph)] == ["x", "b", "i", "h", "z", "loss"]


def walked(name: str) -> Any:
    """The plan of a kept program, and where its nodes, edges and groups stand."""
    plan = run_of(request_of(name)).plan
    return plan, lay_out(plan.graph)


def edges_of(box: Any) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    return (
        box["x"] - box["width"] / 2, box["y"] - box["height"] / 2,
        box["x"] + box["width"] / 2, box["y"] + box["height"] / 2,
    )  # fmt: skip


DRAWN = ["makemore", *REQUESTS[1::12]]


@pytest.mark.parametrize("name", DRAWN)
def test_nodes_stand_apart_and_inside_of_the_picture(name: str) -> None:
    _, layout = walked(name)
    boxes = [edges_of(box) for box in layout.nodes.values()]
    for left, top, right, bottom in boxes:
        assert min(left, top, layout.width - right, layout.height - bottom) > -1
    for one, other in itertools.combinations(boxes, 2):
        apart = max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])
        assert apart > -1


@pytest.mark.parametrize("name", DRAWN)
def test_edges_lead_down_from_what_is_read_to_what_reads_it(name: str) -> None:
    plan, layout = walked(name)
    read = {(s.name, c.node.name) for c in plan.graph.chunks for s in named_inputs(c.node)}
    assert {(edge["from"], edge["to"]) for edge in layout.edges} == read
    for edge in layout.edges:
        first, *_, last = edge["path"]
        for (x, y), name in ((first, edge["from"]), (last, edge["to"])):
            left, top, right, bottom = edges_of(layout.nodes[name])
            assert left - 1 <= x <= right + 1
            assert top - 2 <= y <= bottom + 2
        assert first[1] < last[1]


def test_a_group_s_box_is_round_its_nodes() -> None:
    _, layout = walked("makemore")
    assert len(layout.groups) > 3
    for group in layout.groups:
        for name in group["nodes"]:
            left, top, right, bottom = edges_of(layout.nodes[name])
            box = group["box"]
            assert box["x"] < left < right < box["x"] + box["width"]
            assert box["y"] < top < bottom < box["y"] + box["height"]


def test_the_main_path_is_straight() -> None:
    plan, layout = walked("makemore")
    main = {name for edge in layout.edges if edge["main"] for name in (edge["from"], edge["to"])}
    assert plan.graph.loss.name in main
    assert len({round(layout.nodes[name]["x"] / 8) for name in main}) <= 2
