"""The factor that an open number's term names is the cell whose number the term multiplies by."""

import itertools

import pytest
import torch

from backend.inspect.cell.cell import cell_of
from backend.pipeline import run_of
from backend.program.runs import Run

PROGRAMS = ["makemore-mlp", "attention", "through-time", "relu-classifier"]


def number_at(run: Run, factor: dict) -> float:
    name = run.plan.by_name[factor["tensor"]].variable
    held = run.forward.tensors[name] if factor["of"] == "value" else run.gradients[f"d{name}"]
    return float(held[tuple(factor["cell"])])


def opened(run: Run) -> list[dict]:
    """Some cells of every tensor and of every gradient: its first, its last, and one between."""
    found = []
    for node in run.plan.graph.named:
        corners = [{0, size // 2, size - 1} for size in node.shape]
        for index in itertools.islice(itertools.product(*corners), 4):
            found.append(cell_of(run, str(node.name), "value", index))
            if f"d{node.variable}" in run.gradients:
                found.append(cell_of(run, str(node.name), "gradient", index))
    return found


@pytest.mark.parametrize("lesson", PROGRAMS)
def test_a_factor_is_the_number_that_a_term_multiplies_by(lesson: str) -> None:
    run = run_of({"lesson": lesson, "dtype": "float64"})
    named = 0
    for answer in opened(run):
        for term in answer["terms"]:
            if factor := term["factor"]:
                named += 1
                assert number_at(run, factor) == pytest.approx(float(term["local"]), rel=1e-9, abs=1e-12), answer
    assert named > 40


def test_of_a_matrix_product_both_factors_are_named() -> None:
    run = run_of({"lesson": "makemore-mlp"})
    terms = cell_of(run, "W2", "gradient", (2, 5))["terms"]
    assert len(terms) == 32
    for term in terms:
        assert term["factor"] == {"tensor": "h", "of": "value", "cell": [term["cell"][0], 2]}
    products = torch.tensor([term["product"] for term in terms]).sum()
    assert float(products) == pytest.approx(float(run.gradients["dW2"][2, 5]), rel=1e-5)


def test_a_factor_that_is_no_single_cell_has_no_name() -> None:
    run = run_of({"lesson": "makemore-mlp"})
    assert {term["factor"] is None for term in cell_of(run, "hpreact", "gradient", (1, 2))["terms"]} == {True}
    assert cell_of(run, "logprobs", "gradient", (0, 0))["terms"] == []
