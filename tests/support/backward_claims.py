"""What a walk tells at its backward steps, beside the numbers that decide whether it is true.

The printed texts are run by Python itself, with the gradients that a walk has, or with random ones in their place:
what is said of a rule has to hold whatever arrives.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F

import backend
from backend.pipeline import run_of
from backend.program.lessons import LESSONS
from backend.program.starts import starts
from tests.support import torch_reference
from tests.support.programs import unusual

PROGRAMS = Path(__file__).parents[1] / "programs"


def given(*shape: int, role: str = "parameter", seed: int = 0, **more: Any) -> dict[str, Any]:
    return {"role": role, "shape": list(shape), "init": "randn", "seed": seed + 3 * sum(shape), **more}


def whole(*shape: int, high: int) -> dict[str, Any]:
    return {"role": "data", "shape": list(shape), "init": "randint", "low": 0, "high": high, "seed": 5}


X, W, B = given(4, 3), given(3, 3), given(3)
OWN: dict[str, dict[str, Any]] = {
    "square weights": {
        "source": "h = torch.tanh(x[:, 0] @ Wx + h0 @ Wh + b)\nh = torch.tanh(x[:, 1] @ Wx + h @ Wh + b)\n"
        "loss = (h * h).mean()",
        "tensors": {"x": given(3, 2, 3), "Wx": W, "h0": given(3, 3, seed=8), "Wh": given(3, 3, seed=1), "b": B},
    },
    "square everywhere": {
        "source": "y = x @ w\nz = y @ w.T\nloss = (z * g).sum()",
        "tensors": {"x": given(3, 3, seed=2), "w": W, "g": given(3, 3, seed=4)},
    },
    "one attention head": {
        "source": "q = x @ Wq\nk = x @ Wk\nv = x @ Wv\ns = q @ k.T / math.sqrt(3)\np = F.softmax(s, 1)\no = p @ v\n"
        "loss = o.pow(2).mean()",
        "tensors": {"x": X, "Wq": W, "Wk": given(3, 3, seed=1), "Wv": given(3, 3, seed=2)},
    },
    "batch norm": {
        "source": "mean = x.mean(0, keepdim=True)\nvar = x.var(0, keepdim=True, unbiased=True)\n"
        "xhat = (x - mean) / torch.sqrt(var + 1e-5)\ny = gain * xhat + shift\nloss = (y * g).sum()",
        "tensors": {"x": X, "gain": B, "shift": given(3, seed=7), "g": given(4, 3, seed=1)},
    },
    "add alpha": {
        "source": "z = torch.add(x, y, alpha=-2)\nloss = z.sum()",
        "tensors": {"x": X, "y": given(4, 3, seed=1)},
    },
    "division": {
        "source": "q = p / (1.0 + x**2)\nr = 2.0 / q\ns = r / 5 - q\nloss = s.mean()",
        "tensors": {"x": X, "p": given(4, 1)},
    },
    "minus in many places": {
        "source": "a = -x\nb = 1.0 - a * m\nc = (b - x) * -2.0\nd = c - c.mean(0)\nloss = -d.sum() / 3",
        "tensors": {"x": X, "m": given(4, 3, seed=1)},
    },
    "minus before brackets": {
        "source": "y = torch.sin(-(x - m))\nloss = y.mean()",
        "tensors": {"x": X, "m": given(4, 3, seed=1)},
    },
    "a mask": {
        "source": "hit = x > y\nm = torch.maximum(x, y)\nh = -(x * hit)\nr = F.relu(x - y)\nloss = (m * h + r).mean()",
        "tensors": {"x": X, "y": given(4, 3, seed=1)},
    },
    "largest": {
        "source": "m = x.max(1, keepdim=True).values\nd = x - m\nloss = (d * x).sum() + m.sum()",
        "tensors": {"x": X},
    },
    "picking": {
        "source": "e = C[ix]\nf = e.view(4, -1)\nlp = F.log_softmax(f @ W, 1)\npicked = lp[range(4), t]\nloss = -picked.mean()",
        "tensors": {"C": given(5, 2), "ix": whole(4, 3, high=5), "W": given(6, 3), "t": whole(4, high=3)},
    },
    "copies": {
        "source": "u = b.unsqueeze(0).expand(4, 3)\nv = u + x\ns = v.sum(0, keepdim=True)\nt = s.repeat(2, 1)\n"
        "loss = (t * t).mean()",
        "tensors": {"x": X, "b": B},
    },
    "scatter": {
        "source": "z = torch.zeros(5, 3).index_add(0, ix, x)\ny = x.gather(1, j)\nloss = (z * z).sum() + y.sum()",
        "tensors": {"x": X, "ix": whole(4, high=5), "j": whole(4, 2, high=3)},
    },
    "joined": {
        "source": "a, b = x.split(2, 1)\nc = torch.cat([b, a * a], 1)\nd = torch.stack([c, x])\nloss = (d * g).sum()",
        "tensors": {"x": given(3, 4), "g": given(2, 3, 4)},
    },
    "a convolution": {
        "source": "y = F.conv2d(x, w, b, padding=1)\nh = F.max_pool2d(y, 2)\n"
        "z = F.conv2d(h, v, stride=2)\nu = F.conv_transpose2d(z, k, stride=2)\nloss = (u * u).mean()",
        "tensors": {
            "x": given(2, 2, 6, 6),
            "w": given(3, 2, 3, 3),
            "b": given(3),
            "v": given(2, 3, 2, 2),
            "k": given(2, 1, 2, 2),
        },
    },
    "vectors": {
        "source": "y = W @ v\no = torch.outer(y, v)\nn = (o * o).sum().sqrt()\nloss = n + v @ v",
        "tensors": {"W": W, "v": B},
    },
    "one by one": {
        "source": "y = x @ w\nz = y @ u\nloss = (z * z).mean()",
        "tensors": {"x": given(4, 1), "w": given(1, 1), "u": given(1, 3)},
    },
    "batched": {
        "source": "s = q @ k.transpose(-2, -1) / math.sqrt(2)\ns = s.masked_fill(m == 0, -1e9)\np = F.softmax(s, -1)\n"
        "o = (p @ v).transpose(0, 1).reshape(3, 4)\nloss = (o * g).sum()",
        "tensors": {
            "q": given(2, 3, 2),
            "k": given(2, 3, 2, seed=1),
            "v": given(2, 3, 2, seed=2),
            "m": whole(3, 3, high=2),
            "g": given(3, 4),
        },
    },
    "three x": {"source": "y = 3 * x\nz = y + 1", "tensors": {"x": given()}},
    "used twice in a line": {
        "source": "p = x * x\nq = p * w + p\nr = q.exp() / (1 + q.exp())\nloss = (r - q).sum(1).mean()",
        "tensors": {"x": X, "w": B},
    },
    "fused": {
        "source": "h = F.layer_norm(x @ W, (3,))\na = F.gelu(h)\nloss = F.cross_entropy(a, t)",
        "tensors": {"x": X, "W": W, "t": whole(4, high=3)},
    },
    "four uses in three lines": {
        "source": "k = (x * x + x) / x\nu = k.T.unsqueeze(1).expand(3, 2, 4).reshape(3, 8).T\nv = u * w\n"
        "n = (v - u).sum(1, keepdim=True)\nloss = (n * n).sum()",
        "tensors": {"x": X, "w": B},
    },
    "twins in a line": {
        "source": "y = torch.where(m > 0, x, w) / (torch.where(m > 0, x, w)**2 + 0.7)\nloss = y.sum()",
        "tensors": {"x": X, "w": given(4, 3, seed=1), "m": given(4, 3, seed=2, role="target")},
    },
    "tanh": {
        "source": "h = torch.tanh(x @ W)\nz = 1e-5 * h + (h - x).abs().sqrt()\nloss = z.mean()",
        "tensors": {"x": X, "W": W},
    },
}


def requests() -> dict[str, dict[str, Any]]:
    """Every program that ships, every program of the tests, and those above."""
    kept = {path.stem: tomllib.loads(path.read_text()) for path in sorted(PROGRAMS.rglob("*.toml"))}
    shipped = {f"lesson {name}": {"lesson": name} for name in LESSONS}
    shipped |= {f"start {start['name']}": start["request"] for start in starts()}
    return shipped | {f"own {name}": case for name, case in OWN.items()} | kept


REQUESTS = requests()
LAB = [name for name in REQUESTS if name.endswith((".meant", ".written"))]
FURTHER = [name for name in REQUESTS if name.startswith("lesson ") and "." in name and name not in LAB]  # of blocks
# Their loops are long, and those of their chapters' own lessons are the same.
LONG = ("lesson depth.", "lesson ways-to-step.")
# They have no sentences of their own: of these `make test` reads some.
SOME = [name for name in FURTHER[3::4] if not name.startswith(LONG)]
SIMILAR = [(LAB, frozenset(LAB[::8])), (FURTHER, frozenset(SOME))]


def daily(name: str) -> bool:
    """Whether `make test` reads what is told of this program; `make test-all` reads every one."""
    return not unusual(name) and all(name not in many or name in some for many, some in SIMILAR)


def told_of(names: Iterable[str]) -> list[Any]:
    """Programs as parameters of a test that reads what is told of them."""
    return [pytest.param(name, id=name, marks=() if daily(name) else pytest.mark.exhaustive) for name in names]


EXACT_TOO = [name for name in REQUESTS if name.partition(" ")[0] in ("lesson", "start", "own") and daily(name)]
CASES = [pytest.param(name, False, marks=() if daily(name) else pytest.mark.exhaustive) for name in REQUESTS]
CASES += [pytest.param(name, True) for name in EXACT_TOO]


def numbers(value: Any) -> torch.Tensor:
    """A tensor that travelled as nested lists."""
    return torch.tensor(_unworded(value))


def _unworded(value: Any) -> Any:
    if isinstance(value, list):
        return [_unworded(part) for part in value]
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else value


def _varied(value: Any) -> Any:
    """A state of zeros, a gain of ones, a symmetric matrix as random numbers, by which rules can be told apart."""
    if not (isinstance(value, torch.Tensor) and value.is_floating_point() and value.numel() > 1):
        return value
    alike = bool((value == value.reshape(-1)[0]).all())
    symmetric = value.ndim == 2 and value.shape[0] == value.shape[1] and torch.allclose(value, value.T)
    if not alike and not symmetric:
        return value
    return torch.rand(value.shape, generator=torch.Generator().manual_seed(3), dtype=value.dtype) + 0.1


class Taught:
    """One walk in float64: its document, and the tensors that its printed lines read and write."""

    broadcasts = False

    def __init__(self, request: dict[str, Any]) -> None:
        self.document = json.loads(backend.walk(request | {"arrays": "lists"}))
        self.run = run_of(request)
        self.steps = [step for step in self.document["steps"] if step["direction"] == "backward"]
        self.forward = [step for step in self.document["steps"] if step["direction"] == "forward"]
        self.values = {**self.run.plan.graph.constants, **self.run.forward.values}
        self.varied = {name: _varied(value) for name, value in self.values.items()}
        self.scopes: dict[Any, dict[str, Any]] = {}
        self.reading = {"torch": torch, "F": F, "math": math, **self.values}
        self.variables = {node["name"]: node["variable"] for node in self.document["nodes"]}

    def target(self, step: dict[str, Any]) -> str:
        return step["inner"] or "d" + self.variables[step["node"]]

    def earlier(self, step: dict[str, Any]) -> list[dict[str, Any]]:
        """The steps before this one that add to the same gradient."""
        before = self.steps[: self.steps.index(step)]
        return [other for other in before if self.target(other) == self.target(step)]

    def scope(self, step: dict[str, Any], seed: int | None = None, positive: bool = False) -> dict[str, Any]:
        """All names after a step that adds to zeros; with a seed, random gradients have arrived at it."""
        key = (step["index"], seed, positive)
        if key not in self.scopes:
            gradients = self.run.gradients if seed is None else self.arriving(seed, positive)
            self.scopes[key] = self._after(step, gradients)
        return self.scopes[key]

    def _after(self, step: dict[str, Any], gradients: dict[str, torch.Tensor]) -> dict[str, Any]:
        values = self.values if gradients is self.run.gradients else self.varied
        scope = {"torch": torch, "F": F, "math": math, **values, **gradients}
        with torch.no_grad(), torch_reference.DefaultDtype(torch.float64):
            for other in self.steps[: self.steps.index(step)]:
                if other["lines"] > 1:  # perhaps with helper lines, which later steps may read
                    self._run(other, scope, gradients)
                    scope[self.target(other)] = gradients[self.target(other)]
            self._run(step, scope, gradients)
        return scope

    def _run(self, step: dict[str, Any], scope: dict[str, Any], gradients: dict[str, torch.Tensor]) -> None:
        target = self.target(step)
        if step["mode"] != "=":
            scope[target] = torch.zeros_like(gradients[target])
        exec(step["code"], scope)

    def arriving(self, seed: int, positive: bool = False) -> dict[str, torch.Tensor]:
        """Random numbers in the place of every gradient."""
        generator = torch.Generator().manual_seed(seed)
        draw = torch.rand if positive else torch.randn
        return {
            # with the strides of the gradient itself, of which views are taken
            name: torch.empty_like(gradient, dtype=torch.float64).copy_(
                draw(gradient.shape, generator=generator, dtype=torch.float64) + positive * 0.1
            )
            for name, gradient in self.run.gradients.items()
        }


@lru_cache(maxsize=2)
def taught(name: str, exact: bool) -> Taught:
    made = Taught(REQUESTS[name] | {"dtype": "float64", "exact": exact})
    if not exact:
        _questions[name] = [step["question"] for step in made.steps if step["question"]]
    return made


_questions: dict[str, list[dict[str, Any]]] = {}


def questions(name: str) -> list[dict[str, Any]]:
    """The questions of a walk, which are kept for longer than the walk."""
    if name not in _questions:
        taught(name, False)
    return _questions[name]


def value(code: str, scope: dict[str, Any]) -> torch.Tensor:
    """What a printed expression is, as Python reads it."""
    with torch.no_grad(), torch_reference.DefaultDtype(torch.float64):
        return torch.as_tensor(eval(code, dict(scope)))


def same(a: torch.Tensor, b: torch.Tensor, size: float = 0.0) -> bool:
    """Whether two tensors agree to rounding, shapes included; `size` is that of the terms that they are sums of."""
    if a.shape != b.shape:
        return False
    a, b = a.double(), b.double()
    size = max(size if math.isfinite(size) else 0.0, b[b.isfinite()].abs().max().item() if b.isfinite().any() else 0.0)
    return torch.allclose(a, b, rtol=1e-6, atol=1e-9 * size + 1e-300, equal_nan=True)
