"""What a verdict says: shares of the largest gradient, kinds of zero and why, what is not finite and where it began."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest
import torch

import backend
from backend.language.wording import number_text
from backend.verify.compare import judge, judge_all
from tests.support import makemore, torch_reference

X = {"role": "parameter", "values": [[-1.0, 2.0], [3.0, 4.0], [0.5, -0.25]]}
B = {"role": "parameter", "values": [0.5, -1.5]}


def walked(source: Any, **tensors: Any) -> Any:
    request = {"source": source, "tensors": {"x": X} | tensors, "arrays": "lists"}
    document = json.loads(backend.walk(request))
    return document, {node["name"]: node for node in document["nodes"]}


def planted(change: Any, name: Any) -> Any:
    """A gradient of the makemore walk, changed alike in both precisions on both sides."""
    pair = makemore.pair()
    sides = []
    for side in (pair.coarse, pair.fine):
        gradients = side.gradients | {f"d{name}": change(side.gradients[f"d{name}"])}
        sides += [gradients, side.forward.autograd | {name: change(side.forward.autograd[name])}]
    return judge_all(*sides)[name]


def with_cell(value: Any) -> Any:
    def change(g: Any) -> Any:
        made = g.clone()
        made.view(-1)[-1] = value
        return made

    return change


# Levels.


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.parametrize("name", makemore.names())
def test_what_is_not_finite_is_never_exact_or_approximate(name: Any, value: Any) -> None:
    """Even where autograd has the very same NaN or infinity."""
    verdict = planted(with_cell(value), name)
    assert (verdict.level, verdict.exact, verdict.approximate, verdict.kind) == ("not-finite", False, False, None)


@pytest.mark.parametrize("name", makemore.names())
def test_nan_for_infinity_is_wrong(name: Any) -> None:
    pair = makemore.pair()
    mine, auto = (with_cell(value)(pair.coarse.gradients[f"d{name}"]).numpy() for value in (torch.nan, torch.inf))
    fine, fine_auto = (with_cell(value)(pair.fine.gradients[f"d{name}"]).numpy() for value in (torch.nan, torch.inf))
    assert judge(mine, auto, fine, fine_auto).level == "wrong"


def test_all_zero_by_rule() -> None:
    verdict = planted(torch.zeros_like, "h")
    assert (verdict.level, verdict.kind, verdict.residue) == ("exact", "rule", None)
    assert makemore.pair().judge()["h"].kind is None


def test_only_residues_have_a_residue() -> None:
    for name, verdict in makemore.pair().judge().items():
        assert (verdict.kind == "residue") == (name in makemore.TRUE_ZEROS)
        assert (verdict.residue is not None) == (name in makemore.TRUE_ZEROS)


def test_flat_against_one_row() -> None:
    """`(64,)` against `(1, 64)` would pass a comparison that broadcasts."""
    row = np.ones((1, 64), np.float32)
    assert judge(row[0], row, row[0].astype(float), row.astype(float)).level == "shape"
    assert judge(row, row[0], row.astype(float), row[0].astype(float)).level == "shape"


# Shares.


@pytest.mark.parametrize("name", makemore.names())
def test_shares_are_of_the_largest_gradient_in_both_precisions(name: Any) -> None:
    pair, verdict = makemore.pair(), makemore.pair().judge()[name]
    for share, side in ((verdict.share, pair.coarse), (verdict.share64, pair.fine)):
        autograd = side.forward.autograd
        largest = max(float(g.abs().max()) for g in autograd.values() if g.dtype) if name in makemore.TRUE_ZEROS else 0
        if name in makemore.TRUE_ZEROS and side is pair.fine:
            largest = max(float(g.abs().max()) for g in pair.coarse.forward.autograd.values())
        size = largest or float(autograd[name].abs().max())
        difference = float((side.gradients[f"d{name}"] - autograd[name]).abs().max())
        assert share == pytest.approx(difference / size, rel=1e-6)


def test_a_share_says_how_wrong_it_is() -> None:
    verdict = makemore.pair().judge_changed(lambda g: g * 1.25, ["W2"])["W2"]
    assert verdict.level == "wrong"
    assert verdict.share == pytest.approx(0.25)
    assert verdict.share64 == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6e-9, "6·10⁻⁹"),
        (0.0312, "0.031"),
        (0.0, "0"),
        (math.inf, "∞"),
        (math.nan, "NaN"),
        (250.4, "250"),
        (2e7, "2·10⁷"),
    ],
)
def test_sizes_in_prose(value: Any, text: Any) -> None:
    assert number_text(value, 2) == text


# Why zero.


def test_why_the_makemore_zeros_are_zero() -> None:
    """The reason is checked by what it claims: shifting changes nothing that the sentence names."""
    document = json.loads(backend.walk(makemore.LESSON | {"arrays": "lists"}))
    nodes = {node["name"]: node for node in document["nodes"]}
    for name, shifted, result in (("b1", "hprebn", "bndiff"), ("logit_maxes", "norm_logits", "probs")):
        because = nodes[name]["gradient"]["verdict"]["because"]
        assert f"of `{shifted}` changes" in because
        assert f"`{result}`" in because
    values = {name: torch.tensor(nodes[name]["value"]) for name in ("hprebn", "bndiff", "norm_logits", "probs")}
    moved = values["hprebn"] + 3.0
    assert torch.allclose(moved - moved.mean(0), values["bndiff"], atol=1e-5)
    assert torch.allclose((values["norm_logits"] + 3.0).softmax(1), values["probs"], atol=1e-6)


def test_the_two_sizes_of_a_residue_are_those_computed() -> None:
    for name in makemore.TRUE_ZEROS:
        verdict = makemore.pair().judge()[name]
        pair = makemore.pair()
        for residue, side in ((verdict.residue, pair.coarse), (verdict.residue64, pair.fine)):
            both = side.gradients[f"d{name}"], side.forward.autograd[name]
            assert residue == max(float(g.abs().max()) for g in both)
        assert (verdict.residue64 or 0.0) < 1e-5 * (verdict.residue or 0.0)


def test_a_residue_is_drawn_on_the_scale_of_what_arrives() -> None:
    document = json.loads(backend.walk(makemore.LESSON | {"arrays": "lists"}))
    nodes = {node["name"]: node for node in document["nodes"]}
    for name, above in (("b1", "hprebn"), ("logit_maxes", "norm_logits")):
        arriving = float(torch.tensor(nodes[above]["gradient"]["autograd"]).abs().max())
        assert nodes[name]["gradient"]["scale"] == pytest.approx(arriving, rel=1e-6)
    assert {
        name for name, node in nodes.items() if node["gradient"] and node["gradient"]["scale"]
    } == makemore.TRUE_ZEROS


def test_other_reasons_for_a_true_zero() -> None:
    w = {"role": "parameter", "shape": [40, 7], "init": "randn"}
    c = {"role": "parameter", "shape": [7], "init": "randn", "seed": 4}
    source = "c = b * 2.0\nh = w + c\np = torch.log_softmax(h - h.mean(0) * 1.0, 1)\nloss = (p * p).mean()"
    _, nodes = walked(source, w=w, b=c)
    assert nodes["c"]["gradient"]["verdict"]["kind"] == "residue"
    assert "its 40 copies cancel" in nodes["c"]["gradient"]["verdict"]["because"].replace("The gradients of ", "")
    carried = nodes["b"]["gradient"]["verdict"]["because"]
    assert carried.startswith("The gradient of `c` is truly zero")
    assert re.search(r"In float64 what is left shrinks from \S+ to \S+; a real gradient wouldn't\.$", carried)


@pytest.mark.parametrize(
    ("source", "name", "because"),
    [
        ("y = torch.floor(x)\nloss = (y + x * 2).sum()", "y", None),
        ("h = x * 2\ny = torch.floor(h)\nloss = y.sum()", "h", "`y = torch.floor(h)` passes nothing back here"),
        ("h = x * 2\ny = torch.floor(h)\nloss = y.sum()", "x", "because every cell of `dh` is"),
        ("h = -x * x - 1.0\ny = h.relu()  # dead\nloss = y.sum()", "h", "`y = h.relu()` passes nothing back here"),
        ("a = x * 1\nu = a + 1\nv = a * 1\nloss = (u - v).sum()", "a", "its 2 paths cancel"),
    ],
)
def test_zero_by_rule(source: Any, name: Any, because: Any) -> None:
    _, nodes = walked(source)
    verdict = nodes[name]["gradient"]["verdict"]
    assert (verdict["kind"], verdict["level"]) == ("rule" if because else None, "exact")
    assert because is None or because in verdict["because"]
    case = {"source": source, "tensors": {"x": X}}
    gradient = torch_reference.reference(case)[name][1]
    assert gradient is not None
    assert bool(gradient.any()) == (because is None)


# No path.


@pytest.mark.parametrize(
    ("source", "name", "kind", "line", "words"),
    [
        ("d = x.detach()\nloss = (d * b).sum()", "x", "no-path", 1, "`x.detach()` on line 1 passes nothing back"),
        ("d = x.detach()\nloss = (d * b).sum()", "d", "constant", 1, "`x.detach()` on line 1 makes a constant"),
        ("d = x.detach() * 2\ne = d + 1\nloss = (e * b).sum()", "e", "constant", 1, "`x.detach()` on line 1"),
        ("h = x * 2\nk = h > 0\nloss = (k * b).sum()", "h", "no-path", 2, "`h > 0` on line 2 passes nothing back"),
        ("k = x > 0\nloss = (k * b).sum()", "k", "integers", 1, "gives truth values"),
        ("i = x.argmax(1)\nloss = (b[i] * b[i]).sum()", "x", "no-path", 1, "`x.argmax(1)` on line 1"),
        ("i = x.argmax(1)\nloss = (b[i] * b[i]).sum()", "i", "integers", 1, "gives whole numbers"),
        ("h = x * 2\nloss = b.sum()", "h", "unused", None, "no line reads `h`"),
        ("h = x * 2\nloss = b.sum()", "x", "unused", None, "nothing made from `x` reaches `loss`"),
        ("z = torch.ones(2) * 3\nloss = (z * b).sum() + x.sum()", "z", "constant", None, "nothing it is made from"),
        ("loss = (b * t).sum() + x.sum()", "t", "target", None, "`t` is a target"),
    ],
)
def test_without_a_gradient_the_line_that_cuts_it_is_named(
    source: Any, name: Any, kind: Any, line: Any, words: Any
) -> None:
    t = {"role": "target", "values": [1.0, 2.0]}
    _, nodes = walked(source, b=B, t=t)
    node = nodes[name]
    assert node["gradient"] is None
    assert (node["no_gradient"]["kind"], node["no_gradient"]["line"]) == (kind, line)
    assert words in node["no_gradient"]["text"]
    if kind in ("no-path", "unused"):
        assert torch_reference.reference({"source": source, "tensors": {"x": X, "b": B, "t": t}})[name][1] is None


# Not finite.


@pytest.mark.parametrize(
    ("source", "name", "of", "origin"),
    [
        ("p = x.log()\nloss = p.sum()", "loss", "value", ("p", "value", [0, 0], 1, "NaN")),
        ("p = x.log()\nloss = p.sum()", "p", "value", ("p", "value", [0, 0], 1, "NaN")),
        (
            "h = x * 1\np = 1 / (h - 2)\nq = p * h\nloss = q.sum()",
            "h",
            "gradient",
            ("p", "value", [0, 1], 2, "Infinity"),
        ),
        ("h = x.relu()\np = h.sqrt()\nloss = p.sum()", "h", "gradient", ("h", "gradient", [0, 0], 3, "Infinity")),
        ("h = (x - 2)**2\np = h.sqrt()\nloss = p.sum()", "x", "gradient", ("h", "gradient", [0, 1], 3, "Infinity")),
    ],
)
def test_where_it_began(source: Any, name: Any, of: Any, origin: Any) -> None:
    document, nodes = walked(source)
    node = nodes[name]
    found = node["not_finite"] if of == "value" else node["gradient"]["not_finite"]
    assert (found["tensor"], found["which"], found["cell"], found["line"], found["number"]) == origin
    step = document["steps"][found["step"]]
    assert (step["node"], step["code"], step["line"]) == (found["tensor"], found["code"], found["line"])
    values = nodes[origin[0]]["value"] if origin[1] == "value" else step["contribution"]
    for i in found["cell"]:
        values = values[i]
    assert values == found["number"]
    if of == "gradient":
        assert node["gradient"]["verdict"]["level"] == "not-finite"
        assert f"line {found['line']}" in node["gradient"]["verdict"]["because"]


def test_what_is_finite_has_no_such_place() -> None:
    document = json.loads(backend.walk(makemore.LESSON))
    for node in document["nodes"]:
        assert node["not_finite"] is None
        assert node["gradient"] is None or node["gradient"]["not_finite"] is None
    assert document["summary"]["not_finite"] == 0


def test_a_wrong_gradient_says_as_well_where_it_stopped_being_finite() -> None:
    """The printed mask makes 0 · ∞ of what autograd does not multiply at all."""
    _, nodes = walked("h = x.relu()\np = h.sqrt()\nloss = p.sum()")
    gradient = nodes["x"]["gradient"]
    assert (gradient["verdict"]["level"], gradient["autograd"][0][0]) == ("wrong", 0.0)
    assert gradient["verdict"]["because"].endswith("The first infinity is in `dh[0, 0]`, backward line 3.")


def test_the_summary_counts_what_is_not_finite() -> None:
    document, _ = walked("h = (x - 2)**2\np = h.sqrt()\nloss = p.sum()")
    summary = document["summary"]
    assert (summary["gradients"], summary["not_finite"], summary["exact"], summary["wrong"]) == (3, 2, 1, 0)


# The lens.


def test_where_terms_cancel_the_lens_says_so() -> None:
    for tensor, cancels in (("b1", True), ("logit_maxes", True), ("b2", False), ("bngain", False), ("W1", False)):
        shape = {"b1": [20], "logit_maxes": [0, 0], "b2": [3], "bngain": [0, 3], "W1": [0, 0]}[tensor]
        asked = {"walk": makemore.LESSON, "tensor": tensor, "which": "gradient", "index": shape}
        answer = backend.cell(asked)
        assert answer["agrees"]
        assert answer["cancels"] == cancels, tensor
