"""Mistakes in what multiplies the upstream gradient: a sign, a constant, or the local derivative itself."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from backend.engine.language.expression import expression
from backend.engine.language.nodes import plain
from backend.engine.language.rebuild import rebuilt
from backend.engine.language.rewrite import substitute
from backend.engine.language.signs import without_sign
from backend.engine.language.tree import constant, is_minus, minus, nodes_in, number
from backend.engine.language.unparse import printed
from backend.lines.equations.factors import Factors, factors_of, product_of
from backend.lines.equations.names import Names
from backend.lines.mistakes import wording
from backend.present.question_place import Place

ONE = ast.Constant(1)
BRIEF = 24


def signs(place: Place, _: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """What stands in the place of a mere −1, each with what is wrong with it."""
    target, out, slope = expression(place.target), expression(place.out), place.slope
    alone = slope == "the slope"
    shrinks = f"as it grows, `{place.made}` shrinks" if alone else "the gradient of this path changes sign"
    yield ONE, f"`{place.target}` enters with a minus: {shrinks}."
    yield target, f"`{place.target}` enters with a minus and no other factor: {slope} is −1, whatever its value is."
    yield minus(target), f"The sign is right, but its value is no part of {slope}: that is −1."
    yield out, f"`{place.out}` is the result, and {slope} is −1."


def constants(place: Place, right: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """Mistaken constants: left out, upside down, n − 1 for n, with another sign."""
    negative, size = is_minus(right), right.operand if is_minus(right) else right
    signed = (lambda part: minus(part)) if negative else (lambda part: part)
    missing = f"The factor `{printed(size)}` is missing: going forward `{place.out}` was made with it."
    parts = factors_of(size)
    divisor = parts.below[0] if len(parts.below) == 1 else None
    if divisor is not None and [number(part) for part in parts.above] in ([], [1]):
        other = _neighbour(divisor, place.names)
        if other is not None:
            same = f"`{place.out}` was made with `{printed(size)}`, and the way back uses the same number."
            yield signed(plain(ast.BinOp(ONE, ast.Div(), other))), same
        yield signed(ONE), missing
        yield signed(divisor), f"What was divided by `{printed(divisor)}` going forward is divided on the way back too."
    else:
        yield signed(ONE), missing
        yield signed(plain(ast.BinOp(ONE, ast.Div(), size))), "This is the factor upside down."
    yield minus(right), wording.sign(negative)


def _neighbour(divisor: ast.expr, names: Names) -> ast.expr | None:
    """n − 1 for n, and n for n − 1: the two divisors that are mixed up."""
    match divisor:
        case ast.BinOp(left=base, op=ast.Sub(), right=ast.Constant(value=1)):
            return base
        case ast.Name() | ast.Constant(value=int()) if (names.number(divisor) or 0) > 2:
            value = number(divisor)
            return plain(ast.BinOp(divisor, ast.Sub(), ONE)) if value is None else constant(int(value) - 1)
    return None


def factors(place: Place, right: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """Mistaken local derivatives, in the program's own names."""
    target, out = place.target, place.out
    for expr, other in _slopes_elsewhere(place):
        yield expr, f"`{printed(expr)}` is the slope of `{out}` in `{other}`, not in `{target}`."
    yield from _misread(place, right)
    nudged = f"`{target}` is what is nudged, not what its nudge is multiplied by."
    if is_brief(target):
        yield expression(target), nudged
    if printed(right) != out:
        yield expression(out), f"`{out}` is the result itself, not its slope in `{target}`."
    assert place.arriving is not None
    yield ONE, f"A factor is missing: `{printed(place.arriving)}` passes unchanged only where {place.slope} is 1."
    yield minus(right), wording.sign(is_minus(right))


def is_brief(code: str) -> bool:
    """Whether an expression is short enough to be mistaken for a factor."""
    return len(code) <= BRIEF


def _slopes_elsewhere(place: Place) -> Iterator[tuple[ast.expr, str]]:
    """The local derivatives of the same forward line in its other inputs, of those that are written in it once."""
    ways = Counter([place.target, *(printed(line.target.expr) for line, _ in place.siblings)])
    whole = place.picture.arrives == f"d{place.out}"
    for line, picture in place.siblings if whole else []:
        if ways[printed(line.target.expr)] > 1 or len(line.uses) > 1:
            continue
        local = [operand.expr for operand in picture.operands if operand.role == "local"]
        alike = picture.kind == "product" and len(local) == 1 and picture.arrives == place.picture.arrives
        if alike and place.names.number(local[0]) is None:
            yield local[0], printed(line.target.expr)


def _misread(place: Place, right: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The rule itself misremembered: a number in front forgotten, an exponent not lowered, a slope upside down."""
    parts, powers = factors_of(right), place.powers
    for i, part in enumerate(parts.above):
        value = number(part)
        if value is not None and abs(value) != 1:
            rest = product_of(Factors(parts.negative, [*parts.above[:i], *parts.above[i + 1 :]], parts.below))
            if rest is not None:
                came_down = f"The {printed(part)} in front is missing: the exponent comes down as a factor."
                yield rest, came_down if value in powers else f"The factor `{printed(part)}` is missing."
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Pow) and _plus_one(number(part.right)) in powers:
            raised = ast.BinOp(part.left, ast.Pow(), constant(_plus_one(number(part.right))))
            higher = product_of(Factors(parts.negative, [*parts.above[:i], raised, *parts.above[i + 1 :]], parts.below))
            if higher is not None:
                yield higher, wording.EXPONENT
    divisor = product_of(Factors(False, parts.below, []))
    upright = product_of(Factors(parts.negative, [*parts.above, *parts.below], []))
    if divisor is not None and upright is not None:
        below, one = printed(divisor), "−1" if parts.negative else "1"
        if all(number(part) == 1 for part in parts.above):
            upright = minus(divisor) if parts.negative else divisor
            over = f"it is {one} over `{below}`, large where `{below}` is small"
            yield upright, f"This is {place.slope} upside down: {over}."
        else:
            yield upright, f"Here {place.slope} is divided by `{below}`, not multiplied by it."
    yield from _exchanged(place, right)


def _plus_one(value: float | int | None) -> float | int:
    return (value or 0) + 1


def _exchanged(place: Place, right: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The slope in terms of the input where it is in terms of the output, and without its squares."""
    used = {part.id for part in nodes_in(right) if isinstance(part, ast.Name)}
    compares = any(isinstance(part, ast.Compare) for part in nodes_in(right))
    if place.out in used and not compares and not isinstance(right, ast.Name) and is_brief(place.target):
        swapped = substitute(right, {place.out: expression(place.target)})
        if not _cancels(swapped):
            yield swapped, f"The slope follows from the output `{place.out}`, not from the input `{place.target}`."
        flat = _without_squares(right)
        if printed(flat) != printed(right):
            yield flat, "The square is missing."


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
