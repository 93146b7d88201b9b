"""The library's text for NumPy: what code as found calls of it has the value that NumPy itself finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

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
}  # fmt: skip


@pytest.mark.parametrize("text", OF_NUMPY)
def test_what_numpy_means_by_a_name_is_computed(text: str) -> None:
    source = f"def f(x):\n    x = np.exp(x * 0.5)\n    y = {text}\n    return (y * y).sum()"
    row = {"role": "data", "values": VALUES.tolist()}
    run = new_run({"source": source, "tensors": {"x": row}, "dtype": "float64"})
    wanted = (OF_NUMPY[text](np.exp(VALUES * 0.5)) ** 2).sum()
    assert run.forward.tensors[str(run.material.loss)].item() == pytest.approx(wanted, rel=1e-12)
