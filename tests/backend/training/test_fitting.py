"""Data in any program that has room for them, and sentences for those that have none."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.training.data import Minibatches
from backend.training.evaluation import CHUNK, Network
from backend.training.session import Session
from backend.training.task import read_task

BIGRAMS = """
emb = C[Xb]
logits = emb.view({rows}, -1) @ W + b
loss = F.cross_entropy(logits, Yb)
"""


def drawn(role: str, *shape: int, **more: object) -> dict[str, object]:
    return {"role": role, "shape": list(shape), "init": "randn", **more}


def program(
    rows: str = "emb.shape[0]", letters: int = 27, context: int = 2, more: Mapping[str, object] = MappingProxyType({})
) -> dict[str, Any]:
    """A pasted network for names; `rows` is how it counts its examples."""
    whole = {"init": "randint", "high": 5}
    usual = {
        "Xb": drawn("data", 16, context, **whole), "Yb": drawn("target", 16, **whole),
        "C": drawn("parameter", letters, 3), "W": drawn("parameter", 3 * context, 27), "b": drawn("parameter", 27),
    }  # fmt: skip
    return {
        "walk": {"source": BIGRAMS.format(rows=rows), "tensors": {**usual, **more}},
        "data": "names",
        "steps": 30,
    }


def ended(request: dict[str, Any]) -> dict[str, Any]:
    """The last event of a run."""
    session, events = Session(request), []
    while session.status == "running":
        events += list(session.turn())
    return dict(events[-1])


@pytest.mark.parametrize(("rows", "batch"), [("16", 16), ("emb.shape[0]", 64), ("n", 64)])
def test_a_pasted_network_is_trained_on_names_and_scored_on_all_of_them(rows: str, batch: int) -> None:
    request = program(rows) | {
        "batch": batch,
        "optimiser": {"name": "adam"},
        "schedule": {"name": "constant", "lr": 0.1},
        "steps": 200,
    }
    if rows == "n":
        request["walk"]["constants"] = {"n": 16}
    told = ended(request)
    assert told["kind"] == "splits"
    assert all(2 < loss < 4 for loss in told["losses"].values())
    assert 0.05 < told["accuracies"]["validation"] < 0.5
    assert len(told["names"]) == 20
    assert told["calibrated"] == []


def test_loss_and_accuracy_of_a_split_are_those_of_its_examples() -> None:
    """Of a program that fits whole minibatches alone what is left over is left out, and that is said."""
    for rows, size in (("16", 16), ("emb.shape[0]", CHUNK)):
        session = Session(program(rows))
        network = Network(session.trainer.task, session.trainer.parameters.values)
        held, weights = network.source.data.validation, session.trainer.parameters.values
        score, count = network.score(held, {}), len(held.Y) // size * size if size == 16 else len(held.Y)
        assert (network.size, score.examples) == (size, count)
        logits = weights["C"][held.X[:count]].view(count, -1) @ weights["W"] + weights["b"]
        assert score.loss == pytest.approx(float(torch.nn.functional.cross_entropy(logits, held.Y[:count])), rel=1e-5)
        assert score.accuracy == pytest.approx(float((logits.argmax(1) == held.Y[:count]).double().mean()))


def test_digits_are_learned_and_told_apart() -> None:
    told = ended({"walk": {"lesson": "relu-classifier"}, "steps": 600, "schedule": {"name": "constant", "lr": 0.1}})
    assert told["accuracies"]["validation"] > 0.85
    assert told["losses"]["validation"] < 0.6
    assert told["names"] == []


def test_pictures_take_the_shape_that_the_program_reads_them_in() -> None:
    tensors = {
        "pictures": drawn("data", 4, 8, 8), "labels": drawn("target", 4, init="randint", high=10),
        "W": drawn("parameter", 64, 10),
    }  # fmt: skip
    source = "logits = pictures.view(4, 64) @ W\nloss = F.cross_entropy(logits, labels)"
    task = read_task({"walk": {"source": source, "tensors": tensors}, "data": "digits"})
    assert isinstance(task.source, Minibatches)
    assert task.source.inputs == ("pictures", "labels")
    assert task.material.tensors["pictures"].shape == (4, 8, 8)


@pytest.mark.parametrize(
    ("request_", "code", "said"),
    [
        (program(letters=10), "data-values", r"27 classes, 0 to 26, .* outside a tensor of shape \(10, 3\)"),
        (program() | {"sizes": {"context": 3}}, "data-context", "`Xb` has 2 letters in front .* context of 3"),
        (program("16") | {"batch": 32}, "data-batch", "takes 16 examples at once. With 32 it does not fit: `@`"),
        (program() | {"data": "digits"}, "data-inputs", r"digits fit: found `Xb` \(16, 2\) of whole numbers, `Yb`"),
        (
            program(more={"Yb": drawn("target", 16, 1, init="randint", high=5)}),
            "arguments",
            "These arguments don't fit `F.cross_entropy`",
        ),
        ({"walk": {"lesson": "classifier"}, "data": "digits"}, "data-shape", r"`x` has the shape \(8, 6\), .* 64"),
        ({"walk": {"lesson": "makemore-mlp"}, "data": "digits"}, "data-inputs", "digits fit"),
        ({"walk": {"lesson": "attention"}, "data": "names"}, "data-inputs", "names fit"),
    ],
)
def test_data_that_do_not_fit_are_refused_with_what_was_found_and_expected(
    request_: dict[str, Any], code: str, said: str
) -> None:
    with pytest.raises(Refusal, match=said) as refused:
        read_task(request_)
    assert refused.value.code == code


def test_two_pairs_of_inputs_that_would_do_are_not_guessed_between() -> None:
    more = {"Q": drawn("data", 16, 2, init="randint", high=5), "R": drawn("target", 16, init="randint", high=5)}
    assert read_task(program(more=more)).source.changing == {"Xb", "Yb"}
    request = program(more=more)
    for old, new in (("Xb", "S"), ("Yb", "T")):
        request["walk"]["tensors"][new] = request["walk"]["tensors"].pop(old)
        request["walk"]["source"] = request["walk"]["source"].replace(old, new)
    with pytest.raises(Refusal, match="no inputs that names fit"):
        read_task(request)


def test_own_tensors_stay_as_they_are() -> None:
    for request in (program() | {"data": "own"}, {"walk": {"lesson": "makemore-mlp"}, "data": "own"}):
        session = Session({**request, "steps": 3})
        before = {name: tensor.clone() for name, tensor in session.trainer.step.inputs.items()}
        while session.status == "running":
            list(session.turn())
        assert all(torch.equal(tensor, before[name]) for name, tensor in session.trainer.step.inputs.items())
