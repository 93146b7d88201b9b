"""Patterns of a Jacobian (diagonal, block, banded, one-hot, …), recognized from its entries, and their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from backend.engine.language.wording import number_text
from backend.engine.ops.base import Op


@dataclass(frozen=True)
class Pattern:
    """The pattern of a Jacobian [m, n].

    `rate` is the common value of all entries that aren't zero, if there is one; `balanced` tells whether every row
    sums to zero, and `inner` is the pattern of the diagonal blocks, one for each example. `counted` of `columns`
    columns have an entry that isn't zero, and `fed` is how many each of them has, if all have equally many. `rows` and
    `columns` are those of the whole matrix, so that a single cell isn't called one of many.
    """

    name: str
    rate: float | None = None
    balanced: bool = False
    inner: Pattern | None = None
    counted: int = 0
    columns: int = 0
    fed: int | None = None
    rows: int = 0


def pattern_of(matrix: torch.Tensor, out: torch.Tensor, tolerance: float, blocks: int | None = None) -> Pattern:
    """The pattern of a float64 Jacobian; `out` [m] are the values it belongs to, `blocks` the number of examples.

    `tolerance` is the rounding error allowed, relative to the largest entry.
    """
    if not matrix.numel():
        return Pattern("empty")
    if not bool(torch.isfinite(matrix).all()):
        return Pattern("not finite")
    look = Look(matrix, out, tolerance)
    name = next(name for name, test in TESTS.items() if test(look))
    rate = float(look.used.mean()) if name in ONE_RATE else None
    inner = None if name in CELL_BY_CELL else in_blocks(look, blocks)
    rows = len(look.in_row)
    return Pattern("blocks", inner=inner) if inner else Pattern(name, rate, look.balanced, None, *look.counts, rows)


def in_blocks(look: Look, blocks: int | None) -> Pattern | None:
    """The pattern of the blocks along the diagonal, one for each example; None where there are entries beside them."""
    rows, columns = look.matrix.shape
    if blocks is None or blocks < 2 or rows % blocks or columns % blocks:
        return None
    parts = look.matrix.reshape(blocks, rows // blocks, blocks, columns // blocks).transpose(1, 2)
    own = parts[range(blocks), range(blocks)]
    if int((parts != 0).sum()) != int((own != 0).sum()):
        return None
    outs = look.out.reshape(blocks, -1)
    found = [pattern_of(block, out, look.tolerance) for block, out in zip(own, outs, strict=True)]
    names, rates = {one.name for one in found}, {one.rate for one in found}
    if len(names) > 1 or len(rates) > 1:
        return Pattern("dense")
    counts = {(one.counted, one.columns, one.fed) for one in found}
    shared = next(iter(counts)) if len(counts) == 1 else (0, found[0].columns, None)
    return Pattern(found[0].name, found[0].rate, all(one.balanced for one in found), None, *shared, rows // blocks)


class Look:
    """One matrix, with the properties that several patterns are recognized by."""

    def __init__(self, matrix: torch.Tensor, out: torch.Tensor, tolerance: float) -> None:
        self.matrix, self.out, self.tolerance = matrix, out, tolerance
        self.square = matrix.shape[0] == matrix.shape[1]
        self.room = tolerance * float(matrix.abs().max())
        is_used = matrix != 0
        self.used = matrix[is_used]
        self.in_row, self.in_column = is_used.sum(1), is_used.sum(0)
        self.all_used = len(self.used) == matrix.numel()
        self.one = bool((self.used == 1).all())
        self.one_rate = bool(((self.used - self.used[0]).abs() <= self.room).all()) if len(self.used) else False
        self.is_diagonal = self.square and bool((matrix == torch.diag(matrix.diagonal())).all())

    @property
    def counts(self) -> tuple[int, int, int | None]:
        """Columns with entries that aren't zero, all columns, and entries in each of the former if equal."""
        fed = set(self.in_column[self.in_column > 0].tolist())
        return int((self.in_column > 0).sum()), len(self.in_column), fed.pop() if len(fed) == 1 else None

    @property
    def balanced(self) -> bool:
        """Whether every row sums to zero."""
        sums, sizes = self.matrix.sum(1).abs(), self.matrix.abs().sum(1)
        return len(self.used) > 0 and bool((sums <= 8 * self.tolerance * sizes).all())

    def equals(self, other: torch.Tensor) -> bool:
        """Whether the matrix equals another one up to rounding."""
        return bool(((self.matrix - other).abs() <= 8 * self.room).all())


def _softmax(look: Look) -> bool:
    s = look.out
    return look.square and len(s) > 1 and look.equals(torch.diag(s) - torch.outer(s, s))


def _log_softmax(look: Look) -> bool:
    eye = torch.eye(len(look.out), dtype=look.matrix.dtype)
    return look.square and len(eye) > 1 and look.equals(eye - look.out.exp().expand_as(eye))


def _centring(look: Look) -> bool:
    """The same rate on the whole diagonal, another one everywhere else, and rows that sum to zero."""
    if not look.square or len(look.out) < 2 or not look.balanced:
        return False
    rest = look.matrix[~torch.eye(len(look.out), dtype=torch.bool)]
    own = look.matrix.diagonal()
    return bool((own - own[0]).abs().max() <= look.room) and bool((rest - rest[0]).abs().max() <= look.room)


def _earlier(look: Look) -> bool:
    return look.square and len(look.out) > 2 and not bool(look.matrix.triu(1).any())


def _banded(look: Look) -> bool:
    """Entries only near the diagonal of a square that is large enough to tell."""
    if not look.square or len(look.out) < 8:
        return False
    away = (torch.arange(len(look.out))[:, None] - torch.arange(len(look.out))).abs()
    return int(away[look.matrix != 0].max()) <= len(look.out) // 4


def _outer(look: Look) -> bool:
    """A column times a row."""
    if min(look.matrix.shape) < 2:
        return False
    top = int(look.matrix.abs().max(1).values.argmax())
    pivot = int(look.matrix[top].abs().argmax())
    return look.equals(torch.outer(look.matrix[:, pivot], look.matrix[top]) / look.matrix[top, pivot])


def _alone_in_column(look: Look) -> bool:
    return bool((look.in_column == 1).all())


def _alone_in_row(look: Look) -> bool:
    return bool((look.in_row == 1).all())


# In the order in which they are tried: the first that fits is the name.
TESTS: dict[str, Callable[[Look], bool]] = {
    "zero": lambda look: len(look.used) == 0,
    "identity": lambda look: look.is_diagonal and look.one and _alone_in_row(look),
    "scaled identity": lambda look: look.is_diagonal and look.one_rate and _alone_in_row(look),
    "mask": lambda look: look.is_diagonal and look.one,
    "diagonal": lambda look: look.is_diagonal,
    "ones": lambda look: look.all_used and look.one,
    "constant": lambda look: look.all_used and look.one_rate,
    "permutation": lambda look: look.one and look.square and _alone_in_row(look) and _alone_in_column(look),
    "one-hot": lambda look: look.one and bool((look.in_row <= 1).all() and (look.in_column <= 1).all()),
    "copies": lambda look: look.one and _alone_in_row(look),
    "sums": lambda look: look.one and _alone_in_column(look),
    "means": lambda look: look.one_rate and _alone_in_column(look),
    "some": lambda look: look.one_rate and bool((look.in_column <= 1).all()),
    "selection": lambda look: bool((look.in_row <= 1).all()),
    "weighted sums": lambda look: bool((look.in_column <= 1).all()),
    "softmax": _softmax,
    "log-softmax": _log_softmax,
    "centring": _centring,
    "triangular": _earlier,
    "banded": _banded,
    "outer": _outer,
    "symmetric": lambda look: look.square and look.equals(look.matrix.T),
    "dense": lambda _: True,
}
ONE_RATE = ("scaled identity", "constant", "means", "some")
# Those that have nothing to gain from being looked at example by example.
CELL_BY_CELL = ("zero", "identity", "scaled identity", "mask", "diagonal")

WORDS = {
    "empty": "There are no cells here.",
    "not finite": "Some of these rates are not finite numbers.",
    "zero": "Every rate is zero: nothing that arrives at {node} goes back to {input}.",
    "identity": "Nudge a cell of {input} by ε and its own cell of {node} moves by ε; no other does.",
    "scaled identity": "Each cell of {node} moves with its own cell of {input} alone, all at the rate {rate}.",
    "mask": "Some cells of {node} move with their own cell of {input}, one for one; the others don't move.",
    "diagonal": "Each cell of {node} moves with its own cell of {input} alone, each at its own rate.",
    "ones": "Nudge any cell of {input} by ε and every cell of {node} moves by ε.",
    "constant": "Every cell of {input} moves every cell of {node}, all at the rate {rate}.",
    "permutation": "Each cell of {node} moves with one cell of {input}, one for one: the cells have changed places.",
    "one-hot": "Picked cells of {input} move a cell of {node} each, one for one; the others don't count.",
    "copies": "Each cell of {node} moves with one cell of {input}, one for one; one cell of {input} may move several.",
    "sums": "Each cell of {input} moves one cell of {node}, one for one; several move the same one.",
    "means": "Each cell of {input} moves one cell of {node}, all at the rate {rate}; several move the same one.",
    "some": "{counted} of {input} {count}, {each}at the rate {rate}; the other{others} {others_do}.",
    "selection": "Each cell of {node} moves with at most one cell of {input}, each at its own rate.",
    "weighted sums": "Each cell of {input} moves at most one cell of {node}, each at its own rate.",
    "softmax": "diag(s) − s sᵀ: a cell of {node} rises with its own cell of {input}, at the expense of the others.",
    "log-softmax": "I − 1 sᵀ: a cell of {node} rises with its own cell of {input}, and falls with each cell's share.",
    "centring": "Each cell of {node} moves with its own cell of {input}, and the other way with all others.",
    "triangular": "A cell of {node} moves only with its own cell of {input} and earlier ones, never with later ones.",
    "banded": "Each cell of {node} moves only with cells of {input} near its own.",
    "outer": "All of {input} acts on {node} through one number: each row is a multiple of the same row.",
    "symmetric": "Two cells have the same rate both ways: {node} here by {input} there, and there by here.",
    "dense": "Cells of {node} move with several cells of {input}, each at a rate of its own.",
}
# Where the result is a single number, and where what it is made from is one too.
OF_ONE = {
    "ones": "Nudge any cell of {input} by ε and {node} moves by ε.",
    "constant": "Every cell of {input} moves {node}, all at the rate {rate}.",
    "one-hot": "One cell of {input} moves {node}, one for one; the others don't count.",
    "weighted sums": "Each cell of {input} moves {node} at a rate of its own.",
}
ONE_BY_ONE = {
    "identity": "Nudge {input} by ε and {node} moves by ε.",
    "scaled identity": "{input} moves {node} at the rate {rate}.",
}
# What is said of all cells holds, where there is a block for each example, among the cells of one.
AMONG_ALL = ("ones", "constant", "some", "centring", "triangular", "outer")
BALANCED = "Every row sums to zero."
BALANCED_ONE = "All these rates sum to zero."
# Of picks where nothing is left over.
ALL_PICKED = "Each cell of {input} moves one cell of {node}, one for one; the others of {node} don't move."
BY_NAME = "Each {axis} of {node} moves with its own {axis} of {input} alone."
BY_PLACE = "Each slice of {node} along axis 0 moves with its own slice of {input} alone."


def words_for(pattern: Pattern, node: str, source: str, op: type[Op] | None = None, axis: str = "") -> str:
    """What a pattern means, in a sentence or two; `op` is the one operation between the two, if there is only one.

    `axis` is the name of the leading axis; empty where it has none.
    """
    shown = pattern.inner or pattern
    facts = _facts(shown, node, source)
    own = op.rates.get(shown.name) if op is not None else None
    said = _filled(own or _worded(pattern), facts)
    balanced = (BALANCED_ONE if shown.rows == 1 and not pattern.inner else BALANCED) if shown.balanced else ""
    if not pattern.inner:
        return f"{said} {balanced}".strip()
    if own is None and shown.name in AMONG_ALL:
        said = f"Within one {axis or 'slice'}, {said[0].lower()}{said[1:]}"
    blocks = _filled(BY_NAME.replace("{axis}", axis) if axis else BY_PLACE, facts)
    return f"{blocks} {said} {balanced}".strip()


def _worded(pattern: Pattern) -> str:
    """The words of a pattern, with those of a single number where the result is one."""
    shown = pattern.inner or pattern
    if shown.name == "one-hot" and 0 < shown.counted == shown.columns > 1:
        return ALL_PICKED
    of_one = (ONE_BY_ONE if shown.columns == 1 else OF_ONE) if shown.rows == 1 and not pattern.inner else {}
    return of_one.get(shown.name, WORDS[shown.name])


def _filled(text: str, facts: dict[str, str]) -> str:
    for key, word in facts.items():
        text = text.replace("{" + key + "}", word)
    return text


def _facts(shown: Pattern, node: str, source: str) -> dict[str, str]:
    others = shown.columns - shown.counted
    return {
        "node": f"`{node}`",
        "input": f"`{source}`",
        "rate": number_text(shown.rate or 0.0),
        "moved": "one cell" if shown.fed == 1 else f"{shown.fed} cells" if shown.fed else "several cells",
        "counted": "One cell" if shown.counted == 1 else f"{shown.counted or 'Some'} cells",
        "count": "counts" if shown.counted == 1 else "count",
        "each": "" if shown.counted == 1 else "each ",
        "others": ("" if others == 1 else f" {others}") if shown.counted else " cells",
        "others_do": "doesn't" if others == 1 and shown.counted else "don't",
    }
