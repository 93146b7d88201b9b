"""Pooling: each window becomes one cell; its gradient goes back to the winner, or in equal parts to all of the window."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from backend.engine.ops.base import Call, Op, Shape
from backend.engine.ops.convolution import Each, Sliding, each_axis
from backend.engine.ops.resampling import by_matrices


def spread(sizes: Each, over: str = "") -> str:
    """The gradient copied to each cell of its window, where windows lie side by side."""
    axes = range(-len(sizes), 0)
    return (
        "g"
        + "".join(f".repeat_interleave({size}, {axis})" for axis, size in zip(axes, sizes, strict=True) if size > 1)
        + over
    )


class Pool(Op):
    """What pooling shares: how many axes the windows lie along."""

    pooled: ClassVar[int]
    drawn = "pool"

    @classmethod
    def work(cls, bound: Mapping[str, Any], out: Shape) -> int:
        """Each cell looks at a window."""
        return math.prod(out) * math.prod(each_axis(bound.get("kernel_size", 1), cls.pooled))


class MaxPool(Pool):
    """The largest cell of each window, and with `return_indices=True` its place."""

    backward = {
        "x": "torch.zeros_like(x).flatten(first).scatter_add(-1, winners.flatten(first), g.flatten(first)).view(x.shape)"
    }
    because = {
        "x": "Only the largest cell of a window decided the result: it gets the window's gradient, every other gets none."
    }
    does = "{it} takes the largest cell of each window of {x}."
    aids = {"winners": "with_places[1]"}

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        function, size = cls.signatures[0].key, "output_size" if "output_size" in call.parameters else "kernel_size"
        settings = cls.settings(call, ["return_indices"])
        return {"with_places": f"{function}(x, {size}{settings}, return_indices=True)", "first": str(-cls.pooled)}


class MaxPool1d(MaxPool):
    """The largest cell of each window along a sequence."""

    pooled = 1
    index_formula = "max of windows 1"
    backward = {"x": "torch.zeros_like(x).scatter_add(-1, winners, g)"}
    written: ClassVar[tuple[str, ...]] = (
        "F.max_pool1d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
        "torch.max_pool1d(x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False)",
    )
    samples: ClassVar[tuple[str, ...]] = (
        "(2,2,6) kernel_size=2",
        "(2,7) kernel_size=3 stride=2 padding=1 ceil_mode=True",
        "(2,1,8) kernel_size=2 dilation=2 stride=1",
    )


class MaxPool2d(MaxPool):
    """The largest cell of each window of an image."""

    pooled = 2
    index_formula = "max of windows 2"
    written: ClassVar[tuple[str, ...]] = (
        "F.max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
        "torch.max_pool2d(x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False)",
    )
    samples: ClassVar[tuple[str, ...]] = (
        "(2,2,4,6) kernel_size=2",
        "(2,5,5) kernel_size=3 stride=2 padding=1",
        "(1,1,5,4) kernel_size=(2,3) stride=1",
        "(1,2,5,5) kernel_size=2 return_indices=True",
    )


class MaxPool3d(MaxPool):
    """The largest cell of each window of a volume."""

    pooled = 3
    index_formula = "max of windows 3"
    written: ClassVar[tuple[str, ...]] = (
        "F.max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
        "torch.max_pool3d(x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False)",
    )
    samples: ClassVar[tuple[str, ...]] = "(1,2,4,4,2) kernel_size=2", "(2,3,4,4) kernel_size=2 stride=1"


class AdaptiveMaxPool1d(MaxPool1d):
    """The largest cell of each of so many windows along a sequence."""

    written = ("F.adaptive_max_pool1d(x, output_size, return_indices=False)",)
    samples = "(2,2,6) output_size=3", "(2,7) output_size=3", "(2,6) output_size=1"


class AdaptiveMaxPool2d(MaxPool2d):
    """The largest cell of each of so many windows of an image."""

    written = ("F.adaptive_max_pool2d(x, output_size, return_indices=False)",)
    samples = "(2,2,6,4) output_size=2", "(2,2,5,4) output_size=2", "(2,4,5) output_size=(1,3)"


class AdaptiveMaxPool3d(MaxPool3d):
    """The largest cell of each of so many windows of a volume."""

    written = ("F.adaptive_max_pool3d(x, output_size, return_indices=False)",)
    samples = "(1,2,2,4,4) output_size=2", "(1,2,3,4,4) output_size=2", "(2,3,4,4) output_size=(1,2,3)"


class AvgPool(Pool):
    """The mean of each window."""

    backward = {"x": "to_windows"}
    because = {
        "x": "Each cell of a window counts for one part in their number, and the gradients of all its windows add up."
    }
    does = "{it} takes the mean of each window of {x}."
    why_not_exact = "autograd's own kernel divides and adds in another order"

    @classmethod
    def sliding(cls, call: Call) -> Sliding:
        """How the windows lie; `after` is how far the last one hangs over the image's padded end."""
        n, given = cls.pooled, call.parameters
        kernel = each_axis(given["kernel_size"], n)
        stride = each_axis(given["stride"] if given["stride"] not in (None, (), []) else kernel, n)
        padding, image, places = each_axis(given["padding"], n), call.shapes["x"][-n:], call.out[-n:]
        over = zip(image, kernel, places, stride, padding, strict=True)
        after = tuple(max((m - 1) * step + k - (size + 2 * pad), 0) for size, k, m, step, pad in over)
        return Sliding(image, kernel, places, stride, padding, (1,) * n, after)

    @classmethod
    def cells(cls, call: Call, sliding: Sliding) -> str:
        """How many cells each window has: one number, unless some windows lie over an end."""
        given, n = call.parameters, cls.pooled
        if given.get("divisor_override"):
            return "divisor_override"
        padded = any(sliding.padding) and not given["count_include_pad"]
        if not padded and not any(sliding.after):
            return str(math.prod(sliding.kernel))
        before = sliding.padding if padded else (0,) * n
        sizes = (
            sliding.image
            if padded
            else tuple(size + 2 * pad for size, pad in zip(sliding.image, sliding.padding, strict=True))
        )
        ends = [end for pad, more in zip(before, sliding.after, strict=True) for end in (pad + more, pad)]
        ones = f"F.pad(torch.ones(1, 1, {', '.join(map(str, sizes))}), {tuple(reversed(ends))})"
        found = f"F.conv{n}d({ones}, torch.ones(1, 1, {', '.join(map(str, sliding.kernel))}), stride={sliding.stride})"
        return found if len(call.out) == n + 2 else f"{found}[0]"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        sliding = cls.sliding(call)
        share = f"g / {cls.cells(call, sliding)}"
        whole = tuple(m * k for m, k in zip(sliding.places, sliding.kernel, strict=True))
        if sliding.stride == sliding.kernel and whole == sliding.image and not any(sliding.padding):
            return {"to_windows": spread(sliding.kernel, share[1:])}
        alone = len(call.out) == cls.pooled + 1
        images = f"({share}).unsqueeze(1)" if alone else f"({share}).flatten(0, 1).unsqueeze(1)"
        ones = f"torch.ones(1, 1, {', '.join(map(str, sliding.kernel))})"
        return {"to_windows": f"{sliding.back(images, ones)}.view(x.shape)"}


class AvgPool1d(AvgPool):
    """The mean of each window along a sequence."""

    pooled = 1
    index_formula = "mean of windows 1"
    written = (
        "F.avg_pool1d(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)",
        "torch.avg_pool1d(x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True)",
    )
    samples = (
        "(2,2,6) kernel_size=2", "(2,7) kernel_size=3 stride=2 padding=1", "(2,1,6) kernel_size=3 stride=2 ceil_mode=True",
        "(1,2,6) kernel_size=3 stride=2 padding=1 ceil_mode=True count_include_pad=False",
    )  # fmt: skip


class AvgPool2d(AvgPool):
    """The mean of each window of an image."""

    pooled = 2
    index_formula = "mean of windows 2"
    written = (
        "F.avg_pool2d(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)",
    )
    samples = (
        "(2,2,4,6) kernel_size=2", "(2,5,5) kernel_size=3 stride=2 padding=1", "(1,2,5,4) kernel_size=(2,3) stride=1",
        "(1,1,5,5) kernel_size=3 stride=2 padding=1 count_include_pad=False", "(1,1,6,5) kernel_size=3 stride=2 ceil_mode=True",
        "(1,1,4,4) kernel_size=2 divisor_override=3",
    )  # fmt: skip


class AvgPool3d(AvgPool):
    """The mean of each window of a volume."""

    pooled = 3
    index_formula = "mean of windows 3"
    written = (
        "F.avg_pool3d(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)",
    )
    samples = "(1,2,4,4,2) kernel_size=2", "(2,3,4,4) kernel_size=2 stride=1 padding=1 count_include_pad=False"


class AdaptiveAvgPool(AvgPool):
    """The mean of each of so many windows as are asked for."""

    aids = {"deep": "shares_deep", "down": "shares_down", "across": "shares_across"}

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        n = cls.pooled
        pairs = list(zip(call.shapes["x"][-n:], call.out[-n:], strict=True))
        sizes = tuple(size // max(places, 1) for size, places in pairs)
        if all(places == 1 for _, places in pairs):
            return {"to_windows": f"torch.ones_like(x) * (g / {math.prod(sizes)})"}
        if all(size % max(places, 1) == 0 for size, places in pairs):
            return {"to_windows": spread(sizes, f" / {math.prod(sizes)}")}
        return by_matrices(
            "to_windows", [f"F.adaptive_avg_pool1d(torch.eye({size}), {places})" for size, places in pairs]
        )


class AdaptiveAvgPool1d(AdaptiveAvgPool):
    """The mean of each of so many windows along a sequence."""

    pooled = 1
    index_formula = "mean of windows 1"
    aids = {"across": "shares_across"}
    written = "F.adaptive_avg_pool1d(x, output_size)", "torch.adaptive_avg_pool1d(x, output_size)"
    samples = "(2,6) output_size=3", "(2,2,7) output_size=3", "(2,6) output_size=1"


class AdaptiveAvgPool2d(AdaptiveAvgPool):
    """The mean of each of so many windows of an image."""

    pooled = 2
    index_formula = "mean of windows 2"
    aids = {"down": "shares_down", "across": "shares_across"}
    written = ("F.adaptive_avg_pool2d(x, output_size)",)
    samples = (
        "(2,4,6) output_size=(2,3)",
        "(2,2,5,7) output_size=3",
        "(2,4,5) output_size=1",
        "(1,2,4,5) output_size=(None,2)",
    )


class AdaptiveAvgPool3d(AdaptiveAvgPool):
    """The mean of each of so many windows of a volume."""

    pooled = 3
    index_formula = "mean of windows 3"
    written = ("F.adaptive_avg_pool3d(x, output_size)",)
    samples = "(1,2,3,5,4) output_size=2", "(2,2,4,4) output_size=1"
