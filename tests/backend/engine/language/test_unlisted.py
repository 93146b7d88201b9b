"""What is offered for an operation that gradwalk doesn't have is understood, and computes what torch's own does."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import torch
import torch.nn.functional as F

import backend
from backend.engine.language.errors import catalogue
from backend.engine.language.unlisted import INSTEAD, KINDS, NEEDLESS, layer_name
from backend.engine.ops import REGISTRY


def made(*shape: int, seed: int = 0, shift: float = 0.0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) + shift


SQUARE: dict[str, Any] = {"x": made(3, 3), "y": made(3, 3, seed=1), "z": made(3, 3, seed=2), "a": 0.3, "b": 0.7}
SIGNS = SQUARE | {"y": torch.sign(made(3, 3, seed=1)), "z": torch.sign(made(3, 3, seed=2))}
ROWS = {"v": made(3), "w": made(4, seed=1), "x": made(2, 3), "y": made(2, 4, seed=1), "W": made(5, 3, 4, seed=2)}
ONE = {"x": made(2, 3), "a": 0.3}
FACTOR = {"x": made(3, 2), "L": made(3, 3).tril() + 3 * torch.eye(3)}

# {what is not there: (its call in torch, with these values)}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "cholesky_solve": ('torch.cholesky_solve(x, L)', FACTOR),
    "spmm": ('torch.spmm(x.to_sparse(), y)', SQUARE),
    "cross": ('torch.linalg.cross(x, y)', SQUARE),
    "trapz": ('torch.trapz(x)', ONE),
    "lp_pool1d": ('F.lp_pool1d(x, 2, 2)', {'x': made(1, 2, 4)}),
    "upsample": ('F.interpolate(x, scale_factor=2.0)', {'x': made(1, 2, 2, 3)}),
    "triangular_solve": ('torch.triangular_solve(x, L).solution', FACTOR | {'L': FACTOR['L'].mT}),
    "nelement": ('x.nelement()', ONE),
    "zero_": ('x.clone().zero_()', ONE),
    "fill_": ('x.clone().fill_(a)', ONE),
    "numel": ('torch.numel(x)', ONE),
    "byte": ('(x > 0).byte().bool()', {'x': torch.tensor([1.0, 0.0, 2.0])}),
    "empty": ('torch.zeros(2, 3)', {}),
    "empty_like": ('torch.zeros_like(x)', ONE),
    "new": ('x.new(2, 3) * 0', ONE),
    "new_empty": ('x.new_empty(2, 3) * 0', ONE),
    "new_tensor": ('x.new_tensor([1.0, 2.0])', ONE),
    "as_tensor": ('torch.as_tensor([1.0, 2.0])', {}),
    "FloatTensor": ('torch.FloatTensor([1.0, 2.0])', {}),
    "Tensor": ('torch.Tensor([1.0, 2.0])', {}),
    "LongTensor": ('torch.LongTensor([1, 2])', {}),
}  # fmt: skip


def of_gradwalk(source: str, values: dict[str, Any], name: str = "h") -> torch.Tensor:
    """What the engine makes of `name`; a parameter `p` is there so that the loss needs something."""
    tensors = {
        key: {"role": "parameter" if value.is_floating_point() else "data", "values": value.tolist()}
        for key, value in values.items()
        if isinstance(value, torch.Tensor) and re.search(rf"\b{key}\b", source)
    } | {"p": {"role": "parameter", "values": 1.5}}
    constants = {key: value for key, value in values.items() if not isinstance(value, torch.Tensor)}
    request = {"source": f"{source}\nout = {name} * p\nloss = out.sum()", "tensors": tensors, "constants": constants}
    document = json.loads(backend.walk(request | {"dtype": "float64", "arrays": "lists"}))
    assert document["summary"]["wrong"] == 0
    out = next(node for node in document["nodes"] if node["name"] == "out")
    return torch.tensor(out["value"], dtype=torch.float64) / 1.5


@pytest.mark.filterwarnings("ignore:torch.triangular_solve is deprecated")
@pytest.mark.parametrize("name", INSTEAD)
def test_what_is_written_instead_is_the_same(name: str) -> None:
    call, values = CALLS[name]
    theirs, instead = eval(call, {"torch": torch, "F": F, **values}), INSTEAD[name]
    if isinstance(theirs, tuple):
        theirs, instead = torch.stack(theirs), f"torch.stack([{instead}])"
    theirs = torch.as_tensor(theirs).double()
    ours = of_gradwalk(f"h = {instead}", values)
    assert torch.allclose(ours.reshape(theirs.shape), theirs, rtol=1e-6, atol=1e-9)


def hinted(code: str) -> list[str]:
    return re.findall(r"`([^`]+)`", catalogue()[f"function-unlisted/{code}"][1])


def test_a_product_of_complex_numbers_written_out() -> None:
    real, imaginary = hinted("complex")
    a, b, c, d = numbers = [torch.tensor(number, dtype=torch.float64) for number in (2.0, -1.0, 0.5, 3.0)]
    values = dict(zip("abcd", numbers, strict=True))
    product = torch.complex(a, b) * torch.complex(c, d)
    assert torch.allclose(of_gradwalk(f"h = {real}", values), product.real)
    assert torch.allclose(of_gradwalk(f"h = {imaginary}", values), product.imag)


def test_a_normal_density_written_out() -> None:
    *_, density = hinted("distribution")
    values = {"x": made(3), "mu": made(3, seed=1), "sigma": made(3, seed=2).exp()}
    theirs = torch.distributions.Normal(values["mu"], values["sigma"]).log_prob(values["x"])
    assert torch.allclose(of_gradwalk(f"h = {density}", values), theirs)


def test_nothing_is_called_missing_that_is_there() -> None:
    there = {key.rpartition(".")[2] for key in REGISTRY} | {"numel", "dim", "size"}
    missing = {*INSTEAD, *KINDS, *NEEDLESS}
    assert there & missing == {"numel"}  # the method is there
    assert set(CALLS) == set(INSTEAD)


@pytest.mark.parametrize(
    ("layer", "function"),
    [("LPPool2d", "lp_pool2d"), ("FractionalMaxPool2d", "fractional_max_pool2d"), ("Upsample", "upsample")],
)  # fmt: skip
def test_a_layer_is_known_by_its_function(layer: str, function: str) -> None:
    assert layer_name(layer) == function
