"""What a test compares, behind which a text raises an error: by it other sizes are tried."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from backend.engine.filling.other_names import name_of
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.engine.language.values import Parameters
from backend.lowering.assignments import Assignments
from backend.lowering.values import Shape, bare

# What a size is written with.
PARTS_OF_SIZES = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop,
    ast.expr_context,
)  # fmt: skip


class Raised(Assignments):
    """Looks at the sizes in a test."""

    def measures(self, test: ast.expr) -> Parameters:
        """The two numbers that a test compares: `m` and `n`, or `m` and its `divisor` where it is a remainder.

        Of two shapes both; of several tests those of the first that decides.
        """
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.measures(operand)
            case ast.BoolOp(op=op, values=parts):
                return self.measures(self.deciding(parts, isinstance(op, ast.Or)))
            case ast.Compare(left=ast.BinOp(left=left, op=ast.Mod(), right=right), comparators=[_]):
                names = "m", "divisor"
            case ast.Compare(left=left, comparators=[right]):
                names = "m", "n"
            case _:
                return {}
        if not (_is_plain(left) and _is_plain(right)):
            return {}
        try:
            values = [self.value(one) for one in (left, right)]
            if all(isinstance(one, Shape) for one in values):
                return {"shapes": " and ".join(shape_text(tuple(map(bare, one))) for one in values)}
            pair = [bare(self.count(one)) for one in values]
        except Refusal:
            return {}
        return dict(zip(names, pair, strict=True)) if all(type(one) is int for one in pair) else {}

    def deciding(self, tests: Sequence[ast.expr], holds: bool) -> ast.expr:
        """The first of several tests that holds, or doesn't."""
        try:
            return next((one for one in tests if self.truth(self.tested(one), one) is holds), tests[0])
        except Refusal:
            return tests[0]


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression is reckoned from names and sizes alone: `C`, `x.shape[1]`, `x.size(1)`, `3 * heads`."""
    calls = [name_of(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)]
    parts = (*PARTS_OF_SIZES, ast.Call)
    return all(isinstance(one, parts) for one in ast.walk(node)) and all(name in ("size", "len") for name in calls)
