"""A word of one's own in the place of a minibatch's first examples: what it replaces, what is told, what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

import backend
from backend import walk
from backend.engine.language.errors import Refusal
from backend.pipeline import new_run
from backend.program.lessons.makemore_mlp import BATCH, LESSON, in_focus, whole_word
from tests.support.asking import whole

NAMES = ["makemore-mlp", "makemore-closed-form"]


def asked(word: str, lesson: str = "makemore-mlp", **rest: Any) -> Any:
    return whole({"lesson": lesson, "word": word, **rest})


@pytest.mark.parametrize("lesson", NAMES)
def test_its_examples_come_first_and_all_else_stays(lesson: str) -> None:
    usual, own = new_run({"lesson": lesson}), new_run({"lesson": lesson, "word": "Anna "})
    labels = own.material.labels["example"]
    assert labels[:5] == ["... → a", "..a → n", ".an → n", "ann → a", "nna → ."]
    assert labels[5:] == usual.material.labels["example"][5:]
    for name, tensor in usual.material.tensors.items():
        kept = own.material.tensors[name]
        assert torch.equal(kept[5:] if name in {"Xb", "Yb"} else kept, tensor[5:] if name in {"Xb", "Yb"} else tensor)


@pytest.mark.parametrize("word", ["anna", "q", "zz", "maximiliana", "a" * (BATCH - 1)])
def test_what_is_shown_and_what_is_told_are_of_one_example_of_it(word: str) -> None:
    document = asked(word)
    focus = document["in_focus"]["example"]
    assert focus <= len(word)
    before, after = document["labels"]["example"][focus].split(" → ")
    assert after in word
    known = before.strip(".")
    said = document["beginning"][0]
    assert (f"`{before} → {after}`: after “{known}” comes “{after}”" in said) or not known
    assert f"How surprised is the network by “{word}”?" in said
    found = re.search(r"Its (\d+) letters and its end cost ([\d.]+) each", said)
    assert found is not None
    assert int(found[1]) == len(word)
    run = new_run({"lesson": "makemore-mlp", "word": word})
    probs, right = run.forward.tensors["probs"].double(), run.material.tensors["Yb"]
    each = [-float(probs[row, right[row]].log()) for row in range(len(word) + 1)]
    assert float(found[2]) == pytest.approx(sum(each) / len(each), abs=0.006)


def test_every_gradient_is_still_autograd_s() -> None:
    for lesson in NAMES:
        summary = asked("anna", lesson)["summary"]
        assert summary["wrong"] == 0
        assert summary["not_finite"] == 0


def test_a_minibatch_that_begins_with_no_whole_word_is_told_as_ever() -> None:
    assert whole_word(["... → a", "..a → n", "zzz → q"]) == ""
    assert whole_word(["..a → n", ".an → ."]) == ""
    assert whole_word([]) == ""
    assert whole_word(["... → a", "..a → ."]) == "a"
    assert in_focus(["... → a", "zde → n"]) == 1


@pytest.mark.parametrize(
    ("word", "code", "said"),
    [
        ("zoë", "word-letters", "“zoë” has “ë”"),
        ("x-y 1", "word-letters", "has “-”, “ ” and “1”"),
        ("…", "word-letters", "“…”"),
        ("a" * BATCH, "word-length", "doesn't fit"),
        ("   ", "word-length", "doesn't fit"),
    ],
)
def test_letters_that_nobody_learned_get_a_kind_sentence(word: str, code: str, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        walk({"lesson": "makemore-mlp", "word": word})
    assert refused.value.code == code
    assert said in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize("lesson", ["first-steps", "relu-classifier", "softmax", "batchnorm"])
def test_other_lessons_read_no_words(lesson: str) -> None:
    with pytest.raises(Refusal) as refused:
        backend.walk({"lesson": lesson, "word": "anna"})
    assert refused.value.code == "lesson-word"


def test_the_lesson_that_takes_words_says_so() -> None:
    assert LESSON.with_word is not None


def copied(**rest: Any) -> Any:
    """A copy of the lesson with weights of its own, as a step of its training is, on a smaller minibatch."""
    request = backend.program({"lesson": "makemore-mlp"})["request"]
    tensors = {name: dict(tensor) for name, tensor in request["tensors"].items()}
    tensors["b2"]["values"] = [0.25] * 27
    for name in ("Xb", "Yb"):
        tensors[name]["values"] = tensors[name]["values"][:8]
    return request | {"tensors": tensors, "constants": {"n": 8}, "copy_of": "makemore-mlp"} | rest


def test_a_step_of_training_takes_a_word_and_keeps_its_numbers() -> None:
    """Also one that no list has, whose letters are known all the same."""
    run = new_run(copied(word="qxq"))
    assert run.material.labels["example"][:4] == ["... → q", "..q → x", ".qx → q", "qxq → ."]
    assert len(run.material.labels["example"]) == 8
    assert torch.equal(run.material.tensors["b2"], torch.full((27,), 0.25))
    assert torch.equal(run.material.tensors["Xb"][4:], new_run(copied()).material.tensors["Xb"][4:])
    assert "qxq" in " ".join(whole(copied(word="qxq"))["beginning"])
    with pytest.raises(Refusal) as refused:
        new_run(copied(word="maximili"))
    assert refused.value.code == "word-length"


def test_a_copy_that_no_longer_reads_letters_takes_no_word() -> None:
    tensors = {"Xb": {"role": "data", "values": [[0.5]]}, "w": {"role": "parameter", "values": [[1.5]]}}
    for lesson in ("makemore-mlp", "relu-classifier", "nobody"):
        with pytest.raises(Refusal) as refused:
            new_run({"source": "loss = (Xb @ w).sum()", "tensors": tensors, "copy_of": lesson, "word": "anna"})
        assert refused.value.code == "lesson-word"
