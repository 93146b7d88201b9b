"""What is to be trained: every lesson's program, whether its tensors are its own or drawn."""

import backend
from backend.engine.language.errors import Refusal
from backend.training.optimisers import OPTIMISERS
from backend.training.task import read_task, schedule_of


def begun(lesson: str) -> int | str:
    """Examples of a minibatch that is drawn, 0 where the program has its own tensors; or why it is refused."""
    try:
        return read_task({"walk": {"lesson": lesson}, "steps": 1}).source.batch
    except Refusal as refusal:
        return refusal.code


def test_every_lesson_begins_to_train_and_two_draw_minibatches() -> None:
    found = {str(one["name"]): begun(str(one["name"])) for one in backend.lessons()}
    assert {name for name, batch in found.items() if batch == 32} == {"makemore-mlp", "relu-classifier"}
    assert {batch for batch in found.values() if batch != 32} <= {0, "nothing-to-train"}
    assert found["train-by-hand"] == 0


def test_a_rate_that_nobody_names_is_the_usual_one_of_the_optimiser() -> None:
    for name, optimiser in OPTIMISERS.items():
        assert schedule_of({"optimiser": {"name": name}}).rate(0) == optimiser.usual_rate
    assert schedule_of({}).rate(0) == OPTIMISERS["sgd"].usual_rate
    assert schedule_of({"optimiser": {"name": "adam"}, "schedule": {"name": "constant", "lr": 0.2}}).rate(0) == 0.2
