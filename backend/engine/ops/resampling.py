"""Images at another size, and cut into patches: each cell is a weighted sum, and back go the same weights."""

from __future__ import annotations

from collections.abc import Sequence

from backend.engine.ops.base import Call, Op
from backend.engine.ops.stretch import Rearranged

# The mode that does the same along one axis; what has none there is asked for with an axis of length 1 beside it.
ALONE = {
    "nearest": "nearest",
    "nearest-exact": "nearest-exact",
    "area": "area",
    "linear": "linear",
    "bilinear": "linear",
    "trilinear": "linear",
}
# The largest factor up to which a nearest cell is always the one that is copied: beyond, torch's own rounding decides.
COPIED = 16


def by_matrices(word: str, matrices: Sequence[str]) -> dict[str, str]:
    """A rule for what is a matrix product along each of the last axes: the gradient goes back by the same matrices."""
    names = ("deep", "down", "across")[-len(matrices) :]
    rule = {
        1: "g @ across.T",
        2: "down @ g @ across.T",
        3: "torch.einsum('...dhw,xd,yh,zw->...xyz', g, deep, down, across)",
    }[len(matrices)]
    return {word: rule} | {f"shares_{name}": matrix for name, matrix in zip(names, matrices, strict=True)}


class Interpolate(Op):
    """A sequence, image or volume at another size: by its nearest cells, or by weighted sums of those around."""

    written = (
        "F.interpolate(x, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False)",
    )
    backward = {"x": "to_sources"}
    why_not_exact = "autograd's own kernel adds the same parts in another order"
    because = {"x": "Each cell of {out} is a weighted sum of cells of {x}: the gradient goes back by the same weights."}
    does = "{it} gives {x} another size."
    aids = {"deep": "shares_deep", "down": "shares_down", "across": "shares_across"}
    samples = (
        "(2,2,3) scale_factor=2", "(1,2,3,4) scale_factor=2", "(1,2,3,4) size=(5,3)", "(1,2,2,3) size=5 mode='nearest-exact'",
        "(2,2,3) size=5 mode='linear'", "(1,2,3,4) scale_factor=2 mode='bilinear'", "(1,1,3,4) size=(5,6) mode='bilinear' align_corners=True",
        "(1,1,4,5) scale_factor=1.7 mode='bilinear'", "(1,1,4,4) size=(6,3) mode='bicubic'", "(1,1,5,6) size=(3,2) mode='area'",
        "(1,1,6,6) size=(3,4) mode='bilinear' antialias=True", "(1,1,2,3,2) scale_factor=2", "(1,1,2,3,2) size=(3,4,3) mode='trilinear'",
        "(1,1,5,5) scale_factor=(1.5,2.3) mode='bicubic' recompute_scale_factor=True",
    )  # fmt: skip

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        before, after = call.shapes["x"][2:], call.out[2:]
        factors = [new // old if old and new % old == 0 else 0 for old, new in zip(before, after, strict=True)]
        scales, n = call.parameters["scale_factor"], len(before)
        scales = list(scales) if isinstance(scales, tuple | list) else [scales] * n
        asked = [scale in (None, factor) for scale, factor in zip(scales, factors, strict=True)]
        if call.parameters["mode"] == "nearest" and all(0 < factor <= COPIED for factor in factors) and all(asked):
            apart = [str(size) for size in call.shapes["x"][:2]]
            apart += [
                str(size)
                for old, factor in zip(before, factors, strict=True)
                for size in ((old, factor) if factor > 1 else (old,))
            ]
            copies, place = list[int](), 2
            for factor in factors:
                copies += [place + 1] if factor > 1 else []
                place += 1 + (factor > 1)
            summed = f".sum({copies[0] if len(copies) == 1 else tuple(copies)})" if copies else ""
            return {"to_sources": f"g.view({', '.join(apart)}){summed}" if copies else "g"}
        return by_matrices("to_sources", [cls.matrix(call, *one) for one in zip(before, after, scales, strict=True)])

    @classmethod
    def matrix(cls, call: Call, old: int, new: int, scale: float | None) -> str:
        """What each old cell, a row, counts for each new one, a column: an identity matrix at the new size."""
        given, mode = call.parameters, call.parameters["mode"]
        size = (
            f"scale_factor={{}}{scale}"
            if scale is not None and not given["recompute_scale_factor"]
            else f"size={{}}{new}"
        )
        settings = ", mode='{}'" + (", align_corners=True" if given["align_corners"] else "")
        if mode in ALONE and not given["antialias"]:
            size, settings = size.format(""), settings.format(ALONE[mode])
            return f"F.interpolate(torch.eye({old})[None], {size}{settings})[0]"
        beside = f"{size.format('(1, ')})"
        settings = settings.format(mode) + (", antialias=True" if given["antialias"] else "")
        return f"F.interpolate(torch.eye({old})[None, :, None], {beside}{settings})[0, :, 0]"


class Patches(Op):
    """The patches of an image under a sliding window, each a column of its cells."""

    written = ("F.unfold(x, kernel_size, dilation=1, padding=0, stride=1)",)
    backward = {"x": "F.fold(g, size, kernel_size, dilation, padding, stride)"}
    because = {"x": "A cell of {x} was copied into every patch that it lies in; the gradients of its copies add up."}
    does = "{it} cuts {x} into the patches under a sliding window, each a column."
    samples = (
        "(2,2,4,3) kernel_size=2",
        "(1,5,5) kernel_size=(3,2) stride=2 padding=1",
        "(1,1,6,5) kernel_size=2 dilation=2",
    )

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"size": str(call.shapes["x"][-2:])}


class FromPatches(Op):
    """An image put together from its patches; where they overlap, cells add up."""

    written = ("F.fold(x, output_size, kernel_size, dilation=1, padding=0, stride=1)",)
    backward = {"x": "F.unfold(g, kernel_size, dilation, padding, stride)"}
    because = {"x": "Each cell of a patch was added at one place of {out}; it gets the gradient of that place."}
    does = "{it} puts the patches in {x} back into an image; overlaps add up."
    samples = "(2,8,6) output_size=(4,3) kernel_size=2", "(4,9) output_size=(5,4) kernel_size=2 stride=2 padding=1"


class PixelShuffle(Rearranged):
    """Channels laid out as pixels: each square of new pixels comes from so many channels."""

    written = "F.pixel_shuffle(x, upscale_factor)", "torch.pixel_shuffle(x, upscale_factor)"
    backward = {"x": "F.pixel_unshuffle(g, upscale_factor)"}
    because = {"x": "Channels became pixels going forward; in the gradient they become channels again."}
    does = "{it} lays channels of {x} out as pixels."
    samples = "(1,8,2,3) upscale_factor=2", "(9,1,2) upscale_factor=3"


class PixelUnshuffle(Rearranged):
    """Pixels laid out as channels: each square of pixels becomes so many channels."""

    written = "F.pixel_unshuffle(x, downscale_factor)", "torch.pixel_unshuffle(x, downscale_factor)"
    backward = {"x": "F.pixel_shuffle(g, downscale_factor)"}
    because = {"x": "Pixels became channels going forward; in the gradient they become pixels again."}
    does = "{it} lays pixels of {x} out as channels."
    samples = "(1,2,4,6) downscale_factor=2", "(1,3,6) downscale_factor=3"
