"""Sums over named indices: a factor's gradient is the same sum, with what arrives in the factor's place."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

from backend.engine.ops.base import Call, Shape
from backend.engine.ops.product import Product

LETTERS = ascii_letters
ALONE = "Cells of {x} were added up or rearranged: each gets the gradient of the cell it went into."


@dataclass(frozen=True)
class Equation:
    """The index letters of each factor and of the result, in which `...` stands for letters too."""

    factors: tuple[str, ...]
    result: str

    def lengths(self, shapes: Sequence[Shape]) -> dict[str, int]:
        """How long each index is; a factor of length 1 is copied along the others'."""
        found: dict[str, int] = {}
        for letters, shape in zip(self.factors, shapes, strict=True):
            for letter, length in zip(letters, shape, strict=True):
                found[letter] = length if found.get(letter, 1) == 1 else found[letter]
        return found

    def multiplications(self, shapes: Sequence[Shape]) -> int:
        """The products that are summed when the factors are multiplied one after the other."""
        lengths, total = self.lengths(shapes), 0
        first, *others = self.factors
        made = set(first)
        for place, letters in enumerate(others, 1):
            needed = set(self.result).union(*self.factors[place + 1 :])
            shared = made & set(letters)
            own = (made ^ set(letters)) - needed  # summed before, in the factor that has them alone
            made = (made | set(letters)) - own
            if shared - needed:
                total += math.prod(lengths[letter] for letter in made)
                made &= needed
        return total


def read(text: str, ranks: Sequence[int]) -> Equation | None:
    """An equation on factors of these ranks; None where it does not name each axis once."""
    left, arrow, right = text.replace(" ", "").partition("->")
    factors, free = left.split(","), [letter for letter in LETTERS if letter not in text]
    if len(factors) != len(ranks):
        return None
    extra = [rank - len(factor.replace("...", "", 1)) for factor, rank in zip(factors, ranks, strict=True)]
    spelled = tuple(factor.replace("...", _dots(free, more), 1) for factor, more in zip(factors, extra, strict=True))
    dots = _dots(free, max(extra))
    once = "".join(sorted(letter for letter, times in Counter(left).items() if times == 1 and letter.isalpha()))
    result = right.replace("...", dots, 1) if arrow else (dots if "..." in left else "") + once
    named = all(len(letters) == rank for letters, rank in zip(spelled, ranks, strict=True))
    letters = "".join(spelled)
    plain = all(letter.isalpha() for letter in letters) and len(set(result)) == len(result)
    return Equation(spelled, result) if named and plain and set(result) <= set(letters) else None


def _dots(free: list[str], count: int) -> str:
    """What `...` stands for: counted from the end, as broadcasting counts."""
    return "".join(reversed(free[: max(count, 0)]))


class Einsum(Product):
    """Products summed over the indices that the equation leaves out (Einstein's convention)."""

    written = ("torch.einsum(equation, *tensors)",)
    backward = {"tensors": "term"}
    why_not_exact = "autograd multiplies matrices laid out otherwise, which add in another order"
    seldom_differs = True
    because = {
        "tensors": "A sum of products: the gradient of one factor is the same sum, with the upstream gradient in its place."
    }
    does = "{it} sums products over the indices missing on the right of the arrow."
    variadic = "tensors"
    samples = (
        "(2,3) (3,4) equation='ij,jk->ik'", "(2,3) equation='ij->j'", "(2,3) (2,3) equation='ij,ij->'",
        "(2,2,3) (2,4,3) equation='bij,bkj->bik'", "(2,3) (4,) (3,) equation='ij,k,j->ik'",
        "(2,3) (3,4) equation='ij,jk'", "(3,3) equation='ii->i'", "(3,3) equation='ii'", "(2,3,3) (3,) equation='bii,i->b'",
        "(2,2,3) (2,3,4) equation='...ij,...jk->...ik'", "(3,2) (3,4,2) equation='i...,ij...'", "(2,3,3) equation='...ii->...'",
        "(1,3) (2,3) equation='ij,ij->i'", "(2,1,3) (4,3) equation='...j,...j->...'", "(2,3) (1,) equation='ij,j->i'",
    )  # fmt: skip

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        equation, tensors = bound["equation"], bound["tensors"]
        listed = isinstance(equation, str) and isinstance(tensors, tuple | list) and all(map(is_tensor, tensors))
        return listed and read(equation, [len(tensor.shape) for tensor in tensors]) is not None

    @classmethod
    def multiplications(cls, bound: Mapping[str, Any], out: Shape) -> int:
        """Factor by factor, as torch goes: two that share an index which nobody needs any more are a matrix product."""
        shapes = [tuple(tensor.shape) for tensor in bound["tensors"]]
        equation = read(bound["equation"], [len(shape) for shape in shapes])
        return equation.multiplications(shapes) if equation else 0

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        alone = len(call.parameters["tensors"]) == 1
        return ALONE if alone else super().because_for(name, call)

    @classmethod
    def cell_for(cls, call: Call) -> str:
        product, subscripts = " * ".join(call.shapes), cls.subscripts(call)
        return f"sum({product})" if any(letter.isupper() for letter in subscripts) else product if subscripts else ""

    @classmethod
    def subscripts(cls, call: Call) -> str:
        shapes = [tensor.shape for tensor in call.parameters["tensors"]]
        equation = read(call.parameters["equation"], [len(shape) for shape in shapes])
        if equation is None or any(len(set(letters)) < len(letters) for letters in equation.factors):
            return ""
        lengths, right = equation.lengths(shapes), equation.result
        used = dict.fromkeys(right + "".join(equation.factors))
        names = {old: new if old in right else new.upper() for old, new in zip(used, LETTERS, strict=False)}
        places = [zip(letters, shape, strict=True) for letters, shape in zip(equation.factors, shapes, strict=True)]
        left = ["".join("1" if n == 1 != lengths[letter] else names[letter] for letter, n in own) for own in places]
        return f"{','.join(left)}->{''.join(names[letter] for letter in right)}"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shapes = [tensor.shape for tensor in call.parameters["tensors"]]
        equation, number = read(call.parameters["equation"], [len(shape) for shape in shapes]), int(call.at[1:])
        assert equation is not None
        lengths, others = equation.lengths(shapes), [i for i in range(len(shapes)) if i != number]
        own, diagonals = apart(equation.factors[number], "".join(equation.factors))
        copied = [size == 1 != lengths.get(letter, 1) for letter, size in zip(own, shapes[number], strict=True)]
        kept = [letter for letter, is_copied in zip(own, copied, strict=True) if not is_copied]
        told = set(equation.result).union(*diagonals, *(full(equation.factors[i], shapes[i], lengths) for i in others))
        subscripts = [equation.result, *(equation.factors[i] for i in others), *diagonals]
        names = ["g", *(f"t{i}" for i in others), *(f"torch.eye({lengths[pair[0]]})" for pair in diagonals)]
        if not told.issuperset(kept):
            subscripts, names = [*subscripts, own], [*names, "torch.ones_like(x)"]
        term = f"torch.einsum('{','.join(subscripts)}->{''.join(kept)}', {', '.join(names)})"
        return {"term": term + (".reshape(x.shape)" if any(copied) else "")}


def apart(own: str, taken: str) -> tuple[str, list[str]]:
    """A factor's letters with a new one for each repetition, and the pairs that stand for one index."""
    free = iter(letter for letter in LETTERS if letter not in taken)
    letters, pairs = "", []
    for letter in own:
        letters += letter if letter not in letters else next(free)
        if letters[-1] != letter:
            pairs.append(letter + letters[-1])
    return letters, pairs


def full(letters: str, shape: Shape, lengths: Mapping[str, int]) -> set[str]:
    """The indices along which a factor has its whole length."""
    return {letter for letter, size in zip(letters, shape, strict=True) if size == lengths[letter]}
