"""What a tensor or number that is missing may be: by its name, and by what did not fit when it was tried."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from backend.engine.filling.by_name import axes_of, is_constant, kind_of, number_wanted, role_of, size_wanted
from backend.lowering.first_use import B, C, T, V, decimals, length, whole
from backend.lowering.values import Spec

# What a name beside a tensor is called that is a number.
NUMERIC = re.compile(
    r"(^|_)(eps|epsilon|alpha|beta|gamma|lam|lambda|lambd|temp|temperature|lr|scale|dim|tau|margin|momentum|p|coef|size"
    r"|coeff|smoothing|threshold|heads?|steps?|layers|n|num|count|k|weight_decay|depth|dropout)$|^(n|num)_|^gamma_(neg|pos)$"
)


def said(path: str) -> str:
    """The last word of a path; of a part of a list, what the list is called."""
    return next((word for word in reversed(path.split(".")) if not word.isdigit()), path)


@dataclass(frozen=True)
class Guess:
    """A row for the table, why it is like that, and whether nothing else would fit."""

    spec: Spec
    reason: str
    sure: bool = False


class Guesser:
    """Guesses by name; `tried` are shapes that fitted better when the program was run before."""

    def __init__(self, tried: Mapping[str, Spec] | None = None, axes: Mapping[str, list[str]] | None = None) -> None:
        self.tried, self.axes = dict(tried or {}), dict(axes or {})

    def tensor(self, path: str, use: Spec | None = None) -> Guess:
        """A tensor by the path that the code has for it, and by its first use."""
        if "shape" in self.tried.get(path, ()):
            return Guess(self.tried[path], "a shape with which the program runs")
        name = path.rpartition(".")[2]
        if name in self.axes:
            shape = tuple(map(length, self.axes[name]))
            is_whole = use["init"] == "randint" if use is not None else kind_of(name) == "whole"
            spec = whole(shape, V) if is_whole else decimals(shape, "data")
            return Guess(spec, "as many axes as its shape is unpacked to")
        if use is not None:
            return Guess(use, "by its first use")
        if kind_of(name) == "whole":
            return Guess(whole((B, T), V), "whole numbers, by its name")
        role = role_of(name)
        if axes_of(name) == 1:
            return Guess(decimals((C,), role), "a row, by its name")
        return Guess(decimals((C if role == "parameter" else B, C), role), f"{role}, by its name")

    def size(self, name: str) -> int | None:
        """A small number in the place of a size of the settings; None for what is none."""
        return size_wanted(name)

    def is_number(self, _: str) -> bool:
        """Whether something can only be a number by all its uses."""
        return False

    def is_constant(self, path: str) -> bool:
        """Whether something is a number by how its name is written: `LOG_STD_MIN`."""
        return is_constant(said(path))

    def number(self, path: str, is_size: bool = False) -> int | float:
        """A number by the path that the code has for it; of settings, one that may be a size."""
        value = self.tried.get(path, {}).get("values")
        if isinstance(value, int | float):
            return value
        return number_wanted(said(path), is_size)
