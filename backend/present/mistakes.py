"""Questions that could be asked before a backward step: the right answer, and the mistakes that people make there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from backend.differentiate.lines import Line
from backend.equations.equation import Picture, contributed
from backend.equations.factors import Factors, factors_of, product_of
from backend.equations.names import Names
from backend.equations.peel import Total, total_of
from backend.language.expression import expression
from backend.language.nodes import plain
from backend.language.rewrite import rebuilt, substitute
from backend.language.tree import constant, is_minus, minus, nodes_in, number
from backend.language.unparse import printed
from backend.language.wording import listed
from backend.mistakes import wording
from backend.present.explain import axis_name
from backend.present.question_types import Candidate

# What an answer is computed from, beside the program's names: what the line brings, and what was there before it.
BROUGHT, BEFORE = ast.Name("·brought", ast.Load()), ast.Name("·before", ast.Load())
ONE = ast.Constant(1)
BRIEF = 24


@dataclass(frozen=True)
class Option:
    """One answer: how it is shown, what it computes (None where Python stops), and what is wrong with it."""

    code: str
    expr: ast.expr | None
    mistake: str = ""
    words: str = ""


@dataclass(frozen=True)
class Proposal:
    """A question with its right answer and the wrong ones, the likeliest mistake first."""

    kind: str
    prompt: str
    right: Option
    wrong: list[Option] = field(default_factory=list)


@dataclass(frozen=True)
class Place:
    """A backward line among the others: those of the same gradient, those through the same forward line."""

    line: Line
    picture: Picture
    options: list[Candidate]
    names: Names
    turn: int
    turns: int
    siblings: list[tuple[Line, Picture]]

    @property
    def target(self) -> str:
        """The tensor whose gradient it is, as the reader wrote it."""
        return printed(self.line.target.expr)

    @property
    def out(self) -> str:
        """The tensor that the line goes back through."""
        assert self.line.through is not None
        return self.line.through.node.variable

    @property
    def local(self) -> ast.expr | None:
        """The local derivative, where the picture has one factor of that role."""
        found = [operand.expr for operand in self.picture.operands if operand.role == "local"]
        return found[0] if len(found) == 1 else None

    @property
    def arriving(self) -> ast.expr | None:
        """What the local derivative is multiplied by."""
        found = [operand.expr for operand in self.picture.operands if operand.role != "local"]
        return found[0] if len(found) == 1 else None


def proposals(place: Place) -> list[Proposal]:
    """What could be asked about a line, the hardest first."""
    later, others = _accumulate(place), [*_multiplied(place), _summed(place), _product(place), _repeats(place)]
    made = [*others, later] if place.line.mode == "=" else [later, *others]  # where a gradient begins, `=` is no wonder
    return [proposal for proposal in made if proposal is not None]


def _accumulate(place: Place) -> Proposal | None:
    """`=` or `+=`; also asked where a gradient begins that others will be added to."""
    line, name = place.line, place.line.variable
    if place.turns < 2 or line.is_partial or line.takes_away or len(line.statements) > 1 or line.parts:
        return None
    prompt = f"With which sign does this line write to `{name}`?"
    if line.mode == "=":
        early = (
            f"This is the first of {place.turns} paths, and there is no `{name}` yet: Python stops with a NameError."
        )
        return Proposal("accumulate", prompt, _sign(name, "=", BROUGHT), [_sign(name, "+=", None, early)])
    times = "twice" if place.turns == 2 else f"{place.turns} times"
    lost = wording.overwritten(place.turn)
    taken = f"`{place.target}` was used {times}: gradients of several uses are added, never taken away."
    wrong = [
        _sign(name, "=", BROUGHT, lost),
        _sign(name, "-=", ast.BinOp(BEFORE, ast.Sub(), BROUGHT), taken),
    ]
    return Proposal("accumulate", prompt, _sign(name, "+=", ast.BinOp(BEFORE, ast.Add(), BROUGHT)), wrong)


def _sign(name: str, sign: str, expr: ast.expr | None, mistake: str = "") -> Option:
    return Option(f"{name} {sign} …", expr, mistake)


def _multiplied(place: Place) -> Iterator[Proposal]:
    """What multiplies the upstream gradient, where the line is such a product."""
    picture, arriving, local = place.picture, place.arriving, place.local
    plain = picture.kind == "copy" or (picture.kind == "product" and local is not None)
    if arriving is None or not plain or picture.then not in ("", "spread", "fill"):
        return
    right = local if local is not None else minus(ONE) if picture.negative else ONE
    kind = _kind_of(place, right)
    if kind is None:
        return
    wrong = {"constant": _constants, "sign": _signs, "factor": _factors}[kind](place, right)
    what = {"constant": "Which constant multiplies", "sign": "What multiplies", "factor": "Which factor multiplies"}
    prompt = f"{what[kind]} `{printed(arriving)}` on the way to `{place.line.variable}`?"
    options = [Option(printed(local), _placed(place, local), mistake) for local, mistake in wrong]
    yield Proposal(kind, prompt, Option(printed(right), _placed(place, right)), options)


def _kind_of(place: Place, right: ast.expr) -> str | None:
    value = place.names.number(right)
    if value is None:
        return "factor"
    if abs(value) != 1:
        return "constant"
    return "sign" if value < 0 else None


def _placed(place: Place, local: ast.expr) -> ast.expr:
    """What the line would bring with this local derivative: its product, and its sum where it has one."""
    assert place.arriving is not None
    product = ast.BinOp(local, ast.Mult(), place.arriving)
    call = _sum_of(place)
    return product if call is None else _resummed(call, product)


def _sum_of(place: Place) -> ast.Call | None:
    """The call that sums, without the sign before it."""
    expr = contributed(place.line)
    expr = expr.operand if is_minus(expr) else expr
    found = place.picture.axes and isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute)
    return expr if found and isinstance(expr, ast.Call) else None


def _resummed(call: ast.Call, of: ast.expr) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return ast.Call(ast.Attribute(of, call.func.attr, ast.Load()), call.args, call.keywords)


def _signs(place: Place, _: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    target, out = expression(place.target), expression(place.out)
    yield ONE, f"`{place.target}` enters with a minus: as it grows, `{place.out}` shrinks."
    yield target, f"`{place.target}` enters with a minus and no other factor: the slope is −1, whatever its value is."
    yield minus(target), "The sign is right, but its value is no part of the slope: that is −1."
    yield out, f"`{place.out}` is the result. The slope in `{place.target}` is −1."


def _constants(place: Place, right: ast.expr) -> Iterator[tuple[ast.expr, str]]:
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


def _factors(place: Place, right: ast.expr) -> Iterator[tuple[ast.expr, str]]:
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
    yield ONE, f"A factor is missing: `{printed(place.arriving)}` passes unchanged only through a sum."
    yield minus(right), wording.sign(is_minus(right))


def is_brief(code: str) -> bool:
    """Whether an expression is short enough to be mistaken for a factor."""
    return len(code) <= BRIEF


def _slopes_elsewhere(place: Place) -> Iterator[tuple[ast.expr, str]]:
    """The local derivatives of the same forward line in its other inputs."""
    for line, picture in place.siblings:
        local = [operand.expr for operand in picture.operands if operand.role == "local"]
        alike = picture.kind == "product" and len(local) == 1 and picture.arrives == place.picture.arrives
        if alike and place.names.number(local[0]) is None:
            yield local[0], printed(line.target.expr)


def _misread(place: Place, right: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The rule itself misremembered: a number in front forgotten, an exponent not lowered, a slope upside down."""
    parts = factors_of(right)
    for i, part in enumerate(parts.above):
        value = number(part)
        if value is not None and abs(value) != 1:
            rest = product_of(Factors(parts.negative, [*parts.above[:i], *parts.above[i + 1 :]], parts.below))
            if rest is not None:
                yield rest, f"The {printed(part)} in front is missing: the exponent comes down as a factor."
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Pow) and number(part.right) is not None:
            raised = ast.BinOp(part.left, ast.Pow(), constant(_plus_one(number(part.right))))
            higher = product_of(Factors(parts.negative, [*parts.above[:i], raised, *parts.above[i + 1 :]], parts.below))
            if higher is not None:
                yield higher, wording.EXPONENT
    if parts.below:
        upright = product_of(Factors(parts.negative, parts.below, []))
        if upright is not None:
            below = printed(parts.below[0])
            yield upright, f"This is the slope upside down: it is 1 over `{below}`, large where `{below}` is small."
    yield from _exchanged(place, right)


def _plus_one(value: float | int | None) -> float | int:
    return (value or 0) + 1


def _exchanged(place: Place, right: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The slope in terms of the input where it is in terms of the output, and without its squares."""
    used = {part.id for part in nodes_in(right) if isinstance(part, ast.Name)}
    compares = any(isinstance(part, ast.Compare) for part in nodes_in(right))
    if place.out in used and not compares and not isinstance(right, ast.Name) and is_brief(place.target):
        swapped = substitute(right, {place.out: expression(place.target)})
        yield swapped, f"The slope follows from the output `{place.out}`, not from the input `{place.target}`."
        flat = _without_squares(right)
        if printed(flat) != printed(right):
            yield flat, "The square is missing."


def _without_squares(expr: ast.expr) -> ast.expr:
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Pow) and number(expr.right) == 2:
        return expr.left
    return rebuilt(expr, _without_squares)


def _summed(place: Place) -> Proposal | None:
    """Which axes are summed, and whether they stay with length 1."""
    line, call = place.line, _sum_of(place)
    if call is None or len(line.statements) > 1 or line.is_partial:
        return None
    total, negative = total_of(call, place.names), is_minus(contributed(line))
    if total is None or len(set(total.keep)) != 1:
        return None
    assert isinstance(call.func, ast.Attribute)
    wrong = [Option(printed(expr), expr, mistake) for expr, mistake in _other_sums(place, call, total)]
    shown = [
        Option(printed(minus(one.expr)), minus(one.expr), one.mistake) if negative and one.expr is not None else one
        for one in wrong
    ]
    right = minus(call) if negative else call
    prompt = f"Which line gives `{line.variable}`?"
    return Proposal("sum", prompt, Option(printed(right), right), shown)


def _other_sums(place: Place, call: ast.Call, total: Total) -> Iterator[tuple[ast.expr, str]]:
    shape, keep, target = place.names.shape(total.of), total.keep[0], place.target
    dims = [axis_name(axis, name) for axis, name in enumerate(place.names.dims(total.of))]
    over = listed([dims[axis] for axis in total.axes])
    alone = len(total.axes) == 1
    if len(total.axes) < len(shape) and alone:
        yield _over(call, total.axes, not keep), wording.keepdim(target, keep)
    for axis in [axis for axis in range(len(shape)) if axis not in total.axes] if alone else total.axes:
        yield _over(call, [axis], keep), wording.wrong_axis(target, over, dims[axis], not alone)
    size = " × ".join(str(shape[axis]) for axis in total.axes)
    yield total.of, wording.missing_sum(target, size)
    count = 1
    for axis in total.axes:
        count *= shape[axis]
    if count > 1:
        yield ast.BinOp(call, ast.Div(), constant(count)), wording.AVERAGED


def _over(call: ast.Call, axes: list[int], keep: bool) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    given: ast.expr = constant(axes[0]) if len(axes) == 1 else ast.Tuple([constant(axis) for axis in axes], ast.Load())
    return ast.Call(call.func, [given], [ast.keyword("keepdim", ast.Constant(True))] if keep else [])


def _product(place: Place) -> Proposal | None:
    """Which of the two matrices comes first, and which is transposed."""
    line, picture = place.line, place.picture
    own = next((option for option in place.options if option["own"]), None)
    if own is None or picture.axes or (picture.then and not line.is_partial):
        return None
    needed = own["result"]
    assert needed is not None
    turned, fitting, failing = [], [], []
    for option in place.options:
        if option["own"]:
            continue
        if option["fits"]:
            fitting.append(
                Option(option["code"], expression(option["code"]), f"The shape is right, but {_short(option['why'])}.")
            )
        elif option["result"] == needed[::-1]:
            turned.append(Option(option["code"], expression(option["code"]), wording.TURNED))
        elif option["result"] is None:
            failing.append(Option(option["code"], None, _cannot(option)))
        else:
            mistake = f"This sums over the axis that `{place.line.variable}` should keep."
            fitting.append(Option(option["code"], expression(option["code"]), mistake))
    prompt = f"Which product gives `{printed(line.writes_to)}`?"
    wrong = [*fitting[:2], *turned[:1], *failing]
    return Proposal("product", prompt, Option(own["code"], expression(own["code"])), wrong)


def _short(why: str) -> str:
    return why.removeprefix("the right shape, but ").partition(": ")[0]


def _cannot(option: Candidate) -> str:
    left, right = tuple(option["left"]), tuple(option["right"])
    return f"{left} @ {right} can't be multiplied: {left[1]} columns meet {right[0]} rows, and torch stops."


def _repeats(place: Place) -> Proposal | None:
    """What becomes of a row that was picked several times."""
    expr = contributed(place.line)
    if place.picture.then != "scatter" or not isinstance(expr, ast.Call) or place.arriving is None:
        return None
    adding = [k for k in expr.keywords if isinstance(k.value, ast.Constant) and k.value.value is True]
    if len(adding) != 1 or place.line.is_partial:
        return None
    kept = [ast.keyword(k.arg, ast.Constant(False)) if k is adding[0] else k for k in expr.keywords]
    replaced = ast.Call(expr.func, expr.args, kept)
    count = place.names.shape(place.arriving)[:1]
    arriving = printed(place.arriving)
    wrong = [
        Option("", replaced, wording.REPLACED, "the last one replaces those before it"),
    ]
    if count and count[0] > 1:
        shared = ast.BinOp(expr, ast.Div(), constant(count[0]))
        wrong.insert(1, Option("", shared, wording.AVERAGED, f"they are added up and divided by {count[0]}"))
    prompt = f"A row of `{place.target}` is picked several times. What happens to its gradients in `{arriving}`?"
    return Proposal("repeats", prompt, Option("", expr, words="they add up"), wrong)
