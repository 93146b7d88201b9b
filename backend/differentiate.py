"""With this module a graph gets its backward pass: lines of the same language, in reverse order of execution.

Anonymous intermediates are folded into the line that uses them; a named one collects its contributions with `=` and
`+=` in the order in which autograd adds them, so that sums come out alike to the last bit.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import torch

from backend.graph import Chunk, Graph, Node
from backend.language.errors import Refusal
from backend.language.evaluate import DefaultDtype
from backend.language.grammar import LIMITS
from backend.language.remembered import zeros_like
from backend.language.shapes import ShapeEvaluator
from backend.language.syntax import nodes_in
from backend.ops.base import expression
from backend.printing import is_plain, printed
from backend.symbolic import filled, filled_from, is_placing, names_in, placing, substitute, tidy, with_attribute


@dataclass(frozen=True)
class Hop:
    """One primitive on the way back, the input through which the way leaves it, and the gradient that arrives."""

    node: Node
    input_name: str
    arrives: ast.expr | None = field(default=None, compare=False)


@dataclass(eq=False)
class Upstream:
    """The gradient of a node as an expression, and the primitives it came through since the last named one."""

    expr: ast.expr
    path: list[Hop] = field(default_factory=list)


@dataclass(eq=False)
class Line:
    """One step of the backward pass: `d<target>` set or added to, by one statement or two."""

    target: Node
    variable: str
    mode: str
    statements: list[ast.stmt]
    through: Chunk | None
    path: list[Hop]
    inner: bool = False

    @property
    def nodes(self) -> list[Node]:
        """The primitives on the way."""
        return [hop.node for hop in self.path]

    @property
    def code(self) -> str:
        """The statements as printed."""
        return "\n".join(printed(statement) for statement in self.statements)

    @property
    def expr(self) -> ast.expr:
        """The expression whose value this line contributes."""
        return self.statements[-1].value  # type: ignore[attr-defined, no-any-return]


class Backward:
    """Writes the backward pass of one graph; `exact` prefers the bit-exact variants of the rules."""

    def __init__(self, graph: Graph, exact: bool) -> None:
        self.graph, self.exact = graph, exact
        self.lines: list[Line] = []
        self.upstream: dict[Node, Upstream] = {}
        self.started: set[Node] = set()
        self.aid_names: dict[Node, dict[str, str]] = {}
        self.aids: list[ast.Assign] = []
        self.uses = _uses(graph)
        # Looking at shapes again and again costs nothing that the budget is for.
        self.shapes = ShapeEvaluator(known_shapes(graph), "cpu" if graph.actual else "meta", shares=math.inf)

    def shape_of(self, expr: ast.expr) -> tuple[int, ...]:
        value = self.shapes.value(expr)
        return tuple(value.shape) if isinstance(value, torch.Tensor) else ()

    def write(self) -> list[Line]:
        """All lines, the loss's own first; raises Refusal where there would be more than a run may have steps."""
        if sum(self.uses[node] for node in self.graph.named) >= LIMITS.unrolled_steps:
            raise Refusal("too-many-steps", limit=f"{LIMITS.unrolled_steps:,}")
        self.seed()
        for chunk, primitives in reversed(self.graph.primitives()):
            first = len(self.lines)
            for node in reversed(primitives):
                self.send_back(node, chunk)
            self.in_reading_order(chunk, first)
        self.clone_where_added_to()
        for line in self.lines:
            line.statements[-1].value = self.signs_off_masks(line.expr)  # type: ignore[attr-defined]
        return self.lines

    def signs_off_masks(self, expr: ast.expr) -> ast.expr:
        """`mask * -g` for `-mask * g`: a mask has no sign to change."""
        return _OffMasks(self.is_mask).visit(expr)  # type: ignore[no-any-return]

    def is_mask(self, expr: ast.expr) -> bool:
        value = self.shapes.value(expr)
        return isinstance(value, torch.Tensor) and value.dtype is torch.bool

    def seed(self) -> None:
        loss = self.graph.loss
        ones = substitute(expression("torch.ones_like(x)"), {"x": loss.expr})
        self.contribute(loss, Upstream(ones), None)

    def send_back(self, node: Node, chunk: Chunk) -> None:
        """Carry a node's gradient to each of its inputs, by the rule of its operation."""
        upstream = self.arriving(node)
        needing = [name for name, source in node.inputs.items() if source.needs and node.needs]
        if upstream is None or not needing:
            return
        if len(needing) > 1 and node.name is None and not _cheap(upstream.expr):
            upstream = self.named_upstream(node, upstream, chunk)
        for name in needing:
            self.contribute(node.inputs[name], self.pulled(node, name, upstream), chunk)

    def arriving(self, node: Node) -> Upstream | None:
        if node.name is None:
            return self.upstream.get(node)
        return Upstream(ast.Name("d" + node.variable, ast.Load())) if node in self.started else None

    def pulled(self, node: Node, name: str, upstream: Upstream) -> Upstream:
        """The rule for one input with its words filled in: what this use of the input contributes."""
        assert node.op is not None
        target = node.inputs[name]
        words: dict[str, ast.expr] = node.words | {key: source.expr for key, source in node.inputs.items()}
        words |= {"x": target.expr} if node.op.variadic else {}
        words["g"] = upstream.expr
        derived = {
            key: self.counted(key, text) for key, text in node.op.derive(replace(node.call, at=name)).items() if text
        }
        rule = filled(node.op.rule(name, self.exact), derived)
        # A product that is computed anew may be rounded otherwise: what it is compared with is computed anew as well.
        anew = target.name is None and _compares(rule, name)
        words["out"] = node.written if anew else node.expr
        self.aids += self.aids_of(node, names_in(rule), words, derived)
        words |= self.aid_words(node)
        expr = substitute(rule, words)
        try:
            expr = self.checked(expr, target)
        except Refusal:  # a view that can't be taken of these strides
            expr = self.checked(with_attribute(expr, "view", "reshape"), target)
        return Upstream(expr, [*upstream.path, Hop(node, name, upstream.expr)])

    def aid_words(self, node: Node) -> dict[str, ast.expr]:
        return {key: ast.Name(variable, ast.Load()) for key, variable in self.aid_names.get(node, {}).items()}

    def aids_of(
        self, node: Node, used: set[str], words: dict[str, ast.expr], derived: dict[str, ast.expr]
    ) -> list[ast.Assign]:
        """The helper lines of an operation that a rule needs and that were not written yet."""
        assert node.op is not None
        named = self.aid_names.setdefault(node, {})
        texts = {key: filled(expression(text), derived) for key, text in node.op.aids.items()}
        written: list[ast.Assign] = []
        for key, text in texts.items():
            if key in named or not _is_used(key, used, texts):
                continue
            value = tidy(substitute(text, words | self.aid_words(node)), self.shape_of)
            named[key] = self.free_name(f"{node.variable}_{key}" if node.variable else key)
            self.shapes.scope[named[key]] = self.shapes.value(value)
            written.append(ast.Assign([ast.Name(named[key], ast.Store())], value))
        return written

    def checked(self, rule: ast.expr, target: Node) -> ast.expr:
        """The tidy expression of a filled rule, which must have exactly its target's shape."""
        expr = tidy(rule, self.shape_of, open_ended=target.name is None)
        shape = target.shape if is_placing(expr) else self.shape_of(expr)
        if shape != target.shape:
            raise AssertionError(f"a rule gives {shape} for an input of shape {target.shape}: {printed(expr)}")
        return expr

    def counted(self, key: str, text: str) -> ast.expr:
        """A rule word; a number of cells goes by the constant's name where just one constant has that value."""
        if key == "count":
            same = [
                name for name, value in self.graph.constants.items() if type(value) is int and str(value) == text != "1"
            ]
            if len(same) == 1:
                made = ast.Name(same[0], ast.Load())
                made.plain = True  # type: ignore[attr-defined]
                return made
        return expression(text)

    def contribute(self, target: Node, upstream: Upstream, chunk: Chunk | None) -> None:
        """Add to a target's gradient: a line for a named one, an expression to go on with for an anonymous one."""
        if target.name is None:
            self.upstream[target] = self.anonymous(target, upstream, chunk)
            return
        mode = "+=" if target in self.started else "="
        self.started.add(target)
        self.append(_line(target, "d" + target.variable, mode, upstream, chunk))

    def anonymous(self, target: Node, upstream: Upstream, chunk: Chunk | None) -> Upstream:
        before = self.upstream.get(target)
        if before is None:
            own_line = is_placing(upstream.expr) or self.uses[target] > 1
            return self.named_upstream(target, upstream, chunk) if own_line else upstream
        assert isinstance(before.expr, ast.Name)
        self.inner_line(target, before.expr.id, "+=", upstream, chunk)
        return before

    def named_upstream(self, node: Node, upstream: Upstream, chunk: Chunk | None) -> Upstream:
        """Give the gradient of an anonymous intermediate a line of its own, because several uses need it."""
        assert chunk is not None
        variable = self.free_name(f"d{chunk.node.variable}_inner")
        self.shapes.scope[variable] = zeros_like(node.meta, self.shapes.device)
        expr = tidy(upstream.expr, self.shape_of)
        self.inner_line(node, variable, "=", Upstream(expr, upstream.path), chunk)
        return Upstream(ast.Name(variable, ast.Load()), upstream.path)

    def inner_line(self, node: Node, variable: str, mode: str, upstream: Upstream, chunk: Chunk | None) -> None:
        line = _line(node, variable, mode, upstream, chunk)
        line.inner = True
        self.append(line)

    def append(self, line: Line) -> None:
        """Add a line; the gradient it makes has the strides that later views will meet."""
        self.lines.append(line)
        if line.mode == "=" and len(line.statements) == 1:
            self.shapes.scope[line.variable] = self.shapes.value(line.expr)

    def free_name(self, wanted: str) -> str:
        taken, name, number = self.shapes.scope, wanted, 1
        while name in taken:
            number += 1
            name = f"{wanted}{number}"
        return name

    def in_reading_order(self, chunk: Chunk, first: int) -> None:
        """Within one statement, lines follow the order in which it reads its names; each name's own order stays."""
        order = {name: position for position, name in enumerate(chunk.names_read)}
        inner = [line for line in self.lines[first:] if line.inner]
        outer = [line for line in self.lines[first:] if not line.inner]
        outer.sort(key=lambda line: order.get(line.target.name or "", len(order)))
        self.lines[first:] = inner + outer
        if self.aids and len(self.lines) > first:
            self.place_aids(first)

    def place_aids(self, first: int) -> None:
        """Helper lines stand at the head of their statement's lines, or behind the last line whose result they read."""
        places = {line.variable: number for number, line in enumerate(self.lines[first:], first + 1) if line.inner}
        waiting: dict[int, list[ast.stmt]] = {}
        for aid in self.aids:
            place = max((places.get(name, first) for name in names_in(aid.value)), default=first)
            places[aid.targets[0].id] = place  # type: ignore[attr-defined]
            waiting.setdefault(place, []).append(aid)
        for place, aids in waiting.items():
            self.lines[place].statements[:0] = aids
        self.aids = []

    def clone_where_added_to(self) -> None:
        """`.clone()` where a later `+=` would otherwise write into another gradient, or twice into one cell."""
        added = {line.variable for line in self.lines if line.mode == "+="}
        for line in self.lines:
            named = isinstance(line.statements[-1], ast.Assign) and isinstance(line.statements[-1].targets[0], ast.Name)
            if line.mode == "=" and named and line.variable in added and self.aliases_another(line.expr):
                cloned = ast.Call(ast.Attribute(line.expr, "clone", ast.Load()), [], [])
                line.statements[-1].value = cloned  # type: ignore[attr-defined]

    def aliases_another(self, expr: ast.expr) -> bool:
        value = self.shapes.value(expr)
        if any(step == 0 and size > 1 for step, size in zip(value.stride(), value.shape, strict=True)):
            return True  # an expanded tensor has fewer cells than places
        storage = value.untyped_storage()._cdata
        known = (self.shapes.scope.get(name) for name in names_in(expr))
        return any(isinstance(k, torch.Tensor) and k.untyped_storage()._cdata == storage for k in known)


class _OffMasks(ast.NodeTransformer):
    """Moves the sign of a product that begins with a mask to the last factor that has one to change."""

    def __init__(self, is_mask: Callable[[ast.expr], bool]) -> None:
        self.is_mask = is_mask

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        first = node.operand
        while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Mult | ast.Div):
            first = first.left
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.BinOp) and self.is_mask(first):
            return self.generic_visit(self.signed(node.operand) or node)
        return self.generic_visit(node)

    def signed(self, product: ast.expr) -> ast.BinOp | None:
        """The product with a sign at its last factor that is no mask; a divisor gets it where no factor can."""
        if not (isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult | ast.Div)):
            return None
        if isinstance(product.op, ast.Mult) and not self.is_mask(product.right):
            return _with_sign(product)
        left = self.signed(product.left)
        if left is not None:
            return ast.BinOp(left, product.op, product.right)
        return _with_sign(product) if isinstance(product.op, ast.Div) else None


def _with_sign(product: ast.BinOp) -> ast.BinOp:
    return ast.BinOp(product.left, product.op, ast.UnaryOp(ast.USub(), product.right))


def _line(target: Node, variable: str, mode: str, upstream: Upstream, chunk: Chunk | None) -> Line:
    place = ast.Name(variable, ast.Store())
    statements: list[ast.stmt]
    if is_placing(upstream.expr):
        zeros, index, value = placing(upstream.expr)
        cell = ast.Subscript(ast.Name(variable, ast.Load()), index, ast.Store())
        if mode == "=":
            statements = [ast.Assign([place], zeros), ast.Assign([cell], value)]
        else:
            statements = [ast.AugAssign(cell, ast.Add(), value)]
    elif mode == "=":
        statements = [ast.Assign([place], upstream.expr)]
    else:
        statements = [ast.AugAssign(place, ast.Add(), upstream.expr)]
    return Line(target, variable, mode, statements, chunk, upstream.path)


def _uses(graph: Graph) -> Counter[Node]:
    """How many gradients come back to each tensor; an unnamed one has several where a pair or a tuple holds it."""
    reached, uses = {graph.loss}, Counter[Node]()
    for node in reversed(graph.nodes):
        if node in reached and node.needs:
            sources = [source for source in node.inputs.values() if source.needs]
            reached.update(sources)
            uses.update(sources)
    return uses


def _compares(rule: ast.expr, name: str) -> bool:
    """Whether a rule asks which cells of an input equal the result."""
    return any(isinstance(part, ast.Compare) and {name, "out"} <= names_in(part) for part in nodes_in(rule))


def _cheap(expr: ast.expr) -> bool:
    """A name, or a name and numbers: repeating it costs a reader nothing."""
    if isinstance(expr, ast.UnaryOp):
        return _cheap(expr.operand)
    if isinstance(expr, ast.BinOp):
        sides = [side for side in (expr.left, expr.right) if not is_plain(side) and filled_from(side) is None]
        return len(sides) == 1 and _cheap(sides[0])
    return isinstance(expr, ast.Name)


def _is_used(key: str, used: set[str], aids: dict[str, ast.expr]) -> bool:
    """Whether a helper line is used by the rule, or by a later helper line that is."""
    later = list(aids)[list(aids).index(key) + 1 :]
    return key in used or any(key in names_in(aids[other]) and _is_used(other, used, aids) for other in later)


def known_shapes(graph: Graph) -> dict[str, object]:
    """Every name that a backward line may use, without numbers unless some shape depends on them."""
    device = "cpu" if graph.actual else "meta"
    scope: dict[str, object] = {node.variable: node.meta for node in graph.named}
    scope |= graph.constants | graph.holders | graph.actual
    needing = [node for node in graph.named if node.needs]
    return scope | {"d" + node.variable: zeros_like(node.meta, device) for node in needing}


def scope_after(lines: list[Line], graph: Graph) -> dict[str, object]:
    """Every name in scope once all lines have run, with its shape; raises Refusal where they pass the budget."""
    evaluator = ShapeEvaluator(known_shapes(graph), "cpu" if graph.actual else "meta", shares=3)
    with torch.no_grad(), DefaultDtype(graph.loss.meta.dtype):
        for line in lines:
            evaluator.run(line.statements)
    return evaluator.scope


def differentiate(graph: Graph, exact: bool = False) -> list[Line]:
    """The backward pass of a graph, line by line."""
    with DefaultDtype(graph.loss.meta.dtype):
        return Backward(graph, exact).write()
