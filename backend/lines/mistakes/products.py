"""Products mistaken: a factor left out or upside down, n for n − 1, an exponent not lowered, matrices turned."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from backend.engine.language.rewrite import filled_from, simplified
from backend.engine.language.tree import constant, is_minus, number
from backend.engine.language.unparse import printed
from backend.engine.ops.compose import ones_over, transposed
from backend.lines.equations.drawn import drawn, is_transpose
from backend.lines.equations.factors import Factors, factors_of, product_of
from backend.lines.mistakes import wording
from backend.lines.mistakes.edits import Edit, Setting

CHAIN = ast.Mult | ast.Div
ONE = ast.Constant(1)


def mistaken_factors(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """A product, or a single gradient, without one of its factors, or with a number upside down."""
    if not (isinstance(part, ast.BinOp) and isinstance(part.op, CHAIN)):
        return
    parts = factors_of(part)
    arriving = [factor for factor in parts.above if setting.is_gradient(factor)]
    if (
        arriving
        and len(_locals(parts, setting)) > 1
        and any(setting.number(one) is None for one in _locals(parts, setting))
    ):
        alone, gone = _written(Factors(False, arriving, [])), _written(_rest(parts, setting))
        yield Edit("missing-local", part, alone, f"The local derivative `{printed(gone)}` is missing.")
    for above, factors in ((True, parts.above), (False, parts.below)):
        for place, factor in enumerate(factors):
            if filled_from(factor) is not None:
                continue
            rest = _written(_without(parts, above, place))
            upside = _written(_turned(parts, above, place))
            yield from _left_out(part, factor, rest, upside, setting, above)


def _rest(parts: Factors, setting: Setting) -> Factors:
    """A product without the gradients in it, and without what only lends its shape."""
    above, below = (
        [one for one in several if not setting.is_gradient(one) and filled_from(one) is None]
        for several in (parts.above, parts.below)
    )
    return Factors(parts.negative, above, below)


def _locals(parts: Factors, setting: Setting) -> list[ast.expr]:
    """The factors of a product that are the local derivative."""
    rest = _rest(parts, setting)
    return [*rest.above, *rest.below]


def mistaken_halves(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """One side of a product alone, where the other is a product itself."""
    match part:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for kept, dropped in ((left, right), (right, left)):
                if isinstance(dropped, ast.BinOp) and filled_from(kept) is None:
                    yield from _half(part, kept, dropped, setting)


def _half(part: ast.expr, kept: ast.expr, dropped: ast.expr, setting: Setting) -> Iterator[Edit]:
    if setting.is_gradient(dropped):
        yield Edit("missing-upstream", part, kept, f"The upstream gradient is missing, with `{printed(dropped)}`.")
    elif setting.number(dropped) is None:
        yield Edit("missing-local", part, kept, f"The local derivative `{printed(dropped)}` is missing.")
    else:
        yield Edit("scale", part, kept, f"The factor `{printed(dropped)}` is missing.")


def _without(parts: Factors, above: bool, place: int) -> Factors:
    one, other = (list(parts.above), list(parts.below)) if above else (list(parts.below), list(parts.above))
    one.pop(place)
    return Factors(parts.negative, one, other) if above else Factors(parts.negative, other, one)


def _turned(parts: Factors, above: bool, place: int) -> Factors:
    rest = _without(parts, above, place)
    factor = (parts.above if above else parts.below)[place]
    above_now, below_now = (rest.above, [*rest.below, factor]) if above else ([factor, *rest.above], rest.below)
    return Factors(rest.negative, above_now, below_now)


def _written(factors: Factors) -> ast.expr:
    return simplified(product_of(factors) or ONE)


def _left_out(
    part: ast.expr, factor: ast.expr, rest: ast.expr, upside: ast.expr, setting: Setting, above: bool
) -> Iterator[Edit]:
    value, text = setting.number(factor), printed(factor)
    gone = factor if above else ast.BinOp(ONE, ast.Div(), factor)
    if value is not None:
        if abs(value) != 1:
            yield Edit("scale", part, rest, f"The factor `{printed(gone)}` is missing.")
            yield Edit("scale", part, upside, f"`{text}` divides where it should multiply, or the other way round.")
        return
    if setting.is_gradient(factor):
        missing = f"This is the local derivative alone: the upstream gradient `{text}` is missing."
        kept = setting.shape(rest) == setting.shape(part)
        yield Edit("missing-upstream", part, rest if kept else _stretched(rest, part, factor, setting), missing)
        return
    yield Edit("missing-local", part, rest, f"The local derivative `{printed(gone)}` is missing.")
    yield Edit("unknown", part, upside, wording.upside_down(factor))


def _stretched(rest: ast.expr, part: ast.expr, factor: ast.expr, setting: Setting) -> ast.expr:
    """What is left without a factor that gave the product its shape."""
    shaped = factor if setting.shape(factor) == setting.shape(part) else part
    ones = ones_over(shaped)
    return simplified(ast.BinOp(rest, ast.Mult(), ones))


def mistaken_gradients(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """Ones in the place of a gradient that is no factor of a product: the local derivative alone."""
    if isinstance(part, ast.Name) and part.id in setting.gradients:
        missing = f"This is the local derivative alone: the upstream gradient `{part.id}` is missing."
        yield Edit("missing-upstream", part, ones_over(part), missing)


def mistaken_divisors(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """n for n − 1, and n − 1 for n."""
    match part:
        case ast.BinOp(left=base, op=ast.Sub(), right=ast.Constant(value=1)) if setting.number(base):
            told = f"`{printed(base)}` stands where `{printed(part)}` belongs: Bessel's correction."
            yield Edit("bessel", part, base, told)
        case ast.BinOp(op=ast.Div(), left=above, right=below):
            yield from _corrected(part, above, below, setting)


def _corrected(part: ast.BinOp, above: ast.expr, below: ast.expr, setting: Setting) -> Iterator[Edit]:
    value = setting.number(below)
    if isinstance(below, ast.Name | ast.Constant) and value and value > 2 and value == int(value):
        less = constant(int(value) - 1) if number(below) is not None else ast.BinOp(below, ast.Sub(), ONE)
        label = f"`{printed(less)}` stands where `{printed(below)}` belongs: there is no Bessel's correction here."
        yield Edit("bessel", part, ast.BinOp(above, ast.Div(), less), label)


def mistaken_powers(part: ast.expr, _: Setting) -> Iterator[Edit]:
    """An exponent that was not lowered, and a power left out."""
    match part:
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent) if number(exponent) is not None:
            raised = ast.BinOp(base, ast.Pow(), constant((number(exponent) or 0) + 1))
            yield Edit("unknown", part, raised, wording.EXPONENT)
            yield Edit("unknown", part, base, f"The exponent of `{printed(base)}` is missing.")


def mistaken_signs(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """A minus left out, and a plus for a minus."""
    if is_minus(part) and number(part) is None:
        yield Edit("sign", part, part.operand, wording.NO_MINUS)
    if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub) and setting.shape(part):
        other = ast.Sub() if isinstance(part.op, ast.Add) else ast.Add()
        label = wording.PLUS if isinstance(part.op, ast.Sub) else wording.MINUS
        yield Edit("sign", part, ast.BinOp(part.left, other, part.right), label)


def mistaken_matrices(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """A matrix product with its sides exchanged, or with one of them transposed."""
    if not (isinstance(part, ast.BinOp) and isinstance(part.op, ast.MatMult)):
        return
    left, right = part.left, part.right
    variants = [(turned(left, setting), right), (left, turned(right, setting)), (right, left)]
    variants += [(turned(left, setting), turned(right, setting)), (turned(right, setting), turned(left, setting))]
    variants += [(turned(right, setting), left), (right, turned(left, setting))]
    for a, b in variants:
        if a is not None and b is not None:
            made = ast.BinOp(a, ast.MatMult(), b)
            yield Edit("transposed", part, made, f"`{printed(made)}` turns the matrices another way.")
    whole = turned(part, setting)
    if whole is not None:
        yield Edit("transposed", part, whole, wording.TURNED)


def turned(matrix: ast.expr, setting: Setting) -> ast.expr | None:
    """The transpose, without the one that is written already; None of what has fewer than two axes."""
    if isinstance(matrix, ast.Attribute) and is_transpose(matrix.attr):
        return matrix.value
    shape = setting.shape(matrix)
    return None if shape is None or len(shape) < 2 else transposed(matrix, len(shape))


def mistaken_turns(part: ast.expr, _: Setting) -> Iterator[Edit]:
    """A transpose left out, where it stands in no matrix product."""
    if isinstance(part, ast.Attribute) and is_transpose(part.attr):
        yield Edit("transposed", part, part.value, f"The transpose of `{printed(part.value)}` is missing.")


def mistaken_calls(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """A copy, a mask, or the adding-up of a row's gradients left out."""
    if not (isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)):
        return
    if drawn(part.func.attr) == "copy":
        label = f"Without `.clone()` a later `+=` writes into `{printed(part.func.value)}` as well."
        yield Edit("aliasing", part, part.func.value, label)
    if drawn(part.func.attr) == "mask" and setting.is_gradient(part.func.value):
        yield Edit("missing-local", part, part.func.value, "The mask is missing.")
    adding = [k for k in part.keywords if k.arg == "accumulate" and isinstance(k.value, ast.Constant) and k.value.value]
    if adding:
        replaced = [ast.keyword(k.arg, ast.Constant(False)) if k in adding else k for k in part.keywords]
        label = wording.REPLACED
        yield Edit("overwritten-path", part, ast.Call(part.func, part.args, replaced), label)
