"""What a figure says to somebody who does not see it is true of its walk's numbers."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from html import unescape
from typing import Any

import pytest
import torch
import torch.nn.functional as F

import backend
from backend.pipeline import run_of
from tests.support import prose_lint

SPOKEN = (
    *("cell", "tensor", "drag", "rope", "jacobian", "collapse", "graph", "step", "derivation", "threeways"),
    *("saturation", "throughtime", "order"),
)


@cache
def chapters() -> list[tuple[dict[str, str], list[Any]]]:
    """Our chapters' parts, and which lesson a name of theirs stands for."""
    return [
        ({one["name"]: one["lesson"] for one in entry["programs"]}, backend.chapter(entry["name"])["parts"])
        for entry in backend.chapters()
    ]


def figures(kind: str) -> list[tuple[str, Any]]:
    """Every figure of a kind in our chapters, with the lesson that it looks into."""
    return [(lessons[part["program"]], part) for lessons, parts in chapters() for part in parts if part["kind"] == kind]


def words(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", re.sub(r"</?code>", "`", html)))


def number(text: str) -> float:
    """A number as it is told: −0.341, 6·10⁻⁹."""
    small = text.replace("−", "-").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    if "/" in small:
        return float(Fraction(small))
    mantissa, _, power = small.partition("·10")
    return float(mantissa) * 10.0 ** float(power or 0)


def test_the_code_of_a_step_is_the_line_itself() -> None:
    """Two powers in a line are no bold text between them."""
    codes = [
        (part["props"]["code"], re.match(r"<pre><code>(.*?)</code></pre>", part["fallback"], re.DOTALL))
        for _, part in figures("step")
    ]
    assert sum(code.count("**") > 1 for code, _ in codes) > 0
    assert [code for code, told in codes if told is None or unescape(told[1]) != code] == []


@pytest.mark.parametrize("kind", SPOKEN)
def test_every_figure_has_words(kind: str) -> None:
    assert figures(kind)
    for _, part in figures(kind):
        text = words(part["fallback"])
        assert len(text.split()) >= 3, part["id"]
        if kind in ("cell", "drag", "rope", "jacobian", "collapse"):
            short = re.sub(r"(is the sum of \d+ terms)(?::|; among them are).*$", r"\1.", text)
            short = re.sub(r"Up: .*(?=All \d)", "", short)
            assert [one for one in prose_lint.problems(short) if "words:" not in one] == [], text


def test_the_terms_of_a_cell_add_up_to_it() -> None:
    tried = 0
    for _, part in figures("cell"):
        told = re.search(r"is (\S+)\. It is the sum of (\d+) terms: (.*)\.$", words(part["fallback"]))
        if told is None:
            continue
        total = 0.0
        for term in told[3].split(", "):
            product = 1.0
            for factor in re.split(r" · ", term):
                product *= number(factor.strip("()"))
            total += product
        assert total == pytest.approx(number(told[1]), rel=0.03, abs=0.02), part["fallback"]
        tried += 1
    assert tried >= 3


def test_the_promise_of_a_drag_is_the_gradient() -> None:
    for lesson, part in figures("drag"):
        told = re.search(r"moves by (\S+)·ε", words(part["fallback"]))
        if told:
            run = run_of({"lesson": lesson})
            variable = run.plan.by_name[part["props"]["tensor"]].variable
            true = run.forward.autograd[variable][tuple(part["props"].get("index", []))]
            assert number(told[1]) == pytest.approx(float(true), rel=0.01)


def test_what_a_nudge_does_is_what_the_loss_does() -> None:
    """At a kink it goes two ways, and where a straight-through line promises a slope the loss stays."""
    told = {lesson: words(part["fallback"]) for lesson, part in figures("drag")}
    u = torch.zeros(2, dtype=torch.float64) + torch.tensor([-1e-6, 1e-6])
    assert (F.relu(u) / u).tolist() == [0, 1]
    assert "has a kink: its slope is 0 below and 1 above. The lines take 0." in told["is-my-gradient-right.kink"]
    u, target = torch.tensor([0.2, 0.7, 1.4]), torch.tensor([1.0, 1.0, 3.0])
    losses = [float(((torch.round(u + step) - target) ** 2).sum()) for step in (-1e-3, 0.0, 1e-3)]
    assert losses == [5.0, 5.0, 5.0]
    assert "The gradient promises −4·ε. Nudge `u[2]` by ε, and `loss` stays." in told["no-gradient.straight"]


def test_the_numbers_of_a_table_are_the_tensor_s() -> None:
    tables = [(lesson, part) for lesson, part in figures("tensor") if "<table>" in part["fallback"]]
    assert tables
    for lesson, part in tables:
        told = [number(one) for one in re.findall(r"<td>([^<]+)</td>", part["fallback"])]
        walk = json.loads(backend.walk({"lesson": lesson, "arrays": "lists"}))
        node = next(one for one in walk["nodes"] if one["name"] == part["props"]["tensor"])
        held = node["value"] if part["props"]["which"] == "value" else node["gradient"]["manual"]
        flat: list[Any] = held
        while isinstance(flat[0], list):
            flat = [cell for row in flat for cell in row]
        assert told == pytest.approx(flat, rel=0.01, abs=1e-6)


def test_a_rope_names_who_is_pulled_up() -> None:
    for lesson, part in figures("rope"):
        run = run_of({"lesson": lesson})
        row = run.gradients["d" + part["props"]["tensor"]][tuple(part["props"]["index"])]
        up = re.search(r"Up: (.*?)\. Most", words(part["fallback"]))
        assert up is not None
        assert len(re.findall("“", up[1])) == int((row < 0).sum())
        assert f"All {len(row)} add up to" in words(part["fallback"])
