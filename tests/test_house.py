"""House rules that a test can hold: how long a file may be, and where tests read."""

import re

from tests.tools.server import ROOT

MOST_LINES = 400
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


def test_tests_read_nothing_outside_the_repository() -> None:
    """No path leads above the repository's folder."""
    for path in TESTS:
        text = path.read_text()
        depth = len(path.relative_to(ROOT).parts)
        assert not re.search(r"\bROOT\.parent\b|\.\./\.\./\.\.", text), path
        assert all(int(number) < depth for number in re.findall(r"parents\[(\d+)\]", text)), path


def test_no_test_module_imports_from_another() -> None:
    for path in TESTS:
        assert not re.search(r"^\s*(?:from|import) tests\.(?:\w+\.)?test_", path.read_text(), re.MULTILINE), path
