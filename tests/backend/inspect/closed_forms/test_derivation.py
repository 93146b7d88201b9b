"""Each stage of a derivation is run: equal to the one before it in float64, and the last one to autograd."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import backend
from backend.engine.language.errors import Refusal
from backend.inspect.closed_forms import derivation as derivations
from backend.inspect.closed_forms import find
from backend.inspect.closed_forms.derivation import collapses_of, derivation
from backend.inspect.closed_forms.pattern import Pattern
from backend.pipeline import run_of
from backend.program.request import identity
from backend.program.runs import _runs

MAKEMORE = {"lesson": "makemore-mlp"}
NEAR = {"logits": 1e-8, "hprebn": 2e-9}
SHORT = {
    "logits": "dlogits = (probs - F.one_hot(Yb, 27)) / n",
    "hprebn": "dhprebn = bngain*bnvar_inv/n * (n*dhpreact - dhpreact.sum(0) - n/(n-1)*bnraw*(dhpreact*bnraw).sum(0))",
}


def told(tensor: str, walk: dict[str, Any] = MAKEMORE) -> Any:
    return derivation({"walk": walk, "tensor": tensor})


def list_of(sent: dict[str, str]) -> list[float]:
    """The cells of a tensor as it was sent."""
    return [float(cell) for cell in np.frombuffer(base64.b64decode(sent["bdata"]), np.float32)]


def wide() -> dict[str, Any]:
    """The makemore network with 200 hidden units, drawn as the lecture draws it."""
    taken: dict[str, Any] = backend.program({"lesson": "makemore-mlp"})["request"]
    drawn = {
        "W1": {"shape": [30, 200], "scale": (5 / 3) / 30**0.5},
        "b1": {"shape": [200], "scale": 0.1},
        "W2": {"shape": [200, 27], "scale": 0.1},
        "bngain": {"shape": [1, 200], "scale": 0.1, "shift": 1.0},
        "bnbias": {"shape": [1, 200], "scale": 0.1},
    }
    made = {
        n: {"role": "parameter", "init": "randn", "seed": seed, **spec} for seed, (n, spec) in enumerate(drawn.items())
    }
    return taken | {"tensors": taken["tensors"] | made}


@pytest.mark.parametrize("tensor", NEAR)
def test_stages_lead_from_the_walk_s_lines_to_the_lecture_s_short_line(tensor: str) -> None:
    made = told(tensor)
    assert made["stages"][0]["code"].count("\n") + 1 >= made["collapses"]
    assert made["stages"][-1]["code"] == SHORT[tensor]
    assert len(made["stages"]) == {"logits": 8, "hprebn": 7}[tensor]
    for stage in made["stages"][1:]:
        assert stage["before"]["level"] in ("exact", "approximate"), stage["code"]
        assert stage["before"]["share64"] < 1e-14, stage["code"]
    texts = [stage["text"] for stage in made["stages"]]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("walk", [MAKEMORE, wide()], ids=["hidden 64", "hidden 200"])
@pytest.mark.parametrize("tensor", NEAR)
def test_short_lines_are_as_near_to_autograd_as_rounding_allows(walk: dict[str, Any], tensor: str) -> None:
    made = told(tensor, walk)
    last = made["stages"][-1]["autograd"]
    assert 0 < last["maxdiff"] < NEAR[tensor]
    assert last["share64"] < 1e-14
    assert "in float64 only" in made["end"]


def test_values_that_are_sent_are_the_gradient() -> None:
    made = told("logits")
    sent = made["stages"][-1]["value"]
    value = torch.tensor(np.frombuffer(base64.b64decode(sent["bdata"]), np.float32).copy()).reshape(32, 27)
    truth = _runs[identity(MAKEMORE)].forward.autograd["logits"]
    assert float((value - truth).abs().max()) == made["stages"][-1]["autograd"]["maxdiff"]


ROWS = {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 1}
CHANCES = {"role": "target", "values": [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.5, 1.0, 0.0]]}
# For each pattern a walk that has the words for all of its stages, and the tensor that it begins at.
FULL: dict[str, tuple[Any, str]] = {
    "cross-entropy": (MAKEMORE, "logits"),
    "normalisation": (MAKEMORE, "hprebn"),
    "rms-norm": (
        {"source": "ms = (a * a).mean(1, keepdim=True)\nh = a / torch.sqrt(ms + 1e-6)\nloss = (h * t).sum()",
         "tensors": {"a": ROWS, "t": CHANCES}}, "a",
    ),
    "unit-length": (
        {"source": "h = a / a.norm(dim=1, keepdim=True)\nloss = (h * t).sum()", "tensors": {"a": ROWS, "t": CHANCES}}, "a",
    ),
    "binary-cross-entropy": (
        {"source": "p = torch.sigmoid(a)\nloss = -(t * p.log() + (1 - t) * (1 - p).log()).mean()",
         "tensors": {"a": ROWS, "t": CHANCES}}, "a",
    ),
    "softmax": (
        {"source": "z = a - a.max(1, keepdim=True).values\np = F.softmax(z, 1)\nloss = (p * t).sum()",
         "tensors": {"a": ROWS, "t": CHANCES}}, "a",
    ),
}  # fmt: skip
STAGES = [(pattern, place) for pattern in find.PATTERNS for place in range(len(pattern.stages))]


@pytest.mark.parametrize(("pattern", "place"), STAGES, ids=lambda one: getattr(one, "kind", str(one)))
def test_a_mistake_in_any_stage_is_seen(monkeypatch: pytest.MonkeyPatch, pattern: Pattern, place: int) -> None:
    """A stage that is one in a thousand too large is wrong against the one before, and the one after it, too."""
    walk, tensor = FULL[pattern.kind]
    (found,) = [one for one in collapses_of(run_of(walk)) if one.x.name == tensor]
    assert len(found.texts()) == len(pattern.stages)
    stages = list(pattern.stages)
    stages[place] = replace(stages[place], text=f"1.001 * ({stages[place].text})")
    monkeypatch.setattr(
        derivations, "collapses_of", lambda _: [replace(found, pattern=replace(pattern, stages=tuple(stages)))]
    )
    levels = [stage["before"] and stage["before"]["level"] for stage in told(tensor, walk)["stages"]]
    wrong = [number for number, level in enumerate(levels) if level == "wrong"]
    assert wrong == [place + 1, place + 2][: len(stages) - place], levels


PLANTS = [
    ("cross-entropy", "- {p} *", "+ {p} *"),
    ("cross-entropy", "{share}**2", "{share}"),
    ("cross-entropy", "({dlogprobs} / {p} -", "({dlogprobs} -"),
    ("normalisation", "1/{n}*", ""),
    ("normalisation", "{bessel}", ""),
    ("normalisation", "{inv}**3", "{inv}**2"),
    ("normalisation", ".sum({sum})", ".mean({sum})"),
    ("normalisation", "{twice}*", "{c}*"),
    ("rms-norm", "{inv}**3", "{inv}**2"),
    ("binary-cross-entropy", "(1 - {y})", "{y}"),
    ("softmax", "({p} * {dprobs})", "{dprobs}"),
]


@pytest.mark.parametrize(("kind", "right", "wrong"), PLANTS)
def test_a_mistake_of_algebra_is_seen(monkeypatch: pytest.MonkeyPatch, kind: str, right: str, wrong: str) -> None:
    walk, tensor = FULL[kind]
    (found,) = [one for one in collapses_of(run_of(walk)) if one.x.name == tensor]
    places = [place for place, stage in enumerate(found.pattern.stages[:-1]) if right in stage.text]
    assert places
    for place in places:
        stages = list(found.pattern.stages)
        stages[place] = replace(stages[place], text=stages[place].text.replace(right, wrong))
        planted = replace(found, pattern=replace(found.pattern, stages=tuple(stages)))
        with monkeypatch.context() as patched:
            patched.setattr(derivations, "collapses_of", lambda _, planted=planted: [planted])
            levels = [stage["before"] and stage["before"]["level"] for stage in told(tensor, walk)["stages"]]
        assert levels[place + 1] == "wrong", stages[place].text
        assert levels[place + 2] == "wrong"


@pytest.mark.parametrize("kind", FULL)
def test_a_wrong_last_line_is_not_offered(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    walk, tensor = FULL[kind]
    run = run_of(walk)
    (found,) = [one for one in collapses_of(run) if one.x.name == tensor]
    last = found.pattern.stages[-1]
    stages = (*found.pattern.stages[:-1], replace(last, text=f"1.001 * ({last.text})"))
    planted = replace(found, pattern=replace(found.pattern, stages=stages))
    monkeypatch.setattr(derivations, "found_in", lambda _: [planted])
    assert collapses_of(run) == []
    with pytest.raises(Refusal, match="collapse"):
        told(tensor, walk)


def test_what_comes_back_on_another_path_is_added() -> None:
    walk = {"source": "z = 2 * a\nloss = F.cross_entropy(z, y) + (z**2).mean()",
            "tensors": {"a": ROWS, "y": {"role": "target", "values": [0, 1, 2, 2]}}}  # fmt: skip
    made = told("z", walk)
    assert made["stages"][-1]["code"] == "dz += (F.softmax(z, 1) - F.one_hot(y, 3)) / 4"
    assert made["added"] == ["dz = 2 * z * (dloss / 12)"]
    assert "`z` is also used by `loss`" in made["stages"][0]["text"]
    assert "With the other path added" in made["end"]
    logits = torch.tensor(np.array(list_of(made["stages"][0]["value"]))).reshape(4, 3)
    z = _runs[identity(walk)].forward.tensors["z"].double()
    own = (z.softmax(1) - torch.nn.functional.one_hot(torch.tensor([0, 1, 2, 2]), 3)) / 4
    assert float((logits - own).abs().max()) < 1e-7
    for stage in made["stages"]:
        assert stage["autograd"]["level"] in ("exact", "approximate")


def test_what_is_used_in_between_is_told() -> None:
    source = "p = torch.sigmoid(a)\nloss = -(t * p.log() + (1 - t) * (1 - p).log()).mean() + (p**2).sum()"
    with pytest.raises(Refusal) as refused:
        told("a", {"source": source, "tensors": {"a": ROWS, "t": CHANCES}})
    assert refused.value.code == "derivation-shared"
    assert "`p` is also used by `loss`" in refused.value.message
    source = "p = F.softmax(a, 1)\nent = (p * p).sum()\nloss = -p.log()[range(4), y].mean() + ent"
    classes = {"role": "target", "values": [0, 1, 2, 2]}
    made = told("a", {"source": source, "tensors": {"a": ROWS, "y": classes}})
    assert made["stages"][-1]["code"] == "da = p * (dp - (p * dp).sum(1, keepdim=True))"
    assert "It does not collapse further, from `dloss`: `p` is also used by `ent`" in made["end"]


def test_a_part_that_is_computed_twice_has_no_stage_of_its_own() -> None:
    """The gradient of either of two equal tensors is a part only: no stage may begin with it."""
    source = "p = torch.sigmoid(a)\nloss = -(t * p.log() + (1 - t) * (1 - a.sigmoid()).log()).mean()"
    made = told("a", {"source": source, "tensors": {"a": ROWS, "t": CHANCES}})
    assert all("dp" not in stage["code"] for stage in made["stages"][1:])
    assert {stage["before"]["level"] for stage in made["stages"][1:]} <= {"exact", "approximate"}


def test_n_may_be_right_where_it_is_n() -> None:
    """The same program with the biased variance: no Bessel factor is left over."""
    walk = {"source": "d = x - x.mean(0)\nv = (d**2).mean(0)\nh = d * (v + 1e-5)**-0.5\nloss = (h**3).sum()",
            "tensors": {"x": {"role": "parameter", "shape": [8, 5], "init": "randn", "seed": 1}}}  # fmt: skip
    made = told("x", walk)
    assert made["stages"][-1]["code"].splitlines()[-1] == "dx = inv/8 * (8*dh - dh.sum(0) - h*(dh*h).sum(0))"
    assert made["stages"][-1]["code"].splitlines()[0] == "inv = (v + 1e-5)**-0.5"
    assert made["stages"][-1]["before"]["level"] == "approximate"


def test_in_float64_the_other_precision_is_float32() -> None:
    walk = {"source": "loss = F.cross_entropy(x, y)", "dtype": "float64",
            "tensors": {"x": {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 1},
                        "y": {"role": "target", "values": [0, 1, 2, 2]}}}  # fmt: skip
    made = told("x", walk)
    assert made["stages"][-1]["autograd"]["maxdiff"] < 1e-15
    assert made["stages"][-1]["value"]["dtype"] == "f8"


def test_a_tensor_without_a_closed_form_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        told("h")
    assert refused.value.code == "derivation-none"
    assert {pattern.kind for pattern in find.PATTERNS} == FULL.keys()


@pytest.mark.parametrize(
    ("written", "forms"),
    [
        ("total = counts.sum(1)\nprobs = counts / total.unsqueeze(1)", "softmax"),
        ("total = counts.sum(1)\nprobs = counts / total[:, None].expand(4, 4)", "softmax"),
        ("probs = counts * (1 / counts.sum(1)).view(4, 1)", "softmax"),
        ("share = 1 / counts.sum(1)\nprobs = counts * share.unsqueeze(1)", "cross-entropy"),
    ],
)
def test_a_total_that_lost_its_axis_is_kept_in_the_stages(written: str, forms: str) -> None:
    """A square matrix is divided by it in the wrong direction, and nobody is told."""
    loss = "-probs.log()[range(4), y].mean()" if forms == "cross-entropy" else "(probs * t).sum()"
    square = {"role": "parameter", "shape": [4, 4], "init": "randn", "seed": 1}
    targets = {"y": {"role": "target", "values": [0, 2, 1, 3]}, "t": square | {"role": "target", "seed": 2}}
    used = {name: spec for name, spec in targets.items() if name in ("y" if forms == "cross-entropy" else "t")}
    walk = {
        "source": f"counts = (x - x.max(1)[0].unsqueeze(1)).exp()\n{written}\nloss = {loss}",
        "tensors": {"x": square, **used},
    }
    made = told("x", walk)
    assert made["kind"] == forms
    assert [stage["before"]["level"] for stage in made["stages"][1:] if stage["before"]["level"] == "wrong"] == []
