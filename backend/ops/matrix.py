"""Matrix products: each factor's gradient is a matrix product with the other one, transposed."""

from __future__ import annotations

from backend.ops.base import Call, Op, register


@register
class MatMul(Op):
    """Matrix product x @ y of matrices."""

    written = "x @ y", "torch.matmul(x, y)", "x.matmul(y)", "torch.mm(x, y)", "x.mm(y)"
    backward = {"x": "g @ y.T", "y": "x.T @ g"}
    because = {
        "x": "A row of {x} meets every column of {y}, so its gradient adds up over those columns: {g} times {y} transposed.",
        "y": "A row of {y} is used by every row of {x}, so its gradient adds up over them: {x} transposed times {g}.",
    }
    cells = {"x": "sum_j g[i,j] * y[k,j]", "y": "sum_i x[i,k] * g[i,j]"}
    samples = "(2,3) (3,4)", "(1,3) (3,1)"

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return [*dims["x"][:-1], dims["y"][-1]]
