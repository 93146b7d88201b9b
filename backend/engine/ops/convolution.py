"""Convolutions: a kernel slides over an image; back to the image it goes transposed, and to the kernel as a correlation."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from backend.engine.language.errors import Refusal
from backend.engine.ops.base import Call, Op, Shape

Each = tuple[int, ...]  # one number for each axis that the kernel slides along
BIAS = "{bias} is added at every place, so its gradient sums over the places and the examples."


def each_axis(value: Any, axes: int) -> Each:
    """A setting such as `stride=2` by axis."""
    numbers = tuple(value) if isinstance(value, tuple | list) else (value,)
    return numbers * axes if len(numbers) == 1 else numbers


def short(numbers: Sequence[int]) -> str:
    """One number where it is that of every axis: `2` for `(2, 2)`."""
    return str(numbers[0] if len(set(numbers)) == 1 else tuple(numbers))


def said(**given: Each) -> str:
    """Settings as the keywords of a call, without the usual ones: `, stride=2, padding=(1, 0)`."""
    usual = {"padding": 0, "output_padding": 0}
    shown = {name: numbers for name, numbers in given.items() if set(numbers) != {usual.get(name, 1)}}
    return "".join(f", {name}={short(numbers)}" for name, numbers in shown.items())


def cut_to(wanted: Sequence[int], found: Sequence[int]) -> str:
    """The places of the first `wanted` cells along the last axes, where more were `found`: `[..., :3, :3]`."""
    places = [f":{size}" if size != more else ":" for size, more in zip(wanted, found, strict=True)]
    return "" if set(places) <= {":"} else f"[..., {', '.join(places)}]"


@dataclass(frozen=True)
class Sliding:
    """How a kernel slides over an image, axis by axis; `after` is what is padded at the end beyond `padding`."""

    image: Each
    kernel: Each
    places: Each
    stride: Each
    padding: Each
    dilation: Each
    after: Each

    def back(self, image: str, kernel: str, groups: int = 1) -> str:
        """The call that hands what lies at the places back to the image, through the kernel."""
        ends = [
            (n - 1) * step - 2 * pad + gap * (k - 1) + 1
            for n, step, pad, gap, k in zip(
                self.places, self.stride, self.padding, self.dilation, self.kernel, strict=True
            )
        ]
        more = tuple(max(size - end, 0) for size, end in zip(self.image, ends, strict=True))
        room = tuple(max(step, gap) for step, gap in zip(self.stride, self.dilation, strict=True))
        settings = said(
            stride=self.stride, padding=self.padding, output_padding=more, groups=(groups,), dilation=self.dilation
        )
        assert all(a < b for a, b in zip(more, room, strict=True))
        reached = [max(size, end) for size, end in zip(self.image, ends, strict=True)]
        return f"F.conv_transpose{len(self.image)}d({image}, {kernel}{settings})" + cut_to(self.image, reached)

    def correlated(self, image: str, places: str, groups: int) -> str:
        """The call that slides the places over the image: what meets at each shift is the kernel's gradient.

        Examples are summed over and channels are not, so both change places. A step between places is a gap here.
        """
        if any(self.after):
            ends = [end for pad, more in zip(self.padding, self.after, strict=True) for end in (pad + more, pad)]
            image, padding = f"F.pad({image}, {tuple(reversed(ends))})", (0,) * len(self.padding)
        else:
            padding = self.padding
        found = [
            (n + 2 * pad + more - step * (m - 1) - 1) // gap + 1
            for n, pad, more, step, m, gap in zip(
                self.image, self.padding, self.after, self.stride, self.places, self.dilation, strict=True
            )
        ]
        settings = said(stride=self.dilation, padding=padding, dilation=self.stride, groups=(groups,))
        shifts = f"F.conv{len(self.image)}d({image}, {places}{settings})"
        return f"{shifts}{cut_to(self.kernel, found)}.transpose(0, 1)"


class Sliders(Op):
    """What convolutions share, and those transposed: how many axes the kernel slides along, and their settings."""

    slides: ClassVar[int]
    drawn = "convolution"
    why_not_exact = "autograd's own kernels add the same products in another order"
    seldom_differs = True

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and is_tensor(bound["x"]) and is_tensor(bound["weight"])

    @classmethod
    def multiplications(cls, bound: Mapping[str, Any], out: Shape) -> int:
        return int(math.prod(out) * math.prod(bound["weight"].shape[1:]))

    @classmethod
    def examples_second(cls, call: Call, word: str, shape: Shape, groups: int = 1) -> str:
        """A stack of images with channels first and examples second; groups side by side with the examples."""
        alone = len(shape) == cls.slides + 1
        if groups == 1:
            return f"{word}.unsqueeze(1)" if alone else f"{word}.transpose(0, 1)"
        if alone:
            return f"{word}.unflatten(0, ({groups}, -1)).transpose(0, 1)"
        return f"{word}.unflatten(1, ({groups}, -1)).transpose(0, 2).flatten(1, 2)"

    @classmethod
    def sliding(cls, call: Call, image: Shape, places: Shape) -> Sliding:
        """The settings of a call by axis."""
        n, given = cls.slides, call.parameters
        stride, dilation = each_axis(given["stride"], n), each_axis(given["dilation"], n)
        kernel = call.shapes["weight"][-n:]
        after = (0,) * n
        padding = given["padding"]
        if padding == "same":
            whole = [gap * (size - 1) for gap, size in zip(dilation, kernel, strict=True)]
            padding, after = [total // 2 for total in whole], tuple(total % 2 for total in whole)
        padding = each_axis(0 if padding == "valid" else padding, n)
        return Sliding(image[-n:], kernel, places[-n:], stride, padding, dilation, after)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        axes = tuple(axis for axis in range(len(call.out)) if axis != len(call.out) - cls.slides - 1)
        return {"everywhere": short(axes) if len(axes) == 1 else str(axes)}


class Convolution(Sliders):
    """A kernel slid over an image: each place sums the products of what meets there."""

    backward = {"x": "through_kernel", "weight": "over_the_image", "bias": "g.sum(everywhere)"}
    because = {
        "x": "A cell of {x} feeds every place whose patch it is in; its gradient comes back from them through the same kernel.",
        "weight": "A cell of {weight} is used at every place: its gradient correlates {x} with the upstream gradient.",
        "bias": BIAS,
    }
    does = "{it} slides the kernel {weight} over {x} and sums the products at each place."
    index_formula = "convolution"

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        """Torch doesn't say how many channels there should be, of outlines."""
        x, weight, groups = bound["x"].shape, bound["weight"].shape, bound["groups"]
        if len(x) == len(weight) and isinstance(groups, int) and groups > 0:
            undivided = next((one for one in (x[1], weight[0]) if one % groups), None)
            if undivided is not None:
                raise Refusal("shapes-do-not-fit/divided", name=name, m=undivided, n=groups, at=at)
            if x[1] != weight[1] * groups:
                met = f"{tuple(x)} and {tuple(weight)}"
                raise Refusal("shapes-do-not-fit", name=name, shapes=met, m=x[1], n=weight[1] * groups, at=at)
        if 0 in weight:
            raise Refusal("shapes-do-not-fit/empty", name=name, shape=tuple(weight), at=at)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        x, groups = call.shapes["x"], call.parameters["groups"]
        sliding = cls.sliding(call, x, call.out)
        image, places = cls.examples_second(call, "x", x, groups), cls.examples_second(call, "g", call.out)
        return super().derive(call) | {
            "through_kernel": sliding.back("g", "weight", groups),
            "over_the_image": sliding.correlated(image, places, groups),
        }


class Conv1d(Convolution):
    """A kernel slid along a sequence: each place sums the products of what meets there."""

    slides = 1
    written = (
        "F.conv1d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
        "torch.conv1d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    )
    samples = (
        "(2,2,7) (3,2,3) (3,)", "(2,5) (3,2,2)", "(1,4,8) (4,2,3) stride=2 padding=1 groups=2",
        "(2,2,8) (3,2,2) padding='same' dilation=3", "(4,9) (2,2,2) (2,) stride=3 groups=2",
    )  # fmt: skip


class Conv2d(Convolution):
    """A kernel slid over an image: each place sums the products of what meets there."""

    slides = 2
    written = (
        "F.conv2d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
        "torch.conv2d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    )
    samples = (
        "(2,2,5,4) (3,2,3,2) (3,)", "(2,5,5) (2,2,3,3) padding=1", "(1,2,6,6) (4,1,3,3) stride=2 padding=1 groups=2",
        "(1,1,7,6) (1,1,2,2) stride=(1,2) padding=(1,0) dilation=(2,1)", "(1,1,5,4) (2,1,3,2) padding='same'",
        "(1,1,4,4) (1,1,2,2) padding='valid'",
    )  # fmt: skip


class Conv3d(Convolution):
    """A kernel slid through a volume: each place sums the products of what meets there."""

    slides = 3
    written = (
        "F.conv3d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
        "torch.conv3d(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    )
    samples = "(1,2,3,4,3) (2,2,2,2,2) (2,)", "(2,3,4,4) (2,1,2,3,2) stride=2 padding=1 groups=2"


class Transposed(Sliders):
    """A kernel put down at every place, scaled by what lies there; overlaps add up."""

    backward = {"x": "under_kernel", "weight": "over_the_result", "bias": "g.sum(everywhere)"}
    because = {
        "x": "Each cell of {x} scaled one copy of the kernel; its gradient sums that patch through the same kernel.",
        "weight": "A cell of {weight} is used at every place: its gradient correlates the upstream gradient with {x}.",
        "bias": BIAS,
    }
    does = "{it} puts the kernel {weight} down at each place of {x}, scaled by the cell there, and adds up overlaps."
    index_formula = "transposed convolution"

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        """On outlines torch takes any number of channels, and refuses it only when there are numbers."""
        x, weight = tuple(bound["x"].shape), tuple(bound["weight"].shape)
        channels = x[-cls.slides - 1 : -cls.slides]
        if channels != weight[:1]:
            raise Refusal("shapes-do-not-fit", name=name, shapes=f"{x} and {weight}", at=at)

    @classmethod
    def multiplications(cls, bound: Mapping[str, Any], out: Shape) -> int:
        return int(math.prod(bound["x"].shape) * math.prod(bound["weight"].shape[1:]))

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        x, groups, n = call.shapes["x"], call.parameters["groups"], cls.slides
        sliding = cls.sliding(call, call.out, x)
        image, places = cls.examples_second(call, "g", call.out, groups), cls.examples_second(call, "x", x)
        settings = said(stride=sliding.stride, padding=sliding.padding, dilation=sliding.dilation, groups=(groups,))
        more = each_axis(call.parameters["output_padding"], n)
        reached = [size + extra // step for size, extra, step in zip(x[-n:], more, sliding.stride, strict=True)]
        return super().derive(call) | {
            "under_kernel": f"F.conv{n}d(g, weight{settings})" + cut_to(x[-n:], reached),
            "over_the_result": sliding.correlated(image, places, groups),
        }


class ConvTranspose1d(Transposed):
    """A kernel put down at every place of a sequence, scaled by what lies there; overlaps add up."""

    slides = 1
    written = (
        "F.conv_transpose1d(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
        "torch.conv_transpose1d(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
    )
    samples = (
        "(2,2,4) (2,3,3) (3,) stride=2",
        "(4,5) (4,2,2) groups=2 dilation=2",
        "(1,1,4) (1,1,3) dilation=3 output_padding=2",
    )


class ConvTranspose2d(Transposed):
    """A kernel put down at every place of an image, scaled by what lies there; overlaps add up."""

    slides = 2
    written = (
        "F.conv_transpose2d(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
        "torch.conv_transpose2d(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
    )
    samples = (
        "(2,2,3,3) (2,3,2,2) (3,) stride=2", "(2,4,3) (2,1,3,3) stride=2 padding=1 output_padding=1 groups=2",
        "(1,1,3,3) (1,2,2,3) dilation=2",
    )  # fmt: skip


class ConvTranspose3d(Transposed):
    """A kernel put down at every place of a volume, scaled by what lies there; overlaps add up."""

    slides = 3
    written = (
        "F.conv_transpose3d(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
        "torch.conv_transpose3d(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
    )
    samples = "(1,2,2,3,2) (2,2,2,2,2) (2,) stride=2", "(2,2,2,3) (2,1,2,2,2) groups=2"
