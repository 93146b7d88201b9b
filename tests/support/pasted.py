"""Code as people paste it, kept in tests/pasted, and what plain PyTorch makes of the very same text.

A file has the `source`, the table that it is given, and `call`: the expression that runs the original, on `module`, an
object of its class, where there is one. What stands there for the `loss`, or as `reference` in plain lines, takes the
place of a call.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from backend.lowering.lower import lower
from backend.program.found import Lowered
from backend.program.request import make_tensor

FOLDER = Path(__file__).parents[1] / "pasted"
CASES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.rglob("*.toml"))}
WELL_KNOWN = sorted(path.stem for path in (FOLDER / "well_known").glob("*.toml"))
NAMES = {
    "torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional", "math": "math", "np": "numpy",
}  # fmt: skip


def given(case: Mapping[str, Any], dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """The tensors of a case's own table."""
    return {name: make_tensor(name, spec, dtype) for name, spec in case["tensors"].items()}


def lowered(case: Mapping[str, Any], dtype: torch.dtype = torch.float64) -> Lowered:
    """What a case's code is lowered to."""
    return lower(case["source"], given(case, dtype), case.get("constants", {}), case.get("loss"))


def request(case: Mapping[str, Any], program: Lowered) -> dict[str, Any]:
    """A request for a walk of the lowered program."""
    return {
        "source": program.source, "tensors": {**case["tensors"], **program.lifted}, "loss": program.loss,
        "constants": {**case.get("constants", {}), **program.numbers}, "dtype": "float64", "arrays": "lists",
    }  # fmt: skip


def table(case: Mapping[str, Any], program: Lowered) -> dict[str, torch.Tensor]:
    """All tensors of a lowered program, those of decimals ready for a gradient."""
    made = {name: make_tensor(name, spec, torch.float64) for name, spec in program.lifted.items()}
    made |= given(case, torch.float64)
    return {name: one.requires_grad_() if one.is_floating_point() else one for name, one in made.items()}


@contextmanager
def in_float64() -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def gradients(case: Mapping[str, Any], program: Lowered) -> dict[str, torch.Tensor | None]:
    """The gradients that autograd finds when Python itself runs the original text on the same numbers."""
    tensors = table(case, program)
    with in_float64():
        scope: dict[str, Any] = {name: import_module(path) for name, path in NAMES.items()}
        scope |= {**tensors, **case.get("constants", {})}
        result = _by_reference(case, scope) if "reference" in case else _by_call(case, program, scope, tensors)
        result.sum().backward()
    return {name: one.grad for name, one in tensors.items() if one.is_floating_point()}


def _by_reference(case: Mapping[str, Any], scope: dict[str, Any]) -> torch.Tensor:
    exec(case["reference"], scope)
    loss: torch.Tensor = scope["loss"]
    return loss


def _by_call(
    case: Mapping[str, Any], program: Lowered, scope: dict[str, Any], tensors: dict[str, torch.Tensor]
) -> torch.Tensor:
    exec(compile(ast.parse(case["source"]), "pasted", "exec"), scope)
    scope |= tensors
    if "module" in case:
        scope["module"] = module = eval(case["module"], scope)
        _take_over(module, program, tensors)
    return _scalar(eval(case["call"], scope))


def _take_over(module: torch.nn.Module, program: Lowered, tensors: dict[str, torch.Tensor]) -> None:
    """Give a module the numbers of the table, under the names that PyTorch has for its parameters."""
    for one in module.modules():
        if isinstance(one, torch.nn.Dropout):
            one.p = 0.0
    variables = {label: variable for variable, label in program.labels.items()}
    for name, parameter in module.named_parameters():
        variable = variables.get(name, name)
        parameter.data = tensors[variable].detach().clone()
        tensors[variable] = parameter


def _scalar(result: Any) -> torch.Tensor:
    """The loss among several results."""
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, tuple) else [result]
    tensors = [part for part in parts if isinstance(part, torch.Tensor)]
    return next((one for one in tensors if one.numel() == 1), tensors[0])
