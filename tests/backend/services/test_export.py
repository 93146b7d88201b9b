"""Exported files run in plain PyTorch on their own, agree with autograd, and notice when they do not."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
import torch

import backend
from backend.engine.verify.compare import judge
from backend.engine.verify.measure import Four
from backend.services.export import JUDGE
from tests.support.exports import cells_of, changed_by_a_notebook, outcome
from tests.support.programs import some

PROGRAMS = sorted((Path(__file__).parents[2] / "programs").rglob("*.toml"))


def request(path: Path) -> dict[str, Any]:
    case = tomllib.loads(path.read_text())
    return {key: case[key] for key in ("source", "tensors", "constants", "loss") if key in case}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", some(PROGRAMS, 16))
def test_an_exported_program_agrees(path: Path) -> None:
    text = backend.export(request(path), "py")["text"]
    printed, code = outcome(text)
    assert code == 0, printed
    done, total = (int(word) for word in printed.splitlines()[-1].split()[:3:2])
    assert done == total > 0
    assert changed_by_a_notebook(request(path)) == []


def test_the_lessons_notebook_runs_and_agrees() -> None:
    text = backend.export({"lesson": "makemore-mlp"}, "ipynb")["text"]
    notebook = json.loads(text)
    assert notebook["nbformat"] == 4
    assert changed_by_a_notebook({"lesson": "makemore-mlp"}) == []
    printed, code = outcome("\n".join(cells_of(text)))
    assert code == 0
    assert printed.splitlines()[-1] == "27 of 27 gradients agree with autograd"


@pytest.mark.parametrize(
    ("line", "planted"),
    [
        ("dW2 = h.T @ dlogits", "dW2 = h.T @ dlogits * 1.001"),
        ("db2 = dlogits.sum(0)", "db2 = dlogits.sum(0, keepdim=True)"),
        ("dlogits += F.one_hot(logits.max(1).indices, 27) * dlogit_maxes", "dlogits *= 0"),
        ("dhprebn += 1/n * dbnmeani * torch.ones_like(hprebn)", "dhprebn[0] = float('nan')"),
    ],
)
def test_an_exported_check_is_not_fooled(line: str, planted: str) -> None:
    text = backend.export({"lesson": "makemore-mlp"}, "py")["text"]
    assert line in text
    printed, code = outcome(text.replace(line, planted))
    assert code == 1
    assert "WRONG" in printed


@pytest.mark.parametrize("name", ["SystemExit", "all", "bool", "compare", "max", "pairs", "print", "scale", "sum"])
def test_a_program_s_names_do_not_disturb_the_check(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = {"role": "parameter", "shape": [2, 3], "init": "randn"}
    product, loop = (
        f"y = x * {name}\nloss = y.sum()",
        f"for {name} in range(2):\n    x = x + x * {name}\nloss = x.sum()",
    )
    requests: list[dict[str, Any]] = [
        {"source": f"{name} = x * 2\nloss = {name}.sum()", "tensors": {"x": given}},
        {"source": product, "tensors": {"x": given, name: given}},
        {"source": product, "tensors": {"x": given}, "constants": {name: 2}},
        {"source": loop, "tensors": {"x": given}},
    ]
    for one in requests:
        printed, code = outcome(backend.export(one, "py")["text"])
        assert code == 0
        assert "gradients agree with autograd" in printed + capsys.readouterr().out


def test_a_tensor_called_tensor_is_exported() -> None:
    given = {"role": "parameter", "shape": [2, 3], "init": "randn"}
    request = {"source": "tensor = x * 2\nloss = tensor.sum()", "tensors": {"x": given}}
    assert outcome(backend.export(request, "py")["text"])[1] == 0


CANCELLATION = """\
plus = (x - mean + 1 / 255) * inv_std
minus = (x - mean - 1 / 255) * inv_std
cdf_plus = 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (plus + 0.044715 * plus**3)))
cdf_minus = 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (minus + 0.044715 * minus**3)))
loss = -torch.log((cdf_plus - cdf_minus).clamp(min=1e-12)).mean()
"""


def discretised(dtype: str = "float32") -> dict[str, Any]:
    """The likelihood of a pixel's bin: the logarithm of a small difference of two numbers near one."""
    tensors = {
        "x": {"role": "data", "shape": [6, 8], "init": "rand", "seed": 1},
        "mean": {"role": "parameter", "shape": [6, 8], "init": "rand", "seed": 2, "shift": -0.5},
        "inv_std": {"role": "parameter", "shape": [6, 1], "init": "rand", "seed": 3, "scale": 4.0, "shift": 2.0},
    }
    return {"source": CANCELLATION, "tensors": tensors, "dtype": dtype}


def largest(cells: Any) -> float:
    return float(torch.tensor(cells, dtype=torch.float64).abs().max())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cancellation_is_no_mistake(dtype: str) -> None:
    walked = json.loads(backend.walk(discretised(dtype) | {"arrays": "lists"}))
    shares = {
        node["name"]: node["gradient"]["verdict"]["maxdiff"] / largest(node["gradient"]["autograd"])
        for node in walked["nodes"]
        if node["gradient"]
    }
    assert dtype == "float64" or max(shares.values()) > 1e-4  # rounding does show, or this is no case for the test
    printed, code = outcome(backend.export(discretised(dtype), "py")["text"])
    assert code == 0, printed
    assert "WRONG" not in printed


def test_a_mistake_beside_cancellation_is_found() -> None:
    text = backend.export(discretised(), "py")["text"]
    line = next(line for line in text.split("\n") if line.strip().startswith("dmean = "))
    printed, code = outcome(text.replace(line, f"{line} * 1.001"))
    assert code == 1
    assert "WRONG" in printed


def test_gradients_that_are_no_numbers_agree_where_autograd_s_are_none() -> None:
    given = {"role": "parameter", "values": [1.0, 0.0, 4.0]}
    request = {"source": "h = x * 0\nloss = (h / h + x).sum()", "tensors": {"x": given}}
    printed, code = outcome(backend.export(request, "py")["text"])
    assert (code, "WRONG" in printed, printed.count("not finite")) == (0, False, 2)
    planted = backend.export(request, "py")["text"].replace("dx = ", "dx = 0 * ")
    assert "nan" in str(json.loads(backend.walk(request | {"arrays": "lists"}))["nodes"][0]["gradient"]).lower()
    line = next(line for line in planted.split("\n") if line.strip().startswith("dloss = "))
    printed, code = outcome(planted.replace(line, f"{line} * math.nan"))
    assert code == 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", some(PROGRAMS, 6))
def test_an_exported_program_agrees_in_float64(path: Path) -> None:
    printed, code = outcome(backend.export(request(path) | {"dtype": "float64"}, "py")["text"])
    assert code == 0, printed


def pairs() -> list[tuple[str, tuple[torch.Tensor, ...]]]:
    """Gradients as they may come, in float32 and in float64; each side is the lines' and autograd's."""
    g = torch.Generator().manual_seed(0)
    true = torch.randn(40, generator=g, dtype=torch.float64)
    noise = torch.randn(40, generator=g, dtype=torch.float64)
    special = torch.tensor([math.nan, math.inf, -math.inf, 0.0])
    zero, many = torch.zeros(4), []
    left = torch.tensor([5.3e-10, -3.1e-11, -5.0e-10], dtype=torch.float64)  # where nearly all has cancelled
    lossy = (left + 80 * 5.3e-10).float()
    for size in (0.0, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2):
        near = (true + size * noise).float()
        many.append((f"off by {size}", (near, true.float(), true, true)))
        many.append((f"autograd off by {size}", (true.float(), near, true, true)))
        many.append((f"float64 off by {size}", (true.float(), true.float(), true + size * noise * 1e-3, true)))
        many.append((f"zeros of {size}", (size * noise.float(), zero.repeat(10), noise * size * 1e-9, 0 * noise)))
        many.append((f"no zeros of {size}", (size * noise.float(), zero.repeat(10), noise * size, 0 * noise)))
    return [
        *many,
        *((f"left, off by {off}", (lossy, lossy, left * (1 + off), left)) for off in (3.3e-7, 1e-5)),
        ("not finite, alike", (special, special, special.double(), special.double())),
        ("not finite, one", (special, zero, special.double(), zero.double())),
        ("infinite the other way", (special, -special, special.double(), -special.double())),
        ("all zero", (zero, zero, zero.double(), zero.double())),
        ("empty", (zero[:0], zero[:0], zero[:0].double(), zero[:0].double())),
        ("shapes", (zero[:3], zero, zero[:3].double(), zero.double())),
    ]


WORDS = {
    "exact": "exact",
    "approximate": "approximate",
    "zero": "zero up to rounding",
    "not-finite": "not finite",
    "wrong": "WRONG",
    "shape": "WRONG SHAPE",
}


def of_four(sides: tuple[torch.Tensor, ...]) -> Four:
    one, two, three, four = sides
    return one, two, three, four


@pytest.mark.parametrize("own", ["float32", "float64"])
@pytest.mark.parametrize("scale", [1.0, 1e3])
@pytest.mark.parametrize("sides", [pytest.param(sides, id=name) for name, sides in pairs()])
def test_the_file_judges_as_the_page_does(sides: tuple[torch.Tensor, ...], scale: float, own: str) -> None:
    scope: dict[str, Any] = {"torch": torch, "math": math}
    exec(JUDGE, scope)
    ordered = sides if own == "float32" else (*sides[2:], *sides[:2])
    word, _ = scope["judge"](*ordered, scale)
    assert word == WORDS[judge(*of_four(ordered), scale).level]


def test_the_judgements_compared_are_of_every_kind() -> None:
    levels = {judge(*of_four(sides), 1e3).level for _, sides in pairs()}
    assert levels == set(WORDS)


def test_a_file_names_who_wrote_its_lines() -> None:
    text = backend.export({"lesson": "makemore-mlp"}, "py")["text"]
    assert "# Backward, written out by gradwalk\n" in text
    assert "by hand" not in text


@pytest.mark.parametrize("name", ["precision", "gradients", "recision", "kind", "other", "top", "judge"])
def test_names_of_the_file_s_own_are_free(name: str) -> None:
    given = {"role": "parameter", "shape": [2, 3], "init": "randn"}
    source = f"{name} = x * 2\nd{name} = {name} * 3\nloss = ({name} * d{name}).sum()"
    assert outcome(backend.export({"source": source, "tensors": {"x": given}}, "py")["text"])[1] == 0


def test_a_constant_changed_in_the_file_stays_right() -> None:
    given = {"role": "parameter", "shape": [3, 4], "init": "randn"}
    source = "beta = torch.tensor(beta)  # first\nh = x.float() * beta + n\nloss = (h * h.to(torch.float32)).mean()"
    text = backend.export({"source": source, "tensors": {"x": given}, "constants": {"beta": 0.5, "n": 2}}, "py")["text"]
    for changed in (text, text.replace("beta = 0.5", "beta = 0.75").replace("n = 2\n", "n = 7\n")):
        printed, code = outcome(changed)
        assert code == 0, printed


def test_torch_is_left_as_it_was() -> None:
    exec(backend.export(discretised("float64"), "py")["text"], {})
    assert (torch.get_default_dtype(), torch.is_grad_enabled()) == (torch.float32, True)
