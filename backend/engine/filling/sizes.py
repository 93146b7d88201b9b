"""Small sizes for the lengths that were found, each with the letter that it goes by."""

from __future__ import annotations

from collections.abc import Mapping

from backend.engine.filling.slots import PRIMES, State
from backend.engine.filling.uses import Use

SMALL = {"B": 4, "T": 5, "C": 8, "H": 6, "V": 10, "K": 3}
COLOURS = 3  # of a picture
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
    colours = {slot.axes[1] for slot in state.slots.values() if _is_pictures(len(slot.axes), slot.kind)}
    sizes: dict[int, int] = {}
    for axis, letter in letters.items():
        times = _times(state.lengths[axis])
        first = COLOURS if axis in colours else SMALL.get(letter[0].upper(), 0)
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
    is_width = place == 1 if _is_pictures(axes, kind) else place == axes - 1 and kind == "decimals"
    return "C" if is_width else "T"


def _is_pictures(axes: int, kind: str) -> bool:
    """Whether a tensor of so many axes is a batch of pictures, whose channels are its second one."""
    return axes == 4 and kind != "whole"


def _free(wanted: str, letters: Mapping[int, str]) -> str:
    taken = set(letters.values())
    if wanted not in taken:
        return wanted
    return next((letter for letter in LETTERS if letter not in taken), wanted + str(len(taken)))
