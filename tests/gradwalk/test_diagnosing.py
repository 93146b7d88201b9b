"""What is said of a line from Python, and an exercise that the command writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gradwalk
from gradwalk.__main__ import main

WALK = {"lesson": "makemore-mlp"}


def test_a_line_is_told_what_is_wrong_with_it() -> None:
    assert "turns the matrices another way" in gradwalk.diagnose(WALK, "dW2", "dW2 = dlogits.T @ h")
    assert gradwalk.diagnose(WALK, "dW2", "dW2 = h.T @ dlogits") == ""
    assert gradwalk.diagnose(WALK, "dnothing", "dnothing = 1") == ""
    assert gradwalk.diagnose({"lesson": "of-elsewhere"}, "dx", "dx = 1") == ""


def test_the_command_writes_an_exercise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "mine.json"
    tensors = {"x": {"role": "parameter", "values": [1.0, 2.0]}}
    own.write_text(json.dumps({"source": "y = x * 3\nloss = y.sum()", "tensors": tensors}))
    for course in ((), ("otter",)):
        main(["exercise", str(own), str(tmp_path / "exercise.ipynb"), *course])
        assert "dx = 3 * dy" in (tmp_path / "exercise.ipynb").read_text()
        assert (course or ("nbgrader",))[0] in capsys.readouterr().out
    with pytest.raises(SystemExit, match="usage"):
        main(["exercise", "makemore-mlp", "file.ipynb", "moodle"])
    with pytest.raises(SystemExit, match="of-elsewhere"):
        main(["exercise", "of-elsewhere", str(tmp_path / "none.ipynb")])
