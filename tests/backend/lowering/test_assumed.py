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
        "F.linear(x, c_attn_weight, c_attn_bias).split(n_embd, dim=2)",
    ),
    "parts of two sizes": (
        "def forward(self, x):\n    h = self.in_proj(x)\n"
        "    a, b = h.split(split_size=[self.d_inner, self.d_state], dim=-1)\n    return a.sum() * b.sum()",
        "h.split(split_size=[d_inner, d_state], dim=-1)",
    ),
    "an axis of three in front of the heads": (
        "def forward(self, x):\n    B, N, C = x.shape\n    qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, -1)\n"
        "    q, k, v = qkv.unbind(2)\n    return (q * k * v).sum()",
        "F.linear(x, qkv_weight, qkv_bias).reshape(B, N, 3, num_heads, -1)",
    ),
    "a layer of a list": (
        "def forward(self, x):\n    for i in range(2):\n        x = torch.tanh(self.layers[i](x))\n    return x.sum()",
        "F.linear(x, layers_0_weight, layers_0_bias)",
    ),
    "what is imported elsewhere": (
        "def forward(self, x, scale=None):\n    x = l2norm(relu(self.fc(x)))\n    return x * default(scale, sqrt(4))",
        "F.linear(x, fc_weight, fc_bias)",
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


# What is no layer by its use: it returns several tensors, or is given them, or is a function of the code's own.
UNREAD = {
    "def forward(self, x):\n    mu, log_var = self.encode(x)\n    return mu.sum()": "encode",
    "def forward(self, x, y):\n    return self.up1(x, y).sum()": "up1",
    "def forward(self, x, n):\n    return masked_softmax(x, n).sum()": "masked_softmax",
    "def forward(self, x):\n    return project(x).sum()": "project",
    "def forward(self, x):\n    h = project(x)\n    return self.fc(h).sum()": "project",
}


@pytest.mark.parametrize("source", UNREAD)
def test_what_a_name_does_not_tell_is_asked_for(source: str) -> None:
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": source, "tensors": {}})
    assert [(one.code, one.facts["found"]) for one in (caught.value, *caught.value.others)] == [
        ("found-missing", UNREAD[source])
    ]
