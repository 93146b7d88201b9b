"""The library's text for NumPy and d2l: what code as found calls of it has the value that is found without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import orjson
import pytest
import torch

import backend
from backend.engine.language.errors import Refusal
from backend.pipeline import new_run

VALUES = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
# Where NumPy means something else by a name than PyTorch: by the text, and by NumPy.
OF_NUMPY: dict[str, Callable[[Any], Any]] = {
    "np.var(x)": np.var, "np.std(x, axis=0)": lambda x: np.std(x, axis=0), "x.var(axis=1)": lambda x: x.var(axis=1),
    "jnp.std(x, axis=1, keepdims=True)": lambda x: np.std(x, axis=1, keepdims=True),
    "np.max(x, axis=1)": lambda x: np.max(x, axis=1), "x.min(axis=0)": lambda x: x.min(axis=0),
    "np.dot(x, x.T)": lambda x: np.dot(x, x.T), "np.concatenate([x, 2 * x])": lambda x: np.concatenate([x, 2 * x]),
    "np.transpose(x)": np.transpose, "np.expand_dims(x, 1)": lambda x: np.expand_dims(x, 1), "np.sort(x)": np.sort,
    "np.maximum(0, x)": lambda x: np.maximum(0, x), "jnp.minimum(x, x**2)": lambda x: np.minimum(x, x**2),
    "np.power(x, 2)": lambda x: np.power(x, 2), "np.repeat(x, 2, axis=0)": lambda x: np.repeat(x, 2, axis=0),
    "np.split(x, 3, axis=1)[0]": lambda x: np.split(x, 3, axis=1)[0],
    "np.stack([x, x**2], axis=1)": lambda x: np.stack([x, x**2], axis=1),
    "np.vstack((x, x[0]))": lambda x: np.vstack((x, x[0])), "np.hstack([x, x])": lambda x: np.hstack([x, x]),
    "np.cumsum(x)": np.cumsum, "np.cumprod(x, axis=1)": lambda x: np.cumprod(x, axis=1),
    "np.flip(x)": np.flip, "np.tile(x, 2)": lambda x: np.tile(x, 2), "x * np.unique(x > 0).shape[0]": lambda x: x,
    "np.clip(x, 0.5, 1)": lambda x: np.clip(x, 0.5, 1),
    "torch.cross(x, x.flip(1), dim=-1)": lambda x: np.cross(x, x[:, ::-1]),
}  # fmt: skip


@pytest.mark.parametrize("text", OF_NUMPY)
def test_what_numpy_means_by_a_name_is_computed(text: str) -> None:
    source = f"def f(x):\n    x = np.exp(x * 0.5)\n    y = {text}\n    return (y * y).sum()"
    row = {"role": "data", "values": VALUES.tolist()}
    run = new_run({"source": source, "tensors": {"x": row}, "dtype": "float64"})
    wanted = (OF_NUMPY[text](np.exp(VALUES * 0.5)) ** 2).sum()
    assert run.forward.tensors[str(run.material.loss)].item() == pytest.approx(wanted, rel=1e-12)


# What the package of "Dive into Deep Learning" calls otherwise than PyTorch: by the text, and by PyTorch.
OF_D2L: dict[str, Callable[[Any], Any]] = {
    "d2l.matmul(x, d2l.transpose(x))": lambda x: x @ x.T, "d2l.reduce_sum(x, 1, keepdims=True)": lambda x: x.sum(1),
    "d2l.reduce_mean(d2l.exp(x), axis=0)": lambda x: x.exp().mean(0), "d2l.reshape(x, (3, -1))": lambda x: x,
    "d2l.concat((x, x), 1)": lambda x: torch.cat((x, x), 1), "d2l.expand_dims(x, 0) * d2l.size(x)": lambda x: 6 * x,
    "x * d2l.astype(d2l.argmax(x, axis=1), d2l.float32)[:, None]": lambda x: x * x.argmax(1)[:, None],
    "d2l.batch_matmul(x[None], x.T[None])": lambda x: x @ x.T,
    "d2l.squared_loss(d2l.linreg(x, x[0], 0.5), x[:, 0])": lambda x: (x @ x[0] + 0.5 - x[:, 0]) ** 2 / 2,
}  # fmt: skip
IMPORTED = "from d2l import torch as d2l\nd2l.set_figsize()\n"


@pytest.mark.parametrize("text", OF_D2L)
@pytest.mark.parametrize("before", [IMPORTED, ""])
def test_what_d2l_means_by_a_name_is_computed(text: str, before: str) -> None:
    source = f"{before}def f(x):\n    y = {text}\n    return d2l.reduce_sum(y * y)"
    row = {"role": "data", "values": VALUES.tolist()}
    run = new_run({"source": source, "tensors": {"x": row}, "dtype": "float64"})
    wanted = (OF_D2L[text](torch.tensor(VALUES)) ** 2).sum()
    assert run.forward.tensors[str(run.material.loss)].item() == pytest.approx(wanted.item(), rel=1e-12)


def test_what_d2l_computes_and_nobody_here_knows_is_asked_for() -> None:
    with pytest.raises(Refusal) as caught:
        new_run({"source": f"{IMPORTED}def f(x):\n    return d2l.box_iou(x, x).sum()", "tensors": {}})
    assert (caught.value.entry, caught.value.facts["found"]) == ("found-foreign/call", "d2l.box_iou")


@pytest.mark.parametrize("dims", [0, 1, 2, ([-1], [0]), ([1, 2], [1, 0]), ([0], [2])])
def test_a_product_over_axes_is_that_of_pytorch(dims: Any) -> None:
    a, b = (torch.randn(size, generator=torch.Generator().manual_seed(27)).double() for size in ((3, 3, 3), (3, 3, 3)))
    rows = {name: {"role": "data", "values": one.tolist()} for name, one in (("a", a), ("b", b))}
    source = f"def f(a, b):\n    y = torch.tensordot(a, b, dims={dims!r})\n    return (y * y * y).sum()"
    request = {"source": source, "tensors": rows, "dtype": "float64", "arrays": "lists"}
    nodes = {node["variable"]: node for node in orjson.loads(backend.walk(request))["nodes"]}
    for one in (a, b):
        one.requires_grad_()
    (torch.tensordot(a, b, dims=dims) ** 3).sum().backward()
    for name, one in (("a", a), ("b", b)):
        torch.testing.assert_close(torch.tensor(nodes[name]["gradient"]["manual"], dtype=one.dtype), one.grad)
