"""What is said before the first step, beside the program's own text and torch's numbers."""

from __future__ import annotations

import ast
import json
import math
import re
from typing import Any

import pytest
import torch

import backend
from backend.program.lessons import OWN as LESSONS
from tests.support import prose_lint
from tests.support.programs import BY_NAME, REQUESTS, request_of, some, walk_for

OWN = "`(.+)` is computed in (one|\\d+) steps? from (.+): here it is (.+)\\."


def read_by(source: str) -> set[str]:
    """The names that a text reads before it assigns them."""
    free: set[str] = set()
    assigned: set[str] = set()
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.Name):
            (assigned if isinstance(statement.ctx, ast.Store) else free).add(statement.id)
    return free | assigned


@pytest.mark.parametrize("name", some(list(BY_NAME), 16))
def test_a_program_s_beginning_counts_right(name: str) -> None:
    document, request = walk_for(name), request_of(name)
    said, question = document["beginning"]
    found = re.fullmatch(OWN, said)
    assert found, said
    loss, steps, sources, value = found.groups()
    assert loss == document["loss"]["name"]
    assert f"how far does `{loss}` move" in question
    directions = [step["direction"] for step in document["steps"]]
    assert int(steps.replace("one", "1")) == directions.count("forward")
    turn = re.match(r"Step (\d+) begins backpropagation:", question)
    assert turn
    assert int(turn[1]) == 1 + directions.index("backward")
    plain = value.translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")).replace("·10", "e")
    assert float(plain) == pytest.approx(document["loss"]["value"], rel=1e-2 if "e" in plain else 1e-3)
    read = {name: spec for name, spec in request["tensors"].items() if name in read_by(request["source"])}
    named = re.findall("`(.+?)`", sources)
    if named:
        assert set(named) == set(read)
    else:
        parameters = sum(spec["role"] == "parameter" for spec in read.values())
        told = {word.rstrip("s"): int(count) for count, word in re.findall(r"(\d+) (\w+)", sources)}
        expected = {"parameter": parameters, "input": len(read) - parameters}
        assert told == {word: count for word, count in expected.items() if count}


@pytest.mark.parametrize("name", some(REQUESTS, 16))
def test_a_beginning_is_plain_english(name: str) -> None:
    assert [fault for text in walk_for(name)["beginning"] for fault in prose_lint.problems(text)] == []


def test_the_lesson_s_numbers_are_those_of_its_run() -> None:
    said: Any = " ".join(walk_for("makemore")["beginning"])
    logits = torch.tensor(next(n["value"] for n in walk_for("makemore")["nodes"] if n["name"] == "logits"))
    targets = torch.tensor(next(n["targets"] for n in walk_for("makemore")["nodes"] if n["name"] == "logits"))
    loss = float(torch.nn.functional.cross_entropy(logits, targets))
    blind = math.log(logits.shape[1])
    assert loss > blind
    assert f"For these {len(logits)} examples the loss is {loss:.2f}, no better than guessing blindly" in said
    label, before, after = re.findall(r"`(.+? → .)`: after “(.+?)” comes “(.)”\.", said)[0]
    assert label == f"{before:.>3} → {after}"
    assert label in walk_for("makemore")["labels"]["example"]
    assert f"among {logits.shape[1]} letters: ln {logits.shape[1]} = {blind:.2f}." in said
    after_ten = {"lesson": "makemore-mlp", "changes": [{"descend": 0.1, "steps": 10}]}
    assert "2.44, better than guessing blindly" in json.loads(backend.walk(after_ten))["beginning"][1]
    assert LESSONS["makemore-mlp"].beginning
