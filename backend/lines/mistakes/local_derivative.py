"""A local derivative mistaken: its sign, its constant, its rule, or that of another input in its place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from backend.engine.language.expression import expression
from backend.engine.language.nodes import plain
from backend.engine.language.rebuild import rebuilt
from backend.engine.language.rewrite import substitute
from backend.engine.language.signs import without_sign
from backend.engine.language.tree import is_minus, minus, nodes_in, number
from backend.engine.language.unparse import printed
from backend.lines.equations.factors import Factors, factors_of, product_of
from backend.lines.mistakes import wording
from backend.lines.mistakes.codes import DiagnosisCode
from backend.lines.mistakes.edits import Edit
from backend.lines.mistakes.products import ONE, divisor_beside, raised

BRIEF = 24


@dataclass(frozen=True)
class LocalDerivative:
    """What a backward line multiplies the upstream gradient by: `right`, with the program's own names around it.

    It is the slope of `out` in `target`; `arriving` is the gradient of `upstream_of`, which is `out` or a part of its
    line. `powers` are the exponents of `target` going forward, `elsewhere` the slopes of `out` in its other inputs.
    """

    right: ast.expr
    target: str
    out: str
    upstream_of: str
    arriving: str
    only_path: bool
    powers: Collection[float]
    elsewhere: list[tuple[ast.expr, str]]
    number: Callable[[ast.expr], float | None]

    @property
    def kind(self) -> str:
        """A constant, a mere minus, or a factor that depends on the tensors; "" where nothing is multiplied."""
        value = self.number(self.right)
        return "factor" if value is None else "constant" if abs(value) != 1 else "sign" if value < 0 else ""

    @property
    def slope(self) -> str:
        """What it is called: of a tensor that its forward line reads several times, the slope of one path."""
        return "the slope" if self.only_path else "the slope of this path"

    def instead(self) -> Iterator[Edit]:
        """What may stand in its place, the likeliest mistake first."""
        told = {"constant": _constants, "sign": _signs, "factor": _factors}[self.kind](self)
        yield from (Edit(code, self.right, instead, label) for code, instead, label in told)


Told = Iterator[tuple[DiagnosisCode, ast.expr, str]]


def _signs(local: LocalDerivative) -> Told:
    target, out, slope = expression(local.target), expression(local.out), local.slope
    shrinks = (
        f"as it grows, `{local.upstream_of}` shrinks" if local.only_path else "the gradient of this path changes sign"
    )
    yield "sign", ONE, f"`{local.target}` enters with a minus: {shrinks}."
    told = f"`{local.target}` enters with a minus and no other factor: {slope} is −1, whatever its value is."
    yield "wrong-tensor", target, told
    yield "wrong-tensor", minus(target), f"The sign is right, but its value is no part of {slope}: that is −1."
    yield "wrong-tensor", out, f"`{local.out}` is the result, and {slope} is −1."


def _constants(local: LocalDerivative) -> Told:
    """Left out, upside down, n − 1 for n, with another sign."""
    right, out, negative = local.right, local.out, is_minus(local.right)
    size = right.operand if is_minus(right) else right
    signed = minus if negative else lambda part: part
    missing = f"The factor `{printed(size)}` is missing: going forward `{out}` was made with it."
    parts = factors_of(size)
    divisor = parts.below[0] if len(parts.below) == 1 else None
    if divisor is not None and [number(part) for part in parts.above] in ([], [1]):
        other = divisor_beside(divisor, local.number)
        if other is not None:
            same = f"`{out}` was made with `{printed(size)}`, and the way back uses the same number."
            yield "bessel", signed(plain(ast.BinOp(ONE, ast.Div(), plain(other)))), same
        yield "scale", signed(ONE), missing
        told = f"What was divided by `{printed(divisor)}` going forward is divided on the way back too."
        yield "scale", signed(divisor), told
    else:
        yield "scale", signed(ONE), missing
        yield "scale", signed(plain(ast.BinOp(ONE, ast.Div(), size))), "This is the factor upside down."
    yield "sign", minus(right), wording.sign(negative)


def _factors(local: LocalDerivative) -> Told:
    right, target, out = local.right, local.target, local.out
    for expr, other in local.elsewhere:
        yield "wrong-tensor", expr, f"`{printed(expr)}` is the slope of `{out}` in `{other}`, not in `{target}`."
    yield from _misread(local)
    if is_brief(target):
        nudged = f"`{target}` is what is nudged, not what its nudge is multiplied by."
        yield "wrong-tensor", expression(target), nudged
    if printed(right) != out:
        yield "wrong-tensor", expression(out), f"`{out}` is the result itself, not its slope in `{target}`."
    passes = f"A factor is missing: `{local.arriving}` passes unchanged only where {local.slope} is 1."
    yield "missing-local", ONE, passes
    yield "sign", minus(right), wording.sign(is_minus(right))


def is_brief(code: str) -> bool:
    """Whether an expression is short enough to be mistaken for a factor."""
    return len(code) <= BRIEF


def _misread(local: LocalDerivative) -> Told:
    """The rule misremembered: a number in front forgotten, an exponent not lowered, a slope upside down."""
    parts = factors_of(local.right)
    for i, part in enumerate(parts.above):
        value, rest = number(part), product_of(parts.without(True, i))
        if value is not None and abs(value) != 1 and rest is not None:
            came_down = f"The {printed(part)} in front is missing: the exponent comes down as a factor."
            yield "scale", rest, came_down if value in local.powers else f"The factor `{printed(part)}` is missing."
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Pow) and number(raised(part).right) in local.powers:
            higher = product_of(parts.with_others(True, i, [raised(part)]))
            if higher is not None:
                yield "unknown", higher, wording.EXPONENT
    divisor = product_of(Factors(False, parts.below, []))
    upright = product_of(Factors(parts.negative, [*parts.above, *parts.below], []))
    if divisor is not None and upright is not None:
        below, one = printed(divisor), "−1" if parts.negative else "1"
        if all(number(part) == 1 for part in parts.above):
            upright = minus(divisor) if parts.negative else divisor
            over = f"it is {one} over `{below}`, large where `{below}` is small"
            yield "unknown", upright, f"This is {local.slope} upside down: {over}."
        else:
            yield "unknown", upright, f"Here {local.slope} is divided by `{below}`, not multiplied by it."
    yield from _exchanged(local)


def _exchanged(local: LocalDerivative) -> Told:
    """The slope in terms of the input where it is in terms of the output, and without its squares."""
    right, target, out = local.right, local.target, local.out
    used = {part.id for part in nodes_in(right) if isinstance(part, ast.Name)}
    compares = any(isinstance(part, ast.Compare) for part in nodes_in(right))
    if out in used and not compares and not isinstance(right, ast.Name) and is_brief(target):
        swapped = substitute(right, {out: expression(target)})
        if not _cancels(swapped):
            yield "wrong-tensor", swapped, f"The slope follows from the output `{out}`, not from the input `{target}`."
        flat = _without_squares(right)
        if printed(flat) != printed(right):
            yield "unknown", flat, "The square is missing."


def _cancels(expr: ast.expr) -> bool:
    """Whether something is divided by itself, or taken away from itself: nobody would write that."""
    pairs = [part for part in nodes_in(expr) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div | ast.Sub)]
    return any(_size(pair.left) == _size(pair.right) for pair in pairs)


def _size(expr: ast.expr) -> str:
    return printed(without_sign(expr) or expr)


def _without_squares(expr: ast.expr) -> ast.expr:
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Pow) and number(expr.right) == 2:
        return expr.left
    return rebuilt(expr, _without_squares)
