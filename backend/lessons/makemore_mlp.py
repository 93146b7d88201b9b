"""The chunked makemore network: embedding, batchnorm, tanh and cross-entropy, all spelled out."""

from __future__ import annotations

from pathlib import Path

import torch

from backend.data.dataset import load_dataset
from backend.data.examples import label_examples, minibatch
from backend.lessons.base import Lesson, Material

BATCH, CONTEXT, EMBEDDING, HIDDEN = 32, 3, 10, 64

SOURCE = """\
# Embedding
emb = C[Xb]
embcat = emb.view(emb.shape[0], -1)
# Linear layer
hprebn = embcat @ W1 + b1
# BatchNorm
bnmeani = 1/n*hprebn.sum(0, keepdim=True)
bndiff = hprebn - bnmeani
bndiff2 = bndiff**2
bnvar = 1/(n-1)*(bndiff2).sum(0, keepdim=True)
bnvar_inv = (bnvar + 1e-5)**-0.5
bnraw = bndiff * bnvar_inv
hpreact = bngain * bnraw + bnbias
# Tanh, linear layer
h = torch.tanh(hpreact)
logits = h @ W2 + b2
# Softmax and cross-entropy
logit_maxes = logits.max(1, keepdim=True).values
norm_logits = logits - logit_maxes
counts = norm_logits.exp()
counts_sum = counts.sum(1, keepdims=True)
counts_sum_inv = counts_sum**-1
probs = counts * counts_sum_inv
logprobs = probs.log()
loss = -logprobs[range(n), Yb].mean()
"""

NARRATION = {
    "emb": "Each of the three letters before the one to guess is looked up in the table `C`: ten numbers a letter.",
    "bnmeani": "BatchNorm asks how large each hidden unit is on average over this minibatch.",
    "bnvar": "Dividing by `n-1` and not by `n` is Bessel's correction: the mean was estimated from the same examples.",
    "logit_maxes": "Subtracting the largest logit changes no probability; it only keeps `exp` from overflowing.",
    "counts": "Logits are logarithms of counts: `exp` makes them positive numbers that work like counts of letters.",
    "loss": "The loss looks at one number a row, the log-probability of the letter that really came next.",
    "dlogits": "Each row pulls its right letter up and pushes the others down by their probability: it sums to zero.",
    "dlogit_maxes": "Logits that move together change no probability, so the true gradient here is zero.",
    "db1": "BatchNorm subtracts the mean, and with it whatever `b1` added: the true gradient of this bias is zero.",
    "dC": "A letter that stands in several places of the minibatch has one row in `C`: its gradients add up there.",
}


def material(seed: int, names: Path | None) -> Material:
    """Parameters and one minibatch, drawn one after the other from a generator with this seed."""
    data = load_dataset(names, context=CONTEXT)
    letters = len(data.vocabulary)
    g = torch.Generator().manual_seed(seed)
    tensors = {
        "C": torch.randn((letters, EMBEDDING), generator=g),
        "W1": torch.randn((EMBEDDING * CONTEXT, HIDDEN), generator=g) * (5 / 3) / (EMBEDDING * CONTEXT) ** 0.5,
        "b1": torch.randn(HIDDEN, generator=g) * 0.1,
        "W2": torch.randn((HIDDEN, letters), generator=g) * 0.1,
        "b2": torch.randn(letters, generator=g) * 0.1,
        "bngain": torch.randn((1, HIDDEN), generator=g) * 0.1 + 1.0,
        "bnbias": torch.randn((1, HIDDEN), generator=g) * 0.1,
    }
    tensors["Xb"], tensors["Yb"] = minibatch(data.train.X, data.train.Y, BATCH, g)
    labels = {
        "example": label_examples(tensors["Xb"], tensors["Yb"], data.vocabulary),
        "class": list(data.vocabulary.labels),
        "letter": list(data.vocabulary.labels),
    }
    return Material(tensors, labels)


LESSON = Lesson(
    name="makemore-mlp",
    title="makemore MLP",
    about="A character-level network with every step spelled out: 26 gradients, one by one.",
    seed=2147483647,
    seed_means="the parameters and the minibatch",
    seed_noun="minibatch",
    source=SOURCE,
    constants={"n": BATCH},
    roles={"Xb": "data", "Yb": "target"},
    dims={
        "Xb": ("example", "context letter"),
        "Yb": ("example",),
        "C": ("letter", "embedding dimension"),
        "W1": ("input", "hidden unit"),
        "b1": ("hidden unit",),
        "W2": ("hidden unit", "class"),
        "b2": ("class",),
        "bngain": ("", "hidden unit"),
        "bnbias": ("", "hidden unit"),
    },
    material=material,
    tug_of_war={"logits": "Yb"},
    codes={"Xb": "letter", "Yb": "letter"},
    narration=NARRATION,
)
