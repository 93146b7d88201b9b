"""A program whose names or loops are written anew: names that mean one thing, comments and numbers as they were."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

import backend
from tests.support import torch_reference
from tests.support.programs import BY_NAME, mostly, request_of, run_for
from tests.support.solve import problems, solve

X = {"x": {"role": "parameter", "shape": [4, 5], "init": "randn", "seed": 1}}

REBOUND = {
    "a constant as a tensor": ("beta = torch.tensor(beta)\nloss = (x * beta).sum()", {"beta": 0.5}),
    "a constant used before": ("h = x * beta\nbeta = h.mean()\nloss = (x * beta).sum()", {"beta": 0.5}),
    "another number": ("h = x * n\nn = n * 2\nloss = (h * n).sum() / n", {"n": 3}),
    "numbers again and again": ("n = n + 1\nh = x * n\nn = n * 2\nloss = (h * h * n).sum()", {"n": 3}),
    "a loop's number": ("h = x * n\nfor n in range(2):\n    h = h * (n + 1)\nloss = h.sum() * n", {"n": 3}),
    "a number, then a tensor": ("n = n + 1\nn = x.sum() * n\nloss = n * n", {"n": 3}),
    "a tensor, then a number": ("n = x * n\nh = n * 2\nn = 5\nloss = (h * n).sum()", {"n": 3}),
    "two constants": ("a = x.mean() * b\nb = a * b\nloss = (x * a * b).sum()", {"a": 2, "b": 0.25}),
    "a part, and the version of a constant": ("n_2 = x * 2\nn = n_2 * n\nloss = (n * n_2).sum()", {"n": 3}),
    "a gradient called def": ("ef = x * 2\nel = ef * 3\nloss = (ef * el).sum()", {}),
    "a loss that is a second name": ("total = x.sum()\nh = x * 2\nspare = h.mean()\nloss = total", {}),
    "steps called dx": (
        "y = x * 1\nfor i in range(3):\n    dx = y * n\n    y = y + 0.1 * dx\n    dy = dx * y\n    y = y - dy\nloss = y.sum()",
        {"n": 3},
    ),
    "a loss called ef": ("h = x * x\nef = h.sum()", {}),
}


@pytest.mark.parametrize("name", REBOUND)
def test_a_name_that_gets_another_value(name: Any) -> None:
    source, constants = REBOUND[name]
    case = {"source": source, "tensors": X, "constants": constants}
    assert problems(case) == []
    assert problems(case, tolerance=1e-4, dtype="float32") == []
    exported: dict[str, object] = {}
    exec(backend.export(case, "py")["text"], exported)  # it ends the program where a gradient is wrong


def test_a_second_name_of_what_cannot_be_a_loss_ends_no_program() -> None:
    found = solve({"source": "h = x * 2\nloss = (h * h).sum()\ng = h", "tensors": X})
    assert found.graph.loss.name == "loss"


def test_a_constant_given_keeps_its_name_in_the_lines() -> None:
    found = solve({"source": "h = x * n\nn = h.mean()\nloss = (x * n).sum()", "tensors": X, "constants": {"n": 3}})
    assert found.graph.forward_source == "h = x * n\nn_2 = h.mean()\nloss = (x * n_2).sum()"
    assert "dx += n * dh" in found.backward_source


def test_an_input_whose_gradient_would_be_a_word_of_python() -> None:
    with pytest.raises(backend.Refusal) as caught:
        backend.walk({"source": "loss = ef.sum()", "tensors": {"ef": X["x"]}})
    assert (caught.value.code, "`def`" in caught.value.message) == ("name-of-keyword", True)


def test_the_parts_of_a_list_are_counted_once() -> None:
    found = solve(
        {"source": "hs = []\nfor i in range(4):\n    hs.append(x[i] * 2)\nloss = torch.stack(hs).sum()", "tensors": X}
    )
    stored = re.findall(r"^(\w+) =", found.graph.forward_source, re.MULTILINE)
    assert stored == ["hs", "hs_0", "hs_to_0", "hs_1", "hs_to_1", "hs_2", "hs_to_2", "hs_3", "hs_to_3", "loss"]
    assert re.findall(r"^d(hs_\w+) =", found.backward_source, re.MULTILINE) == ["hs_0", "hs_1", "hs_2", "hs_3"]


@pytest.mark.parametrize("name", mostly(BY_NAME))
def test_no_name_ends_in_an_underscore(name: str) -> None:
    plan = run_for(name).plan
    own = {f"{d}{word}" for word in re.findall(r"\w+", request_of(name)["source"]) for d in ("", "d")}
    printed = set(re.findall(r"\b[a-z]\w*_\b", plan.graph.forward_source + plan.backward_source, re.IGNORECASE))
    assert printed - own == set()


COMMENTED = """\
# The whole
h = x * 1e10  # first
for i in range(2):  # turns
    # in the loop
    h = h * 0x10 - -9e15  # once
    h = (h  # a
         + 1_000)  # b
t = 'bhi,bhj->bij'  # no comment: '#'

loss = h.sum()  # the loss
# the end
"""


def test_comments_stay_with_their_statements() -> None:
    found = solve({"source": COMMENTED, "tensors": X})
    assert found.graph.forward_source.split("\n") == [
        "# The whole",
        "h = x * 1e10  # first",
        "# turns",
        "# in the loop",
        "h_2 = h * 0x10 - -9e15  # once",
        "# a",
        "# b",
        "h_3 = h_2 + 1_000",
        "h_4 = h_3 * 0x10 - -9e15",
        "h_5 = h_4 + 1_000",
        "t = 'bhi,bhj->bij'  # no comment: '#'",
        "loss = h_5.sum()  # the loss",
        "# the end",
    ]
    lines = found.graph.forward_source.split("\n")
    assert [lines[chunk.line - 1] for chunk in found.graph.chunks] == [chunk.code for chunk in found.graph.chunks]
    assert [chunk.code.split()[0] for chunk in found.graph.chunks] == ["h", "h_2", "h_3", "h_4", "h_5", "loss"]


@pytest.mark.parametrize("name", mostly(BY_NAME))
def test_no_comment_is_lost(name: str) -> None:
    source, kept = request_of(name)["source"], run_for(name).plan.graph.forward_source
    for comment in re.findall(r"#\s*(.+?)\s*$", source, re.MULTILINE):
        assert kept.count(comment) == source.count(comment)


def test_numbers_are_printed_as_they_were_written() -> None:
    source = "h = x * 1e10 + 0x1F\nh = h.masked_fill(x > 0, -9e15)\nh = h ** 2. * 1_000 / .5\nloss = h.sum() * 1E-4"
    found = solve({"source": source, "tensors": X})
    for text in ("x * 1e10 + 0x1F", "-9e15", "**2.", "1_000", "/ .5", "1E-4"):
        assert text in found.graph.forward_source
    for text in ("1e10", "1_000", "/ .5", "1E-4"):
        assert text in found.backward_source
    assert not re.search(r"10000000000|e15\d|\b1000\b|0\.0001", found.backward_source)


CONVERTED = {
    "x.to(dtype=torch.float32)": "float32",
    "x.to(torch.float64)": "float64",
    "x.to(device=x.device)": "float32",
    "x.to(x.device, torch.float32)": "float32",
    "x.to(x.device, dtype=torch.float32)": "float32",
    "x.to(y)": "float32",
    "x.to(other=y)": None,  # nor does torch
    "(x * 2).to('cpu', torch.float64)": "float64",
    "x.to('cuda')": "float32",
    "(x * 2).to('cuda:0', non_blocking=True)": "float32",
    "(x * 2).to(torch.device_of)": None,
    "x.to('cuda', torch.float32)": "float32",
    "x.cuda()": "float32",
    "(x * 2).cuda().cpu()": "float32",
    "x.cpu()": "float32",
    "x.type_as(y)": "float32",
    "x.contiguous() * 2": "float32",
    "x + torch.zeros(5, device='cuda', dtype=torch.float32)": "float32",
    "x + torch.arange(5, device=x.device)": "float32",
    "x.to(3)": None,
    "x.to('hell')": None,
    "x.to(dtype=torch.float32, out=y)": None,
}


@pytest.mark.parametrize("call", CONVERTED)
def test_conversions_follow_the_run_and_devices_are_left_out(call: Any) -> None:
    case = {
        "source": f"h = {call}\nloss = (h * h).sum()",
        "tensors": X | {"y": {"role": "data", "shape": [2], "init": "rand"}},
    }
    if CONVERTED[call] is None:
        with pytest.raises(backend.Refusal):
            solve(case)
        return
    for dtype in ("float32", "float64"):
        found = solve(case, dtype=dtype)
        assert found.forward.tensors["loss"].dtype is getattr(torch, dtype)
        assert found.gradients["dx"].dtype is getattr(torch, dtype)
        assert "cuda" not in found.graph.forward_source
    after = torch_reference.printed(case, found.graph.forward_source, found.backward_source, torch.float32)
    assert torch.allclose(after["dx"].double(), found.gradients["dx"], rtol=1e-5)


def test_whole_numbers_stay_whole_where_they_are_asked_for() -> None:
    case = {"source": "i = y.to(torch.int64)\nj = (y * 2).to(i)\nloss = x[i].sum() + x[j].mean()", "tensors": X}
    case["tensors"] = X | {"y": {"role": "data", "values": [0.0, 1.0]}}
    assert problems(case) == []


@pytest.mark.parametrize("shape", ["[:1, 0]", "[:1, :1]", "[0, :1].view(1, 1, 1)"])
def test_a_loss_of_one_cell_is_walked(shape: Any) -> None:
    case = {"source": f"h = torch.tanh(x{shape})\no = h * h + 1", "tensors": X}
    assert problems(case) == []
    document = backend.numeric({"walk": case, "node": "*"})
    assert document["agrees"]
    assert backend.cell({"walk": case, "tensor": "x", "which": "gradient", "index": [0, 0]})["sum"] == pytest.approx(
        solve(case).gradients["dx"][0, 0].item(), rel=1e-5
    )
    exec(backend.export(case, "py")["text"], {})
