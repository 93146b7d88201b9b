"""Matrix products: each factor's gradient is a matrix product with the other one, transposed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from backend.engine.ops.base import LETTERS, Call, Op, Shape, broadcast_shape
from backend.engine.ops.cases import ByCase
from backend.engine.ops.product import Product

DOT = "A dot product is a sum of products: the local derivative is the other factor, "
STACKED = {
    "x": "In each matrix of the stack, a cell of {x} feeds a row of {out}. Its gradient sums over that row.",
    "y": "In each matrix of the stack, a cell of {y} is used once by every row. Its gradient sums over them.",
}
SHARED = "One matrix {y} is used by every row of every matrix in {x}: its gradient sums over all of them."
ADDED = "{bias} is added: the gradient passes unchanged."
# By the axes of both factors: where one is a vector, or a stack of matrices.
TOLD: dict[tuple[int, ...], dict[str, str]] = {
    (1, 1): {"x": DOT + "{=y}.", "y": DOT + "{=x}."},
    (2, 1): {
        "x": "A row of {x} makes one cell of {out}. Its gradient is {y} times that cell's: {>torch.outer(g, y)}.",
        "y": "Each cell of {y} is used once by every row of {x}. Its gradient sums over them: {>x.T @ g}.",
    },
    (1, 2): {
        "x": "Each cell of {x} feeds all of {out}, through a row of {y}. Its gradient sums over them: {>y @ g}.",
        "y": "Here each cell of {y} is used once, times a cell of {x}: its gradient is {>torch.outer(x, g)}.",
    },
}
# A stack of matrices with a vector, from the right and from the left.
STACK_VECTOR = {
    "x": "A row of {x} makes one cell of {out}. Its gradient is {y} times that cell's.",
    "y": "Each cell of {y} is used once by every row of every matrix in {x}: its gradient sums over all of them.",
}
VECTOR_STACK = {
    "x": "Each cell of {x} feeds a row of {out} for every matrix in {y}: its gradient sums over all of them.",
    "y": "Here each cell of {y} is used once, times a cell of {x}: its gradient is that cell times the result's.",
}


class MatMul(ByCase, Product):
    """Matrix product of vectors, matrices or stacks of matrices."""

    called = {"mat2": "y", "tensor": "y", "vec": "y"}
    written = (
        "x @ y", "torch.matmul(x, y)", "x.matmul(y)", "torch.mm(x, y)", "x.mm(y)", "torch.bmm(x, y)", "x.bmm(y)",
        "torch.mv(x, y)", "x.mv(y)", "torch.dot(x, y)", "x.dot(y)",
    )  # fmt: skip
    cases = (
        (("x.ndim == 2", "y.ndim == 2"), {"x": "g @ y.T", "y": "x.T @ g"}),
        (("x.ndim == 1", "y.ndim == 1"), {"x": "g * y", "y": "g * x"}),
        (("x.ndim == 2", "y.ndim == 1"), {"x": "torch.outer(g, y)", "y": "x.T @ g"}),
        (("x.ndim == 1", "y.ndim == 2"), {"x": "y @ g", "y": "torch.outer(x, g)"}),
        (("x.ndim > 2", "y.ndim == 1"), {"x": "g.unsqueeze(-1) * y", "y": "(x * g.unsqueeze(-1)).sum(lead_x)"}),
        (("x.ndim > 2", "y.ndim == 2"), {"x": "g @ y.T", "y": "x.flatten(0, -2).T @ g.flatten(0, -2)"}),
        (
            ("x.ndim == 1", "y.ndim > 2"),
            {"x": "(y @ g.unsqueeze(-1)).squeeze(-1).sum(stack_y)", "y": "x.unsqueeze(-1) * g.unsqueeze(-2)"},
        ),
        ((), {"x": "g @ y.mT", "y": "x.mT @ g"}),
    )
    why_not_exact = "autograd multiplies matrices laid out otherwise, which add in another order"
    seldom_differs = True
    rates = {"dense": "Matrix product: the rates are the other factor's own numbers."}
    because = {
        "x": "Each {x[i, k]} feeds {columns} of row i, through {y[k]}. Its gradient {by_column}: {>g @ y.T}.",
        "y": "Each {y[k, j]} is used once for {rows}. Its gradient {by_row}: {>x.T @ g}.",
    }
    briefly = {
        "x": "In a matrix product, the gradient goes back through the other factor, transposed: {>g @ y.T}.",
        "y": "In a matrix product, the gradient goes back through the other factor, transposed: {>x.T @ g}.",
    }
    cell = "sum(x * y)"
    samples = (
        "(2,3) (3,4)", "(1,3) (3,1)", "(3,) (3,)", "(2,3) (3,)", "(3,) (3,2)", "(2,2,3) (2,3,4)", "(2,2,3) (3,4)",
        "(2,3) (2,3,4)", "(2,1,2,3) (4,3,2)", "(2,2,3) (3,)", "(3,) (2,3,4)",
    )  # fmt: skip
    broadcasts = True

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        ranks = tuple(len(call.shapes.get(factor, (0, 0))) for factor in ("x", "y"))
        if ranks == (2, 2):
            return super().because_for(name, call)
        usual = {1: STACK_VECTOR, 2: STACKED | {"y": SHARED}}.get(ranks[1], STACKED)
        return TOLD.get(ranks, VECTOR_STACK if ranks[0] == 1 else usual)[name]

    @classmethod
    def does_for(cls, call: Call) -> str:
        left, right = ("a row of {x}", "a column of {y}")
        if len(call.shapes.get("x", (0, 0))) == 1:
            left = "{x}"
        if len(call.shapes.get("y", (0, 0))) == 1:
            right = "{y}"
        if left == "{x}" and right == "{y}":
            return "{it} is the dot product: the products of both, added up."
        return f"In {{it}}, every cell sums the products of {left} with {right}."

    @classmethod
    def common_shapes(cls, shapes: dict[str, Shape]) -> dict[str, Shape] | None:
        x, y = shapes.get("x", ()), shapes.get("y", ())
        if not x or not y or x[-1] != y[max(len(y) - 2, 0)]:
            return None
        if len(x) < 2 or len(y) <= 2:
            return shapes
        lead = broadcast_shape(x[:-2], y[:-2])
        return None if lead is None else {"x": lead + x[-2:], "y": lead + y[-2:]}

    @classmethod
    def subscripts(cls, call: Call) -> str:
        x, y = len(call.shapes["x"]), len(call.shapes["y"])
        lead = LETTERS[2 : max(x, y, 2)]
        left = "K" if x == 1 else lead[len(lead) - (x - 2) :] + "aK"
        right = "K" if y == 1 else lead[len(lead) - (y - 2) :] + "Kb"
        return f"{left},{right}->{lead}{'a' if x > 1 else ''}{'b' if y > 1 else ''}"

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        x, y = dims.get("x"), dims.get("y")
        if x is None or y is None:
            return None
        return [*x[:-1], *y[-1:]] if len(y) > 1 and len(x) > 1 else [*x[:-1], *y[:-2], *(y[-1:] if len(y) > 1 else [])]


class Outer(Op):
    """Every cell of one vector times every cell of another."""

    called = {"vec2": "y"}
    written = "torch.outer(x, y)", "x.outer(y)", "torch.ger(x, y)", "x.ger(y)"
    backward = {"x": "g @ y", "y": "x @ g"}
    because = {
        "x": "Cell i of {x} fills row i of {out}. Its gradient sums along that row: {>g @ y}.",
        "y": "Cell j of {y} fills column j of {out}. Its gradient sums down that column: {>x @ g}.",
    }
    does = "{it} multiplies every cell of {x} by every cell of {y}."
    why_not_exact = "autograd rounds every product before it adds them"
    seldom_differs = True
    drawn = "outer"
    cell = "x * y"
    samples = ("(2,) (3,)",)

    @classmethod
    def subscripts(cls, call: Call) -> str:
        return "a,b->ab"


class Linear(ByCase, Product):
    """A linear layer: every output is a weighted sum of an example's cells, plus a bias."""

    written = ("F.linear(x, weight, bias=None)",)
    cases = (
        (("weight.ndim == 2", "x.ndim == 2"), {"x": "g @ weight", "weight": "g.T @ x", "bias": "g.sum(lead_x)"}),
        (("weight.ndim == 2", "x.ndim == 1"), {"x": "g @ weight", "weight": "torch.outer(g, x)", "bias": "g"}),
        (
            ("weight.ndim == 2", "x.ndim > 2"),
            {"x": "g @ weight", "weight": "g.flatten(0, -2).T @ x.flatten(0, -2)", "bias": "g.sum(lead_x)"},
        ),
        (("weight.ndim == 1", "x.ndim == 1"), {"x": "g.unsqueeze(-1) * weight", "weight": "g * x"}),
        (("weight.ndim == 1", "x.ndim == 2"), {"x": "g.unsqueeze(-1) * weight", "weight": "g @ x"}),
        (
            ("weight.ndim == 1", "x.ndim > 2"),
            {"x": "g.unsqueeze(-1) * weight", "weight": "g.flatten() @ x.flatten(0, -2)"},
        ),
    )
    because = {
        "x": "Each cell of {x} feeds every output through a column of {weight}; the gradient comes back the same way.",
        "weight": "Every example uses {weight}, so its gradient sums over the examples.",
        "bias": "{bias} is added to every example, so its gradient sums over the examples.",
    }
    does = "{it} is a linear layer: every output is a weighted sum over a row of {x}."
    samples = (
        "(2,3) (4,3)",
        "(2,3) (4,3) (4,)",
        "(2,2,3) (4,3) (4,)",
        "(3,) (2,3) (2,)",
        "(2,2,3) (3,)",
        "(2,3) (3,)",
        "(3,) (3,)",
    )

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        bias = bound["bias"]
        fits = bias is None or bias.shape == bound["weight"].shape[:-1]  # torch would stretch any other
        return super().accepts(bound, is_tensor) and fits

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        alone = len(call.shapes["x"]) == 1
        return {"weight": "Each cell of {weight} is used once, times a cell of {x}.", "bias": ADDED}.get(
            name if alone else "", super().because_for(name, call)
        )

    @classmethod
    def cell_for(cls, call: Call) -> str:
        return "sum(x * weight)" + (" + bias" if "bias" in call.shapes else "")

    @classmethod
    def subscripts(cls, call: Call) -> str:
        if len(call.shapes["weight"]) == 1:
            lead = LETTERS[: len(call.out)]
            return f"{lead}K,K->{lead}"
        lead = LETTERS[1 : len(call.out)]
        return f"{lead}K,aK,a->{lead}a"

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        weight = "weight" if len(call.shapes["weight"]) == 1 else "weight.T"
        return [f"out = x @ {weight}" + (" + bias" if "bias" in call.shapes else "")]


def _shared(rank: int, dims: Any) -> list[tuple[int, int]]:
    """The axes of the first tensor, of that rank, each with the axis of the second that it is summed with."""
    return [(rank - dims + i, i) for i in range(dims)] if isinstance(dims, int) else list(zip(*dims, strict=True))


class AddMM(ByCase, Op):
    """A matrix product and a sum in one: what is added has its shape, or is added to each of its rows."""

    called = {"input": "x", "mat1": "a", "mat2": "b"}
    written = "torch.addmm(x, a, b)", "x.addmm(a, b)"
    cases = (
        (("x.ndim == 1",), {"x": "g.sum(0)", "a": "g @ b.T", "b": "a.T @ g"}),
        (("x.ndim == 2",), {"x": "g", "a": "g @ b.T", "b": "a.T @ g"}),
    )
    because = {
        "x": "{x} is added to every row, so its gradient sums over the rows.",
        "a": "Each cell of {a} feeds a row of {out} through a row of {b}; the gradient comes back the same way.",
        "b": "Every row of {a} uses {b}, so its gradient sums over the rows.",
    }
    does = "{it} is the product of {a} and {b}, with {x} added."
    samples = "(4,) (2,3) (3,4)", "(2,4) (2,3) (3,4)"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        if not super().accepts(bound, is_tensor) or not all(is_tensor(bound[name]) for name in "xab"):
            return False
        rows, columns = bound["a"].shape[:1], bound["b"].shape[-1:]
        return bound["x"].shape in (columns, rows + columns)  # torch would stretch any other

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        whole = len(call.shapes["x"]) == 2
        return (
            "{x} is added: the gradient passes unchanged." if whole and name == "x" else super().because_for(name, call)
        )

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        return ["product = a @ b", "out = product + x"]


class TensorDot(Product):
    """Products summed over shared axes: the last of one tensor with the first of the other, or those given."""

    called = {"a": "x", "b": "y"}
    written = ("torch.tensordot(x, y, dims=2)",)
    backward = {"x": "torch.einsum(for_x, g, y)", "y": "torch.einsum(for_y, g, x)"}
    why_not_exact = "autograd multiplies matrices laid out otherwise, which add in another order"
    because = {
        "x": "Each cell of {x} meets cells of {y} along the shared axes: the same sum, with the upstream gradient for {x}.",
        "y": "Each cell of {y} meets cells of {x} along the shared axes: the same sum, with the upstream gradient for {y}.",
    }
    does = "{it} sums products of {x} and {y} over their shared axes."
    samples = "(2,3,4) (3,4,2)", "(2,3) (3,4) dims=1", "(2,3) (4,) dims=0", "(2,3,4) (4,2,2) dims=([2,0],[0,1])"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        """Shared axes are equally long: torch would stretch one of length 1, which no rule here does."""
        if not super().accepts(bound, is_tensor):
            return False
        try:
            x, y = bound["x"].shape, bound["y"].shape
            return all(x[mine] == y[other] for mine, other in _shared(len(x), bound.get("dims", 2)))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            return True  # what does not fit at all is refused with its shapes

    @classmethod
    def multiplications(cls, bound: Mapping[str, Any], out: Shape) -> int:
        """For each cell as many as the shared axes have, which are counted in both factors and not in the result."""
        cells = math.prod(bound["x"].shape) * math.prod(bound["y"].shape)
        return math.prod(out) * math.isqrt(cells // max(math.prod(out), 1))

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        x, y = len(call.shapes["x"]), call.shapes["y"]
        pairs = _shared(x, call.parameters["dims"])
        of_x, of_y = LETTERS[:x], list(LETTERS[x : x + len(y)])
        for mine, other in pairs:
            of_y[other] = of_x[mine]
        kept = [c for c in of_x if c not in of_y] + [c for c in of_y if c not in of_x]
        out, right = "".join(kept), "".join(of_y)
        return {"for_x": f"'{out},{right}->{of_x}'", "for_y": f"'{out},{of_x}->{right}'"}
