"""The makemore network, whole: 26 gradients over 20 seeds, the printed pass run by itself, clones, golden texts."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import backend
from backend.engine.differentiate.reverse import differentiate
from backend.engine.execute.run import run_backward
from backend.program.request import read
from tests.support import makemore, torch_reference

GOLDEN = Path(__file__).parents[1] / "golden"
ROOT = Path(__file__).parents[3]
ALL = {
    "C W1 b1 W2 b2 bngain bnbias emb embcat hprebn bnmeani bndiff bndiff2 bnvar bnvar_inv bnraw hpreact h logits "
    "logit_maxes norm_logits counts counts_sum counts_sum_inv probs logprobs"
}


def walk(**request: Any) -> Any:
    return json.loads(backend.walk(makemore.LESSON | {"arrays": "lists"} | request))


@pytest.mark.parametrize(
    ("exact", "seed"),
    [
        pytest.param(exact, seed, marks=pytest.mark.exhaustive if exact and seed > 4 else ())
        for exact in (False, True)
        for seed in makemore.SEEDS
    ],
)
def test_26_gradients(seed: Any, exact: bool) -> None:
    document = walk(seed=seed, exact=exact)
    verdicts = {n["name"]: n["gradient"]["verdict"] for n in document["nodes"] if n["gradient"] and n["name"] != "loss"}
    assert {" ".join(verdicts)} == ALL
    assert all(verdict["shape"] and verdict["approximate"] for verdict in verdicts.values())
    assert sum(verdict["exact"] for verdict in verdicts.values()) >= (26 if exact else 11)
    assert {name for name, verdict in verdicts.items() if verdict["level"] == "zero"} == makemore.TRUE_ZEROS
    assert {verdict["level"] for verdict in verdicts.values()} <= {"exact", "approximate", "zero"}
    summary = document["summary"]
    assert (summary["gradients"], summary["approximate"], summary["wrong"], summary["zero"]) == (26, 26, 0, 2)


@pytest.mark.parametrize("seed", makemore.SEEDS[:5])
@pytest.mark.parametrize("exact", [False, True])
def test_the_printed_pass_runs_by_itself(seed: Any, exact: bool) -> None:
    document, material = walk(seed=seed, exact=exact), read(makemore.LESSON | {"seed": seed})
    scope = {**torch_reference.scope({}, material.tensors), "n": 32}
    after, leaves = dict(scope), dict(scope)
    with torch.no_grad():
        exec(document["forward_source"], after)
        exec(document["backward_source"], after)
    for name, tensor in material.tensors.items():
        leaves[name] = tensor.clone().requires_grad_(tensor.is_floating_point())
    for statement in ast.parse(document["forward_source"]).body:
        exec(ast.unparse(statement), leaves)
        leaves[statement.targets[0].id].retain_grad()
    leaves["loss"].backward()
    for name in makemore.names():
        mine, autograd = after[f"d{name}"], leaves[name].grad
        assert mine.shape == autograd.shape
        assert torch.equal(mine, autograd) or not exact
        assert torch.allclose(mine, autograd, rtol=1e-4, atol=1e-6 * float(autograd.abs().max()) + 1e-8)


@pytest.mark.parametrize(("exact", "file"), [(False, "makemore_backward.txt"), (True, "makemore_backward_exact.txt")])
def test_golden_text(exact: bool, file: Any) -> None:
    assert walk(exact=exact)["backward_source"] == (GOLDEN / file).read_text()


@pytest.mark.parametrize("exact", [False, True])
def test_it_reads_like_a_persons(exact: bool) -> None:
    text = walk(exact=exact)["backward_source"]
    lines = text.splitlines()
    assert len(lines) <= 36
    assert max(map(len, lines)) <= 88
    for noise in ("1.0 * ", " * 1.0", "--", "- -", "* 1 ", " ((", "+ 0", "inner"):
        assert noise not in text
    assert sum(" += " in line for line in lines) == 4
    assert "dbngain = (bnraw * dhpreact).sum(0, keepdim=True)" in lines
    assert "db2 = dlogits.sum(0)" in lines


def test_the_forward_source_is_the_lessons_own() -> None:
    assert walk()["forward_source"] == backend.lesson("makemore-mlp")["source"]


def cloned() -> Any:
    return [number for number, line in enumerate(makemore.pair().coarse.lines) if ".clone()" in line.code]


@pytest.mark.parametrize("number", cloned())
def test_each_clone_is_needed(number: Any) -> None:
    """Without it a later `+=` writes into another gradient as well."""
    pair = makemore.pair()
    line = pair.coarse.lines[number]
    lines = list(pair.coarse.lines)
    lines[number] = makemore.with_code(line, line.code.replace(".clone()", ""))
    match = re.match(r"d(\w+) = d(\w+)\.clone\(\)", line.code)
    assert match is not None
    source = match[2]
    shared = run_backward(lines, pair.coarse.forward.values, torch.float32).gradients
    assert shared[f"d{source}"] is shared[line.variable]
    assert not torch.equal(shared[f"d{source}"], pair.coarse.gradients[f"d{source}"])
    # What dlogit_maxes brings is rounding, too small to be called wrong.
    assert pair.judge(lines)[source].level == "wrong" or source == "norm_logits"


def test_clones_stand_nowhere_else() -> None:
    assert [makemore.pair().coarse.lines[number].variable for number in cloned()] == ["dlogits", "dhprebn"]


@pytest.mark.exhaustive
def test_the_same_request_gives_the_same_bytes(thorough: bool) -> None:
    def text(**request: Any) -> Any:
        return re.sub(rb'"milliseconds":\{[^}]*\}', b"", backend.walk(makemore.LESSON | request))

    once = text(steps="all")
    assert text(steps="all") == once
    assert text(seed=1, arrays="lists") != text(seed=2, arrays="lists")
    code = (
        "import sys, re, backend; sys.stdout.buffer.write(re.sub(rb'\"milliseconds\":\\{[^}]*\\}', b'', "
        'backend.walk({"lesson": "makemore-mlp", "steps": "all"})))'
    )
    for salt in ("1", "2") if thorough else ("1",):
        environment = os.environ | {"PYTHONHASHSEED": salt, "OMP_NUM_THREADS": "1"}
        fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment, cwd=ROOT)
        assert fresh.stdout == once


def test_differentiating_twice_prints_the_same() -> None:
    graph = makemore.pair().coarse.graph
    first, second = (([line.code for line in differentiate(graph)]) for _ in range(2))
    assert first == second
