"""The makemore network with BatchNorm in one line and the fused cross-entropy: the same numbers in fewer steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import torch

from backend.program.lessons import makemore_mlp

SOURCE = """\
# Embedding
emb = C[Xb]
embcat = emb.view(emb.shape[0], -1)
# Linear layer
hprebn = embcat @ W1 + b1
# BatchNorm
bnraw = (hprebn - hprebn.mean(0, keepdim=True)) / torch.sqrt(hprebn.var(0, keepdim=True, unbiased=True) + 1e-5)
hpreact = bngain * bnraw + bnbias
# Tanh, linear layer
h = torch.tanh(hpreact)
logits = h @ W2 + b2
# Cross-entropy
loss = F.cross_entropy(logits, Yb)
"""

NARRATION = {
    "bnraw": "BatchNorm in one line: less the mean, divided by the standard deviation of the {examples} examples.",
    "loss": "Softmax, logarithm and mean in one call. It has the same value as when every step is spelled out.",
    "dlogits": (
        "The closed form, `(softmax − one-hot) / n`: {examples} × {letters} numbers in one step in place of eight."
    ),
}


def facts(values: Mapping[str, torch.Tensor], labels: Mapping[str, list[str]]) -> dict[str, str]:
    """The numbers that the narration speaks of, in this run."""
    probs = values["logits"].softmax(1)
    spelled = {**values, "probs": probs, "logprobs": probs.log()}
    return makemore_mlp.facts(spelled, labels)


def _kept() -> dict[str, str]:
    """What the longer lesson tells of the steps that both have."""
    same = ("emb", "embcat", "hprebn", "hpreact", "h", "logits", "dloss", "db1", "dC")
    return {name: makemore_mlp.NARRATION[name] for name in same}


LESSON = replace(
    makemore_mlp.LESSON,
    name="makemore-closed-form",
    title="makemore MLP, closed forms",
    about="The same network with the fused cross-entropy and BatchNorm in one line.",
    source=SOURCE,
    constants={},
    narration=_kept() | NARRATION,
    facts=facts,
)
