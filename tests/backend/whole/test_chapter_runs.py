"""What the chapters claim of two runs, scales or shapes is true: each is run here, in plain PyTorch wherever that goes."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F

import backend
from backend.engine.language.errors import Refusal
from backend.pipeline import run_of
from tests.support.chapter_claims import Claim, Claims, flat_share, near, walked
from tests.support.plain_training import NAMES, final_loss, forward, fresh, gradients, training_split

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
SEEDS = (0, 1)


def powers(W: torch.Tensor, steps: int) -> list[float]:
    """The norm of a row of ones after each of so many steps back through a matrix, over its own."""
    row = torch.ones((1, len(W)), dtype=torch.float64)
    return [float((row @ torch.linalg.matrix_power(W.double().T, n)).norm() / row.norm()) for n in range(steps + 1)]


@claims("broadcasting", "Written in place, as `b -= 0.1 * db`, it can't: PyTorch raises an error.")
def updates_in_place() -> bool:
    b, db = torch.zeros(4, 1), torch.zeros(4)
    assert (b - 0.1 * db).shape == (4, 4)
    with pytest.raises(RuntimeError, match="doesn't match"):
        b -= 0.1 * db
    return True


@claims("elementwise", "Drag it towards zero and see the slope grow.")
def slope_of_the_logarithm() -> bool:
    p = torch.tensor([0.01, 0.5], requires_grad=True)
    slopes = torch.autograd.grad(p.log().sum(), p)[0].tolist()
    return float(walked("elementwise.log")["p"][2]) == 0.5 and slopes[0] == pytest.approx(50 * slopes[1])


@claims("elementwise", "So the last example is the first to come through")
def waking_a_dead_unit() -> bool:
    known = walked("elementwise.dead")
    sums = (known["X"] @ known["W"])[:, 2]
    W = known["W"].clone().requires_grad_()
    b = torch.tensor([0.5, 1.0, 1 - float(sums.max())])
    slope = torch.autograd.grad((F.relu(known["X"] @ W + b) * known["G"]).sum(), W)[0][:, 2]
    assert int(sums.argmax()) == 3
    assert sums.sort().values[2] + b[2] < 0
    return bool(slope.all()) and torch.equal(slope, known["X"][3] * known["G"][3, 2])


@claims("first-steps", "Only `dx` changes: it is the new number. `dy` and `dz` stay 1")
def another_number() -> bool:
    for number in (3.0, 7.0):
        x = torch.tensor(2.0, requires_grad=True)
        y = x * number
        z = y + 1
        assert [float(one) for one in torch.autograd.grad(z, (x, y, z))] == [number, 1.0, 1.0]
    return True


@claims("linear-layer", "only row `i` of `da` and column `j` of `db` are.")
def one_cell_of_the_loss() -> bool:
    known = walked("linear-layer")
    a, b = (known[name].clone().requires_grad_() for name in "ab")
    G = torch.zeros_like(known["G"])
    G[1, 2] = 5.0
    da, db = torch.autograd.grad(((a @ b + known["c"]) * G).sum(), (a, b))
    return da.any(1).tolist() == [False, True, False] and db.any(0).tolist() == [False, False, True]


@claims("softmax-cross-entropy", "Each probability is then one third")
def equal_logits() -> bool:
    for height in (0.0, 5.0):
        logits = torch.full((1, 3), height, requires_grad=True)
        slope = torch.autograd.grad(F.cross_entropy(logits, torch.tensor([0])), logits)[0][0]
        assert near(slope, torch.tensor([1 / 3 - 1, 1 / 3, 1 / 3]))
    return True


@claims("batchnorm", "Once all four have moved, the loss is back where it was.")
def a_column_dragged() -> bool:
    known = walked("batchnorm", True)

    def loss(x: torch.Tensor) -> torch.Tensor:
        raw = (x - x.mean(0)) * (x.var(0) + 1e-5) ** -0.5
        return ((known["bngain"] * raw + known["bnbias"]) * known["G"]).sum()

    moved = known["hprebn"].clone()
    moved[:, 0] += 2.0
    return near(loss(moved), loss(known["hprebn"]), 1e-9) and near(loss(moved), known["loss"], 1e-9)


@claims("batchnorm", "after each batch, `0.9` of the old value plus `0.1` of the batch's.")
def running_variance() -> bool:
    layer, batches = torch.nn.BatchNorm1d(2), torch.randn((3, 8, 2), generator=torch.Generator().manual_seed(1))
    wanted = torch.ones(2)
    for batch in batches:
        layer(batch)
        wanted = 0.9 * wanted + 0.1 * batch.var(0, unbiased=True)
    return near(torch.as_tensor(layer.running_var), wanted)


@claims("relu-classifier", "from a tenth of `W1` to ten times `W1`, the share hardly changes.")
def cut_off_at_any_scale() -> bool:
    shares = [flat_share("relu-classifier", "h1", scale) for scale in (0.1, 1.0, 10.0)]
    return max(shares) - min(shares) < 0.05


@claims("relu-classifier", "What change there is comes from the biases, which aren't scaled.")
def without_biases() -> bool:
    known = walked("relu-classifier", True)
    cut = [F.relu(known["X"] @ (scale * known["W1"])) == 0 for scale in (0.1, 1.0, 10.0)]
    return bool(torch.equal(cut[0], cut[1]) and torch.equal(cut[1], cut[2]))


@claims("relu-classifier", "What does depend on the scale is the **size** of what passes.")
def size_of_what_passes() -> bool:
    known = walked("relu-classifier")
    sizes = [float(F.relu(known["X"] @ (scale * known["W1"]) + known["b1"]).norm()) for scale in (1.0, 10.0)]
    return sizes[1] > 9 * sizes[0]


def descent(rate: float) -> float:
    p, a = torch.tensor([4.0, 1.0]), torch.tensor([1.0, 20.0])
    for _ in range(12):
        p = p - rate * a * p
    return float(0.5 * (a * p**2).sum())


@claims("ways-to-step", "Drag the learning rate, and see where the loss gets out of hand.")
def out_of_hand() -> bool:
    losses = [descent(rate) for rate in (0.01, 0.08, 0.1, 0.11)]
    return losses[1] < losses[0] < losses[2] < losses[3] / 3


def adam(rate: float, squares: float, count: int) -> torch.Tensor:
    """The steps of Adam in the valley."""
    p, a = torch.tensor([4.0, 1.0]), torch.tensor([1.0, 20.0])
    m, s, steps = torch.zeros(2), torch.zeros(2), []
    for t in range(1, count + 1):
        m, s = 0.9 * m + 0.1 * a * p, squares * s + (1 - squares) * (a * p) ** 2
        steps.append(rate * m / (1 - 0.9**t) / ((s / (1 - squares**t)) ** 0.5 + 1e-8))
        p = p - steps[-1]
    return torch.stack(steps)


@claims("ways-to-step", "Over these twelve steps, `0.99` gives nearly the same path.")
def usual_numbers_of_adam() -> bool:
    paths = [torch.tensor([4.0, 1.0]) - adam(0.3, squares, 12).cumsum(0) for squares in (0.99, 0.999)]
    assert near(paths[0][-1], walked("ways-to-step.adam")["p_13"], 1e-5)
    return bool((paths[0] - paths[1]).abs().max() < 0.02)


@claims("ways-to-step", "The path starts pale at the right and gets stronger for twelve steps.")
def path_on_the_map() -> bool:
    known = walked("ways-to-step")
    axes = known["xs"], known["ys"]
    where = [[int((axis - at).abs().argmin()) for axis, at in zip(axes, p, strict=True)] for p in known["path_13"]]
    strength = torch.stack([known["drawn"][y, x] for x, y in where[:2] + where[-1:]])
    return len(where) == 13 and where[0][0] == max(x for x, _ in where) and bool((strength.diff() > 0).all())


@claims("ways-to-step", "The white cell is the goal.")
def goal_on_the_map() -> bool:
    known = walked("ways-to-step")
    y, x = divmod(int(known["height"].argmin()), len(known["xs"]))
    return [float(known["xs"][x]), float(known["ys"][y])] == [0, 0] and abs(float(known["map"][y, x])) < 0.01


@claims("ways-to-step", "Far from zero, each step moves a number by about `lr`.")
def steps_of_adam() -> bool:
    steps = adam(0.1, 0.99, 4).abs()
    return bool(((steps - 0.1).abs() < 0.005).all())


@claims(
    "attention", "There, the straight way passes through a layer norm in every block, and that has a factor of its own."
)
def norms_in_and_outside() -> bool:
    x = torch.randn((4, 6), generator=torch.Generator().manual_seed(1), requires_grad=True)
    inside, outside = x, x
    for _ in range(12):
        inside = inside + 0.0 * F.layer_norm(inside, (6,))
        outside = 3.0 * F.layer_norm(outside + 0.0 * outside, (6,))
    upstream = torch.randn((4, 6), generator=torch.Generator().manual_seed(2))
    straight, changed = (torch.autograd.grad(end, x, upstream)[0] for end in (inside, outside))
    return near(straight, upstream) and not near(changed, upstream, 0.1)


@claims("attention", "All that were zero: those above the diagonal, and `dscores[0,0]` with them")
def without_a_mask() -> bool:
    known = walked("attention")
    x, v = known["x"], known["v"]

    def slopes(mask: torch.Tensor) -> torch.Tensor:
        scores = known["scores"].clone().requires_grad_()
        res = x + F.softmax(scores.masked_fill(mask == 0, float("-inf")), -1) @ v @ known["Wo"]
        hidden = F.relu(F.layer_norm(res, (6,), known["gain2"], known["bias2"]) @ known["W1"] + known["c1"])
        return torch.autograd.grad(((res + hidden @ known["W2"]) * known["G"]).mean(), scores)[0]

    masked, free = slopes(known["mask"]), slopes(torch.ones_like(known["mask"]))
    still = torch.ones(4, 4).triu(1) == 1
    still[0, 0] = True
    assert near(masked, known["dscores"])
    return torch.equal(masked == 0, still) and bool((free.abs() > 1e-4).all())


def start_of_the_tanh_program(scale: float) -> float:
    """The norm of the gradient at the first state, with so many times the matrix."""
    known = walked("through-time.tanh", True)
    start = known["h"].clone().requires_grad_()
    h = start
    for _ in range(12):
        h = torch.tanh(h @ (scale * known["W"]))
    return float(torch.autograd.grad(h.sum(), start)[0].norm())


@claims("through-time", "Halved, it shrinks to less than a quarter. With `0.8` it grows more than tenfold.")
def smaller_matrices() -> bool:
    whole, less, half = map(start_of_the_tanh_program, (1.0, 0.8, 0.5))
    assert near(walked("through-time.tanh", True)["dh"].norm(), whole, 1e-9)
    return half < whole / 4 and less > 10 * whole


@claims("through-time", "Yet each step adds nearly the same to `dW`, so the lower bars are level.")
def level_bars() -> bool:
    W, h = torch.tensor([[0.6, 0.2], [0.2, 0.6]]), torch.tensor([[1.0, 0.5]])
    states = [h @ torch.linalg.matrix_power(W, n) for n in range(12)]
    backs = [torch.ones(1, 2) @ torch.linalg.matrix_power(W.T, 11 - n) for n in range(12)]
    parts = torch.stack([(state.T @ back).norm() for state, back in zip(states, backs, strict=True)])
    return bool(parts.max() < 1.1 * parts.min()) and float(states[-1].norm() / states[0].norm()) < 0.1


@claims("through-time", "no single step stretches a gradient by more than the largest eigenvalue, in absolute value.")
def symmetric_matrices() -> bool:
    both = [walked(f"through-time.{name}", True)["W"] for name in ("vanish", "explode")]
    return all(
        torch.equal(W, W.T) and abs(float(torch.linalg.matrix_norm(W, 2) - torch.linalg.eigvals(W).abs().max())) < 1e-12
        for W in both
    )


@claims("through-time", "by up to their largest **singular value** in one step.")
def other_matrices() -> bool:
    W = walked("through-time.skew", True)["W"]
    _, sizes, rows = torch.linalg.svd(W)
    return float(sizes[0]) > 5 * 0.9 and near((rows[0] @ W.T).norm(), sizes[0], 1e-9)


@claims("through-time", "and only then does it begin to shrink.")
def largest_after_three_steps() -> bool:
    sizes = powers(walked("through-time.skew", True)["W"], 12)
    return sizes.index(max(sizes)) == 3 and sizes[3:] == sorted(sizes[3:], reverse=True) and sizes[12] > 1


@claims("through-time", "If a matrix isn't symmetric, the factor can be larger.")
def a_hundred_steps() -> bool:
    straight = torch.tensor([[0.9, 0.0], [0.0, 0.5]], dtype=torch.float64)
    largest = torch.linalg.matrix_norm(torch.linalg.matrix_power(straight, 100), 2)
    return near(largest, 0.9**100, 1e-12) and powers(walked("through-time.skew", True)["W"], 100)[-1] > 9 * largest


@claims("through-time", "So tanh never stretches a gradient")
def slopes_of_tanh() -> bool:
    known = walked("through-time.tanh", True)
    pairs = [(known[f"dh_{n}"], known[f"dh_{n}"] * (1 - known[f"h_{n}"] ** 2)) for n in range(2, 14)]
    return all(bool(after.norm() <= before.norm()) for before, after in pairs)


@claims("through-time", "With `W` as it is, no cell of the last state is flat. With three times `W`, both are.")
def flat_at_three_times() -> bool:
    h = torch.tensor([[1.0, 0.5]])
    ends = []
    for scale in (1.0, 3.0):
        state = h
        for _ in range(12):
            state = torch.tanh(state @ (scale * torch.tensor([[1.0, 0.2], [0.2, 1.0]])))
        ends.append(1 - state**2)
    assert (flat_share("through-time.tanh", "h@13"), flat_share("through-time.tanh", "h@13", 3.0)) == (0, 1)
    return bool((ends[0] > 0.1).all() and (ends[1] < 0.02).all())


@claims("through-time", "Nothing in the sum tells you that the early ones are nearly missing.")
def early_steps() -> bool:
    known = walked("through-time")
    states = [known[name] for name in ("h", "h_2", "h_3", "h_4", "h_5")]
    sums = [known[f"dh_{n}"] * (1 - states[n - 1] ** 2) for n in range(2, 6)]
    part = [before.T @ after for before, after in zip(states, sums, strict=False)]
    assert near(sum(part[1:], part[0]), known["dWh"], 1e-6)
    return bool(part[1].norm() < part[3].norm() / 5) and not part[0].any()


def half_a_run(rate: float) -> tuple[torch.Tensor, float]:
    """`p` after each step towards its examples, and how far it is from 1 in the second half."""
    p, path = 3.0, []
    for y in walked("train-by-hand.noisy")["y"].tolist():
        p -= rate * (p - y)
        path.append(p)
    steps = torch.tensor(path)
    return steps, float(((steps[10:] - 1) ** 2).mean())


@claims("train-by-hand", "With a rate near 1, `p` jumps to every example.")
def jumping() -> bool:
    return near(half_a_run(1.0)[0], walked("train-by-hand.noisy")["y"])


@claims("train-by-hand", "With one near 0, it hasn't arrived when the run is over.")
def not_arriving() -> bool:
    return bool(half_a_run(0.03)[0][-1] > 2)


@claims("train-by-hand", "The loss is least between the two.")
def least_between() -> bool:
    assert half_a_run(0.5)[1] == pytest.approx(float(walked("train-by-hand.noisy")["loss"]), rel=1e-5)
    low, middle, high = (half_a_run(rate)[1] for rate in (0.03, 0.25, 1.0))
    return middle < high / 10 < low / 10


def steps_to_blind_guessing(size: float) -> int:
    """How many steps a network with 200 hidden units takes to be no worse than that, its last weights of such a size."""
    X, Y, letters = training_split(NAMES)
    g = torch.Generator().manual_seed(1)
    shapes = {(letters, 10): 1.0, (30, 200): (5 / 3) / 30**0.5, (200, letters): size, (letters,): 0.0}
    parameters = [(scale * torch.randn(shape, generator=g)).requires_grad_() for shape, scale in shapes.items()]
    for step in range(0, 2001, 100):
        C, W1, W2, b2 = parameters
        if F.cross_entropy(torch.tanh(C[X[:4000]].view(4000, -1) @ W1) @ W2 + b2, Y[:4000]) <= math.log(letters):
            return step
        for _ in range(100):
            rows = torch.randint(0, len(X), (32,), generator=g)
            loss = F.cross_entropy(torch.tanh(C[X[rows]].view(32, -1) @ W1) @ W2 + b2, Y[rows])
            with torch.no_grad():
                for parameter, slope in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                    parameter -= 0.1 * slope
    return 2001


@claims("train-by-hand", "The first few hundred steps then merely make them small.")
def large_scores() -> bool:
    return 200 <= steps_to_blind_guessing(1.0) <= 1000 > steps_to_blind_guessing(0.01) + 800


@claims("train-by-hand", "and it is the **wrong** run that ends lower.")
def without_the_variance_path() -> bool:
    gaps = [final_loss("no variance path", seed) - final_loss(seed=seed) for seed in SEEDS]
    return all(-0.003 < gap < 0 for gap in gaps)


@claims("train-by-hand", "Over the training split both losses are about `2.54`.")
def where_both_runs_end() -> bool:
    return all(final_loss(mistake) == pytest.approx(2.54, abs=0.01) for mistake in ("", "no variance path"))


@claims("train-by-hand", "Leave out tanh's slope instead, and the same run ends lower still.")
def without_the_slope_of_tanh() -> bool:
    return all(final_loss("no slope of tanh", seed) < final_loss("no variance path", seed) for seed in SEEDS)


@claims("train-by-hand", "three make the loss rise at a rate of `0.1`. Each of them flips a sign.")
def planted_mistakes() -> bool:
    walk = {"lesson": "train-by-hand"}
    plan = run_of(walk).plan
    rises, tried = [], 0
    for step in range(plan.first_backward, plan.first_backward + len(plan.lines)):
        for offered in backend.mistakes({"walk": walk, "step": step})["mistakes"]:
            plant = {"step": step, "code": offered["code"]}
            try:
                told = backend.descent({"walk": walk | {"plant": plant}, "rates": [0.1]})
            except Refusal:  # it leaves a gradient of another shape
                continue
            tried += 1
            if told["steps"][0]["loss"] > told["loss"]:
                rises.append(offered["code"])
    assert tried > 50
    return len(rises) == 3 and all(" = -" in code for code in rises)


def test_the_training_that_the_chapter_tells_of_is_right_but_for_its_mistake() -> None:
    X, Y, letters = training_split(NAMES)
    parameters = fresh(letters, torch.Generator().manual_seed(0))
    leaves = [one.clone().requires_grad_() for one in parameters]
    true = torch.autograd.grad(F.cross_entropy(forward(leaves, X[:32])[-1], Y[:32]), leaves)
    found = gradients(parameters, X[:32], Y[:32], "")
    assert all(near(one, other, 1e-5) for one, other in zip(found, true, strict=True))
    for mistake in ("no variance path", "no slope of tanh"):
        wrong = gradients(parameters, X[:32], Y[:32], mistake)
        assert not near(wrong[1], true[1], 1e-3)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_two_runs_is_true(claim: Claim) -> None:
    claim.verify()
