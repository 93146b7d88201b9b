"""Forward samples of all operations against NumPy and mpmath: printed lines and autograd share torch's kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from backend.engine.ops import OPS
from tests.support import op_samples, torch_reference
from tests.support.numpy_forward import FORWARD, forward
from tests.support.solve import solve

CLOSE = 1e-9


class Taken:
    """Tells an index as Python reads it."""

    def __getitem__(self, index: Any) -> Any:
        return index


def plain(value: Any) -> Any:
    """The same with arrays of NumPy in place of tensors, at any depth."""
    if isinstance(value, torch.Tensor):
        return value.numpy()
    if isinstance(value, tuple | list):
        return type(value)(plain(part) for part in value)
    return value


def of_numpy(op: Any, text: str) -> tuple[torch_reference.Case, list[Any]]:
    """The program of a sample, and what NumPy makes of its arguments."""
    sample = op_samples.read(text, op)
    calls = (call for spelling in op.written for call in op_samples.written(spelling, sample))
    case = next(filter(None, (op_samples.case(call, sample) for call in calls)))
    scope = {"torch": torch, "_": Taken(), **torch_reference.tensors(case)}
    with torch_reference.DefaultDtype(torch.float64):
        given = {name: plain(eval(f"_[{words}]", scope)) for name, words in sample.texts.items()}
    listed = given.pop(op.variadic) if op.variadic else ()
    function = forward(op.__name__, op.written[0])
    made = function(*listed, **given) if op.variadic else called(op, function, given)
    return case, list(made) if isinstance(made, tuple | list) else [made]


def called(op: Any, function: Callable[..., Any], given: dict[str, Any]) -> Any:
    """NumPy's own functions take no names for their operands: they get them in the order of the spelling."""
    try:
        return function(**given)
    except TypeError:
        return function(*(given[name] for name in op.signatures[0].parameters if name in given))


@pytest.mark.parametrize("op", [op for op in OPS if op.samples], ids=lambda op: op.__name__)
@pytest.mark.filterwarnings("ignore:reduction", "ignore:Using padding='same'")
def test_a_forward_value_is_that_of_numpy(op: Any) -> None:
    for text in op.samples:
        hold(op, text)


def hold(op: Any, text: str) -> None:
    """What a sample gives here beside what NumPy gives."""
    case, wanted = of_numpy(op, text)
    values = solve(case).forward.tensors
    found = [values[name] for name in ("out", *(f"out{place}" for place in range(len(wanted)))) if name in values]
    assert len(found) >= len(wanted)
    tolerance = 1e-6 if op.__name__ == "Float" else CLOSE
    for one, other in zip(found, wanted, strict=False):
        assert tuple(one.shape) == np.shape(other)
        np.testing.assert_allclose(one.detach().double().numpy(), other, rtol=tolerance, atol=tolerance)


def test_no_more_is_written_than_operations_there_are() -> None:
    assert set(FORWARD) <= {op.__name__ for op in OPS if op.samples}


def test_an_operation_that_neither_library_has_is_to_be_written() -> None:
    with pytest.raises(AssertionError, match=r"FORWARD of tests/support/numpy_forward.py has no Swirl"):
        forward("Swirl", "torch.swirl(x)")
