"""Identities of tensors: products of sums, powers, sums along axes, written so that whatever cancels is gone.

The closed forms of softmax with cross-entropy and of batchnorm come out of the printed small steps by these alone:
a count divided by itself is 1, a row of probabilities adds up to 1, distances from a mean add up to 0.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import torch

from backend.engine.ops.base import Shape, broadcast_shape
from backend.training.compiler.expressions import (
    HOT,
    Atom,
    Product,
    Total,
    added,
    constant,
    distributed,
    joined,
    one,
    scaled,
)

SEALED, NAMED, SUM, VIEW, TURNED, EXP, LOG, PICKED = "sealed", "named", "sum", "view", "turned", "exp", "log", "picked"
MOST_TERMS = 6
# A tensor this many times smaller than the largest one costs nothing beside it.
SMALL = 8


class Algebra:
    """Makes atoms, each once, and knows what may be rewritten."""

    def __init__(self, dtype: torch.dtype, most_cells: int = 0) -> None:
        """`most_cells` are those of the largest tensor: what is small beside it is left open, so that it may cancel."""
        self.dtype, self.costly = dtype, most_cells // SMALL
        self.atoms: dict[Hashable, Atom] = {}
        self.seals: list[Atom] = []

    def atom(
        self, kind: str, reads: tuple[Hashable, ...], shape: Shape, dtype: torch.dtype | None = None, **traits: bool
    ) -> Atom:
        """The atom that is made in this way."""
        key = kind, reads, shape, dtype or self.dtype
        if key not in self.atoms:
            made = self.atoms[key] = Atom(len(self.atoms), kind, reads, shape, dtype or self.dtype, **traits)
            if kind == SEALED and isinstance(reads[0], Total) and len(reads[0].terms) > 1:
                self.seals.append(made)
        return self.atoms[key]

    def whole(self, total: Total) -> Atom:
        """The atom that holds all of a sum's cells: itself, or one to be worked out once."""
        atom = total.atom
        if atom is not None and atom.shape == total.shape:
            return atom
        return self.atom(SEALED, (total,), total.shape)

    def sealed(self, total: Total) -> Total:
        """The same with what is costly in it behind one atom; small factors and the coefficient stay outside."""
        if len(total.terms) != 1:
            return one(self.whole(total))
        product, coefficient = total.terms[0]
        large = tuple(factor for factor in product if factor[0].cells == total.cells)
        small = tuple(factor for factor in product if factor[0].cells != total.cells)
        inner = Total(total.shape, ((large, 1.0),))
        if not large or inner.atom is not None:
            return total
        atom = self.whole(inner)
        return Total(total.shape, ((joined(small, ((atom, 1.0),)), coefficient),))

    def settled(self, total: Total) -> Total:
        """What a name stands for from now on: costly products are worked out once, the rest stays open."""
        if total.cells < self.costly:
            return total
        return self.sealed(total) if any(total.weight(product) > 1 for product, _ in total.terms) else total

    def named(self, total: Total) -> Total:
        """What a name stands for where every line is to be worked out as it is printed."""
        return total if total.atom is not None or total.is_zero else one(self.atom(NAMED, (total,), total.shape))

    def times(self, left: Total, right: Total) -> Total:
        """A product; sums are multiplied out only where that costs nothing."""
        left, right = self._known(left), self._known(right)
        if len(left.terms) <= 1 and len(right.terms) <= 1:
            return distributed(left, right)
        if len(left.terms) * len(right.terms) <= MOST_TERMS:
            open_ = distributed(left, right)
            if all(open_.weight(product) <= 1 for product, _ in open_.terms):
                return open_
        return distributed(*(self.sealed(part) if len(part.terms) > 1 else part for part in (left, right)))

    def _known(self, total: Total) -> Total:
        """A sum that is worked out anyway, as one atom."""
        atom = self.atoms.get((SEALED, (total,), total.shape, self.dtype)) if len(total.terms) > 1 else None
        return total if atom is None else one(atom)

    def power(self, total: Total, exponent: float) -> Total:
        """A power with a number as its exponent."""
        if exponent == 0:
            return constant(1.0, total.shape)
        if len(total.terms) == 1:
            product, coefficient = total.terms[0]
            lone = len(product) == 1 and product[0][1] == 1 and coefficient > 0
            if float(exponent).is_integer() or lone or (not product and coefficient > 0):
                raised = tuple((atom, e if atom.kind == HOT else e * exponent) for atom, e in product)
                if not any(atom.kind == HOT for atom, _ in product) or exponent > 0:
                    return Total(total.shape, ((raised, coefficient**exponent),))
        if total.is_zero and exponent > 0:
            return total
        return Total(total.shape, ((((self.whole(total), exponent),), 1.0),))

    def logarithm(self, total: Total) -> Total:
        """A logarithm; that of a product of exponentials and totals of them is a sum."""
        if len(total.terms) == 1 and total.terms[0][1] > 0 and all(a.positive for a, _ in total.terms[0][0]):
            product, coefficient = total.terms[0]
            parts = [constant(math.log(coefficient), total.shape)]
            for atom, exponent in product:
                inner = atom.reads[0] if atom.kind == EXP else one(self.atom(LOG, (one(atom),), atom.shape))
                assert isinstance(inner, Total)
                parts.append(scaled(inner, exponent))
            return added(parts)
        return one(self.atom(LOG, (total,), total.shape))

    # Sums along axes.
    def sum(self, total: Total, axes: Sequence[int]) -> Total:
        """The sum along axes, which stay with length 1; of several terms where that leaves one sum at most to do."""
        shape = tuple(1 if axis in axes else size for axis, size in enumerate(total.shape))
        if total.is_zero:
            return Total(shape, ())
        parts = [self._summed(total, term, axes) for term in total.terms]
        new = {part for known, part in parts if not known}
        if len(new) > 1:
            whole = one(self.whole(total))
            return self._made(whole, axes, shape)
        return added(
            [Total(shape, ()), *(self._made(Total(total.shape, (term,)), axes, shape) for term in total.terms)]
        )

    def _apart(self, total: Total, term: tuple[Product, float], axes: Sequence[int]) -> tuple[Product, Product]:
        """The factors of a term that vary along the axes, and those that don't."""
        last = {axis - len(total.shape) for axis in axes}
        varying = tuple(f for f in term[0] if any(-back <= len(f[0].shape) and f[0].shape[back] != 1 for back in last))
        return varying, tuple(f for f in term[0] if f not in varying)

    def _summed(self, total: Total, term: tuple[Product, float], axes: Sequence[int]) -> tuple[bool, Hashable]:
        """Whether a term's sum is known or nothing to do, and what tells it from others."""
        varying, _ = self._apart(total, term, axes)
        if not varying or self._hot_rows(varying, total.shape, axes):
            return True, None
        inner, key_axes, shape = self._inner(total, varying, axes)
        known = (SUM, (inner, key_axes), shape, self.dtype) in self.atoms or self._nothing(inner, key_axes)
        return known, inner

    def _inner(self, total: Total, varying: Product, axes: Sequence[int]) -> tuple[Total, tuple[int, ...], Shape]:
        shape = broadcast_shape(*(atom.shape for atom, _ in varying)) or ()
        lead = len(total.shape) - len(shape)
        own = tuple(sorted(axis - lead for axis in axes if axis >= lead and shape[axis - lead] != 1))
        return Total(shape, ((varying, 1.0),)), own, tuple(1 if i in own else size for i, size in enumerate(shape))

    def _made(self, total: Total, axes: Sequence[int], shape: Shape) -> Total:
        """The sum of one term: what doesn't vary along the axes stands in front."""
        ((product, coefficient),) = total.terms
        varying, steady = self._apart(total, (product, coefficient), axes)
        copies = 1
        inner, own, inner_shape = self._inner(total, varying, axes) if varying else (total, (), ())
        lead = len(total.shape) - len(inner.shape)
        for axis in axes:
            if not varying or axis - lead not in own:
                copies *= total.shape[axis]
        front = Total(shape, ((steady, coefficient * copies),))
        if not varying:
            return front
        if self._hot_rows(varying, total.shape, axes):
            return scaled(front, 1 / copies)
        if self._nothing(inner, own):
            return Total(shape, ())
        positive = all(atom.positive for atom, _ in varying)
        atom = self.atom(SUM, (inner, own), inner_shape, positive=positive)
        return Total(shape, distributed(front, one(atom)).terms)

    @staticmethod
    def _hot_rows(varying: Product, shape: Shape, axes: Sequence[int]) -> bool:
        """Whether these are one-hot rows alone, summed along their rows: each has a single 1."""
        return len(varying) == 1 and varying[0][0].kind == HOT and tuple(axes) == (len(shape) - 1,)

    def _nothing(self, inner: Total, axes: Sequence[int]) -> bool:
        """Whether what is summed adds up to zero, as distances from a mean do."""
        atom = inner.atom
        if atom is None or atom.kind != SEALED:
            return False
        behind = atom.reads[0]
        assert isinstance(behind, Total)
        if len(behind.terms) < 2:
            return False
        if any(not self._summed(behind, term, axes)[0] for term in behind.terms):
            return False
        shape = tuple(1 if axis in axes else size for axis, size in enumerate(behind.shape))
        return added([self._made(Total(behind.shape, (term,)), axes, shape) for term in behind.terms]).is_zero

    # Shapes.
    def reshaped(self, total: Total, shape: Shape) -> Total:
        """The same cells in the same order under another shape."""
        if _bare(total.shape) == _bare(shape):
            return Total(shape, tuple(total.terms))
        full = all(a.cells in (1, total.cells) and a.kind != HOT for product, _ in total.terms for a, _ in product)
        if not full:
            return one(self.view(self.whole(total), shape))
        terms = [
            Total(shape, ((tuple((self.view(a, shape) if a.cells > 1 else a, e) for a, e in product), c),))
            for product, c in total.terms
        ]
        return added([Total(shape, ()), *(Total(shape, ((joined(t.terms[0][0], ()), t.terms[0][1]),)) for t in terms)])

    def view(self, atom: Atom, shape: Shape) -> Atom:
        """An atom under another shape."""
        if atom.kind == VIEW:
            atom = _read(atom)
        return atom if atom.shape == shape else self.atom(VIEW, (atom,), shape, atom.dtype, positive=atom.positive)

    def turned(self, total: Total, order: tuple[int, ...]) -> Total:
        """The same with its axes in another order."""
        atom = self.whole(total)
        if order == tuple(range(len(order))):
            return total
        return one(self.atom(TURNED, (atom, order), tuple(total.shape[axis] for axis in order), atom.dtype))

    def compact(self, total: Total) -> Total:
        """The same with parts that are worked out anyway in place of their terms."""
        for atom in self.seals:
            behind = atom.reads[0]
            assert isinstance(behind, Total)
            terms = dict(total.terms)
            if len(behind.terms) >= len(terms) or behind.shape != total.shape:
                continue
            ratios = {terms[product] / c if product in terms else None for product, c in behind.terms}
            ratio = ratios.pop() if len(ratios) == 1 else None
            if ratio is not None:
                total = added([total, scaled(behind, -ratio), scaled(one(atom), ratio)])
        return total


def _bare(shape: Shape) -> Shape:
    """A shape without the ones in front, which broadcasting puts there by itself."""
    while shape and shape[0] == 1:
        shape = shape[1:]
    return shape


def _read(atom: Atom) -> Atom:
    (read,) = atom.reads
    assert isinstance(read, Atom)
    return read
