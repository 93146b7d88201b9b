"""Names of axes: they travel with the cells, as axes of telling lengths do in torch."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

import backend

SIZES = {"batch": 3, "time": 4, "feature": 5, "unit": 6, "one": 1}
GIVEN = {
    "x": ["batch", "time", "feature"], "y": ["batch", "time", "feature"], "w": ["feature", "unit"], "b": ["unit"],
    "t": ["time", "feature"], "r": ["batch", "one", "feature"],
}  # fmt: skip


def named(line: str) -> tuple[list[str], list[int]]:
    """The names and lengths of the axes of a line's result."""
    tensors = {
        name: {"role": "parameter", "shape": [SIZES[axis] for axis in axes], "init": "randn"}
        for name, axes in GIVEN.items()
    }
    tensors["n"] = {"role": "parameter", "shape": [4, 5], "init": "randn"}
    request: dict[str, Any] = {"source": f"h = {line}\nloss = h.sum()", "tensors": tensors, "dims": GIVEN}
    node = next(node for node in json.loads(backend.walk(request))["nodes"] if node["name"] == "h")
    return node["dims"], node["shape"]


@pytest.mark.parametrize(
    "line",
    [
        "x + y", "torch.tanh(x)", "x.sum(1)", "x.mean((0, 2))", "x.transpose(0, 2)", "x.permute(2, 0, 1)", "x @ w",
        "x @ w + b", "x + t", "x * x[0]", "x.sum(1, keepdim=True) + x", "x.mT", "x[1]", "x.unbind(1)[0]",
        "torch.stack([x[0], y[1]]).sum(0)", "x.softmax(-1)", "x.max(2).values",
        "x.movedim(0, 1)", "w.T @ t.T", "r + x", "torch.cumsum(x, 1)", "x.logsumexp(0)", "F.linear(x, w.T, b)",
    ],
)  # fmt: skip
def test_a_name_stays_with_its_length(line: str) -> None:
    """Every axis has a length of its own here, so that the lengths say which axis is where."""
    names, shape = named(line)
    by_length = {size: name for name, size in SIZES.items()}
    assert names == [by_length[size] for size in shape]
    scope = {name: torch.zeros([SIZES[axis] for axis in axes]) for name, axes in GIVEN.items()}
    result = eval(line, {"torch": torch, "F": torch.nn.functional, **scope})
    assert shape == list(result.shape)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("x.view(12, 5)", ["batch · time", "feature"]), ("x.flatten(1)", ["batch", "time · feature"]),
        ("x.unsqueeze(0)", ["axis 0", "batch", "time", "feature"]), ("x[:, 2]", ["axis 0", "feature"]),
        ("x.view(3, 2, 10)", ["axis 0", "axis 1", "axis 2"]), ("x.gather(2, x.argmax(2, keepdim=True))", None),
    ],
)  # fmt: skip
def test_joined_axes_have_both_names_and_others_are_counted(line: str, names: list[str] | None) -> None:
    """Where no name is certain an axis is counted, and never given the name of another."""
    found, shape = named(line)
    assert names is None or found == names
    lengths = {name: size for name, size in SIZES.items() if name in found}
    assert all(lengths.get(name, size) == size for name, size in zip(found, shape, strict=True))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("x.view(12, 5)", ["batch · time", "feature"]),
        ("n.view(-1)", ["axis 0"]),
        ("(n * t).view(-1)", ["time · feature"]),
    ],
)
def test_axes_laid_end_to_end_carry_their_names_or_none(line: str, names: list[str]) -> None:
    """Two axes without names have no name together: a dot alone is none."""
    assert named(line)[0] == names
