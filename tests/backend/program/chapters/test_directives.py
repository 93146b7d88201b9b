"""Every directive and every role is told of where one looks for it, and the sample of the design is read as it is."""

from __future__ import annotations

import re

import pytest

from backend.program.chapters.directives import ARGUMENTS, DIRECTIVES, ROLES
from tests.tools.server import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text().split("\n## A chapter\n")[1].split("\n## ")[0]
SPANS = re.findall(r"`([^`]+)`", GUIDE)


def test_every_directive_and_role_is_told_of() -> None:
    told = {span.split(" ")[0] for span in SPANS}
    assert set(DIRECTIVES) | set(ROLES) <= told
    rows = re.findall(r"^\| (`.*?) \| ", GUIDE, re.MULTILINE)
    assert {span.split(" ")[0] for row in rows for span in re.findall(r"`([^`]+)`", row)} == {*DIRECTIVES, *ROLES}


@pytest.mark.parametrize("span", [span for span in SPANS if span.split(" ")[0] in DIRECTIVES and " " in span])
def test_what_is_told_of_a_directive_is_read(span: str) -> None:
    name, _, argument = span.partition(" ")
    pattern, _ = ARGUMENTS[DIRECTIVES[name].argument]
    assert re.fullmatch(pattern, argument)
