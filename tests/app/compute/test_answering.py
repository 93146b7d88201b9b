"""What a process answers: JSON, whatever numbers there are in it."""

from __future__ import annotations

import json
import math

from app.compute.answering import encode


def test_a_number_that_json_cannot_hold_is_its_word_wherever_it_stands() -> None:
    document = {"a": [1.5, math.nan, (math.inf, -math.inf)], "b": {"c": math.nan, "d": None, "e": "é"}}
    words = {"a": [1.5, "NaN", ["Infinity", "-Infinity"]], "b": {"c": "NaN", "d": None, "e": "é"}}
    assert json.loads(encode(document)) == words
    assert encode({"a": 1.0}) == b'{"a":1.0}'
