"""What the chapters claim in words is true: a sentence of each beside the numbers that it speaks of."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from backend.inspect.closed_forms.derivation import derivation
from backend.pipeline import run_of
from tests.support.chapter_claims import Claim, Claims, flat_share, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)


@claims(
    "softmax-cross-entropy", "You can derive the gradient of softmax and cross-entropy in ten small steps, or in one"
)
def ten_steps() -> bool:
    return derivation({"walk": {"lesson": "softmax-cross-entropy"}, "tensor": "logits"})["collapses"] == 10


@claims("elementwise", "At zero itself there is a kink; PyTorch takes 0 there.")
def relu_at_zero() -> bool:
    zero = torch.zeros((), requires_grad=True)
    return bool(torch.autograd.grad(F.relu(zero), zero)[0] == 0)


@claims("elementwise", "Ten layers of them leave less than a millionth, unless the weights make up for it.")
def sigmoids() -> bool:
    steepest = torch.sigmoid(torch.tensor(0.0)) ** 2
    return bool(steepest**10 < 1e-6)


@claims("elementwise", "The last column of `dW` is zero, too.")
def dead_unit() -> bool:
    known = walked("elementwise.dead")
    return not known["h"][:, 2].any() and not known["dW"][:, 2].any() and bool(known["dW"][:, :2].any())


@claims("elementwise", "Now the sums have size about 1 again.")
def initial_scale() -> bool:
    wide, scaled = walked("elementwise.wide"), walked("elementwise.scaled")
    inputs = wide["X"].shape[1]
    assert near(scaled["W"], wide["W"] * inputs**-0.5, 1e-4)
    return bool((wide["X"] @ wide["W"]).std() > 3) and 0.7 < float((scaled["X"] @ scaled["W"]).std()) < 1.4


@claims("elementwise", "Three of the six cells are shut here, and their gradient is exactly {value}`relu: du[0]`.")
def shut_cells() -> bool:
    return int((walked("elementwise.relu")["du"] == 0).sum()) == 3


@claims("elementwise", "Gradient descent can hardly move it back.")
def saturated_cells_still_move() -> bool:
    du = walked("elementwise")["du"]
    return bool(du[[0, 5]].all()) and bool((du[[0, 5]].abs() < 0.01 * du.abs().max()).all())


@claims("elementwise", "Most cells are flat. The slider scales `W`. ::: Divide the weights by the square root")
def flat_cells_of_both() -> bool:
    wide, scaled = (flat_share(f"elementwise.{name}", "h") for name in ("wide", "scaled"))
    return wide > 0.6 and scaled < 0.05


@claims("softmax-cross-entropy", "in float32, the exponential of 89 is already infinite.")
def overflow() -> bool:
    return torch.tensor([88.0, 89.0]).exp().isinf().tolist() == [False, True]


@claims(
    "softmax-cross-entropy", "Each row of the table sums to zero: raise all logits alike, and no probability moves."
)
def softmax_jacobian() -> bool:
    s = walked("softmax-cross-entropy.softmax", True)["probs"][0]
    table = torch.autograd.functional.jacobian(lambda x: F.softmax(x, 0), s.log())
    return near(table.sum(0), 0.0, 1e-12) and near(table.sum(1), 0.0, 1e-12) and near(table, s.diag() - s.outer(s))


@claims("softmax-cross-entropy", "The numbers cancel; their rounding errors don't.")
def residue() -> bool:
    rough, fine = (
        float(walked("softmax-cross-entropy", precise)["dlogit_maxes"].abs().max()) for precise in (False, True)
    )
    return 1e-8 < rough < 1e-7 and fine < 1e-15


@claims("softmax-cross-entropy", "Later, in {lesson}`makemore-mlp`, you will meet a few billionths.")
def smaller_residue() -> bool:
    return 1e-9 < float(walked("makemore-mlp")["dlogit_maxes"].abs().max()) < 1e-8


@claims("softmax-cross-entropy", "The largest logit alone receives the residue.")
def where_the_residue_goes() -> bool:
    known = walked("softmax-cross-entropy")
    moved = (known["dlogits"] != known["dnorm_logits"])[0]
    return not moved[1:].any() and int(known["logits"].argmax()) == 0


@claims("batchnorm", "In training it divides by `n`; for evaluation it keeps a running variance divided by `n - 1`.")
def two_variances() -> bool:
    x = walked("batchnorm.biased")["h"]
    layer = torch.nn.BatchNorm1d(x.shape[1], momentum=1.0)
    assert near(layer(x), (x - x.mean(0)) / (x.var(0, unbiased=False) + 1e-5).sqrt())
    return near(torch.as_tensor(layer.running_var), x.var(0, unbiased=True), 1e-5)


@claims("batchnorm", "with 32 of them it is less than two percent.")
def small_mismatch() -> bool:
    return 0.98 < (31 / 32) ** 0.5 < 1


@claims("batchnorm", "In column 0 it is 1, so nothing changes there")
def unscaled_column() -> bool:
    known = walked("batchnorm")
    return bool(torch.equal(known["dbnraw"][:, 0], known["dhpreact"][:, 0]))


@claims("batchnorm", "Nine lines collapse into one.")
def nine_lines() -> bool:
    lines = [line.code for line in run_of({"lesson": "batchnorm"}).plan.lines]
    between = lines[lines.index("dhpreact = dloss * G") + 1 :]
    return sum(line.startswith(("dbnraw", "dbndiff", "dbnvar", "dbnmeani", "dhprebn")) for line in between) == 9


@claims("batchnorm", "The variance contributes nothing to this sum")
def variance_and_mean() -> bool:
    known = walked("batchnorm", True)
    return near((2 * known["bndiff"] * known["dbndiff2"]).sum(0), 0.0, 1e-12)


@claims("batchnorm", "So the gradient has (nearly) no part along `bnraw` either.")
def no_part_along() -> bool:
    known = walked("batchnorm", True)
    along = (known["dhprebn"] * known["bnraw"]).sum(0)
    return near(along, 0.0, 1e-4) and bool(along.any()) and near(known["dhprebn"].sum(0), 0.0, 1e-12)


@claims("batchnorm", "Add up a column of `dhprebn`. What comes out, in every column?")
def columns_that_cancel() -> bool:
    gradient = walked("batchnorm", True)["dhprebn"]
    return near(gradient.sum(0), 0.0, 1e-12) and bool((gradient.abs().max(0).values > 0.1).all())


@claims("batchnorm", "how far from zero are the values at evaluation, compared with those in training?")
def closer_to_zero() -> bool:
    known = walked("batchnorm.biased")
    return bool((known["evaluation"].abs() < known["training"].abs()).all())


@claims("batchnorm", "Drag it far out. Its own output rises, but only up to a limit")
def limit() -> bool:
    column = walked("batchnorm", True)["hprebn"][:, 0].clone()
    outputs = []
    for value in (5.0, 50.0, 5e5):
        column[3] = value
        outputs.append(float((column - column.mean())[3] / column.std()))
    return outputs == sorted(outputs) and abs(outputs[-1] - 3 / 2) < 1e-3


@claims("embedding", "Rows 3 and 4 receive nothing.")
def absent_rows() -> bool:
    used = walked("embedding")["dC"].any(1).tolist()
    return used == [True, True, True, False, False]


@claims("makemore-mlp", "their gradient shrinks to less than a tenth.")
def saturated() -> bool:
    return 1 - 0.97**2 < 0.1


@claims("makemore-mlp", "The flattest of these cells, and the units they are in.")
def flattest() -> bool:
    beyond = float((walked("makemore-mlp")["h"].abs() > 0.97).double().mean())
    return 0 < flat_share("makemore-mlp", "h") < beyond


@claims("makemore-mlp", "For each letter: how much too probable it was, on average.")
def bias_gradient() -> bool:
    known = walked("makemore-mlp", True)
    share = F.one_hot(known["Yb"], known["probs"].shape[1]).double().mean(0)
    return near(known["db2"], known["probs"].mean(0) - share, 1e-12)


@claims("makemore-closed-form", "In float64 the two come out several hundred million times closer.")
def closer_in_float64() -> bool:
    def apart(precise: bool) -> float:
        known = walked("makemore-mlp", precise)
        closed = (known["probs"] - F.one_hot(known["Yb"], known["probs"].shape[1])) / known["n"]
        return float((known["dlogits"] - closed).abs().max())

    return 2e8 < apart(False) / apart(True) < 1e9


@claims("makemore-closed-form", "the normalised values differ by about half of one part in {value}`n`")
def half_a_part() -> bool:
    n = walked("makemore-closed-form")["n"]
    return abs((n / (n - 1)) ** 0.5 - 1 - 1 / (2 * n)) < 1e-3


@claims("relu-classifier", "Without it, every layer would make its numbers smaller than the one before.")
def half_of_the_mean_square() -> bool:
    g = torch.Generator().manual_seed(1)
    x, W = torch.randn((2000, 100), generator=g), torch.randn((100, 100), generator=g) * 100**-0.5
    first = F.relu(x @ W)
    return 0.4 < float((first**2).mean() / (x**2).mean()) < 0.6


@claims("ways-to-step", "Beyond 2/20 this is below")
def too_large_a_rate() -> bool:
    return abs(1 - 20 * 0.09) < 1 < abs(1 - 20 * 0.11)


@claims("ways-to-step", "The first step is as long as the learning rate, in each number.")
def adam_first() -> bool:
    known = walked("ways-to-step.adam")
    return near((known["p"] - known["p_2"]).abs(), float(known["lr"]), 1e-5)


@claims("ways-to-step", "The first step is equally long for both")
def rmsprop_first() -> bool:
    step = (lambda known: (known["p"] - known["p_2"]).abs())(walked("ways-to-step.rmsprop"))
    return near(step[0], step[1], 1e-5)


@claims("attention", "Row 0 keeps one score, row 3 keeps all four.")
def kept_scores() -> bool:
    return walked("attention")["masked"].isfinite().sum(1).tolist() == [1, 2, 3, 4]


@claims("attention", "The upper triangle is exactly zero.")
def nothing_from_the_future() -> bool:
    known = walked("attention")
    upper = known["mask"] == 0
    return not known["dscores"][upper].any() and not known["att"][upper].any() and near(known["dmasked"].sum(1), 0.0)


@claims("attention", "One weight of the queries changes all rows of attention but the first.")
def rows_that_move() -> bool:
    known = walked("attention")
    Wq = known["Wq"].clone()
    Wq[0, 0] += 1.0
    scores = (known["n1"] @ Wq @ known["k"].T / 3**0.5).masked_fill(known["mask"] == 0, float("-inf"))
    return (F.softmax(scores, 1) != known["att"]).any(1).tolist() == [False, True, True, True]


@claims("attention", "Add the same number to a whole row, and layer norm takes it away again.")
def which_sums_are_zero() -> bool:
    rows, columns = walked("attention.layer", True)["dx"], walked("attention.batch", True)["dx"]
    assert not near(rows.sum(0), 0.0, 1e-3)
    assert not near(columns.sum(1), 0.0, 1e-3)
    return near(rows.sum(1), 0.0, 1e-12) and near(columns.sum(0), 0.0, 1e-12)


@claims("through-time", "The state before was zero, so it adds nothing.")
def first_time_step() -> bool:
    return not walked("through-time")["h"].any()


@claims("through-time", "After twelve steps it is the twelfth power.")
def twelfth_power() -> bool:
    known = walked("through-time.explode", True)
    power = torch.linalg.matrix_power(known["W"].T, 12)
    return near(known["dh"], torch.ones((1, 2), dtype=torch.float64) @ power) and float(known["W"].max()) <= 1


@claims("through-time", "with the matrix that exploded, the gradient now **vanishes**.")
def held_back() -> bool:
    return bool(walked("through-time.tanh")["dh"].abs().max() < 0.01 < 1 < walked("through-time.explode")["dh"].min())


@claims("train-by-hand", "A batch of one has no variance: it would divide zero by zero.")
def batch_of_one() -> bool:
    return bool((torch.zeros(1, 2).sum(0) / torch.zeros(2)).isnan().all())


@claims("train-by-hand", "which is 1 only on average.")
def noisy_examples() -> bool:
    return near(walked("train-by-hand.noisy")["y"].mean(), 1.0)


@claims("train-by-hand", "To first order it is the learning rate times the squared norm of the gradient")
def gained() -> bool:
    names, rate = ("C", "W1", "bngain", "bnbias", "W2", "b2"), 1e-4
    known = walked("train-by-hand", True)
    stepped = {name: known[name] - rate * known[f"d{name}"] for name in names}
    hprebn = stepped["C"][known["Xb"]].view(known["n"], -1) @ stepped["W1"]
    bnraw = (hprebn - hprebn.mean(0)) * (hprebn.var(0) + 1e-5) ** -0.5
    h = torch.tanh(stepped["bngain"] * bnraw + stepped["bnbias"])
    after = F.cross_entropy(h @ stepped["W2"] + stepped["b2"], known["Yb"])
    promised = rate * sum(float((known[f"d{name}"] ** 2).sum()) for name in names)
    return abs(float(known["loss"] - after) / promised - 1) < 1e-2


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_of_a_chapter_is_true(claim: Claim) -> None:
    claim.verify()
