"""Formulas in index letters, worked out with plain loops: each gives the number that it stands for."""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.guard import caught
from backend.engine.ops import OPS
from backend.engine.trace.statement import statement_of
from backend.inspect.cell.cell import cell_of
from backend.pipeline import run_of
from backend.present.drawings import drawings_of
from backend.program.runs import Run
from tests.support import index_notation_evaluator, op_samples, programs
from tests.support.programs import REQUESTS, mostly, some

# The share of lines that letters can say, all samples and programs together; the others pick by masks and lists, or are
# too long to be read.
SAID = 0.98
LARGEST_EXPONENT = 700
pytestmark = pytest.mark.filterwarnings("ignore:reduction")


def run_for(name: str) -> Run:
    return programs.run_for(name, "float64")


def scope_of(run: Run) -> dict[str, Any]:
    """Every name that a line may read, helper lines included."""
    evaluator = Evaluator(dict(run.forward.values))
    with torch.no_grad(), DefaultDtype(run.material.dtype):
        for line in run.plan.lines:
            for statement in line.statements:
                evaluator.statement(statement)
    return evaluator.scope


def lines_of(run: Run) -> Iterator[tuple[str, torch.Tensor]]:
    """The formula of every chunk and of every backward line, each with the numbers it should give."""
    writer = drawings_of(run.plan).writer
    for chunk, primitives in run.plan.graph.primitives():
        node = chunk.node
        formula = writer.of_statement(node, statement_of(node, run.plan.graph), primitives)
        yield formula.whole, run.forward.tensors[node.variable]
    for line, kept in zip(run.plan.lines, run.contributions, strict=True):
        yield writer.of_lines(line.variable, line.mode, [line], line.target.shape).whole, kept.value


def problems(run: Run, count: int) -> list[str]:
    """Formulas that give another number somewhere."""
    scope, wrong = scope_of(run), []
    for formula, tensor in lines_of(run):
        chance = random.Random(zlib.crc32(formula.encode()))
        for _ in range(count if formula and tensor.numel() else 0):
            index = tuple(chance.randrange(size) for size in tensor.shape)
            found, want = index_notation_evaluator.value(formula, scope, index), tensor[index].item()
            # The logarithm of a sum of exponentials, taken at its word, has no room for numbers as large as these.
            too_large = not math.isfinite(found) and abs(want) > LARGEST_EXPONENT
            same = found == want or (math.isnan(found) and math.isnan(want)) or too_large
            if not same and not abs(found - want) <= 1e-9 * max(1.0, abs(want)):
                wrong.append(f"{formula} at {index}: {found}, not {want}")
    return wrong


@pytest.mark.parametrize("name", mostly(REQUESTS))
def test_every_formula_gives_its_number(name: Any) -> None:
    assert not problems(run_for(name), 4)


@pytest.mark.parametrize("name", some(REQUESTS, 16))
def test_the_formula_of_an_answer_gives_the_number_shown(name: Any) -> None:
    run = run_for(name)
    scope, chance = scope_of(run), random.Random(name)
    for node in run.plan.graph.named:
        if "d" + node.variable not in run.gradients or not node.meta.numel():
            continue
        index = tuple(chance.randrange(size) for size in node.shape)
        answer = cell_of(run, str(node.name), "gradient", index)
        if answer["formula"]:
            found = index_notation_evaluator.value(answer["formula"], scope, index)
            assert found == pytest.approx(answer["shown"], rel=1e-9, abs=1e-9, nan_ok=True), answer["formula"]
            assert all(path["formula"] for path in answer["paths"])


@pytest.mark.parametrize("name", some(REQUESTS, 16))
def test_a_formula_filled_with_its_numbers_gives_the_number_shown(name: str) -> None:
    """All of its terms at once, values and gradients; the numbers are those of the tensors it names."""
    run, chance = run_for(name), random.Random(name)
    for node in run.plan.graph.named:
        for which in ("value", "gradient") if node.meta.numel() else ():
            if which == "gradient" and "d" + node.variable not in run.gradients:
                continue
            answer = cell_of(run, str(node.name), which, tuple(chance.randrange(size) for size in node.shape))
            filled = answer["numbers"]
            if filled is None or filled["count"] > len(filled["terms"]):
                continue
            found = math.fsum(index_notation_evaluator.filled(term["text"], term["values"]) for term in filled["terms"])
            shown = float(answer["shown"])
            assert found == pytest.approx(shown, rel=1e-9, abs=1e-9, nan_ok=True), (answer["formula"], filled)


def test_every_formula_that_is_written_is_filled() -> None:
    """But for sums over more numbers than anyone waits for."""
    for name in ("makemore", "causal-multihead", "gru", "infonce"):
        run = run_for(name)
        for node in run.plan.graph.named:
            answer = cell_of(run, str(node.name), "value", (0,) * len(node.shape))
            assert (answer["numbers"] is None) == (answer["formula"] == ""), answer["formula"]


FILLED = {
    ("probs", "gradient"): ["⟨0⟩ / ⟨1⟩", "dlogprobs", "probs"],
    ("W2", "gradient"): ["⟨0⟩ · ⟨1⟩", "h", "dlogits"],
    ("hpreact", "gradient"): ["(1.0 - ⟨0⟩²) · ⟨1⟩", "h", "dh"],
    ("bnmeani", "value"): ["1/32 · ⟨0⟩", "hprebn"],
    ("h", "value"): ["tanh(⟨0⟩)", "hpreact"],
}


@pytest.mark.parametrize(("tensor", "which"), FILLED)
def test_the_numbers_of_makemore_are_those_of_the_operands(tensor: str, which: str) -> None:
    run = run_for("makemore")
    text, *names = FILLED[tensor, which]
    known = {**run.forward.values, **run.gradients}
    for column in range(5):
        answer = cell_of(run, tensor, which, (0, column))
        for term in answer["numbers"]["terms"]:
            assert term["text"] == text
            for value, name in zip(term["values"], names, strict=True):
                assert (known[name] == value).any(), (name, value)


def cases_of(op: Any, every: bool = False) -> Iterator[dict[str, Any]]:
    for text in op.samples:
        sample = op_samples.read(text, op)
        calls = (call for spelling in op.written for call in op_samples.written(spelling, sample))
        found = filter(None, (op_samples.case(call, sample) for call in calls))
        yield from found if every else islice(found, 1)


@pytest.mark.parametrize("op", [op for op in OPS if op.samples], ids=lambda op: op.__name__)
def test_every_operation_is_said_right_or_not_at_all(op: Any, thorough: bool) -> None:
    """In one spelling of each sample, or in every one."""
    for case in cases_of(op, every=thorough):
        assert not problems(run_of(case | {"dtype": "float64"}), 4)


def test_most_lines_can_be_said(thorough: bool) -> None:
    runs = [run_for(name) for name in REQUESTS[:: 1 if thorough else 3]]
    # An inverse, or a determinant, is no sum over letters.
    cellwise = [op for op in OPS if op.samples and not op.__module__.endswith("linalg")]
    runs += [run_of(next(cases_of(op)) | {"dtype": "float64"}) for op in cellwise]
    found = [formula for run in runs for formula, _ in lines_of(run)]
    assert sum(map(bool, found)) >= SAID * len(found)


MAKEMORE = {
    "emb": "emb[i,j,k] = C[Xb[i,j],k]",
    "embcat": "embcat[i,j] = emb[i,j//10,j%10]",
    "hprebn": "hprebn[i,j] = Σ_k embcat[i,k] · W1[k,j] + b1[j]",
    "bnmeani": "bnmeani[0,j] = 1/n · Σ_i hprebn[i,j]",
    "bndiff2": "bndiff2[i,j] = bndiff[i,j]²",
    "h": "h[i,j] = tanh(hpreact[i,j])",
    "logit_maxes": "logit_maxes[i,0] = max_j(logits[i,j])",
    "probs": "probs[i,j] = counts[i,j] · counts_sum_inv[i,0]",
    "loss": "loss = -1/32 · Σ_i logprobs[i,Yb[i]]",
    "dlogprobs": "dlogprobs[i,j] = -dloss/n if j == Yb[i] else 0",
    "dcounts": "dcounts[i,j] = counts_sum_inv[i,0] · dprobs[i,j] + dcounts_sum[i,0]",
    "dlogits": "dlogits[i,j] = dnorm_logits[i,j] + (argmax_k(logits[i,k]) == j) · dlogit_maxes[i,0]",
    "dW2": "dW2[i,j] = Σ_k h[k,i] · dlogits[k,j]",
    "dh": "dh[i,j] = Σ_k dlogits[i,k] · W2[j,k]",
    "db2": "db2[j] = Σ_i dlogits[i,j]",
    "dbngain": "dbngain[0,j] = Σ_i bnraw[i,j] · dhpreact[i,j]",
    "dhprebn": "dhprebn[i,j] = dbndiff[i,j] + 1/n · dbnmeani[0,j]",
    "demb": "demb[i,j,k] = dembcat[i,10·j+k]",
    "dC": "dC[i,j] = Σ_k,l (demb[k,l,j] if Xb[k,l] == i else 0)",
}


@pytest.mark.parametrize("name", MAKEMORE)
def test_makemore_in_letters(name: Any) -> None:
    run = run_for("makemore")
    which, tensor = ("gradient", name[1:]) if name[1:] in run.plan.by_name else ("value", name)
    shape = run.plan.by_name[tensor].shape
    assert cell_of(run, tensor, which, (0,) * len(shape))["formula"] == MAKEMORE[name]


SPOKEN = {
    "x.flip(0)": "y[i,j] = x[3-i,j]",
    "x[::2, 1:]": "y[i,j] = x[2·i,j+1]",
    "x.view(2, 6)": "y[i,j] = x[2·i+j//3,j%3]",
    "x.roll(1, 0)": "y[i,j] = x[(i+3)%4,j]",
    "x.repeat(2, 1)": "y[i,j] = x[i%4,j]",
    "x[1]": "y[i] = x[1,i]",
    "torch.cat((x, x[:1]))": "y[i,j] = x[i,j] if i < 4 else x[0,j]",
    "x[:, :2] @ W": "y[i,j] = Σ_k<2 x[i,k] · W[k,j]",
    "F.softmax(x, 1)": "y[i,j] = exp(x[i,j]) / (Σ_k exp(x[i,k]))",
    "x.var(0)": "y[j] = (Σ_i (x[i,j] - 1/4 · Σ_k x[k,j])²) / (4 - 1)",
    "x * (x > 0)": "y[i,j] = x[i,j] · (x[i,j] > 0)",
    "-(x - 1) * 2": "y[i,j] = -(x[i,j] - 1) · 2",
    "x.cumsum(0)": "y[i,j] = Σ_k (x[k,j] if k <= i else 0)",
    "x[x > 0]": "",
}  # fmt: skip


@pytest.mark.parametrize("expression", SPOKEN)
def test_how_lines_are_spoken(expression: Any) -> None:
    tensors = {
        "x": {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 1},
        "W": {"role": "data", "shape": [2, 3], "init": "randn", "seed": 2},
    }
    run = run_of({"source": f"y = {expression}\nloss = y.sum() + W.sum()", "tensors": tensors, "dtype": "float64"})
    assert cell_of(run, "y", "value", (0,) * len(run.plan.by_name["y"].shape))["formula"] == SPOKEN[expression]
    assert not problems(run, 6)


def test_letters_that_the_program_uses_are_left_alone() -> None:
    tensors = {
        "i": {"role": "parameter", "shape": [3, 2], "init": "randn"},
        "k": {"role": "parameter", "shape": [2, 2], "init": "randn"},
    }
    run = run_of({"source": "j = i @ k\nloss = j.sum()", "tensors": tensors, "dtype": "float64"})
    assert cell_of(run, "j", "value", (0, 0))["formula"] == "j[l,m] = Σ_p i[l,p] · k[p,m]"


def test_a_line_nobody_would_read_is_not_written() -> None:
    source = "y = " + " + ".join(["torch.tanh(x) * 2.5"] * 40) + "\nloss = y.sum()"
    run = run_of({"source": source, "tensors": {"x": {"role": "parameter", "shape": [2, 2], "init": "randn"}}})
    assert cell_of(run, "y", "value", (0, 0))["formula"] == ""


def test_one_place_of_a_row_is_taken_for_a_row_of_one() -> None:
    """PyTorch adds to and gathers from a row at a single number; no formula says so, and none fails."""
    tensors = {
        "x": {"role": "data", "shape": [3], "init": "randn"},
        "i": {"role": "target", "values": 1},
        "v": {"role": "parameter", "values": 2.0},
    }
    before = dict(caught)
    run = run_of({"source": "y = x.scatter_add(0, i, v)\nloss = (y * y).sum()", "tensors": tensors, "dtype": "float64"})
    assert problems(run, 10) == []
    assert caught == before


@pytest.mark.parametrize("sizes", [[0.5, 3.0, -2.0], [0.5, 3.0, -2.0, 1.0, -4.0]])
def test_a_few_terms_keep_their_order_and_of_many_the_largest_come_first(sizes: list[float]) -> None:
    tensors = {
        name: {"role": "parameter", "values": values} for name, values in (("a", sizes), ("b", [1.0, *sizes[1:]]))
    }
    run = run_of({"source": "z = a @ b", "tensors": tensors})
    told = cell_of(run, "z", "value", ())["numbers"]
    terms = [math.prod(float(value) for value in one["values"]) for one in told["terms"]]
    ordered = [a * b for a, b in zip(sizes, [1.0, *sizes[1:]], strict=True)]
    assert terms == (ordered if len(sizes) == 3 else sorted(ordered, key=abs, reverse=True))
