"""The shapes that are guessed of what was pasted, as its author means them."""

import orjson
import pytest

import backend

SHAPED: dict[str, tuple[str, dict[str, list[int]]]] = {
    "a bias has one number a column": ("h = x @ W1 + b1\nloss = (gain * h).sum()", {"b1": [6], "gain": [6]}),
    "one class for each row": (
        "def loss(params, x, y):\n    W, b = params\n    scores = x.mm(W) + b\n"
        "    return -F.log_softmax(scores, 1)[torch.arange(len(y)), y].mean()", {"x": [4, 8], "y": [4]},
    ),
    "rows that are laid side by side": (
        "emb = C[Xb]\nh = emb.view(emb.shape[0], -1) @ W1\nloss = h.sum()", {"Xb": [4, 5], "W1": [30, 3]},
    ),
    "a text as long as a mask has room for": (
        "class M(nn.Module):\n    def __init__(self, block_size):\n        super().__init__()\n"
        "        self.emb = nn.Embedding(9, 4)\n"
        "        self.register_buffer('m', torch.tril(torch.ones(block_size, block_size)))\n"
        "    def forward(self, idx):\n        b, t = idx.shape\n        x = self.emb(idx)\n"
        "        a = (x @ x.transpose(1, 2)).masked_fill(self.m[:t, :t] == 0, -1e9)\n        return a.sum()",
        {"idx": [4, 5]},
    ),
    "the channels of a picture": (
        "class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.conv = nn.LazyConv2d(6, 3)\n    def forward(self, x):\n        return self.conv(x).sum()",
        {"x": [4, 3, 8, 8]},
    ),
    "one word of each example, as a comment tells": (
        "def forward(self, word, hidden):\n    # word = [batch size]\n    word = word.unsqueeze(0)\n"
        "    return self.emb(word) + hidden", {"word": [4]},
    ),
    "as many axes as an error asks for": (
        "def f(x, w):\n    if not isinstance(x, torch.Tensor) or x.dim() != 3:\n        raise ValueError('no rows')\n"
        "    return (x * w).sum()", {"x": [4, 5, 8]},
    ),
    "no fewer axes than an error asks for": (
        "def f(x, w):\n    if len(x.shape) < 3:\n        raise ValueError('no rows')\n    return (x * w).sum()", {"x": [4, 5, 8]},
    ),
    "the same shape, as an error asks for": (
        "def f(pred, y):\n    if not pred.shape == y.shape:\n        raise ValueError('two shapes')\n"
        "    return (pred.exp() / y.sum()).mean()", {"pred": [10, 6], "y": [10, 6]},
    ),
    "one label for each row, as an error asks for": (
        "def f(x, labels):\n    n = x.shape[0]\n    labels = labels.contiguous().view(-1, 1)\n"
        "    if labels.shape[0] != n:\n        raise ValueError('not so many')\n"
        "    same = torch.eq(labels, labels.T).float()\n    return (same * (x @ x.T)).mean()", {"labels": [4]},
    ),
    "patches of a picture": (
        "def f(img, w, side):\n    x = rearrange(img, 'b c (h p1) (w p2) -> b (h w) (p1 p2 c)', p1=side, p2=side)\n"
        "    return (x @ w).mean()", {"img": [4, 3, 8, 8]},
    ),
    "words behind a layer that changes their width": (
        "class Heads(nn.Module):\n    def __init__(self, n_head, d_model, d_k, d_v):\n        super().__init__()\n"
        "        self.heads, self.size = n_head, d_v\n        self.w = nn.Linear(d_model, n_head * d_v)\n"
        "    def forward(self, q, v):\n        n, length = q.size(0), v.size(1)\n"
        "        return self.w(v).view(n, length, self.heads, self.size).sum() * q.mean()", {"v": [4, 5, 8]},
    ),
    "rows of matrices": (
        "def f(laf, more):\n    B, N, _, _ = laf.size()\n    more = torch.ones(B * N, 1, 3)\n"
        "    return torch.cat([laf.view(-1, 2, 3), more], dim=1).exp().mean()", {"laf": [4, 3, 2, 3]},
    ),
    "a kernel for each channel": (
        "def f(x, kernel):\n    if len(kernel.shape) != 4:\n        raise ValueError('no kernel')\n"
        "    return F.conv2d(x, kernel, groups=x.shape[1]).mean()", {"kernel": [3, 1, 6, 10]},
    ),
    "an axis that a view cuts into two": (
        "def forward(self, x):\n    H, W = self.resolution\n    B, L, C = x.shape\n    assert L == H * W\n"
        "    return self.norm(x.view(B, H, W, C)[:, 0::2]).exp().mean()", {"x": [4, 64, 8]},
    ),
    "the corners of boxes, however many there are": (
        "def f(a, b):\n    low, high = torch.max(a[:, None, :2], b[:, :2]), torch.min(a[:, None, 2:], b[:, 2:])\n"
        "    return (high - low).clamp(min=0).prod(2).mean()", {"a": [15, 4], "b": [15, 4]},
    ),
    "two vectors": (
        "def f(logits, labels):\n    errors, order = torch.sort(1 - logits * labels.float(), descending=True)\n"
        "    return torch.dot(F.relu(errors), labels[order].float().cumsum(0))", {"logits": [4], "labels": [4]},
    ),
    "two pictures under one window": (
        "def f(a, b):\n    window = torch.ones(3, 1, 5, 5) / 25\n    m = F.conv2d(a, window, padding=2, groups=3)\n"
        "    return (m * F.conv2d(b, window, padding=2, groups=3)).mean()", {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPED)
def test_shapes_are_guessed_as_their_author_means_them(name: str) -> None:
    source, shapes = SHAPED[name]
    found = backend.check({"source": source, "tensors": {}})["found"]
    assert found is not None
    needs = {need["name"]: need["shape"] for need in found["needs"]}
    assert {one: needs.get(one) for one in shapes} == shapes


# Decimals of either sign have no logarithm, no root.
SHARES = (
    "def f(p):\n    return (0.5 * torch.log(p / (1 - p)) ** 2).mean()",
    "def f(self, dc, ce):\n    return (torch.pow(-torch.log(dc), self.gamma) * ce).mean()",
    "def f(x, sigma):\n    return (x / sigma.sqrt()).mean()",
)


@pytest.mark.parametrize("source", SHARES)
def test_what_a_logarithm_is_taken_of_is_positive(source: str) -> None:
    walk = orjson.loads(backend.walk({"source": source, "arrays": "lists"}))
    gradients = [node["gradient"] for node in walk["nodes"] if node["gradient"] is not None]
    assert {one["verdict"]["level"] for one in gradients} <= {"exact", "approximate", "zero"}
