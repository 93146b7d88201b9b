"""Calls that the language lacks, in calls that it has: run under the recorder, and compared with the call itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from gradwalk.recorder.alignment import ctc
from gradwalk.recorder.drawn import DRAWN
from gradwalk.recorder.layout import as_strided, movedim_pad
from gradwalk.recorder.recurrent import RECURRENT

Tensor = torch.Tensor
_off = torch._C.DisableTorchFunction  # without the modes that watch calls


def attention(
    q: Tensor, k: Tensor, v: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0, is_causal: bool = False,
    scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """Scaled dot-product attention, step by step."""
    if enable_gqa:
        k = k.repeat_interleave(q.shape[-3] // k.shape[-3], -3)
        v = v.repeat_interleave(q.shape[-3] // v.shape[-3], -3)
    scores = q @ k.transpose(-2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is not None:
        hidden = attn_mask.dtype is torch.bool
        scores = scores.masked_fill(~attn_mask, float("-inf")) if hidden else scores + attn_mask
    return F.dropout(F.softmax(scores, -1), dropout_p) @ v if dropout_p else F.softmax(scores, -1) @ v


# Linear algebra.
def cholesky(a: Tensor, upper: bool = False) -> Tensor:
    """Column by column."""
    if a.dim() != 2 or a.shape[0] > 12:
        raise NotImplementedError("batches, large matrices")
    a = (a + a.T) * 0.5  # PyTorch sends to both sides of the diagonal what arrives at one
    n = a.shape[0]
    rows: list[list[Tensor]] = []
    zero = a.detach().new_zeros(())
    for i in range(n):
        row: list[Tensor] = []
        for j in range(i + 1):
            rest = a[i, j]
            if j:
                rest = rest - sum(
                    (row[k] * (row[k] if i == j else rows[j][k]) for k in range(1, j)),
                    row[0] * (row[0] if i == j else rows[j][0]),
                )
            row.append(torch.sqrt(rest) if i == j else rest / rows[j][j])
        rows.append(row)
    out = torch.stack([torch.stack([*row, *[zero] * (n - len(row))]) for row in rows])
    return transposed(out) if upper else out


def transposed(x: Tensor) -> Tensor:
    """A matrix, turned."""
    return x.T


def cholesky_solve(b: Tensor, factor: Tensor, upper: bool = False) -> Tensor:
    """Two triangular systems."""
    low = factor.mT if upper else factor
    half: Tensor = torch.linalg.solve_triangular(low, b, upper=False)
    whole: Tensor = torch.linalg.solve_triangular(low.mT, half, upper=True)
    return whole


def cholesky_ex(a: Tensor, *, upper: bool = False, check_errors: bool = False) -> Tensor:  # noqa: ARG001
    """The factor alone: what stands beside it carries no gradient."""
    return cholesky(a, upper)


def cholesky_inverse(factor: Tensor, upper: bool = False) -> Tensor:
    """What the matrix has to be multiplied by to be the identity."""
    return cholesky_solve(torch.eye(factor.shape[-1], dtype=factor.dtype), factor, upper)


def quantile(
    x: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """Between two of the sorted cells."""
    if interpolation != "linear" or (isinstance(q, Tensor) and q.dim()):
        raise NotImplementedError("several at once, another interpolation")
    axis = -1 if dim is None else dim
    rows = (x.reshape(-1) if dim is None else x).sort(axis)[0]
    low, share = divmod(float(q) * (rows.shape[axis] - 1), 1)
    high = min(int(low) + 1, rows.shape[axis] - 1)
    made = rows.narrow(axis, int(low), 1) * (1 - share) + rows.narrow(axis, high, 1) * share
    if dim is None:
        return made.reshape([1] * x.dim() if keepdim else [])
    return made if keepdim else made.squeeze(axis)


# Distances.
def cdist(x: Tensor, y: Tensor, p: float = 2.0, **_: Any) -> Tensor:
    """Every row of one from every row of the other."""
    apart: Tensor = torch.linalg.vector_norm(x.unsqueeze(-2) - y.unsqueeze(-3), p, -1)
    return apart


def pdist(x: Tensor, p: float = 2.0) -> Tensor:
    """Every row from those behind it."""
    with _off():
        rows, others = torch.triu_indices(x.shape[0], x.shape[0], 1)
    apart: Tensor = torch.linalg.vector_norm(x[rows] - x[others], p, -1)
    return apart


# One cell of many, where the call says which.
def picked(call: Callable[..., Any], place: int) -> Callable[..., Any]:
    """A call along an axis that tells, besides the values, where each was; `place` is the axis's among the arguments
    behind the tensor."""

    def lowered(x: Tensor, *args: Any, dim: int | None = None, keepdim: bool = False, **kwargs: Any) -> Tensor:
        axis = args[place] if len(args) > place else dim
        if axis is None and call in (torch.median, torch.nanmedian):
            return lowered(x.reshape(-1), 0)
        axis = -1 if axis is None else axis
        keepdim = args[place + 1] if len(args) > place + 1 else keepdim
        with _off(), torch.no_grad():
            places = call(x, *args[:place], dim=axis, keepdim=True, **kwargs).indices
        cells = torch.gather(x, axis, places)
        return cells if keepdim else cells.squeeze(axis)

    return lowered


# Tables and batches.
def embedding(
    words: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,  # noqa: ARG001
) -> Tensor:  # fmt: skip
    """Rows of a table, whose gradient is shared among the places where each is read; they have been shortened to the
    largest norm when the call itself ran."""
    if not scale_grad_by_freq:
        if max_norm is None:
            raise NotImplementedError
        return F.embedding(words, weight, padding_idx)
    share = 1.0 / torch.bincount(words.reshape(-1))[words].unsqueeze(-1)
    rows = F.embedding(words, weight, padding_idx)
    return rows * share + rows.detach() * (1.0 - share)


def embedding_bag(
    weight: Tensor, words: Tensor, offsets: Tensor, scale: bool = False, mode: int = 0, sparse: bool = False,  # noqa: ARG001
    each: Tensor | None = None, last: bool = False, padding: int = -1,
) -> Any:  # fmt: skip
    """Rows of a table, added up or averaged by bags."""
    if last or padding not in (-1, None):
        raise NotImplementedError("padding")
    ends = [*offsets.tolist()[1:], len(words)]
    bags = []
    for start, end in zip(offsets.tolist(), ends, strict=True):
        rows = F.embedding(words[start:end], weight)
        if each is not None:
            rows = rows * each[start:end, None]
        bags.append(rows.max(0)[0] if mode == 2 else rows.mean(0) if mode == 1 else rows.sum(0))
    return torch.stack(bags)


def addmv(x: Tensor, matrix: Tensor, vector: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """A matrix times a vector, added."""
    return beta * x + alpha * (matrix @ vector)


def inner(x: Tensor, y: Tensor) -> Tensor:
    """Along the last axes."""
    return (x * y).sum(-1) if x.dim() == y.dim() == 1 else torch.tensordot(x, y, dims=([-1], [-1]))


def broadcast_tensors(*tensors: Any) -> Any:
    """All of one shape."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], list | tuple) else tensors
    with _off():
        shape = sum((torch.empty(one.shape, device="meta") for one in given), torch.empty((), device="meta")).shape
    return tuple(one.expand(shape) if one.shape != shape else one * 1 for one in given)


def sum_to_size(x: Tensor, *shape: Any) -> Tensor:
    """Summed to a shape that broadcasts to it."""
    wanted = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else tuple(shape)
    lead = x.dim() - len(wanted)
    axes = [*range(lead), *(lead + i for i, size in enumerate(wanted) if size == 1 and x.shape[lead + i] != 1)]
    return x.sum(axes, keepdim=True).reshape(wanted) if axes else x.reshape(wanted)


def to(x: Tensor, *_: Any, **__: Any) -> Tensor:
    """The same numbers in another kind of decimals, which the walk doesn't tell apart."""
    return x * 1.0


def clone(x: Tensor, **_: Any) -> Tensor:
    """The same numbers."""
    return x.clone()


def grouped_mm(
    x: Tensor, y: Tensor, offs: Tensor | None = None, bias: Tensor | None = None, out_dtype: torch.dtype | None = None
) -> Tensor:
    """A product of matrices for each group: a mixture's experts, each with the rows that come to it."""
    if bias is not None or out_dtype is not None:
        raise NotImplementedError
    if offs is None:
        return x @ y
    ends = [0, *offs.tolist()]
    groups = [slice(start, end) for start, end in itertools.pairwise(ends)]
    if x.dim() == 2 and y.dim() == 2:
        return torch.stack([x[:, one] @ y[one] for one in groups])
    jagged, axis = (x, 0) if x.dim() == 2 else (y, 1)
    if ends[-1] != jagged.shape[axis]:
        raise NotImplementedError("rows of no group")
    filled = [place for place, one in enumerate(groups) if one.start != one.stop]
    if axis == 0:
        return torch.cat([x[groups[place]] @ y[place] for place in filled])
    return torch.cat([x[place] @ y[:, groups[place]] for place in filled], 1)


# In place.
def setitem(x: Tensor, where: Any, value: Any) -> Tensor:
    """Some cells from another tensor: which ones is told by a table of places."""
    with _off(), torch.no_grad():
        places = torch.arange(x.numel()).view(x.shape)
        chosen = places[where]
    if not isinstance(value, Tensor):
        value = torch.tensor(float(value), dtype=x.dtype)
    if value.numel() == 0:
        return torch.add(x, value.sum())  # nothing, on the way that was gone
    return replaced(x, chosen, value)


def replaced(x: Tensor, chosen: Tensor, value: Tensor) -> Tensor:
    """A tensor with the cells at these places taken from another one."""
    with _off(), torch.no_grad():
        cells = torch.arange(x.numel())
        cells[chosen.reshape(-1)] = x.numel() + torch.arange(chosen.numel())
        cells = cells.view(x.shape)
    if value.dim() > chosen.dim():
        value = value.reshape(value.shape[value.dim() - chosen.dim() :])
    wide = value.expand(chosen.shape) if value.shape != chosen.shape else value
    return torch.cat([x.reshape(-1), wide.reshape(-1)])[cells]


def copied(x: Tensor, source: Any, *_: Any) -> Tensor:
    """All cells from another tensor."""
    if not isinstance(source, Tensor):
        raise NotImplementedError
    return source.expand(x.shape) if source.shape != x.shape else source * 1.0


def filled(x: Tensor, value: Any = 0.0) -> Tensor:
    """All cells one number."""
    if isinstance(value, Tensor) and value.requires_grad:
        return value.expand(x.shape)
    return x * 0.0 + float(value)


def index_put(x: Tensor, where: Any, value: Tensor, accumulate: bool = False) -> Tensor:
    """Some cells from another tensor, or with it added."""
    with _off(), torch.no_grad():
        chosen = torch.arange(x.numel()).view(x.shape)[tuple(where)]
    if accumulate:
        wide = value.expand(chosen.shape) if value.shape != chosen.shape else value
        return x.reshape(-1).index_add(0, chosen.reshape(-1), wide.reshape(-1)).reshape(x.shape)
    return replaced(x, chosen, value)


def multi_margin(
    x: Tensor,
    y: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    *_: Any,
    reduction: str = "mean",
    **__: Any,
) -> Tensor:
    """Every wrong class that comes nearer than the margin."""
    if x.dim() != 2 or weight is not None:
        raise NotImplementedError
    wrong = 1.0 - F.one_hot(y, x.shape[1]).to(x.dtype)
    right = x[torch.arange(x.shape[0]), y][:, None]
    each = (F.relu(margin - right + x) ** p * wrong).sum(1) / x.shape[1]
    return each.mean() if reduction == "mean" else each.sum() if reduction == "sum" else each


def fill_diagonal(x: Tensor, value: float, wrap: bool = False) -> Tensor:
    """A number along the diagonal."""
    if x.dim() != 2 or wrap:
        raise NotImplementedError
    return x.masked_fill(torch.eye(*x.shape, dtype=torch.bool), value)


def sparse_product(x: Tensor, y: Tensor, *_: Any) -> Tensor:
    """A product of matrices, one of which is kept without its zeros, with all of them."""
    return with_zeros(x) @ with_zeros(y)


def with_zeros(matrix: Tensor) -> Tensor:
    """A matrix that is kept without its zeros, with them."""
    if matrix.layout is torch.strided:
        return matrix
    if matrix.requires_grad:
        raise NotImplementedError("a gradient of a sparse matrix")
    with _off(), torch.no_grad():
        return matrix.to_dense()


def quantised(act: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Rounding to a grid, through which a gradient passes where the grid has not ended."""

    def lowered(x: Tensor, *grid: Any) -> Tensor:
        with _off(), torch.enable_grad():
            there = x.detach().requires_grad_()
            made = act(there, *(one.detach() if isinstance(one, Tensor) else one for one in grid))
            (passed,) = torch.autograd.grad(made, there, torch.ones_like(made))
            rest = made.detach() - x.detach() * passed
        return x * passed + rest

    return lowered


def padded(sequences: Any, batch_first: bool = False, padding_value: float = 0.0, *_: Any) -> Tensor:
    """Sequences with a number behind the shorter ones."""
    longest = max(len(one) for one in sequences)
    rest = (0, 0) * (sequences[0].dim() - 1)
    wide = [F.pad(one, (*rest, 0, longest - len(one)), value=padding_value) for one in sequences]
    return torch.stack(wide, 0 if batch_first else 1)


LOWERED: dict[str, Callable[..., Any]] = {
    **RECURRENT,
    "cholesky": cholesky,
    "linalg_cholesky": cholesky,
    "cholesky_ex": cholesky_ex,
    "cholesky_solve": cholesky_solve,
    "cholesky_inverse": cholesky_inverse,
    "cdist": cdist,
    "pdist": pdist,
    "median": picked(torch.median, 0),
    "nanmedian": picked(torch.nanmedian, 0),
    "mode": picked(torch.mode, 0),
    "kthvalue": picked(torch.kthvalue, 1),
    "quantile": quantile,
    "embedding": embedding,
    "embedding_bag": embedding_bag,
    "addmv": addmv,
    "xlog1py": lambda x, y: torch.xlogy(x, 1 + y),
    "as_strided": as_strided,
    "_grouped_mm": grouped_mm,
    "inner": inner,
    "broadcast_tensors": broadcast_tensors,
    "sum_to_size": sum_to_size,
    "pad": movedim_pad,
    "to": to, "float": to, "double": to, "half": to, "bfloat16": to, "type": to, "type_as": to, "cpu": to,
    "multi_margin_loss": multi_margin,
    "scaled_dot_product_attention": attention,
    "ctc_loss": ctc,
    "_sparse_mm": sparse_product, "matmul": sparse_product, "__matmul__": sparse_product, "mm": sparse_product,
    "mv": sparse_product,
    "fake_quantize_per_tensor_affine": quantised(torch.fake_quantize_per_tensor_affine),
    "fake_quantize_per_channel_affine": quantised(torch.fake_quantize_per_channel_affine),
    "pad_sequence": padded,
}  # fmt: skip
IN_PLACE: dict[str, Callable[..., Any]] = {
    "__setitem__": setitem,
    "copy": copied,
    "fill": filled,
    "zero": filled,
    "index_put": index_put,
    "fill_diagonal": fill_diagonal,
    **DRAWN,
}
