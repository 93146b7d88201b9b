"""From totals to a list of calls: each writes its result into an array that was made for it once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from backend.engine.ops.base import Shape
from backend.training.compiler.algebra import Algebra
from backend.training.compiler.expressions import HOT, Atom, Product, Total
from backend.training.compiler.kernels import KERNELS

Array = npt.NDArray[Any]
Kernel = Callable[[], object]
NUMPY = {
    torch.float32: np.float32, torch.float64: np.float64, torch.int64: np.int64, torch.int32: np.int32,
    torch.bool: np.bool_,
}  # fmt: skip
# Half powers and whole ones up to here are products of a root; others call `power`.
MOST_FACTORS = 4


Ready = tuple[tuple[Array | None, float], tuple[Product, float]]  # a term's array and sign, and the term


class Emitter:
    """Makes arrays for totals, and the calls that fill them, in an order in which each finds what it reads."""

    def __init__(self, algebra: Algebra, given: Mapping[Atom, Array], calls: Mapping[Atom, Any]) -> None:
        self.algebra, self.calls = algebra, calls
        self.dtype = NUMPY[algebra.dtype]
        self.kernels: list[Kernel] = []
        self.arrays: dict[Any, Array] = dict(given)
        self.destinations: dict[Atom, Array] = {}

    def emit(self, function: Callable[..., object], *args: Any, **named: Any) -> None:
        """Add a call."""
        self.kernels.append(partial(function, *args, **named))

    def fresh(self, shape: Shape, dtype: Any = None) -> Array:
        """An array for a result."""
        return np.zeros(shape, dtype or self.dtype)

    def number(self, value: float) -> Array:
        """A number as NumPy reads it quickest."""
        return np.array(value, self.dtype)

    # Totals.
    def into(self, total: Total, out: Array) -> None:
        """Have a total worked out in an array of its shape."""
        atom = total.atom
        if atom is not None and atom not in self.arrays:
            self.destinations.setdefault(atom, out.reshape(atom.shape))

    def finish(self, total: Total, out: Array) -> None:
        """See to it that it is there at the end."""
        made = self.array(total)
        if not np.shares_memory(made, out):
            if total.is_zero or not self._varies(total):
                out[...] = made
            else:
                self.emit(np.copyto, out, made)

    def _varies(self, total: Total) -> bool:
        return any(product for product, _ in total.terms)

    def array(self, total: Total) -> Array:
        """The array that will hold a total."""
        if total not in self.arrays:
            atom = total.atom
            made = self.atom(atom).reshape(total.shape) if atom is not None else self._worked_out(total)
            self.arrays[total] = made
        return self.arrays[total]

    def _worked_out(self, total: Total, out: Array | None = None) -> Array:
        if not self._varies(total):
            return np.full(total.shape, sum(c for _, c in total.terms), self.dtype)
        total = self.algebra.compact(total)
        if out is None and (raised := _lone(total)):
            return self.power(*raised).reshape(total.shape)
        out = self.fresh(total.shape) if out is None else out
        ready = [(self._ready(total, term), term) for term in total.terms]
        for (array, sign), (product, coefficient) in self._begun(total, ready, out):
            if array is None:
                array, sign = self.part(total.shape, product, abs(coefficient)), math.copysign(1, coefficient)
            self.emit(np.add if sign > 0 else np.subtract, out, array, out)
        return out

    def _begun(self, total: Total, ready: list[Ready], out: Array) -> list[Ready]:
        """Write one term or two that need no product, and say what is left to be added."""
        products = [one for one in ready if one[0][0] is None]
        if products:
            self.product(total.shape, *products[0][1], out)
            return [one for one in ready if one is not products[0]]
        ((first, sign), _), *rest = sorted(ready, key=lambda one: -one[0][1])
        assert first is not None
        if not rest:
            self.emit(np.multiply, first, self.number(sign), out)
        elif sign < 0:
            self.emit(np.negative, first, out)
            return rest
        else:
            ((second, other), _), *rest = rest
            assert second is not None
            self.emit(np.add if other > 0 else np.subtract, first, second, out)
        return rest

    def _ready(self, total: Total, term: tuple[Product, float]) -> tuple[Array | None, float]:
        """A term that needs no further product, with its sign; None where it does."""
        product, coefficient = term
        if not product:
            return self.number(abs(coefficient)), math.copysign(1, coefficient)
        if abs(coefficient) == 1 and len(product) == 1:
            return self._fitting(self.power(*product[0]), total.shape), coefficient
        if all(atom.cells < total.cells for atom, _ in product):
            return self._fitting(self.small(product, abs(coefficient)), total.shape), math.copysign(1, coefficient)
        if len(product) == 1 and product[0][0].kind == HOT:
            return self.hot(product[0][0], abs(coefficient)), math.copysign(1, coefficient)
        return None, 1.0

    def part(self, shape: Shape, product: Product, coefficient: float) -> Array:
        """A product worked out by itself."""
        key = product, coefficient, shape
        if key not in self.arrays:
            self.arrays[key] = out = self.fresh(shape)
            self.product(shape, product, coefficient, out)
        return self.arrays[key]

    def product(self, shape: Shape, product: Product, coefficient: float, out: Array) -> None:
        """Multiply what is small first, with the coefficient, and then by each factor that is as large as the whole."""
        cells = math.prod(shape)
        large = [self._fitting(self.power(atom, e), shape) for atom, e in product if atom.cells == cells]
        small = tuple(factor for factor in product if factor[0].cells != cells)
        if small or coefficient != 1 or len(large) == 1:
            front = self.small(small, coefficient) if small else self.number(coefficient)
            large.append(self._fitting(front, shape))
        first, *rest = large
        if not rest:
            self.emit(np.copyto, out, first)
        for place, factor in enumerate(rest):
            self.emit(np.multiply, first if place == 0 else out, factor, out)

    def small(self, product: Product, coefficient: float) -> Array:
        """A product of small factors and a number."""
        if len(product) == 1 and coefficient == 1:
            return self.power(*product[0])
        first, *rest = sorted((self.power(atom, e) for atom, e in product), key=lambda array: array.size)
        for other in rest:
            first = self._times(first, other)
        if coefficient == 1:
            return first
        key = id(first), coefficient
        if key not in self.arrays:
            self.arrays[key] = out = self.fresh(first.shape)
            self.emit(np.multiply, first, self.number(coefficient), out)
        return self.arrays[key]

    def _times(self, left: Array, right: Array) -> Array:
        """A product of two small ones, which others may share."""
        key = id(left), id(right)
        if key not in self.arrays:
            self.arrays[key] = out = self.fresh(np.broadcast_shapes(left.shape, right.shape))
            self.emit(np.multiply, left, right, out)
        return self.arrays[key]

    def _fitting(self, array: Array, shape: Shape) -> Array:
        """An array without leading ones that a shape doesn't have."""
        lead = array.ndim - len(shape)
        return array.reshape(array.shape[lead:]) if lead > 0 else array

    # Atoms and their powers.
    def power(self, atom: Atom, exponent: float) -> Array:
        """The array of an atom raised to a power."""
        if exponent == 1:
            return self.atom(atom)
        key = atom, exponent
        if key not in self.arrays:
            out = self.fresh(atom.shape)
            self._raise(atom, exponent, out)
            self.arrays[key] = out
        return self.arrays[key]

    def _raise(self, atom: Atom, exponent: float, out: Array) -> None:
        doubled = abs(exponent) * 2
        if exponent == 2:
            self.emit(np.square, self.atom(atom), out)
        elif exponent == 0.5:
            self.emit(np.sqrt, self.atom(atom), out)
        elif exponent in (-1, -0.5):
            self.emit(np.reciprocal, self.power(atom, -exponent), out)
        elif doubled.is_integer() and doubled <= MOST_FACTORS:
            half = math.copysign(0.5 if doubled % 2 else 1, exponent)
            root, times = self.power(atom, half), int(abs(exponent / half))
            self.emit(np.multiply, root, root, out)
            for _ in range(times - 2):
                self.emit(np.multiply, out, root, out)
        else:
            self.emit(np.power, self.atom(atom), self.number(exponent), out)

    def hot(self, atom: Atom, coefficient: float) -> Array:
        """One-hot rows times a number: rows of a scaled identity matrix."""
        key = atom, "times", coefficient
        if key not in self.arrays:
            (places,) = atom.reads
            table: Array = np.eye(atom.shape[-1], dtype=self.dtype) * self.number(coefficient)
            self.arrays[key] = out = self.fresh(atom.shape)
            assert isinstance(places, Atom)
            self.emit(np.take, table, self.atom(places), 0, out, "clip")
        return self.arrays[key]

    def atom(self, atom: Atom) -> Array:
        """The array of an atom, and what fills it."""
        if atom not in self.arrays:
            if atom.kind == HOT:
                self.arrays[atom] = self.hot(atom, 1.0)
            else:
                self.arrays[atom] = KERNELS[atom.kind](self, atom)
        return self.arrays[atom]

    def place(self, atom: Atom) -> Array:
        """Where an atom is worked out: where somebody wants it, or an array of its own."""
        wanted = self.destinations.get(atom)
        return self.fresh(atom.shape, NUMPY[atom.dtype]) if wanted is None else wanted

    def sealed(self, atom: Atom) -> Array:
        """What stands behind one atom, worked out at its place."""
        (total,) = atom.reads
        assert isinstance(total, Total)
        if total in self.arrays:
            return self.arrays[total]
        behind = total.atom
        if behind is not None:
            return self.array(total)
        made = self._worked_out(total, self.destinations.get(atom))
        self.arrays[total] = made
        return made


def _lone(total: Total) -> tuple[Atom, float] | None:
    """The atom and the exponent that a total is, where it is a power and nothing else."""
    if len(total.terms) == 1 and total.terms[0][1] == 1 and len(total.terms[0][0]) == 1:
        atom, exponent = total.terms[0][0][0]
        return (atom, exponent) if atom.cells == total.cells else None
    return None
