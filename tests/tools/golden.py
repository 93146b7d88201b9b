"""What a person reads, as text that tests hold: `python -m tests.tools.golden` writes it anew.

A golden pass is the printed backward pass of a program in tests/programs/blackboard. Of each program in
tests/pasted/well_known, pasted as people have it, both passes are kept. A golden walk holds all words,
code and formulas; shapes, cells and numbers have tests of their own. What depends on the machine is left out: the
tensors, the verdicts, and sizes of what rounding left.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import backend
from tests.support import pasted
from tests.support.solve import solve

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "backend" / "golden" / "walks"
PASSES = ROOT / "backend" / "golden" / "passes"
PASTED = ROOT / "backend" / "golden" / "pasted"
BLACKBOARD = sorted((ROOT / "programs" / "blackboard").glob("*.toml"))
LEFT_OUT = {
    "id",
    "gradient",
    "norm",
    "summary",
    "labels",
    "targets",
    "shape",
    "dims",
    "size",
    "cells",
    "candidates",
    "opens",
    "views",
}
WIDEST = 120
POWER_OF_TEN = re.compile(r"\d[\d.]*·10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


def requests() -> dict[str, dict[str, Any]]:
    """The request of each lesson with data of its own and of each starting point, by the name of its file."""
    lessons = {lesson["name"]: {"lesson": lesson["name"]} for lesson in backend.lessons() if lesson["seed"]}
    return lessons | {f"start-{start['name']}": start["request"] for start in backend.starts()}


def golden(request: dict[str, Any]) -> str:
    """The text of one walk."""
    document = json.loads(backend.walk(request | {"steps": "all"}))
    return POWER_OF_TEN.sub("…", "\n".join(lines(document, ""))) + "\n"


def lines(value: Any, indent: str) -> Iterator[str]:
    """A document as indented text, one field a line; fields that say nothing are left out."""
    for key, part in value.items():
        if key in LEFT_OUT or part in (None, "", [], {}) or is_tensor(part):
            continue
        for entry in part if isinstance(part, list) and isinstance(part[0], dict) else [part]:
            if isinstance(entry, dict):
                yield from _folded(f"{indent}{key}", list(lines(entry, indent + "  ")))
            else:
                yield f"{indent}{key}: {written(entry, indent)}"


def _folded(head: str, body: list[str]) -> Iterator[str]:
    """A part on one line where it is short."""
    one = f"{head}: {' · '.join(line.strip() for line in body)}"
    if len(one) <= WIDEST and all(": " in line and "\n" not in line for line in body):
        yield one
    else:
        yield from (head, *body)


def is_tensor(value: Any) -> bool:
    """Whether this is a tensor on the wire."""
    return isinstance(value, dict) and "dtype" in value


def written(value: Any, indent: str) -> str:
    """A value on one line; code of several lines stays as it is, below its name."""
    if isinstance(value, float):
        return f"{value:.3g}"
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return value if "\n" not in value else "".join(f"\n{indent}  | {line}" for line in value.rstrip("\n").split("\n"))


def printed_pass(path: Path) -> str:
    """The backward pass that is printed for a program."""
    return solve(tomllib.loads(path.read_text()), dtype="float32").backward_source


def both_passes(name: str) -> str:
    """What is walked of a well-known program, and the backward pass that is printed for it."""
    case = pasted.CASES[name]
    program = pasted.lowered(case)
    backward = solve(pasted.request(case, program), dtype="float32").backward_source
    return f"{program.source}\n\n{backward.rstrip()}\n"


def written_anew(folder: Path, texts: dict[str, str]) -> None:
    """Make a folder hold these texts and no others."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    written_anew(PASSES, {path.stem: printed_pass(path) for path in BLACKBOARD})
    written_anew(PASTED, {name: both_passes(name) for name in pasted.WELL_KNOWN})
    written_anew(FOLDER, {name: golden(request) for name, request in requests().items()})
