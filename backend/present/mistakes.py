"""Questions that could be asked before a backward step: the right answer, and the mistakes that people make there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from backend.engine.language.expression import expression
from backend.engine.language.tree import constant, is_minus, minus
from backend.engine.language.unparse import printed
from backend.engine.language.wording import listed
from backend.lines.equations.equation import contributed
from backend.lines.equations.peel import Total, total_of
from backend.lines.mistakes import wording
from backend.lines.mistakes.library import off_masks
from backend.present.explain import axis_name
from backend.present.factor_mistakes import ONE, constants, factors, signs
from backend.present.question_place import Option, Place, Proposal
from backend.present.question_types import Candidate

# What an answer is computed from, beside the program's names: what the line brings, and what was there before it.
BROUGHT, BEFORE = ast.Name("·brought", ast.Load()), ast.Name("·before", ast.Load())


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
    prompt = f"How does this line write to `{name}`?"
    if line.mode == "=":
        early = (
            f"This is the first of {place.turns} paths, and there is no `{name}` yet: Python stops with a NameError."
        )
        return Proposal("accumulate", prompt, _sign(name, "=", BROUGHT), [_sign(name, "+=", None, early)])
    lost = wording.overwritten(place.turn)
    taken = f"The gradients of all uses of `{place.target}` are added: with `-=` the sign of this one is wrong."
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
    wrong = {"constant": constants, "sign": signs, "factor": factors}[kind](place, right)
    what = {"constant": "Which constant multiplies", "sign": "What multiplies", "factor": "Which factor multiplies"}
    prompt = f"{what[kind]} `{printed(arriving)}` on the way to `{place.line.variable}`?"
    shown = ((off_masks(local, place.names), mistake) for local, mistake in wrong)
    options = [Option(printed(local), _placed(place, local), mistake) for local, mistake in shown]
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
    """What becomes of a part that was picked several times."""
    expr = contributed(place.line)
    if place.picture.then != "scatter" or not isinstance(expr, ast.Call) or place.arriving is None:
        return None
    adding = [k for k in expr.keywords if isinstance(k.value, ast.Constant) and k.value.value is True]
    if len(adding) != 1 or place.line.is_partial:
        return None
    kept = [ast.keyword(k.arg, ast.Constant(False)) if k is adding[0] else k for k in expr.keywords]
    replaced = ast.Call(expr.func, expr.args, kept)
    count = place.names.shape(place.arriving)[:1]
    wrong = [
        Option("", replaced, wording.REPLACED, "the last one replaces those before it"),
    ]
    if count and count[0] > 1:
        shared = ast.BinOp(expr, ast.Div(), constant(count[0]))
        wrong.insert(1, Option("", shared, wording.AVERAGED, f"they are added up and divided by {count[0]}"))
    picked = _picked(len(place.names.shape(expr)), expr)
    brought = printed(expr.args[-1])
    prompt = f"A {picked} of `{place.target}` is picked several times. What happens to its gradients in `{brought}`?"
    return Proposal("repeats", prompt, Option("", expr, words="they add up"), wrong)


def _picked(axes: int, call: ast.Call) -> str:
    """What the numbers in a call's tuple pick of a tensor: a cell where there is one for every axis."""
    given = next((arg.elts for arg in call.args if isinstance(arg, ast.Tuple)), [])
    return {0: "cell", 1: "row"}.get(axes - len(given), "part")
