"""What an operation is in the algebra of totals, by the operation's name; one that is not here is called as it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from backend.engine.language.values import Pair
from backend.training.compiler.algebra import EXP, PICKED, Algebra
from backend.training.compiler.expressions import HOT, Total, added, constant, one, scaled
from backend.training.compiler.recorder import Rule, Traced, Use

MATMUL, ROWS, SCATTERED, PLACED, LARGEST, POINTWISE = (
    "matmul",
    "rows",
    "scattered rows",
    "placed",
    "largest",
    "pointwise",
)
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Enter a function as the rule of these operations."""

    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return enter


def of_float(value: Any) -> bool:
    """Whether a value is a number, or a tensor that the algebra may compute with: decimals, a mask, one-hot rows."""
    if not isinstance(value, Traced):
        return isinstance(value, int | float)
    return value.sample.dtype.is_floating_point or value.sample.dtype == torch.bool or _is_hot(value.total)


def _is_hot(total: Total) -> bool:
    return any(atom.kind == HOT for product, _ in total.terms for atom, _ in product)


def total_of(value: Any) -> Total:
    """A tensor or a number as a total."""
    return value.total if isinstance(value, Traced) else constant(float(value))


def _floats(sample: Any, *values: Any) -> bool:
    return isinstance(sample, torch.Tensor) and sample.dtype.is_floating_point and all(map(of_float, values))


def _adder(sign: int) -> Rule:
    def made(use: Use) -> Total | None:
        if not _floats(use.sample, use["x"], use["y"]):
            return None
        return added([total_of(use["x"]), scaled(total_of(use["y"]), sign * use.given.get("alpha", 1))])

    return made


RULES["add"], RULES["sub"] = _adder(1), _adder(-1)


@rule("neg")
def _neg(use: Use) -> Total | None:
    return scaled(total_of(use["x"]), -1) if _floats(use.sample, use["x"]) else None


@rule("mul")
def _mul(use: Use) -> Total | None:
    if not _floats(use.sample, use["x"], use["y"]):
        return None
    return use.algebra.times(total_of(use["x"]), total_of(use["y"]))


@rule("div")
def _div(use: Use) -> Total | None:
    below = total_of(use["y"]) if of_float(use["y"]) else None
    if below is None or not _floats(use.sample, use["x"]) or below.is_zero or _is_hot(below):
        return None
    return use.algebra.times(total_of(use["x"]), use.algebra.power(below, -1))


@rule("pow")
def _pow(use: Use) -> Total | None:
    exponent = use["n"]
    if not isinstance(exponent, int | float) or not _floats(use.sample, use["x"]) or total_of(use["x"]).is_zero:
        return None
    return use.algebra.power(total_of(use["x"]), exponent)


def _power(exponent: float) -> Rule:
    def made(use: Use) -> Total | None:
        if not _floats(use.sample, use["x"]) or use["x"].total.is_zero:
            return None
        return use.algebra.power(use["x"].total, exponent)

    return made


RULES |= {"sqrt": _power(0.5), "rsqrt": _power(-0.5), "square": _power(2), "reciprocal": _power(-1)}


@rule("exp")
def _exp(use: Use) -> Total | None:
    if not _floats(use.sample, use["x"]):
        return None
    return one(use.algebra.atom(EXP, (use["x"].total,), tuple(use.sample.shape), positive=True))


@rule("log")
def _log(use: Use) -> Total | None:
    return use.algebra.logarithm(use["x"].total) if _floats(use.sample, use["x"]) else None


def _pointwise(name: str, positive: bool = False) -> Rule:
    def made(use: Use) -> Total | None:
        if not _floats(use.sample, use["x"]):
            return None
        return one(use.algebra.atom(POINTWISE, (name, use["x"].total), tuple(use.sample.shape), positive=positive))

    return made


RULES |= {name: _pointwise(name) for name in ("tanh", "relu", "abs", "sin", "cos")}


@rule("greater")
def _greater(use: Use) -> Total | None:
    if not all(map(of_float, (use["x"], use["y"]))):
        return None
    reads = ("greater", total_of(use["x"]), total_of(use["y"]))
    return one(use.algebra.atom(POINTWISE, reads, tuple(use.sample.shape), torch.bool, positive=True))


# Sums.
def _axes(use: Use, ndim: int) -> tuple[int, ...]:
    dim = use.given.get("dim")
    chosen = tuple(range(ndim)) if dim is None or dim == () else dim if isinstance(dim, tuple | list) else (dim,)
    return tuple(sorted(axis % ndim for axis in chosen)) if ndim else ()


def _summer(mean: bool) -> Rule:
    def made(use: Use) -> Total | None:
        x = use["x"]
        if not _floats(use.sample, x) or not x.sample.dtype.is_floating_point:
            return None
        axes = _axes(use, x.sample.ndim)
        total = use.algebra.sum(x.total, axes) if axes else x.total
        count = math.prod(x.shape[axis] for axis in axes)
        return use.algebra.reshaped(scaled(total, 1 / count if mean else 1), tuple(use.sample.shape))

    return made


RULES["sum"], RULES["mean"] = _summer(mean=False), _summer(mean=True)


@rule("max")
def _max(use: Use) -> Any:
    x = use["x"]
    if not isinstance(use.sample, Pair) or not _floats(use.sample.values, x):
        return None
    axis = use["dim"] % x.sample.ndim
    shape = tuple(1 if place == axis else size for place, size in enumerate(x.shape))
    largest = one(use.algebra.atom(LARGEST, (use.algebra.whole(x.total), axis), shape))
    values = Traced(use.algebra.reshaped(largest, tuple(use.sample.values.shape)), use.sample.values)
    places = use.recorder.called(".max", (x, use["dim"], use.given.get("keepdim", False)), {}, use.sample)
    return Pair(values, places.indices)


# Shapes.
@rule("view", "flatten", "unflatten", "viewas", "squeeze", "unsqueeze")
def _view(use: Use) -> Total | None:
    if use["x"].sample.numel() != use.sample.numel():
        return None
    return use.algebra.reshaped(use["x"].total, tuple(use.sample.shape))


@rule("transpose", "matrixtranspose", "swapaxes", "permute")
def _turn(use: Use) -> Total | None:
    x = use["x"].sample
    if "dims" in use.given:
        order = tuple(axis % x.ndim for axis in use["dims"])
    elif x.ndim < 2:
        return None
    else:
        swapped = [use.given.get("dim0", -2) % x.ndim, use.given.get("dim1", -1) % x.ndim]
        order = tuple(swapped[1 - swapped.index(axis)] if axis in swapped else axis for axis in range(x.ndim))
    return use.algebra.turned(use["x"].total, order)


@rule("clone", "detach", "float")
def _same(use: Use) -> Total | None:
    return use["x"].total if use["x"].sample.dtype == use.sample.dtype else None


@rule("expand", "expandas")
def _expand(use: Use) -> Total | None:
    return Total(tuple(use.sample.shape), use["x"].total.terms) if _floats(use.sample, use["x"]) else None


@rule("zeroslike")
def _zeros(use: Use) -> Total | None:
    return constant(0, tuple(use.sample.shape)) if use.sample.dtype.is_floating_point else None


@rule("oneslike")
def _ones(use: Use) -> Total | None:
    return constant(1, tuple(use.sample.shape)) if use.sample.dtype.is_floating_point else None


# Products of matrices, and places.
@rule("matmul")
def _matmul(use: Use) -> Total | None:
    x, y = use["x"], use["y"]
    if not _floats(use.sample, x, y) or x.sample.ndim < 2 or y.sample.ndim < 2:
        return None
    reads = use.algebra.whole(x.total), use.algebra.whole(y.total)
    return one(use.algebra.atom(MATMUL, reads, tuple(use.sample.shape)))


def is_places(value: Any) -> bool:
    """Whether a value is a tensor of whole numbers."""
    return isinstance(value, Traced) and value.sample.dtype == torch.int64 and value.total.atom is not None


def row_by_row(index: Any, x: torch.Tensor) -> bool:
    """Whether an index takes one place of every row: `[range(n), y]`."""
    if not isinstance(index, tuple) or len(index) != 2 or x.ndim != 2:
        return False
    rows, places = index
    return rows == range(len(x)) and is_places(places) and places.shape == (len(x),)


@rule("index")
def _index(use: Use) -> Total | None:
    x, index = use["x"], use["index"]
    if not _floats(use.sample, x):
        return None
    if is_places(index):
        reads = use.algebra.whole(x.total), index.total.atom
        return one(use.algebra.atom(ROWS, reads, tuple(use.sample.shape)))
    return _picked(use.algebra, x.total, index[1]) if row_by_row(index, x.sample) else None


def _picked(algebra: Algebra, total: Total, places: Traced) -> Total:
    """One cell of every row, factor by factor."""
    atom_of = places.total.atom
    total = algebra.compact(total)
    rows = total.shape[0]
    atoms = {atom for product, _ in total.terms for atom, _ in product}
    if any(atom.shape not in (total.shape, (rows, 1), ()) or atom.kind == HOT for atom in atoms):
        total = one(algebra.whole(total))
        atoms = {atom for product, _ in total.terms for atom, _ in product}

    def of(atom: Any) -> Any:
        if atom.shape == ():
            return atom
        if atom.shape == (rows, 1):
            return algebra.view(atom, (rows,))
        return algebra.atom(PICKED, (atom, atom_of), (rows,), positive=atom.positive)

    changed = {atom: of(atom) for atom in sorted(atoms, key=lambda atom: atom.number)}
    terms = []
    for product, coefficient in total.terms:
        moved = tuple(sorted(((changed[atom], e) for atom, e in product), key=lambda factor: factor[0].number))
        terms.append(Total((rows,), ((moved, coefficient),)))
    return added([Total((rows,), ()), *terms])


def hot_rows(algebra: Algebra, places: Traced, classes: int) -> Total:
    """One-hot rows: (n,) places among so many classes."""
    shape = (*places.shape, classes)
    return one(algebra.atom(HOT, (places.total.atom,), shape, sparse=True, positive=True))


@rule("onehot")
def _one_hot(use: Use) -> Total | None:
    return hot_rows(use.algebra, use["x"], use.sample.shape[-1]) if is_places(use["x"]) else None


@rule("placed")
def _placed(use: Use) -> Total | None:
    """`x[range(n), y] = value` into zeros: one-hot rows times the value."""
    x, index, values = use["x"], use["index"], use["values"]
    if not x.total.is_zero or not row_by_row(index, use.sample) or not of_float(values):
        return None
    value = total_of(values)
    tall = use.algebra.reshaped(value, (*value.shape, 1)) if value.shape else value
    return use.algebra.times(hot_rows(use.algebra, index[1], use.sample.shape[1]), tall)


@rule("indexput")
def _index_put(use: Use) -> Total | None:
    indices, values = use["indices"], use["values"]
    if not (
        use.given.get("accumulate") and len(indices) == 1 and is_places(indices[0]) and _floats(use.sample, values)
    ):
        return None
    if not use["x"].total.is_zero or use.sample.ndim != 2:
        return None
    reads = use.algebra.whole(values.total), indices[0].total.atom
    return one(use.algebra.atom(SCATTERED, reads, tuple(use.sample.shape)))
