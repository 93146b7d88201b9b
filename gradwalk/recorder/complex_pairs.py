"""Complex tensors, told as pairs of real numbers along a last axis: the language has real numbers alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from gradwalk.recorder import fourier

Tensor = torch.Tensor
Parts = tuple[Any, Any]  # the real and the imaginary one, which is None where all is real


@dataclass(frozen=True)
class Pairs:
    """A complex tensor's pairs, in the place of the tensor among the arguments of a call."""

    tensor: Tensor


def as_pairs(value: Any) -> Any:
    """A complex tensor or number as pairs; anything else as it is."""
    if isinstance(value, Tensor) and value.is_complex():
        return torch.view_as_real(value.detach().resolve_conj().resolve_neg())
    if isinstance(value, complex):
        return torch.tensor([value.real, value.imag])
    return value


def parts(value: Any) -> Parts:
    """The two parts of an argument."""
    if isinstance(value, Pairs):
        return value.tensor[..., 0], value.tensor[..., 1]
    return (value.real, value.imag) if isinstance(value, complex) else (value, None)


# Part by part, where None is zero.
def plus(a: Any, b: Any) -> Any:
    """a + b."""
    return a if b is None else b if a is None else a + b


def minus(a: Any, b: Any) -> Any:
    """a - b."""
    return a if b is None else -b if a is None else a - b


def times(a: Any, b: Any) -> Any:
    """ab."""
    return None if a is None or b is None else a * b


def summed(x: Parts, y: Parts, *, alpha: float = 1) -> Parts:
    """Part by part."""
    return (plus(x[0], y[0]), plus(x[1], y[1])) if alpha == 1 else summed(x, product(y, (alpha, None)))


def differing(x: Parts, y: Parts, *, alpha: float = 1) -> Parts:
    """Part by part."""
    return (minus(x[0], y[0]), minus(x[1], y[1])) if alpha == 1 else summed(x, product(y, (-alpha, None)))


def product(x: Parts, y: Parts) -> Parts:
    """(a + bi)(c + di)."""
    (a, b), (c, d) = x, y
    return minus(times(a, c), times(b, d)), plus(times(a, d), times(b, c))


def quotient(x: Parts, y: Parts) -> Parts:
    """x times the conjugate of y, by the square of y's length."""
    if y[1] is None:
        return x[0] / y[0], None if x[1] is None else x[1] / y[0]
    square = y[0] * y[0] + y[1] * y[1]
    real, imaginary = product(x, mirrored(y))
    return real / square, imaginary / square


def mirrored(x: Parts) -> Parts:
    """The conjugate."""
    return x[0], None if x[1] is None else -x[1]


def length(x: Parts) -> Tensor:
    """The absolute value."""
    return torch.sqrt(x[0] ** 2 + x[1] ** 2)


def angle(x: Parts) -> Tensor:
    """Between it and the real axis."""
    return torch.atan2(x[1], x[0])


def of_angle(x: Parts, y: Parts) -> Parts:
    """As long as x, at the angle y."""
    return x[0] * torch.cos(y[0]), x[0] * torch.sin(y[0])


def exponential(x: Parts) -> Parts:
    """As long as e to the real part, at the angle of the imaginary one."""
    return of_angle((torch.exp(x[0]), None), (x[1], None))


def logarithm(x: Parts) -> Parts:
    """That of the length, and the angle."""
    return torch.log(length(x)), angle(x)


def root(x: Parts) -> Parts:
    """The root of the length, at half the angle."""
    return of_angle((torch.sqrt(length(x)), None), (angle(x) * 0.5, None))


def power(x: Parts, n: Parts) -> Parts:
    """A product of n; of another power, e to n times the logarithm."""
    whole = n[0]
    if not isinstance(whole, int) or not 1 <= whole <= 8:
        return exponential(product(logarithm(x), n))
    made = x
    for _ in range(whole - 1):
        made = product(made, x)
    return made


def turned(x: Parts, *axes: Parts) -> Parts:
    """The conjugate, transposed."""
    del axes
    real, imaginary = mirrored(x)
    return real.mT, imaginary.mT


def widened(x: Parts, *_: Any, **__: Any) -> Parts:
    """The same numbers in another kind."""
    return (x[0] * 1.0, torch.zeros_like(x[0])) if x[1] is None else (x[0] * 1.0, x[1] * 1.0)


FORMULAS: dict[str, Callable[..., Any]] = {
    "add": summed, "__add__": summed, "__radd__": summed, "sub": differing, "__sub__": differing,
    "subtract": differing, "rsub": lambda x, y: differing(y, x), "__rsub__": lambda x, y: differing(y, x),
    "mul": product, "__mul__": product, "__rmul__": product, "multiply": product,
    "div": quotient, "__truediv__": quotient, "true_divide": quotient, "divide": quotient,
    "__rtruediv__": lambda x, y: quotient(y, x), "__rdiv__": lambda x, y: quotient(y, x),
    "reciprocal": lambda x: quotient((1.0, None), x), "square": lambda x: product(x, x),
    "conj": mirrored, "conj_physical": mirrored, "_conj": mirrored, "abs": length, "absolute": length, "angle": angle,
    "view_as_complex": lambda x: (x[0][..., 0], x[0][..., 1]), "view_as_real": lambda x: torch.stack(x, -1),
    "real": lambda x: x[0], "imag": lambda x: x[1], "complex": lambda x, y: (x[0], y[0]), "polar": of_angle,
    "pow": power, "__pow__": power, "exp": exponential, "log": logarithm, "sqrt": root,
    "mH": turned, "H": turned, "adjoint": turned, "to": widened, "cfloat": widened, "cdouble": widened,
    "type": widened, "type_as": widened, **fourier.TRANSFORMS,
}  # fmt: skip
# Each part goes by itself.
LINEAR = {
    "sum", "mean", "cumsum", "trace", "neg", "__neg__", "negative", "clone", "contiguous", "resolve_conj", "view",
    "reshape", "reshape_as", "view_as", "flatten", "unflatten", "ravel", "permute", "transpose", "t", "T", "mT",
    "movedim", "moveaxis", "swapaxes", "swapdims", "unsqueeze", "squeeze", "expand", "expand_as", "broadcast_to",
    "repeat", "tile", "repeat_interleave", "__getitem__", "select", "narrow", "index_select", "gather",
    "take_along_dim", "diag", "diagonal", "diag_embed", "tril", "triu", "cat", "concat", "concatenate", "stack",
    "hstack", "vstack", "chunk", "split", "tensor_split", "unbind", "roll", "flip", "fftshift", "ifftshift",
    "fft_fftshift", "fft_ifftshift", "pad", "index_add", "scatter_add", "where", "__setitem__", "copy",
}  # fmt: skip
# Of each factor's parts, every one with every one.
BILINEAR = {"matmul", "__matmul__", "mm", "bmm", "mv", "dot", "outer", "ger", "einsum", "tensordot", "kron", "linear"}


def told(func: Callable[..., Any], word: str, args: Any, kwargs: Mapping[str, Any]) -> Any:
    """A call on complex tensors by their parts; raises NotImplementedError where there is no way to tell it."""
    formula = FORMULAS.get(word)
    if formula is not None:
        return whole(formula(*map(parts, args), **kwargs))
    if word in LINEAR:
        made = [func(*part_of(args, number), **part_of(dict(kwargs), number)) for number in (0, 1)]
        if isinstance(made[0], Tensor):
            return whole((made[0], made[1]))
        return tuple(whole((one, other)) for one, other in zip(*made, strict=True))
    if word in BILINEAR:
        return whole(of_factors(func, args, kwargs))
    raise NotImplementedError(word)


def whole(made: Any) -> Any:
    """A result with its parts as pairs; a real one as it is."""
    if isinstance(made, Tensor):
        return made
    real, imaginary = made
    imaginary = torch.zeros_like(real) if imaginary is None else imaginary
    if real.shape != imaginary.shape:
        real, imaginary = real.expand_as(real + imaginary), imaginary.expand_as(real + imaginary)
    return torch.stack([real, imaginary], -1)


def part_of(value: Any, number: int) -> Any:
    """Arguments with one of their parts in the place of both; that of real numbers is zero."""
    if isinstance(value, Pairs):
        return value.tensor[..., number]
    if isinstance(value, Tensor) and value.is_floating_point():
        return value if number == 0 else torch.zeros_like(value)
    if isinstance(value, dict):
        return {key: part_of(one, number) for key, one in value.items()}
    return type(value)(part_of(one, number) for one in value) if type(value) in (list, tuple) else value


def of_factors(func: Callable[..., Any], args: Any, kwargs: Mapping[str, Any]) -> Parts:
    """The product of two factors, whichever of them are complex."""
    flat = [*args[:-1], *args[-1]] if isinstance(args[-1], list | tuple) and word_first(args) else [*args]
    places = [place for place, one in enumerate(flat) if isinstance(one, Pairs | Tensor)]
    if len(places) != 2:
        raise NotImplementedError("more than two factors")

    def of(one: Any, other: Any) -> Any:
        if one is None or other is None:
            return None
        given = list(flat)
        given[places[0]], given[places[1]] = one, other
        return func(*given, **kwargs)

    (a, b), (c, d) = (parts(flat[place]) for place in places)
    return minus(of(a, c), of(b, d)), plus(of(a, d), of(b, c))


def word_first(args: Any) -> bool:
    """Whether the factors stand in a list behind a word, as those of `einsum` may."""
    return bool(args) and isinstance(args[0], str)
