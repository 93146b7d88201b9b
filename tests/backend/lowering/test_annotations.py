"""What an annotation tells of an argument: its kind, its axes, or the class whose object it is."""

from __future__ import annotations

import ast
from typing import Any

import orjson
import pytest

import backend
from backend.lowering.annotations import axes_told, is_whole, name_told, parts_told, told_by

TOLD = {
    "torch.Tensor": "tensor", "Tensor": "tensor", "Optional[torch.Tensor]": "tensor", "Tensor | None": "tensor",
    "'Tensor'": "tensor", "torch.LongTensor": "tensor", 'Float[Tensor, "batch time"]': "tensor",
    "int": "number", "float": "number", "Optional[int]": "number", "Union[int, Tuple[int, int]]": "number",
    "List[int]": "numbers", "list[float]": "numbers", "Tuple[int, int]": "numbers", "List[Tensor]": "tensors",
    "nn.Module": "", "str": "", "bool": "", "Callable[[Tensor], Tensor]": "", "Dict[str, Tensor]": "", "3": "",
}  # fmt: skip


@pytest.mark.parametrize("text", TOLD)
def test_the_kind_that_an_annotation_tells(text: str) -> None:
    assert told_by(ast.parse(text, mode="eval").body) == TOLD[text]


def test_parts_axes_and_names() -> None:
    def read(text: str) -> ast.expr:
        return ast.parse(text, mode="eval").body

    assert told_by(None) == name_told(None) == ""
    assert (parts_told(read("Tuple[int, int, int]")), parts_told(read("Tuple[int, ...]"))) == (3, 0)
    assert axes_told(read('Float[Tensor, "batch time d_model"]')) == ["batch", "time", "d_model"]
    assert axes_told(read('Float[Tensor, "... d"]')) == axes_told(read("Tensor")) == []
    assert (name_told(read("Optional[Block]")), name_told(read("nn.Module"))) == ("Block", "")
    assert is_whole(read("torch.LongTensor"))
    assert is_whole(read('Int[Tensor, "batch"]'))
    assert not is_whole(read("Tensor"))
    assert not is_whole(read("int"))


# A program, a line of what is walked, and the shapes or numbers that are supposed.
READ: dict[str, tuple[str, str, dict[str, object]]] = {
    "a tensor with the name of a number": (
        "def dpfp(k: torch.Tensor):\n    return torch.relu(torch.cat([k, -k], dim=-1)).sum()",
        "torch.cat([k, -k], dim=-1)", {"k": "randn"},
    ),
    "a number with the name of a tensor": (
        "def scaled(x: Tensor, weight: float):\n    return (x * weight).sum()", "x * weight", {"x": "randn", "weight": None},
    ),
    "whole numbers": (
        'def shifted(x: Float[Tensor, "n d"], m: Int[Tensor, "n d"]):\n    return (x * m).sum()',
        "x * m", {"x": "randn", "m": "randint"},
    ),
    "an object of a class of the code": (
        "class Part(nn.Module):\n    def __init__(self, *, d: int):\n        super().__init__()\n"
        "        self.fc = nn.Linear(d, d)\n    def forward(self, x):\n        return torch.tanh(self.fc(x))\n\n"
        "class Whole(nn.Module):\n    def __init__(self, *, d: int, part: Part):\n        super().__init__()\n"
        "        self.part, self.norm = part, nn.LayerNorm([d])\n"
        "    def forward(self, x: torch.Tensor):\n        return self.norm(x + self.part(x)).pow(2).sum()",
        "fc = F.linear(x, part_fc_weight, part_fc_bias)\nnorm = F.layer_norm(x + torch.tanh(fc)", {"x": "randn", "d": None},
    ),
    "a list of sizes": (
        "class Net(nn.Module):\n    def __init__(self, widths: Tuple[int, int, int]):\n        super().__init__()\n"
        "        a, b, c = widths\n        self.one, self.two = nn.Linear(a, b), nn.Linear(b, c)\n"
        "    def forward(self, x):\n        return self.two(self.one(x)).sum()",
        "two = F.linear(one, two_weight, two_bias)",
        {"x": "randn", "widths_0": None, "widths_1": None, "widths_2": None},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_is_missing_is_what_its_annotation_says(name: str) -> None:
    source, line, needs = READ[name]
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": {}}))
    assert walk["summary"]["wrong"] == 0
    assert line in walk["found"]["source"]
    assert {need["name"]: need["row"].get("init") for need in walk["found"]["needs"]} == needs


def test_a_class_that_is_made_with_its_own_kind_ends() -> None:
    source = (
        "class Tree(nn.Module):\n    def __init__(self, inner: Tree):\n        super().__init__()\n"
        "        self.inner = inner\n    def forward(self, x: torch.Tensor):\n        return self.inner(x).sum()"
    )
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": {}}))
    assert walk["summary"]["wrong"] == 0
