"""The blocks of a program, and which tensors a line reads: what the graph is drawn from."""

from typing import Any

from backend.pipeline import run_of
from backend.present.groups import groups_of
from backend.present.steps import steps_of
from tests.support import makemore


def program(source: str, *names: str) -> Any:
    tensor = {"role": "parameter", "shape": [3], "init": "randn"}
    return {"source": source, "tensors": dict.fromkeys(names, tensor)}


def test_a_group_is_a_heading_and_all_the_chunks_below_it() -> None:
    plan = run_of(makemore.LESSON).plan
    groups = groups_of(plan.graph)
    assert [group["name"] for group in groups] == [
        *("Embedding", "Linear layer", "BatchNorm", "Tanh, linear layer", "Softmax and cross-entropy"),
    ]
    assert [name for group in groups for name in group["nodes"]] == [str(c.node.name) for c in plan.graph.chunks]
    its = {node["name"]: node["group"] for node in steps_of(plan).nodes}
    assert (its["bnraw"], its["bngain"]) == ("BatchNorm", None)


def test_chunks_under_one_heading_twice_are_one_group_and_those_under_none_have_none() -> None:
    plan = run_of(program("a = x * 2\n# Sum\nb = a + x\n# Mean\nc = b * b\n# Sum\nloss = c.sum()", "x")).plan
    assert groups_of(plan.graph) == [{"name": "Sum", "nodes": ["b", "loss"]}, {"name": "Mean", "nodes": ["c"]}]


def test_a_loop_and_what_a_blank_line_sets_apart_are_groups_where_no_comment_names_any() -> None:
    plan = run_of(program("h = x\nfor t in range(2):\n    h = h * w\nz = h + x\n\nloss = z.sum()", "x", "w")).plan
    assert groups_of(plan.graph) == [
        {"name": "for t in range(2)", "nodes": ["h@2", "h@3"]},
        {"name": "z", "nodes": ["z"]},
        {"name": "loss", "nodes": ["loss"]},
    ]


def test_a_line_names_what_it_reads_also_by_an_index_or_in_a_step_without_a_name() -> None:
    request = program("h = torch.tanh(x + b)\nz = h[i]\nloss = z.sum()", "x", "b", "unused")
    request["tensors"]["i"] = {"role": "data", "values": [0, 2]}
    reads = {node["name"]: set(node["inputs"]) for node in steps_of(run_of(request).plan).nodes}
    assert reads == {
        "x": set(),
        "b": set(),
        "unused": set(),
        "i": set(),
        "h": {"x", "b"},
        "z": {"h", "i"},
        "loss": {"z"},
    }
