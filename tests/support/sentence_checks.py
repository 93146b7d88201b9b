"""Sentences of a backward step held against its line: what a nudge moves, what is summed, what adds up, what turns."""

from __future__ import annotations

import ast
import re
from typing import Any

from tests.support.question_checks import mentions

MOVED = re.compile(r"[Nn]udge `([^`]+)` by ε and `([^`]+)` moves by")
ENTERS = re.compile(
    r"`([^`]+)` enters with a (?:minus|plus): (?:as it grows|nudge it by ε and), `?([^`]+?)`? (?:shrinks|moves)"
)

SUMMED = re.compile(r"\*\*sum over ([^*]+)\*\*")
USED = re.compile(
    r"was used (twice|\d+ times)\b.*(?:(The two|All \d+) gradients add up|add up in (\d+) backward lines)"
)


def sum_faults(text: str, code: str) -> list[str]:
    """Axes that a line is said to sum over, or to keep, and doesn't."""
    found = SUMMED.search(text)
    axes = re.findall(r"axis (\d+)", found[1]) if found else []
    form = axes[0] if len(axes) == 1 else f"({', '.join(axes)})"
    kept = ", keepdim=True" if "keepdim" in text else ""
    return [f"{code} has no such sum: {text}"] if found and f".sum({form}{kept})" not in code else []


def use_faults(text: str, paths: int) -> list[str]:
    """Gradients of a tensor counted otherwise than the lines that bring them, and than its uses."""
    found = USED.search(text)
    if found is None:
        return []
    uses, added = (int(number(word)) for word in (found[1], found[2] or found[3]))
    right = uses == added == paths if found[2] else uses > added == paths
    return [] if right else [f"{paths} lines: {text}"]


def number(words: str) -> str:
    """The number in `twice`, `The two`, `All 3` or `4 times`."""
    return "2" if words in ("twice", "The two") else re.sub(r"\D", "", words)


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
    found += [fault for text in texts for fault in sum_faults(text, step["code"])]
    paths = len([one for one in walk.steps if one["node"] == step["node"] and one["inner"] == step["inner"]])
    found += [fault for text in texts for fault in use_faults(text, paths)]
    found += [f"turned twice: {text}" for text in texts if re.search(r"\.(T|mT|t\(\))\.(T|mT|t\(\))", text)]
    found += [f"nothing is at most 0: {text}" for text in texts if "at most 0:" in text]
    signs = [text.endswith("changes sign back.") for text in texts if re.search(r"changes sign(?: back)?\.$", text)]
    if signs != [number % 2 == 1 for number in range(len(signs))]:
        found.append(f"signs that change {len(signs)} times: {texts}")
    return found
