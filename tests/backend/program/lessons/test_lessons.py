"""What the lessons tell is true for every seed and word list: each sentence's numbers beside torch's own."""

from __future__ import annotations

import itertools
import json
import math
import re
from typing import Any

import pytest
import torch
import torch.nn.functional as F

import backend
from backend.program.lessons import LESSONS as LESSONS_OF_ALL
from backend.program.lessons import OWN as LESSONS
from backend.program.lessons.base import Instead
from backend.program.request import read
from tests.support import prose_lint, torch_reference

WORDS = "anna\nbob\nana\nnan\nbobby\nabba\n"
SEEDS = [2147483647, 1, 2, 3, 40]
MAKEMORE, FIRST = LESSONS["makemore-mlp"], LESSONS["first-steps"]


@pytest.fixture(params=[*SEEDS, "words"], scope="module")
def told(request: Any, tmp_path_factory: Any) -> Any:
    """(values and gradients by name, sentences by step) of the lesson, run as plain Python."""
    names = None
    if request.param == "words":
        names = tmp_path_factory.mktemp("words") / "names.txt"
        names.write_text(WORDS)
    material = read({"lesson": "makemore-mlp", "seed": SEEDS[0] if names else request.param, "dtype": "float64"}, names)
    given = {name: t.double() if t.is_floating_point() else t for name, t in material.tensors.items()}
    scope = torch_reference.scope({"constants": material.constants}, given)
    for tensor in given.values():
        tensor.requires_grad_(tensor.is_floating_point())
    with torch_reference.DefaultDtype(torch.float64):
        exec(MAKEMORE.source, scope)
    tensors = {name: value for name, value in scope.items() if isinstance(value, torch.Tensor)}
    differentiable = {name: tensor for name, tensor in tensors.items() if tensor.requires_grad}
    found = torch.autograd.grad(scope["loss"], list(differentiable.values()))
    values = {name: tensor.detach() for name, tensor in tensors.items()}
    gradients = {f"d{name}": gradient for name, gradient in zip(differentiable, found, strict=True)}
    facts = MAKEMORE.known(values, material.labels)
    return values | gradients, {step: text.format_map(facts) for step, text in MAKEMORE.narration.items()}, material


def numbers(text: Any) -> Any:
    return [float(number) for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", text)]


def test_sizes_are_those_of_the_tensors(told: Any) -> None:
    values, said, _ = told
    examples, context = values["Xb"].shape
    letters, dimensions = values["C"].shape
    inputs, hidden = values["W1"].shape
    assert numbers(said["emb"]) == [context, dimensions]
    assert numbers(said["embcat"]) == [context, context, dimensions, inputs]
    assert values["embcat"].shape == (examples, context * dimensions)
    assert numbers(said["hprebn"]) == [inputs, hidden, inputs]
    assert numbers(said["logits"]) == [letters, hidden]
    assert values["logits"].shape == (examples, letters)
    for step in ("bnmeani", "bndiff", "bnvar"):
        assert examples in numbers(said[step])


def test_batchnorm_does_what_is_said(told: Any) -> None:
    values, _, material = told
    assert torch.allclose(values["bnmeani"], values["hprebn"].mean(0, keepdim=True))
    assert values["bndiff"].mean(0).abs().max() < 1e-12
    assert torch.allclose(values["bnvar"], values["hprebn"].var(0, keepdim=True))
    assert torch.allclose(values["bnvar_inv"], 1 / values["hprebn"].std(0, keepdim=True), rtol=1e-2)
    assert values["bnraw"].mean(0).abs().max() < 1e-12
    assert torch.allclose(values["bnraw"].var(0), torch.ones(64).double(), atol=1e-2)
    assert eval("n-1", dict(material.constants)) == len(values["Xb"]) - 1


def test_the_network_does_what_is_said(told: Any) -> None:
    values, said, _ = told
    beyond = int((values["h"].abs() > 0.97).sum())
    assert values["h"].abs().max() < 1
    assert f"{beyond or 'none'} of these {values['h'].numel()} numbers" in said["h"]
    assert torch.equal(values["logit_maxes"], values["logits"].amax(1, keepdim=True))
    assert values["norm_logits"].max() == 0
    assert torch.equal(values["norm_logits"].amax(1), torch.zeros(len(values["Xb"])).double())
    assert (values["counts"] > 0).all()
    assert torch.allclose(values["counts_sum"] * values["counts_sum_inv"], torch.ones(1).double())
    assert torch.allclose(values["probs"].sum(1), torch.ones(1).double())
    assert numbers(said["probs"])[0] == values["probs"].shape[1]
    letters = values["C"].shape[0]
    assert f"ln {letters} = {math.log(letters):.2f}" in said["loss"]
    wanted = F.cross_entropy(values["logits"], values["Yb"])
    assert f"this one has {float(wanted):.2f}." in said["loss"]


def test_the_way_back_is_as_said(told: Any) -> None:
    values, said, material = told
    examples, cells = len(values["Xb"]), values["logprobs"].numel()
    reached = values["dlogprobs"][values["dlogprobs"] != 0]
    assert numbers(said["dlogprobs"]) == [len(reached), cells, 1.0, examples]
    assert torch.allclose(reached, torch.tensor(-1 / examples).double())
    right = values["probs"][range(examples), values["Yb"]]
    lowest, steepest = numbers(said["dprobs"])[1:]
    factor = (values["dprobs"] / values["dlogprobs"]).nan_to_num(0).max()
    assert lowest == pytest.approx(float(right.min()), rel=0.06)
    assert steepest == pytest.approx(float(factor), rel=0.06)
    for step in ("dnorm_logits", "dlogits"):
        code = next(code for code in re.findall(r"`([^`]+)`", said[step]) if "probs" in code)
        made = eval(code, torch_reference.scope({"constants": material.constants}, values))
        assert torch.allclose(made, values[step], atol=1e-12), step
    assert values["dlogits"].sum(1).abs().max() < 1e-12
    right = F.one_hot(values["Yb"], values["dlogits"].shape[1]).bool()
    assert (values["dlogits"][right] < 0).all()
    assert (values["dlogits"][~right] > 0).all()
    assert values["dlogit_maxes"].abs().max() < 1e-12
    assert values["db1"].abs().max() < 1e-12


def test_what_has_to_hold_for_a_sentence_holds_in_the_lesson(told: Any) -> None:
    values, _, material = told
    scope = torch_reference.scope({"constants": material.constants}, values)
    claims = {claim for claims in MAKEMORE.holds.values() for claim in claims}
    assert [claim for claim in claims if not torch_reference.is_true(claim, scope)] == []


def test_the_commonest_letter_is_counted(told: Any) -> None:
    values, said, material = told
    assert "holes" not in said["dC"]
    (letter,) = re.findall(r"“(.)”", said["dC"])
    count, places, gradients = numbers(said["dC"])
    place = material.labels["letter"].index(letter)
    assert count == gradients == int((values["Xb"] == place).sum()) > 1
    assert places == values["Xb"].numel()
    times = torch.bincount(values["Xb"].flatten())
    assert count == times[1:].max()


def test_every_step_of_makemore_is_told_what_it_is_for(told: Any) -> None:
    _, said, _ = told
    forward = [line.partition(" = ")[0] for line in MAKEMORE.source.splitlines() if " = " in line]
    assert set(forward) <= set(said)
    assert [fault for text in said.values() for fault in prose_lint.problems(text, {"Xb", "Yb", "W1"})] == []


@pytest.mark.parametrize("name", LESSONS)
def test_the_interface_gives_the_narration_with_its_numbers(name: Any) -> None:
    narration = backend.lesson(name)["narration"]
    assert set(narration) == set(LESSONS[name].narration)
    assert [fault for text in narration.values() for fault in prose_lint.problems(text)] == []


def test_first_steps() -> None:
    x = torch.tensor(2.0, dtype=torch.float64)
    source, eps = FIRST.source, 1e-3
    before, after = torch_reference.scope({}, {"x": x}), torch_reference.scope({}, {"x": x + eps})
    exec(source, before)
    exec(source, after)
    said = FIRST.narration
    for name, step in (("y", "y"), ("z", "dx")):
        moved = re.search(rf"`?{name}`? moves by (\d*)ε|moves by (\d*)ε, and so does `{name}`", said[step])
        assert moved
        factor = float(next(number for number in moved.groups() if number is not None) or 1)
        assert float(after[name] - before[name]) == pytest.approx(factor * eps)
    assert isinstance(said["dx"], Instead)
    assert "`y` by ε and `z` moves by ε" in said["z"]


def test_a_letter_that_occurs_once_is_not_said_to_add_up() -> None:
    from backend.program.lessons.makemore_mlp import _repeated

    assert "No letter occurs twice" in _repeated(torch.arange(3)[None], list(".ab"))
    assert "“.” occurs 3 times" in _repeated(torch.tensor([[0, 0, 0, 1, 2]]), list(".ab"))
    assert "“a” occurs 2 times" in _repeated(torch.tensor([[0, 0, 0, 1, 1]]), list(".ab"))


@pytest.mark.parametrize("name", LESSONS_OF_ALL)
def test_this_never_follows_what_arrives(name: str) -> None:
    """Behind "`dcounts` arrives." a "This" would be `dcounts`, where the step's own gradient is meant."""
    for step in json.loads(backend.walk({"lesson": name}))["steps"]:
        said = step["explanation"]
        after = [b["text"] for a, b in itertools.pairwise(said) if a["kind"] == "upstream"]
        assert not any(text.startswith(("This ", "It ")) for text in after)
