"""The kept programs, and their walks, each computed once for all tests of a process."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import backend
from backend.pipeline import new_run
from backend.program.runs import Run
from tests.support import makemore

PATHS = sorted((Path(__file__).parents[1] / "programs").rglob("*.toml"))
BY_NAME = {path.stem: path for path in PATHS}
REQUESTS = ["makemore", *BY_NAME]


def some(programs: list[Any], one_in: int) -> list[Any]:
    """Programs as parameters of a slow test: `make test` takes about one in so many, `make test-all` every one.

    Which they are their names decide: one in 16 is among one in 8, so that tests share what was run.
    """
    names = [program.stem if isinstance(program, Path) else program for program in programs]
    return [
        pytest.param(program, id=name, marks=() if crc32(name.encode()) % one_in == 0 else pytest.mark.exhaustive)
        for program, name in zip(programs, names, strict=True)
    ]


WORDS = re.compile(r"\.?\w+(?=\()|[-+*/@%<>=!&|^~]+|\b(?:for|if|def|lambda)\b")


@cache
def usual() -> frozenset[str]:
    """A quarter of the programs, with every call and operator that any has.

    All that were found, and then again and again the one that adds most for what it costs: so much for being run at
    all, so much for each line.
    """
    words = {name: set(WORDS.findall(load(path)["source"])) for name, path in BY_NAME.items()}
    cost = {name: 3 + load(path)["source"].count("\n") for name, path in BY_NAME.items()}
    kept = {name for name, path in BY_NAME.items() if path.parent.name == "found"}
    missing = set().union(*words.values()) - set().union(*(words[name] for name in kept))
    while missing:
        best = max(words, key=lambda name: (len(words[name] & missing) / cost[name], name))
        kept.add(best)
        missing -= words[best]
    return frozenset({"makemore", *kept})


def unusual(name: str) -> bool:
    """Whether a test that reads what is told of programs leaves this one to `make test-all`."""
    return name in BY_NAME and name not in usual()


def mostly(programs: Iterable[Any]) -> list[Any]:
    """Programs as parameters of a test that reads what is told of them: `make test` takes the usual ones."""
    named = [(program.stem if isinstance(program, Path) else str(program), program) for program in programs]
    return [
        pytest.param(program, id=name, marks=pytest.mark.exhaustive if unusual(name) else ()) for name, program in named
    ]


def load(path: Path) -> dict[str, Any]:
    """A program as a request."""
    return tomllib.loads(path.read_text())


def request_of(name: str) -> dict[str, Any]:
    """The request of a kept program, or of the lesson for `makemore`."""
    return makemore.LESSON if name == "makemore" else load(BY_NAME[name])


@cache
def run_for(name: str, dtype: str = "float32", exact: bool = False) -> Run:
    """A program run once; whoever changes a run makes one of its own."""
    return new_run(request_of(name) | {"dtype": dtype, "exact": exact})


@cache
def walk_for(name: str, exact: bool = False) -> dict[str, Any]:
    """A program's finished walk, with its numbers as lists."""
    return dict(json.loads(backend.walk(request_of(name) | {"exact": exact, "arrays": "lists"})))
