"""The makemore network with BatchNorm and cross-entropy as one operation each: the short backward pass."""

from __future__ import annotations

from pathlib import Path

from backend.program.lessons import makemore_mlp
from backend.program.lessons.base import Instead, Lesson, Material

SOURCE = """\
# Embedding
embcat = C[Xb].view(n, -1)
# Linear layer
hprebn = embcat @ W1 + b1
# BatchNorm
hpreact = F.batch_norm(hprebn, None, None, bngain, bnbias, training=True)
# Tanh, linear layer
h = torch.tanh(hpreact)
logits = h @ W2 + b2
# Cross-entropy
loss = F.cross_entropy(logits, Yb)
"""

KEPT = ("hprebn", "h", "logits", "dC")
NARRATION = {
    **{name: makemore_mlp.NARRATION[name] for name in KEPT},
    "embcat": "The rows of the {context} letters in front, side by side: {inputs} numbers for each example.",
    "hpreact": "BatchNorm in one operation. Unlike the small steps, it divides the variance by `n`.",
    "loss": "Softmax and cross-entropy in one operation. A model that knows nothing gets ln {letters} = {blind}.",
    "dlogits": Instead(
        "Probability minus one-hot, over the {examples} examples: one line for what took eight small steps."
    ),
    "dhprebn": Instead(
        "The last line has the three paths of BatchNorm: the direct one, minus that of the mean, minus that of the "
        "variance."
    ),
    "db1": "BatchNorm subtracts the mean again, and with it whatever `b1` added: the true gradient is zero.",
}


HOLDS = {
    **{name: makemore_mlp.HOLDS[name] for name in KEPT},
    "embcat": ("n == Xb.shape[0]", "embcat.shape[1] == W1.shape[0]"),
    "hpreact": (),
    "loss": (makemore_mlp.ALL_LETTERS,),
    "dlogits": ("dlogits == (F.softmax(logits, 1) - F.one_hot(Yb, logits.shape[1])) / Xb.shape[0]",),
    "dhprebn": (),
    "db1": ("db1 == 0",),
}


def material(seed: int, names: Path | None) -> Material:
    """The tensors of the network in small steps; gain and shift without their axis of length 1."""
    made = makemore_mlp.material(seed, names)
    flat = {name: made.tensors[name].view(-1) for name in ("bngain", "bnbias")}
    return Material({**made.tensors, **flat}, made.labels)


LESSON = Lesson(
    name="makemore-closed-form",
    title="makemore in closed form",
    about="The same network with BatchNorm and cross-entropy in one line each.",
    seed=makemore_mlp.LESSON.seed,
    seed_means=makemore_mlp.LESSON.seed_means,
    seed_noun=makemore_mlp.LESSON.seed_noun,
    source=SOURCE,
    constants=makemore_mlp.LESSON.constants,
    roles=makemore_mlp.LESSON.roles,
    dims={**makemore_mlp.LESSON.dims, "bngain": ("hidden unit",), "bnbias": ("hidden unit",)},
    material=material,
    with_word=makemore_mlp.with_word,
    codes=makemore_mlp.LESSON.codes,
    focus=makemore_mlp.LESSON.focus,
    beginning=makemore_mlp.BEGINNING,
    narration=NARRATION,
    holds=HOLDS,
    facts=makemore_mlp.FACTS,
    labels=makemore_mlp.labels,
)
