"""The pictures of steps with a run's tensors: planned equations filled with numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any, cast

import torch

from backend.engine.encode import LARGEST_WHOLE, Encoder
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.lines.equations.equation import Operand, Picture
from backend.lines.equations.forward import CELLS, ForwardPicture, Stage
from backend.present import picture_types
from backend.present.drawings import drawings_of, drawn
from backend.present.picture_types import Which
from backend.program.runs import Run

# More runs of cells than this are not told one by one.
MOST_RUNS = 512
Value = Callable[[ast.expr], Any]


def picture(run: Run, number: int, encode: Encoder) -> picture_types.Picture | None:
    """The equation of a backward line with this run's tensors; None where there is none that holds."""
    planned, values = drawings_of(run.plan).pictures[number], drawn(run, number)
    if planned is None or values is None:
        return None
    *tensors, product = values
    return {
        "kind": planned.kind,
        "then": planned.then,
        "symbol": planned.symbol,
        "operands": [
            _operand(operand, None if operand.node is not None else encode(_tensor(tensor, run)))
            for operand, tensor in zip(planned.drawn, tensors, strict=True)
        ],
        "product": None if product is None else _product(planned, product, encode),
        "axes": [cast(picture_types.SummedAxis, vars(axis)) for axis in planned.axes],
    }


def _product(planned: Picture, product: torch.Tensor, encode: Encoder) -> picture_types.Product:
    return {
        "code": planned.product_code,
        "shape": list(product.shape),
        "dims": planned.product_dims,
        "tensor": encode(product),
    }


def _tensor(value: Any, run: Run) -> torch.Tensor:
    """A tensor, or a plain number as one of the walk's precision."""
    return value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=run.material.dtype)


def forward_picture(run: Run, planned: ForwardPicture, encode: Encoder) -> picture_types.ForwardPicture:
    """A forward step's equation with this run's tensors."""
    evaluator = Evaluator(dict(run.forward.values))

    def value(expr: ast.expr) -> Any:
        with torch.no_grad(), DefaultDtype(run.material.dtype):
            return evaluator.value(expr)

    def tensor(operand: Operand) -> Any:
        return encode(_tensor(value(operand.expr), run).detach())

    def product(one: Operand) -> picture_types.Product:
        return {"code": one.code, "shape": list(one.shape), "dims": one.dims, "tensor": tensor(one)}

    return {
        "signs": planned.signs,
        "operands": [_operand(one, None if one.node is not None else tensor(one)) for one in planned.operands],
        "met": product(planned.met) if planned.met else None,
        "stages": [_stage(stage, product(stage.result) if stage.result else None, run) for stage in planned.stages],
    }


def _operand(operand: Operand, tensor: Any) -> picture_types.Operand:
    return {
        "role": operand.role,
        "code": operand.code,
        "node": operand.node,
        "which": cast(Which, operand.which),
        "shape": list(operand.shape),
        "dims": operand.dims,
        "tensor": tensor,
    }


def _stage(stage: Stage, result: picture_types.Product | None, run: Run) -> picture_types.Stage:
    return {
        "how": stage.how,
        "words": stage.words,
        "factor": stage.factor,
        "cellwise": stage.cellwise,
        "axes": [cast(picture_types.SummedAxis, vars(axis)) for axis in stage.axes],
        "runs": [] if stage.moved is None else _runs(stage, run),
        "result": result,
    }


def _runs(stage: Stage, run: Run) -> list[list[int]]:
    """The cells that a move takes over, as many at a time as stay side by side in a row before and after it."""
    assert stage.before is not None
    assert stage.moved is not None
    scope = dict(run.forward.values)
    with torch.no_grad(), DefaultDtype(run.material.dtype):
        shape = Evaluator(scope).tensor(stage.before).shape
        if not 0 < math.prod(shape) <= LARGEST_WHOLE:
            return []
        cells = torch.arange(math.prod(shape)).reshape(shape)
        try:
            moved = Evaluator(scope | {CELLS: cells}).tensor(stage.moved)
        except Refusal:  # it takes no whole numbers
            return []
    return _side_by_side(moved, shape[-1] if shape else 1)


def _side_by_side(moved: torch.Tensor, row: int) -> list[list[int]]:
    """Where each run of cells was, where it is now, and its length; none of more than `MOST_RUNS`."""
    if not 0 < moved.numel() <= LARGEST_WHOLE:
        return []
    origin, place = moved.reshape(-1), torch.arange(moved.numel())
    follows = (origin[1:] == origin[:-1] + 1) & (origin[1:] % row != 0) & (place[1:] % (moved.shape or (1,))[-1] != 0)
    starts = torch.cat([torch.zeros(1, dtype=torch.long), (~follows).nonzero().reshape(-1) + 1])
    if len(starts) > MOST_RUNS:
        return []
    lengths = torch.diff(starts, append=torch.tensor([moved.numel()]))
    return torch.stack([origin[starts], starts, lengths], 1).tolist()
