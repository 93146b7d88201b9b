"""Matrix products: each factor's gradient is a matrix product with the other one, transposed."""

from __future__ import annotations

from backend.ops.base import LETTERS, Call, Op, Shape, broadcast_shape, register

ROWS = "A row of {x} meets every column of {y}, so its gradient adds up over those columns: what arrives times {y} transposed."
COLUMNS = (
    "A row of {y} is used by every row of {x}, so its gradient adds up over them: {x} transposed times what arrives."
)


@register
class MatMul(Op):
    """Matrix product x @ y, of vectors, matrices and stacks of matrices."""

    called = {"mat2": "y", "tensor": "y", "vec": "y"}
    written = (
        "x @ y", "torch.matmul(x, y)", "x.matmul(y)", "torch.mm(x, y)", "x.mm(y)", "torch.bmm(x, y)", "x.bmm(y)",
        "torch.mv(x, y)", "x.mv(y)", "torch.dot(x, y)", "x.dot(y)",
    )  # fmt: skip
    backward = {"x": "to_x", "y": "to_y"}
    why_not_exact = "autograd lays its matrices out otherwise for this product, which then adds in another order"
    rates = {"dense": "the rates are the other factor's own numbers."}
    because = {"x": ROWS, "y": COLUMNS}
    cell = "sum(x * y)"
    samples = (
        "(2,3) (3,4)", "(1,3) (3,1)", "(3,) (3,)", "(2,3) (3,)", "(3,) (3,2)", "(2,2,3) (2,3,4)", "(2,2,3) (3,4)",
        "(2,3) (2,3,4)", "(2,1,2,3) (4,3,2)", "(2,2,3) (3,)", "(3,) (2,3,4)",
    )  # fmt: skip
    broadcasts = True

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
    def derive(cls, call: Call) -> dict[str, str]:
        x, y = (len(call.shapes.get(name, (0, 0))) for name in ("x", "y"))
        if x <= 2 and y <= 2:
            return {"to_x": _FLAT[x, y][0], "to_y": _FLAT[x, y][1]}
        if x == 1:
            lead = _axes(y - 2)
            return {
                "to_x": f"(y @ g.unsqueeze(-1)).squeeze(-1).sum({lead})",
                "to_y": "x.unsqueeze(-1) * g.unsqueeze(-2)",
            }
        if y == 1:
            return {"to_x": "g.unsqueeze(-1) * y", "to_y": f"(x * g.unsqueeze(-1)).sum({_axes(x - 1)})"}
        if y == 2:
            return {"to_x": "g @ y.T", "to_y": "x.flatten(0, -2).T @ g.flatten(0, -2)"}
        return {"to_x": "g @ y.mT", "to_y": "x.mT @ g"}

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


_FLAT = {
    (2, 2): ("g @ y.T", "x.T @ g"),
    (1, 1): ("g * y", "g * x"),
    (2, 1): ("torch.outer(g, y)", "x.T @ g"),
    (1, 2): ("y @ g", "torch.outer(x, g)"),
}


def _axes(count: int) -> str:
    return "0" if count == 1 else str(tuple(range(count)))


@register
class Outer(Op):
    """Every cell of vector x times every cell of vector y."""

    called = {"vec2": "y"}
    written = "torch.outer(x, y)", "x.outer(y)"
    backward = {"x": "g @ y", "y": "x @ g"}
    because = {
        "x": "Cell i of {x} fills row i of {out}, times {y}: its gradient adds up along that row.",
        "y": "Cell j of {y} fills column j of {out}, times {x}: its gradient adds up down that column.",
    }
    cell = "x * y"
    samples = ("(2,) (3,)",)

    @classmethod
    def subscripts(cls, call: Call) -> str:
        return "a,b->ab"


@register
class Linear(Op):
    """x @ weight.T + bias, as torch's linear layers do it."""

    written = ("F.linear(x, weight, bias=None)",)
    backward = {"x": "to_x", "weight": "to_weight", "bias": "to_bias"}
    because = {
        "x": "Each output reads {x} through one row of {weight}: the gradient comes back through the same rows.",
        "weight": "Every example uses {weight}, so its gradient adds up over all of them.",
        "bias": "The bias was copied to every example, so its gradient is summed over all of them.",
    }
    samples = "(2,3) (4,3)", "(2,3) (4,3) (4,)", "(2,2,3) (4,3) (4,)", "(3,) (2,3) (2,)", "(2,2,3) (3,)", "(3,) (3,)"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        rank = len(call.shapes["x"])
        if len(call.shapes["weight"]) == 1:
            of_one = ("g * x", "g @ x")[rank - 1] if rank < 3 else "g.flatten() @ x.flatten(0, -2)"
            return {"to_x": "g.unsqueeze(-1) * weight", "to_weight": of_one}
        if rank == 1:
            return {"to_x": "g @ weight", "to_weight": "torch.outer(g, x)", "to_bias": "g"}
        lead = _axes(rank - 1)
        flat = "g.T @ x" if rank == 2 else "g.flatten(0, -2).T @ x.flatten(0, -2)"
        return {"to_x": "g @ weight", "to_weight": flat, "to_bias": f"g.sum({lead})"}

    @classmethod
    def says(cls, call: Call) -> str:
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


@register
class TensorDot(Op):
    """Products of x and y summed over their touching axes: the last ones of x with the first ones of y, or those named."""

    called = {"a": "x", "b": "y"}
    written = ("torch.tensordot(x, y, dims=2)",)
    backward = {"x": "torch.einsum(for_x, g, y)", "y": "torch.einsum(for_y, g, x)"}
    why_not_exact = "autograd turns this into products of matrices laid out otherwise, which then add in another order"
    because = {
        "x": "Each cell of {x} met cells of {y} on the touching axes: the same sum, with what arrives in its place.",
        "y": "Each cell of {y} met cells of {x} on the touching axes: the same sum, with what arrives in its place.",
    }
    samples = "(2,3,4) (3,4,2)", "(2,3) (3,4) dims=1", "(2,3) (4,) dims=0", "(2,3,4) (4,2,2) dims=([2,0],[0,1])"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        x, y, dims = len(call.shapes["x"]), call.shapes["y"], call.parameters["dims"]
        pairs = [(x - dims + i, i) for i in range(dims)] if isinstance(dims, int) else list(zip(*dims, strict=True))
        of_x, of_y = LETTERS[:x], list(LETTERS[x : x + len(y)])
        for mine, other in pairs:
            of_y[other] = of_x[mine]
        kept = [c for c in of_x if c not in of_y] + [c for c in of_y if c not in of_x]
        out, right = "".join(kept), "".join(of_y)
        return {"for_x": f"'{out},{right}->{of_x}'", "for_y": f"'{out},{of_x}->{right}'"}
