"""Block structure of a Jacobian: shared axes along which each entry depends only on the same entry of the input."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from backend.engine.language.errors import Refusal
from backend.engine.trace.graph import Node
from backend.inspect.jacobian.vjp import Block, Derivative, pull
from backend.program.runs import Run

Pair = tuple[int, int]
# A Jacobian of no more cells is drawn whole; of a larger one a block, as far as it can be drawn.
WHOLE, CELLS, ROWS, COLUMNS = 4096, 65_536, 256, 1024


@dataclass(frozen=True)
class Drawn:
    """The part of a Jacobian to draw: the block, and whether everything outside of such blocks is zero.

    `block` is None if no block is small enough; `least` is the smallest block's number of rows and columns; `ways` are
    all pairs of axes of which either would give blocks that can be drawn.
    """

    block: Block | None
    apart: bool
    least: tuple[int, int]
    ways: tuple[Pair, ...] = ()


def shared(node: Node, source: Node) -> list[Pair]:
    """Axes of equal length, the leading ones first, then those of one name, then those nearer to the end."""
    pairs = [
        (mine, other)
        for mine, size in enumerate(node.shape)
        for other, length in enumerate(source.shape)
        if size == length and size > 1
    ]
    return sorted(
        pairs, key=lambda pair: (not leading(node, source, pair), not same_name(node, source, pair), -sum(pair))
    )


def leading(node: Node, source: Node, pair: Pair) -> bool:
    """Whether both run over the same examples: their leading axes, of one name, or of none and not a parameter's."""
    if pair != (0, 0):
        return False
    mine, other = node.dims[0], source.dims[0]
    return mine == other or ("axis 0" in (mine, other) and source.role != "parameter")


def same_name(node: Node, source: Node, pair: Pair) -> bool:
    """Whether both axes were given the same name."""
    mine, other = node.dims[pair[0]], source.dims[pair[1]]
    return mine == other and not mine.startswith("axis ")


def sizes(node: Node, source: Node, along: Sequence[Pair]) -> tuple[int, int]:
    """Rows and columns of a block."""
    mine, other = {pair[0] for pair in along}, {pair[1] for pair in along}
    rows = math.prod(size for axis, size in enumerate(node.shape) if axis not in mine)
    return rows, math.prod(size for axis, size in enumerate(source.shape) if axis not in other)


def fits(rows: int, columns: int) -> bool:
    """Whether a matrix of this size can be drawn."""
    return rows * columns <= CELLS and rows <= ROWS and columns <= COLUMNS


def drawn(run: Run, node: Node, source: Node, cell: Sequence[int], in_node: bool, along: Pair | None = None) -> Drawn:
    """The whole Jacobian if it is small, else the block that holds the given cell of the node or of the input.

    With `along` it is the block along these axes; raises Refusal where the Jacobian has no such blocks to draw.
    """
    whole, ways = sizes(node, source, ()), tuple(_ways(run, node, source))
    if along is not None:
        if along not in ways:
            raise Refusal("jacobian-along", node=node.name, input=source.name, found=list(along))
        return Drawn(_holding(node, [along], cell, in_node), True, sizes(node, source, [along]), ways)
    if whole[0] * whole[1] <= WHOLE:
        return Drawn(Block(), True, whole, ways)
    pairs = list(ways[:1]) or _nested(run, node, source)
    least = sizes(node, source, pairs)
    if fits(*least):
        return Drawn(_holding(node, pairs, cell, in_node), True, least, ways)
    own = [pair for pair in shared(node, source) if leading(node, source, pair)]
    if own and not pairs and fits(*sizes(node, source, own)) and math.prod(sizes(node, source, own)) > 1:
        return Drawn(_holding(node, own, cell, in_node), False, whole)
    return Drawn(None, True, least)


def _ways(run: Run, node: Node, source: Node) -> Iterator[Pair]:
    """The shared axes along each of which the Jacobian falls into blocks that are small enough to draw."""
    test = Independence(run, node, source)
    return (pair for pair in shared(node, source) if fits(*sizes(node, source, [pair])) and test.along(pair))


def _nested(run: Run, node: Node, source: Node) -> list[Pair]:
    """The fewest shared axes whose blocks are small enough when all are held, or all of them if none suffice."""
    test, along = Independence(run, node, source), list[Pair]()
    for pair in shared(node, source):
        free = all(pair[0] != mine and pair[1] != other for mine, other in along)
        if free and not fits(*sizes(node, source, along)) and test.along(pair):
            along.append(pair)
    return sorted(along)


def _holding(node: Node, along: Sequence[Pair], cell: Sequence[int], in_node: bool) -> Block:
    """The block that holds a cell; the first one for a cell that is outside."""
    places = [cell[pair[0 if in_node else 1]] if len(cell) > pair[0 if in_node else 1] else 0 for pair in along]
    inside = [place if 0 <= place < node.shape[pair[0]] else 0 for place, pair in zip(places, along, strict=True)]
    return Block(tuple(along), tuple(inside))


class Independence:
    """Tests numerically whether entries along a node's axis depend only on the same entries of an input's axis."""

    def __init__(self, run: Run, node: Node, source: Node) -> None:
        self.leaf, self.whole = Derivative(run, node, source).recorded()
        generator = torch.Generator().manual_seed(0)
        self.weights = torch.rand(self.whole.shape, generator=generator, dtype=self.whole.dtype) + 0.5

    def along(self, pair: Pair) -> bool:
        """Whether every entry of the Jacobian outside of the blocks along a pair of axes is zero.

        Two different indices differ in a binary digit: for each digit, the VJP of the entries that have it must vanish
        at those that don't, and the reverse. Random weights keep sums of entries from cancelling.
        """
        size = self.whole.shape[pair[0]]
        return not any(self._reaches(pair, chosen) for chosen in _halves(size))

    def _reaches(self, pair: Pair, chosen: torch.Tensor) -> bool:
        arriving = self.weights * _spread(chosen, pair[0], self.whole.ndim)
        pulled = pull(self.leaf, self.whole, arriving)
        return bool((pulled.movedim(pair[1], 0)[~chosen] != 0).any())


def _halves(size: int) -> Iterator[torch.Tensor]:
    """For each binary digit of the indices below `size`: those with the digit, and those without."""
    entries = torch.arange(size)
    for digit in range((size - 1).bit_length()):
        has = (entries >> digit) % 2 == 1
        yield has
        yield ~has


def _spread(chosen: torch.Tensor, axis: int, count: int) -> torch.Tensor:
    """A vector along one of so many axes."""
    return chosen.reshape([-1 if place == axis else 1 for place in range(count)])


def itself(run: Run, node: Node, source: Node, block: Block, matrix: torch.Tensor) -> str | None:
    """The other tensor of the line, or the entry of it, that a block is: `h`, or `bnraw[:, 3]`."""
    for other in run.plan.inputs_of[str(node.name)]:
        tensor = run.plan.by_name[other]
        value = run.forward.tensors[tensor.variable]
        if tensor is source or not value.is_floating_point():
            continue
        if value.ndim == 2 and value.shape == matrix.shape and value.equal(matrix):
            return tensor.variable
        for axis, place in zip(block.axes(True), block.at, strict=True):
            if 1 < value.ndim == node.meta.ndim and place < value.shape[axis]:
                entry = value.select(axis, place).reshape(-1)
                if 1 < entry.numel() == matrix.numel() and entry.equal(matrix.reshape(-1)):
                    index = ", ".join(str(place) if one == axis else ":" for one in range(value.ndim))
                    return f"{tensor.variable}[{index}]"
    return None
