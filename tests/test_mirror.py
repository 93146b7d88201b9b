"""Tests stand where what they test stands: tests/backend, app, gradwalk and js have folders as the code has."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.endpoints import BY_JOB
from tests.tools.server import ROOT

# Folders of tests that are no package's, and test modules that are named after no module beside them, each with why.
OF_THEIR_OWN = {
    "backend/whole": "tests that hold the whole engine at once",
    "app/whole": "tests that hold the whole server at once",
}
OTHERWISE_NAMED = {
    "backend/test_stages.py": "the order of all the folders",
    "app/api/test_code.py": "what the page “Your code” asks: check, export, opened, starts",
    "app/api/test_inside.py": "what is asked about the inside of a walk: numeric, jacobian, tensor",
}
TESTS = ROOT / "tests"
FILES = sorted(
    path.relative_to(TESTS) for name in ("backend", "app", "gradwalk") for path in (TESTS / name).rglob("*.py")
)
MODULES = [path for path in FILES if path.name.startswith("test_")]
SCRIPT_TESTS = sorted(path.relative_to(TESTS) for path in (TESTS / "js").rglob("*.test.js"))
FOLDERS = sorted({path.parent for path in FILES} - {Path("backend"), Path("app"), Path("gradwalk")})


def is_mirrored(path: Path) -> bool:
    """Whether a test module is named after its folder, or after a module beside it and perhaps one side of that.

    An endpoint of the table counts as a module of `app/api`.
    """
    name, beside = path.stem.removeprefix("test_"), ROOT / path.parent
    named = {module.stem for module in beside.glob("*.py")}
    if path.parent == Path("app/api"):
        named |= {job.partition("-")[0] for job in BY_JOB}
    return name == beside.name or any(f"{name}_".startswith(f"{one}_") for one in named)


def test_a_folder_of_tests_is_one_of_a_package() -> None:
    others = [folder for folder in map(str, FOLDERS) if folder not in OF_THEIR_OWN]
    assert [folder for folder in others if not (ROOT / folder / "__init__.py").is_file()] == []


def test_a_test_module_is_named_after_what_it_tests() -> None:
    assert len(MODULES) > 300
    others = [path for path in MODULES if str(path.parent) not in OF_THEIR_OWN and str(path) not in OTHERWISE_NAMED]
    assert [str(path) for path in others if not is_mirrored(path)] == []


def test_a_test_of_scripts_is_named_after_a_script() -> None:
    scripts = {path: ROOT / "static" / str(path).replace(".test.js", ".js") for path in SCRIPT_TESTS}
    assert len(scripts) > 150
    assert [str(path) for path, script in scripts.items() if not script.is_file()] == []


def test_only_tests_stand_there() -> None:
    """Helpers are in tests/support."""
    assert {path.name for path in FILES if path not in MODULES} == {"__init__.py"}


def test_every_exception_is_there_and_is_one() -> None:
    assert [name for name in {**OF_THEIR_OWN, **OTHERWISE_NAMED} if not (TESTS / name).exists()] == []
    assert [name for name in OTHERWISE_NAMED if is_mirrored(Path(name))] == []
    assert [name for name in OF_THEIR_OWN if (ROOT / name).exists()] == []


@pytest.mark.parametrize(
    ("path", "mirrored"),
    [
        ("backend/engine/verify/test_compare.py", True),
        ("backend/engine/verify/test_compare_planted.py", True),
        ("backend/engine/verify/test_verify.py", True),
        ("app/api/test_cell.py", True),
        ("app/api/test_cells.py", False),
        ("backend/engine/verify/test_checker.py", False),
        ("backend/engine/verify/test_comparer.py", False),
        ("backend/engine/execute/test_compare.py", False),
        ("backend/verifier/test_verifier_of_gradients.py", False),
    ],
)
def test_what_is_misplaced_is_seen(path: str, mirrored: bool) -> None:
    assert is_mirrored(Path(path)) is mirrored
