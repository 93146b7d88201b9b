"""What cards say of gradients that are zero, broken, missing, leaked or right after all: true in plain PyTorch."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F

from tests.support.card_claims import Cards, Said, nan_rows, near, zero_rows
from tests.support.exhibit_runs import Named, known, trained

SAID: list[Said] = []
says = Cards(SAID)


@says("lora-both-zero", "two zeros in a row keep each other at zero for ever. One of them alone wakes up.")
def two_zeros(_: Named, wrong: Named) -> bool:
    (losses, awake), (_losses, asleep) = (trained("lora-both-zero", side) for side in (0, 1))
    assert float(wrong["loss"]) > 1.1 * losses[-1], "the card says that it is at no minimum"
    return not asleep["A"].any() and not asleep["B"].any() and bool(awake["B"].all())


@says("root-of-zero", "Backward, one row of `dh` is NaN, and one line later all of `dW`.")
def a_root_at_zero(_: Named, wrong: Named) -> bool:
    assert all(wrong[name].isfinite().all() for name in ("h", "length", "loss"))
    return nan_rows(wrong["dh"]) == [0] and bool(wrong["dW"].isnan().all())


@says("bias-summed-over-everything", "though no column of `dlogits` adds up to zero.")
def summed_over_all(right: Named, wrong: Named) -> bool:
    assert near(right["dlogits"].sum(1), 0)
    return near(wrong["db"], 0) and bool((right["dlogits"].sum(0).abs() > 0.01).all())


@says("bias-before-batchnorm", "Adam, which divides by the size of a gradient, moves it all the same.")
def adam_moves_it(_: Named, wrong: Named) -> bool:
    assert near(wrong["db"], 0, 1e-12)
    now = {name: one.float() for name, one in wrong.items() if name in ("W", "b", "gain", "beta", "U")}
    optimiser = torch.optim.Adam(now.values(), 0.01)
    for _step in range(50):
        slopes = known("bias-before-batchnorm", 1, now, torch.float32)
        for name, one in now.items():
            one.grad = slopes[f"d{name}"]
        optimiser.step()
    return bool((now["b"] - wrong["b"].float()).abs().max() > 0.01)


@says("checkpoint-redraws-the-mask", "The zeros of `dh` stand in other places than the zeros of `out`.")
def other_places(right: Named, wrong: Named) -> bool:
    same = torch.equal(right["dh"] == 0, right["out"] == 0)
    return same and not torch.equal(wrong["dh"] == 0, wrong["out"] == 0) and torch.equal(right["loss"], wrong["loss"])


@says(
    "view-instead-of-transpose",
    "In `dlayer_0` a second row isn’t zero, and in `dlayer_1` the row that shouldn’t be is zero.",
)
def dye(right: Named, wrong: Named) -> bool:
    lit = [zero_rows(one[name]) for one in (right, wrong) for name in ("dlayer_0", "dlayer_1")]
    return lit[0] == lit[1] == [1, 2, 3] and lit[2] == [2, 3] and lit[3] == [0, 1, 2, 3]


@says("softmax-over-an-axis-of-one", "All five weights are 1. The gradients of `q` and `Wk` are zero")
def all_ones(_: Named, wrong: Named) -> bool:
    return near(wrong["w"], 1.0) and not wrong["dq"].any() and not wrong["dWk"].any() and not wrong["dscores"].any()


@says("where-trap", "Every value forward is finite.")
def finite_forward(_: Named, wrong: Named) -> bool:
    return all(wrong[name].isfinite().all() for name in ("sq", "root", "out", "loss")) and nan_rows(wrong["dx"]) == [2]


@says("product-with-a-zero", "Three true zeros, and a NaN where the one number should be.")
def a_product(right: Named, wrong: Named) -> bool:
    return (right["dx"] == 0).tolist() == [True, False, True, True] == (wrong["dx"] == 0).tolist() and bool(
        wrong["dx"][1].isnan()
    )


@says("one-row-fully-masked", "The softmax of four times −∞ is NaN.")
def masked_row(_: Named, wrong: Named) -> bool:
    return nan_rows(wrong["att"]) == [0] and not wrong["dout"][0].any() and bool(wrong["dWv"].isnan().all())


@says("mask-after-softmax", "A weight of −∞, a loss of {written}`loss`, and no finite gradient of any parameter.")
def minus_infinity(_: Named, wrong: Named) -> bool:
    assert bool((wrong["att@2"] == -math.inf).any() and wrong["loss"].isinf())
    return not any(wrong[name].isfinite().any() for name in ("dWq", "dWk", "dWv"))


@says("mask-after-softmax", "the loss is infinite, and every parameter’s gradient is NaN.")
def nan_in_the_end(_: Named, wrong: Named) -> bool:
    """On the way there some are infinite."""
    return all(bool(wrong[name].isnan().all()) for name in ("dWq", "dWk", "dWv")) and bool(wrong["dout"].isinf().all())


@says("a-bias-for-every-example", "Such a bias learns each label by heart")
def by_heart(_: Named, wrong: Named) -> bool:
    _losses, weights = trained("a-bias-for-every-example", 1)
    return torch.equal(weights["b"].argmax(1), wrong["y"])


@says("generator-detached", "The discriminator’s own gradient is unharmed.")
def unharmed(right: Named, wrong: Named) -> bool:
    return (
        "dWg" in right
        and "dWg" not in wrong
        and near(right["dwd"], wrong["dwd"])
        and near(right["loss"], wrong["loss"])
    )


@says("teacher-distils-itself", "the student is in no line that the loss depends on.")
def no_student(right: Named, wrong: Named) -> bool:
    assert float(wrong["loss"]) < float(right["loss"])
    return "dWs" not in wrong and "dstudent" not in wrong


@says("log-of-softmax", "The modest row is right")
def modest_row(right: Named, wrong: Named) -> bool:
    return near(right["dlogits"][1], wrong["dlogits"][1]) and nan_rows(wrong["dlogits"]) == [0, 2]


@says("advantages-normalised-over-an-axis-of-one", "What is left is zero in every cell, and so are all gradients.")
def zero_advantages(_: Named, wrong: Named) -> bool:
    return not wrong["adv"].any() and not wrong["dlogits"].any()


@says("advantage-not-detached", "`dWv` isn’t zero. `dWp` is the same to the bit.")
def value_is_lit(right: Named, wrong: Named) -> bool:
    return bool(wrong["dWv"].all()) and "dWv" not in right and torch.equal(right["dWp"], wrong["dWp"])


@says("hardest-negative-is-infinite", "no margin is ever broken, and relu lets nothing back.")
def no_margin(_: Named, wrong: Named) -> bool:
    return bool((wrong["hard"] == math.inf).all()) and not wrong["dza"].any() and not wrong["dzp"].any()


@says("cumprod-with-a-zero", "0 / 0 is NaN, at the cell with the largest gradient of all: {meant}`dx[1]`.")
def the_largest(right: Named, wrong: Named) -> bool:
    others = [0, 2, 3]
    return (
        int(right["dx"].argmax()) == 1
        and bool(wrong["dx"][1].isnan())
        and near(right["dx"][others], wrong["dx"][others])
    )


@says("std-of-a-constant", "The other row is right.")
def the_other_row(right: Named, wrong: Named) -> bool:
    return near(right["dx"][1], wrong["dx"][1]) and nan_rows(wrong["dx"]) == [0] and not right["dx"][0].any()


@says("log-softmax-twice", "so a second `log_softmax` changes nothing. Of a softmax that is not true.")
def once_more(right: Named, _: Named) -> bool:
    once, soft = F.log_softmax(right["logits"], 1), F.softmax(right["logits"], 1)
    return near(F.log_softmax(once, 1), once) and not near(F.softmax(soft, 1), soft, 0.05)


@says("third-path-of-batchnorm", "The deviations add up to zero, so nothing comes back on that path")
def nothing_comes_back(right: Named, _: Named) -> bool:
    return near((right["x"] - right["mean"]).sum(0), 0)


@says("target-of-another-network", "No mistake: the same to the bit.")
def to_the_bit(right: Named, wrong: Named) -> bool:
    return torch.equal(right["dW"], wrong["dW"]) and "dV" in wrong and "dV" not in right


@says("target-of-another-network", "All that differs is a gradient of `V`, which nobody takes.")
def of_nobody(right: Named, wrong: Named) -> bool:
    """Of `V` and of what lies between it and the loss; every gradient that there is as meant is there unchanged."""
    gradients = [name for name in right if name.startswith("d") and name[1:] in right]
    same = all(torch.equal(right[name], wrong[name]) for name in gradients)
    return "dW" in gradients and same and bool(wrong["dV"].any())


@says("mask-and-divide-again", "Dividing by the sum that is left makes the same weights as −∞ before the softmax.")
def the_same_weights(right: Named, wrong: Named) -> bool:
    return near(right["att"], F.softmax(right["masked"], 1)) and near(wrong["att@2"], right["att"])


@says("two-minus-signs-of-an-entropy", "What is called `entropy` here is Σ p log p, without the minus")
def without_the_minus(right: Named, wrong: Named) -> bool:
    return near(right["bonus"], -wrong["entropy"]) and bool(wrong["entropy"] < 0)


@pytest.mark.parametrize("said", SAID, ids=str)
def test_what_a_card_says_of_a_lost_gradient_is_true(said: Said) -> None:
    said.verify()
