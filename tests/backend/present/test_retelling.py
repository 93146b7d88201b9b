"""What is told of a changed program is true of it: each sentence that stays, beside plain Python and autograd."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
import torch

import backend
from backend.pipeline import material_of, planned
from backend.present import retelling
from backend.program.lessons import LESSONS
from backend.program.lessons.base import Lesson
from backend.program.request import Material
from tests.support import torch_reference

NARRATED = [name for name, lesson in LESSONS.items() if lesson.narration]
SWAPS = {
    "tanh": "sigmoid", ".exp()": ".sigmoid()", "**2": ".abs()", ".sum(": ".mean(", ".mean(": ".sum(", " - ": " + ",
    " + ": " - ", " @ ": " @ 2.0 * ", "**-1": "**-2", "relu": "sigmoid", "softmax": "log_softmax", " * ": " / ",
    "logsumexp": "sum", "layer_norm(x": "layer_norm(2 * x", "batch_norm(x": "batch_norm(x**2", "cross_entropy(": "cross_entropy(2 * ",
    "[Xb]": "[Xb.flip(0)]", "F.one_hot(": "1 + F.one_hot(", ".max(": ".min(", ".log()": ".exp()",
}  # fmt: skip
KINDS = ("line changed", "operation replaced", "line added", "size changed", "numbers changed")


@dataclass
class Edit:
    """A changed copy of a lesson, and the line that differs (counted from 0), where one does."""

    request: dict[str, Any]
    line: int | None = None


def copies(name: str) -> dict[str, Any]:
    """The lesson as a program of one's own."""
    return dict(backend.program({"lesson": name})["request"]) | {"copy_of": name}


def edits(name: str, seed: int) -> Iterator[tuple[str, Edit]]:
    """One edit of each kind, at a place that the seed chooses."""
    draw, request = random.Random(f"{name} {seed}"), copies(name)
    lines = request["source"].split("\n")
    made = [number for number, line in enumerate(lines) if " = " in line and not line.strip().startswith("#")]
    at = draw.choice(made)
    target, _, value = lines[at].partition(" = ")
    yield "line changed", Edit(with_line(request, at, [f"{target} = ({value}) * 1.5"]), at)
    swapped = [(n, old) for n in made for old in SWAPS if old in lines[n].partition(" = ")[2]]
    if swapped:
        n, old = draw.choice(swapped)
        first, _, rest = lines[n].partition(" = ")
        yield "operation replaced", Edit(with_line(request, n, [f"{first} = {rest.replace(old, SWAPS[old], 1)}"]), n)
    yield "line added", Edit(with_line(request, at, [lines[at], f"{target} = {target.strip()} + 0.25"]), at)
    yield "size changed", Edit(smaller(request))
    yield "numbers changed", Edit(moved(request, draw))


def with_line(request: dict[str, Any], at: int, instead: list[str]) -> dict[str, Any]:
    lines = request["source"].split("\n")
    return request | {"source": "\n".join([*lines[:at], *instead, *lines[at + 1 :]])}


def smaller(request: dict[str, Any]) -> dict[str, Any]:
    """Without the last example, where there are examples; `n` counts them."""
    dims, tensors = request.get("dims", {}), dict(request["tensors"])
    for name in [name for name, axes in dims.items() if axes and axes[0] == "example"]:
        tensors[name] = {**tensors[name], "values": tensors[name]["values"][:-1]}
    constants = request.get("constants", {})
    fewer = constants | {"n": constants["n"] - 1} if constants.get("n", 0) > 2 else constants
    return request | {"tensors": tensors, "constants": fewer}


def moved(request: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """Every decimal of one tensor moved."""

    def shifted(values: Any) -> Any:
        if isinstance(values, list):
            return [shifted(value) for value in values]
        return values + draw.uniform(-2, 2) if isinstance(values, float) else values

    name = draw.choice([name for name, spec in request["tensors"].items() if "values" in spec])
    spec = request["tensors"][name]
    return request | {"tensors": request["tensors"] | {name: {**spec, "values": shifted(spec["values"])}}}


def retold(request: dict[str, Any]) -> Material | None:
    """What stays; nothing where the changed program can't be walked."""
    try:
        return retelling.retold(material_of(request), None, planned)
    except backend.Refusal:
        return None


def statements(source: str) -> dict[str, ast.expr]:
    """The expression behind each name of a program in which every name is assigned once."""
    made = [one for one in ast.parse(source).body if isinstance(one, ast.Assign)]
    return {ast.unparse(target): one.value for one in made for target in one.targets}


def reads(value: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}


def scope_of(material: Material) -> dict[str, Any]:
    """Values and gradients of a program, by plain Python in float64 and autograd."""
    graph = planned(material).graph
    given = {name: t.double() if t.is_floating_point() else t for name, t in material.tensors.items()}
    for tensor in given.values():
        tensor.requires_grad_(tensor.is_floating_point())
    scope = torch_reference.scope({"constants": material.constants}, given)
    with torch_reference.DefaultDtype(torch.float64):
        exec(graph.forward_source.replace(".float()", ".double()"), scope)
    wanted = {name: value for name, value in scope.items() if isinstance(value, torch.Tensor) and value.requires_grad}
    found = torch.autograd.grad(scope[graph.loss.variable], list(wanted.values()), allow_unused=True)
    gradients = {f"d{name}": gradient for name, gradient in zip(wanted, found, strict=True) if gradient is not None}
    return scope | gradients


def falsehoods(lesson: Lesson, material: Material) -> list[str]:
    """The sentences told of a program of which something isn't so: another own line, or a claim that doesn't hold."""
    before = statements(planned(material_of({"lesson": lesson.name})).graph.forward_source)
    after, scope = statements(planned(material).graph.forward_source), scope_of(material)
    with torch_reference.DefaultDtype(torch.float64):
        told = material.told_by.narration if material.told_by else {}
        return [
            f"{step}: {told[step]}"
            for step in told
            if not is_own(step, before, after)
            or not all(torch_reference.is_true(claim, scope) for claim in lesson.holds[step])
        ]


def is_own(step: str, before: dict[str, ast.expr], after: dict[str, ast.expr]) -> bool:
    name = step.replace("@", "_")
    if name in after:
        return name in before and ast.dump(before[name]) == ast.dump(after[name])
    using = [
        {other: ast.dump(value) for other, value in made.items() if name.removeprefix("d") in reads(value)}
        for made in (before, after)
    ]
    return using[0] == using[1]


def untouched(lesson: Lesson, edit: Edit, material: Material) -> set[str]:
    """Forward steps in front of the changed line that speak of nothing that it reaches."""
    if edit.line is None:
        return set()
    graph, own = planned(material).graph, planned(material_of({"lesson": lesson.name})).graph
    source, original = statements(graph.forward_source), statements(own.forward_source)
    reached = {name for name in source if name not in original or ast.dump(source[name]) != ast.dump(original[name])}
    for name, value in source.items():
        if reads(value) & reached:
            reached.add(name)
    moved_by = reached | {f"d{node.variable}" for node in graph.named}
    loss = own.loss.variable
    return {
        step
        for step in lesson.narration
        if (name := step.replace("@", "_")) in source and name not in reached and name != loss
        if not moved_by & set(re.findall(r"\w+", " ".join(lesson.holds[step]))) and name in original
    }


@pytest.mark.parametrize("name", NARRATED)
def test_what_stays_of_a_changed_copy_is_true(name: str, thorough: bool) -> None:
    lesson, walked = LESSONS[name], 0
    for seed in range(25 if thorough else 1):
        for kind, edit in edits(name, seed):
            material = retold(edit.request)
            if material is None:
                continue
            walked += 1
            assert material.told_by is not None
            assert falsehoods(lesson, material) == [], (kind, edit.request["source"])
            assert untouched(lesson, edit, material) <= set(material.told_by.narration), (kind, edit.request["source"])
    assert walked >= 3


@pytest.mark.parametrize("name", ["makemore-mlp", "batchnorm"])
@pytest.mark.parametrize("careless", ["holds", "_places"])
def test_a_careless_choice_of_sentences_is_caught(name: str, careless: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where claims go unchecked, or lines uncompared, something false is told."""
    owner, reply = (retelling._Changed, True) if careless == "holds" else (retelling._Kept, [True])
    monkeypatch.setattr(owner, careless, lambda *_: reply)
    told = [(edit, retold(edit.request)) for seed in range(2) for _, edit in edits(name, seed)]
    assert any(falsehoods(LESSONS[name], material) for _, material in told if material)


@pytest.mark.parametrize("name", NARRATED)
def test_a_copy_in_which_nothing_changed_is_told_as_the_lesson_is(name: str) -> None:
    request = copies(name)
    request["source"] = "# mine\n" + request["source"].replace("# Embedding\n", "\n")
    material = retold(request)
    assert material is not None
    assert material.told_by is not None
    assert material.lesson is None
    assert material.told_by.narration == LESSONS[name].narration
    assert set(LESSONS[name].holds) == set(LESSONS[name].narration), "each sentence says what has to hold for it"


def test_a_copy_of_another_seed_keeps_sentences_letters_and_the_tug_of_war() -> None:
    own = backend.program({"lesson": "makemore-mlp", "seed": 7})["request"] | {"copy_of": "makemore-mlp"}
    fewer, lesson = retold(smaller(own)), LESSONS["makemore-mlp"]
    assert fewer is not None
    assert fewer.told_by is not None
    assert fewer.told_by.narration == lesson.narration
    assert len(fewer.labels["example"]) == 31
    assert fewer.told_by.codes == lesson.codes
    own["tensors"]["Xb"]["values"][0] = [5, 5, 5]  # such a beginning is in no name of the list
    other = retold(own)
    assert other is not None
    assert other.told_by is not None
    assert not other.labels
    assert not other.told_by.codes
    assert "dC" not in other.told_by.narration


def test_a_sentence_of_which_nothing_is_said_stays_only_where_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = LESSONS["batchnorm"]
    monkeypatch.setitem(LESSONS, "batchnorm", replace(lesson, holds={}))
    same, other = (retold(request) for request in (copies("batchnorm"), smaller(copies("batchnorm"))))
    assert same is not None
    assert other is not None
    assert same.told_by is not None
    assert other.told_by is not None
    assert same.told_by.narration == lesson.narration
    assert not other.told_by.narration


def test_numbers_changed_by_hand_are_told_of_as_they_are() -> None:
    changes = [{"tensor": "b", "index": [2], "value": 0.0}]
    material = retold({"lesson": "elementwise.dead", "changes": changes})
    assert material is not None
    assert material.told_by is not None
    assert not material.told_by.narration
    cut = retold({"lesson": "makemore-mlp", "changes": [{"tensor": "hpreact", "scale": 2.0}]})
    assert cut is not None
    assert cut.told_by is not None
    assert {"h", "probs", "dlogits"} <= set(cut.told_by.narration)
    assert not {"hpreact", "dC"} & set(cut.told_by.narration)  # one is an input now, the other has no gradient


def test_a_claim_is_not_measured_by_what_blows_up_after_it() -> None:
    """Uphill for twelve steps the path reaches 1e14: a millionth of a millionth of that is no rounding of `v`."""
    request = copies("ways-to-step.momentum")
    request["source"] = request["source"].replace("0.5 * v + grad", "0.5 * v - grad")
    material = retold(request)
    assert material is not None
    assert material.told_by is not None
    assert "p@2" not in material.told_by.narration


def test_a_constant_row_is_not_said_to_get_variance_1() -> None:
    constant = [{"tensor": "x", "index": [0], "value": 1.0}]
    told = [json.loads(backend.walk({"lesson": "attention", "changes": changes})) for changes in ([], constant)]
    texts = [[item["text"] for step in one["steps"] for item in step["explanation"]] for one in told]
    assert [any("gets mean 0 and variance 1" in text for text in one) for one in texts] == [True, False]
