"""A step of a run is walked as the lesson is: the same sentences, its letters, and the numbers of that step."""

from __future__ import annotations

import json
import re
import string
from typing import Any

import pytest

from backend.pipeline import new_run, walk
from backend.program.lessons import LESSONS
from backend.training.session import Session

LETTERS = "." + string.ascii_lowercase
SMALL: dict[str, Any] = {
    "walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": 16}, "batch": 8, "steps": 300,
    "schedule": {"name": "constant", "lr": 0.1},
}  # fmt: skip


def walked(request: dict[str, Any], step: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The request for the walk of a step, and that walk."""
    session = Session({**request, "paused": True})
    list(session.command({"do": "step", "count": step + 1}))
    while session.busy:
        list(session.turn())
    (told,) = session.command({"do": "walk", "step": step})
    return told["walk"], json.loads(walk({**told["walk"], "arrays": "lists"}))


@pytest.mark.parametrize("step", [0, 250])
def test_a_trained_step_keeps_the_lesson_s_letters_and_sentences(step: int) -> None:
    request, found = walked(SMALL, step)
    own = json.loads(walk({"lesson": "makemore-mlp", "arrays": "lists"}))
    assert found["labels"]["class"] == list(LETTERS)
    tensors = request["tensors"]
    read = zip(tensors["Xb"]["values"], tensors["Yb"]["values"], strict=True)
    assert found["labels"]["example"] == [f"{''.join(LETTERS[i] for i in x)} → {LETTERS[y]}" for x, y in read]
    assert [one["code"] for one in found["steps"]] == [one["code"] for one in own["steps"]]
    told_by = new_run(request).material.told_by
    assert told_by is not None
    assert set(told_by.narration) == set(LESSONS["makemore-mlp"].narration)
    assert "continue names" in found["beginning"][0]
    assert f"For these 8 examples the loss is {found['loss']['value']:.2f}" in found["beginning"][1]


def test_a_copy_with_another_line_is_not_begun_as_the_lesson_is() -> None:
    request, _ = walked(SMALL, 0)
    changed = {**request, "source": request["source"].replace("torch.tanh(hpreact)", "torch.sigmoid(hpreact)")}
    assert changed != request
    assert "continue names" not in json.loads(walk(changed))["beginning"][0]


def test_of_a_loss_that_is_no_number_the_lesson_says_nothing() -> None:
    session = Session({**SMALL, "schedule": {"name": "constant", "lr": 1e30}})
    while session.busy:
        list(session.turn())
    assert session.status == "diverged"
    (told,) = session.command({"do": "walk"})
    (begun, *_) = json.loads(walk(told["walk"]))["beginning"]
    assert re.search("here it is (NaN|∞)", begun)


def test_a_program_of_one_s_own_is_no_copy_of_a_lesson() -> None:
    own = {"source": "loss = (w * 2.0 - 1.0) ** 2", "tensors": {"w": {"role": "parameter", "values": 3.0}}}
    request, _ = walked({"walk": own, "steps": 3}, 1)
    assert "copy_of" not in request


def test_a_planted_mistake_is_the_last_that_a_request_says() -> None:
    """The page takes it off the end of the text, as its address says it."""
    planted = {**SMALL, "walk": {**SMALL["walk"], "plant": {"step": 24, "mistake": "sign"}}}
    request, found = walked(planted, 0)
    assert list(request)[-1] == "plant"
    assert found["planted"]["step"] == 24
