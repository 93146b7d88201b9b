"""A folder of exhibits is checked as a whole: every fault of every file, each once."""

from __future__ import annotations

from pathlib import Path

import backend
from backend.program.lessons import ROOM
from backend.services.exhibit_check import faults_of

RIGHT = """
title = "A sum for a mean"
shows = "scale"
lessons = ["broadcasting"]
threads = [["owner/name#1", 2020]]
look_at = ["dw"]
ask = "What becomes of it?"
reveal = "It is {ratio}`dw` times as long."

[training]
rate = 0.1
steps = 3

[tensors]
w = { role = "parameter", values = [1.0, 2.0] }

[meant]
source = "loss = w.mean()"

[written]
source = "loss = w.sum()"
"""


def put(folder: Path, name: str, *changes: tuple[str, str]) -> None:
    text = RIGHT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / name).write_text(text)


def told(folder: Path) -> tuple[int, list[tuple[str, str]]]:
    backend.check_chapters(folder)
    count, faults = backend.check_exhibits()
    return count, [(fault["file"], fault["message"]) for fault in faults]


def test_a_folder_without_faults(folder: Path) -> None:
    put(folder, "70-right.toml")
    assert told(folder) == (1, [])


def test_every_fault_of_every_file_is_told(folder: Path) -> None:
    put(
        folder, "70-four.toml",
        ("{ratio}`dw`", "{ratio}`dz`"), ('look_at = ["dw"]', 'look_at = ["dw", "dq"]'), ("broadcasting", "nowhere"),
    )  # fmt: skip
    put(folder, "71-front.toml", ("title", "titel"))
    put(folder, "72-program.toml", ("w.sum()", "v.sum()"))
    put(folder, "73-right.toml")
    count, faults = told(folder)
    assert count == 3
    assert [file for file, _ in faults] == ["70-four.toml"] * 3 + ["71-front.toml"] * 2 + ["72-program.toml"]
    for part in ("dz", "dq", "nowhere", "titel", "`v`"):
        assert any(part in message for _, message in faults), part


def lines(folder: Path, text: str) -> list[tuple[int, str]]:
    """The line of each fault of a file, and the text that is there."""
    (folder / "70-one.toml").write_text(text)
    backend.check_chapters(folder)
    each = text.split("\n")
    return [(fault["line"], each[fault["line"] - 1]) for fault in backend.check_exhibits()[1]]


def test_a_file_that_cannot_be_read_tells_all_its_faults_at_their_lines(folder: Path) -> None:
    wrong = RIGHT.replace("title", "titel").replace('"scale"', '"beauty"').replace("owner/name#1", "somewhere")
    wrong = wrong.replace("rate = 0.1", 'rate = "fast"').replace("[written]\nsource", "[written]\nsauce")
    found = lines(folder, wrong)
    assert [text for _, text in found] == [
        "", 'titel = "A sum for a mean"', 'shows = "beauty"', 'threads = [["somewhere", 2020]]', "[training]",
        "[written]", 'sauce = "loss = w.sum()"',
    ]  # fmt: skip
    assert [line for line, _ in found] == sorted(line for line, _ in found)


def test_a_text_that_is_no_toml_names_the_line(folder: Path) -> None:
    assert lines(folder, RIGHT.replace("steps = 3", "steps = = 3"))[0][1] == "steps = = 3"
    assert lines(folder, RIGHT + '\nsees = """never')[0][1] == 'sees = """never'


def test_what_cannot_be_computed_is_told_at_its_line(folder: Path) -> None:
    wrong = RIGHT.replace("{ratio}`dw`", "{ratio}`dz`").replace('look_at = ["dw"]', 'look_at = ["dw", "dq"]')
    wrong = wrong.replace('"loss = w.sum()"', "'''\na = w * 2\nloss = v.sum()\n'''")
    assert [text for _, text in lines(folder, wrong)] == ["loss = v.sum()"]
    wrong = wrong.replace("v.sum", "a.sum").replace("broadcasting", "nowhere")
    assert [text.partition(" ")[0] for _, text in lines(folder, wrong)] == ["lessons", "look_at", "reveal"]


def test_our_own_have_none() -> None:
    for name in ("mse-column-minus-row", "last-one-wins", "batch-norm"):
        assert faults_of(ROOM.exhibits[name]) == []
