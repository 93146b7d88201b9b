"""Every row of the table of threats names tests that exist."""

import ast
import re

import pytest

from tests.tools.server import ROOT

TEXT = (ROOT / "docs/THREATS.md").read_text()
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| ")]
THREATS = [row for row in ROWS[2:] if not row[0].startswith("**")]


def test_the_table_has_three_columns() -> None:
    assert ROWS[0] == ["who sends what", "what stands in the way", "held by"]
    assert {len(row) for row in ROWS} == {3}
    assert len(THREATS) >= 30


@pytest.mark.parametrize("row", THREATS, ids=[row[0][:60] for row in THREATS])
def test_a_threat_names_tests_that_exist(row: list[str]) -> None:
    assert all(row), "a row says who, what and which test"
    held_by = [span.split("::") for span in re.findall(r"`([^`]+)`", row[2])]
    assert held_by
    for path, name in held_by:
        assert name in names(path), f"{path} has no test {name}"


def names(path: str) -> set[str]:
    """The tests of a file; of JavaScript what is written as a test's name, up to where it is filled in."""
    text = (ROOT / path).read_text()
    if path.endswith(".js"):
        return {found.rpartition("} ")[2] for found in re.findall(r"^ *test\([\"`](.+?)[\"`],", text, re.MULTILINE)}
    return {
        node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) if node.name[:5] == "test_"
    }
