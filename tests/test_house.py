"""House rules that a test can hold: how long a file may be, how a module begins, and where tests read."""

import ast
import re

import pytest

from tests.tools.server import ROOT

MOST_LINES = 400
ROUNDABOUT = r"(?i)(?:with|in|by) this (?:module|file|package)\b|this (?:module|file|package)\b"
SOURCES = [
    path
    for folder in ("app", "backend", "tests", "static/js", "static/css", "templates")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".js", ".css", ".html"}
]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def test_no_file_is_too_long() -> None:
    assert len(SOURCES) > 300
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


@pytest.mark.parametrize("package", ["app", "backend"])
def test_a_module_says_at_once_what_is_in_it(package: str) -> None:
    """Its docstring begins with what the module is or does, and its first line is a whole sentence."""
    first = {
        str(path.relative_to(ROOT)): (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n\n")[0]
        for path in (ROOT / package).rglob("*.py")
    }
    assert {name for name, said in first.items() if said[-1:] not in {".", "…"}} == set()
    assert {name for name, said in first.items() if re.match(ROUNDABOUT, said)} == set()


def test_tests_read_nothing_outside_the_repository() -> None:
    """No path leads above the repository's folder."""
    for path in TESTS:
        text = path.read_text()
        depth = len(path.relative_to(ROOT).parts)
        assert not re.search(r"\bROOT\.parent\b|\.\./\.\./\.\.", text), path
        assert all(int(number) < depth for number in re.findall(r"parents\[(\d+)\]", text)), path


def test_no_test_module_imports_from_another() -> None:
    for path in TESTS:
        assert not re.search(r"^\s*(?:from|import) tests\.(?:\w+\.)*test_", path.read_text(), re.MULTILINE), path
