"""Writes backend/program/data/digits.txt from the digits.csv.gz that scikit-learn ships: 65 numbers a line, the last
one the label. `python -m tests.tools.digits digits.csv.gz` was run once, on release 1.9.1; nothing else needs it.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from backend.program.data.digits import ABOUT, FILE, SHADES


def converted(table: bytes) -> str:
    """One line for each image: its label, and a character for each of its 64 pixels."""
    rows = [[int(number) for number in line.split(",")] for line in gzip.decompress(table).decode().split()]
    lines = [f"{row[-1]} {''.join(SHADES[shade] for shade in row[:-1])}" for row in rows]
    return "\n".join([*(f"# {line}" for line in ABOUT), *lines, ""])


if __name__ == "__main__":
    FILE.write_text(converted(Path(sys.argv[1]).read_bytes()))
