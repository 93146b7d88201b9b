"""Predict-first questions about a backward step: which axis, which product, which sign, which shape."""

from __future__ import annotations

import ast
import zlib

from backend.differentiate.lines import Line
from backend.equations.drawn import drawn
from backend.equations.equation import Picture
from backend.equations.names import Names
from backend.equations.peel import layer_of
from backend.language.unparse import printed
from backend.ops.compose import transposed
from backend.present.schema import Candidate, Question

Shape = tuple[int, ...]
MOST_CHOICES = 4


class Factor:
    """A matrix in one of its two positions."""

    def __init__(self, base: ast.expr, shape: Shape, turned: bool) -> None:
        self.base, self.turned = base, turned
        self.shape = shape[::-1] if turned else shape

    @property
    def expr(self) -> ast.expr:
        """The factor as an expression."""
        return transposed(self.base) if self.turned else self.base

    def cell(self, row: str, column: str) -> str:
        """The cell of the matrix itself that stands in this row and column: `W[j, k]` for row k of `W.T`."""
        return f"{printed(self.base)}[{column}, {row}]" if self.turned else f"{printed(self.base)}[{row}, {column}]"


def candidates(picture: Picture | None, names: Names) -> list[Candidate]:
    """Every way to multiply the two matrices of a product, transposed or not; none where one of them is 1 × 1."""
    if picture is None or picture.kind != "matmul":
        return []
    sides = [_factor(operand.expr, operand.shape) for operand in picture.operands]
    spread = any((layer_of(operand.expr, names) or [""])[0] == "spread" for operand in picture.operands)
    if spread or any(len(side.shape) != 2 for side in sides):
        return []  # copies of one number look the same from both sides
    left, right = sides
    needed = (left.shape[0], right.shape[1])
    if (1, 1) in (left.shape, right.shape, needed):
        return []
    return [_candidate(first, second, (left, right), names) for first, second in _orders(left, right)]


def _factor(expr: ast.expr, shape: Shape) -> Factor:
    """A side of a product, with its transposition told apart from it."""
    match expr:
        case ast.Attribute(value=base, attr=name) | ast.Call(func=ast.Attribute(value=base, attr=name), args=[]) if (
            drawn(name) == "transpose"
        ):
            return Factor(base, shape[::-1], True)
    return Factor(expr, shape, False)


def _orders(left: Factor, right: Factor) -> list[tuple[Factor, Factor]]:
    pair = [[_turned(side, turned) for turned in (False, True)] for side in (left, right)]
    return [(a, b) for first, second in (pair, pair[::-1]) for a in first for b in second]


def _turned(side: Factor, turned: bool) -> Factor:
    return Factor(side.base, side.shape[::-1] if side.turned else side.shape, turned)


def _is(a: Factor, b: Factor) -> bool:
    return a.base is b.base and a.turned == b.turned


def _candidate(a: Factor, b: Factor, own: tuple[Factor, Factor], names: Names) -> Candidate:
    needed = (own[0].shape[0], own[1].shape[1])
    result = (a.shape[0], b.shape[1]) if a.shape[1] == b.shape[0] else None
    is_own = _is(a, own[0]) and _is(b, own[1])
    if result is None:
        why = f"rows of {a.shape[1]} can't meet columns of {b.shape[0]}"
    elif result != needed:
        why = f"gives {result}, but {needed} is needed"
    else:
        why = _reason(a, b, own, names)
    return {
        "code": printed(ast.BinOp(a.expr, ast.MatMult(), b.expr)),
        "left": list(a.shape),
        "right": list(b.shape),
        "result": None if result is None else list(result),
        "fits": result == needed,
        "own": is_own,
        "why": why,
    }


def _reason(a: Factor, b: Factor, own: tuple[Factor, Factor], names: Names) -> str:
    """Why one of several products of the right shape is right or not, in index letters."""
    total = f"Σₖ {a.cell('i', 'k')}·{b.cell('k', 'j')}"
    if _is(a, own[0]) and _is(b, own[1]):
        shared = names.dims(a.expr)[1]
        named = "" if shared.startswith("axis ") else f" ({shared})"
        return f"{total} runs over k, the axis that `{printed(a.base)}` and `{printed(b.base)}` share{named}"
    if a.base is own[1].base and a.turned != own[1].turned and b.turned != own[0].turned:
        return "the right shape, but rows and columns are exchanged"
    return f"the right shape, but {total} pairs two different axes"


def question(line: Line, picture: Picture | None, options: list[Candidate], names: Names) -> Question | None:
    """What to predict before the step is shown; None where there is nothing to choose."""
    if line.through is None or picture is None:
        return None
    return (
        _axis_question(line, picture, names)
        or _product_question(line, picture, options)
        or _sign_question(line, picture, names)
        or _shape_question(line)
    )


def _axis_question(line: Line, picture: Picture, names: Names) -> Question | None:
    if len(picture.axes) != 1 or picture.axes[0].size == 1:
        return None
    summed = picture.product if picture.product is not None else picture.operands[0].expr
    dims = names.dims(summed)
    if len(dims) < 2:
        return None
    choices = [dim if dim.startswith("axis ") else f"axis {axis} ({dim})" for axis, dim in enumerate(dims)]
    prompt = f"Which axis is summed on the way to `{line.variable}`, if any?"
    return _asked("axis", prompt, [*choices, "none"], choices[picture.axes[0].axis])


def _product_question(line: Line, picture: Picture, options: list[Candidate]) -> Question | None:
    own = next((option for option in options if option["own"]), None)
    if own is None or own["result"] is None or picture.axes or (picture.then and not line.is_partial):
        return None
    others = sorted((o for o in options if not o["own"]), key=lambda o: (not o["fits"], zlib.crc32(o["code"].encode())))
    choices = sorted([own["code"], *(option["code"] for option in others[: MOST_CHOICES - 1])])
    prompt = f"Which product gives `{printed(line.writes_to)}`, of shape {tuple(own['result'])}?"
    return _asked("transpose", prompt, choices, own["code"])


def _sign_question(line: Line, picture: Picture, names: Names) -> Question | None:
    """Asked where a number alone multiplies what arrives, so that every cell keeps its sign or none does."""
    factor = _number_before(picture, names)
    if not factor or not (factor < 0 or _has_minus(line)):
        return None
    prompt = f"Does the gradient change its sign on the way to `{line.variable}`?"
    choices = ["it keeps its sign", "it changes its sign"]
    return _asked("sign", prompt, choices, choices[factor < 0])


def _number_before(picture: Picture, names: Names) -> float | None:
    if any(operand.role == "upstream" for operand in picture.operands):
        return None  # what came before it in the same line may turn the sign as well
    if picture.kind == "copy":
        return -1.0 if picture.negative else 1.0
    local = next((operand for operand in picture.operands if operand.role == "local"), None)
    return names.number(local.expr) if picture.kind == "product" and local is not None else None


def _has_minus(line: Line) -> bool:
    """Whether the forward line subtracts or negates a tensor, so that its sign is worth a question."""
    assert line.through is not None
    parts = list(ast.walk(ast.parse(line.through.code)))
    negated = [part.operand for part in parts if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub)]
    subtracts = any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) for part in parts)
    return subtracts or any(not isinstance(operand, ast.Constant) for operand in negated)


def _shape_question(line: Line) -> Question | None:
    assert line.through is not None
    target, arriving = line.target.shape, line.through.node.shape
    shapes = {target, arriving, target[::-1], target[:1], target[-1:], ()}
    choices = sorted(shapes, key=lambda shape: (shape not in (target, arriving), len(shape), shape))[:MOST_CHOICES]
    if len(choices) < 2:
        return None
    texts = [str(shape) for shape in choices]
    texts.sort(key=lambda text: zlib.crc32(f"{line.variable} {text}".encode()))
    return _asked("shape", f"Which shape does `{line.variable}` have?", texts, str(target))


def _asked(kind: str, prompt: str, choices: list[str], answer: str) -> Question:
    return {"kind": kind, "prompt": prompt, "choices": choices, "answer": choices.index(answer)}
