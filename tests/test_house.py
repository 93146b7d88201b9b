"""House rules that a test can hold: how long a file may be, how a module begins, and where tests read."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools import node
from tests.tools.server import ROOT

MOST_LINES = 400
WIDEST = 120
# A function of a script, from its first line to its closing brace, with what is nested in it; of those with a name,
# nineteen in twenty are shorter still.
LONGEST_FUNCTION = 80
MOSTLY = 30
TYPESCRIPT = Path(sys.prefix) / "node_modules" / "typescript" / "lib" / "typescript.js"
ROUNDABOUT = r"(?i)(?:with|in|by) this (?:module|file|package)\b|this (?:module|file|package)\b"
SOURCES = [
    path
    for folder in ("app", "backend", "gradwalk", "tests", "static/js", "static/css", "templates")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".js", ".css", ".html"}
]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
PYTHON = [path for path in SOURCES if path.suffix == ".py"]
MOST_OVERRULED = 14
OVERRULED = re.compile(r"#\s*type:\s*ignore.*")
WITH_A_REASON = re.compile(r"# type:\signore\[[\w, -]+\]  # \w.*")
# Where JSON comes in or goes out, and where an operation's block, which knows better, is handed its arguments.
EDGES = {
    "app/api/compute.py",
    "app/body.py",
    "app/main.py",
    "app/site/question.py",
    "backend/engine/encode.py",
    "backend/engine/language/values.py",
}


def test_no_file_is_too_long() -> None:
    assert len(SOURCES) > 300
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_nothing_is_kept_that_is_to_be_left_out() -> None:
    """An environment least of all: a link in its place takes away that of whoever merges it."""
    git = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    assert subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout == ""


def test_the_type_checker_is_seldom_overruled_and_never_without_a_reason() -> None:
    found = [said for path in PYTHON for said in OVERRULED.findall(path.read_text())]
    assert len(found) <= MOST_OVERRULED, found
    assert [said for said in found if not WITH_A_REASON.fullmatch(said)] == []


def test_only_the_edges_pass_dictionaries_of_anything() -> None:
    """Inside, what a dictionary holds has a type with a name."""
    inside = [path for path in PYTHON if path.relative_to(ROOT).parts[0] != "tests"]
    loose = {str(path.relative_to(ROOT)) for path in inside if re.search(r"\b[dD]ict\[str, Any\]", path.read_text())}
    assert loose == EDGES


def test_lines_of_the_page_are_short() -> None:
    """What no layout breaks, comments and strings, is short too; only a regular expression may be long."""
    pages = [path for path in SOURCES if path.suffix != ".py"]
    assert {path.suffix for path in pages} == {".js", ".css", ".html"}
    assert len(pages) > 250
    lines = [(path.name, line) for path in pages for line in path.read_text().splitlines() if len(line) > WIDEST]
    assert [found for found in lines if not re.fullmatch(r"\s*/.+/[a-z]*;", found[1])] == []


def functions_in(folder: Path) -> list[tuple[str, int, str, int]]:
    """Every function of the scripts in a folder: its script, its line, its name or "", and how many lines it has."""
    command = node.command(["tests/js/functions.js", str(TYPESCRIPT), str(folder)])
    assert command, node.MISSING
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [(script, line, name, lines) for script, line, name, lines in json.loads(found)]


def test_functions_of_scripts_are_short() -> None:
    functions = functions_in(ROOT / "static" / "js")
    assert len(functions) > 3000
    assert {f"{script} {name}" for script, _, name, lines in functions if lines > LONGEST_FUNCTION} == set()
    named = sorted(lines for _, _, name, lines in functions if name)
    assert named[len(named) * 95 // 100] <= MOSTLY


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("function outer() {\n@}", "outer"),
        ("class One {\n  act = async () => {\n@  };\n}", "act"),
        ("const { hears } = { hears(event) {\n@} };", "hears"),
        ("export default {\n  get value() {\n@  },\n};", "value"),
        ("const outer = () => inner(function named() {\n@});", "named"),
        ("const outer = () => inner(`}${() => {\n@}}`);", ""),
        ("class One {\n  constructor() {\n@  }\n}", "constructor"),
    ],
)
def test_a_long_function_is_seen(tmp_path: Path, script: str, name: str) -> None:
    for lines in (LONGEST_FUNCTION, LONGEST_FUNCTION + 1):
        (tmp_path / "one.js").write_text(script.replace("@", "  more(); // }\n" * (lines - 2)))
        assert [name for *_, name, found in functions_in(tmp_path) if found == lines].count(name) == 1


@pytest.mark.parametrize("package", ["app", "backend", "gradwalk"])
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


def test_browser_tests_hold_requests_back_and_wait_by_the_helpers() -> None:
    """`page.route` on an open page lets some requests by; `wait_for_function` looks once and no more (conftest.py)."""
    tests = [path for path in sorted((ROOT / "tests" / "browser").rglob("*.py")) if path.name != "conftest.py"]
    assert len(tests) > 40
    assert [path.name for path in tests if re.search(r"\.route\(|wait_for_function\(", path.read_text())] == []
