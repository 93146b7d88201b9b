"""Binds the summation indices of a finished formula to free letters."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping, Sequence

from backend.engine.language.tree import names_in, number
from backend.lines.index_notation.indexed_tensor import IndexPool, NotExpressible
from backend.lines.index_notation.scalar_expr import fold_of, folded, mapped, simple

Split = tuple[int, int]


class Bound:
    """Assigns free letters to summation indices; the result's own indices have theirs already.

    A letter's range is the length of the axes that it indexes alone. If there is no such axis, or their lengths
    differ, its end is written out: `Σ_k<6`. Raises NotExpressible when letters run out.
    """

    def __init__(
        self, alphabet: Sequence[str], letters: IndexPool, own: Sequence[str], shapes: Mapping[str, tuple[int, ...]]
    ) -> None:
        self.letters, self.shapes = letters, shapes
        self.free = [letter for letter in alphabet if letter not in own]
        self.given = {letter: letter for letter in own}

    def written(self, node: ast.expr) -> ast.expr:
        """The expression with a letter for every summation index."""
        fold = fold_of(node)
        if fold is not None:
            return self.fold(*fold)
        if isinstance(node, ast.Name):
            return ast.Name(self.given[node.id], ast.Load()) if node.id in self.given else node
        return mapped(node, self.written)

    def fold(self, kind: str, places: list[str], body: ast.expr) -> ast.expr:
        """A sum, product, maximum or minimum."""
        for place in places:
            body, places = self.apart(place, places, body)
        used, before = names_in(body), dict(self.given)
        running = [place for place in places if place in used]
        taken = set(before.values())
        spare = [letter for letter in self.free if letter not in taken]
        if len(spare) < len(running):
            raise NotExpressible
        self.given |= dict(zip(running, spare, strict=False))
        made = folded(kind, [self.letter(place, body) for place in running], self.written(body))
        self.given = before
        times = math.prod(self.letters.sizes[place] for place in places if place not in used)
        return made if times == 1 else _repeated(kind, times, made)

    def letter(self, place: str, body: ast.expr) -> ast.expr:
        """The letter of a summation index, with its end if the tensors in the body don't determine it."""
        name, size = self.given[place], self.letters.sizes[place]
        return ast.Name(name if self.lengths(place, body) == {size} else f"{name}<{size}", ast.Load())

    def lengths(self, place: str, body: ast.expr) -> set[int]:
        """The lengths of all axes that this index alone indexes."""
        found = set()
        for part in ast.walk(body):
            match part:
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=index)):
                    items = zip(index, self.shapes[name], strict=True)
                    found |= {size for item, size in items if isinstance(item, ast.Name) and item.id == place}
        return found

    def apart(self, place: str, places: list[str], body: ast.expr) -> tuple[ast.expr, list[str]]:
        """Split an index that occurs only as `k // 4` and `k % 4` into two indices."""
        digits = sorted(set(_digits(place, body)), reverse=True)
        lengths = _lengths(self.letters.sizes[place], digits)
        if not lengths:
            return body, places
        fresh = {digit: self.letters.fresh(length) for digit, length in zip(digits, lengths, strict=True)}
        made = [letter.id for letter in fresh.values() if isinstance(letter, ast.Name)]
        at = places.index(place)
        return _with_digits(place, body, fresh), [*places[:at], *made, *places[at + 1 :]]


def _digit(place: str, node: ast.expr) -> Split | None:
    """(each, size) of `place // each % size`; size is 0 without `%`, and (1, 0) is the index itself; else None."""
    match node:
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            inner = _digit(place, left)
            return None if inner is None or inner[1] else (inner[0], int(number(right) or 0))
        case ast.BinOp(left=ast.Name(id=name), op=ast.FloorDiv(), right=right) if name == place:
            return int(number(right) or 0), 0
        case ast.Name(id=name) if name == place:
            return 1, 0
    return None


def _digits(place: str, node: ast.expr) -> Iterator[Split]:
    found = _digit(place, node)
    if found is not None:
        yield found
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _digits(place, child)


def _lengths(size: int, digits: list[Split]) -> list[int]:
    """The range of each digit of an index below `size`; empty unless the digits determine the index."""
    ends = [size, *(each for each, _ in digits[:-1])]
    parts = list(zip(ends, digits, strict=True)) if len(digits) > 1 and digits[-1][0] == 1 else []
    if any(end % each or n not in ((0, size // each) if end == size else (end // each,)) for end, (each, n) in parts):
        return []
    return [end // each for end, (each, _) in parts]


def _with_digits(place: str, node: ast.expr, fresh: Mapping[Split, ast.expr]) -> ast.expr:
    found = _digit(place, node)
    return mapped(node, lambda part: _with_digits(place, part, fresh)) if found is None else fresh[found]


def _repeated(kind: str, count: int, body: ast.expr) -> ast.expr:
    """A fold over `count` indices that its body doesn't read."""
    if kind == "sum":
        return simple(ast.BinOp(ast.Constant(count), ast.Mult(), body))
    return ast.BinOp(body, ast.Pow(), ast.Constant(count)) if kind == "prod" else body
