"""Code as found is walked as what it stands for: with its table, without one, and through every other question."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
import torch

import backend
from backend.engine.filling.slots import State
from backend.engine.filling.solve import Outcome
from backend.engine.language.errors import Refusal
from backend.lowering.supposed import Trials
from backend.pipeline import new_run
from tests.support.pasted import CASES, WELL_KNOWN

MOST_TRIES = 15

LOSS = """
def loss(params, x, y):
    W1, b1, W2, b2 = params
    h = torch.relu(x @ W1 + b1)
    return ((h @ W2 + b2 - y)**2).mean()
"""
LENET = '''
import torch
from torch import nn

class Small(nn.Module):
    """A small classifier."""
    def __init__(self, width=6):
        super().__init__()
        self.fc1 = nn.Linear(12, width)
        self.fc2 = nn.Linear(width, 4)

    def forward(self, x, targets):
        h = torch.relu(self.fc1(x.view(x.size(0), -1)))  # hidden
        print(h.shape)
        return nn.functional.cross_entropy(self.fc2(h), targets)
'''
CELL = """
n = 4
x = torch.randn(n, 3)
w1 = torch.randn(3, 5, requires_grad=True)
h = torch.tanh(x @ w1)
print(f"{h.shape}")
loss = F.mse_loss(h @ w2, t)
w1.grad = None
loss.backward()
"""
PLAIN = "h = torch.tanh(x @ w1)\nloss = F.mse_loss(h @ w2, t)"


def walked(source: str, **more: Any) -> Any:
    return orjson.loads(backend.walk({"source": source, **more}))


@pytest.mark.parametrize("source", [LOSS, LENET, CELL, PLAIN])
@pytest.mark.parametrize("table", [{}, {"tensors": {}}])
def test_it_walks_without_a_table(source: str, table: Any) -> None:
    walk = walked(source, **table)
    assert walk["summary"]["wrong"] == 0
    assert walk["summary"]["gradients"] >= 3
    assert walk["found"]["source"] == walk["forward_source"].rstrip("\n")
    report = backend.check({"source": source, **table})
    assert report["found"] == walk["found"], "a check says the same"


# What is told of shapes by layers, sizes, letters, axes, and comparisons; each with a shape that follows from it.
TOLD = {
    "a picture that fits the layer behind": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.conv = nn.Conv2d(1, 2, 5)\n        self.fc = nn.Linear(2 * 12 * 12, 3)\n"
        "    def forward(self, x):\n        return self.fc(F.max_pool2d(self.conv(x), 2).flatten(1))",
        "x", [1, 28, 28],
    ),
    "rows of a size that is named": (
        "def f(r, x):\n    return F.binary_cross_entropy(r, x.view(-1, 784))", "x", [784],
    ),
    "letters": (
        "def f(u, A):\n    return einsum(u, A, 'b l d_in, d_in n -> b l n')", "u", None,
    ),
    "axes that are summed one after the other": (
        "def f(a, t):\n    return (a * t).sum(dim=2).sum(dim=2).mean()", "a", None,
    ),
    "steps": ("def f(self, x, t):\n    b, *_ = t.shape\n    return self.scale.gather(-1, t).reshape(b, 1) * x", "t", []),
    "a comparison that is no branch": ("def f(e, adj):\n    return torch.where(adj > 0, e, -9.0 * torch.ones_like(e))", "adj", None),
    "a size of the settings": (
        "class Norm(nn.Module):\n    def __init__(self, dim: int):\n        super().__init__()\n"
        "        self.weight = nn.Parameter(torch.ones(dim))\n    def forward(self, x):\n        return x * self.weight",
        "x", None,
    ),
    "a list that is joined": ("def f(xs, w):\n    return torch.tanh(torch.cat(xs, 1) @ w)", "xs_0", None),
    "a square that is viewed as a row": (
        "def forward(self, x):\n    x = x.view(-1, self.channels, self.size * self.size).swapaxes(1, 2)\n"
        "    return self.ln(x)", "x", None,
    ),
    "heads": (
        "def forward(self, q, v):\n    N, T, _ = q.shape\n    v = v.reshape(N, v.shape[1], self.num_heads, self.head_dim)\n"
        "    return v.sum() * q.sum()", "v", None,
    ),
    "heads of which each is asked for by itself": (
        "def forward(self, v, q):\n    n = v.shape[1]\n    v = v.reshape(q.shape[0], n, self.num_heads, self.head_size)\n"
        "    return v.sum() * q.sum()", "v", [5, 8],
    ),
    "places of a picture and one before them": (
        "class Pool(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.places = nn.Parameter(torch.randn(7 * 7 + 1, 3))\n    def forward(self, x):\n"
        "        x = x.flatten(start_dim=2).permute(2, 0, 1)\n        x = torch.cat([x.mean(0, keepdim=True), x])\n"
        "        return x + self.places[:, None, :]", "x", [3, 7, 7],
    ),
    "two that are joined for a layer": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.fc = nn.Linear(6, 2)\n    def forward(self, x, y):\n"
        "        x, y = repeat(x, 'a d -> a b d', b=y.shape[0]), repeat(y, 'b d -> a b d', a=x.shape[0])\n"
        "        return self.fc(torch.cat([x, y], dim=-1))", "y", [3],
    ),
    "labels that are picked by, one for each row": (
        "def f(logits, labels):\n    lp = F.log_softmax(logits, dim=-1)\n"
        "    return -torch.gather(lp, index=labels[:, None], dim=-1).mean()", "labels", [],
    ),
    "tokens that are picked by, one for each place": (
        "def f(logits, tokens):\n    lp = F.log_softmax(logits, dim=-1)\n"
        "    return -torch.gather(lp[:, :-1], -1, tokens[:, 1:, None])[..., 0].mean()", "tokens", [6],
    ),
    "targets that are scattered in place": (
        "def f(self, x, target):\n    dist = x.clone()\n    dist.fill_(self.smoothing / (self.size - 2))\n"
        "    dist.scatter_(1, target.unsqueeze(1), self.confidence)\n    return -(x * dist.detach()).sum()",
        "target", [],
    ),
    "a mask beside what it picks from": (
        "def f(pred, targ):\n    sign = torch.ones_like(pred)\n    sign[targ == 0] = -1\n"
        "    return F.logsigmoid(pred * sign).sum()", "targ", None,
    ),
    "a pattern that names all axes": (
        "def f(self, x):\n    b, *_ = x.shape\n    x = rearrange(x, 'b t c h w -> b h w (t c)')\n    return self.fc(x)",
        "x", None,
    ),
    "a learned token": (
        "def f(self, x):\n    b, n, _ = x.shape\n    cls = repeat(self.cls_token, '1 1 d -> b 1 d', b=b)\n"
        "    return torch.cat((cls, x), dim=1)", "cls_token", None,
    ),
    "a width that divides by the heads": (
        "def f(qkv, n_heads):\n    bs, width, length = qkv.shape\n    assert width % (3 * n_heads) == 0\n"
        "    ch = width // (3 * n_heads)\n"
        "    q, k, v = qkv.reshape(bs * n_heads, ch * 3, length).split(ch, dim=1)\n    return (q * k * v).sum()",
        "qkv", [6, 3],
    ),
    "one row, as it raises for more": (
        "def f(x, w):\n    if x.shape[0] > 1:\n        raise RuntimeError('one row')\n    return (x @ w).sum()",
        "x", None,
    ),
    "a view that a width fills": (
        "def f(self, x):\n    B, T, C = x.shape\n    h = self.proj(x).view(B, T, self.num_heads, self.head_dim)\n"
        "    return torch.tanh(h).transpose(1, 2).transpose(1, 2).reshape(B, T, C)", "x", None,
    ),
    "more than is cut off": (
        "def f(self, x):\n    return torch.cat([x[:, : self.d], torch.exp(x[:, self.d :])], 1)", "x", None,
    ),
    "tokens that are embedded already": (
        "def f(self, sm_tokens, lg_tokens):\n    return sm_tokens[:, :1] * lg_tokens[:, :1], lg_tokens", "sm_tokens", None,
    ),
    "targets alone": ("def f(y, y_true):\n    return ((y - y_true)**2).mean()", "y", None),
    "queries and keys": ("def f(q, k, cos, sin):\n    return (q * cos + k * sin).sum()", "k", None),
}  # fmt: skip


@pytest.mark.parametrize("name", TOLD)
def test_what_the_code_tells_of_shapes_is_read(name: str) -> None:
    source, wanted, tail = TOLD[name]
    walk = walked(source, tensors={})
    assert walk["summary"]["wrong"] == 0
    needs = {need["name"]: need for need in walk["found"]["needs"]}
    assert needs[wanted]["kind"] in ("decimals", "whole")
    assert tail is None or needs[wanted]["shape"][1:] == tail


# What is counted with is a number, though it is first seen beside a tensor or another number.
COUNTED = {
    "def f(w, T):\n    return (w * torch.arange(0, T + 1, dtype=torch.float32) / T).sum()": {"T"},
    "def f(x, Q):\n    scale = 10 / Q\n    m = Q + 1\n    return (x * torch.linspace(0, 1, m) * scale).sum()": {"Q"},
    "def f(x, u, w):\n    k = u * w\n    return (x * torch.linspace(0, 1, 5) * k).sum()": set(),
}


@pytest.mark.parametrize("source", COUNTED)
def test_what_is_counted_with_is_a_number(source: str) -> None:
    needs = walked(source, tensors={})["found"]["needs"]
    assert {need["name"] for need in needs if need["row"].get("shape") is None} == COUNTED[source]


@pytest.mark.parametrize("name", WELL_KNOWN)
def test_well_known_programs_walk_without_a_table(name: str) -> None:
    walk = walked(CASES[name]["source"].strip(), tensors={})
    assert (walk["summary"]["wrong"], walk["summary"]["gradients"] > 0) == (0, True)


class Counted(Trials):
    """Counts how often a text is lowered."""

    tries = 0

    def __call__(self, state: State) -> Outcome:
        self.tries += 1
        return super().__call__(state)


CONVOLUTIONS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d({channels}, 6, 5, padding={padding}), nn.Conv2d(6, 16, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(16 * 5 * 5, 12)
    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        return self.fc1({flat})
"""
LAYER = (
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(784, 5)\n"
)
PICTURES = {
    "LeNet": (CONVOLUTIONS.format(channels=1, padding=2, flat="x.flatten(1)"), (1, 28, 28)),
    "LeNet in colour": (CONVOLUTIONS.format(channels=3, padding=0, flat="x.view(-1, 16 * 5 * 5)"), (3, 32, 32)),
    "a picture unpacked": (
        f"{LAYER}    def forward(self, x):\n        b, c, h, w = x.shape\n        return self.fc(x.view(b, -1))",
        (1, 28, 28),
    ),
    "rows of cells": (f"{LAYER}    def forward(self, x):\n        return self.fc(x.view(-1, 784))", (784,)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_found_from_what_layers_behind_them_count(name: str) -> None:
    source, wanted = PICTURES[name]
    trials = Counted(source, {}, {}, None, torch.float32)
    state = trials.run().state
    assert state.shape("x")[1:] == wanted
    assert trials.tries <= MOST_TRIES


def test_trials_have_one_budget() -> None:
    """A long text is tried less often than a short one, and one that is too long for any shape hardly at all."""
    lines = "".join(f"    x = torch.tanh(x * {n})\n" for n in range(200))
    tries = []
    for text in ("", lines, "    for i in range(10**6):\n        x = x + F.relu(x)\n"):
        trials = Counted(f"def f(x, w):\n{text}    return x.view(3, 5) @ w.view(7, 11)", {}, {}, None, torch.float32)
        with pytest.raises(Refusal):
            trials.run()
        tries.append(trials.tries)
    assert tries[0] > tries[1] > tries[2]
    assert tries[2] <= 2


def test_what_a_weight_begins_with_stands_in_the_table_alone() -> None:
    """A scaling in `__init__` has been done when a table gives the weights: their gradient is not cut off."""
    source = (
        "def scaled(layer):\n    with torch.no_grad():\n"
        "        layer.weight.data *= 0.5 / layer.weight.norm(dim=1, keepdim=True)\n        layer.bias.mul_(0)\n"
        "    return layer\n\n"
        "class Block(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.fc = scaled(nn.Linear(4, 3))\n    def forward(self, x):\n        return torch.tanh(self.fc(x))"
    )
    run = new_run({"source": source, "tensors": {"fc.weight": {"role": "parameter", "shape": [3, 4], "init": "randn"}}})
    given, x, bias = (run.forward.tensors[name] for name in ("fc_weight", "x", "fc_bias"))
    weight = given.clone().requires_grad_()
    torch.tanh(torch.nn.functional.linear(x, weight, bias)).sum().backward()
    assert weight.grad is not None
    assert torch.allclose(run.gradients["dfc_weight"], weight.grad, atol=1e-6)


def test_a_buffer_that_is_drawn_has_no_gradient() -> None:
    source = (
        "class Noisy(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.register_buffer('noise', torch.rand(4))\n    def forward(self, x):\n        return x * self.noise"
    )
    assert walked(source, tensors={})["found"]["lifted"]["noise"]["role"] == "constant"


def test_gradients_are_those_of_the_module_itself() -> None:
    """The class as PyTorch runs it, on the numbers that were walked."""
    run = new_run({"source": LENET, "tensors": {}})
    space: dict[str, Any] = {}
    exec(compile(LENET.replace("print(h.shape)", ""), "small", "exec"), space)  # our own text, run as its author would
    module = space["Small"]()
    tensors = run.forward.tensors
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            parameter.copy_(tensors[name.replace(".", "_")])
    module(tensors["x"], tensors["targets"]).backward()
    for name, parameter in module.named_parameters():
        assert torch.allclose(run.gradients["d" + name.replace(".", "_")], parameter.grad, atol=1e-6), name


@pytest.mark.parametrize("key", ["fc1.weight", "self.fc1.weight", "fc1_weight"])
def test_a_table_knows_a_weight_by_each_of_its_names(key: str) -> None:
    tensors = {key: {"role": "parameter", "shape": [6, 12], "init": "ones"}}
    run = new_run({"source": LENET, "tensors": tensors})
    assert torch.equal(run.forward.tensors["fc1_weight"], torch.ones(6, 12))


def test_what_is_given_takes_the_place_of_what_the_code_draws() -> None:
    given = {"x": {"role": "data", "values": [[1.0, 2.0, 3.0]] * 4}}
    run = new_run({"source": CELL, "tensors": given})
    assert run.forward.tensors["x"].tolist() == [[1.0, 2.0, 3.0]] * 4


def test_what_the_table_lacks_is_supposed_and_said() -> None:
    needs = {need["name"]: need for need in walked(CELL)["found"]["needs"]}
    assert set(needs) == {"w2", "t"}
    assert needs["w2"]["shape"][0] == 5
    assert all(need["because"] and not need["sure"] for need in needs.values())


def test_a_program_in_the_language_is_not_touched() -> None:
    tensors = {name: {"role": "parameter", "shape": [3, 3], "init": "randn"} for name in ("x", "w1", "w2", "t")}
    assert "found" not in walked(PLAIN, tensors=tensors)
    with pytest.raises(Refusal) as caught:  # with a table, a name that it lacks may be a slip
        walked(PLAIN, tensors={"x": tensors["x"]})
    assert caught.value.code == "name-unknown"


def test_what_is_left_as_written_is_refused_in_its_place() -> None:
    line = CELL.split("\n").index('print(f"{h.shape}")') + 1
    with pytest.raises(Refusal) as caught:
        walked(CELL, as_written=[[line, 1]])
    assert (caught.value.code, (caught.value.where or {})["line"]) == ("found-as-written", line)
    assert walked(CELL, as_written=[[line + 1, 1]])["summary"]["wrong"] == 0, "nothing was rewritten there"


def test_every_question_about_it_is_answered(tmp_path: Path) -> None:
    walk = {"source": LENET, "tensors": {}}
    assert backend.practice_tasks({"walk": walk})["tasks"]
    assert backend.cell({"walk": walk, "tensor": "fc1_weight", "which": "gradient", "index": [0, 0]})
    assert backend.program(walk)["request"]["source"] == walked(LENET)["found"]["source"]
    file = tmp_path / "walk.py"
    file.write_text(backend.export(walk, "py")["text"])
    ran = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_all_its_faults_are_told_at_once() -> None:
    source = "def f(x):\n    h = torch.tahn(x)\n    z = x.mena()\n    return h.sum() + z\n"
    with pytest.raises(Refusal) as caught:
        backend.check({"source": source, "tensors": {"x": {"role": "parameter", "shape": [3], "init": "randn"}}})
    found = [(one.code, (one.where or {})["line"]) for one in (caught.value, *caught.value.others)]
    assert found == [("function-unknown", 2), ("function-unknown", 3)]
    assert all(one.fix for one in (caught.value, *caught.value.others))


WIDE = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(3136, 512), nn.Linear(512, 512), nn.Linear(512, 3)
    def forward(self, x):
        return self.c(F.relu(self.b(F.relu(self.a(x)))))
"""


def test_layers_that_are_too_wide_are_made_narrow_together() -> None:
    run = new_run({"source": WIDE, "tensors": {}})
    assert [tuple(run.forward.tensors[f"{one}_weight"].shape) for one in "abc"] == [(16, 3136), (16, 16), (3, 16)]
    assert "512 makes a tensor too large: 16 stands for it in every layer" in {
        note["text"] for note in backend.check({"source": WIDE, "tensors": {}})["found"]["notes"]
    }


def test_a_width_that_fits_nothing_else_stays_too_large() -> None:
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": WIDE.replace("(512, 512)", "(3, 3)").replace("(512, 3)", "(3, 3)"), "tensors": {}})
    assert caught.value.entry == "tensor-too-large"


def test_a_padding_that_is_cut_off_again_decides_the_kernel() -> None:
    source = (
        "class Block(nn.Module):\n    def __init__(self, n, kernel_size, padding):\n        super().__init__()\n"
        "        self.conv, self.padding = nn.Conv1d(n, n, kernel_size, padding=padding), padding\n"
        "    def forward(self, x):\n        return x + self.conv(x)[:, :, :-self.padding]"
    )
    needs = {need["name"]: need["row"]["values"] for need in walked(source, tensors={})["found"]["needs"][:3]}
    assert needs["kernel_size"] == needs["padding"] + 1
