"""Training on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from backend.training import session as sessions
from backend.training.__main__ import main

SMALL = ["--hidden", "8", "--embedding", "3", "--batch", "8"]


def test_a_run_prints_losses_names_and_a_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "DIFFERENCES", 60.0)
    assert main(["makemore", "--steps", "60", *SMALL]) == 0
    printed = capsys.readouterr()
    assert "60/60" in printed.err
    told = printed.out + printed.err
    assert "over whole splits, bnmeani and bnvar as over all training examples: train " in told
    assert re.search(r"beside autograd: C [^\n]*; central differences agree in (\d+) of \1 cells", told)
    assert [line.split()[0] for line in printed.out.splitlines() if line.startswith(("C ", "bnbias "))] == [
        "C",
        "bnbias",
    ]
    assert "saturated" in printed.out


def test_any_starting_point_is_trained_with_any_optimiser(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["classifier", "--steps", "30", "--optimiser", "adamw", "--schedule", "cosine", "--lr", "0.01"]
    assert main([*given, "--clip", "1.0"]) == 0
    assert "dead" in capsys.readouterr().out


def test_a_gradient_that_is_infinite_is_told_as_any_other(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    program = tmp_path / "root.json"
    x = {"shape": [2], "values": [0.0, 1.0], "role": "parameter"}
    program.write_text(json.dumps({"source": "y = x.sqrt()\nloss = y.sum()", "tensors": {"x": x}}))
    assert main([str(program), "--steps", "1"]) == 0
    told = capsys.readouterr()
    assert "norm inf" in told.err
    assert re.search(r"x +\S+ +inf", told.out)


def test_a_list_that_is_not_there_and_a_lesson_that_is_not_are_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["makemore", "--names", str(tmp_path / "none.txt"), "--steps", "5"]) == 2
    assert "none.txt" in capsys.readouterr().err
    assert main(["nonesuch", "--steps", "5"]) == 2
    assert "nonesuch" in capsys.readouterr().err


def test_digits_are_told_with_their_accuracy_and_data_that_do_not_fit_with_what_to_write(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["relu-classifier", "--steps", "20"]) == 0
    told = capsys.readouterr()
    assert re.search(r"train \d\.\d+ \(\d+\.\d% right\); validation", told.out + told.err)
    assert main(["classifier", "--data", "digits", "--steps", "5"]) == 2
    assert "Write `x` with 64 columns" in capsys.readouterr().err
    assert main(["relu-classifier", "--mnist", str(tmp_path), "--steps", "5"]) == 2
    assert "train-images-idx3-ubyte" in capsys.readouterr().err


def test_a_clipped_loss_is_told_by_what_it_silences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classifier", "--steps", "5", "--clip-loss", "0.001"]) == 0
    assert "step 4: 8 of 8 examples have a loss above 0.001. Their gradient is 0." in capsys.readouterr().out


def test_a_program_of_ones_own_comes_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tensors = {"x": {"role": "data", "values": [1.0, 2.0]}, "w": {"role": "parameter", "values": [3.0, 4.0]}}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"source": "loss = ((x - w) ** 2).mean()", "tensors": tensors}))
    assert main([str(file), "--steps", "200", "--optimiser", "momentum"]) == 0
    assert "w " in capsys.readouterr().out
    for text, said in (("{}", "expected"), ("{", "mine.json"), (None, "mine.json")):
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text)
        assert main([str(file), "--steps", "5"]) == 2
        assert said in capsys.readouterr().err


def test_a_loss_that_is_not_finite_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classifier", "--steps", "50", "--lr", "1e30"]) == 1
    assert "a lower learning rate may help" in capsys.readouterr().out
