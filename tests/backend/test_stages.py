"""The engine's folders are the stages of its pipeline: each stands on those before it, and on none that comes after."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "backend"
MODULES = sorted(ENGINE.rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES} - {ENGINE})
MOST_AT_THE_ROOT = 5

# First what a program is written in; then what becomes of one, with the pipeline that leads it through; then what is
# asked about a walk, and about a program without one.
ORDER = [
    "language", "encode", "ops", "interpret", "trace", "differentiate", "execute", "verify",
    "equations", "mistakes", "index_notation", "chapters", "program", "present",
    "pipeline", "inspect", "closed_forms", "pieces", "practice", "services", "course", "training", "answers", "warmup",
]  # fmt: skip


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


NAMES = {name_of(path) for path in MODULES}


def imported(text: str) -> Iterator[str]:
    """The engine's modules that a text imports anywhere in it."""
    for node in ast.walk(ast.parse(text)):
        found = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in line {node.lineno}"
            whole = [f"{node.module}.{name.name}" for name in node.names]
            found = [name if name in NAMES else str(node.module) for name in whole]
        yield from (name for name in found if name.split(".")[0] == "backend")


def stage(name: str) -> str:
    """The stage of a module; the package itself, through which the app sees the engine, comes after all of them."""
    return (*name.split("."), "")[1]


def against_the_order(name: str, text: str) -> list[str]:
    later = {one: place for place, one in enumerate([*ORDER, ""])}
    return [other for other in imported(text) if later[stage(other)] > later[stage(name)]]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_import_runs_against_the_order(path: Path) -> None:
    assert against_the_order(name_of(path), path.read_text()) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("backend.engine.trace.graph", "from backend.engine.execute import run"),
        ("backend.engine.execute.plan", "def late():\n    import backend.present.schema"),
        ("backend.engine.encode", "from backend.engine.ops import REGISTRY"),
        ("backend.services.check", "from backend import walk"),
    ],
)
def test_a_climb_is_seen(name: str, text: str) -> None:
    assert len(against_the_order(name, text)) == 1


def test_the_order_names_every_stage_once() -> None:
    there = {stage(name) for name in NAMES} - {""}
    assert sorted(ORDER) == sorted(there)


def test_no_folders_stand_in_a_circle() -> None:
    """Those inside a stage neither; a module at the root stands for itself."""
    rooms = {name_of(path): name_of(path if path.parent == ENGINE else path.parent) for path in MODULES}
    needed: dict[str, set[str]] = {}
    for path in MODULES:
        room = rooms[name_of(path)]
        needed.setdefault(room, set()).update({rooms[other] for other in imported(path.read_text())} - {room})
    assert len(list(TopologicalSorter(needed).static_order())) > len(ORDER)


def test_few_modules_stand_at_the_root() -> None:
    assert len([path for path in MODULES if path.parent == ENGINE]) <= MOST_AT_THE_ROOT


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_each_folder_says_in_a_sentence_what_belongs_there(folder: Path) -> None:
    told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    assert re.fullmatch(r"[A-Z][^.!?\n]{20,}\.", told), told
    assert len(told) <= 120


def test_the_pipeline_calls_every_stage_in_its_order() -> None:
    """What it does to a program stands there as calls; the docstring names them as the README does."""
    text = (ENGINE / "pipeline.py").read_text()
    first = (ast.get_docstring(ast.parse(text)) or "").split(". ")[0]
    assert first.endswith("parse, trace, differentiate, run, verify, present")
    called = {node.func.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)
              and isinstance(node.func, ast.Name)}  # fmt: skip
    assert {"parse", "trace", "differentiate", "execute", "verify", "present"} <= called
