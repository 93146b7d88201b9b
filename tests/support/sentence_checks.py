"""Sentences of a backward step held against its line: what a nudge moves, and how often the sign changes."""

from __future__ import annotations

import ast
import re
from typing import Any

from tests.support.question_checks import mentions

MOVED = re.compile(r"[Nn]udge `([^`]+)` by ε and `([^`]+)` moves by")
ENTERS = re.compile(
    r"`([^`]+)` enters with a (?:minus|plus): (?:as it grows|nudge it by ε and), `?([^`]+?)`? (?:shrinks|moves)"
)


def sentence_faults(walk: Any, step: Any) -> list[str]:
    """Tensors that are nudged alone and stand in the result twice; changes of sign that don't undo each other."""
    texts = [item["text"] for item in step["explanation"]]
    found = []
    for text in texts:
        for nudged, moved in [*MOVED.findall(text), *ENTERS.findall(text)]:
            node = next((one for one in walk.run.plan.graph.named if one.variable == moved), None)
            code = moved if node is None or node.op is None else ast.unparse(node.written)
            code = re.sub(r"(expand_as|_like|_as)\(\w+\)|\w+\.(shape|size)", "shape", code)  # read for its shape alone
            if nudged != moved and mentions(code, nudged) > 1:
                found.append(f"{nudged} stands in {code} twice: {text}")
    found += [f"turned twice: {text}" for text in texts if re.search(r"\.(T|mT|t\(\))\.(T|mT|t\(\))", text)]
    found += [f"nothing is at most 0: {text}" for text in texts if "at most 0:" in text]
    signs = [text.endswith("changes sign back.") for text in texts if re.search(r"changes sign(?: back)?\.$", text)]
    if signs != [number % 2 == 1 for number in range(len(signs))]:
        found.append(f"signs that change {len(signs)} times: {texts}")
    return found
