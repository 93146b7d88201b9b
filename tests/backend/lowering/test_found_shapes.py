"""The shapes that are guessed of what was pasted, as its author means them."""

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
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPED)
def test_shapes_are_guessed_as_their_author_means_them(name: str) -> None:
    source, shapes = SHAPED[name]
    found = backend.check({"source": source, "tensors": {}})["found"]
    assert found is not None
    needs = {need["name"]: need["shape"] for need in found["needs"]}
    assert {one: needs.get(one) for one in shapes} == shapes
