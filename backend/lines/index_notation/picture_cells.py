"""How the tensors in the equation of a backward line read each other's cells."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.language.rebuild import rebuilt
from backend.engine.ops.index import parts_of
from backend.engine.trace.graph import Chunk, Graph, Node, named_inputs
from backend.engine.trace.statement import statement_of
from backend.lines.equations.equation import Operand, Picture, SummedAxis, met
from backend.lines.equations.forward import ForwardPicture, replaced
from backend.lines.index_notation.cells import CellReads, LooseReader, Sources, reads_of
from backend.lines.index_notation.formula import Writer
from backend.lines.index_notation.indexed_tensor import ZERO, Index, Indexed, NotExpressible, named
from backend.lines.index_notation.scatter import placed

PRODUCT = "@product"
KINDS = frozenset({"product", "matmul", "outer", "copy"})


def picture_cells(line: Line, picture: Picture, writer: Writer, graph: Graph) -> list[CellReads]:
    """The cells that each cell of the product in a line's picture, and of its outcome, comes from."""
    stands = [_placeholder(number) for number in range(len(picture.operands))]
    outlines = {
        name: named(name, torch.empty(operand.shape, device="meta"))
        for name, operand in zip(stands, picture.operands, strict=True)
    }
    numbers = {name: f"operand {number}" for number, name in enumerate(stands)}
    together = met(picture, [_read(name) for name in stands]) if picture.kind in KINDS else None
    scope = writer.scope | outlines

    def said(reader: LooseReader) -> Indexed:
        return _with_place(line, reader, _outcome(line, picture, together, stands, reader))

    def summed(reader: LooseReader) -> Indexed:
        return _summed(picture.axes, named(PRODUCT, reader.tensor(_some(together)).meta), reader)

    def multiplied(reader: LooseReader) -> Indexed:
        return reader.tensor(_some(together))

    sources = Sources.of_graph(graph, numbers)
    if picture.product is None:
        return reads_of("result", said, scope, writer.numbers, sources)
    whole = Sources.of_graph(graph, {PRODUCT: "product"})
    made = reads_of("product", multiplied, scope, writer.numbers, sources)
    return [*made, *reads_of("result", summed, scope, writer.numbers, whole)]


def forward_cells(
    chunk: Chunk, primitives: Sequence[Node], picture: ForwardPicture | None, writer: Writer, graph: Graph
) -> list[CellReads]:
    """The cells that each cell of a forward line's result comes from, through what is drawn between."""
    made = [] if picture is None else _chain(chunk, primitives, picture, writer, graph)
    return made or _reads(chunk, primitives, "result", chunk.node.written, {}, writer, graph)


def _chain(
    chunk: Chunk, primitives: Sequence[Node], picture: ForwardPicture, writer: Writer, graph: Graph
) -> list[CellReads]:
    """From the operands to what they make, and from stage to stage; none unless each link is known."""
    below = {f"operand {i}": operand for i, operand in enumerate(picture.operands) if operand.node is None}
    steps = [("met", picture.met)] if picture.met else []
    steps += [(f"stage {i}", stage.result) for i, stage in enumerate(picture.stages) if stage.result]
    made: list[CellReads] = []
    for of, operand in below.items():
        made += _reads(chunk, primitives, of, operand.expr, {}, writer, graph)
    for of, drawn in [*steps, ("result", None)]:
        expr = chunk.node.written if drawn is None else drawn.expr
        link = _reads(chunk, primitives, of, expr, below, writer, graph)
        if not link:
            return []
        made += link
        if drawn is not None:
            below = {of: drawn}
    return made


def _reads(
    chunk: Chunk, primitives: Sequence[Node], of: str, expr: ast.expr, below: Mapping[str, Operand], writer: Writer,
    graph: Graph,
) -> list[CellReads]:  # fmt: skip
    """The reads of an expression, in which the tensors that are drawn below it stand for themselves."""
    statement = statement_of(chunk.node, graph)
    outlines = {f"@{name}": named(f"@{name}", _outline(drawn.shape)) for name, drawn in below.items()}
    for name, drawn in below.items():
        expr = replaced(expr, drawn.expr, f"@{name}")

    def said(reader: LooseReader) -> Indexed:
        reader.primitives = list(primitives)
        reader.run(list(statement.before))
        return reader.tensor(expr)

    inputs = {node.variable: str(node.name) for node in named_inputs(chunk.node)}
    names = inputs | {f"@{name}": name for name in below}
    return reads_of(of, said, {**writer.scope, **outlines}, writer.numbers, Sources.of_graph(graph, names))


def _outline(shape: tuple[int, ...]) -> torch.Tensor:
    return torch.empty(shape, device="meta")


def _placeholder(number: int) -> str:
    return f"@{number}"


def _read(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _some(expr: ast.expr | None) -> ast.expr:
    if expr is None:
        raise NotExpressible
    return expr


def _outcome(
    line: Line, picture: Picture, together: ast.expr | None, stands: Sequence[str], reader: LooseReader
) -> Indexed:
    """What the line contributes, its operands being `stands`."""
    if picture.kind == "join" and picture.layer:
        return reader.tensor(_with_joined(picture.layer, [_read(name) for name in stands]))
    if together is None:
        return _by_names(line, picture, stands, reader)
    if picture.axes:
        return _summed(picture.axes, reader.tensor(together), reader)
    if picture.layer:
        return reader.tensor(_replaced(*picture.layer, together))
    return reader.tensor(together)


def _by_names(line: Line, picture: Picture, stands: Sequence[str], reader: LooseReader) -> Indexed:
    """A rule of which only the gradients are drawn: its own lines, with operands for the gradients' names."""
    for operand, name in zip(picture.operands, stands, strict=True):
        if isinstance(operand.expr, ast.Name):
            reader.scope[operand.expr.id] = reader.scope[name]
    reader.run(list(line.statements[:-1]))
    return reader.tensor(line.expr)


def _with_place(line: Line, reader: LooseReader, value: Indexed) -> Indexed:
    """The contribution in the shape of its gradient: put into some cells of it, or stretched to it."""
    shape, place = line.target.shape, line.writes_to
    if isinstance(place, ast.Subscript):
        return placed(parts_of(reader.value(place.slice)), shape, value)
    if value.shape == shape:
        return value
    if value.ndim > len(shape):
        raise NotExpressible
    return Indexed(torch.empty(shape, device="meta"), value.stretched)


def _summed(axes: Sequence[SummedAxis], product: Indexed, reader: LooseReader) -> Indexed:
    """The sum of a product over axes."""
    over = {axis.axis: axis for axis in axes}
    shape = [
        1 if axis in over else size for axis, size in enumerate(product.shape) if axis not in over or over[axis].keepdim
    ]

    def at(index: Index) -> ast.expr:
        rest = iter(index)
        kept = [next(rest) if axis not in over or over[axis].keepdim else ZERO for axis in range(product.ndim)]
        return product.at(
            tuple(reader.letters.fresh(product.shape[axis]) if axis in over else part for axis, part in enumerate(kept))
        )

    return Indexed(torch.empty(shape, device="meta"), at)


def _replaced(whole: ast.expr, inner: ast.expr, by: ast.expr) -> ast.expr:
    """An expression with one part of it replaced; the sign before that part may have moved inside."""
    parts = [inner, inner.operand] if isinstance(inner, ast.UnaryOp) else [inner]

    def change(node: ast.expr) -> ast.expr:
        return by if any(node is part for part in parts) else rebuilt(node, change)

    return change(whole)


def _with_joined(layer: tuple[ast.expr, ast.expr], parts: list[ast.expr]) -> ast.expr:
    """A join of other tensors, inside what is around it."""
    whole, call = layer
    if not isinstance(call, ast.Call) or not isinstance(call.args[0], ast.List | ast.Tuple):
        raise NotExpressible
    listed = type(call.args[0])(parts, ast.Load())
    return _replaced(whole, call, ast.Call(call.func, [listed, *call.args[1:]], call.keywords))
