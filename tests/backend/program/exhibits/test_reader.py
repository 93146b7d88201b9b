"""An exhibit is one file; what is wrong in it is told with the file, and leaves the others as they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import backend
from backend.engine.language.errors import Refusal
from backend.program.exhibits.reader import LARGEST, read_exhibit

RIGHT = """
title = "Twice"
shows = "scale"
look_at = ["dx"]
ask = "What becomes of it?"
reveal = "It is twice as long."
threads = [["owner/name#3", 2020]]

[tensors]
x = { role = "parameter", values = [1.0, 2.0] }

[meant]
source = "loss = (x * x).sum()"

[written]
source = "loss = 2 * (x * x).sum()"
"""


def test_a_teacher_s_own_file_is_walked_and_listed(folder: Path) -> None:
    (folder / "5-twice.toml").write_text(RIGHT)
    (folder / "6-broken.toml").write_text(RIGHT.replace("reveal", "reveals"))
    backend.serve_chapters(folder)
    listed = backend.exhibits()
    assert [one["name"] for one in listed["exhibits"]][-1] == "twice"
    (fault,) = listed["faults"]
    assert fault["file"] == "6-broken.toml"
    assert "reveals" in fault["message"]
    assert b"loss" in backend.walk({"lesson": "twice.written"})
    told = backend.comparison({"left": {"lesson": "twice.meant"}, "right": {"lesson": "twice.written"}})
    (x,) = [one for one in told["tensors"] if one["variable"] == "x"]
    assert x["gradient"] is not None
    assert x["gradient"]["ratio"] == pytest.approx(2)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("Twice.toml", RIGHT, "is no name of an exhibit"),
        ("1-twice.toml", RIGHT + "x = [", "can't be read"),
        ("1-twice.toml", RIGHT.replace('ask = "What becomes of it?"\n', ""), "has no `"),
        ("1-twice.toml", RIGHT.replace('"scale"', '"beauty"'), "What the exhibit"),
        ("1-twice.toml", RIGHT.replace("owner/name#3", "somewhere"), "What the exhibit"),
        ("1-twice.toml", RIGHT.replace("[written]\nsource", "[written]\nsauce"), "which no exhibit has"),
        ("1-twice.toml", RIGHT.replace('[written]\nsource = "loss = 2 * (x * x).sum()"', ""), "has no `"),
        ("1-twice.toml", RIGHT.replace('source = "loss = 2 * (x * x).sum()"', "plant = { step = 0, code = 'x' }"),
         "What the exhibit"),
        ("1-twice.toml", RIGHT + "[training]\nrate = 0.1\nsteps = 100000\n", "What the exhibit"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_file(file: str, text: str, said: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_exhibit(file, text)
    assert file in caught.value.message
    assert said in caught.value.message


def test_a_file_that_is_too_long_is_refused(folder: Path) -> None:
    (folder / "5-twice.toml").write_text(RIGHT + "#" * LARGEST)
    backend.serve_chapters(folder)
    assert [one["file"] for one in backend.exhibits()["faults"]] == ["5-twice.toml"]


def test_a_name_that_is_no_text_is_spelled_out(folder: Path) -> None:
    (folder / os.fsdecode(b"5-\xff.toml")).write_text(RIGHT)
    backend.serve_chapters(folder)
    faults = backend.exhibits()["faults"]
    assert [one["file"] for one in faults] == [r"5-\xff.toml"]
    json.dumps(faults, ensure_ascii=False).encode()
