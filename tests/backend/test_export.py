"""Exported files run in plain PyTorch on their own, agree with autograd, and notice when they do not."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import backend

PROGRAMS = sorted((Path(__file__).parents[1] / "programs").glob("*.toml"))


def request(path: Path) -> dict[str, Any]:
    case = tomllib.loads(path.read_text())
    return {key: case[key] for key in ("source", "tensors", "constants", "loss") if key in case}


def outcome(text: str) -> tuple[str, int]:
    """What a program prints, and its exit code."""
    printed: list[str] = []
    scope = {"__name__": "__main__", "print": lambda *words: printed.append(" ".join(map(str, words)))}
    try:
        exec(compile(text, "export", "exec"), scope)
    except SystemExit as stop:
        return "\n".join(printed), int(stop.code or 0)
    finally:
        scope["torch"].set_grad_enabled(True)  # type: ignore[attr-defined]
    return "\n".join(printed), 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_exported_program_agrees(path: Path) -> None:
    text = backend.export(request(path), "py")["text"]
    printed, code = outcome(text)
    assert code == 0, printed
    done, total = (int(word) for word in printed.splitlines()[-1].split()[:3:2])
    assert done == total > 0


def test_the_lessons_notebook_runs_and_agrees() -> None:
    notebook = json.loads(backend.export({"lesson": "makemore-mlp"}, "ipynb")["text"])
    assert notebook["nbformat"] == 4
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    printed, code = outcome("\n".join(cells))
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
