"""Decomposition: rewrites a line with a fused operation as the small steps inside it."""

from __future__ import annotations

import ast

from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.grammar import RESERVED
from backend.engine.language.guard import guarded
from backend.engine.language.layout import broken
from backend.engine.language.rebuild import rebuilt
from backend.engine.language.rewrite import filled, substitute
from backend.engine.language.tree import names_in
from backend.engine.language.unparse import printed
from backend.engine.language.unused import underscored
from backend.engine.trace.graph import Chunk, Graph, Node
from backend.pipeline import traced
from backend.program.request import Request, read


@guarded
def opened(request: Request, line: int) -> dict[str, str]:
    """The program with the fused operation on a line (counted from 1) written in small steps.

    Raises Refusal where the program is refused, or that line holds nothing to open.
    """
    material = read(request)
    graph = traced(material)
    for chunk in graph.chunks:
        node = fused(chunk, graph)
        if chunk.source[0] == line and node is not None and not graph.unrolled:
            lines = graph.forward_source.split("\n")
            lines[chunk.source[0] - 1 : chunk.source[1]] = steps(chunk, node, graph)
            return {"source": "\n".join(lines).rstrip("\n") + "\n"}
    raise Refusal("nothing-to-open", line=line)


def fused(chunk: Chunk, graph: Graph) -> Node | None:
    """The first operation of a chunk that has small steps inside."""
    primitives = next(nodes for other, nodes in graph.primitives() if other is chunk)
    return next((node for node in primitives if node.op is not None and node.op.inside(node.call)), None)


def steps(chunk: Chunk, node: Node, graph: Graph) -> list[str]:
    """The lines that take the place of a chunk: the steps inside one of its operations, then the rest of the line."""
    assert node.op is not None
    texts = [text.split(" = ", 1) for text in node.op.inside(node.call)]
    whole = node is chunk.node
    taken = {name for statement in graph.statements for name in names_in(statement)} | set(graph.constants)
    taken |= {other.variable for other in graph.named} | RESERVED
    prefix = chunk.node.variable
    names = {local: _named(local, prefix, taken) for local, _ in texts if local != "out"}
    names["out"] = prefix if whole else underscored(f"{prefix}_value", taken)
    words = node.words | {key: source.expr for key, source in node.inputs.items()}
    words |= {local: ast.Name(name, ast.Load()) for local, name in names.items()}
    derived = {k: expression(text) for k, text in node.op.derive(node.call).items() if text and k not in names}
    written = [(names[local], filled(expression(text), derived)) for local, text in texts]
    lines = [broken(f"{name} = {printed(substitute(tree, words))}") for name, tree in written]
    if not whole:
        rest = _replaced(chunk.node.written, printed(node.written), names["out"])
        lines.append(broken(f"{prefix} = {printed(rest)}"))
    return lines


def _named(local: str, prefix: str, taken: set[str]) -> str:
    """The name a step has where it is free and no gradient's name either, else one that begins with the line's."""
    clash = local in taken or "d" + local in taken or (local[0] == "d" and local[1:] in taken)
    return underscored(f"{prefix}_{local}", taken) if clash else local


def _replaced(tree: ast.expr, text: str, name: str) -> ast.expr:
    """The expression with the part that reads like `text` put as a name."""
    for part in ast.walk(tree):
        if isinstance(part, ast.expr) and not names_in(part).isdisjoint(names_in(tree)) and printed(part) == text:
            marker = part
            break
    else:
        return tree

    def change(node: ast.expr) -> ast.expr:
        return ast.Name(name, ast.Load()) if node is marker else rebuilt(node, change)

    return change(tree)
