"""Each stage of a derivation is run: equal to the one before it in float64, and the last one to autograd."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import backend
from backend.closed_forms import find, normalisation, softmax
from backend.closed_forms.derivation import derivation
from backend.execute.session import _runs
from backend.language.errors import Refusal
from backend.program.request import identity

MAKEMORE = {"lesson": "makemore-mlp"}
NEAR = {"logits": 1e-8, "hprebn": 2e-9}
SHORT = {
    "logits": "dlogits = (probs - F.one_hot(Yb, 27)) / n",
    "hprebn": "dhprebn = bngain*bnvar_inv/n * (n*dhpreact - dhpreact.sum(0) - n/(n-1)*bnraw*(dhpreact*bnraw).sum(0))",
}


def told(tensor: str, walk: dict[str, Any] = MAKEMORE) -> Any:
    return derivation({"walk": walk, "tensor": tensor})


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


PLANTS = [
    ("softmax", "- {p} *", "+ {p} *"),
    ("softmax", "{share}**2", "{share}"),
    ("softmax", "({dlogprobs} / {p} -", "({dlogprobs} -"),
    ("normalisation", "1/{n}*", ""),
    ("normalisation", "{bessel}", ""),
    ("normalisation", "{inv}**3", "{inv}**2"),
    ("normalisation", ".sum({sum})", ".mean({sum})"),
    ("normalisation", "{twice}*", "{c}*"),
]


@pytest.mark.parametrize(("kind", "right", "wrong"), PLANTS)
def test_a_mistake_in_any_stage_is_seen(monkeypatch: pytest.MonkeyPatch, kind: str, right: str, wrong: str) -> None:
    module = {"softmax": softmax, "normalisation": normalisation}[kind]
    tensor = {"softmax": "logits", "normalisation": "hprebn"}[kind]
    places = [place for place, stage in enumerate(module.STAGES[:-1]) if right in stage.text]
    assert places
    for place in places:
        stages = list(module.STAGES)
        stages[place] = replace(stages[place], text=stages[place].text.replace(right, wrong))
        with monkeypatch.context() as patched:
            patched.setattr(module, "STAGES", tuple(stages))
            levels = [stage["before"] and stage["before"]["level"] for stage in told(tensor)["stages"]]
        assert levels[place + 1] == "wrong", stages[place].text
        assert levels[place + 2] == "wrong"


def test_a_wrong_last_line_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    last = softmax.STAGES[-1]
    monkeypatch.setattr(softmax, "STAGES", (*softmax.STAGES[:-1], replace(last, text=last.text.replace("-", "+"))))
    with pytest.raises(Refusal, match="collapse"):
        told("logits")


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
    assert find.KINDS.keys() == {"softmax", "normalisation"}
