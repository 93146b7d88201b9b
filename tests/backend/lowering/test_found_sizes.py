"""Code as found without a table: sizes that only what is done with them tells."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

import backend
from backend.engine.language.errors import Refusal

# As many channels as groups, a difference that isn't zero, boxes of four numbers, whole numbers made decimals by a
# buffer, helpers that many call so, and a layer that is asked first whether it has a weight.
GROUPS = """
class Block(nn.Module):
    def __init__(self, in_channels, temb_channels=64):
        super().__init__()
        self.norm = nn.GroupNorm(32, in_channels)
        self.temb_proj = nn.Linear(temb_channels, in_channels)
    def forward(self, x, temb):
        return self.norm(x) + self.temb_proj(temb)[:, :, None, None]
"""
DIFFERENCE = """
class Augmented(nn.Module):
    def __init__(self, in_channels, out_channels, dv):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels - dv, 3, padding=1)
    def forward(self, x):
        return self.conv(x)
"""
BOXES = """
def areas(a, b):
    one = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    other = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    low = torch.max(a[:, :2], b[:, :2])
    high = torch.min(a[:, 2:], b[:, 2:])
    return (high - low).prod(1) / (one + other)
"""
ANGLES = """
@autocast('cuda', enabled=False)
def forward(self, x):
    t = torch.arange(x.shape[-2]).type_as(self.inv_freq)
    freqs = torch.einsum('i , j -> i j', t, self.inv_freq)
    return freqs, torch.ones(1)
"""
POOLED = "def f(x):\n    return x.view(x.size(0), x.size(1), -1).mean(-1).view(x.size(0), x.size(1), 1, 1)"
PACKED = "def f(q):\n    q, shape = pack_one(q, '* d')\n    return unpack_one(torch.exp(q), shape, '* d')"
ASKED = """
class Normed(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = nn.Linear(3, 2)
        if not self.is_made():
            self.module.register_parameter('weight_bar', nn.Parameter(self.module.weight.data))
    def is_made(self):
        try:
            getattr(self.module, 'weight_bar')
            return True
        except AttributeError:
            return False
    def forward(self, x):
        return F.linear(x, self.module.weight_bar / self.module.weight_bar.norm())
"""
# A kernel that other numbers pad for, axes that are padded by two numbers, sizes that only reckoning tells, a place in
# a sorted row, parts that come to nothing, and a word that is laid in one row.
PADDED = """
def forward(self, x):
    ih, kh = x.size(-1), self.weight.size(-1)
    pad = max((math.ceil(ih / self.stride[0]) - 1) * self.stride[0] + (kh - 1) * self.dilation[0] + 1 - ih, 0)
    x = F.pad(x, [pad // 2, pad - pad // 2, pad // 2, pad - pad // 2])
    return F.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)
"""
AXES_PADDED = "def f(t, pad, dim=-1):\n    return F.pad(t, (*((0, 0) * (-dim - 1)), *pad))"
RECKONED = "def f(t, length):\n    return F.pad(t, (0, length - t.shape[-1]))"
SORTED = """
def f(cdf, u):
    below = (torch.searchsorted(cdf, u, right=True) - 1).clamp(min=0)
    return torch.gather(cdf, 1, below) + u * torch.bucketize(u, cdf[0])
"""
PARTED = (
    "def f(x, n):\n    B, C, H, W = x.size()\n    return x.view(B, n, n, C // n**2, H, W).permute(0, 3, 4, 1, 5, 2)"
)
ONE_WORD = """
class Decoder(nn.Module):
    def __init__(self, hidden_size, words):
        super().__init__()
        self.embedding = nn.Embedding(words, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)
    def forward(self, word, hidden):
        return self.gru(self.embedding(word).view(1, 1, -1), hidden)
"""
STEP = "def forward(self, h, x):\n    x = x.reshape(-1, x.shape[-1])\n    h = self.gru(x, h)\n    return h.mean()"
LENET = """
def forward(self, x):
    x = self.pool(F.relu(self.conv1(x)))
    x = self.pool(F.relu(self.conv2(x)))
    return self.fc(x.view(-1, 16 * 5 * 5))
"""
SHAPED = [
    GROUPS, DIFFERENCE, BOXES, ANGLES, PACKED, ASKED, PADDED, AXES_PADDED, RECKONED, SORTED, PARTED, ONE_WORD, STEP, LENET,
]  # fmt: skip


def walked(source: str) -> Any:
    return orjson.loads(backend.walk({"source": source}))


@pytest.mark.parametrize("source", SHAPED)
def test_sizes_are_found_with_which_it_walks(source: str) -> None:
    walk = walked(source)
    assert walk["summary"]["wrong"] == 0
    assert walk["summary"]["gradients"] >= 2


def test_as_many_channels_are_made_as_are_laid_in_a_row() -> None:
    found = walked(LENET)["found"]
    assert found["needs"][0]["row"]["shape"][1:] == [1, 20, 20]
    assert found["lifted"]["conv2_weight"]["shape"][0] == 16


def test_a_tensor_that_is_read_beside_its_shape_stays_the_input() -> None:
    found = walked(POOLED)["found"]
    assert [row["name"] for row in found["needs"]] == ["x"]
    assert "x.view" in found["source"]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("F.group_norm(x, 2)", "shapes-do-not-fit/groups"),
        ("F.conv1d(x, x[:0, :, None])", "shapes-do-not-fit/empty"),
        ("F.conv1d(x.T[None], x[:, :1, None], groups=2)", "shapes-do-not-fit/divided"),
        ("F.conv1d(x[None], x.T[:, :1, None], groups=2)", "shapes-do-not-fit/divided"),
    ],
)
def test_a_layer_that_no_size_fits_is_refused_by_name(line: str, entry: str) -> None:
    table = {"x": {"role": "data", "shape": [2, 3], "init": "randn", "seed": 1}}
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": f"y = {line}\nloss = y.sum()", "tensors": table})
    assert caught.value.entry == entry
