"""What the course's sources teach in passing, and a chapter in a sentence, is true: computed here in plain PyTorch."""

from __future__ import annotations

from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F

from backend.course.numbers import number_of
from backend.pipeline import run_of
from backend.program.data.dataset import load_dataset
from backend.training.data import names
from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)


@claims("train-by-hand", "with eight tenths of the names in the first, and a tenth in each of the others.")
def the_splits_of_train() -> bool:
    sizes = [len(split.Y) for split in names(None, 3).splits]
    return [round(10 * size / sum(sizes)) for size in sizes] == [8, 1, 1]


@claims("train-by-hand", "A name gives as many examples as it has letters, and one more for its end.")
def an_example_for_each_letter_and_the_end() -> bool:
    words = load_dataset(None, 3).words
    return sum(len(split.Y) for split in names(None, 3).splits) == sum(len(word) + 1 for word in words)


PARAMETERS = "784*1024 + 1024 + 2*(1024*1024 + 1024) + 1024*10 + 10"


@claims("relu-classifier", f"answer: {{value}}`{PARAMETERS}`")
def parameters_of_the_lecture_s_classifier() -> bool:
    sizes = [784, 1024, 1024, 1024, 10]
    layers = torch.nn.Sequential(*(torch.nn.Linear(*pair, device="meta") for pair in pairwise(sizes)))
    told = number_of(run_of({"lesson": "relu-classifier"}), PARAMETERS)
    return told == f"{sum(one.numel() for one in layers.parameters()):,}" == "2,913,290"


@claims("elementwise", "For `e` that logarithm is 1, which is why exp is its own slope.")
def another_base() -> bool:
    known = walked("elementwise.base", True)
    x = known["x"].clone().requires_grad_()
    slope = torch.autograd.grad((2.0**x * known["G"]).sum(), x)[0]
    nudged = ((2.0 ** (known["x"] + 1e-6) - 2.0 ** (known["x"] - 1e-6)) / 2e-6) * known["G"]
    return near(known["dx"], slope, 1e-12) and near(known["dx"], nudged, 1e-6)


@claims("softmax-cross-entropy", "Its table of local derivatives is `I − 1 sᵀ`")
def table_of_log_softmax() -> bool:
    logits = walked("softmax-cross-entropy.logsoftmax", True)["logits"][0]
    table = torch.autograd.functional.jacobian(lambda x: F.log_softmax(x, 0), logits)
    return near(table, torch.eye(3) - torch.ones(3, 1) * F.softmax(logits, 0), 1e-12)


@claims("makemore-mlp", "Of the cells of each row a single one is negative: its right letter.")
def one_negative_cell() -> bool:
    known = walked("makemore-mlp")
    return bool(((known["dlogits"] < 0) == F.one_hot(known["Yb"], 27).bool()).all())


@claims("jacobians", "After a `stack`, each part takes one index of the new axis.")
def backward_of_a_stack() -> bool:
    a, b = torch.zeros(3, requires_grad=True), torch.zeros(3, requires_grad=True)
    upstream = torch.arange(6.0).view(2, 3)
    parts = torch.autograd.grad(torch.stack([a, b]), (a, b), upstream)
    return all(torch.equal(part, row) for part, row in zip(parts, upstream, strict=True))


@claims("relu-classifier", "PyTorch divides by the norm plus `1e-6`, which is safe for a norm of zero, too.")
def clipping_in_pytorch() -> bool:
    weights = torch.zeros(4, requires_grad=True)
    for size in (0.0, 2.0, 1e-3):
        weights.grad = torch.full((4,), size)
        norm = float(torch.nn.utils.clip_grad_norm_([weights], 1e-3))
        assert near(weights.grad, size * min(1.0, 1e-3 / (norm + 1e-6)), 1e-9)
    return True


@claims("relu-classifier", "A small nudge doesn't change that count, so it has no slope to follow.")
def accuracy_is_flat() -> bool:
    known = walked("relu-classifier")
    best = known["logits"].topk(2, 1).values
    return bool((best[:, 0] - best[:, 1]).min() > 1e-5)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_is_said_in_passing_is_true(claim: Claim) -> None:
    claim.verify()
