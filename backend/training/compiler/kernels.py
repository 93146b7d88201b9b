"""The calls behind each kind of atom: NumPy's own functions with `out`, and torch's for all that has no rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from backend.engine.interpret.evaluate import functions, indices, wrapped
from backend.engine.language.pytree import tensors_in
from backend.training.compiler.algebra import EXP, LOG, NAMED, PICKED, SEALED, SUM, TURNED, VIEW
from backend.training.compiler.expressions import Atom, Total
from backend.training.compiler.recorder import CALL, Traced
from backend.training.compiler.rules import LARGEST, MATMUL, POINTWISE, ROWS, SCATTERED

if TYPE_CHECKING:
    from backend.training.compiler.emitter import Emitter

Array = npt.NDArray[Any]
# Beyond this many rows, adding up by a product with one-hot rows costs more than adding row by row.
MOST_HOT = 128
UFUNCS = {"tanh": np.tanh, "abs": np.abs, "sin": np.sin, "cos": np.cos, "greater": np.greater}


def _sealed(emitter: Emitter, atom: Atom) -> Array:
    return emitter.sealed(atom)


def _view(emitter: Emitter, atom: Atom) -> Array:
    array = _inner(emitter, atom, 0)
    return _in_order(emitter, array).reshape(atom.shape)


def _in_order(emitter: Emitter, array: Array) -> Array:
    """An array whose cells lie in the order of its axes."""
    if array.flags.c_contiguous:
        return array
    out = emitter.fresh(array.shape, array.dtype)
    emitter.emit(np.copyto, out, array)
    return out


def _turned(emitter: Emitter, atom: Atom) -> Array:
    order = atom.reads[1]
    assert isinstance(order, tuple)
    return _inner(emitter, atom, 0).transpose(order)


def _unary(function: np.ufunc) -> Callable[[Emitter, Atom], Array]:
    def made(emitter: Emitter, atom: Atom) -> Array:
        x, out = _total(emitter, atom, 0), emitter.place(atom)
        emitter.emit(function, x, out)
        return out

    return made


def _pointwise(emitter: Emitter, atom: Atom) -> Array:
    name = atom.reads[0]
    read = [_total(emitter, atom, place) for place in range(1, len(atom.reads))]
    out = emitter.place(atom)
    if name == "relu":
        emitter.emit(np.maximum, *read, emitter.number(0), out=out)
    else:
        emitter.emit(UFUNCS[str(name)], *read, out)
    return out


def _sum(emitter: Emitter, atom: Atom) -> Array:
    axes = atom.reads[1]
    assert isinstance(axes, tuple)
    x, out = _total(emitter, atom, 0), emitter.place(atom)
    if x.ndim == 2 and axes == (0,) and x.flags.c_contiguous and out.flags.c_contiguous:
        emitter.emit(np.dot, np.ones((1, len(x)), x.dtype), x, out)  # a third of the time of `add.reduce`
    else:
        emitter.emit(np.add.reduce, x, axes, None, out, True)
    return out


def _largest(emitter: Emitter, atom: Atom) -> Array:
    x, out = _inner(emitter, atom, 0), emitter.place(atom)
    emitter.emit(np.maximum.reduce, x, atom.reads[1], None, out, True)
    return out


def _matmul(emitter: Emitter, atom: Atom) -> Array:
    left, right, out = _inner(emitter, atom, 0), _inner(emitter, atom, 1), emitter.place(atom)
    flat = left.ndim == right.ndim == 2 and out.flags.c_contiguous
    emitter.emit(np.dot if flat else np.matmul, left, right, out)
    return out


def _rows(emitter: Emitter, atom: Atom) -> Array:
    table, places, out = _inner(emitter, atom, 0), _inner(emitter, atom, 1), emitter.place(atom)
    emitter.emit(np.take, table, places, 0, out, "clip")  # "raise" would copy; that places are there is known
    return out


def _picked(emitter: Emitter, atom: Atom) -> Array:
    x, places, out = _inner(emitter, atom, 0), _inner(emitter, atom, 1), emitter.place(atom)
    rows = np.arange(len(x))

    def pick() -> None:
        out[:] = x[rows, places]

    emitter.emit(pick)
    return out


def _scattered(emitter: Emitter, atom: Atom) -> Array:
    values, places, out = _inner(emitter, atom, 0), _inner(emitter, atom, 1), emitter.place(atom)
    rows, width = atom.shape
    flat, count = _in_order(emitter, values).reshape(-1, width), math.prod(places.shape)
    if rows <= MOST_HOT:
        hot = emitter.fresh((count, rows))
        emitter.emit(np.take, np.eye(rows, dtype=emitter.dtype), places.reshape(-1), 0, hot, "clip")
        emitter.emit(np.dot, hot.T, flat, out)
        return out
    total, index, source = torch.from_numpy(out), torch.from_numpy(places.reshape(-1)), torch.from_numpy(flat)
    emitter.emit(lambda: total.zero_().index_add_(0, index, source))
    return out


def _called(emitter: Emitter, atom: Atom) -> Array:
    key, args, kwargs, number = emitter.calls[atom]
    given, named = _tensors(emitter, args), {name: _tensors(emitter, value) for name, value in kwargs.items()}
    out = emitter.place(atom)
    target, function = torch.from_numpy(out), _placing if key == "=[]" else functions()[key][0]

    def call() -> None:
        result = wrapped(function(*_cast(given), **_cast(named)))
        target.copy_(list(tensors_in(result))[number])

    emitter.emit(call)
    return out


def _placing(x: torch.Tensor, index: Any, value: Any) -> torch.Tensor:
    made = x.clone()
    made[indices(index, made.device)] = value
    return made


def _tensors(emitter: Emitter, value: Any) -> Any:
    """Arguments with torch's view of the arrays in place of what was traced, each with the dtype that is wanted."""
    if isinstance(value, Traced):
        return _Given(torch.from_numpy(emitter.array(value.total)), value.sample.dtype)
    return type(value)(_tensors(emitter, part) for part in value) if isinstance(value, tuple | list) else value


class _Given:
    """A tensor that a call reads."""

    def __init__(self, tensor: torch.Tensor, dtype: torch.dtype) -> None:
        self.tensor, self.dtype = tensor, dtype


def _cast(value: Any) -> Any:
    if isinstance(value, _Given):
        return value.tensor if value.tensor.dtype == value.dtype else value.tensor.to(value.dtype)
    if isinstance(value, dict):
        return {name: _cast(part) for name, part in value.items()}
    return type(value)(_cast(part) for part in value) if isinstance(value, tuple | list) else value


def _inner(emitter: Emitter, atom: Atom, place: int) -> Array:
    read = atom.reads[place]
    assert isinstance(read, Atom)
    return emitter.atom(read)


def _total(emitter: Emitter, atom: Atom, place: int) -> Array:
    read = atom.reads[place]
    assert isinstance(read, Total)
    return emitter.array(read)


KERNELS: dict[str, Callable[[Emitter, Atom], Array]] = {
    SEALED: _sealed, NAMED: _sealed, VIEW: _view, TURNED: _turned, EXP: _unary(np.exp), LOG: _unary(np.log),
    POINTWISE: _pointwise, SUM: _sum, LARGEST: _largest, MATMUL: _matmul, ROWS: _rows, PICKED: _picked,
    SCATTERED: _scattered, CALL: _called,
}  # fmt: skip
