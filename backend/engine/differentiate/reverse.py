"""Reverse-mode differentiation: writes a graph's backward pass as lines of the same language.

Unnamed intermediates are inlined into the line that uses them; a named tensor accumulates its contributions with `=`
and `+=` in the order in which autograd adds them, so that sums are equal bit for bit.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace

import torch

from backend.engine.differentiate import accumulate
from backend.engine.differentiate.lines import (
    Hop,
    Line,
    Upstream,
    is_short,
    line_of,
    part_name,
    written_length,
)
from backend.engine.differentiate.rules import Rules
from backend.engine.differentiate.scope import known_shapes
from backend.engine.differentiate.sizes import sizes_of
from backend.engine.differentiate.subexpressions import Helpers, helper_name
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.interpret.shape_cache import zeros_like
from backend.engine.interpret.shape_inference import Outlines
from backend.engine.language import rewrite
from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.guard import guard
from backend.engine.language.limits import LIMITS
from backend.engine.language.rewrite import filled, is_placing, spread_from, substitute, tidy, with_shapes
from backend.engine.language.signs import OffMasks
from backend.engine.language.tree import Assignment, names_in, names_of, target_of
from backend.engine.language.unparse import LONGEST_LINE, printed
from backend.engine.language.unused import numbered
from backend.engine.ops.base import length_word
from backend.engine.ops.compose import cloned, ones_over, spread_over, with_copies, zeros, zeros_over
from backend.engine.trace.graph import Chunk, Graph, Node

# A gradient longer than this gets a line of its own.
LONGEST_UPSTREAM = 60


class Backward:
    """Writes the backward pass of one graph; `exact` prefers the bit-exact variants of the rules."""

    def __init__(self, graph: Graph, exact: bool) -> None:
        self.graph, self.exact = graph, exact
        self.lines: list[Line] = []
        self.latest: dict[str, Line] = {}
        self.helped: dict[str, ast.expr] = {}
        self.changing: set[str] = set()
        self.upstream: dict[Node, Upstream] = {}
        self.started: set[Node] = set()
        self.aid_names: dict[Node, dict[str, str]] = {}
        self.aids: list[ast.Assign] = []
        self.uses = _uses(graph)
        self.families = {part: family for family in accumulate.families(graph.nodes) for part in family}
        self.sizes = sizes_of(graph)
        self.rules = Rules(graph, exact)
        self.shapes = Outlines(known_shapes(graph), "cpu" if graph.actual else "meta", _traced(graph))
        self.shape_of = rewrite.Shapes(self.shapes.shape)

    def write(self) -> list[Line]:
        """All lines, the loss's own first; raises Refusal where there would be more than a run may have steps."""
        if sum(self.uses[node] for node in self.graph.named) >= LIMITS.unrolled_steps:
            raise Refusal("too-many-steps", limit=f"{LIMITS.unrolled_steps:,}")
        self.seed()
        for chunk, primitives in reversed(self.graph.primitives()):
            first = len(self.lines)
            with guard(chunk.place, self.graph.source):
                for node in reversed(primitives):
                    self.send_back(node, chunk)
                self.in_reading_order(chunk, first)
                self.add_helpers(chunk, first)
        self.clone_where_added_to()
        for line in self.lines:
            line.last.value = self.signs_off_masks(line.last.value)
            line.taken = self.signs_off_masks(line.expr) if line.takes_away else None
        return self.lines

    def signs_off_masks(self, expr: ast.expr) -> ast.expr:
        """`mask * -g` for `-mask * g`: a mask has no sign to change."""
        return OffMasks(self.is_mask).moved(expr) if "-" in printed(expr) else expr

    def is_mask(self, expr: ast.expr) -> bool:
        value = self.shapes.value(expr)
        return isinstance(value, torch.Tensor) and value.dtype is torch.bool

    def seed(self) -> None:
        loss = self.graph.loss
        self.contribute(loss, Upstream(ones_over(loss.expr)), None)

    def send_back(self, node: Node, chunk: Chunk) -> None:
        """Pass a node's upstream gradient to each of its inputs, by the backward rule of its operation."""
        family = self.families.get(node)
        if family is not None and self.is_joinable(family):
            if node is family[0]:
                self.join(family, chunk)
            return
        upstream = self.arriving(node)
        needing = [name for name, source in node.inputs.items() if source.needs and node.needs]
        if upstream is None or not needing:
            return
        if self.wants_a_name(upstream.expr, node, needing):
            upstream = self.named_upstream(node, upstream, chunk)
        for name in needing:
            self.contribute(node.inputs[name], self.pulled(node, name, upstream), chunk)

    def is_joinable(self, family: list[Node]) -> bool:
        """Whether the gradients of a tensor's parts make that of the whole in one line that a person can read."""
        arriving = [self.arriving(part) for part in family]
        known = all(upstream or part.name for upstream, part in zip(arriving, family, strict=True))
        if not (known and any(arriving) and family[0].inputs["x"].needs and accumulate.is_whole(family)):
            return False
        names = [ast.Name(f"d{part.variable or 'inner'}", ast.Load()) for part in family]
        return len(printed(accumulate.together(family, names))) + len(accumulate.joint_name(family)) < LONGEST_LINE

    def join(self, family: list[Node], chunk: Chunk) -> None:
        """Concatenate the gradients of all parts, in one step as autograd does."""
        whole, path, gradients = family[0].inputs["x"], list[Hop](), list[ast.expr]()
        for part in family:
            upstream = self.arriving(part)
            if upstream is not None and not is_short(upstream.expr):
                upstream = self.named_upstream(part, upstream, chunk)
            path += [] if upstream is None else [*upstream.path, Hop(part, "x")]
            gradients.append(zeros_over(part.expr) if upstream is None else upstream.expr)
        joined = Upstream(tidy(accumulate.together(family, gradients), self.shape_of), path)
        if whole.name is None and whole not in self.upstream:
            name = accumulate.joint_name(family)
            self.upstream[whole] = self.named_upstream(whole, joined, chunk, f"d{name}" if name else "")
        else:
            self.contribute(whole, joined, chunk)
        self.lines[-1].parts = family
        self.lines[-1].uses = [hop for hop in path if hop.node in family]

    def wants_a_name(self, upstream: ast.expr, node: Node, needing: list[str]) -> bool:
        """Whether the gradient of an unnamed intermediate is long, or not quite short and read more than once."""
        assert node.op is not None
        if node.name is not None or is_short(upstream):
            return False
        long = written_length(upstream) > LONGEST_UPSTREAM and not node.op.moves
        return long or sum(self.rules.reads_upstream(node, name) for name in needing) > 1

    def arriving(self, node: Node) -> Upstream | None:
        if node.name is None:
            return self.upstream.get(node)
        return Upstream(ast.Name("d" + node.variable, ast.Load())) if node in self.started else None

    def pulled(self, node: Node, name: str, upstream: Upstream) -> Upstream:
        """The VJP of one input: its backward rule with the words filled in."""
        assert node.op is not None
        target = node.inputs[name]
        words: dict[str, ast.expr] = node.words | {key: source.expr for key, source in node.inputs.items()}
        words |= {"x": target.expr} if node.op.variadic else {}
        words |= {"kept": rewrite.without_new_axes(words["index"])} if "index" in words else {}
        words["g"] = upstream.expr
        lengths = self.lengths_of(node)
        derived = self.rules.derived(node, name, frozenset(lengths))
        words |= {length_word(*place): size for place, size in lengths.items()}
        rule = self.rules.of(node, name, derived)
        # A product that is computed anew may be rounded otherwise: what it is compared with is computed anew as well.
        anew = target.name is None and rule.compares(name)
        words["out"] = node.written if anew else node.expr
        if node.op.aids:
            self.aids += self.aids_of(node, rule.names, words, derived)
            words |= self.aid_words(node)
        expr = substitute(self.with_shapes(rule.expr, node) if rule.asks_for_shapes else rule.expr, words)
        try:
            expr = self.checked(expr, target)
        except Refusal:  # a view that can't be taken of these strides
            expr = self.checked(with_copies(expr), target)
        return Upstream(expr, [*upstream.path, Hop(node, name, upstream.expr)])

    def with_shapes(self, rule: ast.expr, node: Node) -> ast.expr:
        """A rule with the shapes of inputs that have no name written out."""
        shapes = {key: self.shape_written(source) for key, source in node.inputs.items() if source.name is None}
        return with_shapes(rule, shapes) if shapes else rule

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
            self.shapes.define(named[key], self.shapes.value(value))
            written.append(ast.Assign([ast.Name(named[key], ast.Store())], value))
        return written

    def checked(self, rule: ast.expr, target: Node) -> ast.expr:
        """The tidy expression of a filled rule, which must have exactly its target's shape."""
        expr = tidy(rule, self.shape_of, open_ended=target.name is None)
        shape = target.shape if is_placing(expr) else self.shapes.shape(expr)
        if shape != target.shape and 0 in target.shape:
            return zeros(target.shape)  # no cells: what a rule left unstretched has some
        if shape != target.shape:
            raise AssertionError(f"a rule gives {shape} for an input of shape {target.shape}: {printed(expr)}")
        return expr

    def lengths_of(self, node: Node) -> dict[tuple[str, int], ast.expr]:
        """The lengths of a node's inputs that the forward text has an expression for, by input and axis."""
        sizes = ((name, self.sizes[source]) for name, source in node.inputs.items())
        return {(name, axis): size for name, known in sizes for axis, size in enumerate(known) if size is not None}

    def shape_written(self, node: Node) -> list[ast.expr]:
        """The shape of a tensor without a name, in the words of the forward text where it has some."""
        sizes = zip(self.sizes[node], node.shape, strict=True)
        return [ast.Constant(length) if size is None else size for size, length in sizes]

    def contribute(self, target: Node, upstream: Upstream, chunk: Chunk | None) -> None:
        """Add to a target's gradient: a line for a named one, an expression to go on with for an anonymous one."""
        if target.name is None:
            self.upstream[target] = self.anonymous(target, upstream, chunk)
            return
        mode = "+=" if target in self.started else "="
        self.started.add(target)
        spread = spread_from(upstream.expr)
        if spread is not None:
            upstream = replace(upstream, expr=tidy(spread_over(target.expr, spread), self.shape_of))
        self.append(line_of(target, "d" + target.variable, mode, upstream, chunk))

    def anonymous(self, target: Node, upstream: Upstream, chunk: Chunk | None) -> Upstream:
        before = self.upstream.get(target)
        if before is None:
            own_line = is_placing(upstream.expr) or self.uses[target] > 1
            return self.named_upstream(target, upstream, chunk) if own_line else upstream
        assert isinstance(before.expr, ast.Name)
        self.innerline_of(target, before.expr.id, "+=", upstream, chunk)
        return before

    def named_upstream(self, node: Node, upstream: Upstream, chunk: Chunk | None, wanted: str = "") -> Upstream:
        """Give the gradient of an anonymous intermediate a line of its own, because several uses need it."""
        assert chunk is not None
        variable = self.free_name(wanted or "d" + part_name(node, chunk), node.written)
        self.shapes.define(variable, zeros_like(node.meta, self.shapes.device))
        expr = tidy(upstream.expr, self.shape_of)
        self.innerline_of(node, variable, "=", Upstream(expr, upstream.path), chunk)
        return Upstream(ast.Name(variable, ast.Load()), upstream.path)

    def innerline_of(self, node: Node, variable: str, mode: str, upstream: Upstream, chunk: Chunk | None) -> None:
        line = line_of(node, variable, mode, upstream, chunk)
        line.inner = True
        self.append(line)

    def append(self, line: Line) -> None:
        """Add a line; the gradient it makes has the strides that later views will meet."""
        if self.is_doubled(line):
            return
        if len(self.lines) >= LIMITS.unrolled_steps:
            at = line.through.place if line.through else ast.Pass(lineno=1, col_offset=0)
            raise Refusal("too-many-steps", limit=f"{LIMITS.unrolled_steps:,}", at=at).locate(at, self.graph.source)
        self.lines.append(line)
        self.latest[line.variable] = line
        if line.mode == "=" and len(line.statements) == 1:
            self.shapes.define(line.variable, self.shapes.value(line.expr))

    def is_doubled(self, line: Line) -> bool:
        """Whether the line before it brought the same, as for both factors of x * x, and now brings twice that.

        To add the same twice to something else may round otherwise than to add twice the same.
        """
        before = self.latest.get(line.variable)
        if before is None or before.through is not line.through or (self.exact and before.mode == "+="):
            return False
        if not accumulate.bring_the_same(before.last, line.last):
            return False
        accumulate.double(before.last)
        before.uses += line.uses
        return True

    def free_name(self, wanted: str, of: ast.expr | None = None) -> str:
        """A name that nothing has, `of` being the expression whose value, or whose gradient, it is to be."""
        by_variable = self.graph.by_variable
        return numbered(
            wanted,
            lambda name: (
                name in self.shapes.scope or name.removeprefix("d") in by_variable or self.is_misleading(name, of)
            ),
        )

    def is_misleading(self, name: str, of: ast.expr | None) -> bool:
        """Whether a helper would be named as if a gradient were its own, or a gradient as if it were a helper's."""
        line = self.latest.get(f"d{name}")
        other = self.helped.get(name.removeprefix("d")) if line is None else line.target.written
        return of is not None and other is not None and printed(other) != printed(of)

    def in_reading_order(self, chunk: Chunk, first: int) -> None:
        """Within one statement, lines follow the order in which it reads its names; each name's own order stays."""
        order = {name: position for position, name in enumerate(chunk.names_read)}
        inner = [line for line in self.lines[first:] if line.inner]
        outer = [line for line in self.lines[first:] if not line.inner]
        outer.sort(key=lambda line: order.get(line.target.name or "", len(order)))
        self.lines[first:] = inner + outer
        if self.aids and len(self.lines) > first:
            self.place_aids(first)

    def add_helpers(self, chunk: Chunk, first: int) -> None:
        """Name what a statement's lines compute more than once, and parts of lines that are too long."""
        lines = self.lines[first:]
        changing = self.changing
        changing.update(line.variable for line in lines)

        def named(expr: ast.expr, statement: Assignment) -> str:
            owner = next(line.variable for line in lines if statement in line.statements)
            name = self.free_name(helper_name(expr, owner if names_in(expr) & changing else chunk.node.variable), expr)
            self.helped[name] = expr
            self.shapes.define(name, self.shapes.value(expr))
            if names_in(expr) & changing:
                changing.add(name)
            return name

        helpers = Helpers(changing, named, lambda expr: isinstance(self.shapes.value(expr), torch.Tensor))
        places = iter(helpers.place([statement for line in lines for statement in line.statements]))
        for line in lines:
            line.statements = [one for _ in line.statements for one in next(places).statements]

    def place_aids(self, first: int) -> None:
        """Helper lines stand at the head of their statement's lines, or behind the last line whose result they read."""
        places = {line.variable: number for number, line in enumerate(self.lines[first:], first + 1) if line.inner}
        waiting: dict[int, list[ast.Assign]] = {}
        for aid in self.aids:
            place = max((places.get(name, first) for name in names_in(aid.value)), default=first)
            places |= dict.fromkeys(names_of(target_of(aid)), place)
            waiting.setdefault(place, []).append(aid)
        for place, aids in waiting.items():
            self.lines[place].statements[:0] = aids
        self.aids = []

    def clone_where_added_to(self) -> None:
        """`.clone()` where a later `+=` would otherwise write into another gradient, or twice into one cell."""
        added = {line.variable for line in self.lines if line.mode == "+="}
        for line in self.lines:
            if line.mode == "=" and not line.is_partial and line.variable in added and self.aliases_another(line.expr):
                line.last.value = cloned(line.expr)

    def aliases_another(self, expr: ast.expr) -> bool:
        value = self.shapes.value(expr)
        if any(step == 0 and size > 1 for step, size in zip(value.stride(), value.shape, strict=True)):
            return True  # an expanded tensor has fewer cells than places
        storage = value.untyped_storage()._cdata
        known = (self.shapes.scope.get(name) for name in names_in(expr))
        return any(isinstance(k, torch.Tensor) and k.untyped_storage()._cdata == storage for k in known)


def _uses(graph: Graph) -> Counter[Node]:
    """How many gradients come back to each tensor; an unnamed one has several where a pair or a tuple holds it."""
    through = (node for node in graph.reached if node.needs)
    return Counter(source for node in through for source in node.inputs.values() if source.needs)


def _traced(graph: Graph) -> dict[int, tuple[ast.expr, object]]:
    """The outlines of what the forward text computes, as Outlines keeps them; lines are about a copy's source."""
    nodes = [] if graph.actual else [node for node in graph.nodes if not node.is_broadcast]
    return {id(node.written): (node.written, node.meta) for node in nodes}


def _is_used(key: str, used: set[str], aids: dict[str, ast.expr]) -> bool:
    """Whether a helper line is used by the rule, or by a later helper line that is."""
    later = list(aids)[list(aids).index(key) + 1 :]
    return key in used or any(key in names_in(aids[other]) and _is_used(other, used, aids) for other in later)


def differentiate(graph: Graph, exact: bool = False) -> list[Line]:
    """The backward pass of a graph, line by line."""
    with DefaultDtype(graph.loss.meta.dtype):
        return Backward(graph, exact).write()
