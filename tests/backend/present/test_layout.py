"""Where nodes stand in the graph, and which of them stand there at all."""

from typing import Any

from backend.pipeline import run_of
from backend.present.layout import drawn
from backend.present.steps import steps_of


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
