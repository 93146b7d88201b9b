"""How code as found became the program that is walked, as an answer tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from backend.present.found_types import Found, FoundGroup, FoundNote, FoundPlace, Need
from backend.program import found as program


def told(found: program.Found) -> Found:
    """The answer's part about code as found."""
    lowered = found.lowered
    missing = {need.name for need in found.needs}
    return {
        "source": lowered.source,
        "loss": lowered.loss,
        "notes": [cast(FoundNote, dict(vars(note))) for note in lowered.notes],
        "places": list(_places(lowered.places)),
        "groups": cast(list[FoundGroup], list(lowered.groups)),
        "labels": dict(lowered.labels),
        "lifted": {name: dict(row) for name, row in lowered.lifted.items() if name not in missing},
        "constants": dict(lowered.numbers),
        "needs": [_need(need) for need in found.needs],
        "sizes": sizes_of(found.needs),
    }


def _places(places: Mapping[int, Any]) -> Iterator[FoundPlace]:
    for line, node in sorted(places.items()):
        if hasattr(node, "lineno"):
            yield {"line": line, "first": node.lineno, "last": node.end_lineno or node.lineno}


def _need(need: program.Need) -> Need:
    row = need.row
    shape = list(row["shape"]) if "shape" in row else shape_of(row.get("values"))
    kind = "number" if row["role"] == "number" else "whole" if row.get("init") == "randint" else "decimals"
    if isinstance(_first(row.get("values")), bool):
        kind = "mask"
    told: dict[str, object] = {"values": row["values"]} if kind == "number" else dict(row)
    return cast(Need, {
        "name": need.name, "kind": kind, "shape": None if kind == "number" else shape, "below": row.get("high"),
        "fits": [], "because": need.because, "row": told, "letters": list(need.letters), "sure": need.sure,
    })  # fmt: skip


def shape_of(values: object) -> list[int]:
    """The shape of nested lists."""
    return [len(values), *shape_of(values[0] if values else None)] if isinstance(values, list) else []


def _first(values: object) -> object:
    return _first(values[0]) if isinstance(values, list) and values else values


def sizes_of(needs: Sequence[program.Need]) -> dict[str, int]:
    """The size that each letter stands for."""
    sizes: dict[str, int] = {}
    for need in needs:
        shape = need.row.get("shape") or shape_of(need.row.get("values"))
        sizes |= {letter: size for letter, size in zip(need.letters, shape, strict=False) if letter}
    return sizes
