"""Lists of like objects as columns: what stands under one name is alike, and compresses better side by side."""

from typing import Any

ROWS, LISTS = "~", "~~"  # names that no object of ours has: as in static/js/shared/recorded-columns.js
MISSING = "\ue000"  # in a column, where an object hasn't the name


def in_columns(value: Any) -> Any:
    """A document with each list of objects as `{"~": how many, name: column, …}`, and each list of lists that holds
    some as `{"~~": lengths, "": all in one}`; in place of how many the list, where it holds other things too."""
    if isinstance(value, dict):
        return {key: in_columns(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    objects = [one for one in value if isinstance(one, dict)]
    if len(objects) > 1:
        names = dict.fromkeys(name for one in objects for name in one)
        rows = len(value) if len(objects) == len(value) else [_other(one) for one in value]
        return {ROWS: rows} | {name: in_columns([one.get(name, MISSING) for one in objects]) for name in names}
    if len(value) > 1 and all(isinstance(one, list) for one in value) and any(_holds(one) for one in value):
        return {LISTS: [len(one) for one in value], "": in_columns([inner for one in value for inner in one])}
    return [in_columns(one) for one in value]


def _other(one: Any) -> Any:
    """What stands between objects; of one of these that it was there."""
    return 0 if isinstance(one, dict) else [in_columns(one)]


def _holds(values: list[Any]) -> bool:
    return any(isinstance(one, (dict, list)) for one in values)
