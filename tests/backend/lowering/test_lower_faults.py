"""What lowering says: every fault at its place and in order, what was dropped and decided, and where lines come from."""

from __future__ import annotations

import ast
from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.lowering.lower import lower
from backend.program.found import Lowered
from backend.services.check import check

GIVEN = {"x": torch.ones(4, 5), "W": torch.ones(4, 5), "y": torch.tensor([0, 1, 2, 3])}


def lowered(source: str) -> Lowered:
    return lower(source, GIVEN, {})


def faults(source: str) -> list[tuple[Any, ...]]:
    with pytest.raises(Refusal) as caught:
        lowered(source)
    found = [caught.value, *caught.value.others]
    return [(one.code, (one.where or {})["line"], (one.where or {})["text"]) for one in found]


def test_all_faults_are_told_in_the_order_of_the_text() -> None:
    source = """
def forward(x, W):
    a = x @ W
    b = torch.sofmax(x)
    c = a + b
    d = helper_(x)
    return c + d.nosuch()
"""
    assert faults(source) == [
        ("shapes-do-not-fit", 3, "x @ W"),
        ("function-unknown", 4, "torch.sofmax"),
        ("found-missing", 6, "helper_(x)"),
    ]


def test_a_function_that_was_called_is_not_gone_into_again_with_arguments_of_nobody() -> None:
    source = "def g(a):\n    return a.view(3, 5)\ny = g(x)\nloss = y.sum()"
    assert faults(source) == [("reshape-mismatch", 2, "a.view(3, 5)")]


def test_a_fault_inside_the_library_is_told_where_it_was_called() -> None:
    source = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(3, 2)\n"
    source += "    def forward(self, x):\n        return self.fc(x)"
    assert faults(source) == [("shapes-do-not-fit", 6, "self.fc(x)")]


def test_what_raises_an_error_names_its_condition() -> None:
    source = "def f(x, kind='sum'):\n    if kind not in ('mean', 'none'):\n        raise ValueError(kind)\n    return x.mean()"
    with pytest.raises(Refusal) as caught:
        lowered(source)
    assert caught.value.code == "found-raise"
    assert caught.value.message == "The code raises an error here, because `kind not in ('mean', 'none')`."


@pytest.mark.parametrize(
    ("source", "code", "marked"),
    [
        ("def f(x):\n    if x > 0:\n        x = x * 2\n    return x", "found-condition", "x > 0"),
        ("def f(x):\n    raise ValueError('no')", "found-raise", "raise ValueError('no')"),
        ("def f(x):\n    d = {'a': x}\n    return d['b']", "found-key", "d['b']"),
        ("def g(x, W):\n    return x\ndef f(x):\n    return g(x)", "found-arguments", "g(x)"),
        ("def f(x):\n    parts = [x, x * 2]\n    return parts[2]", "axis-missing", "parts[2]"),
        ("import scipy\ndef f(x):\n    return scipy.fft(x) + x", "found-foreign", "scipy.fft(x)"),
        ("def f(x):\n    h = x * 2\n    y = h.detach()\n    y += 1\n    return h.sum()", "found-stale", "h.sum()"),
        (
            "def f(n):\n    return torch.arange(5).sum()",
            "loss-needs-nothing",
            "def f(n):",
        ),
        ("def f(x):\n    for i in 3:\n        x = x * 2\n    return x", "found-loop", "3"),
        ("def f(x):\n    return rearrange(x, 'a b c -> a')", "found-einops", "rearrange(x, 'a b c -> a')"),
    ],
)
def test_a_fault_marks_its_whole_construct(source: str, code: str, marked: str) -> None:
    found = faults(source)
    assert [(one[0], one[2]) for one in found] == [(code, marked)]


def test_a_place_that_a_list_has_not_is_no_axis_of_a_tensor() -> None:
    with pytest.raises(Refusal) as refused:
        lowered("def f(x):\n    parts = [x, x * 2]\n    return parts[2]")
    assert refused.value.message == "There is no place 2 in this list: it has 2."


def test_how_a_tensor_lies_in_memory_is_left_out() -> None:
    source = "def f(x):\n    return x.contiguous(memory_format=torch.contiguous_format).exp().sum()"
    assert "contiguous()" in lowered(source).source


# A loss without a gradient: where the last one on the way to it ends.
CUT = {
    "def f(p, y):\n    return (p.argmax(1) == y).float().mean()": "p.argmax(1)",
    "def f(x, w):\n    with torch.no_grad():\n        return torch.tanh(x @ w).sum()": "torch.tanh(x @ w).sum().detach()",
}


@pytest.mark.parametrize("source", CUT)
def test_a_loss_without_a_gradient_says_where_it_is_cut(source: str) -> None:
    with pytest.raises(Refusal) as refused:
        check({"source": source})
    assert refused.value.entry == "loss-needs-nothing/cut"
    assert refused.value.message.endswith(f"none flows back through `{CUT[source]}`.")


def test_what_is_dropped_and_decided_is_said_at_its_place() -> None:
    program = lowered(
        "def forward(x, W=None):\n"
        "    print(x.shape)\n"
        "    if x.dim() == 2:\n"
        "        h = torch.tanh(x)  # rows\n"
        "    else:\n"
        "        h = x\n"
        "    h = F.dropout(h, 0.5)\n"
        "    return h\n"
    )
    said = {(note.code, note.line) for note in program.notes}
    assert said >= {("dropped", 2), ("branch", 3), ("dropout", 7), ("entry", 1)}
    assert program.source == "h = torch.tanh(x)  # rows\nloss = h.sum()"
    assert isinstance(place := program.places[1], ast.stmt)
    assert place.lineno == 4


def test_names_and_labels_are_the_authors() -> None:
    program = lowered(
        "class Block(nn.Module):\n"
        "    def __init__(self, d=5):\n"
        "        super().__init__()\n"
        "        self.proj = nn.Linear(d, 2, bias=False)\n"
        "    def forward(self, h):\n"
        "        return self.proj(h)\n"
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.blocks = nn.ModuleList([Block() for _ in range(2)])\n"
        "    def forward(self, x):\n"
        "        return sum(block(x).mean() for block in self.blocks)\n"
    )
    assert program.labels == {
        "blocks_0_proj_weight": "blocks.0.proj.weight",
        "blocks_1_proj_weight": "blocks.1.proj.weight",
    }


def test_a_table_gives_weights_by_their_names() -> None:
    source = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc1 = nn.Linear(9, 9)\n"
    source += "    def forward(self, x):\n        return self.fc1(x)"
    given = {"x": torch.ones(4, 5), "fc1_weight": torch.ones(3, 5), "fc1_bias": torch.ones(3)}
    program = lower(source, given, {})
    assert (program.lifted, program.labels["fc1_weight"]) == ({}, "fc1.weight")


def test_dist_without_an_import_is_what_its_calls_say() -> None:
    processes = "def f(x):\n    if dist.is_initialized():\n        dist.all_reduce(x)\n    return x.sum()"
    assert lowered(processes).source == "loss = x.sum()"
    log_prob = "def f(x, mu):\n    return dist.Normal(mu, 1.0).log_prob(x).sum()"
    assert "math.log" in lowered(log_prob).source
