"""A run on lines that somebody wrote: they are what is run, and what can't be a line leaves the printed one."""

import pytest
import torch

from backend.engine.execute.run import run_backward, values_of
from backend.program.request import Request
from backend.training.session import Session
from backend.training.task import read_task
from backend.training.trainer import Trainer

SOURCE = "h = torch.tanh(x @ w)\nboth = h + h * h\nloss = (both * g).sum()"
WALK: Request = {
    "source": SOURCE,
    "tensors": {
        "x": {"role": "data", "shape": [4, 3], "init": "randn", "seed": 1},
        "w": {"role": "parameter", "shape": [3, 2], "init": "randn", "seed": 2},
        "g": {"role": "target", "shape": [4, 2], "init": "randn", "seed": 3},
    },
}
RIGHT = {"h": "t = 1 + 2 * h\ndh = t * dboth", "w": "x.T @ ((1 - h**2) * dh)"}


def gradient(answers: Request) -> tuple[torch.Tensor, list[str]]:
    """Of `w` at the first step, and whose lines made it."""
    trainer = Trainer(task := read_task({"walk": WALK, "steps": 3, "answers": answers}))
    return trainer.watched().gradient.clone(), list(task.own)


def test_answers_take_the_place_of_every_line_of_their_gradient() -> None:
    right, nobody = gradient({})
    mine, own = gradient(RIGHT)
    assert (nobody, own) == ([], ["h", "w"])
    torch.testing.assert_close(mine, right)
    half, _ = gradient({"w": "0.5 * (x.T @ ((1 - h**2) * dh))"})  # a wrong line trains wrongly
    torch.testing.assert_close(half, right / 2)
    part, _ = gradient({"h": "dh = dboth"})  # what the lines before it gave is gone: two uses, one kept
    plan = read_task({"walk": WALK}).plan
    tensors = read_task({"walk": WALK}).material.tensors
    values = values_of(plan.graph, tensors, torch.float32)
    both = run_backward(plan.lines, values, torch.float32).gradients["dboth"]
    alone = tensors["x"].T @ ((1 - torch.tanh(tensors["x"] @ tensors["w"]) ** 2) * both)
    torch.testing.assert_close(part, alone.flatten())


@pytest.mark.parametrize(
    "answer",
    ["dh.mul_(2)", "dh += dboth", "dh = dw", "dh = dboth @ dboth", "dh =", "x = 1", "dh = 'h'", "dh = undefined"],
)
def test_what_is_no_line_leaves_the_printed_one(answer: str) -> None:
    mine, own = gradient({"h": answer, "nobody": "dh = dboth"})
    assert own == []
    torch.testing.assert_close(mine, gradient({})[0])


def test_a_run_tells_whose_lines_it_is_on() -> None:
    (start, *_) = Session({"walk": {"lesson": "makemore-mlp"}, "answers": {"b2": "dlogits.sum(0)"}}).begin()
    assert start["own"] == ["b2"]
