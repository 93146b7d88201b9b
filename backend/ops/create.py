"""Tensors that carry no gradient: made from nothing, or made to help a backward line."""

from __future__ import annotations

from backend.ops.base import Op, register


class Helper(Op):
    """An operation that backward lines and answers may use, and forward programs where no gradient flows."""

    differentiable = False

    @classmethod
    def accepts(cls, bound: object, is_tensor: object) -> bool:
        return True


@register
class ZerosLike(Helper):
    """Zeros in the shape of x."""

    written = ("torch.zeros_like(x)",)


@register
class OnesLike(Helper):
    """Ones in the shape of x."""

    written = ("torch.ones_like(x)",)


@register
class OneHot(Helper):
    """A row of zeros with a single one at each index."""

    written = ("F.one_hot(x, num_classes=-1)",)


@register
class AddCMul(Helper):
    """x + value * a * b with a single rounding."""

    written = ("torch.addcmul(x, a, b, value=1)",)


@register
class IndexPut(Helper):
    """x with values put, or added, at the places an index names."""

    written = ("x.index_put(indices, values, accumulate=False)",)


@register
class Scatter(Helper):
    """x with a value written at the places an index names along one axis."""

    written = ("x.scatter(dim, index, value)",)


@register
class Unsqueeze(Helper):
    """x with an axis of length 1 put in."""

    written = "x.unsqueeze(dim)", "torch.unsqueeze(x, dim)"


@register
class Clone(Helper):
    """A copy that can be changed without changing x."""

    written = "x.clone()", "torch.clone(x)"


@register
class Transpose(Helper):
    """A matrix with rows and columns exchanged."""

    written = "x.T", "x.t()"
