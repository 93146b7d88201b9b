"""Leaves a statement out of a text that Python can't read, so that the rest of it can be read all the same."""

from __future__ import annotations

import re

ASSIGNED = re.compile(r"\s*([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*(?:[-+*/@]{1,2})?=(?!=)")
# A comment, or a text in quotes on one line: brackets in them close nothing.
SILENT = re.compile(r"#.*|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
OPENS, CLOSES = frozenset("([{"), frozenset(")]}")


def leave_out(lines: list[str], number: int, complaint: str) -> tuple[int, list[str]] | None:
    """Put `pass` in the place of the statement that line `number` (from 1) belongs to, with the block below it.

    `complaint` is what Python said of it. Returns the statement's first line and the names it would have assigned;
    None where nothing is left to leave out.
    """
    opener = re.search(r"on line (\d+)$", complaint)
    at = min(int(opener[1]) if opener else number, len(lines)) - 1
    if at < 0 or lines[at].strip() in ("", "pass"):
        return None
    misplaced = complaint.startswith(("unexpected indent", "unindent"))
    first = at if misplaced else _starts(lines)[at]
    last = len(lines) - 1 if "triple-quoted" in complaint else _end(lines, first, at, misplaced)
    names = [name for line in lines[first : last + 1] for name in _assigned(line)]
    stand_in = "" if misplaced else lines[first][: _indent(lines[first])] + "pass"
    lines[first : last + 1] = [stand_in, *[""] * (last - first)]
    return first + 1, names


def _end(lines: list[str], first: int, at: int, misplaced: bool) -> int:
    """The last line of what goes with a statement: lines further in, and brackets that close on lines of their own."""
    starts, last = _starts(lines), at
    least = _indent(lines[first]) + (not misplaced)
    for number in range(first + 1, len(lines)):
        line = lines[number]
        belongs = (starts[number] == first and not misplaced) or line.lstrip()[:1] in CLOSES
        if line.strip() and _indent(line) < least and not belongs:
            break
        last = max(last, number) if line.strip() else last
    return last


def _starts(lines: list[str]) -> list[int]:
    """For each line the one that its statement begins on, both from 0; an assignment further out begins a new one."""
    found, start, depth, goes_on = [], 0, 0, False
    for number, line in enumerate(lines):
        anew = ASSIGNED.match(line) is not None and _indent(line) <= _indent(lines[start])
        if anew or not (depth or goes_on):
            start, depth = number, 0
        found.append(start)
        code = SILENT.sub("", line)
        depth = max(0, depth + sum((c in OPENS) - (c in CLOSES) for c in code))
        goes_on = code.endswith("\\")
    return found


def _assigned(line: str) -> list[str]:
    found = ASSIGNED.match(line)
    return [name.strip() for name in found[1].split(",")] if found else []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
