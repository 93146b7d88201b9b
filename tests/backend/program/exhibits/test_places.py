"""The lines of tables and keys in a TOML text, as somebody would point at them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from backend.program.exhibits.places import line_at, places_of
from backend.program.exhibits.room import own_folder

TEXT = (
    """\
title = "a"  # [no.table]
a."b c".d = 1

[meant] # here
source = '''
x = 1
[not.a.table]
y = 2
'''
after = 3
short = """
    + '"""one line"""'
    + """

["written".tensors]
x = { role = "parameter" }
many = [
  "x = 1",
]
last = 1
"""
)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 1), (("a",), 2), (("a", "b c", "d"), 2), (("meant",), 4), (("meant", "source"), 5),
        (("meant", "source", "text"), 6), (("meant", "after"), 10), (("meant", "short"), 11), (("written",), 13),
        (("written", "tensors", "x", "role"), 14), (("written", "tensors", "last"), 18), (("not", "a"), 1),
    ],
)  # fmt: skip
def test_where_something_is(path: tuple[str, ...], line: int) -> None:
    assert line_at(places_of(TEXT), path) == line


@pytest.mark.parametrize("file", sorted(own_folder().glob("*.toml")), ids=lambda file: file.stem)
def test_every_table_and_key_of_our_exhibits_is_found(file: Path) -> None:
    text = file.read_text()
    places, lines = places_of(text), text.split("\n")
    for name, value in tomllib.loads(text).items():
        assert name in lines[places[name,] - 1]
        for key in value if isinstance(value, dict) else ():
            assert key in lines[places[name, key] - 1]
