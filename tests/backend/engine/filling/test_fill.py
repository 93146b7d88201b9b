"""Shapes for whole tables that are missing: each program runs with them, and lengths that must agree are one."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import pytest
import torch

import backend
from backend.engine.filling.fill import Filled, Plain, fill
from backend.engine.filling.slots import State
from backend.engine.filling.uses import uses_in
from backend.engine.language.parse import parse
from tests.support.programs import PATHS, load

GRU = """
h = h0
for t in range(4):
    r = torch.sigmoid(x[:, t] @ Wr + h @ Ur + br)
    z = torch.sigmoid(x[:, t] @ Wz + h @ Uz + bz)
    n = torch.tanh(x[:, t] @ Wn + r * (h @ Un) + bn)
    h = (1 - z) * n + z * h
loss = F.cross_entropy(h @ V + c, y)
"""
ATTENTION = """
B, T, C = x.shape
q, k, v = F.linear(x, c_attn_weight, c_attn_bias).split(C, dim=2)
k = k.view(B, T, n_head, C // n_head).transpose(1, 2)
q = q.view(B, T, n_head, C // n_head).transpose(1, 2)
v = v.view(B, T, n_head, C // n_head).transpose(1, 2)
att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
att = F.softmax(att.masked_fill(bias[:, :, :T, :T] == 0, float('-inf')), dim=-1)
y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
loss = F.linear(y, c_proj_weight, c_proj_bias).sum()
"""


def filled(source: str, names: str, constants: Mapping[str, Any] | None = None) -> tuple[Filled, dict[str, list[int]]]:
    """What is proposed for these names, and their shapes."""
    program, known = parse(source), dict(constants or {})
    attempt = Plain(program.statements, program.pasted, known, None, torch.float32)
    sizes = [value for value in known.values() if isinstance(value, int)]
    made = fill(names.split(), attempt, ast.Module(program.statements, []), sizes)
    return made, {name: list(made.state.shape(name)) for name in names.split()}


def test_a_chain_of_products_agrees() -> None:
    """The shape of `w2` follows from that of `w1`, and both from none that is given."""
    made, shapes = filled("h = torch.tanh(x @ w1)\no = h @ w2\nloss = F.mse_loss(o, t)", "x w1 w2 t")
    assert made.refusal is None
    assert shapes["x"][1] == shapes["w1"][0]
    assert shapes["w1"][1] == shapes["w2"][0]
    assert shapes["t"] == [shapes["x"][0], shapes["w2"][1]]
    assert len({*shapes["x"], *shapes["w1"], *shapes["w2"]}) == 4, "lengths that needn't agree tell axes apart"


@pytest.mark.parametrize("line", ["h = torch.tahn(x @ w)", "h = x @ w\nk = torch.tahn(h)", "h = foo(x @ w, 3)"])
def test_a_function_that_is_none_leaves_what_it_is_given_in_shapes_that_fit(line: str) -> None:
    made, shapes = filled(f"{line}\nloss = h.mean()", "x w")
    assert made.refusal is not None
    assert made.refusal.code in ("function-unknown", "function-unlisted")
    assert shapes["x"][1] == shapes["w"][0]


def test_whole_numbers_are_told_from_decimals() -> None:
    source = (
        "emb = C[Xb]\nh = torch.tanh(emb.view(emb.shape[0], -1) @ W1 + b1)\nloss = F.cross_entropy(h @ W2 + b2, Yb)"
    )
    made, shapes = filled(source, "C Xb W1 b1 W2 b2 Yb")
    kinds = {name: slot.kind for name, slot in made.state.slots.items()}
    assert [name for name, kind in kinds.items() if kind == "whole"] == ["Xb", "Yb"]
    assert (shapes["b1"], shapes["b2"]) == ([shapes["W1"][1]], [shapes["W2"][1]])
    assert shapes["Yb"] == shapes["Xb"][:1]


def test_a_recurrent_network_has_square_weights() -> None:
    made, shapes = filled(GRU, "h0 x Wr Ur br Wz Uz bz Wn Un bn V c y")
    assert made.refusal is None
    assert all(shapes[name] == [shapes["h0"][1]] * 2 for name in ("Ur", "Uz", "Un"))


def test_attention_in_heads_takes_lengths_that_can_be_divided() -> None:
    names = "x c_attn_weight c_attn_bias bias c_proj_weight c_proj_bias"
    made, shapes = filled(ATTENTION, names, {"n_head": 2})
    assert made.refusal is None
    width = shapes["x"][2]
    assert width % 2 == 0
    assert shapes["c_attn_weight"] == [3 * width, width]
    assert [made.letters.get(axis) for axis in made.state.slots["x"].axes] == ["B", "T", "C"], (
        "as the program calls them"
    )


def test_what_agrees_is_one_letter() -> None:
    made, _ = filled("h = torch.tanh(x @ w1)\nloss = (h @ w2).sum()", "x w1 w2")
    letters = {name: [made.letters.get(axis) for axis in slot.axes] for name, slot in made.state.slots.items()}
    assert letters["x"][1] == letters["w1"][0]
    assert letters["w1"][1] == letters["w2"][0]


def test_most_programs_run_with_a_table_that_was_proposed(thorough: bool) -> None:
    """Of the kept programs all or one in four, with nothing but their text and numbers."""
    ran = list[bool]()
    for request in map(load, PATHS if thorough else PATHS[::4]):
        tensors = " ".join(request["tensors"])
        program, known = parse(request["source"]), dict(request.get("constants", {}))
        attempt = Plain(program.statements, program.pasted, known, request.get("loss"), torch.float32)
        sizes = [value for value in known.values() if isinstance(value, int)]
        made = fill(tensors.split(), attempt, ast.Module(program.statements, []), sizes)
        ran.append(made.refusal is None)
    assert sum(ran) >= 0.8 * len(ran)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("B, T, C = x.shape", ("axes", 3)),
        ("h = F.cross_entropy(q, x)", ("kind", "whole")),
        ("h = q.gather(1, x.unsqueeze(1))", ("kind", "whole")),
        ("h = q[:, x]", ("kind", "whole")),
        ("h = q.masked_fill(x, 0.0)", ("kind", "mask")),
        ("h = torch.einsum('bqd,bkd->bqk', x, q)", ("axes", 3)),
        ("h = x.permute(0, 2, 3, 1)", ("least", 4)),
        ("h = self.x @ q", ("axes", 2)),
        ("h = q.view(x, -1)", ("number", True)),
    ],
)
def test_a_use_tells_what_a_name_is(line: str, told: tuple[str, object]) -> None:
    use = uses_in(ast.parse(line))["x"]
    assert getattr(use, told[0]) == told[1]


def test_lengths_become_one_and_what_follows_grows_with_them() -> None:
    state = State({}, {}).added("x", "decimals", 2).added("w", "decimals", 2)
    (x, w) = (state.shape(name) for name in "xw")
    (agreed,) = state.agreed(x[1], w[0])
    assert agreed.shape("w")[0] == agreed.shape("x")[1]
    tripled = agreed.resized(agreed.slots["w"].axes[1], 3 * agreed.shape("x")[1])
    larger = tripled.enlarged(tripled.slots["x"].axes[1], 2 * tripled.shape("x")[1])
    assert larger.shape("w")[1] == 3 * larger.shape("x")[1]


def test_it_ends_soon_where_no_table_would_do() -> None:
    source = "\n".join(f"h{i} = x @ w{i} + torch.ones({i + 2}, {i + 3}) @ torch.ones({i + 4}, 5)" for i in range(20))
    made, _ = filled(source + "\nloss = h0.sum()", "x " + " ".join(f"w{i}" for i in range(20)))
    assert made.refusal is not None


@pytest.mark.parametrize(
    "forward",
    ["self.conv(x[:, :, 300:, 300:]).mean()", "self.linear(self.conv(x)[:, :, 300:].flatten(1)).mean()"],
    ids=["under a kernel", "in front of a layer"],
)
def test_a_picture_of_which_nothing_is_left_is_refused_as_what_it_is(forward: str) -> None:
    """Nothing can be so many times as long as no cells."""
    layers = "self.conv, self.linear = nn.Conv2d(3, 4, 3), nn.Linear(400, 4)"
    network = f"class A(nn.Module):\n    def __init__(self):\n        {layers}\n    def forward(self, x):\n"
    with pytest.raises(backend.Refusal) as refused:
        backend.check({"source": f"{network}        return {forward}"})
    assert refused.value.code == "shapes-do-not-fit"


def test_the_public_check_offers_them() -> None:
    tensors = {"x": {"role": "data", "shape": [5, 3], "init": "randn"}}
    with pytest.raises(backend.Refusal) as caught:
        backend.check({"source": "h = x @ w1\nloss = (h @ w2).sum()", "tensors": tensors})
    first, second = caught.value.needs
    assert (first["shape"][0], first["shape"][1]) == (3, second["shape"][0])
    assert all(need["row"] and need["because"] for need in (first, second))
