"""The search for shapes with which a program runs: what refuses says what to try next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from backend.engine.filling.asked import Asked
from backend.engine.filling.moves import moves
from backend.engine.filling.slots import State
from backend.engine.language.errors import Refusal


@dataclass(frozen=True)
class Outcome:
    """How far a program came, in how many steps: its refusal, None at its end, and what that refusal is made of.

    `state` is what it was run with: a tensor that was found missing on the way has been added.
    """

    state: State
    refusal: Refusal | None = None
    progress: tuple[int, ...] = ()
    near: Sequence[str] = ()
    steps: int = 0


# What is refused for the kind of its numbers or the number of its axes, before anything is said of their lengths.
OF_KINDS = frozenset({"whole-numbers-wanted", "whole-numbers", "index-kind", "bitwise-decimals", "found-einops"})
# What is refused for the name of a function, after all that it is given was worked out.
OF_NAMES = frozenset({"function-unknown", "function-unlisted"})
LONG = 100  # statements, beyond which a try counts as more than one
Attempt = Callable[[State], Outcome]


class Search:
    """Tries one state after the other, as often as `most` allows; `best` is the one that came furthest."""

    def __init__(self, attempt: Attempt, numerals: Sequence[int], most: int, long: int = LONG) -> None:
        self.attempt, self.numerals, self.left, self.long = attempt, numerals, most, long
        self.seen: set[tuple[object, ...]] = set()
        self.best: Outcome | None = None

    def run(self, state: State) -> Outcome:
        """What came of it; without a refusal where all shapes agree."""
        begun = self.tried(state)
        return self.onward(begun) or self.best or begun

    def tried(self, state: State) -> Outcome:
        self.left -= 1
        self.seen.add(state.key())
        outcome = self.attempt(state)
        # a program that is too long for any shape isn't tried often
        self.left -= outcome.steps // self.long * (1 if outcome.near or outcome.refusal is None else 3)
        if self.best is None or _is_further(outcome, self.best):
            self.best = outcome
        return outcome

    def onward(self, outcome: Outcome) -> Outcome | None:
        """The way to the end from here; None where there is none, or where it would take too long."""
        if outcome.refusal is None:
            return outcome
        for state in moves(Asked(outcome.state, outcome.refusal, outcome.near, self.numerals)):
            if self.left <= 0:
                return None
            if state.key() in self.seen:
                continue
            made = self.tried(state)
            if made.refusal is None:
                return made
            if _is_further(made, outcome) and (end := self.onward(made)):
                return end
        return None


def _is_further(made: Outcome, before: Outcome) -> bool:
    """Whether a try came further: to a later place, or at the same place with fewer lengths that are open."""
    if made.refusal and before.refusal and made.progress[:1] == before.progress[:1]:
        of_names, before_too = made.refusal.code in OF_NAMES, before.refusal.code in OF_NAMES
        if of_names != before_too:
            return of_names
    if made.progress != before.progress or made.refusal is None or before.refusal is None:
        return made.progress > before.progress
    if before.refusal.code in OF_KINDS and made.refusal.code not in OF_KINDS:
        return True
    ours, theirs = made.refusal.facts, before.refusal.facts
    if "divisor" in ours and "divisor" in theirs and ours["m"] != theirs["m"]:  # one of several sides is divided
        return True
    return ours != theirs and _open(made.state) < _open(before.state)


def _open(state: State) -> int:
    used = {axis for slot in state.slots.values() for axis in slot.axes}
    return len(used - state.bound)


def settled(search: Callable[[], Search], found: State, sizes: dict[int, int]) -> State | None:
    """The same shapes in other sizes: what follows from them is found anew; None where that leads nowhere.

    What the program itself counts, such as the sides of a picture, stays as it is.
    """
    free = [found.lengths[number] for number in sizes]
    counted = {
        number: found.lengths[number]
        for number in found.bound
        if not any(found.lengths[number] % one == 0 for one in free)
    }
    begun = State(found.slots, {}, frozenset(counted), found.avoided, found.reasons)
    lengths = {**sizes, **counted}
    state = replace(begun, lengths=lengths)
    for number in found.lengths:
        if number not in lengths:
            fresh, (made,) = state.fresh(1)
            lengths = {**state.lengths, number: fresh.lengths[made]}
            state = replace(state, lengths=lengths)
    outcome = search().run(state)
    return None if outcome.refusal else outcome.state
