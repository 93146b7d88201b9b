"""Rooms of the backend, and the engine's stages, stand on those before them, and on none that comes after."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BACKEND = ROOT / "backend"
MODULES = sorted(BACKEND.rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES} - {BACKEND})
MOST_AT_THE_ROOT = 2
MOST_FLOORS, MOST_ARROWS = 9, 56

# First how numbers are packed, which knows of nothing; the engine, which stands alone; then how a line is read and what a program is, what a person sees of them, and the
# pipeline that leads through it all; then what is asked about a walk, and about a program without one.
ROOMS = [
    "packing", "engine", "lines", "program", "lowering", "present", "pipeline", "inspect", "practice", "training", "course",
    "services", "",
]  # fmt: skip
STAGES = ["language", "encode", "ops", "interpret", "filling", "trace", "differentiate", "execute", "verify"]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


NAMES = {name_of(path) for path in MODULES}


def imported(text: str) -> Iterator[str]:
    """The modules of the backend that a text imports anywhere in it."""
    for node in ast.walk(ast.parse(text)):
        found = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in line {node.lineno}"
            whole = [f"{node.module}.{name.name}" for name in node.names]
            found = [name if name in NAMES else str(node.module) for name in whole]
        yield from (name for name in found if name.split(".")[0] == "backend")


def room(name: str) -> str:
    """The room of a module; the package itself, through which the app sees all others, is one of its own."""
    return (*name.split("."), "")[1]


def place(name: str) -> tuple[int, int]:
    """Where a module stands in the order: its room, and within the engine its stage."""
    _, *parts = [*name.split("."), "", ""]
    inside = parts[0] == "engine" and parts[1] != ""
    return ROOMS.index(parts[0]), STAGES.index(parts[1]) if inside else 0


def against_the_order(name: str, text: str) -> list[str]:
    return [other for other in imported(text) if place(other) > place(name)]


def test_no_import_runs_against_the_order() -> None:
    climbs = {name_of(path): against_the_order(name_of(path), path.read_text()) for path in MODULES}
    assert {name: found for name, found in climbs.items() if found} == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("backend.engine.trace.graph", "from backend.engine.execute import run"),
        ("backend.engine.execute.plan", "def late():\n    import backend.present.schema"),
        ("backend.engine.encode", "from backend.engine.ops import REGISTRY"),
        ("backend.engine.verify.compare", "from backend.lines.equations import names"),
        ("backend.services.check", "from backend import walk"),
    ],
)
def test_a_climb_is_seen(name: str, text: str) -> None:
    assert len(against_the_order(name, text)) == 1


def test_the_order_names_every_room_and_stage_once() -> None:
    assert sorted(ROOMS) == sorted({room(name) for name in NAMES})
    assert sorted(STAGES) == sorted({name.split(".")[2] for name in NAMES if name.startswith("backend.engine.")})


def test_no_folders_stand_in_a_circle() -> None:
    """Those inside a room neither; a module at the root stands for itself."""
    rooms = {name_of(path): name_of(path if path.parent == BACKEND else path.parent) for path in MODULES}
    needed: dict[str, set[str]] = {}
    for path in MODULES:
        own = rooms[name_of(path)]
        needed.setdefault(own, set()).update({rooms[other] for other in imported(path.read_text())} - {own})
    assert len(list(TopologicalSorter(needed).static_order())) > len(ROOMS) + len(STAGES)


def floors(sees: dict[str, set[str]]) -> int:
    """How many rooms stand on each other at most, each on those that it sees."""
    height: dict[str, int] = {}
    for name in TopologicalSorter(sees).static_order():
        height[name] = 1 + max((height[other] for other in sees[name]), default=0)
    return max(height.values())


def test_rooms_see_few_others() -> None:
    """What a room imports from is an arrow; a new one is a decision, and more floors are a tower."""
    sees: dict[str, set[str]] = {name: set() for name in ROOMS}
    for path in MODULES:
        own = room(name_of(path))
        sees[own] |= {room(other) for other in imported(path.read_text())} - {own}
    assert floors(sees) <= MOST_FLOORS
    assert sum(map(len, sees.values())) <= MOST_ARROWS, sees


def test_floors_are_counted_along_the_longest_way() -> None:
    assert floors({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == 3


def test_few_modules_stand_at_the_root() -> None:
    assert len([path for path in MODULES if path.parent == BACKEND]) <= MOST_AT_THE_ROOT


def test_each_folder_says_in_a_sentence_what_belongs_there() -> None:
    for folder in FOLDERS:
        told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
        assert re.fullmatch(r"[A-Z][^.!?\n]{20,}\.", told), (folder, told)
        assert len(told) <= 120, folder


def test_the_pipeline_calls_every_stage_in_its_order() -> None:
    """What it does to a program stands there as calls; the docstring names them as the README does."""
    text = (BACKEND / "pipeline.py").read_text()
    first = (ast.get_docstring(ast.parse(text)) or "").split(". ")[0]
    assert first.endswith("parse, trace, differentiate, run, verify, present")
    called = {node.func.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)
              and isinstance(node.func, ast.Name)}  # fmt: skip
    assert {"parse", "trace", "differentiate", "execute", "verify", "present"} <= called
