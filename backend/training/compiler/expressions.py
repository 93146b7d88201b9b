"""What the compiler computes with: sums of products of atoms, each of which is a tensor that something else makes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

import torch

from backend.engine.ops.base import Shape, broadcast_shape

# A coefficient this small beside what it was added up from is a rounding error of the number 0.
NOTHING = 1e-12


@dataclass(eq=False)
class Atom:
    """A tensor that one operation makes: its `kind`, what it reads, and what else decides its numbers.

    Two atoms that are made in the same way are the same object. `sparse` is for one with few cells that are not zero;
    `positive` for one with no cell below zero.
    """

    number: int
    kind: str
    reads: tuple[Hashable, ...]
    shape: Shape
    dtype: torch.dtype
    sparse: bool = False
    positive: bool = False

    @cached_property
    def cells(self) -> int:
        """How many numbers it holds."""
        return math.prod(self.shape)


Product = tuple[tuple[Atom, float], ...]  # atoms with their exponents, in the order of their numbers


@dataclass(frozen=True)
class Total:
    """A sum of products, each with a coefficient, that fills a shape by broadcasting; no terms at all are zeros."""

    shape: Shape
    terms: tuple[tuple[Product, float], ...]

    @cached_property
    def _hash(self) -> int:
        return hash((self.shape, self.terms))

    def __hash__(self) -> int:
        return self._hash

    @property
    def is_zero(self) -> bool:
        """Whether every cell is zero."""
        return not self.terms

    @property
    def atom(self) -> Atom | None:
        """The atom that it is, where it is one and nothing else; its shape may have other leading ones."""
        if len(self.terms) == 1:
            product, coefficient = self.terms[0]
            if coefficient == 1 and len(product) == 1 and product[0][1] == 1 and product[0][0].cells == self.cells:
                return product[0][0]
        return None

    @cached_property
    def cells(self) -> int:
        """How many numbers it fills."""
        return math.prod(self.shape)

    def weight(self, product: Product) -> float:
        """How many factors of a product are as large as the whole, so that multiplying them costs something."""
        return sum(
            max(abs(e), 1) for atom, e in product if atom.cells == self.cells and self.cells > 1 and not atom.sparse
        )


def constant(value: float, shape: Shape = ()) -> Total:
    """One number in every cell."""
    return Total(shape, (((), float(value)),) if value else ())


def one(atom: Atom) -> Total:
    """An atom by itself."""
    return Total(atom.shape, ((((atom, 1.0),), 1.0),))


def added(parts: Iterable[Total]) -> Total:
    """The sum of several, term by term."""
    parts = list(parts)
    shape = broadcast_shape(*(part.shape for part in parts))
    assert shape is not None
    sums: dict[Product, tuple[float, float]] = {}
    for part in parts:
        for product, coefficient in part.terms:
            total, most = sums.get(product, (0.0, 0.0))
            sums[product] = total + coefficient, max(most, abs(coefficient))
    kept = [(product, total) for product, (total, most) in sums.items() if abs(total) > NOTHING * most]
    return Total(shape, tuple(sorted(kept, key=_place)))


def _place(term: tuple[Product, float]) -> tuple[tuple[int, float], ...]:
    return tuple((atom.number, exponent) for atom, exponent in term[0])


def scaled(total: Total, factor: float) -> Total:
    """A multiple."""
    if not factor:
        return Total(total.shape, ())
    return Total(total.shape, tuple((product, factor * coefficient) for product, coefficient in total.terms))


def distributed(left: Total, right: Total) -> Total:
    """The product of two sums, every term with every term."""
    shape = broadcast_shape(left.shape, right.shape)
    assert shape is not None
    pairs = [Total(shape, ((joined(p, q), c * d),)) for p, c in left.terms for q, d in right.terms]
    return added([Total(shape, ()), *pairs])


def joined(left: Product, right: Product) -> Product:
    """The product of two products: exponents of the same atom add up, and 0 of them is none."""
    exponents: dict[Atom, float] = {}
    for atom, exponent in (*left, *right):
        exponents[atom] = 1.0 if atom.kind == HOT and atom in exponents else exponents.get(atom, 0.0) + exponent
    kept = [(atom, exponent) for atom, exponent in exponents.items() if exponent]
    return tuple(sorted(kept, key=lambda factor: factor[0].number))


HOT = "one-hot rows"  # whose cells are 0 and 1, so that its powers are itself
