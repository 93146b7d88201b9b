"""A network that is too wide to be shown has a sixteenth of every width, and is a network still."""

from __future__ import annotations

import ast
from typing import Any

import orjson
import pytest

import backend
from backend.lowering.thinning import thinned

DIGITS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 32, 3, 1), nn.Conv2d(32, 64, 3, 1)
        self.fc = nn.Linear(9216, 128)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv2(F.relu(self.conv1(x)))), 2)
        return self.fc(torch.flatten(x, 1))
"""
GENERATOR = """
class Generator(nn.Module):
    def __init__(self, channels=3):
        super().__init__()

        def block(ins, outs):
            return [nn.Conv2d(ins, outs, 4, stride=2, padding=1), nn.BatchNorm2d(outs), nn.ReLU()]

        self.model = nn.Sequential(*block(channels, 64), *block(64, 512), nn.Conv2d(512, 2000, 3, 1, 1))

    def forward(self, x):
        return self.model(x).view(x.shape[0], 2000, -1)
"""


def walked(source: str) -> Any:
    return orjson.loads(backend.walk({"source": source, "tensors": {}, "arrays": "lists"}))


@pytest.mark.parametrize(
    ("source", "shapes"),
    [
        (DIGITS, {"conv2_weight": [4, 32, 3, 3], "fc_weight": [8, 576]}),
        (GENERATOR, {"model_6_weight": [125, 32, 3, 3]}),
    ],
)
def test_every_width_is_a_sixteenth(source: str, shapes: dict[str, list[int]]) -> None:
    walk = walked(source)
    found = {node["variable"]: node["shape"] for node in walk["nodes"]}
    assert {name: found[name] for name in shapes} == shapes
    assert walk["summary"]["wrong"] == 0
    told = [note["text"] for note in walk["found"]["notes"] if note["code"] == "thinned"]
    assert any("a sixteenth" in one for one in told)


def test_what_is_no_width_stays() -> None:
    """A table of angles, a kernel, a class, and what a forward pass reckons with."""
    text = (
        "class A(nn.Module):\n    def __init__(self, n=512):\n        self.a = nn.Linear(512 * 4, 1000)\n"
        "        self.b = torch.arange(0, 128, 2) / 256 + 10000 ** 2\n"
        "    def forward(self, x):\n        return (x * 128).view(-1, 512) - 1024"
    )
    assert [(wide.value, small.value) for wide, small in thinned(ast.parse(text)).items()] == [
        (512, 32), (512, 32), (128, 8), (512, 32),
    ]  # fmt: skip
