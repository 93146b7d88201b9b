"""Answers checked: zeros, hard-coded sizes, aliasing, hints, single steps, answers above, what can't be read."""

from __future__ import annotations

import re
from typing import Any

import pytest

from backend import Refusal, practice_check, practice_tasks
from backend.practice import reply
from backend.practice.exercise import exercise_of
from tests.support.schema_check import faults

MAKEMORE = {"lesson": "makemore-mlp"}


def check(target: str, answer: str, **options: Any) -> Any:
    told = practice_check({"walk": MAKEMORE, "target": target, "answer": answer, **options})
    assert faults(told, reply.Checked) == []
    return told


def test_a_true_zero_is_right_and_told_why() -> None:
    told = check("logit_maxes", "dlogit_maxes = torch.zeros_like(logit_maxes)")
    assert told["correct"]
    assert "so the true gradient is zero" in told["zero"]
    assert "its rule would not hold" in told["zero"]
    assert "its rule" not in check("logit_maxes", "dlogit_maxes = -dnorm_logits.sum(1, keepdim=True)")["zero"]
    assert check("probs", "dprobs = dlogprobs / probs")["zero"] is None


def test_a_path_whose_gradient_is_zero_may_be_left_out_and_is_told() -> None:
    told = check("logits", "dlogits = dnorm_logits")
    assert told["correct"]
    assert told["zero"].startswith("The path through `logit_maxes` may be left out")
    assert check("logits", "dlogits = (probs - F.one_hot(Yb, 27)) / n")["zero"] is None


def test_a_size_of_this_minibatch_is_told_with_its_name() -> None:
    told = check("logits", "(F.softmax(logits, 1) - F.one_hot(Yb, 27)) / 32")
    assert told["verdict"]["approximate"], "it is right on the batch that is shown"
    assert told["diagnosis"]["code"] == "hard-coded"
    assert "`n`" in told["diagnosis"]["message"]
    assert told["diagnosis"]["where"] == {"line": 1, "column": 46, "end_column": 48, "text": "32"}
    assert told["diagnosis"]["evidence"]["matched"] < told["diagnosis"]["evidence"]["of"]


@pytest.mark.parametrize(
    "answer",
    [
        "dlogits = dnorm_logits\ndlogits += F.one_hot(logits.max(1).indices, 27) * dlogit_maxes",
        "dlogits = dnorm_logits.add_(F.one_hot(logits.max(1).indices, 27) * dlogit_maxes)",
    ],
)
def test_what_writes_into_another_gradient_is_found_though_its_numbers_are_right(answer: str) -> None:
    told = check("logits", answer)["diagnosis"]
    assert told["code"] == "aliasing"
    assert "`dnorm_logits`" in told["message"]


def test_an_answer_may_change_what_it_made_itself() -> None:
    assert check("logits", "dlogits = dnorm_logits.clone()\ndlogits += 0 * dlogit_maxes")["correct"]


def test_an_answer_leaves_nothing_behind() -> None:
    for _ in range(2):
        assert (
            check("counts", "dprobs *= counts_sum_inv\ndcounts = dprobs + dcounts_sum")["diagnosis"]["code"]
            == "aliasing"
        )
        assert check("probs", "dprobs = dlogprobs / probs")["correct"]


def test_hints_come_one_by_one_and_none_tells_the_next() -> None:
    for task in practice_tasks({"walk": MAKEMORE})["tasks"]:
        several = [check(task["target"], "0", hints=grade)["hints"] for grade in range(4)]
        assert [len(hints) for hints in several] == [0, 1, 2, 3]
        line = several[3][2]
        assert check(task["target"], line)["correct"]
        for statement in line.split("\n"):
            value = statement.partition("= ")[2]
            assert not any(f"`{value}`" in hint for hint in several[2]), (task["target"], several[2])


@pytest.mark.parametrize(
    ("walk", "target", "block"),
    [
        (MAKEMORE, "logits", "softmax"),
        (MAKEMORE, "hprebn", "three paths"),
        ({"lesson": "softmax"}, "logits", "softmax"),
        ({"lesson": "batchnorm"}, "hprebn", "three paths"),
    ],
)
def test_a_closed_form_has_hints_of_its_own_and_none_tells_the_next(walk: Any, target: str, block: str) -> None:
    tasks = practice_tasks({"walk": walk})["tasks"]
    assert [task["target"] for task in tasks if task["closed_hints"]] == [
        one["target"] for one in tasks if one["closed"]
    ]
    asked = {"walk": walk, "target": target, "answer": "0", "closed": True}
    several = [practice_check({**asked, "hints": grade})["hints"] for grade in range(4)]
    assert [len(hints) for hints in several] == [0, 1, 2, 3]
    rule, axis, line = several[3]
    assert block in rule.lower()
    assert not re.search(r"axis|\(\d+, ?\d+\)", rule), "the rule tells no axis and no shape"
    assert "axis" in axis
    value = line.partition(" = ")[2]
    for told in (rule, axis):
        assert value not in told
        assert not re.search(r"one_hot|/ ?n|n-1|\.sum\(", told), "neither tells a piece of the line"
    assert practice_check({"walk": walk, "target": target, "answer": line})["correct"]
    assert line != practice_check({**asked, "closed": False, "hints": 3})["hints"][2]


def test_what_has_no_closed_form_has_no_hints_for_one() -> None:
    assert check("probs", "0", hints=3, closed=True)["hints"] == []


def test_the_loss_of_a_program_is_no_task() -> None:
    tasks = [task["name"] for task in practice_tasks({"walk": MAKEMORE})["tasks"]]
    assert (len(tasks), tasks[0], "dloss" in tasks) == (26, "dlogprobs", False)


@pytest.mark.parametrize(("lesson", "helper"), [("classifier", "dh_sum"), ("layernorm", "n1_xhat")])
def test_what_is_offered_while_typing_gives_no_helper_line_away(lesson: str, helper: str) -> None:
    walk = {"lesson": lesson}
    plan = exercise_of(walk, None).run.plan
    assert any(f"{helper} = " in line.code for line in plan.lines)
    program = {node.variable for node in plan.graph.named}
    for task in practice_tasks({"walk": walk})["tasks"]:
        offered = {one["name"] for one in task["given"]}
        assert offered <= program | {f"d{name}" for name in program}, task["name"]
        assert program <= offered


def test_one_step_of_several_can_be_asked_for() -> None:
    task = next(task for task in practice_tasks({"walk": MAKEMORE})["tasks"] if task["target"] == "counts")
    first, second = task["steps"]
    assert check("counts", "dcounts = counts_sum_inv * dprobs", step=first)["correct"]
    assert not check("counts", "dcounts = counts_sum_inv * dprobs", step=second)["correct"]
    assert check("counts", "dcounts += torch.ones_like(counts) * dcounts_sum", step=second)["correct"]
    with pytest.raises(Refusal, match="no gradient"):
        check("probs", "1", step=first)


def test_answers_above_are_taken_where_that_is_asked_for() -> None:
    wrong = {"logprobs": "dlogprobs = torch.zeros_like(logprobs)\ndlogprobs[range(n), Yb] = -1.0"}
    assert check("probs", "dprobs = dlogprobs / probs")["correct"]
    told = check("probs", "dprobs = dlogprobs / probs", cascade=wrong)
    assert (told["diagnosis"]["code"], told["diagnosis"]["evidence"]["factor"]) == ("scale", "n")
    right = {"logprobs": "dlogprobs = torch.zeros_like(logprobs)\ndlogprobs[range(n), Yb] = -1.0/n"}
    assert check("probs", "dprobs = dlogprobs / probs", cascade=right)["correct"]
    assert check("probs", "dprobs = dlogprobs / probs", cascade={"logprobs": "dlogprobs ="})["correct"]


def test_a_target_may_be_named_with_or_without_its_d() -> None:
    for name in ("probs", "dprobs"):
        assert check(name, "dlogprobs / probs")["correct"]
    for name in ("Yb", "nothing"):
        with pytest.raises(Refusal):
            check(name, "1")


@pytest.mark.parametrize(
    ("answer", "code", "text"),
    [
        ("", "syntax", None),
        ("dprobs = dlogprobs /", "syntax", None),
        ("dprobs = dlogprobs / probz", "unknown-name", "probz"),
        ("dprobs = dh", "unknown-name", "dh"),
        ("dprobz = dlogprobs / probs", "unknown-name", "dprobz"),
        ("dprobs = [p for p in probs]", "not-allowed", "[p for p in probs]"),
        ("dprobs = __import__('os')", "not-allowed", "__import__"),
        ("dprobs = probs.grad", "not-allowed", "probs.grad"),
        ("dprobs = torch.autograd.grad(loss, probs)", "not-allowed", "torch.autograd.grad"),
        ("with torch.no_grad():\n    dprobs = 1", "not-allowed", None),
        ("dprobs = eval('1')", "not-allowed", None),
        ("dprobs = torch.load('x')", "not-allowed", None),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(answer: str, code: str, text: str | None) -> None:
    told = check("probs", answer)["diagnosis"]
    assert told["code"] == code, told
    assert text is None or told["where"]["text"] == text


def test_the_worst_cell_is_the_one_that_differs_most() -> None:
    told = check("probs", "dprobs = 2 * dlogprobs / probs")["gradient"]
    worst = told["worst"]
    assert worst["answer"] == pytest.approx(2 * worst["true"])
    assert told["difference"] is not None
    assert check("b2", "db2 = dlogits")["gradient"]["difference"] is None


@pytest.mark.parametrize(
    "answer",
    [
        "dprobs = torch.zeros(1024, 1024, 1024)",
        "dprobs = torch.zeros(1000, 1000)\nfor i in range(1000):\n    dprobs = dprobs @ dprobs",
        "for i in range(100000):\n    dprobs = dlogprobs / probs",
        "dprobs = 9**9**9",
        "dprobs = " + "-" * 3000 + "probs",
        "dprobs = probs.expand(1000, 1000, 32, 27)",
    ],
)
def test_a_hostile_answer_is_told_so_within_the_limits(answer: str) -> None:
    told = check("probs", answer)["diagnosis"]
    assert told["code"] in ("not-allowed", "shape", "syntax")


def test_several_paths_through_one_tensor_are_told_once() -> None:
    """Neither a hint nor a diagnosis lists a tensor twice, and the first hint has no gradient of a line in it."""
    walk = {
        "source": "A = torch.tanh(X @ X + X)\nloss = (A * A).sum()",
        "tensors": {"X": {"role": "parameter", "shape": [3, 3], "init": "randn"}},
    }
    found: Any = practice_check({"walk": walk, "target": "X", "answer": "dX = X.T @ (dA * (1 - A**2))", "hints": 1})
    assert "3 paths, all through `A`: they add up." in found["hints"][0]
    assert not re.search(r"`[^`]*\bd[A-Z]\w*[^`]*`", found["hints"][0])
    assert found["diagnosis"]["message"] == "A path is missing: `X` reaches the loss through `A` more than once."
