"""Answers that people write: the right one, and what it is mistaken for. Each is judged when it is recorded."""

import html
import re
from collections.abc import Iterator

MOST = 24
TAG = re.compile(r"<[^>]+>")
TERM = re.compile(r"\bd?[A-Za-z_]\w*\b(?![\w.(=])")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
FACTORS = (-1, 10, 0.1, 2, 0.5)


def of_quiz(shown: str) -> list[str]:
    """The answers to a question of which this is shown as the right one, in HTML."""
    right = html.unescape(TAG.sub("", shown)).replace("\u2212", "-")
    known = re.search(r'data-expression="([^"]+)"', shown)
    found = [right, *([html.unescape(known[1])] if known else []), *_number(right), *_shape(right), *_line(right)]
    return list(dict.fromkeys(found))[:MOST]


def of_line(code: str) -> list[str]:
    """The answers to a line that is to be written: `dw = (X * dY).sum(0)`, with it and without its beginning."""
    name, _, right = code.partition(" = ")
    return [f"{name} = {one}" for one in dict.fromkeys([right, *_line(right)])][:MOST]


def _number(right: str) -> Iterator[str]:
    if NUMBER.fullmatch(right):
        value = float(right)
        yield from (f"{value * factor:.6g}" for factor in FACTORS)
        yield from [f"{1 / value:.6g}"] if value else []


def _shape(right: str) -> Iterator[str]:
    if not re.fullmatch(r"\([\d, ]*\)", right):
        return
    sizes = re.findall(r"\d+", right)
    for found in (sizes[::-1], *(sizes[:axis] + sizes[axis + 1 :] for axis in range(len(sizes)))):
        yield f"({', '.join(found)}{',' * (len(found) == 1)})"
    for axis in range(len(sizes)):
        yield f"({', '.join([*sizes[:axis], '1', *sizes[axis + 1 :]])})"


def _line(right: str) -> Iterator[str]:
    """An expression with one slip."""
    yield from (right.replace(old, new) for old, new in SLIPS if old in right)
    for found in re.finditer(r"\.(?:sum|mean)\([^()]*\)", right):
        yield right[: found.start()] + right[found.end() :]
    left, sign, other = right.partition(" @ ")
    if sign:
        yield f"{other} @ {left}"
    yield f"-{right}" if re.fullmatch(r"\w+", right) else f"-({right})"
    yield from dict.fromkeys(TERM.findall(right))
    for factor in re.finditer(r"\w+(?:\*\*\d)? \* ", right):
        yield right[: factor.start()] + right[factor.end() :]


SLIPS = (
    (".sum(0", ".sum(1"), (".sum(1", ".sum(0"), (", keepdim=True", ""), (".T", ""), (" - ", " + "), (" + ", " - "),
    (" * ", " / "), (" * ", " + "), (".sum(0)", ".sum(0, keepdim=True)"), (".sum(1)", ".sum(1, keepdim=True)"),
    (".sum(0)", ".sum()"), (".sum()", ".mean()"), ("**2", ""), ("**2", "**3"),
)  # fmt: skip
