"""NumPy's functions give what torch's give, in the memory that is there, and are left out where they don't."""

from __future__ import annotations

import ast
from typing import Any

import pytest
import torch

from backend.engine.interpret.evaluate import functions, wrapped
from backend.engine.language.pytree import tensors_in
from backend.training.compiler import kernels as module
from backend.training.compiler.kernels import kernels
from backend.training.compiler.recorder import Recorder

X = torch.rand(3, 4, generator=torch.Generator().manual_seed(0)) + 0.5
Y, PLACES = X.flip(0) * 2, torch.tensor([2, 0, 2])
USES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("+", (X, Y), {}), ("-", (1.5, X), {}), ("*", (X, X[:, :1]), {}), ("/", (X, 3), {}), ("-x", (X,), {}),
    ("**", (X, 2), {}), ("**", (X, -1), {}), ("**", (X, 0.5), {}), ("**", (X, -1.5), {}), ("**", (2.0, X), {}),
    (">", (X, 1), {}), ("==", (X, X), {}), ("+", (X > 1, X), {}), ("*", (PLACES[:, None], X), {}),
    ("@", (X, Y.T), {}), ("@", (X, Y[0]), {}), ("@", (X[None], Y.T[None]), {}),
    ("torch.tanh", (X,), {}), (".exp", (X.T,), {}), ("torch.maximum", (X, Y), {}), (".clone", (X,), {}),
    (".sum", (X,), {}), (".sum", (X, 0), {}), (".sum", (X, 1), {"keepdim": True}), (".sum", (X.T, 0), {}),
    (".sum", (X, (0, 1)), {}), (".mean", (X,), {}), (".mean", (X, -1), {}), (".mean", (X, 0), {"keepdim": True}),
    (".max", (X, 1), {}), (".min", (X, 0), {"keepdim": True}), (".amax", (X, 1), {}),
    ("[]", (X, PLACES), {}), ("[]", (X, (range(3), PLACES)), {}), ("[]", (X, -PLACES - 1), {}), ("F.one_hot", (PLACES, 4), {}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "args", "kwargs"), USES, ids=[f"{number} {use[0]}" for number, use in enumerate(USES)])
def test_numpy_gives_what_torch_gives(key: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    result = wrapped(functions()[key][0](*args, **kwargs))
    wanted = [tensor.clone() for tensor in tensors_in(result)]
    made = kernels(key, args, kwargs, result)
    assert [part is tensor for (_, part), tensor in zip(made, tensors_in(result), strict=True)] == [True] * len(wanted)
    for (run, part), right in zip(made, wanted, strict=True):
        part.zero_()
        run()
        assert torch.allclose(part, right, rtol=1e-6), key


@pytest.mark.parametrize(
    ("key", "args", "kwargs"),
    [("F.relu", (X,), {}), (".add", (X, Y), {"alpha": 2}), ("torch.where", (X > 1, X, Y), {}), (".var", (X,), {})],
)
def test_what_numpy_has_not_is_left_to_torch(key: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert kernels(key, args, kwargs, wrapped(functions()[key][0](*args, **kwargs))) == []


def test_a_function_of_the_same_name_that_gives_something_else_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(module.SIGNS, "+", module.SIGNS["-"])
    x, y = X.clone(), Y.clone()
    recorder = Recorder({"x": x, "y": y}, ["x"], {})
    total = recorder.operation("+", (x, y), {}, ast.Name("x + y"))
    x.add_(1)
    for call in recorder.needed(total):
        call()
    assert torch.equal(total, X + 1 + Y)
