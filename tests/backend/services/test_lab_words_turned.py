"""What cards say of gradients that are turned, or too long or too short: true in plain PyTorch."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F

from backend.program.lessons import ROOM
from tests.support.card_claims import Cards, Said, ends, near, zero_rows
from tests.support.exhibit_runs import Named, known, trained

SAID: list[Said] = []
says = Cards(SAID)


@says("mse-column-minus-row", "The best that it can do is the mean of `y`, whatever the input.")
def mean_of_y(_: Named, wrong: Named) -> bool:
    best = known("mse-column-minus-row", 1, {"w": 0 * wrong["w"], "b": wrong["y"].mean().view(1)})
    return near(best["dw"], 0) and near(best["db"], 0) and float(best["loss"]) < float(wrong["loss"])


@says("mse-column-minus-row", "That of `b` is right all the same")
def bias_of_a_square(right: Named, wrong: Named) -> bool:
    assert near(wrong["dpred"], (wrong["pred"] - wrong["y"].mean()) / 3)
    return near(right["db"], wrong["db"])


@says("softmax-twice", "every number is shrunk, hardest where the network is most wrong.")
def shrunk(right: Named, wrong: Named) -> bool:
    a, b = right["dlogits"], wrong["dlogits"]
    p = F.softmax(right["logits"], 1)[range(6), right["y"]]
    kept = (b.norm(dim=1) / a.norm(dim=1))[p.argsort()]
    return bool((b.abs() < a.abs()).all()) and kept.tolist() == sorted(kept.tolist())


@says("softmax-twice", "It learns all the same, only slower.")
def only_slower(right: Named, wrong: Named) -> bool:
    meant, written = (int((one["logits"].argmax(1) == right["y"]).sum()) for one in ends("softmax-twice"))
    assert "the loss stays above {written}`math.log(1 + 4 / math.e) | 2`" in ROOM.exhibits["softmax-twice"].reveal
    assert min(trained("softmax-twice", 1)[0]) > math.log(1 + 4 / math.e)
    return float(wrong["probs"].max()) <= 1 and meant == 6 > written > 3


@says("accumulation-mean-of-means", "Shape and signs of both are right.")
def right_signs(right: Named, wrong: Named) -> bool:
    same = [torch.equal(right[name].sign(), wrong[name].sign()) for name in ("dza", "dzb", "dW")]
    return same == [True, True, False]


@says("reversal-that-never-runs", "The same picture with the colours exchanged, and `dwd` untouched.")
def colours_exchanged(right: Named, wrong: Named) -> bool:
    return (
        near(right["dfeat"], -wrong["dfeat"])
        and near(right["dwd"], wrong["dwd"])
        and near(right["loss"], wrong["loss"])
    )


@says("argmax-in-the-loss", "What is left is the gradient of the cross-entropy alone.")
def cross_entropy_alone(_: Named, wrong: Named) -> bool:
    logits = wrong["logits"].clone().requires_grad_()
    (alone,) = torch.autograd.grad(F.cross_entropy(logits, wrong["y"]), logits)
    return near(alone, wrong["dlogits"])


@says("overwritten-before-backward", "every cell is a square, and no logit ever rises.")
def squares(right: Named, wrong: Named) -> bool:
    assert near(wrong["da"], right["db"] ** 2)
    assert bool((right["da"] < 0).any() and (right["da"] > 0).any())
    return bool((wrong["da"] >= 0).all()) and bool((ends("overwritten-before-backward")[1]["a"] <= wrong["a"]).all())


@says("vq-beta-on-the-wrong-term", "One gradient is too bright and the other too pale, by exactly the same factor.")
def speeds_swapped(right: Named, wrong: Named) -> bool:
    assert near(right["loss"], wrong["loss"] * 1.0)
    return near(wrong["dWe"], 4 * right["dWe"]) and near(4 * wrong["dbook"], right["dbook"])


@says("maximum-of-the-wrong-row", "so column j loses the maximum of row j.")
def turned_columns(right: Named, wrong: Named) -> bool:
    assert near(right["dneg"].sum(1), wrong["dneg"].sum(1))
    return not near(right["dneg"].sum(0), wrong["dneg"].sum(0), 0.01)


@says(
    "divided-by-one-over-root-d",
    "In {written}`(att.max(1).values > 0.99).sum()` of {written}`att.shape[0]` rows the softmax is sure of one token",
)
def sure_from_the_start(right: Named, wrong: Named) -> bool:
    sure = [int((one["att"].amax(1) > 0.99).sum()) for one in (right, wrong)]
    return sure == [0, 4] and len(wrong["att"]) == 5 and bool(wrong["att"].amax(1).min() < 0.5)


@says("kl-that-pulls-nowhere", "What is left is that of log p at a sample.")
def a_sample(_: Named, wrong: Named) -> bool:
    z = wrong["z"].clone().requires_grad_()
    (sampled,) = torch.autograd.grad(F.log_softmax(z, 1)[range(5), wrong["a"]].mean(), z)
    return near(sampled, wrong["dz"])


@says("reinforce-mean-of-logs", "Every action is rewarded with the mean of all rewards.")
def mean_reward(right: Named, wrong: Named) -> bool:
    return near(right["dlogp"], -right["G"]) and near(wrong["dlogp"], -right["G"].mean())


@says("bce-abs-at-zero", "One step later no logit is zero, and they agree.")
def one_step_later(_: Named, wrong: Named) -> bool:
    assert not wrong["x"].any()
    later = {"w": wrong["w"] - 0.5 * wrong["dw"]}
    return near(known("bce-abs-at-zero", 0, later)["dw"], known("bce-abs-at-zero", 1, later)["dw"])


@says("target-not-detached", "`dq` is the same to the bit.")
def same_dq(right: Named, wrong: Named) -> bool:
    return torch.equal(right["dq"], wrong["dq"]) and not near(right["dW"], wrong["dW"], 0.1)


@says("double-shift", "The loss falls all the same: it is right for what is written.")
def shifted_twice(_: Named, wrong: Named) -> bool:
    losses, weights = trained("double-shift", 1)
    assert torch.equal(known("double-shift", 1, weights)["again_y"], wrong["y"][2:])
    return losses[-1] < 0.3 * losses[0]


@says("last-one-wins", "Rows that were picked once are right.")
def picked_once(right: Named, wrong: Named) -> bool:
    return near(right["dC"][1], wrong["dC"][1]) and not near(right["dC"][0], wrong["dC"][0], 1e-3)


@says("counted-again-on-every-visit", "`dxa` itself is right.")
def dxa(right: Named, wrong: Named) -> bool:
    return near(right["dxa"], wrong["dxa"])


@says("mask-times-attention", "No cell of `dscores` is zero")
def no_cell(right: Named, wrong: Named) -> bool:
    future = wrong["keep"] == 0
    return bool((wrong["dscores"] != 0).all()) and bool((right["dscores"][future] == 0).all())


@says(
    "mask-times-attention",
    "the weights that are left shrink where a later score is large.",
)
def by_a_later_score(_: Named, wrong: Named) -> bool:
    """A large key doesn't do it where its score is negative."""
    one = torch.eye(4, dtype=torch.float64)[3]
    left = [(F.softmax(wrong["scores"] + nudge * one, 1) * wrong["keep"]).sum(1)[:3] for nudge in (-1, 0, 1)]
    return bool((left[0] > left[1]).all() and (left[1] > left[2]).all())


@says("grpo-one-over-length", "Per token, a longer answer is punished less.")
def punished_less(_: Named, wrong: Named) -> bool:
    long, short = wrong["dlogp"][0].abs().max(), wrong["dlogp"][1].abs().max()
    return near(short, 4 * long) and near(wrong["dlogp"].sum(1)[0], wrong["dlogp"].sum(1)[1])


@says("penalty-per-pixel", "Each of 16 pixels is pushed towards 1, and the image towards 4.")
def towards_four(_: Named, wrong: Named) -> bool:
    lengths = [one["g"].flatten(1).norm(dim=1) for one in (*ends("penalty-per-pixel"), wrong)]
    assert bool(((lengths[0] - 1).abs() < 0.2).all())
    return bool(((lengths[1] - 4).abs() < (lengths[2] - 4).abs()).all()) and bool((lengths[1] > 2).all())


@says("upstream-forgotten", "With a plain sum as the loss, where that is 1, the test passes.")
def a_plain_sum(right: Named, wrong: Named) -> bool:
    ones = {"g": torch.ones(4, dtype=torch.float64)}
    assert bool((wrong["dx"] > 0).all() and (right["dx"] < 0).any())
    return near(known("upstream-forgotten", 0, ones)["dx"], wrong["dx"])


@says(
    "sigmoid-of-a-sigmoid",
    "An output lies between 0 and 1, where the slope only falls from a quarter to about a fifth.",
)
def never_flat(_: Named, __: Named) -> bool:
    s = torch.sigmoid(torch.linspace(0, 1, 11))
    slopes = s * (1 - s)
    return near(slopes[0], 0.25) and near(slopes[-1], 0.2, 0.005) and bool((slopes.diff() < 0).all())


@says("einsum-dd", "A matrix has become three numbers, and the others never learn.")
def three_numbers(_: Named, wrong: Named) -> bool:
    off = ~torch.eye(3, dtype=torch.bool)
    return not wrong["dA"][off].any() and torch.equal(trained("einsum-dd", 1)[1]["A"][off], wrong["A"][off])


@says("dropout-divides-by-p", "The cells are nine times too large, and the loss squares them")
def nine_times(right: Named, wrong: Named) -> bool:
    return near(wrong["dropped"], 9 * right["dropped"]) and near(wrong["loss"], 81 * right["loss"], 1e-6)


@says("gae-one-slot-late", "`dlogp[1]` has the wrong sign and is the brightest of all")
def brightest(right: Named, wrong: Named) -> bool:
    return bool(right["dlogp"][1] * wrong["dlogp"][1] < 0) and int(wrong["dlogp"].abs().argmax()) == 1


@says("clamp-at-the-bound", "The values are the same.")
def same_values(right: Named, wrong: Named) -> bool:
    return torch.equal(right["quant"], wrong["quant"]) and int((wrong["rounded"] == 7).sum()) == 2


@says("label-smoothing-one-over-k", "The gradient of the right class never becomes zero.")
def never_zero(_: Named, wrong: Named) -> bool:
    end = ends("label-smoothing-one-over-k")[1]
    hot = wrong["y"] == 1
    return bool((wrong["soft"][hot] > 1).all()) and all(bool((one["dlogits"][hot] < 0).all()) for one in (wrong, end))


@says("accumulation-never-divided", "Adam, which divides by the size, would hide it.")
def hidden_by_adam(right: Named, wrong: Named) -> bool:
    moved = []
    for one in (right, wrong):
        W = one["W"].clone()
        optimiser = torch.optim.Adam([W], 0.01)
        for _ in range(20):
            W.grad = one["dW"]
            optimiser.step()
        moved.append(W)
    return near(wrong["dW"], 4 * right["dW"]) and near(moved[0], moved[1], 1e-6)


@says(
    "advantage-square",
    "Each action keeps its own return, and meets every baseline: in place of its own it has their mean.",
)
def the_batch_s_mean(_: Named, wrong: Named) -> bool:
    from_mean = wrong["returns"] - wrong["value"].mean()
    return near(wrong["dlogp_a"], -from_mean / 6)


def test_each_action_of_the_square_has_one_return_and_every_baseline() -> None:
    """What moves `dlogp_a[j]`: of the returns the own one, of the values all of them."""
    start = known("advantage-square", 1)

    def slope(returns: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        logp_a = start["logp_a"].clone().requires_grad_()
        return torch.autograd.grad(-((returns - value) * logp_a).mean(), logp_a, create_graph=True)[0]

    by_return, by_value = torch.autograd.functional.jacobian(slope, (start["returns"], start["value"]))
    assert near(by_return, -torch.eye(6, dtype=torch.float64) / 6)
    assert near(by_value.squeeze(-1), 1 / 36)


@says("kl-the-other-way", "It turns to the nearer hill")
def the_nearer_hill(right: Named, wrong: Named) -> bool:
    assert abs(float(wrong["grid"][wrong["logp"].argmax()])) == 2
    assert float(right["ds"]) * float(wrong["ds"]) > 0
    (_, meant), (_, written) = (trained("kl-the-other-way", side) for side in (0, 1))
    return bool(meant["m"] < 1 < 1.8 < written["m"]) and bool(meant["s"] > 1 > 0 > written["s"])


@says("tied-weights-half-lost", "Only the rows of the letters that came in have one")
def rows_that_came_in(right: Named, wrong: Named) -> bool:
    lit = [row for row in range(7) if row not in zero_rows(wrong["dE"])]
    return lit == sorted(set(wrong["i"].tolist())) and not zero_rows(right["dE"]) and near(right["dW"], wrong["dW"])


@says("ppo-minus-inside-min", "Cells that should be clipped aren’t zero")
def lit_when_clipped(right: Named, wrong: Named) -> bool:
    clipped = right["dlogp"] == 0
    return bool(clipped.any()) and bool((wrong["dlogp"][clipped] != 0).all())


@says("variance-for-deviation", "Too bright, and more so where the variance is large")
def where_it_is_large(right: Named, wrong: Named) -> bool:
    more = (wrong["dlogvar"] / right["dlogvar"])[0]
    return bool(more[1] > more[0] > 1)


@says("kl-averaged-over-the-latent", "The penalty has a hidden factor, and it depends on the size of the latent.")
def hidden_factor(right: Named, wrong: Named) -> bool:
    half = {name: right[name][:, :4] for name in ("mu", "logvar")}
    both = [known("kl-averaged-over-the-latent", side, half)["dmu"] for side in (0, 1)]
    return near(right["dmu"], 8 * wrong["dmu"]) and near(both[0], 4 * both[1])


@says("entropy-with-the-wrong-sign", "The policy becomes more certain, not less.")
def more_certain(_: Named, wrong: Named) -> bool:
    ended = [float(one["entropy"]) for one in ends("entropy-with-the-wrong-sign")]
    return ended[1] < float(wrong["entropy"]) < ended[0]


@says("softmax-over-the-batch", "It learns all the same.")
def learns_all_the_same(right: Named, wrong: Named) -> bool:
    assert near(wrong["dlogits"].sum(0), 0)
    assert near(right["dlogits"].sum(1), 0)
    losses = trained("softmax-over-the-batch", 1)[0]
    return losses[-1] < 0.5 * losses[0]


@says("softmax-diagonal-only", "Adding 1 to all logits changes nothing, so each row must add up to zero.")
def rows_add_up(right: Named, wrong: Named) -> bool:
    return near(right["dz"].sum(1), 0) and not near(wrong["dz"].sum(1), 0, 1e-3)


@says("transpose-forgets-its-half", "One of two shares is left: `(G + G.T) @ x` was meant.")
def both_shares(right: Named, wrong: Named) -> bool:
    G, x = right["G"], right["x"]
    return near(right["dx"], (G + G.T) @ x) and near(wrong["dx"], G.T @ x)


@says("gather-without-its-gradient", "Added up, the two would be the whole gradient, but they are averaged")
def averaged(right: Named, wrong: Named) -> bool:
    return near(right["dW"], 2 * wrong["dW"])


@says("padding-idx-on-a-real-row", "Row 0 gets none, however often it is picked. All other rows are right.")
def row_zero(right: Named, wrong: Named) -> bool:
    return zero_rows(wrong["dR"]) == [0] and near(right["dR"][1:], wrong["dR"][1:]) and bool(right["dR"][0].any())


@says("max-pays-twice", "Either of the two alone would be right, or half for each, but not both.")
def not_both(right: Named, wrong: Named) -> bool:
    return near(right["dx"].sum(), 1) and near(wrong["dx"], torch.tensor([1.0, 1.0, 0.0], dtype=torch.float64))


@says("batchnorm-backward-without-gamma", "Each column is divided by its own γ.")
def divided_by_gamma(right: Named, wrong: Named) -> bool:
    assert near(right["dgamma"], wrong["dgamma"])
    return near(wrong["dx"], right["dx"] / right["gamma"], 1e-4)


@says("border-of-a-grid", "The last cell should be zero, and is the brightest. The values forward are the same.")
def the_last_cell(right: Named, wrong: Named) -> bool:
    assert near(right["val"], wrong["val"])
    return float(right["dpos"][4]) == 0 and int(wrong["dpos"].abs().argmax()) == 4


@says("masked-mean-by-full-length", "The padding is zero, as it should be.")
def dark_padding(_: Named, wrong: Named) -> bool:
    return torch.equal(wrong["dnll"] != 0, wrong["mask"] == 1) and not wrong["dlogits"][wrong["mask"] == 0].any()


@says("focal-times-gamma", "All cells are too bright, and the easy ones by far the most.")
def too_bright(right: Named, wrong: Named) -> bool:
    more = wrong["dz"] / right["dz"]
    return bool((more > 1).all()) and bool(more[:2].min() > 3 * more[2:].max())


@says("distillation-divided-by-the-classes", "The same picture, paler.")
def seventeen(right: Named, wrong: Named) -> bool:
    return near(right["dz"], 17 * wrong["dz"])


@says("ppo-normalised-between-the-gains", "Of two gains with different signs the negative one always wins the min.")
def the_negative_wins(right: Named, wrong: Named) -> bool:
    taken = torch.min(wrong["gain1"], wrong["gain2"])
    differ = wrong["gain1"] * wrong["gain2"] < 0
    assert bool(differ.any())
    dark = (wrong["dlogp"] == 0) & (right["dlogp"] != 0)
    return bool((taken[differ] < 0).all()) and dark.tolist() == [False, False, True, False]


@says("softplus-forgets-beta", "The output is larger than the input, so the line begins too early")
def too_early(right: Named, wrong: Named) -> bool:
    return bool(3 * wrong["loss"] > 1 > 3 * wrong["x"][0]) and near(wrong["dx"], 1.0) and bool(right["dx"] < 1)


@says("four-mistakes-in-one-loss", "`logp_a` is a square, and so is `adv`.")
def two_squares(right: Named, wrong: Named) -> bool:
    return [list(one[name].shape) for one in (right, wrong) for name in ("logp_a", "adv")] == [[4], [4], [4, 4], [4, 4]]


@says("the-clipped-error", "The two largest errors are the two zeros")
def dark_cells(right: Named, wrong: Named) -> bool:
    largest = right["delta"].abs().topk(2).indices.sort().values.tolist()
    return zero_rows(wrong["dq"].unsqueeze(1)) == largest and not zero_rows(right["dq"].unsqueeze(1))


@pytest.mark.parametrize("said", SAID, ids=str)
def test_what_a_card_says_of_a_turned_gradient_is_true(said: Said) -> None:
    said.verify()
