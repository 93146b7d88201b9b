"""With this module a backward step asks before it tells: which axis, which shape, which sign, transposed or not."""

from __future__ import annotations

import ast
import math
from typing import Any

from backend.differentiate import Line
from backend.language.grammar import LIMITS
from backend.language.shapes import ShapeEvaluator
from backend.ops.stretch import Expand
from backend.printing import printed
from backend.view.explain import axes_of, shown
from backend.view.picture import Picture
from backend.view.schema import Candidate, Question

Shape = tuple[int, ...]


def candidates(picture: Picture | None, target: Shape, scope: dict[str, Any]) -> list[Candidate]:
    """Every way to multiply the two matrices of a product, transposed or not, and why only one of them conforms."""
    if picture is None or picture.kind != "matmul":
        return []
    bases = [_base(operand.expr) for operand in picture.operands]
    shapes = [tuple(ShapeEvaluator(scope, shares=math.inf).value(base).shape) for base in bases]
    if any(len(shape) != 2 for shape in shapes):
        return []
    (a, b), (m, n) = (printed(base) for base in bases), shapes
    forms = [
        (a, m, b, n),
        (a, m, b + ".T", n[::-1]),
        (a + ".T", m[::-1], b, n),
        (b, n, a, m),
        (b + ".T", n[::-1], a, m),
        (b, n, a + ".T", m[::-1]),
    ]
    return [_candidate(*form, target) for form in forms]


def _base(expr: ast.expr) -> ast.expr:
    return expr.value if isinstance(expr, ast.Attribute) and expr.attr == "T" else expr


def _candidate(left: str, m: Shape, right: str, n: Shape, target: Shape) -> Candidate:
    meets = m[1] == n[0]
    result = [m[0], n[1]] if meets else None
    fits = result == list(target)
    if not meets:
        why = f"rows of {m[1]} can't meet columns of {n[0]}"
    elif not fits:
        why = f"gives {(m[0], n[1])}, but {target} is needed"
    else:
        why = f"{m[1]} meets {n[0]} and the result is {target}"
    return {"code": f"{left} @ {right}", "left": list(m), "right": list(n), "result": result, "fits": fits, "why": why}


def question(line: Line, picture: Picture | None, options: list[Candidate]) -> Question | None:
    """What to predict before the step is shown; None where there is nothing to choose."""
    if line.through is None or picture is None:
        return None
    name = f"`{line.variable}`"
    expand = next((node for node in line.nodes if node.op is Expand), None)
    if expand is not None and len(expand.shape) > 1 and len(axes_of(expand)) == 1:
        choices = [
            f"axis {axis} ({dim})" if not dim.startswith("axis") else dim for axis, dim in enumerate(expand.dims)
        ]
        return _asked(
            "axis",
            f"A copy was made going forward. Over which axis is {name} summed?",
            [*choices, "none"],
            axes_of(expand)[0]["axis"],
        )
    fitting = [option for option in options if option["fits"]]
    if len(fitting) == 1:
        codes = [option["code"] for option in options[:4]]
        if fitting[0]["code"] not in codes:
            codes[-1] = fitting[0]["code"]
        return _asked(
            "transpose",
            f"Which product gives {name}, of shape {shown(line.target.shape)}?",
            sorted(codes),
            fitting[0]["code"],
        )
    if any(isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub) for part in [line.expr]) or _is_sign_step(
        line
    ):
        negative = isinstance(line.expr, ast.UnaryOp)
        return _asked(
            "sign",
            f"Does the gradient change its sign on the way to {name}?",
            ["it keeps its sign", "it changes its sign"],
            int(negative),
        )
    return _shape_question(line, name)


def _is_sign_step(line: Line) -> bool:
    return any(node.op is not None and node.op.__name__ in ("Sub", "Neg") for node in line.nodes)


def _shape_question(line: Line, name: str) -> Question | None:
    assert line.through is not None
    target, arriving = line.target.shape, line.through.node.shape
    shapes = {target, arriving, target[::-1], target[:1], target[-1:], ()}
    choices = sorted(shapes, key=lambda shape: (shape not in (target, arriving), len(shape), shape))[:4]
    choices = sorted(choices, key=lambda shape: (len(shape), shape))
    if len(choices) < 2 or LIMITS.tensor_axes < len(target):
        return None
    return _asked("shape", f"Which shape does {name} have?", [str(shape) for shape in choices], str(target))


def _asked(kind: str, prompt: str, choices: list[str], answer: int | str) -> Question:
    return {
        "kind": kind,
        "prompt": prompt,
        "choices": choices,
        "answer": choices.index(answer) if isinstance(answer, str) else answer,
    }
