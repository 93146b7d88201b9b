"""Calibration and losses over whole splits."""

from __future__ import annotations

from textwrap import dedent

import pytest
import torch

from backend.training.data import Minibatches
from backend.training.evaluation import CHUNK, Network, first_of, statistics_of
from backend.training.session import Session
from tests.support.twins import makemore

REQUEST = {"walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": 16}, "steps": 50}


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session(REQUEST)
    while made.status == "running":
        list(made.turn())
    return made


def test_batchnorms_mean_and_variance_are_what_a_minibatch_brings(session: Session) -> None:
    assert statistics_of(session.trainer.task.plan, ("Xb", "Yb")) == {"bnmeani", "bnvar"}


def test_positions_side_by_side_in_one_axis_are_no_statistic_and_their_mean_is() -> None:
    source = """
    emb = C[Xb]
    rows = emb.view(-1, 4)
    mean = rows.mean(0, keepdim=True)
    centred = rows - mean
    back = centred.view(emb.shape[0], -1)
    logits = back @ W
    loss = F.cross_entropy(logits, Yb)
    """
    whole, weight = {"init": "randint", "high": 27}, {"role": "parameter", "init": "randn"}
    tensors = {
        "Xb": {"role": "data", "shape": [8, 3], **whole}, "Yb": {"role": "target", "shape": [8], **whole},
        "C": {"shape": [27, 4], **weight}, "W": {"shape": [12, 27], **weight},
    }  # fmt: skip
    task = Session({"walk": {"source": dedent(source), "tensors": tensors}, "data": "names"}).trainer.task
    assert statistics_of(task.plan, ("Xb", "Yb")) == {"mean"}
    assert Network(task, {name: task.material.tensors[name] for name in ("C", "W")}).size == CHUNK


def test_a_calibrated_network_is_the_network_on_the_examples_it_was_calibrated_with(session: Session) -> None:
    source = session.trainer.task.source
    assert isinstance(source, Minibatches)
    part = first_of(source.data.train, CHUNK)
    network = Network(session.trainer.task, session.trainer.parameters.values)
    whole = makemore({**session.trainer.parameters.values, "Xb": part.X, "Yb": part.Y})
    assert network.score(part, network.calibrated(part)).loss == pytest.approx(float(whole), rel=1e-5)


def test_calibration_over_chunks_is_close_to_that_of_all_at_once(session: Session) -> None:
    source = session.trainer.task.source
    assert isinstance(source, Minibatches)
    network = Network(session.trainer.task, session.trainer.parameters.values)
    held, train = network.calibrated(source.data.train), source.data.train
    weights = session.trainer.parameters.values
    hprebn = weights["C"][train.X].view(len(train.X), -1) @ weights["W1"] + weights["b1"]
    assert torch.allclose(held["bnmeani"], hprebn.mean(0, keepdim=True), atol=1e-4)  # type: ignore[arg-type]  # a tensor
    assert torch.allclose(held["bnvar"], hprebn.var(0, keepdim=True), rtol=1e-2)  # type: ignore[arg-type]  # a tensor


def test_an_example_s_loss_does_not_depend_on_its_company_once_calibrated(session: Session) -> None:
    source = session.trainer.task.source
    assert isinstance(source, Minibatches)
    network = Network(session.trainer.task, session.trainer.parameters.values)
    held = network.calibrated(first_of(source.data.train, 500))
    alone = [network.score(first_of(source.data.train, count), held).loss * count for count in (1, 2)]
    second = type(source.data.train)(source.data.train.X[1:2], source.data.train.Y[1:2])
    assert alone[1] - alone[0] == pytest.approx(network.score(second, held).loss, rel=1e-4)
