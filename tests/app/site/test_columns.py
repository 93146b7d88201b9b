"""Lists of objects as columns: they come out in the page as they went in, and take less."""

import json
import subprocess
import zlib
from typing import Any

import pytest

from app.site.columns import in_columns
from tests.tools.node import find
from tests.tools.server import ROOT

ROWS = """
import { inRows } from "./static/js/shared/recorded-columns.js";
import { readFileSync } from "node:fs";
process.stdout.write(JSON.stringify(inRows(JSON.parse(readFileSync(0)))));
"""
STEPS = [{"code": f"x{i} = w{i} @ h", "at": [i, i + 1], "why": None if i % 3 else {"text": f"{i}"}} for i in range(40)]
DOCUMENTS: list[Any] = [
    [*(None, True, 1.5, "~", [], {}), [1, 2], [[1], [2, 3]], [{}], {"a": [{}]}],
    [{"a": 1}, {"a": 2, "b": [{"c": 1}, {"c": [2]}]}, {}],
    [{"a": 1}, 0, {"a": 2}, [0], [{"b": 1}, {"b": 2}], None],
    [[{"a": 1}, {"a": 2}], [], [{"a": 3}, 4]],
    [[[1], [2, 3]], [[4]], []],
    {"steps": STEPS, "one": {"steps": STEPS[:1]}, "none": []},
]


def test_the_page_reads_columns_as_the_rows_that_they_were() -> None:
    node = find()
    if node is None:
        pytest.skip("Node is not there")
    given = json.dumps([in_columns(one) for one in DOCUMENTS])
    assert '"~~"' in given
    asked = [node, "--input-type=module", "-e", ROWS]
    done = subprocess.run(asked, input=given, capture_output=True, text=True, check=True, timeout=60, cwd=ROOT)
    assert json.loads(done.stdout) == DOCUMENTS


def test_a_name_stands_once_and_like_things_side_by_side() -> None:
    assert in_columns([{"a": 1, "b": 2}, {"a": 3}]) == {"~": 2, "a": [1, 3], "b": [2, "\ue000"]}
    plain, columns = (len(zlib.compress(json.dumps(one).encode(), 9)) for one in (STEPS, in_columns(STEPS)))
    assert columns < 0.95 * plain
