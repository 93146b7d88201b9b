"""Questions that could be asked before a backward step: the right answer, and the mistakes that people make there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from backend.engine.language.expression import expression
from backend.engine.language.tree import constant, is_minus, minus
from backend.engine.language.unparse import printed
from backend.lines.equations.equation import contributed
from backend.lines.mistakes import wording
from backend.lines.mistakes.edits import Edit, Setting
from backend.lines.mistakes.library import off_masks
from backend.lines.mistakes.local_derivative import LocalDerivative
from backend.lines.mistakes.products import ONE, mistaken_calls
from backend.lines.mistakes.sums import mistaken_sums, sum_of
from backend.present.explain import axis_name
from backend.present.question_types import Candidate
from backend.present.quiz_line import Option, Proposal, QuizLine

# What an answer is computed from, beside the program's names: what the line brings, and what was there before it.
BROUGHT, BEFORE = ast.Name("·brought", ast.Load()), ast.Name("·before", ast.Load())


def proposals(here: QuizLine) -> list[Proposal]:
    """What could be asked about a line, the hardest first."""
    later, others = _accumulate(here), [*_multiplied(here), _summed(here), _product(here), _repeats(here)]
    made = [*others, later] if here.line.mode == "=" else [later, *others]  # where a gradient begins, `=` is no wonder
    return [proposal for proposal in made if proposal is not None]


def _accumulate(here: QuizLine) -> Proposal | None:
    """`=` or `+=`; also asked where a gradient begins that others will be added to."""
    line, name = here.line, here.line.variable
    if here.turns < 2 or line.is_partial or line.takes_away or len(line.statements) > 1 or line.parts:
        return None
    prompt = f"How does this line write to `{name}`?"
    if line.mode == "=":
        early = f"This is the first of {here.turns} paths, and there is no `{name}` yet: Python stops with a NameError."
        return Proposal("accumulate", prompt, _sign(name, "=", BROUGHT), [_sign(name, "+=", None, early)])
    lost = wording.overwritten(here.turn)
    taken = f"The gradients of all uses of `{here.target}` are added: with `-=` the sign of this one is wrong."
    wrong = [
        _sign(name, "=", BROUGHT, lost),
        _sign(name, "-=", ast.BinOp(BEFORE, ast.Sub(), BROUGHT), taken),
    ]
    return Proposal("accumulate", prompt, _sign(name, "+=", ast.BinOp(BEFORE, ast.Add(), BROUGHT)), wrong)


def _sign(name: str, sign: str, expr: ast.expr | None, mistake: str = "") -> Option:
    return Option(f"{name} {sign} …", expr, mistake)


def _multiplied(here: QuizLine) -> Iterator[Proposal]:
    """What multiplies the upstream gradient, where the line is such a product."""
    picture, arriving, local = here.picture, here.arriving, here.local
    plain = picture.kind == "copy" or (picture.kind == "product" and local is not None)
    if arriving is None or not plain or picture.then not in ("", "spread", "fill"):
        return
    sign = minus(ONE) if picture.negative else ONE
    right = LocalDerivative(
        sign if local is None else local, here.target, here.out, here.upstream_of, printed(arriving), here.only_path,
        here.powers, list(here.slopes_elsewhere()), here.names.number,
    )  # fmt: skip
    if not right.kind:
        return
    asked = {"constant": "Which constant multiplies", "sign": "What multiplies", "factor": "Which factor multiplies"}
    prompt = f"{asked[right.kind]} `{right.arriving}` on the way to `{here.line.variable}`?"
    options = []
    for edit in right.instead():
        shown = off_masks(edit.instead, here.names)
        options.append(Option(printed(shown), _placed(here, shown), edit.label))
    yield Proposal(right.kind, prompt, Option(printed(right.right), _placed(here, right.right)), options)


def _placed(here: QuizLine, local: ast.expr) -> ast.expr:
    """What the line would bring with this local derivative: its product, and its sum where it has one."""
    assert here.arriving is not None
    product = ast.BinOp(local, ast.Mult(), here.arriving)
    call = _sum_of(here)
    return product if call is None else _resummed(call, product)


def _sum_of(here: QuizLine) -> ast.Call | None:
    """The call that sums, without the sign before it."""
    expr = contributed(here.line)
    expr = expr.operand if is_minus(expr) else expr
    found = here.picture.axes and isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute)
    return expr if found and isinstance(expr, ast.Call) else None


def _resummed(call: ast.Call, of: ast.expr) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return ast.Call(ast.Attribute(of, call.func.attr, ast.Load()), call.args, call.keywords)


def _summed(here: QuizLine) -> Proposal | None:
    """Which axes are summed, and whether they stay with length 1."""
    line, call = here.line, _sum_of(here)
    if call is None or len(line.statements) > 1 or line.is_partial:
        return None
    signed = minus if is_minus(contributed(line)) else lambda expr: expr
    wrong = [(signed(edit.instead), edit.label) for edit in _other_sums(here, call)]
    shown, right = [Option(printed(expr), expr, mistake) for expr, mistake in wrong], signed(call)
    prompt = f"Which line gives `{line.variable}`?"
    return Proposal("sum", prompt, Option(printed(right), right), shown)


def _other_sums(here: QuizLine, call: ast.Call) -> Iterator[Edit]:
    """What the sum may be mistaken for: another one keeps axes as it does, and of several runs over one alone."""
    setting = _setting(here)
    total, edits = sum_of(call, setting), list(mistaken_sums(call, setting))
    if total is None:
        return
    alone = len(total.axes) == 1
    if alone and len(here.names.shape(total.of)) > 1:
        yield from (edit for edit in edits if edit.code == "keepdim")
    for edit in edits:
        other = sum_of(edit.instead, setting) if edit.code == "wrong-axis" else None
        if other is not None and other.keep == total.keep and (alone or {*other.axes} <= {*total.axes}):
            yield edit
    yield from (edit for edit in edits if edit.code in ("missing-sum", "scale"))


def _setting(here: QuizLine) -> Setting:
    """What is known where the line stands, with the axes by their names."""
    names = here.names

    def axes(of: ast.expr) -> list[str]:
        return [axis_name(axis, name) for axis, name in enumerate(names.dims(of))]

    return Setting(here.target, names.shape, names.number, names.gradients, axes=axes)


def _product(here: QuizLine) -> Proposal | None:
    """Which of the two matrices comes first, and which is transposed."""
    line, picture = here.line, here.picture
    own = next((option for option in here.options if option["own"]), None)
    if own is None or picture.axes or (picture.then and not line.is_partial):
        return None
    needed = own["result"]
    assert needed is not None
    turned, fitting, failing = [], [], []
    for option in here.options:
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
            mistake = f"This sums over the axis that `{here.line.variable}` should keep."
            fitting.append(Option(option["code"], expression(option["code"]), mistake))
    prompt = f"Which product gives `{printed(line.writes_to)}`?"
    wrong = [*fitting[:2], *turned[:1], *failing]
    return Proposal("product", prompt, Option(own["code"], expression(own["code"])), wrong)


def _short(why: str) -> str:
    return why.removeprefix("the right shape, but ").partition(": ")[0]


def _cannot(option: Candidate) -> str:
    left, right = tuple(option["left"]), tuple(option["right"])
    return f"{left} @ {right} can't be multiplied: {left[1]} columns meet {right[0]} rows, and torch stops."


def _repeats(here: QuizLine) -> Proposal | None:
    """What becomes of a part that was picked several times."""
    expr = contributed(here.line)
    if here.picture.then != "scatter" or not isinstance(expr, ast.Call) or here.arriving is None:
        return None
    replacing = [edit for edit in mistaken_calls(expr, _setting(here)) if edit.code == "overwritten-path"]
    if len(replacing) != 1 or here.line.is_partial:
        return None
    count = here.names.shape(here.arriving)[:1]
    wrong = [Option("", replacing[0].instead, replacing[0].label, "the last one replaces those before it")]
    if count and count[0] > 1:
        shared = ast.BinOp(expr, ast.Div(), constant(count[0]))
        wrong.insert(1, Option("", shared, wording.AVERAGED, f"they are added up and divided by {count[0]}"))
    picked = _picked(len(here.names.shape(expr)), expr)
    brought = printed(expr.args[-1])
    prompt = f"A {picked} of `{here.target}` is picked several times. What happens to its gradients in `{brought}`?"
    return Proposal("repeats", prompt, Option("", expr, words="they add up"), wrong)


def _picked(axes: int, call: ast.Call) -> str:
    """What the numbers in a call's tuple pick of a tensor: a cell where there is one for every axis."""
    given = next((arg.elts for arg in call.args if isinstance(arg, ast.Tuple)), [])
    return {0: "cell", 1: "row"}.get(axes - len(given), "part")
