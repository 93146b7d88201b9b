"""What is said of an answer is true of what was written: typical wrong answers to kept programs and to drills."""

from __future__ import annotations

from typing import Any

import pytest

from backend import drills, practice_check
from tests.support.programs import request_of


def check(program: str, target: str, answer: str, **options: Any) -> Any:
    return practice_check({"walk": request_of(program), "target": target, "answer": answer, **options})


def check_drill(drill: str, answer: str, **options: Any) -> Any:
    asked = next(one for one in drills(7, ["softmax"])["drills"] if one["id"] == drill)
    return practice_check({"walk": asked["walk"], "target": asked["target"], "answer": answer, **options})


def test_the_rule_is_right_for_a_true_zero_behind_a_gradient_without_a_name() -> None:
    told = check("two-layer-net", "m", "-(de * e).sum(1, keepdim=True)")
    assert told["correct"], told["diagnosis"]
    turned = check("two-layer-net", "m", "(de * e).sum(1, keepdim=True)")["diagnosis"]
    assert (turned["code"], turned["message"].partition(".")[0]) == ("sign", "The minus sign is missing")


@pytest.mark.parametrize(
    ("program", "target", "answer", "code", "message"),
    [
        ("linear-layer", "z", "seen.sum()", "wrong-axis", "No sum belongs here."),
        ("vae-gaussian", "std", "(dz*eps).sum(0)", "wrong-axis", "No sum belongs here."),
        (
            "linear-layer",
            "b",
            "dz.sum(0) * b",
            "wrong-tensor",
            "`dz.sum(0) * b` stands where `dz.sum(0)` belongs.",
        ),
        (
            "two-layer-net",
            "h",
            "dlogits @ W2.T * (h > 0)",
            "wrong-tensor",
            "`dlogits @ W2.T * (h > 0)` stands where `dlogits @ W2.T` belongs.",
        ),
        (
            "batchnorm-by-hand-then-relu",
            "hn",
            "dh * (h > 0)",
            "missing-local",
            "This gradient is still on its way: its last step is missing.",
        ),
        (
            "batchnorm-by-hand-then-relu",
            "logits",
            "probs * (dprobs - (dprobs*probs).sum(0, keepdim=True))",
            "wrong-axis",
            "The sum runs along the wrong axis.",
        ),
        (
            "batchnorm-by-hand-then-relu",
            "gamma",
            "(hn * dh).sum(0)",
            "missing-local",
            "`dh` is taken as it arrives: a local derivative is missing.",
        ),
        (
            "two-layer-net",
            "b1",
            "(h > 0) * dh",
            "missing-sum",
            "`b1` was copied going forward, so its gradients add up: the sum is missing.",
        ),
        (
            "two-layer-net",
            "b1",
            "((h < 0) * dh).sum(0)",
            "unknown",
            "This is zero everywhere, and the gradient isn't.",
        ),
        ("same-tensor-twice", "y", "(1 + 2*y)/12", "sign", "A term has the wrong sign."),
        ("vae-gaussian", "mu", "dz - mu/4", "sign", "What comes by `kl` has the wrong sign."),
        (
            "broadcast-three-ways",
            "b",
            "(a * dx).sum((0, 2))[:, None] + (dz * a.sum(0)).sum((0, 2))[:, None]",
            "sign",
            "What comes by `z` has the wrong sign.",
        ),
        (
            "poisson",
            "rate",
            "torch.ones_like(rate)/6",
            "missing-path",
            "A path is missing: `rate` reaches the loss through `loss` more than once.",
        ),
        (
            "gcn",
            "dinv",
            "2*(dAn * A * dinv[None, :]).sum(1)",
            "unknown",
            "It isn't the gradient, and I don't recognise the mistake.",
        ),
        ("swiglu-rms", "out", "(out - y).clamp(-1, 1)", "scale", "The factor `1/24` is missing."),
        (
            "vae-gaussian",
            "logvar",
            "0.5*dstd*std + 0.5*(1 - logvar.exp())/4",
            "sign",
            "A plus stands where a minus belongs.",
        ),
        ("dice", "inter", "-2", "missing-local", "A local derivative is missing."),
        (
            "matrix-factorisation",
            "bu",
            "torch.zeros_like(bu).index_put((users,), dpred, accumulate=True)",
            "shape",
            "`.index_put` doesn't fit shapes (4, 1) and (5,).",
        ),
        (
            "prototypical-net",
            "dist",
            "(F.softmax(-dist, 1) - F.one_hot(ql, 2)) / 4",
            "sign",
            "The sign is wrong.",
        ),
        (
            "prototypical-net",
            "dist",
            "F.one_hot(ql, 2) - F.softmax(-dist, 1)",
            "scale",
            "This is 4 times the gradient.",
        ),
    ],
)
def test_a_mistake_is_named_by_what_was_written(
    program: str, target: str, answer: str, code: str, message: str
) -> None:
    told = check(program, target, answer)["diagnosis"]
    assert (told["code"], told["message"]) == (code, message)


def test_a_factor_left_out_of_a_drill_is_named() -> None:
    told = check_drill("binarycrossentropy.x", "(x - y) / (x * (1 - x)) * dout")["diagnosis"]
    assert told["message"] == "The local derivative `torch.tensor([1.0, 2.0, 3.0]) / 6` is missing."


@pytest.mark.parametrize(
    ("program", "target", "hint"),
    [
        ("two-layer-net", "b1", "What arrives at `x @ W1 + b1` passes unchanged."),
        ("two-layer-net", "b2", "What arrives at `logits` passes unchanged."),
    ],
)
def test_a_hint_names_the_place_behind_which_the_gradient_passes_unchanged(
    program: str, target: str, hint: str
) -> None:
    assert check(program, target, "0", hints=1)["hints"] == [hint]


def test_a_hint_holds_where_the_wanted_probabilities_do_not_add_up_to_one() -> None:
    told = check_drill("softcrossentropy.x", "(F.softmax(x, 0) - target) * dout", hints=1)
    assert not told["correct"]
    assert "times the sum of the wanted probabilities" in told["hints"][0]
    assert check_drill("softcrossentropy.x", "(F.softmax(x, 0) * target.sum() - target) * dout")["correct"]
