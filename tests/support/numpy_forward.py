"""What each operation computes, in NumPy and mpmath: nothing of torch, and nothing of the engine's."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

from tests.support.numpy_composed import COMPOSED
from tests.support.numpy_losses import (
    bce,
    bce_logits,
    cross_entropy,
    huber,
    kl_div,
    of_classes,
    reduced,
    soft_cross_entropy,
    softmax,
)
from tests.support.numpy_sliding import SLIDING

Arrays = Any
exp, log = np.exp, np.log


def exact(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of mpmath on each cell, the last argument, at thirty digits."""

    def apply(*given: Any) -> Arrays:
        with mpmath.workdps(30):
            return np.vectorize(lambda cell: float(function(*given[:-1], mpmath.mpf(float(cell)))), otypes=[float])(
                given[-1]
            )

    return apply


erf = exact(mpmath.erf)
sigmoid = exact(lambda x: 1 / (1 + mpmath.exp(-x)))


def axes(dim: Any) -> Any:
    return tuple(dim) if isinstance(dim, list | tuple) and len(dim) else None if dim in ((), [], None) else dim


def logsumexp(x: Arrays, dim: Any, keepdim: bool = False) -> Arrays:
    return log(exp(x).sum(axis=axes(dim), keepdims=keepdim))


def variance(
    x: Arrays, dim: Any = None, unbiased: bool = True, keepdim: bool = False, correction: Any = None
) -> Arrays:
    free = int(unbiased) if correction is None else correction
    return x.var(axis=axes(dim), ddof=free, keepdims=keepdim)


def norm(x: Arrays, p: Any = 2, dim: Any = None, keepdim: bool = False) -> Arrays:
    size = abs(x)
    if p == 0:
        return (x != 0).sum(axis=axes(dim), keepdims=keepdim).astype(float)
    if math.isinf(p):
        return (size.max if p > 0 else size.min)(axis=axes(dim), keepdims=keepdim)
    return (size**p).sum(axis=axes(dim), keepdims=keepdim) ** (1 / p)


def normalised(x: Arrays, dim: Any, eps: float) -> Arrays:
    return (x - x.mean(axis=dim, keepdims=True)) / np.sqrt(x.var(axis=dim, keepdims=True) + eps)


def scaled(x: Arrays, weight: Any, bias: Any, channel: int | None = None) -> Arrays:
    """Times a gain, plus a shift, each along one axis where `channel` says so."""
    if channel is not None:
        shape = [-1 if axis == channel else 1 for axis in range(x.ndim)]
        weight, bias = (None if one is None else one.reshape(shape) for one in (weight, bias))
    return x * (1 if weight is None else weight) + (0 if bias is None else bias)


def batch_norm(
    x: Arrays, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False
) -> Arrays:
    others = tuple(axis for axis in range(x.ndim) if axis != 1)
    if training:
        return scaled(normalised(x, others, 1e-5), weight, bias, 1)
    return scaled(
        scaled(x, 1 / np.sqrt(running_var + 1e-5), -running_mean / np.sqrt(running_var + 1e-5), 1), weight, bias, 1
    )


def group_norm(x: Arrays, num_groups: int, weight: Any = None, bias: Any = None) -> Arrays:
    apart = x.reshape(x.shape[0], num_groups, -1)
    return scaled(normalised(apart, -1, 1e-5).reshape(x.shape), weight, bias, 1)


def attention(
    q: Arrays, k: Arrays, v: Arrays, attn_mask: Any = None, is_causal: bool = False, scale: Any = None
) -> Arrays:
    scores = q @ np.swapaxes(k, -1, -2) * (scale or 1 / math.sqrt(q.shape[-1]))
    if is_causal:
        scores = np.where(np.tri(*scores.shape[-2:]) > 0, scores, -np.inf)
    elif attn_mask is not None:
        scores = np.where(attn_mask, scores, -np.inf) if attn_mask.dtype == bool else scores + attn_mask
    return softmax(scores, -1) @ v


def grouped_attention(q: Arrays, k: Arrays, v: Arrays, enable_gqa: bool, **given: Any) -> Arrays:
    each = q.shape[-3] // k.shape[-3]
    assert enable_gqa
    return attention(q, np.repeat(k, each, -3), np.repeat(v, each, -3), **given)


def ordered(x: Arrays, dim: int = -1, descending: bool = False) -> Arrays:
    up = np.sort(x, axis=dim)
    return np.flip(up, axis=dim) if descending else up


def written(x: Arrays, dim: int, index: Arrays, src: Any, change: Callable[[Any, Any], Any]) -> Arrays:
    """A copy with each cell of `src` brought to its place along an axis."""
    made = x.copy()
    for place in np.ndindex(*index.shape):
        there = (*place[:dim], int(index[place]), *place[dim + 1 :])
        made[there] = change(made[there], src[place] if isinstance(src, np.ndarray) and src.ndim else float(src))
    return made


def slices_written(x: Arrays, dim: int, index: Arrays, source: Any, adds: bool = False) -> Arrays:
    made = x.copy()
    into = np.moveaxis(made, dim, 0)
    parts = np.moveaxis(source, dim, 0) if isinstance(source, np.ndarray) and source.ndim else [source] * len(index)
    for place, part in zip(index, parts, strict=True):
        into[place] = into[place] + part if adds else part
    return made


def scatter_reduce(x: Arrays, dim: int, index: Arrays, src: Arrays, reduce: str, include_self: bool = True) -> Arrays:
    gathered: dict[tuple[int, ...], list[float]] = {
        place: [x[place]] if include_self else [] for place in np.ndindex(*x.shape)
    }
    for place in np.ndindex(*index.shape):
        gathered[*place[:dim], int(index[place]), *place[dim + 1 :]].append(src[place])
    fold: Any = {"sum": np.sum, "mean": np.mean, "amax": np.max, "amin": np.min}[reduce]
    made = x.copy()
    for place, cells in gathered.items():
        made[place] = fold(cells) if cells else x[place]
    return made


def put(x: Arrays, indices: Any, values: Arrays, accumulate: bool = False) -> Arrays:
    made = x.copy()
    if accumulate:
        np.add.at(made, tuple(indices), values)
    else:
        made[tuple(indices)] = values
    return made


def masked_scatter(x: Arrays, mask: Arrays, source: Arrays) -> Arrays:
    made = x.copy()
    made[mask] = source.reshape(-1)[: int(mask.sum())]
    return made


def changed(x: Arrays, place: Any, value: Any) -> Arrays:
    made = x.copy()
    made[place] = value
    return made


def along(dim: int, part: Any) -> tuple[Any, ...]:
    return (*(slice(None),) * dim, part)


def diagonal(x: Arrays, offset: int = 0, dim1: int = 0, dim2: int = 1, diagonal: int = 0) -> Arrays:
    return np.diagonal(x, offset or diagonal, dim1, dim2)


def diag_embed(x: Arrays, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Arrays:
    size = x.shape[-1] + abs(offset)
    made = np.zeros((*x.shape[:-1], size, size))
    for place in range(x.shape[-1]):
        made[..., place + max(-offset, 0), place + max(offset, 0)] = x[..., place]
    return np.moveaxis(made, (-2, -1), (dim1, dim2))


def unfold(x: Arrays, dimension: int, size: int, step: int) -> Arrays:
    starts = range(0, x.shape[dimension] - size + 1, step)
    return np.stack([np.moveaxis(x[along(dimension, slice(s, s + size))], dimension, -1) for s in starts], dimension)


def pad(x: Arrays, pad: Any, mode: str = "constant", value: Any = None) -> Arrays:
    pairs = [(pad[place], pad[place + 1]) for place in range(0, len(pad), 2)]
    ends = [(0, 0)] * (x.ndim - len(pairs)) + pairs[::-1]
    if mode != "constant":
        theirs: Any = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode]
        return np.pad(x, ends, mode=theirs)
    kept = (slice(max(-a, 0), size - max(-b, 0)) for (a, b), size in zip(ends, x.shape, strict=True))
    return np.pad(x[tuple(kept)], [(max(a, 0), max(b, 0)) for a, b in ends], constant_values=value or 0.0)


def clamp(x: Arrays, **bounds: Any) -> Arrays:
    low = np.maximum(x, bounds["min"]) if "min" in bounds else x
    return np.minimum(low, bounds["max"]) if "max" in bounds else low


def cumulated(x: Arrays, dim: int) -> Arrays:
    return log(np.cumsum(exp(x), axis=dim))


def matrix_exp(x: Arrays) -> Arrays:
    """By scaling, Taylor's series, and squaring again."""
    small, term = x / 1024, np.broadcast_to(np.eye(x.shape[-1]), x.shape)
    total = term
    for order in range(1, 20):
        term = term @ small / order
        total = total + term
    for _ in range(10):
        total = total @ total
    return total


def solved(x: Arrays, y: Arrays, left: bool = True) -> Arrays:
    if not left:
        return y @ np.linalg.inv(x)
    return np.linalg.inv(x) @ y if y.ndim == x.ndim else (np.linalg.inv(x) @ y[..., None])[..., 0]


def solved_triangle(x: Arrays, y: Arrays, upper: bool, left: bool = True, unitriangular: bool = False) -> Arrays:
    part = np.triu(x) if upper else np.tril(x)
    if unitriangular:
        part = part - part * np.eye(x.shape[-1]) + np.eye(x.shape[-1])
    return solved(part, y, left)


def cosine(x: Arrays, y: Arrays, dim: int = 1) -> Arrays:
    x, y = np.broadcast_arrays(x, y)
    return (x * y).sum(dim) / np.sqrt((x**2).sum(dim) * (y**2).sum(dim))


def split(x: Arrays, split_size: Any, dim: int = 0) -> Arrays:
    ends = (
        np.cumsum(split_size)[:-1]
        if isinstance(split_size, list | tuple)
        else range(split_size, x.shape[dim], split_size)
    )
    return np.split(x, list(ends), dim)


def chunk(x: Arrays, chunks: int, dim: int = 0) -> Arrays:
    return split(x, -(-x.shape[dim] // chunks), dim)


def gelu(x: Arrays, approximate: str = "none") -> Arrays:
    bell = np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)) if approximate == "tanh" else erf(x / math.sqrt(2))
    return x * (1 + bell) / 2


def rms_norm(x: Arrays, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Arrays:
    dim = tuple(range(-len(normalized_shape), 0))
    return scaled(x / np.sqrt((x**2).mean(dim, keepdims=True) + (eps or np.finfo(float).eps)), weight, None)


def layer_norm(x: Arrays, normalized_shape: Any, weight: Any = None, bias: Any = None) -> Arrays:
    return scaled(normalised(x, tuple(range(-len(normalized_shape), 0)), 1e-5), weight, bias)


def normalize(x: Arrays, p: float = 2.0, dim: int = 1) -> Arrays:
    return x / np.maximum(norm(x, p, dim, True), 1e-12)


def cdist(x: Arrays, y: Arrays, p: float = 2.0) -> Arrays:
    return norm(x[..., :, None, :] - y[..., None, :, :], p, -1)


def tensordot(x: Arrays, y: Arrays, dims: Any = 2) -> Arrays:
    return np.tensordot(x, y, dims)


def selu(x: Arrays) -> Arrays:
    return 1.0507009873554804934193349852946 * np.where(x > 0, x, 1.6732632423543772848170429916717 * np.expm1(x))


def flattened(x: Arrays, start_dim: int = 0, end_dim: int = -1) -> Arrays:
    first, last = (axis % max(x.ndim, 1) for axis in (start_dim, end_dim))
    return x.reshape(*x.shape[:first], -1, *x.shape[last + 1 :])


def unflattened(x: Arrays, dim: int, sizes: Any) -> Arrays:
    return x.reshape(*x.shape[:dim], *sizes, *x.shape[dim + 1 :])


def rolled(x: Arrays, shifts: Any, dims: Any = None) -> Arrays:
    return np.roll(x, shifts, axes(dims))


def sum_of(fold: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, dim=None, keepdim=False: fold(x, axis=axes(dim), keepdims=keepdim)


# Those that neither NumPy nor mpmath has by torch's name, or with torch's arguments.
FORWARD: dict[str, Callable[..., Any]] = {
    **SLIDING, **COMPOSED,
    "Logit": lambda x: log(x / (1 - x)), "RSqrt": lambda x: x**-0.5,
    "Float": lambda x, **_: x, "Lerp": lambda x, y, weight: x + weight * (y - x),
    "Sigmoid": sigmoid, "LogSigmoid": lambda x: log(sigmoid(x)), "Relu": lambda x: np.maximum(x, 0),
    "LeakyRelu": lambda x, negative_slope=0.01: np.where(x > 0, x, negative_slope * x),
    "Elu": lambda x, alpha=1.0: np.where(x > 0, x, alpha * np.expm1(x)), "Gelu": gelu, "Silu": lambda x: x * sigmoid(x),
    "Softplus": lambda x, beta=1.0: log(1 + exp(beta * x)) / beta, "HardTanh": lambda x: np.clip(x, -1, 1),
    "Relu6": lambda x: np.clip(x, 0, 6), "Selu": selu,
    "Celu": lambda x, alpha=1.0: np.where(x > 0, x, alpha * np.expm1(x / alpha)), "Mish": lambda x: x * np.tanh(log(1 + exp(x))),
    "HardSigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1), "HardSwish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "SoftSign": lambda x: x / (1 + abs(x)),
    "Glu": lambda x, dim=-1: np.split(x, 2, dim)[0] * sigmoid(np.split(x, 2, dim)[1]),
    "Add": lambda x, y, alpha=1: x + alpha * y, "Sub": lambda x, y, alpha=1: x - alpha * y,
    "Mul": np.multiply, "Div": np.divide, "Neg": np.negative, "Pow": lambda x, n: x**n,
    "AddCMul": lambda x, a, b, value=1: x + value * a * b, "Pad": pad, "Clamp": clamp,
    "Clone": np.copy, "MseLoss": lambda x, y, reduction="mean": reduced((x - y) ** 2, reduction),
    "L1Loss": lambda x, y, reduction="mean": reduced(abs(x - y), reduction),
    "SmoothL1Loss": lambda x, y, reduction="mean", beta=1.0: reduced(huber(x, y, beta) / beta, reduction),
    "HuberLoss": lambda x, y, reduction="mean", delta=1.0: reduced(huber(x, y, delta), reduction),
    "BinaryCrossEntropy": bce, "BinaryCrossEntropyWithLogits": bce_logits, "KlDiv": kl_div, "CrossEntropy": cross_entropy,
    "SoftCrossEntropy": soft_cross_entropy,
    "NllLoss": lambda x, target, weight=None, ignore_index=-100, reduction="mean": of_classes(x, target, weight, ignore_index, reduction),
    "Tril": lambda x, diagonal=0: np.tril(x, diagonal), "Triu": lambda x, diagonal=0: np.triu(x, diagonal),
    "DiagonalMatrix": lambda x, diagonal=0: np.diag(x, diagonal), "DiagonalMatrices": diag_embed, "Diagonal": diagonal,
    "Cdist": cdist, "Einsum": lambda *tensors, equation: np.einsum(equation, *tensors), "Expand": lambda x, shape: np.broadcast_to(x, shape),
    "ExpandAs": lambda x, like: np.broadcast_to(x, like.shape), "View": lambda x, shape: x.reshape(shape), "Flatten": flattened,
    "Unflatten": unflattened, "ViewAs": lambda x, like: x.reshape(like.shape),
    "Squeeze": lambda x, dim=None: x.squeeze() if dim is None else x.squeeze(dim) if x.shape[dim] == 1 else x,
    "Unsqueeze": np.expand_dims, "Transpose": np.transpose, "MatrixTranspose": lambda x: np.swapaxes(x, -1, -2),
    "SwapAxes": np.swapaxes, "Permute": np.transpose, "MoveDim": np.moveaxis, "Roll": rolled, "Repeat": np.tile,
    "RepeatInterleave": np.repeat, "Index": lambda x, index: x[index], "Gather": lambda x, dim, index: np.stack(
        [x[(*p[:dim], int(index[p]), *p[dim + 1 :])] for p in np.ndindex(*index.shape)]).reshape(index.shape),
    "TakeAlongDim": lambda x, indices, dim: np.take_along_axis(np.broadcast_to(x, [*(a if d == dim else b for d, (a, b) in enumerate(zip(x.shape, indices.shape, strict=True)))]), indices, dim),
    "IndexSelect": lambda x, dim, index: np.take(x, index, dim), "Unfold": unfold,
    "Narrow": lambda x, dim, start, length: x[along(dim, slice(start, start + length))],
    "Select": lambda x, dim, index: x[along(dim, index)], "Embedding": lambda index, x, **_: x[index],
    "Cat": lambda *tensors, dim=0: np.concatenate(tensors, dim), "HStack": lambda *tensors: np.hstack(tensors),
    "VStack": lambda *tensors: np.vstack(tensors), "Stack": lambda *tensors, dim=0: np.stack(tensors, dim), "Split": split, "Chunk": chunk,
    "TensorSplit": lambda x, indices_or_sections, dim=0: np.array_split(x, indices_or_sections, dim),
    "Unbind": lambda x, dim=0: [x[along(dim, place)] for place in range(x.shape[dim])], "Inverse": np.linalg.inv,
    "Determinant": np.linalg.det, "LogDeterminant": lambda x: np.linalg.slogdet(x)[1], "SignAndLogDeterminant": np.linalg.slogdet,
    "Solve": solved, "SolveTriangular": solved_triangle,
    "MatrixExponential": matrix_exp, "Where": lambda condition, x, y: np.where(condition, x, y),
    "MaskedFill": lambda x, mask, value: np.where(mask, value, x), "MatMul": np.matmul,
    "Linear": lambda x, weight, bias=0.0: x @ weight.T + bias, "AddMM": lambda x, a, b: x + a @ b, "TensorDot": tensordot,
    "LayerNorm": layer_norm, "BatchNorm": batch_norm, "GroupNorm": group_norm, "RmsNorm": rms_norm, "Normalize": normalize,
    "CosineSimilarity": cosine, "Attention": attention,
    "GroupedAttention": grouped_attention,
    "MaskedSelect": lambda x, mask: x[mask], "Meshgrid": lambda *tensors, indexing: list(np.meshgrid(*tensors, indexing=indexing)), "Sort": ordered,
    "TopK": lambda x, k, dim=-1, largest=True: np.take(ordered(x, dim, largest), range(k), dim),
    "CumMax": lambda x, dim: np.maximum.accumulate(x, dim), "CumMin": lambda x, dim: np.minimum.accumulate(x, dim),
    "IndexAdd": lambda x, dim, index, source: slices_written(x, dim, index, source, True),
    "Scatter": lambda x, dim, index, src: written(x, dim, index, src, lambda _, new: new),
    "ScatterAdd": lambda x, dim, index, src: written(x, dim, index, src, lambda old, new: old + new),
    "IndexCopy": slices_written, "IndexFill": lambda x, dim, index, value: slices_written(x, dim, index, value),
    "SliceScatter": lambda x, src, dim=0, start=None, end=None, step=1: changed(x, along(dim, slice(start, end, step)), src),
    "SelectScatter": lambda x, src, dim, index: changed(x, along(dim, index), src), "MaskedScatter": masked_scatter, "IndexPut": put,
    "ScatterReduce": scatter_reduce, "Softmax": softmax, "LogSoftmax": lambda x, dim: log(softmax(x, dim)), "Sum": sum_of(np.sum),
    "Mean": sum_of(np.mean), "Var": variance, "Std": lambda x, **given: np.sqrt(variance(x, **given)), "Norm": norm,
    "LinalgNorm": lambda x, **given: norm(x, given.pop("ord", 2), **given), "Prod": sum_of(np.prod), "Max": sum_of(np.max),
    "Min": sum_of(np.min), "AMax": sum_of(np.max), "AMin": sum_of(np.min), "LogSumExp": logsumexp,
    "LogCumSumExp": cumulated, "LGamma": exact(lambda x: mpmath.log(abs(mpmath.gamma(x)))),
    "BesselI0": exact(lambda x: mpmath.besseli(0, x)), "BesselI1": exact(lambda x: mpmath.besseli(1, x)),
    "NormalCdf": exact(mpmath.ncdf),
}  # fmt: skip


def forward(operation: str, spelled: str) -> Callable[..., Any]:
    """What an operation computes: as it is written here, else as a function of NumPy or mpmath that is called the same.

    Fails where there is none: write it above, in other words than torch's.
    """
    if operation in FORWARD:
        return FORWARD[operation]
    called = re.search(r"(\w+)\(", spelled)
    assert called, f"FORWARD of tests/support/numpy_forward.py has no {operation}"
    found: Callable[..., Any] | None = getattr(np, called[1], None)
    if found is None:
        assert hasattr(mpmath, called[1]), f"FORWARD of tests/support/numpy_forward.py has no {operation}"
        found = exact(getattr(mpmath, called[1]))
    return found
