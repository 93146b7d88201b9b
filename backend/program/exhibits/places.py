"""Where the tables and keys of a TOML text begin: its reader in the standard library tells of values alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

Path = tuple[str, ...]
NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
DOTTED = rf"{NAME}(?:\s*\.\s*{NAME})*"
TABLE = re.compile(rf"\s*\[\[?\s*({DOTTED})\s*\]\]?")
KEY = re.compile(rf"\s*({DOTTED})\s*=\s*")
LONG = re.compile(r"'''|\"\"\"")
TEXT = "text"  # below a key: where the text of several lines begins that is its value


def places_of(source: str) -> dict[Path, int]:
    """The line of each table and key, counted from 1."""
    found: dict[Path, int] = {}
    table: Path = ()
    closing = ""
    for number, line in enumerate(source.split("\n"), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        if header := TABLE.fullmatch(line.partition("#")[0].rstrip()):
            table = _path(header[1])
            _note(found, table, number)
        elif key := KEY.match(line):
            path = (*table, *_path(key[1]))
            _note(found, path, number)
            if (opening := LONG.match(line, key.end())) and opening[0] not in line[opening.end() :]:
                closing = opening[0]
                found.setdefault((*path, TEXT), number + (not line[opening.end() :].strip()))
    return found


def line_at(places: Mapping[Path, int], path: Path) -> int:
    """The line of what is at a path, or of the nearest thing around it."""
    return next((places[path[:n]] for n in range(len(path), 0, -1) if path[:n] in places), 1)


def _path(dotted: str) -> Path:
    return tuple(name.strip("\"'") for name in re.findall(NAME, dotted))


def _note(found: dict[Path, int], path: Path, number: int) -> None:
    """Keep the first line of a path, and of what is around it."""
    for n in range(1, len(path) + 1):
        found.setdefault(path[:n], number)
