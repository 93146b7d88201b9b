"""Code as people paste it is walked: every gradient is the one that Python and PyTorch find for the very same text."""

from __future__ import annotations

import json

import pytest
import torch

import backend
from tests.support.pasted import CASES, gradients, lowered, request

CLOSE = 1e-9
RUN = sorted(name for name, case in CASES.items() if ("call" in case or "reference" in case) and "needs" not in case)


@pytest.mark.parametrize("name", CASES)
def test_it_walks_and_agrees_with_autograd(name: str) -> None:
    case = CASES[name]
    walk = json.loads(backend.walk(request(case, lowered(case))))
    assert (walk["summary"]["wrong"], walk["summary"]["gradients"] > 0) == (0, True)


@pytest.mark.filterwarnings("ignore:Implicit dimension choice")  # what older code leaves to PyTorch
@pytest.mark.filterwarnings("ignore:`torch.nn.utils.weight_norm` is deprecated")
@pytest.mark.filterwarnings("ignore:(To copy construct from|Converting) a tensor")  # which a text may do
@pytest.mark.parametrize("name", RUN)
def test_every_gradient_is_that_of_the_original_text(name: str) -> None:
    case = CASES[name]
    program = lowered(case)
    walk = json.loads(backend.walk(request(case, program)))
    mine = {node["variable"]: node["gradient"] for node in walk["nodes"]}
    for variable, wanted in gradients(case, program).items():
        if program.lifted.get(variable, {}).get("role") in ("constant", "target"):
            continue
        if wanted is None:
            assert not mine[variable] or not any(torch.tensor(mine[variable]["manual"]).flatten()), variable
            continue
        found = torch.tensor(mine[variable]["manual"], dtype=torch.float64).reshape(wanted.shape)
        assert torch.allclose(found, wanted, rtol=CLOSE, atol=CLOSE), variable
