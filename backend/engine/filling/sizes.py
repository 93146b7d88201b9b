"""Small sizes for the lengths that were found, each with the letter that it goes by."""

from __future__ import annotations

from collections.abc import Mapping

from backend.engine.filling.slots import PRIMES, State
from backend.engine.filling.uses import Use

SMALL = {"B": 4, "T": 5, "C": 8, "H": 6, "V": 10, "K": 3}
# For other letters, one after the other; they tell axes apart, as a batch of 4 by 4 doesn't.
OTHERS = (6, 3, 9, 7, 10, 12, 11)
LETTERS = "HVKDEMNPQRSUWCTB"


def small_sizes(
    state: State, uses: Mapping[str, Use], roles: Mapping[str, str]
) -> tuple[dict[int, int], dict[int, str]]:
    """A size and a letter for every free length, in the order in which the tensors are listed."""
    letters: dict[int, str] = {}
    for name, slot in state.slots.items():
        for place, axis in enumerate(slot.axes):
            if axis in letters or axis in state.bound:
                continue
            said = uses[name].named if name in uses and len(uses[name].named) == len(slot.axes) else []
            wanted = (
                said[place] if said and said[place] != "_" else _letter(place, len(slot.axes), roles[name], slot.kind)
            )
            letters[axis] = _free(wanted, letters)
    sizes: dict[int, int] = {}
    for axis, letter in letters.items():
        times = _times(state.lengths[axis])
        first = SMALL.get(letter[0], 0)
        tried = [first, *OTHERS] if first else OTHERS
        sizes[axis] = next((size for size in tried if size % times == 0 and size not in sizes.values()), 12 * times)
    return sizes, letters


def _times(size: int) -> int:
    """What a size has to be divided by: it began as a prime."""
    prime = max((prime for prime in PRIMES if size % prime == 0), default=size)
    return max(size // prime, 1)


def _letter(place: int, axes: int, role: str, kind: str) -> str:
    if role == "parameter" and kind == "decimals":
        return "H" if place == axes - 1 else "V" if axes == 2 else "C"
    if place == 0:
        return "B"
    return "C" if place == axes - 1 and kind == "decimals" else "T"


def _free(wanted: str, letters: Mapping[int, str]) -> str:
    taken = set(letters.values())
    if wanted not in taken:
        return wanted
    return next((letter for letter in LETTERS if letter not in taken), wanted + str(len(taken)))
