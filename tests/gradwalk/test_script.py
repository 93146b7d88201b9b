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


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (RIGHT, 0, "1 of 1 checks are right."),
        (RIGHT + WRONG, 1, "Twice.backward: 1 of 1 gradients WRONG: x"),
        ("x = 1", 2, "makes no check"),
    ],
)
def test_a_script_s_checks_decide(
    script: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(script)
    with pytest.raises(SystemExit) as ended:
        main(["check", str(file)])
    assert ended.value.code == code
    assert said in capsys.readouterr().out
    assert LISTENERS == []
