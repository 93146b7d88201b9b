"""With this module a backward line is set as mathematics: MathML that browsers draw by themselves."""

from __future__ import annotations

import ast
from html import escape

from backend.accumulate import place_of
from backend.differentiate import Line
from backend.graph import Graph
from backend.ops.stretch import Expand
from backend.symbolic import filled_from
from backend.written import is_of_module


def mathml(line: Line, graph: Graph) -> str:
    """One line as an equation between partial derivatives of the loss L."""
    writer = _Writer(graph, line)
    target = writer.partial(line.target.variable) if line.target.name else _identifier(line.variable)
    right = writer.text(line.statements[-1].value) if line.through else "<mn>1</mn>"  # type: ignore[attr-defined]
    relation = line.sign.replace("-", "−")
    if _is_placed(line):
        right = f"<mrow><mi>scatter</mi><mo>(</mo>{right}<mo>)</mo></mrow>"
    return f'<math display="block"><mrow>{target}<mo>{relation}</mo>{right}</mrow></math>'


def _is_placed(line: Line) -> bool:
    """Whether the line writes into some cells of its gradient only."""
    return isinstance(place_of(line.statements[-1]), ast.Subscript)


def _identifier(name: str) -> str:
    return f'<mi mathvariant="normal">{escape(name)}</mi>'


def _as_method(node: ast.Call) -> ast.Call:
    """`x.sum(0)` for `torch.sum(x, 0)`; other calls as they are."""
    if not (isinstance(node.func, ast.Attribute) and is_of_module(node.func) and node.args):
        return node
    first, *others = node.args
    return ast.Call(ast.Attribute(first, node.func.attr, ast.Load()), others, node.keywords)


class _Writer:
    def __init__(self, graph: Graph, line: Line) -> None:
        self.gradients = graph.by_gradient
        expand = next((node for node in line.nodes if node.op is Expand), None)
        self.axes = dict(enumerate(expand.dims)) if expand is not None else {}

    def partial(self, name: str) -> str:
        return f"<mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo>{_identifier(name)}</mrow></mfrac>"

    def text(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return self.partial(self.gradients[name].variable) if name in self.gradients else _identifier(name)
            case ast.Constant():
                return f"<mn>{escape(f'{node.value:g}' if isinstance(node.value, float) else str(node.value))}</mn>"
            case ast.UnaryOp():
                return f"<mrow><mo>−</mo>{self.bracketed(node.operand, ast.Add | ast.Sub)}</mrow>"
            case ast.BinOp():
                return self.binary(node)
            case ast.Attribute(attr="T"):
                return f"<msup>{self.bracketed(node.value)}<mi>T</mi></msup>"
            case ast.Call():
                return self.call(node)
        return f"<mtext>{escape(ast.unparse(node))}</mtext>"

    def bracketed(self, node: ast.expr, around: object = ast.operator) -> str:
        inner = self.text(node)
        wrap = isinstance(node, ast.BinOp) and isinstance(node.op, around) and not isinstance(node.op, ast.Div)  # type: ignore[arg-type]
        return f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>" if wrap else inner

    def binary(self, node: ast.BinOp) -> str:
        loose = ast.Add | ast.Sub
        match node.op:
            case ast.Div():
                return f"<mfrac><mrow>{self.text(node.left)}</mrow><mrow>{self.text(node.right)}</mrow></mfrac>"
            case ast.Pow():
                return f"<msup>{self.bracketed(node.left)}<mrow>{self.text(node.right)}</mrow></msup>"
            case ast.Mult():
                sign = "·" if getattr(node.left, "plain", False) or isinstance(node.left, ast.Constant) else "⊙"
                return (
                    f"<mrow>{self.bracketed(node.left, loose)}<mo>{sign}</mo>{self.bracketed(node.right, loose)}</mrow>"
                )
            case ast.MatMult():
                left, right = self.bracketed(node.left, loose), self.bracketed(node.right, loose)
                return f"<mrow>{left}<mspace width='0.2em'/>{right}</mrow>"
        sign = "+" if isinstance(node.op, ast.Add) else "−"
        return f"<mrow>{self.text(node.left)}<mo>{sign}</mo>{self.bracketed(node.right, loose)}</mrow>"

    def call(self, node: ast.Call) -> str:
        if filled_from(node) is not None:
            return '<mi mathvariant="bold">1</mi>'
        node = _as_method(node)
        match node.func:
            case ast.Attribute(attr="sum", value=inner):
                sigma = f"<munder><mo>∑</mo><mtext>{escape(self.summed_axes(node))}</mtext></munder>"
                return f"<mrow>{sigma}{self.bracketed(inner, ast.Add | ast.Sub)}</mrow>"
            case ast.Attribute(attr="clone" | "expand", value=inner):
                return self.text(inner)
            case ast.Attribute(attr="view" | "reshape", value=inner):
                return f"<mrow><mi>reshape</mi><mo>(</mo>{self.text(inner)}<mo>)</mo></mrow>"
            case ast.Attribute(attr="one_hot"):
                return "<mi>onehot</mi>"
            case ast.Attribute(attr="index_put"):
                return f"<mrow><mi>scatter-add</mi><mo>(</mo>{self.text(node.args[1])}<mo>)</mo></mrow>"
        name, operands = ast.unparse(node.func), node.args
        if isinstance(node.func, ast.Attribute):
            name, operands = node.func.attr, node.args if is_of_module(node.func) else [node.func.value, *node.args]
        arguments = "<mo>,</mo>".join(self.text(operand) for operand in operands)
        return f"<mrow><mi>{escape(name)}</mi><mo>(</mo>{arguments}<mo>)</mo></mrow>"

    def summed_axes(self, node: ast.Call) -> str:
        named = [keyword.value for keyword in node.keywords if keyword.arg in ("dim", "axis")]
        try:
            dim = ast.literal_eval([*node.args, *named, ast.Constant(None)][0])
        except ValueError:
            return "some"  # what a person wrote may be computed
        if dim is None:
            return "all"
        axes = dim if isinstance(dim, tuple | list) else (dim,)
        return ", ".join(self.axes.get(axis, f"axis {axis}") for axis in axes)
