"""The checks of a script, and what the command ends with."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradwalk.__main__ import main
from gradwalk.checking import LISTENERS

RIGHT = "import gradwalk, torch\ngradwalk.check(lambda x: (x * x).sum(), torch.ones(3))\n"
WRONG = """
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return -2 * g

gradwalk.check(Twice.apply, torch.ones(3))
"""

# Its gradient passes where the forward pass is flat: meant so, or a mask that was forgotten.
CLAMPED = """
import gradwalk, torch
class Clamped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clamp(-1, 1)

    @staticmethod
    def backward(ctx, g):
        return g

gradwalk.check(Clamped.apply, torch.tensor([-2.0, 0.5, 3.0]))
"""


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (RIGHT, 0, "1 of 1 checks are right."),
        (RIGHT + WRONG, 1, "Twice.backward: 1 of 1 gradients WRONG: x"),
        ("x = 1", 2, "makes no check"),
        (CLAMPED, 0, "Is it meant that Clamped's `x` isn't the true gradient?\nWith --strict that is an error."),
        ("--strict" + CLAMPED, 1, "a mask is missing.\n0 of 1 checks are right."),
        ("--strict" + RIGHT, 0, "1 of 1 checks are right."),
    ],
)
def test_a_script_s_checks_decide(
    script: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    strict = ["--strict"] if script.startswith("--strict") else []
    file.write_text(script.removeprefix("--strict"))
    with pytest.raises(SystemExit) as ended:
        main(["check", *strict, str(file)])
    assert ended.value.code == code
    assert said in capsys.readouterr().out
    assert LISTENERS == []
