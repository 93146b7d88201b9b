"""NumPy's functions that do what torch's do, into memory that is there already: a call of them costs half as much."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from backend.engine.interpret.shape_inference import block_of
from backend.engine.language.pytree import tensors_in
from backend.engine.language.values import Pair, Values

Array = npt.NDArray[Any]
Kernel = Callable[[], object]
SIGNS: dict[str, np.ufunc] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "**": np.power, "-x": np.negative,
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal,
}  # fmt: skip
IN_PLACE: dict[Callable[[Any, Any], Any], np.ufunc] = {
    operator.iadd: np.add, operator.isub: np.subtract, operator.imul: np.multiply, operator.itruediv: np.divide,
}  # fmt: skip
# Powers that have a function of their own, many times as fast.
POWERS: dict[float, np.ufunc] = {2: np.square, 0.5: np.sqrt, -1: np.reciprocal}
# By what a block says that it makes of many cells.
FOLDS: dict[str, np.ufunc] = {"Σ": np.add, "mean": np.add, "max": np.maximum, "min": np.minimum}
PLACES: dict[str, Callable[..., Any]] = {"max": np.argmax, "min": np.argmin}


def kernels(key: str, args: Sequence[Any], kwargs: Values, result: Any) -> list[tuple[Kernel, torch.Tensor]]:
    """What writes an operation's result where it is, each part by itself; none where NumPy has nothing that does."""
    if isinstance(result, Pair):
        return _extremes(key, args, kwargs, result)
    made = _kernel(key, args, kwargs, result) if isinstance(result, torch.Tensor) else None
    return [] if made is None else [(made, result)]


def _kernel(key: str, args: Sequence[Any], kwargs: Values, out: torch.Tensor) -> Kernel | None:
    if key == "@":
        return _product(args[0], args[1], out)
    if key == "[]":
        return _pick(args[0], args[1], out)
    function = SIGNS.get(key) or getattr(np, key.rpartition(".")[2], None)
    if isinstance(function, np.ufunc) and function.nin == len(args) and not kwargs and _all_plain(args):
        return _by_cell(function, args, out)
    op, bound = block_of(key, tuple(args), kwargs)
    if op.cell == "x == column":
        return partial(np.equal, bound["x"].numpy()[..., None], np.arange(out.shape[-1]), out.numpy())
    if op.drawn == "copy":
        return partial(np.copyto, out.numpy(), bound["x"].numpy()) if out.dtype == bound["x"].dtype else None
    if op.folds not in FOLDS or not bound["x"].is_floating_point():
        return None
    return _fold(op.folds, bound["x"], bound.get("dim"), out)


def _all_plain(args: Sequence[Any]) -> bool:
    return all(isinstance(arg, torch.Tensor | int | float) for arg in args)


def _by_cell(function: np.ufunc, args: Sequence[Any], out: torch.Tensor) -> Kernel:
    if function is np.power and args[1] in POWERS:
        function, args = POWERS[args[1]], args[:1]
    decimals = [arg for arg in args if isinstance(arg, torch.Tensor) and arg.is_floating_point()]
    kind = (decimals[0] if decimals else out).numpy().dtype
    read = [arg.numpy() if isinstance(arg, torch.Tensor) else np.array(arg, kind) for arg in args]
    return partial(function, *read, out=out.numpy())


def _product(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> Kernel:
    flat = x.ndim == y.ndim == 2 and out.is_contiguous()
    return partial(np.dot if flat else np.matmul, x.numpy(), y.numpy(), out.numpy())


def _fold(folds: str, x: torch.Tensor, dim: Any, out: torch.Tensor) -> Kernel:
    axes = tuple(range(x.ndim)) if dim is None or dim == () else dim if isinstance(dim, tuple | list) else (dim,)
    axes, read, into = tuple(axes) if x.ndim else (), x.numpy(), out.numpy()
    if FOLDS[folds] is np.add and x.ndim == 2 and axes == (0,) and x.is_contiguous():
        # By a product with ones: a third of the time of `add.reduce`.
        fold: Kernel = partial(np.dot, np.ones((1, len(read)), read.dtype), read, into.reshape(1, -1))
    else:
        fold = partial(FOLDS[folds].reduce, read, axis=axes, out=into, keepdims=out.ndim == x.ndim)
    each = np.array(into.size / max(read.size, 1), into.dtype)

    def averaged() -> None:
        fold()
        np.multiply(into, each, into)

    return averaged if folds == "mean" else fold


def _extremes(key: str, args: Sequence[Any], kwargs: Values, pair: Pair) -> list[tuple[Kernel, torch.Tensor]]:
    op, bound = block_of(key, tuple(args), kwargs)
    if op.folds not in PLACES or not bound["x"].is_floating_point() or not bound["x"].ndim:
        return []
    x, dim, places = bound["x"], bound["dim"], pair.indices
    find = partial(PLACES[op.folds], x.numpy(), dim, places.numpy(), keepdims=places.ndim == x.ndim)
    return [(_fold(op.folds, x, dim, pair.values), pair.values), (find, places)]


def _pick(x: torch.Tensor, index: Any, out: torch.Tensor) -> Kernel:
    if isinstance(index, torch.Tensor) and index.dtype == torch.int64:
        return partial(np.take, x.numpy(), index.numpy(), 0, out.numpy(), "wrap")  # "raise" would copy first
    read, places, into = x.numpy(), _places(index), out.numpy()

    def pick() -> None:
        into[...] = read[places]

    return pick


def placing(x: torch.Tensor, index: Any, value: Any) -> Kernel:
    """`x[index] = value`."""
    return partial(x.numpy().__setitem__, _places(index), value.numpy() if isinstance(value, torch.Tensor) else value)


def _places(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(map(_places, index))
    if isinstance(index, range | list):
        return np.array(index)
    return index.numpy() if isinstance(index, torch.Tensor) else index


def augmenting(change: Callable[[Any, Any], Any], x: torch.Tensor, value: Any) -> Kernel:
    """`x += value` and its like."""
    return _by_cell(IN_PLACE[change], (x, value), x) if x.is_floating_point() else partial(change, x, value)


def copied(function: Callable[[], Any], result: Any) -> Kernel:
    """Torch's own function, and a copy of what it gives."""
    into = list(tensors_in(result))

    def call() -> None:
        for place, tensor in zip(into, tensors_in(function()), strict=True):
            place.copy_(tensor)

    return call
