"""Fourier transforms as what they are: products with tables of cosines and sines, of the parts of complex numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

Tensor = torch.Tensor
Parts = tuple[Any, Any]
LONGEST = 2048  # of an axis, beyond which the tables are too large


def table(length: int, given: int, made: int, sign: int, scale: float) -> tuple[Tensor, Tensor]:
    """Cosines and sines of 2πjk/length, for `given` numbers and as many of the `made` ones."""
    if length > LONGEST:
        raise NotImplementedError("a long axis")
    with torch._C.DisableTorchFunction(), torch.no_grad():
        turns = torch.outer(torch.arange(given), torch.arange(made)).remainder(length).double() / length
        angles = sign * 2 * math.pi * turns
        return angles.cos() * scale, angles.sin() * scale


def scaled(length: int, norm: str | None, inverse: bool) -> float:
    """The factor of a transform."""
    if norm == "ortho":
        return float(length**-0.5)
    return 1.0 / length if inverse == (norm in (None, "backward")) else 1.0


def along(x: Tensor, axis: int, matrix: Tensor) -> Tensor:
    """Each line of cells along an axis, times a matrix."""
    matrix = matrix.to(x.dtype)
    if axis in (-1, x.dim() - 1):
        return x @ matrix
    return (x.movedim(axis, -1) @ matrix).movedim(-1, axis)


def cut(x: Tensor, axis: int, most: int) -> Tensor:
    """The first cells along an axis."""
    return x.narrow(axis, 0, most) if x.shape[axis] > most else x


def line(x: Parts, n: int | None, axis: int, norm: str | None, inverse: bool = False) -> Parts:
    """The transform along one axis, of complex numbers."""
    length = x[0].shape[axis] if n is None else n
    real = cut(x[0], axis, length)
    cosine, sine = table(length, real.shape[axis], length, 1 if inverse else -1, scaled(length, norm, inverse))
    if x[1] is None:
        return along(real, axis, cosine), along(real, axis, sine)
    imaginary = cut(x[1], axis, length)
    return (
        along(real, axis, cosine) - along(imaginary, axis, sine),
        along(real, axis, sine) + along(imaginary, axis, cosine),
    )


def half_line(x: Parts, n: int | None, axis: int, norm: str | None) -> Parts:
    """The transform along one axis of real numbers: the half that tells the other."""
    length = x[0].shape[axis] if n is None else n
    real = cut(x[0], axis, length)
    cosine, sine = table(length, real.shape[axis], length // 2 + 1, -1, scaled(length, norm, inverse=False))
    return along(real, axis, cosine), along(real, axis, sine)


def back_line(x: Parts, n: int | None, axis: int, norm: str | None) -> Tensor:
    """The way back from that half to real numbers: each but the outermost stands for two."""
    length = 2 * (x[0].shape[axis] - 1) if n is None else n
    real, imaginary = x
    real = cut(real, axis, length // 2 + 1)
    cosine, sine = table(length, real.shape[axis], length, 1, scaled(length, norm, inverse=True))
    with torch._C.DisableTorchFunction():
        twice = torch.full((len(cosine), 1), 2.0, dtype=torch.float64)
        twice[0] = 1
        if length % 2 == 0 and len(twice) > length // 2:
            twice[length // 2] = 1
        cosine, sine = cosine * twice, sine * twice
    told = along(real, axis, cosine)
    return told if imaginary is None else told - along(cut(imaginary, axis, length // 2 + 1), axis, sine)


def lines_of(x: Parts, s: Sequence[int] | None, dim: Sequence[int] | int | None) -> list[tuple[int, int | None]]:
    """The axes of a transform, each with the length that is asked for."""
    count = x[0].dim()
    if dim is None:
        axes = list(range(count)) if s is None else list(range(count - len(s), count))
    else:
        axes = [dim] if isinstance(dim, int) else list(dim)
    sizes = [None] * len(axes) if s is None else [None if one == -1 else int(one) for one in s]
    return list(zip([one % count for one in axes], sizes, strict=True))


def plain(value: Any) -> Any:
    """An argument that is no tensor, as it was given."""
    return value[0] if isinstance(value, tuple) and len(value) == 2 and value[1] is None else value


def one_axis(act: Callable[..., Any]) -> Callable[..., Any]:
    """A transform along one axis, with PyTorch's arguments."""

    def called(input: Parts, n: Any = None, dim: Any = -1, norm: Any = None) -> Any:  # noqa: A002 - PyTorch's name
        return act(input, plain(n), plain(dim), plain(norm))

    return called


def axes(usual: Sequence[int] | None, act: Callable[..., Any]) -> Callable[..., Any]:
    """A transform along several axes, with PyTorch's arguments."""

    def called(input: Parts, s: Any = None, dim: Any = usual, norm: Any = None) -> Any:  # noqa: A002 - PyTorch's name
        return act(input, lines_of(input, plain(s), plain(dim)), plain(norm))

    return called


def forth(x: Parts, lines: list[tuple[int, int | None]], norm: str | None) -> Parts:
    """Axis by axis."""
    for axis, length in lines:
        x = line(x, length, axis, norm)
    return x


def back(x: Parts, lines: list[tuple[int, int | None]], norm: str | None) -> Parts:
    """Axis by axis."""
    for axis, length in lines:
        x = line(x, length, axis, norm, inverse=True)
    return x


def half_forth(x: Parts, lines: list[tuple[int, int | None]], norm: str | None) -> Parts:
    """The last axis of real numbers, then the others."""
    return forth(half_line(x, lines[-1][1], lines[-1][0], norm), lines[:-1], norm)


def half_back(x: Parts, lines: list[tuple[int, int | None]], norm: str | None) -> Tensor:
    """The others, then the last axis to real numbers."""
    return back_line(back(x, lines[:-1], norm), lines[-1][1], lines[-1][0], norm)


def inverse_line(x: Parts, n: int | None, axis: int, norm: str | None) -> Parts:
    """The way back along one axis."""
    return line(x, n, axis, norm, inverse=True)


def windows(
    input: Parts, n_fft: Any, hop_length: Any = None, win_length: Any = None, window: Any = None, center: Any = True,  # noqa: A002
    pad_mode: Any = "reflect", normalized: Any = False, onesided: Any = None, *_: Any, **__: Any,
) -> Parts:  # fmt: skip
    """The short-time transform: pieces that overlap, each weighed by the window and transformed."""
    size, x = plain(n_fft), plain(input)
    hop, width = plain(hop_length) or size // 4, plain(win_length) or size
    if not isinstance(x, Tensor) or plain(onesided) is False:
        raise NotImplementedError("of complex numbers")
    weights = plain(window) if plain(window) is not None else torch.ones(width)
    missing = size - width
    weights = torch.nn.functional.pad(weights, (missing // 2, missing - missing // 2)) if missing else weights
    if plain(center):
        x = torch.nn.functional.pad(x[None], (size // 2, size // 2), mode=plain(pad_mode))[0]
    starts = torch.arange(0, x.shape[-1] - size + 1, hop)
    pieces = x[..., starts[:, None] + torch.arange(size)] * weights
    real, imaginary = half_line((pieces, None), None, -1, "ortho" if plain(normalized) else None)
    return real.mT, imaginary.mT


ACTS: dict[str, Callable[..., Any]] = {
    "fft": one_axis(line), "ifft": one_axis(inverse_line), "rfft": one_axis(half_line), "irfft": one_axis(back_line),
    "fft2": axes((-2, -1), forth), "ifft2": axes((-2, -1), back),
    "rfft2": axes((-2, -1), half_forth), "irfft2": axes((-2, -1), half_back),
    "fftn": axes(None, forth), "ifftn": axes(None, back),
    "rfftn": axes(None, half_forth), "irfftn": axes(None, half_back),
}  # fmt: skip
TRANSFORMS = {name: act for word, act in ACTS.items() for name in (word, f"fft_{word}")} | {"stft": windows}
