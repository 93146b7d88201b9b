"""What the options of a figure set: from where to where a number is dragged, and the scale that a slider begins at."""

from __future__ import annotations

import math
from collections.abc import Mapping

from backend.engine.language.errors import Refusal
from backend.inspect.pieces.scaled import SCALES


def settings_of(options: Mapping[str, str], value: float | None) -> dict[str, float | str]:
    """The settings as the page takes them, of which `value` is dragged; raises Refusal for one that can't be."""
    made: dict[str, float | str] = {}
    if "scale" in options:
        made["scale"] = _scale(options["scale"])
    if "from" in options or "to" in options:
        made |= _ends(options, math.nan if value is None else value)
    if "axis" in options:
        made["axis"] = _axis(options)
    return made


def _scale(text: str) -> float:
    scale = _number(text)
    if scale not in SCALES:
        raise Refusal(
            "chapter-option", name="scale", found=text, wanted=f"one of {', '.join(f'{s:g}' for s in SCALES)}"
        )
    return scale


def _ends(options: Mapping[str, str], value: float) -> dict[str, float]:
    least, greatest = (_number(options.get(end, "")) for end in ("from", "to"))
    if not least <= value <= greatest or least == greatest:
        found = f"{options.get('from', '')} to {options.get('to', '')}"
        wanted = f"two numbers, with {value:g} between them"
        raise Refusal("chapter-option", name="from` and `to", found=found, wanted=wanted)
    return {"from": least, "to": greatest}


def _axis(options: Mapping[str, str]) -> str:
    if options["axis"] != "log" or not _number(options.get("from", "")) > 0:
        wanted = "`log`, with `from` and `to` above zero, or leave it out"
        raise Refusal("chapter-option", name="axis", found=options["axis"], wanted=wanted)
    return "log"


def _number(text: str) -> float:
    """A finite number as it is written, else one that is equal to nothing."""
    try:
        number = float(text.replace("−", "-"))
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan
