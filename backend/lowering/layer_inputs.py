"""What a missing tensor is that a layer is given first: by the layer's kind, its weights and its settings."""

from __future__ import annotations

from backend.engine.language.values import Parameters
from backend.lowering.first_use import SIDE, B, C, T, decimals, whole
from backend.lowering.values import Instance, Spec, Tensor

# Layers by the number of axes that the places of a picture, a row or a volume have.
PLACES = {"1d": 1, "2d": 2, "3d": 3}


def input_of(layer: Instance) -> Spec | None:
    """A row for what a layer of the library is given; None for one that takes any shape."""
    name, has = layer.of.name, layer.attributes
    places = PLACES.get(name[-2:], 0)
    weights = (has.get(name) for name in ("weight", "weight_v", "weight_orig", "running_mean"))
    weight = next((one for one in weights if isinstance(one, Tensor)), None)
    sizes = weight.shape if isinstance(weight, Tensor) else ()
    if name.startswith("Conv") and sizes:
        axis = 0 if name.startswith("ConvTranspose") else 1
        groups = 1 if axis == 0 else int(has.get("groups", 1))
        return decimals((B, sizes[axis] * groups, *[SIDE] * places))
    if "Norm" in name and places:
        channels = sizes[0] if sizes else C
        return decimals((B, channels) if places == 1 else (B, channels, *[SIDE] * places))
    if name == "GroupNorm":
        return decimals((B, sizes[0] if sizes else C, SIDE, SIDE))
    if places:
        return decimals((B, C, *[SIDE] * places))
    if name in ("Linear", "RMSNorm") and sizes:
        return decimals((B, sizes[-1]))
    if name == "LayerNorm" and sizes:
        return decimals((B, T, *sizes))
    if name == "Embedding" and sizes:
        return whole((B, T), sizes[0])
    return _of_sequence(name, has)


def _of_sequence(name: str, has: Parameters) -> Spec | None:
    """Of recurrent layers and of attention."""
    first = has.get("weight_ih_l0", has.get("weight_ih", has.get("in_proj_weight")))
    if not isinstance(first, Tensor):
        return None
    if name.endswith("Cell"):
        return decimals((B, first.shape[-1]))
    return decimals((B, T, first.shape[-1]) if has.get("batch_first") is True else (T, B, first.shape[-1]))
