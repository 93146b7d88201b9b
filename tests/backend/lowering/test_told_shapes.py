"""Shapes that a text tells in words are what its tensors are supposed to have."""

from __future__ import annotations

import ast
from typing import Any

import orjson
import pytest

import backend
from backend.lowering.told_shapes import shapes_told

TOLD = {
    'def f(x, mask):\n    """\n    * `x` has shape `[seq_len, batch_size, d_model]`\n    """\n    return x': {
        "x": ["seq_len", "batch_size", "d_model"]
    },
    "def f(q, k):\n    # q and k are tensors of shape (B, H, T)\n    return q": {key: ["B", "H", "T"] for key in "qk"},
    "def f(\n    x,  # (B, 3, H * W)\n    y,\n):\n    return x": {"x": ["B", "3", "H * W"]},
    "def f(word, h):\n    # word = [batch size]\n    # h = [1]\n    return word": {"word": ["batch size"], "h": ["1"]},
    # of what no parameter is, or what is said of something else, nothing is told
    "def f(x):\n    h = x * 2  # (B, T, C)\n    # x is drawn by us (as in the paper, too)\n    return h": {},
}


@pytest.mark.parametrize("source", TOLD)
def test_a_comment_or_docstring_tells_the_axes_of_a_parameter(source: str) -> None:
    assert shapes_told(ast.parse(source), source) == TOLD[source]


def test_a_tensor_has_as_many_axes_as_the_text_tells() -> None:
    source = "def f(x, scale):\n    # `x` has shape `[batch, time, channels]`\n    return (x.tanh() * scale).sum()"
    walk: Any = orjson.loads(backend.walk({"source": source, "tensors": {}}))
    rows = {need["name"]: need["row"] for need in walk["found"]["needs"]}
    assert len(rows["x"]["shape"]) == 3
