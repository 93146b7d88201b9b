"""Convolutions, pooling and resampling in plain loops of NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Arrays = Any


def axis_numbers(value: Any, axes: int) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,) * axes


def convolution(
    x: Arrays, weight: Arrays, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Arrays:
    """Each place by itself: the products of what meets there, added up."""
    n = weight.ndim - 2
    images = x if x.ndim == n + 2 else x[None]
    steps, gaps = axis_numbers(stride, n), axis_numbers(dilation, n)
    whole = [gap * (size - 1) for gap, size in zip(gaps, weight.shape[2:], strict=True)]
    if isinstance(padding, str):
        ends = [(total // 2, total - total // 2) if padding == "same" else (0, 0) for total in whole]
    else:
        ends = [(pad, pad) for pad in axis_numbers(padding, n)]
    wide = np.pad(images, [(0, 0), (0, 0), *ends])
    places = [(size - total - 1) // step + 1 for size, total, step in zip(wide.shape[2:], whole, steps, strict=True)]
    made = np.zeros((len(images), len(weight), *places))
    inner, outer = weight.shape[1], len(weight) // groups
    for channel in range(len(weight)):
        group = wide[:, channel // outer * inner : (channel // outer + 1) * inner]
        for place in np.ndindex(*places):
            patch = tuple(slice(p * s, p * s + t + 1, g) for p, s, t, g in zip(place, steps, whole, gaps, strict=True))
            made[:, channel, *place] = (group[:, :, *patch] * weight[channel]).reshape(len(images), -1).sum(1)
    made = made + (0 if bias is None else bias.reshape(-1, *[1] * n))
    return made if x.ndim == n + 2 else made[0]


def put_down(
    x: Arrays, weight: Arrays, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Arrays:  # fmt: skip
    """A transposed convolution: the kernel put down at each place, scaled by the cell there."""
    n = weight.ndim - 2
    images = x if x.ndim == n + 2 else x[None]
    steps, gaps, pads, more = (axis_numbers(one, n) for one in (stride, dilation, padding, output_padding))
    whole = [gap * (size - 1) + 1 for gap, size in zip(gaps, weight.shape[2:], strict=True)]
    sizes = [(size - 1) * s + t + m for size, s, t, m in zip(images.shape[2:], steps, whole, more, strict=True)]
    made = np.zeros((len(images), weight.shape[1] * groups, *sizes))
    inner, outer = len(weight) // groups, weight.shape[1]
    for source in range(len(weight)):
        channels = slice(source // inner * outer, (source // inner + 1) * outer)
        for place in np.ndindex(*images.shape[2:]):
            patch = tuple(slice(p * s, p * s + t, g) for p, s, t, g in zip(place, steps, whole, gaps, strict=True))
            scale = images[:, source, *place].reshape(-1, 1, *[1] * n)
            made[:, channels, *patch] += scale * weight[source]
    made = made[:, :, *(slice(pad, size - pad) for pad, size in zip(pads, sizes, strict=True))]
    made = made + (0 if bias is None else bias.reshape(-1, *[1] * n))
    return made if x.ndim == n + 2 else made[0]


def windows(x: Arrays, starts: Sequence[Sequence[range]], fold: Callable[[Arrays], Arrays]) -> Arrays:
    """Each window, given by its cells along each of the last axes, folded into one cell."""
    n = len(starts)
    made = np.zeros((*x.shape[:-n], *map(len, starts)))
    for place in np.ndindex(*map(len, starts)):
        cells = np.ix_(*(starts[axis][own] for axis, own in enumerate(place)))
        made[..., *place] = fold(x[..., *cells].reshape(*x.shape[:-n], -1))
    return made


def pool(fold: str, n: int) -> Callable[..., Arrays]:
    """F.max_pool and F.avg_pool, with every setting."""

    def pooled(
        x: Arrays, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: Any = None, **_: Any,
    ) -> Arrays:  # fmt: skip
        kernel = axis_numbers(kernel_size, n)
        steps, pads, gaps = axis_numbers(stride or kernel, n), axis_numbers(padding, n), axis_numbers(dilation, n)
        sizes = x.shape[-n:]
        spans = [gap * (k - 1) + 1 for gap, k in zip(gaps, kernel, strict=True)]
        places = []
        for size, k, s, p in zip(sizes, spans, steps, pads, strict=True):
            count = (math.ceil if ceil_mode else math.floor)((size + 2 * p - k) / s) + 1
            places.append(count - (ceil_mode and (count - 1) * s >= size + p))
        made = np.zeros((*x.shape[:-n], *places))
        for place in np.ndindex(*places):
            wanted = [
                range(o * s - p, o * s - p + k, g)
                for o, s, p, k, g in zip(place, steps, pads, spans, gaps, strict=True)
            ]
            real = [[c for c in cells if 0 <= c < size] for cells, size in zip(wanted, sizes, strict=True)]
            cells = x[..., *np.ix_(*real)].reshape(*x.shape[:-n], -1)
            counted = math.prod(min(w.stop, size + p) - w.start for w, size, p in zip(wanted, sizes, pads, strict=True))
            divisor = divisor_override or (counted if count_include_pad else cells.shape[-1])
            made[..., *place] = cells.max(-1) if fold == "max" else cells.sum(-1) / divisor
        return made

    return pooled


def adaptive(fold: str, n: int) -> Callable[..., Arrays]:
    def pooled(x: Arrays, output_size: Any) -> Arrays:
        sizes = [
            own if one is None else one for own, one in zip(x.shape[-n:], axis_numbers(output_size, n), strict=True)
        ]
        starts = [
            [range(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]
            for size, out in zip(x.shape[-n:], sizes, strict=True)
        ]
        return windows(x, starts, lambda cells: cells.max(-1) if fold == "max" else cells.mean(-1))

    return pooled


def weights(old: int, new: int, scale: float | None, mode: str, corners: bool, antialias: bool) -> Arrays:
    """What each old cell, a column, counts for each new one, a row."""
    ratio = (old - 1) / max(new - 1, 1) if corners else 1 / scale if scale else old / new
    made = np.zeros((new, old))
    for row in range(new):
        if mode == "area":
            made[row, row * old // new : -(-(row + 1) * old // new)] = 1 / len(
                range(row * old // new, -(-(row + 1) * old // new))
            )
        elif mode == "nearest":
            made[row, min(int(row * ratio), old - 1)] = 1
        elif mode == "nearest-exact":
            made[row, min(int((row + 0.5) * ratio), old - 1)] = 1
        else:
            middle = row * ratio if corners else (row + 0.5) * ratio - 0.5
            made[row] = spread(old, middle, mode, max(ratio, 1.0) if antialias else 1.0)
    return made


def spread(old: int, middle: float, mode: str, width: float) -> Arrays:
    """The weights of the cells around a point: a tent, or the cubic of Keys (1981) with a = -3/4."""
    made = np.zeros(old)
    if mode == "bicubic":
        for place in range(math.floor(middle) - 1, math.floor(middle) + 3):
            far, a = abs(middle - place), -0.75
            near = (a + 2) * far**3 - (a + 3) * far**2 + 1
            made[min(max(place, 0), old - 1)] += near if far <= 1 else a * far**3 - 5 * a * far**2 + 8 * a * far - 4 * a
        return made
    if width == 1.0:
        middle = max(middle, 0.0)
        first = min(int(middle), old - 1)
        made[first] += 1 - (middle - first)
        made[min(first + 1, old - 1)] += middle - first
        return made
    made = np.maximum(0, 1 - abs(np.arange(old) - middle) / width)
    return made / made.sum()


def interpolate(
    x: Arrays, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None,
    recompute_scale_factor: Any = None, antialias: bool = False,
) -> Arrays:  # fmt: skip
    n = x.ndim - 2
    scales = [None] * n if scale_factor is None else list(axis_numbers(scale_factor, n))
    sizes = (
        axis_numbers(size, n)
        if size is not None
        else [int(own * s) for own, s in zip(x.shape[2:], scales, strict=True)]
    )
    for axis, (new, scale) in enumerate(zip(sizes, scales, strict=True), 2):
        matrix = weights(
            x.shape[axis], new, None if recompute_scale_factor else scale, mode, bool(align_corners), antialias
        )
        x = np.moveaxis(np.moveaxis(x, axis, -1) @ matrix.T, -1, axis)
    return x


def patches(x: Arrays, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Arrays:
    """F.unfold: one convolution for each cell of the kernel, that picks it."""
    images = x if x.ndim == 4 else x[None]
    high, wide = axis_numbers(kernel_size, 2)
    channels = images.shape[1]
    pick = np.eye(channels * high * wide).reshape(-1, channels, high, wide)
    made = convolution(images, pick, None, stride, padding, dilation)
    made = made.reshape(*made.shape[:2], -1)
    return made if x.ndim == 4 else made[0]


def from_patches(
    x: Arrays, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Arrays:
    """F.fold: what takes the patches of an image, transposed."""
    columns = x if x.ndim == 3 else x[None]
    high, wide = axis_numbers(kernel_size, 2)
    shape = (columns.shape[1] // (high * wide), *axis_numbers(output_size, 2))
    units = np.eye(math.prod(shape)).reshape(-1, *shape)
    matrix = patches(units, kernel_size, dilation, padding, stride)
    made = np.einsum("bkl,nkl->bn", columns, matrix).reshape(len(columns), *shape)
    return made if x.ndim == 3 else made[0]


def pixel_shuffle(x: Arrays, upscale_factor: int) -> Arrays:
    r = upscale_factor
    *lead, channels, high, wide = x.shape
    apart = x.reshape(*lead, channels // r**2, r, r, high, wide)
    return np.moveaxis(apart, (-4, -3), (-3, -1)).reshape(*lead, channels // r**2, high * r, wide * r)


def pixel_unshuffle(x: Arrays, downscale_factor: int) -> Arrays:
    r = downscale_factor
    *lead, channels, high, wide = x.shape
    apart = x.reshape(*lead, channels, high // r, r, wide // r, r)
    return np.moveaxis(apart, (-3, -1), (-4, -3)).reshape(*lead, channels * r**2, high // r, wide // r)


SLIDING: dict[str, Callable[..., Any]] = {
    **{f"Conv{n}d": convolution for n in (1, 2, 3)},
    **{f"ConvTranspose{n}d": put_down for n in (1, 2, 3)},
    **{f"{name}Pool{n}d": pool(name.lower(), n) for name in ("Max", "Avg") for n in (1, 2, 3)},
    **{f"Adaptive{name}Pool{n}d": adaptive(name.lower(), n) for name in ("Max", "Avg") for n in (1, 2, 3)},
    "Interpolate": interpolate,
    "Patches": patches,
    "FromPatches": from_patches,
    "PixelShuffle": pixel_shuffle,
    "PixelUnshuffle": pixel_unshuffle,
}
