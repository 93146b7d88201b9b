"""Attention: each query averages the values, weighed by the softmax of its scores with the keys."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from backend.engine.ops.base import Call, Op, Shape, broadcast_shape
from backend.engine.ops.index import is_mask

SPELLED = (
    "F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, "
    "enable_gqa=False)"
)


class Attention(Op):
    """Attention: softmax(q kᵀ / √d) v, with an optional mask (Vaswani et al., 2017)."""

    called = {"query": "q", "key": "k", "value": "v"}
    written = (SPELLED,)
    backward = {"q": "dscores @ k", "k": "dscores.mT @ q", "v": "att.mT @ g", "attn_mask": "dmasked"}
    why_not_exact = "torch's own attention scales its operands first, and adds in another order"
    because = {
        "q": "Queries meet keys in a matrix product: the gradient of the scores goes back through the keys.",
        "k": "Keys meet queries in a matrix product: the gradient of the scores goes back through the queries.",
        "v": "Values are averaged with the attention weights: the gradient goes back with the same weights.",
        "attn_mask": "The mask is added to the scores: their gradient passes unchanged.",
    }
    does = "{it} averages the values {v} with the softmax of the scores of queries and keys."
    others = frozenset({"attn_mask"})
    broadcasts = True
    grouped: ClassVar[bool] = False
    samples: ClassVar[tuple[str, ...]] = (
        "(2,3,4) (2,3,4) (2,3,4)", "(3,4) (5,4) (5,2)", "(2,3,4) (2,3,4) (2,3,4) is_causal=True",
        "(2,3,4) (2,3,4) (2,3,4) scale=0.3", "(3,4) (5,4) (5,2) (3,5)", "(2,3,4) (2,5,4) (2,5,2) (3,5)",
    )  # fmt: skip
    aids = {
        "att": "weights",
        "datt": "g @ v.mT",
        "dmasked": "att * (datt - (att * datt).sum(-1, keepdim=True))",
        "dscores": "dmasked * factor",
    }

    @classmethod
    def accepts(cls, bound: Any, is_tensor: Any) -> bool:
        whole = all(is_tensor(bound[name]) for name in ("q", "k", "v")) and bound["enable_gqa"] is cls.grouped
        return super().accepts(bound, is_tensor) and whole and bound["dropout_p"] == 0.0

    @classmethod
    def multiplications(cls, bound: Any, out: Shape) -> int:
        """Every query and key make a score, a product of rows, and by it each value is weighed."""
        keys, width = bound["k"].shape[-2:]
        return int(math.prod(out[:-1]) * keys * (width + out[-1]))

    @classmethod
    def common_shapes(cls, shapes: dict[str, Shape]) -> dict[str, Shape] | None:
        if min(len(shapes[name]) for name in ("q", "k", "v")) < 2:
            return None
        lead = broadcast_shape(*(shapes[name][:-2] for name in ("q", "k", "v")))
        if lead is None:
            return None
        scores = (*lead, shapes["q"][-2], shapes["k"][-2])
        return {name: scores if name == "attn_mask" else lead + shape[-2:] for name, shape in shapes.items()}

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        width = call.shapes["q"][-1] if "q" in call.shapes else call.shapes.get("k", (1,))[-1]
        scale = call.parameters["scale"]
        factor = "scale" if scale is not None else f"(1 / math.sqrt({width}))"
        scores = f"q @ k.mT * {factor}"
        mask = call.parameters.get("attn_mask")
        if call.parameters["is_causal"]:
            scores = (
                f"({scores}).masked_fill(torch.ones({call.out[-2]}, {call.shapes['k'][-2]}).tril() == 0, -math.inf)"
            )
        elif mask is not None and is_mask(mask):
            scores = f"({scores}).masked_fill(~attn_mask, -math.inf)"
        elif mask is not None or "attn_mask" in call.shapes:
            scores = f"{scores} + attn_mask"
        return {"weights": f"F.softmax({scores}, -1)", "factor": factor}

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        if "attn_mask" in call.shapes or call.parameters["attn_mask"] is not None:
            return []
        words = cls.derive(call)
        scores = [f"scores = q @ k.mT * {words['factor']}"]
        if call.parameters["is_causal"]:
            allowed = f"torch.ones({call.out[-2]}, {call.shapes['k'][-2]}).tril()"
            scores.append(f"masked = scores.masked_fill({allowed} == 0, -math.inf)")
        return [*scores, f"att = F.softmax({'masked' if len(scores) > 1 else 'scores'}, -1)", "out = att @ v"]


class GroupedAttention(Attention):
    """Attention in which several heads of queries share one head of keys and values (Ainslie et al., 2023)."""

    written = Attention.written
    backward = {
        "q": "dscores @ k.repeat_interleave(each, -3)",
        "k": "(dscores.mT @ q).unflatten(-3, (heads, each)).sum(-3)",
        "v": "(att.mT @ g).unflatten(-3, (heads, each)).sum(-3)",
    }
    because = {
        "q": Attention.because["q"],
        "k": "Keys are shared by several heads of queries: the gradients that come back from each of these add up.",
        "v": "Values are shared by several heads of queries: the gradients that come back from each of these add up.",
    }
    broadcasts = False
    grouped = True
    aids = Attention.aids | {"datt": "g @ v.repeat_interleave(each, -3).mT"}
    samples = (
        "(2,4,3,2) (2,2,3,2) (2,2,3,2) enable_gqa=True", "(4,3,2) (2,5,2) (2,5,3) enable_gqa=True attn_mask=mask(3,5) scale=0.4",
        "(4,3,2) (1,3,2) (1,3,2) enable_gqa=True is_causal=True",
    )  # fmt: skip

    @classmethod
    def accepts(cls, bound: Any, is_tensor: Any) -> bool:
        """A mask that is added gets no gradient here, so it must ask for none."""
        asks = getattr(bound["attn_mask"], "needs", False)
        return not asks and super().accepts(bound, is_tensor) and len(bound["q"].shape) > 2

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        heads, each = call.shapes["k"][-3], call.shapes["q"][-3] // call.shapes["k"][-3]
        words = super().derive(call)
        words["weights"] = words["weights"].replace("k.mT", f"k.repeat_interleave({each}, -3).mT")
        return words | {"heads": str(heads), "each": str(each)}

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        return []

    @classmethod
    def opens(cls) -> bool:
        return False
