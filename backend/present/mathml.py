"""Backward lines as MathML equations between partial derivatives; "" for lines that can't be typeset."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import cast

from backend.engine.differentiate.lines import Line
from backend.engine.language.application import is_of_module
from backend.engine.language.errors import Refusal
from backend.engine.language.on_demand import OnDemand
from backend.engine.language.rewrite import filled_from
from backend.engine.language.unparse import printed
from backend.engine.trace.graph import Node
from backend.lines.equations.drawn import SYMBOLS, drawn, is_transpose
from backend.lines.equations.equation import contributed
from backend.lines.equations.factors import Factors, factors_of, product_of
from backend.lines.equations.names import Names
from backend.lines.equations.peel import Total, joined_parts, total_of

SUM, TERM, PRODUCT, MATRIX, ATOM = range(5)
LONGEST, LONGEST_PART = 90, 26
COMPARED = {ast.Gt: ">", ast.Lt: "<", ast.GtE: "≥", ast.LtE: "≤", ast.Eq: "=", ast.NotEq: "≠"}
OPEN, CLOSE = '<mo stretchy="false">(</mo>', '<mo stretchy="false">)</mo>'
ONES = "<mn>𝟙</mn>"
MORE = "<mo>+</mo><mo>⋯</mo>"
Set = tuple[str, int]


class UnsetError(Exception):
    """Something in a line has no mathematical writing of ours."""


def formulas(lines: list[Line], names: Names) -> Sequence[str]:
    """Each line as an equation between partial derivatives, all of a gradient's terms so far on its right; else "".

    Where more terms are to come, three dots say so: without them it would be no equation. They are set on demand.
    """
    writer = _Writer(names, [line.target for line in lines if not line.target.name])
    paths: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        paths.setdefault(line.variable, []).append(number)
    terms = OnDemand(len(lines), lambda number: _settled(writer, lines[number]))

    def formula(number: int) -> str:
        line, right = lines[number], cast(str | None, "")
        own = paths[line.variable]
        for place in own[: own.index(number) + 1]:
            right = _longer(right, terms[place])
        more = "" if own[-1] == number else MORE
        return "" if right is None else _equation(writer, line, right + more)

    return OnDemand(len(lines), formula)


def _longer(right: str | None, term: str | None) -> str | None:
    """A right side with one more term; None for good once a term can't be set or nobody would read so many."""
    if right is None or term is None:
        return None
    right += term if not right or term.startswith("<mo>−</mo>") else f"<mo>+</mo>{term}"
    return right if len(re.sub("<[^>]*>", "", right)) <= LONGEST else None


def _settled(writer: _Writer, line: Line) -> str | None:
    if line.is_partial or len(line.statements) > 1:
        return None
    try:
        return "<mn>1</mn>" if line.through is None else writer.whole(contributed(line), line.target.shape)
    except (UnsetError, Refusal):
        return None


def _equation(writer: _Writer, line: Line, right: str) -> str:
    try:
        target = writer.partial(line.target)
    except (UnsetError, Refusal):
        return ""
    return f'<math display="block"><mrow>{target}<mo>=</mo>{right}</mrow></math>'


class _Writer:
    """Sets expressions; every text comes with how tightly it holds together."""

    def __init__(self, names: Names, unnamed: list[Node]) -> None:
        self.names, self.parts = names, dict.fromkeys(unnamed)
        called = str(names.loss.name).partition("@")[0].lower()
        other = names.values.get("L", names.loss) is not names.loss
        self.loss = "L" if called in ("l", "loss") and not other else names.loss.variable

    def whole(self, expr: ast.expr, shape: tuple[int, ...]) -> str:
        """One term of a right side; a copy into a larger shape is a product with 𝟙."""
        match expr:
            case ast.Call(func=ast.Attribute(value=inner, attr=name)) if drawn(name) == "spread":
                expr = inner
        text, level = self.outermost(expr)
        if self.names.shape(expr) != shape and not self._holds_ones(expr) and total_of(expr, self.names) is None:
            sign = "⊙" if self.names.shape(expr) else "·"
            text = f"{ONES}<mo>{sign}</mo>{self.within((text, level), MATRIX)}"
        return text

    def outermost(self, expr: ast.expr) -> Set:
        """A sum may drop its axes where nothing has to fit beside it."""
        if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub) and total_of(expr.operand, self.names):
            return f"<mo>−</mo>{self.outermost(expr.operand)[0]}", TERM
        total = total_of(expr, self.names)
        return self.text(expr) if total is None else self.total(total)

    def _holds_ones(self, expr: ast.expr) -> bool:
        return any(filled_from(factor) is not None for factor in factors_of(expr).above)

    def partial(self, node: Node) -> str:
        """∂L/∂name; for a part of a line without a name, ∂L/∂(what it is)."""
        part = _identifier(node.variable) if node.name else f"{OPEN}{self._unnamed(node)}{CLOSE}"
        above = f"<mrow><mo>∂</mo>{_identifier(self.loss)}</mrow>"
        return f"<mfrac>{above}<mrow><mo>∂</mo>{part}</mrow></mfrac>"

    def _unnamed(self, node: Node) -> str:
        if len(printed(node.written)) > LONGEST_PART or self.names.is_twin(node):
            raise UnsetError
        text = self.text(node.written)[0]
        if self._looks[text] > (node in self.parts):
            raise UnsetError  # x.T and x.mT look alike
        return text

    @cached_property
    def _looks(self) -> Counter[str]:
        """How many parts without a name are set alike."""
        return Counter(filter(None, map(self._look, self.parts)))

    def _look(self, node: Node) -> str:
        try:
            return self.text(node.written)[0]
        except (UnsetError, Refusal):
            return ""

    def within(self, made: Set, least: int) -> str:
        """A text, in brackets where it holds together less tightly than its place needs."""
        return made[0] if made[1] >= least else f"<mo>(</mo>{made[0]}<mo>)</mo>"

    def inside(self, node: ast.expr, least: int) -> str:
        return self.within(self.text(node), least)

    def text(self, node: ast.expr) -> Set:
        match node:
            case ast.Name(id=name):
                return self.name(name), ATOM
            case ast.Constant(value=value):
                return _number(value)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return f"<mo>−</mo>{self.inside(inner, PRODUCT)}", TERM
            case ast.BinOp():
                return self.product(node) if isinstance(node.op, ast.Mult | ast.Div) else self.binary(node)
            case ast.Compare():
                return self.compared(node)
        return self.part(node)

    def part(self, node: ast.expr) -> Set:
        match node:
            case ast.Attribute(attr=name, value=inner) if is_transpose(name):
                return self.transposed(inner)
            case ast.Subscript() if total_of(node, self.names) is None:
                return self.picked(node)
            case ast.Call(func=ast.Attribute()):
                return self.call(node)
        raise UnsetError

    def compared(self, node: ast.Compare) -> Set:
        """[h > 0], which is 1 where it holds and 0 elsewhere."""
        if type(node.ops[0]) not in COMPARED:
            raise UnsetError
        sign = escape(COMPARED[type(node.ops[0])])
        both = f"{self.inside(node.left, SUM)}<mo>{sign}</mo>{self.inside(node.comparators[0], SUM)}"
        return f"<mo>[</mo>{both}<mo>]</mo>", ATOM

    def name(self, name: str) -> str:
        if name in self.names.gradients:
            return self.partial(self.names.gradients[name])
        if name in self.names.values or isinstance(self.names.constants.get(name), int | float):
            return _identifier(name)
        raise UnsetError

    def product(self, node: ast.BinOp) -> Set:
        """A product; what is divided stands over its divisor, but a gradient behind the fraction."""
        factors = factors_of(node)
        if factors.negative:
            inner = product_of(Factors(False, factors.above, factors.below))
            return (f"<mo>−</mo>{self.inside(inner, PRODUCT)}" if inner else "", TERM)
        ones = [factor for factor in factors.above if filled_from(factor) is not None]
        above = [factor for factor in factors.above if factor not in ones and printed(factor) != "1"]
        behind = [factor for factor in above if factors.below and self.names.gradients_in(factor)]
        parts = [self._weighed(factor) for factor in above if factor not in behind]
        if factors.below:
            parts = [self.fraction(Factors(False, [f for f in above if f not in behind], factors.below))]
        numbers = [part for part in parts if not part[2]]
        others = [part for part in parts if part[2]]
        made = [*numbers, *[(ONES, ATOM, (1,))] * bool(ones), *others, *map(self._weighed, behind)]
        return (self.multiplied(made), PRODUCT) if len(made) > 1 else made[0][:2]

    def _weighed(self, factor: ast.expr) -> tuple[str, int, tuple[int, ...]]:
        return *self.text(factor), self.names.shape(factor)

    def multiplied(self, factors: list[tuple[str, int, tuple[int, ...]]]) -> str:
        made = ""
        shape: tuple[int, ...] = ()
        for text, level, own in factors:
            sign = "⊙" if shape and own else "·"
            made += f"<mo>{sign}</mo>" * bool(made) + self.within((text, level), MATRIX)
            shape = shape or own
        return made

    def fraction(self, factors: Factors) -> tuple[str, int, tuple[int, ...]]:
        """Numbers and tensors above and below one bar."""
        whole = product_of(factors)
        assert whole is not None
        over = self.multiplied([self._weighed(factor) for factor in factors.above]) or "<mn>1</mn>"
        under = [self._weighed(factor) for factor in factors.below]
        below = self.multiplied(under) if len(under) > 1 else under[0][0]
        return f"<mfrac><mrow>{over}</mrow><mrow>{below}</mrow></mfrac>", MATRIX, self.names.shape(whole)

    def binary(self, node: ast.BinOp) -> Set:
        match node.op:
            case ast.Pow():
                exponent = self.text(node.right)[0]
                return f"<msup><mrow>{self.inside(node.left, ATOM)}</mrow><mrow>{exponent}</mrow></msup>", ATOM
            case ast.MatMult():
                sides = f"{self.inside(node.left, MATRIX)}<mspace width='0.2em'/>{self.inside(node.right, MATRIX)}"
                return sides, MATRIX
            case ast.Add() | ast.Sub():
                sign = "+" if isinstance(node.op, ast.Add) else "−"
                return f"{self.inside(node.left, SUM)}<mo>{sign}</mo>{self.inside(node.right, PRODUCT)}", SUM
        raise UnsetError

    def transposed(self, inner: ast.expr) -> Set:
        again = _turned(inner)
        if again is not None:
            return self.text(again)
        if len(self.names.shape(inner)) < 2:
            raise UnsetError
        return f"<msup><mrow>{self.inside(inner, ATOM)}</mrow><mi>T</mi></msup>", ATOM

    def picked(self, node: ast.Subscript) -> Set:
        """x_{:,2} for `x[:, 2]`: places given as numbers, and whole axes."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not all(printed(part) == ":" or re.fullmatch(r"\d+", printed(part)) for part in parts):
            raise UnsetError
        if not any(isinstance(part, ast.Constant) for part in parts):
            raise UnsetError
        index = ",".join(printed(part) for part in parts)
        return f"<msub><mrow>{self.inside(node.value, ATOM)}</mrow><mtext>{index}</mtext></msub>", ATOM

    def call(self, node: ast.Call) -> Set:
        if filled_from(node) is not None or joined_parts(node, self.names) is not None:
            raise UnsetError
        assert isinstance(node.func, ast.Attribute)
        of_module = is_of_module(node.func)
        given = node.args if of_module else [node.func.value, *node.args]
        name = node.func.attr
        total = total_of(node, self.names)
        if total is not None and (all(total.keep) or len(total.axes) == len(self.names.shape(total.of))):
            return self.total(total)
        if symbol := SYMBOLS.get(name, ""):
            return self.function(symbol, node, given)
        return self.special(node, name, given)

    def function(self, symbol: str, node: ast.Call, given: list[ast.expr]) -> Set:
        """A function by its symbol; below it the axis that it goes along, where it is given one."""
        if len(given) + len(node.keywords) == 2:
            return self.along_axis(symbol, node, given)
        if len(given) != 1 or node.keywords:
            raise UnsetError
        argument = self.text(given[0])[0]
        return (f"<msqrt><mrow>{argument}</mrow></msqrt>", ATOM) if symbol == "√" else _applied(symbol, argument)

    def special(self, node: ast.Call, name: str, given: list[ast.expr]) -> Set:
        if drawn(name) == "add product" and not node.args[3:] and (sum_ := _written_out(node, given)) is not None:
            return self.text(sum_)
        if drawn(name) == "copy" and len(given) == 1:
            return self.text(given[0])
        if (turned := _turned(node)) is not None:
            return self.transposed(turned)
        raise UnsetError

    def along_axis(self, symbol: str, node: ast.Call, given: list[ast.expr]) -> Set:
        try:
            dim = ast.literal_eval(given[1] if len(given) > 1 else node.keywords[0].value)
        except ValueError:
            raise UnsetError from None
        if not isinstance(dim, int) or (node.keywords and node.keywords[0].arg not in ("dim", "axis")):
            raise UnsetError
        axis = dim % max(len(self.names.shape(given[0])), 1)
        head = f"<msub><mi>{symbol}</mi><mtext>{escape(self.axes(given[0], [axis]))}</mtext></msub>"
        return f"{head}<mo>&#8289;</mo><mo>(</mo>{self.text(given[0])[0]}<mo>)</mo>", ATOM

    def axes(self, expr: ast.expr, axes: list[int]) -> str:
        """Axes by their names; by their numbers where two have the same name."""
        dims = self.names.dims(expr)
        if not dims:
            raise UnsetError  # an axis of a single number
        named = [dims[axis] if dims.count(dims[axis]) == 1 else f"axis {axis}" for axis in axes]
        return ", ".join(named)

    def total(self, total: Total) -> Set:
        every = len(total.axes) == len(self.names.shape(total.of))
        under = "all" if every and len(total.axes) > 1 else self.axes(total.of, total.axes)
        sigma = f"<munder><mo>∑</mo><mtext>{escape(under)}</mtext></munder>"
        return f"{sigma}{self.inside(total.of, PRODUCT)}", TERM


def _identifier(name: str) -> str:
    return f'<mi mathvariant="normal">{escape(name)}</mi>'


def _applied(name: str, argument: str) -> Set:
    return f"<mi>{escape(name)}</mi><mo>&#8289;</mo><mo>(</mo>{argument}<mo>)</mo>", ATOM


def _turned(node: ast.expr) -> ast.expr | None:
    """What a transposition of the last two axes is of."""
    match node:
        case ast.Attribute(value=inner, attr=name) | ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if (
            is_transpose(name)
        ):
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[first, second]) if drawn(name) == "swap" and {
            printed(first),
            printed(second),
        } == {"-2", "-1"}:
            return inner
    return None


def _written_out(node: ast.Call, given: list[ast.expr]) -> ast.expr | None:
    """`a + value * b * c` for `torch.addcmul(a, b, c, value=…)`; ones of full shape are the number 1."""
    if len(given) != 3 or any(keyword.arg != "value" for keyword in node.keywords):
        return None
    value = node.keywords[0].value if node.keywords else ast.Constant(1)
    first = ast.Constant(1) if filled_from(given[0]) is not None else given[0]
    same = printed(given[1]) == printed(given[2])
    both = ast.BinOp(given[1], ast.Pow(), ast.Constant(2)) if same else ast.BinOp(given[1], ast.Mult(), given[2])
    if printed(value) == "-1":
        return ast.BinOp(first, ast.Sub(), both)
    return ast.BinOp(first, ast.Add(), both if printed(value) == "1" else ast.BinOp(value, ast.Mult(), both))


def _number(value: object) -> Set:
    """A number as it is set: 10⁻⁵, not 1e-05."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) == float("inf"):
        raise UnsetError
    text = repr(int(value)) if value == int(value) and abs(value) < 1e6 else repr(value)
    mantissa, _, exponent = (text if "e" in text else f"{value:.17g}" if len(text) > 17 else text).partition("e")
    if not exponent and abs(value) >= 1e6:
        mantissa, _, exponent = f"{value:e}".partition("e")
        mantissa = mantissa.rstrip("0").rstrip(".")
    if not exponent:
        return f"<mn>{text}</mn>", ATOM
    sign = "−" if int(exponent) < 0 else ""
    power = f"<msup><mn>10</mn><mn>{sign}{abs(int(exponent))}</mn></msup>"
    return (power, ATOM) if mantissa == "1" else (f"<mn>{mantissa}</mn><mo>·</mo>{power}", PRODUCT)
