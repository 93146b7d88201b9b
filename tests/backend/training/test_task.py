"""What is to be trained: every lesson's program, whether its tensors are its own or drawn."""

import backend
from backend.language.errors import Refusal
from backend.training.task import read_task


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
