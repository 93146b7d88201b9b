"""What the lines of a program cost, as a table to be read."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from markupsafe import escape

from backend.inspect.costs import Cost, costs
from backend.program.runs import Run

HEADS = ("line", "multiply-adds", "bytes kept", "freed after")


def cost_table(run: Run, again: Collection[str] = ()) -> str:
    """Every line with its cost, and the totals, as HTML; the tensors in `again` are not kept, but computed again."""
    every = costs(run, again)
    heads = "".join(f'<th scope="col">{head}</th>' for head in HEADS)
    rows = "".join(_row(one) for one in every)
    return f'<table class="costs"><thead><tr>{heads}</tr></thead><tbody>{rows}{"".join(_totals(every))}</tbody></table>'


def _row(one: Cost) -> str:
    freed = f"<code>{escape(one.freed_by.partition(' ')[0])}</code>" if one.freed_by else ""
    return f"<tr><td><code>{escape(one.code)}</code></td>{_numbers(one.multiply_adds, one.kept)}<td>{freed}</td></tr>"


def _totals(every: list[Cost]) -> Iterator[str]:
    for name, direction in (("forward", "forward"), ("computed again", "again"), ("backward", "backward")):
        own = [one for one in every if one.direction == direction]
        if own:
            numbers = _numbers(sum(one.multiply_adds for one in own), sum(one.kept for one in own))
            yield f'<tr class="total"><th scope="row">{name}</th>{numbers}<td></td></tr>'


def _numbers(multiply_adds: int, kept: int) -> str:
    return "".join(f"<td>{f'{number:,}' if number else ''}</td>" for number in (multiply_adds, kept))
