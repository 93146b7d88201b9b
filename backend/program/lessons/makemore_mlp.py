"""The chunked makemore network: embedding, batchnorm, tanh and cross-entropy, all spelled out."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from backend.engine.language.errors import Refusal
from backend.engine.language.wording import listed, number_text
from backend.program.data.dataset import Dataset, load_dataset
from backend.program.data.examples import build_examples, label_examples, minibatch
from backend.program.data.vocabulary import BOUNDARY
from backend.program.lessons.base import Fact, Instead, Lesson, Material

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

# By how much less than blind guessing a loss shows that something has been learned.
LEARNED = 0.1
BEGINNING = (
    "A small network learns to continue names: {context} letters in, the next one out. {reading}",
    "For these {examples} examples the loss is {loss}, {compared} than guessing blindly among {letters} letters: "
    "ln {letters} = {blind}.",
)

NARRATION = {
    "emb": (
        "`Xb` has the {context} letters in front, such as “{before}”. Each picks its row of the table `C`: "
        "{dimensions} numbers, the letter's embedding."
    ),
    "embcat": (
        "The {context} letters of an example side by side: {context} × {dimensions} = {inputs} numbers in one row."
    ),
    "hprebn": (
        "{inputs} numbers in for each example, {hidden} hidden units out: every unit is a weighted sum of all {inputs}."
    ),
    "bnmeani": "For each hidden unit, its mean over the {examples} examples: BatchNorm's first statistic.",
    "bndiff": "The mean is taken away, so that every hidden unit now has mean 0 over the {examples} examples.",
    "bndiff2": "Squared distance from the mean, so that both directions count.",
    "bnvar": (
        "The variance, divided by n − 1 instead of n (Bessel's correction). The mean was estimated from "
        "these same {examples} examples."
    ),
    "bnvar_inv": "One over the standard deviation. The small `1e-5` keeps it finite for a unit that hardly varies.",
    "bnraw": (
        "Divided by its deviation, every hidden unit now has mean 0 and variance 1, computed with `n - 1`. "
        "Computed with `n`, the standard deviation is {spread}."
    ),
    "hpreact": (
        "Each hidden unit gets a scale, `bngain`, and a shift, `bnbias`. Both are learned. `hpreact` is short for "
        "hidden pre-activation."
    ),
    "h": "tanh squeezes every number into (−1, 1). Beyond ±0.97 it is almost flat: {saturated}.",
    "logits": "One score for each of the {letters} possible next letters: a weighted sum of all {hidden} hidden units.",
    "logit_maxes": (
        "The largest logit of each example. Subtracting it changes no probability; it only keeps the "
        "exponential from overflowing."
    ),
    "norm_logits": "The largest logit of each example is now 0, and no other is above it.",
    "counts": (
        "Logits are logarithms of counts: the exponential makes them positive numbers that work like counts of letters."
    ),
    "counts_sum": "The total count of each example, by which its counts will be divided.",
    "counts_sum_inv": "One over each total, so that dividing becomes multiplying.",
    "probs": "Each count over its total: {letters} probabilities for each example, which add up to 1.",
    "logprobs": "The logarithm turns probabilities into log-probabilities: 0 for certain, very negative for unlikely.",
    "loss": (
        "Only the log-probability of the letter that really came next counts. The loss is minus the mean of "
        "these {examples}. A model that knows nothing gets ln {letters} = {blind}; this one has {loss}."
    ),
    "dloss": "Now the question for every number: if you nudge it, how much does the loss change?",
    "dlogprobs": Instead(
        "{examples} of these {cells} log-probabilities are in the loss, each with the weight −1/{examples}. "
        "They receive that gradient; every other cell gets zero."
    ),
    "dprobs": Instead(
        "log is steep near zero: its slope is `1 / probs`. The right letter that got p = {lowest} receives a "
        "gradient about {steepest} times the upstream one."
    ),
    "dnorm_logits": (
        "`dnorm_logits` is already the closed form: `(probs - F.one_hot(Yb, {letters})) / n`. It is negative at the "
        "right letter alone: there a higher score lowers the loss."
    ),
    "dlogits": (
        "In one line: `(probs - F.one_hot(Yb, {letters})) / n`. "
        "Each wrong letter is pushed down by its probability over `n`."
    ),
    "dlogit_maxes": (
        "Adding the same number to all logits of a row changes no probability, so the true gradient is zero."
    ),
    "db1": (
        "BatchNorm subtracts the mean again, and with it whatever `b1` added: the true gradient of this bias is zero."
    ),
    "dC": Instead("{repeated}"),
}


MEAN = "bnmeani == hprebn.mean(0, keepdim=True)"
CENTRED = "bndiff == hprebn - hprebn.mean(0, keepdim=True)"
VARIANCE = "bnvar == hprebn.var(0, keepdim=True)"
ALL_EXAMPLES, ALL_LETTERS = "hprebn.shape[0] == Xb.shape[0]", "logits.shape[1] == C.shape[0]"
SHARES, TOTALS = "probs == counts / counts.sum(1, keepdim=True)", "counts_sum == counts.sum(1, keepdim=True)"
PROBABILITIES = ("probs.sum(1) == 1", "probs >= 0")
SOFTMAX, MINUS_ONE_HOT = "probs == F.softmax(logits, 1)", "(probs - F.one_hot(Yb, C.shape[0])) / n"

# What each sentence says of values and gradients, beyond its own line.
HOLDS = {
    "emb": (),
    "embcat": ("embcat == C[Xb].view(Xb.shape[0], -1)", "embcat.shape[1] == W1.shape[0]"),
    "hprebn": ("hprebn.shape[1] == W1.shape[1]",),
    "bnmeani": (MEAN, ALL_EXAMPLES),
    "bndiff": (MEAN, ALL_EXAMPLES),
    "bndiff2": (CENTRED,),
    "bnvar": (VARIANCE, ALL_EXAMPLES, "n == Xb.shape[0]"),
    "bnvar_inv": (VARIANCE,),
    "bnraw": ("bnraw.mean(0) == 0", "bnraw.var(0) > 0.99", "bnraw.var(0) < 1.01", "n == bnraw.shape[0]"),
    "hpreact": ("bngain.shape[0] == 1", "bnbias.shape[0] == 1"),
    "h": (),
    "logits": (ALL_LETTERS, "h.shape[1] == W1.shape[1]"),
    "logit_maxes": ("norm_logits == logits - logit_maxes", SOFTMAX, "dlogit_maxes == 0"),
    "norm_logits": ("norm_logits.max(1).values == 0",),
    "counts": ("counts > 0", SHARES),
    "counts_sum": ("probs == counts / counts_sum",),
    "counts_sum_inv": (TOTALS, "probs == counts * counts_sum_inv"),
    "probs": (SHARES, *PROBABILITIES, ALL_LETTERS),
    "logprobs": PROBABILITIES,
    "loss": ("logprobs.exp().sum(1) == 1", "n == Xb.shape[0]", ALL_LETTERS),
    "dloss": (),
    "dlogprobs": ("dlogprobs == F.one_hot(Yb, logprobs.shape[1]) * (-1 / Xb.shape[0])",),
    "dprobs": ("dprobs == dlogprobs / probs", "dlogprobs[range(Xb.shape[0]), Yb] < 0"),
    "dnorm_logits": (
        f"dnorm_logits == {MINUS_ONE_HOT}",
        "(dnorm_logits < 0) == F.one_hot(Yb, C.shape[0]).bool()",
    ),
    "dlogits": (f"dlogits == {MINUS_ONE_HOT}",),
    "dlogit_maxes": ("dlogit_maxes == 0", SOFTMAX),
    "db1": ("db1 == 0", CENTRED),
    "dC": (),
}


def _lowest(values: Mapping[str, torch.Tensor]) -> float:
    """The lowest probability that a right letter has."""
    probs, right = values["probs"].numpy(), values["Yb"].numpy()
    return float(probs[np.arange(len(probs)), right].min())


# The numbers that the narration speaks of, in this run; in numpy, which takes a third of torch's time for so few.
FACTS: Mapping[str, Fact] = {
    "examples": lambda values, _: str(len(values["Xb"])),
    "context": lambda values, _: str(values["Xb"].shape[1]),
    "letters": lambda values, _: str(len(values["C"])),
    "dimensions": lambda values, _: str(values["C"].shape[1]),
    "inputs": lambda values, _: str(len(values["W1"])),
    "hidden": lambda values, _: str(values["W1"].shape[1]),
    "cells": lambda values, _: str(values["logprobs"].numel()),
    "blind": lambda values, _: f"{math.log(len(values['C'])):.2f}",
    "compared": lambda values, _: (
        "better" if float(values["loss"]) < math.log(len(values["C"])) - LEARNED else "no better"
    ),
    "loss": lambda values, _: f"{float(values['loss']):.2f}",
    "spread": lambda values, _: number_text(float(values["bnraw"].std(unbiased=False)), 2),
    "saturated": lambda values, _: _saturated(values["h"]),
    "lowest": lambda values, _: number_text(_lowest(values), 2),
    "steepest": lambda values, _: number_text(1 / _lowest(values), 2),
    "reading": lambda values, labels: " ".join(
        filter(None, (_reading(labels["example"][in_focus(labels["example"])]), _surprise(values, labels["example"])))
    ),
    "before": lambda _, labels: labels["example"][in_focus(labels["example"])].partition(" → ")[0],
    "repeated": lambda values, labels: _repeated(values["Xb"], labels["letter"]),
}


def in_focus(examples: list[str]) -> int:
    """The example with the most different letters in front, of those that a letter follows: it says most at once.

    Where a minibatch begins with a whole word, it is one of that word's.
    """
    word = whole_word(examples)
    told = [label.partition(" → ") for label in (examples[: len(word) + 1] if word else examples)]
    says = [(after != BOUNDARY, len({*before})) for before, _, after in told]
    return says.index(max(says))


def whole_word(examples: list[str]) -> str:
    """The word whose examples, from its start to its end, are the first ones; empty where they are no word's."""
    word = ""
    for label in examples:
        before, _, after = label.partition(" → ")
        if before != (BOUNDARY * len(before) + word)[-len(before) :]:
            return ""
        if after == BOUNDARY:
            return word
        word += after
    return ""


def _surprise(values: Mapping[str, torch.Tensor], examples: list[str]) -> str:
    """How probable a word is that the minibatch begins with."""
    word = whole_word(examples)
    if not word:
        return ""
    rows = slice(len(word) + 1)
    loss = float(F.cross_entropy(values["logits"][rows], values["Yb"][rows]))
    each = f"Its {len(word)} letters and its end cost {loss:.2f} each on average."
    return f"How surprised is the network by “{word}”? {each}"


def _reading(example: str) -> str:
    """How an example's label is read."""
    dot = BOUNDARY
    before, _, after = example.partition(" → ")
    if not before.strip(dot) or after == dot:
        return f"A dot, “{dot}”, stands for the start or end of a name."
    return f"`{before} → {after}`: after “{before.strip(dot)}” comes “{after}”. Dots mark a name’s ends."


def _saturated(h: torch.Tensor) -> str:
    count = int(np.count_nonzero(np.abs(h.numpy()) > 0.97))
    return f"{count or 'none'} of these {h.numel()} numbers {'lies' if count < 2 else 'lie'} there"


def _repeated(letters: torch.Tensor, names: list[str]) -> str:
    """How often the commonest letter occurs; the sign for no letter only where no letter occurs twice."""
    times = np.bincount(letters.numpy().ravel(), minlength=len(names))
    chosen = int(times[1:].argmax()) + 1 if len(names) > 1 and int(times[1:].max()) > 1 else int(times.argmax())
    count, places = int(times[chosen]), letters.numel()
    if count == 1:
        return f"No letter occurs twice in these {places} places, so each row of `C` has one gradient at most."
    occurs = f"“{names[chosen]}” occurs {count} times in these {places} places"
    return f"{occurs}, so {count} gradients add up in its row of `C`."


def parameters(
    letters: int, g: torch.Generator, context: int = CONTEXT, embedding: int = EMBEDDING, hidden: int = HIDDEN
) -> dict[str, torch.Tensor]:
    """The parameters, drawn one after the other, for a vocabulary of so many letters."""
    inputs = embedding * context
    return {
        "C": torch.randn((letters, embedding), generator=g),
        "W1": torch.randn((inputs, hidden), generator=g) * (5 / 3) / inputs**0.5,
        "b1": torch.randn(hidden, generator=g) * 0.1,
        "W2": torch.randn((hidden, letters), generator=g) * 0.1,
        "b2": torch.randn(letters, generator=g) * 0.1,
        "bngain": torch.randn((1, hidden), generator=g) * 0.1 + 1.0,
        "bnbias": torch.randn((1, hidden), generator=g) * 0.1,
    }


def material(seed: int, names: Path | None) -> Material:
    """Parameters and one minibatch, drawn one after the other from a generator with this seed."""
    data = load_dataset(names, context=CONTEXT)
    g = torch.Generator().manual_seed(seed)
    tensors = parameters(len(data.vocabulary), g)
    tensors["Xb"], tensors["Yb"] = minibatch(data.train.X, data.train.Y, BATCH, g)
    return Material(tensors, _labels(tensors, data))


def with_word(made: Material, text: str, names: Path | None) -> Material:
    """The same minibatch with the examples of a word in the place of its first ones; raises Refusal for its letters."""
    X, Y = made.tensors["Xb"], made.tensors["Yb"]
    context, batch = X.shape[1], len(X)
    data = load_dataset(names, context=context)
    word = unicodedata.normalize("NFC", text).strip().lower()
    letters = set(data.vocabulary.labels) - {BOUNDARY}
    if unknown := [letter for letter in dict.fromkeys(word) if letter not in letters]:
        known = [letter for letter in data.vocabulary.labels if letter != BOUNDARY]
        raise Refusal("word-letters", found=word, letters=listed([f"“{one}”" for one in unknown]), known=_range(known))
    if not 0 < len(word) < batch:
        raise Refusal("word-length", found=word, most=batch - 1)
    own = build_examples([word], data.vocabulary, context)
    tensors = {**made.tensors, "Xb": torch.cat([own.X, X[len(own.X) :]]), "Yb": torch.cat([own.Y, Y[len(own.Y) :]])}
    return Material(tensors, _labels(tensors, data))


def _range(letters: list[str]) -> str:
    """The letters of a word list in few words: "a to z", else how many there are."""
    whole = len(letters) > 1 and "".join(letters) == "".join(map(chr, range(ord(letters[0]), ord(letters[-1]) + 1)))
    return f"“{letters[0]}” to “{letters[-1]}”" if whole else f"{len(letters)} letters"


def labels(tensors: Mapping[str, torch.Tensor], names: Path | None) -> dict[str, list[str]]:
    """Labels for other examples of the same word list; none where one of them isn't in it."""
    data = load_dataset(names, context=CONTEXT)
    given = torch.cat([tensors["Xb"], tensors["Yb"][:, None]], 1)
    places = len(data.vocabulary) ** torch.arange(CONTEXT + 1)
    within = given.shape[1] == len(places) and 0 <= int(given.min()) <= int(given.max()) < len(data.vocabulary)
    there = torch.cat([data.train.X, data.train.Y[:, None]], 1) @ places
    return _labels(tensors, data) if within and bool(torch.isin(given @ places, there).all()) else {}


def _labels(tensors: Mapping[str, torch.Tensor], data: Dataset) -> dict[str, list[str]]:
    letters = list(data.vocabulary.labels)
    examples = label_examples(tensors["Xb"], tensors["Yb"], data.vocabulary)
    return {"example": examples, "class": letters, "letter": letters}


LESSON = Lesson(
    name="makemore-mlp",
    title="makemore MLP",
    about="A character-level network with every step spelled out, from letters to the loss and back.",
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
    with_word=with_word,
    parameters=parameters,
    trained_on="names",
    codes={"Xb": "letter", "Yb": "letter"},
    focus={"example": in_focus},
    beginning=BEGINNING,
    narration=NARRATION,
    holds=HOLDS,
    facts=FACTS,
    labels=labels,
)
