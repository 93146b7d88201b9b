"""Mistakes named in six programs: answers of every kind that people write, and the sentences that they are told."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from backend import practice_check, practice_tasks
from backend.program.starts import starts
from tests.support.programs import BY_NAME, request_of
from tests.support.varied_answers import RIGHT, WRONG

SUPPORT = Path(__file__).parents[2] / "support"
NAMED = tomllib.loads((SUPPORT / "named_answers.toml").read_text(encoding="utf-8"))
OTHERWISE = tomllib.loads((SUPPORT / "right_answers.toml").read_text(encoding="utf-8"))
PROGRAMS: dict[str, Any] = {start["name"]: start["request"] for start in starts()}


def check(program: str, target: str, answer: str, **options: Any) -> Any:
    walk = PROGRAMS.get(program) or (request_of(program) if program in BY_NAME else {"lesson": program})
    return practice_check({"walk": walk, "target": target, "answer": answer, **options})


def test_wrong_answers_of_every_kind_are_rejected_and_named() -> None:
    misnamed = []
    for program, target, answer, codes in WRONG:
        told = check(program, target, answer)
        assert not told["correct"], (program, answer, told["zero"])
        where = told["diagnosis"]["where"]
        assert where is None or where["text"].rstrip("…") in answer, (answer, where)
        assert "some number" not in told["diagnosis"]["message"], answer
        if told["diagnosis"]["code"] not in codes.split():
            misnamed.append((program, answer, codes, told["diagnosis"]["code"]))
    assert misnamed == []


def test_right_answers_of_every_kind_are_accepted() -> None:
    told = [(program, answer, check(program, target, answer)["diagnosis"]) for program, target, answer in RIGHT]
    assert [one for one in told if one[2] is not None] == []


@pytest.mark.parametrize(("program", "target"), [(one, target) for one in NAMED for target in NAMED[one]])
def test_what_was_done_to_a_line_is_said(program: str, target: str) -> None:
    said = {answer: check(program, target, answer) for answer in NAMED[program][target]}
    assert not any(told["correct"] for told in said.values())
    assert {answer: told["diagnosis"]["message"] for answer, told in said.items()} == NAMED[program][target]


@pytest.mark.parametrize("program", OTHERWISE)
def test_what_is_right_otherwise_is_right(program: str) -> None:
    answers = [(target, answer) for target, several in OTHERWISE[program].items() for answer in several]
    told = {answer: check(program, target, answer)["diagnosis"] for target, answer in answers}
    assert {answer: one["message"] for answer, one in told.items() if one is not None} == {}


@pytest.mark.parametrize("answer", ["torch.zeros_like(gain)", "0 * gain", "gain - gain"])
def test_what_is_zero_everywhere_is_no_mistake_that_happens_to_be_zero(answer: str) -> None:
    """Normalised numbers add up to zero, and so the gradient without its upstream one is zero too."""
    assert check("batchnorm", "gain", answer)["diagnosis"]["message"] == (
        "This is zero everywhere, and the gradient isn't."
    )


@pytest.mark.parametrize("answer", ["torch.ones_like(probs)", "-torch.ones_like(probs)"])
def test_what_lends_its_shape_alone_is_not_read(answer: str) -> None:
    assert "probs" not in check("softmax", "probs", answer)["diagnosis"]["message"]


@pytest.mark.parametrize(
    ("program", "target", "answer", "message", "text"),
    [
        (
            "softmax",
            "logprobs",
            "dlogprobs = torch.zeros_like(logprobs)\ndlogprobs[y, range(n)] = -1.0/n",
            "The indices of `dlogprobs[y, range(n)]` are the wrong way round: `dlogprobs[range(n), y]`.",
            "dlogprobs[y, range(n)] = -1.0/n",
        ),
        (
            "softmax",
            "logits",
            "dlogits = F.softmax(logits, 0)\ndlogits[range(n), y] -= 1\ndlogits /= n",
            "`F.softmax(logits, 0)` runs along axis 0, and has to run along axis 1.",
            "F.softmax(logits, 0)",
        ),
        (
            "attention",
            "scores",
            "dscores = dmasked.masked_fill(mask == 0, -1e9)",
            "`-1e9` belongs to the forward pass: the gradient there is 0.",
            "-1e9",
        ),
        (
            "attention",
            "x",
            "dx = dres + dq @ Wq + dk @ Wk + dv @ Wv",
            "The matrices are not turned: `Wq.T` and `Wk.T` and `Wv.T`.",
            "dres + dq @ Wq + dk @ Wk + dv @ Wv",
        ),
        (
            "makemore-mlp",
            "bndiff2",
            "dbndiff2 = torch.ones_like(bndiff2) * dbnvar / 31",
            "`31` is a size of this minibatch, and the answer is wrong at another one: write `n-1`.",
            "31",
        ),
        (
            "batchnorm",
            "y",
            "dy = G / 40 * dloss",
            None,  # the printed line has no name for it either
            None,
        ),
        (
            "makemore-mlp",
            "bnvar",
            "dbnvar = -0.5 * (bnvar + 1e-3)**-1.5 * dbnvar_inv",
            "`1e-3` stands where the program has `1e-5`.",
            "1e-3",
        ),
        (
            "recurrent",
            "h@4",
            "dh_4 = dh_5 * (1 - h_5**2)",
            "This gradient is still on its way: its last step is missing.",
            "dh_5 * (1 - h_5**2)",
        ),
        (
            "makemore-mlp",
            "C",
            "dC = torch.zeros_like(C)\nfor k in range(n):\n    dC[Xb[k]] += demb[k]",
            "What is picked several times gets several gradients, and they add up: here all but one are lost. "
            "`index_add_` adds them, or `index_put` with `accumulate=True`.",
            "dC[Xb[k]] += demb[k]",
        ),
        (
            "classifier",
            "W1",
            "dW1 = x.T @ dh",
            "`dh` is taken as it arrives: a local derivative is missing.",
            "x.T @ dh",
        ),
        (
            "attention",
            "masked",
            "dmasked = att * (1 - att) * datt",
            "A sum is missing: each number of `masked` moves several others, and their gradients add up.",
            "att * (1 - att) * datt",
        ),
        (
            "makemore-mlp",
            "hprebn",
            "dhprebn = bngain * bnvar_inv * dhpreact",
            "A path is missing: `hprebn` reaches the loss through `bndiff2` and `bnmeani` as well.",
            "bngain * bnvar_inv * dhpreact",
        ),
    ],
)
def test_a_sentence_names_what_was_written(
    program: str, target: str, answer: str, message: str | None, text: str | None
) -> None:
    told = check(program, target, answer)["diagnosis"]
    if message is None:
        assert told is None
        return
    assert (told["message"], told["where"]["text"]) == (message, text)


@pytest.mark.parametrize(
    ("answer", "code", "factor", "times"),
    [
        ("dlogit_maxes = -5 * dnorm_logits.sum(1, keepdim=True)", "scale", "5", "5 times"),
        ("dlogit_maxes = -n * dnorm_logits.sum(1, keepdim=True)", "scale", "n", "n times"),
        ("dlogit_maxes = dnorm_logits.sum(1, keepdim=True)", "sign", None, "The minus sign is missing."),
    ],
)
def test_a_factor_that_a_true_zero_hides_is_told_by_its_name(
    answer: str, code: str, factor: str | None, times: str
) -> None:
    told = check("makemore-mlp", "logit_maxes", answer)["diagnosis"]
    assert (told["code"], told["evidence"]["factor"]) == (code, factor)
    assert times in told["message"]
    assert "Here that changes nothing, so this is right" in told["message"]


def test_a_last_path_alone_overwrites_only_what_is_written_already() -> None:
    """In a blank for the whole gradient the other path is missing; in the walk it stands above, and `=` loses it."""
    alone, step = "dbndiff = 2*bndiff * dbndiff2", practice_step("bndiff", 1)
    assert check("makemore-mlp", "bndiff", alone)["diagnosis"]["code"] == "missing-path"
    assert check("makemore-mlp", "bndiff", alone, step=step)["diagnosis"]["code"] == "overwritten-path"
    both = f"dbndiff = bnvar_inv * dbnraw\n{alone}"
    assert check("makemore-mlp", "bndiff", both)["diagnosis"]["code"] == "overwritten-path"


def practice_step(target: str, number: int) -> int:
    """The walk's step that writes a gradient's line of this number."""
    tasks = practice_tasks({"walk": {"lesson": "makemore-mlp"}})["tasks"]
    return next(task["steps"][number] for task in tasks if task["target"] == target)
