"""Forward passes without their class: layers are read by their names, and by how what they return is cut."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

import backend
from backend.engine.language.errors import Refusal

READ = {
    "an embedding": ("def forward(self, idx):\n    return self.wte(idx)", "F.embedding(idx, wte_weight)"),
    "queries, keys and values of a size that is named": (
        "def forward(self, x):\n    B, T, C = x.size()\n    q, k, v = self.c_attn(x).split(self.n_embd, dim=2)\n"
        "    q = q.view(B, T, self.n_head, C // self.n_head)\n    return (q.view(B, T, C) * k * v).sum()",
        "c_attn = F.linear(x, c_attn_weight, c_attn_bias)\nq, k, v = c_attn.split(n_embd, dim=2)",
    ),
    "parts of two sizes": (
        "def forward(self, x):\n    h = self.in_proj(x)\n"
        "    a, b = h.split(split_size=[self.d_inner, self.d_state], dim=-1)\n    return a.sum() * b.sum()",
        "h.split(split_size=[d_inner, d_state], dim=-1)",
    ),
    "an axis of three in front of the heads": (
        "def forward(self, x):\n    B, N, C = x.shape\n    qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, -1)\n"
        "    q, k, v = qkv.unbind(2)\n    return (q * k * v).sum()",
        "qkv = qkv_linear.reshape(B, N, 3, num_heads, -1)",
    ),
    "a layer of a list": (
        "def forward(self, x):\n    for i in range(2):\n        x = torch.tanh(self.layers[i](x))\n    return x.sum()",
        "F.linear(x, layers_0_weight, layers_0_bias)",
    ),
    "what is imported elsewhere": (
        "def forward(self, x, scale=None):\n    x = l2norm(relu(self.fc(x)))\n    return x * default(scale, sqrt(4))",
        "F.linear(x, fc_weight, fc_bias)",
    ),
    "heads that a result is viewed as": (
        "def forward(self, x):\n    B, T, _ = x.shape\n    q, k = self.wq(x), self.wk(x)\n"
        "    q = q.view(B, T, self.num_heads, self.d_k)\n    k = k.view(B, T, self.n_kv_heads, 3)\n"
        "    return q.sum() * k.sum()",
        "k.view(B, T, n_kv_heads, 3)",
    ),
    "layers that a list of layers grows by": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.layers = nn.ModuleList()\n        self.layers += [nn.Linear(3, 3), nn.Tanh()]\n"
        "    def forward(self, x):\n        for one in self.layers:\n            x = one(x)\n        return x",
        "torch.tanh(",
    ),
    "a length that a shape has": (
        "def forward(self, x):\n    return self.bn(x.view(-1, self.dim, 1, 1)).view(-1, self.dim)", "x.view(-1, dim, 1, 1)"
    ),
    "what many call so": (
        "def forward(self, x, n):\n    p = masked_softmax(x @ x.transpose(1, 2), n)\n    return (p @ x).sum()",
        "F.softmax(",
    ),
    "functional as nn": ("def D(x, W):\n    return nn.sigmoid(nn.relu(x @ W)).sum()", "F.sigmoid(F.relu(x @ W))"),
    "targets that may be left out": (
        "def forward(self, idx, targets=None):\n    logits = self.head(self.wte(idx))\n"
        "    loss = None if targets is None else F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))\n"
        "    return logits, loss",
        "F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1))",
    ),
    "a decorator of elsewhere, bounds and names with an underscore": (
        "@MyStatic\ndef mix(x, K_):\n    return torch.clamp(torch.relu(x @ K_), min=LOW, max=HIGH).sum()",
        "torch.clamp(torch.relu(x @ K), min=LOW, max=HIGH)",
    ),
    "sizes of a tensor that is empty yet": (
        "class Net(nn.Module):\n    def __init__(self, n, m):\n        super().__init__()\n"
        "        self.b = nn.Parameter(torch.FloatTensor(m))\n        self.W = nn.Parameter(torch.FloatTensor(n, m))\n"
        "    def forward(self, x):\n        return (x @ self.W + self.b).sum()",
        "x @ W + b",
    ),
    "settings that are lists": (
        "class Net(nn.Module):\n    def __init__(self, ins, hidden, outs):\n        super().__init__()\n"
        "        sizes = [ins] + hidden + [outs]\n        n = len(sizes) - 1\n"
        "        self.layers = nn.ModuleList([nn.Linear(sizes[i], sizes[i + 1]) for i in range(n)])\n"
        "        self.last = nn.Linear(hidden[-1], hidden[2])\n    def forward(self, x):\n"
        "        for one in self.layers:\n            x = torch.tanh(one(x))\n        return self.last(x)",
        "F.linear(x_4, layers_3_weight, layers_3_bias)",
    ),
    "a kernel with two sides": (
        "class Net(nn.Module):\n    def __init__(self, channels, kernel_size):\n        super().__init__()\n"
        "        self.conv = nn.Conv2d(channels, channels, kernel_size, padding=(kernel_size[0] // 2, 1))\n"
        "    def forward(self, x, state):\n        h, c = state\n"
        "        return self.conv(torch.cat([x, h], dim=1)).sum() * c.sum()",
        "F.conv2d(input, conv_weight, conv_bias, 1, (kernel_size_0 // 2, 1))",
    ),
    "a layer that an object is made with": (
        "class Twins(nn.Module):\n    def __init__(self, net):\n        super().__init__()\n        self.net = net\n"
        "    def forward(self, a, b):\n        return (self.net(a) - self.net(b)).pow(2).sum()",
        "F.linear(b, net_weight, net_bias)",
    ),
    "what must be given by name": (
        "def mix(x, *, scale, shift=None):\n    return (x * scale if shift is None else x * scale + shift).sum()",
        "(x * scale).sum()",
    ),
    "a length that is reckoned": (
        "def forward(x):\n    n = torch.prod(torch.tensor(x.shape[1:])).item()\n    return (x.view(-1, n) ** 2).sum()",
        "x.view(-1, ",
    ),
    "layers by names that are put together": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        for i in range(2):\n"
        "            setattr(self, 'conv{}_{}'.format(i, 'a'), nn.Linear(3, 3))\n    def forward(self, x):\n"
        "        for i in range(2):\n            x = getattr(self, 'conv{}_a'.format(i))(x)\n        return x.sum()",
        "F.linear(x_2, conv1_a_weight, conv1_a_bias)",
    ),
    "a function that a function makes": (
        "def make_loss(scale: float):\n    def loss_fn(a, b):\n        return (scale * (a - b) ** 2).mean()\n"
        "    return loss_fn",
        "(scale * (a - b)**2).mean()",
    ),
    "what is raised where nothing decides": (
        "def forward(self, x):\n    if not is_ready(x):\n        raise TypeError('no')\n"
        "    if self.mode == 'x' and other.flag:\n        raise ValueError\n    return self.fc(x)",
        "F.linear(x, fc_weight, fc_bias)",
    ),
    "an argument without which nothing goes": (
        "def drop(x, p):\n    return x / (1 - p)\n\nclass Net(nn.Module):\n"
        "    def __init__(self, norm=None, p=None, act=None):\n        super().__init__()\n"
        "        self.norm, self.p, self.act = norm, p, act\n    def forward(self, x):\n"
        "        x = x if self.act is None else self.act(x)\n        return drop(self.norm(x), self.p).sum()",
        "norm / (1 - p)",
    ),
    "settings that are asked for one after the other": (
        "class Head(nn.Module):\n    def __init__(self, config):\n        super().__init__()\n"
        "        if hasattr(config, 'hidden_size'):\n            size = config.hidden_size\n        else:\n"
        "            raise ValueError('no size')\n        self.fc = nn.Linear(size, 1)\n    def forward(self, x):\n"
        "        return self.fc(x)",
        "F.linear(x, fc_weight, fc_bias)",
    ),
    "layers that go by the names of arguments": (
        "def forward(self, values, keys):\n    n = values.shape[0] + keys.shape[0]\n"
        "    return self.values(values).sum() * self.keys(keys).sum() / n",
        "F.linear(values, values_weight, values_bias)",
    ),
    "layers that are called by number and in turn": (
        "def forward(self, x):\n    for p in range(len(self.attn)):\n        x = self.attn[p](x)\n"
        "    for i, layer in enumerate(self.model):\n        x = torch.tanh(layer(x))\n    return x.sum()",
        "F.linear(x_2, attn_1_weight, attn_1_bias)",
    ),
    "an object that looked like a tensor": (
        "class Actor(nn.Module):\n    def __init__(self, env):\n        super().__init__()\n"
        "        self.fc = nn.Linear(3, np.prod(env.space.shape))\n"
        "        self.register_buffer('scale', torch.tensor((env.space.high - env.space.low) / 2.0))\n"
        "    def forward(self, x):\n        return torch.tanh(self.fc(x)) * self.scale",
        "torch.tanh(fc) * scale",
    ),
    "numbers that are drawn": (
        "def forward(self, x):\n    for _ in range(random.randint(0, 3)):\n        x = torch.tanh(self.fc(x))\n"
        "    return x.sum() * random.uniform(1, 2) * random.choice([3, 4])",
        "x_3.sum() * 1.5 * 3",
    ),
    "cells that a function of elsewhere fills": (
        "def forward(self, x):\n    z = torch.zeros_like(x)\n    for i in range(2):\n"
        "        z[:, i], part = spline(x[:, i], self.w)\n        z = z * part.sum()\n    return (z * x).sum()",
        "spline_0",
    ),
    "layers that are set up by a helper": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a = layer_init(nn.Linear(3, 4), std=0.1)\n"
        "        self.b = init(nn.Linear(4, 2), nn.init.orthogonal_, lambda b: nn.init.constant_(b, 0))\n"
        "    def forward(self, x):\n        return self.b(self.a(x)).sum()",
        "F.linear(x, a_weight, a_bias)",
    ),
    "a layer without its module": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.act = GELU()\n    def forward(self, x):\n        return self.act(x).sum()",
        "F.gelu(x)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_is_not_in_the_code_is_read_by_its_name(name: str) -> None:
    source, line = READ[name]
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": {}}))
    assert walk["summary"]["wrong"] == 0
    assert line in walk["found"]["source"]


RETURNED = {
    "two tensors": (
        "def forward(self, x, y):\n    mu, log_var = self.encode(x)\n    return ((mu - y) ** 2 / log_var.exp()).sum()",
        {"encode_mu": "data", "encode_log_var": "data"},
    ),
    "one, by its name": (
        "def forward(self, x):\n    h = project(x)\n    return (self.fc(h) * h).sum()", {"project_h": "data"},
    ),
    "another each time": (
        "def forward(self, x, m):\n    for layer in self.layers:\n        x = x + layer(x, m)\n    return (x * x).sum()",
        {"layers_0": "data", "layers_1": "data"},
    ),
    "a mask": (
        "def forward(self, x, n):\n    mask = get_mask(n, 3)\n    return x.masked_fill(mask == 0, 0.0).sum()",
        {"get_mask_mask": "constant"},
    ),
    "what is called as weights are": (
        "def forward(self, x, y):\n    weight, h = self.encode(x)\n    bias = self.relative(y, 3)\n"
        "    return (weight * h * y + bias).sum()",
        {"encode_weight": "data", "encode_h": "data", "relative_bias": "data"},
    ),
    "of what is called as weights are": (
        "def forward(self, x, n):\n    mask = get_bias(n, 3)\n    return (x * mask).sum()", {"get_bias_mask": "constant"},
    ),
    "what an object of a class that is elsewhere returns": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.blocks = nn.ModuleList([Block(4) for _ in range(2)])\n    def forward(self, x):\n"
        "        for one in self.blocks:\n            x = x * one(x)\n        return x",
        {"Block_one_2": "data", "Block_one_3_2": "data"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RETURNED)
def test_what_a_function_of_elsewhere_returns_is_given_by_the_table(name: str) -> None:
    source, roles = RETURNED[name]
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": {}}))
    made = {need["name"]: need for need in walk["found"]["needs"] if "returns" in need["because"]}
    assert walk["summary"]["wrong"] == 0
    assert {one: need["row"]["role"] for one, need in made.items()} == roles
    assert any(
        "no gradient flows back" in note["text"] or "held fixed" in note["text"] for note in walk["found"]["notes"]
    )


@pytest.mark.parametrize("name", RETURNED)
def test_a_table_that_was_filled_is_taken_back(name: str) -> None:
    source, _ = RETURNED[name]
    needs = backend.check({"source": source, "tensors": {}})["found"]["needs"]
    rows = {need["name"]: need["row"] for need in needs if need["kind"] != "number"}
    numbers = {need["name"]: need["row"]["values"] for need in needs if need["row"] and need["kind"] == "number"}
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": rows, "constants": numbers}))
    assert walk["summary"]["wrong"] == 0


HELD = {
    "it counts otherwise": (
        "def forward(self, x, y):\n    h = self.fc(x)\n    g = project(h, y)\n    return (h * g).sum()",
        "held fixed. The gradients of `x`, `fc_weight` and `fc_bias` leave out what would flow back through it",
    ),
    "one of two": (
        "def loss(a, b):\n    c = cdf(torch.exp(a))\n    return (c * b + torch.exp(a)).sum()",
        "held fixed. The gradient of `a` leaves out what would flow back through it",
    ),
    "it counts nowhere else": (
        "def loss(a, b):\n    c = cdf(torch.exp(a))\n    return (c * b).sum()", "and no gradient flows back through it",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
def test_whose_gradients_are_not_whole_is_said_at_the_place(name: str) -> None:
    source, told = HELD[name]
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": {}}))
    notes = [note for note in walk["found"]["notes"] if note["code"] in ("held", "returned")]
    assert [told in note["text"] for note in notes] == [True]
    assert source.split("\n")[notes[0]["line"] - 1].count("(") > 0


# What is asked of code that has no tensor at its end, and of functions with a backward pass of their own.
ENDS = {
    "def forward(ctx, x):\n    ctx.save_for_backward(x)\n    return None": "found-autograd",
    "@staticmethod\ndef forward(ctx, x):\n    return ctx.needs_input_grad": "found-autograd",
    "class Net(nn.Module):\n    def forward(self, x):\n        return ...": "no-tensor-assigned/found",
    "m = nn.LSTM(2, 2, num_layers=9)\ny, _ = m(x.expand(90000, 2, 2))": "found-too-long",
}


@pytest.mark.parametrize("source", ENDS)
def test_what_is_refused_has_a_hint_of_its_own(source: str) -> None:
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": source, "tensors": {}})
    assert caught.value.entry == ENDS[source]
    assert caught.value.where is not None


def test_a_line_that_shows_something_is_left_out() -> None:
    source = "def forward(self, x):\n    y = self.fc(x)\n    plot_values(x, y)\n    cmp('y', y)\n    return y.sum()"
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": {}}))
    assert {need["name"] for need in walk["found"]["needs"]} == {"x", "fc_width"}


# What nothing is left of to walk, and what may change what it is given.
UNREAD = {
    "def forward(self, x):\n    mu, log_var = self.encode(x)\n    return mu.sum()": "encode",
    "def forward(self, x, y):\n    return self.up1(x, y).sum()": "up1",
    "def forward(self, x, n):\n    return weighed(x, n).sum()": "weighed",
    "def forward(self, x):\n    return project(x).sum()": "project",
    "def forward(self, x):\n    loss = self.loss_of(x, 2)\n    return loss, self.predict(x, 2)": "loss_of",
    "def forward(self, x):\n    apply_(x)\n    return self.fc(x).sum()": "apply_",
}


@pytest.mark.parametrize("source", UNREAD)
def test_what_a_name_does_not_tell_is_asked_for(source: str) -> None:
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": source, "tensors": {}})
    assert [(one.code, one.facts["found"]) for one in (caught.value, *caught.value.others)] == [
        ("found-missing", UNREAD[source])
    ]


# What is to be pasted, by how it is called, and what is marked: the call.
TO_PASTE = {
    "def forward(self, x):\n    return project(x).sum()": ("found-missing/function", "project(x)", "def project"),
    "def f(x):\n    return Head(3)(x).sum()": ("found-missing/class", "Head(3)(x)", "class Head"),
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.out = OutConv(3, 2)\n"
    "    def forward(self, x):\n        return self.out(x)": ("found-missing/class", "self.out(x)", "class OutConv"),
    "def forward(self, x, y):\n    return self.up1(x, y).sum()": ("found-missing/own", "self.up1(x, y)", "whole class"),
    "def forward(self, x):\n    for one in self.parts:\n        x = one(x, 2)\n    return x": (
        "found-missing", "one(x, 2)", "its lines or its class",
    ),
}  # fmt: skip


@pytest.mark.parametrize("source", TO_PASTE)
def test_what_is_to_be_pasted_is_named_where_it_is_called(source: str) -> None:
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": source, "tensors": {}})
    entry, marked, pasted = TO_PASTE[source]
    assert (caught.value.entry, (caught.value.where or {})["text"]) == (entry, marked)
    assert pasted in caught.value.hint


# Names that are written as constants, and the numbers that they are taken for.
CONSTANTS = {
    "def f(x, w):\n    return ((x @ w) / TEMPERATURE + EPS).pow(2).mean()": {"TEMPERATURE": 0.1, "EPS": 1e-5},
    "def f(x, w):\n    return torch.clamp(x @ w, LOG_MIN, LOG_MAX).sum()": {"LOG_MIN": -2.0, "LOG_MAX": 2.0},
    "def f(mu):\n    return (mu * mu).sum() * KL_WEIGHT": {"KL_WEIGHT": 0.1},
    "def f(x):\n    return x.view(-1, NUM_CLASSES).pow(2).sum()": {"NUM_CLASSES": 8},
    "def f(x):\n    return (x @ QKV).sum() + (x - MEAN).pow(2).sum()": {"MEAN": 0.5},  # a matrix stays one
}


@pytest.mark.parametrize("source", CONSTANTS)
def test_a_name_in_capitals_is_a_number_unless_its_use_says_otherwise(source: str) -> None:
    walk = orjson.loads(backend.walk({"source": source}))
    numbers = {need["name"]: need["row"]["values"] for need in walk["found"]["needs"] if need["kind"] == "number"}
    assert (walk["summary"]["wrong"], numbers) == (0, CONSTANTS[source])


ROTARY = """
def precompute(dim, end):
    freqs = 1.0 / (10000.0 ** (torch.arange(0, dim, 2).float() / dim))
    freqs = torch.outer(torch.arange(end), freqs).float()
    return torch.polar(torch.ones_like(freqs), freqs)
"""
# What walks by itself, and the tensors that get a gradient in it.
ALONE = {
    "def step(self, batch):\n    out = self.net(batch['x'])\n    return F.mse_loss(out['logits'], batch['y'])": {
        "net_out_logits",
    },
    "def f(model, inputs):\n    labels = inputs.pop('labels')\n    out = model(**inputs)\n"
    "    return F.cross_entropy(out.get('logits').view(-1, 7), labels.view(-1))": {"model_out_logits"},
    ROTARY: {"freqs_2"},
    "class Encoder(nn.Module):\n    def __init__(self, layer):\n        super().__init__()\n"
    "        self.norm = nn.LayerNorm(layer.size)\n    def forward(self, x):\n        return self.norm(x)": {
        "x", "norm_weight", "norm_bias",
    },
}  # fmt: skip


@pytest.mark.parametrize("source", ALONE)
def test_dictionaries_tables_of_angles_and_sizes_of_what_is_missing_walk(source: str) -> None:
    walk = orjson.loads(backend.walk({"source": source}))
    inputs = {node["variable"] for node in walk["nodes"] if node["gradient"]} & {
        *walk["found"]["lifted"], *(need["name"] for need in walk["found"]["needs"]),
    }  # fmt: skip
    assert walk["summary"]["wrong"] == 0
    assert ALONE[source] <= inputs
