"""The library: layers, functions and distributions of PyTorch as text in the language of code as found."""

from __future__ import annotations

import ast
from functools import cache
from importlib import resources

FILES = ("layers", "functions", "methods", "distributions", "helpers", "complex", "numpy", "d2l", "sampling", "fourier")


@cache
def index() -> dict[str, tuple[str, int, int]]:
    """Each definition of the library: the file that has it, and its first and last line."""
    found: dict[str, tuple[str, int, int]] = {}
    for name in FILES:
        lines = text(name).split("\n")
        starts = [n for n, line in enumerate(lines) if line.startswith(("class ", "def "))]
        for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
            head = lines[start].split("(")[0].split(":")[0].split()[1]
            found[head] = name, start, stop
    return found


@cache
def text(name: str) -> str:
    """The text of a file of the library."""
    return resources.files(f"{__package__}.library").joinpath(f"{name}.txt").read_text(encoding="utf-8")


@cache
def definition(name: str) -> ast.stmt:
    """One definition of the library as a tree; KeyError where there is none of that name."""
    file, start, stop = index()[name]
    return ast.parse("\n".join(text(file).split("\n")[start:stop])).body[0]
