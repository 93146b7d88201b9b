"""The known name nearest to a misspelled one, for "did you mean"; None where no name is near."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

SHORT, MIDDLING = 2, 5  # letters up to which no letter, and one letter, may be wrong
MOST = 600  # names that are compared: a request may hold thousands, each of the greatest length


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name nearest to a misspelled one; None if none is near."""
    looked_at = islice(known, MOST)
    distances = [(distance, name) for name in looked_at if (distance := _distance(word, name)) is not None]
    # two letters exchanged are a likelier slip than one left out
    best = min(distances, key=lambda pair: (pair[0], sorted(pair[1]) != sorted(word)), default=None)
    return best[1] if best else None


def _distance(word: str, name: str) -> int | None:
    """How many letters of a name are wrong; None for too many, and for names that are meant to differ: W1 and W2."""
    if _without_digits(word) == _without_digits(name):
        return None
    if _run_together(word) == _run_together(name):
        return 0
    letters = len(re.sub(r"\d", "", word))
    allowed = 0 if letters <= SHORT else 1 if letters <= MIDDLING else 2
    if allowed == 0 or len(name) <= SHORT or abs(len(word) - len(name)) > allowed:
        return None
    if (Counter(word.lower()) - Counter(name.lower())).total() > allowed:
        return None
    return _edits(word.lower(), name.lower(), allowed)


def _without_digits(word: str) -> str:
    return re.sub(r"\d+", "#", word)


def _run_together(word: str) -> str:
    """Without capitals, underscores and doubled letters."""
    return re.sub(r"(\w)\1+", r"\1", word.lower().replace("_", ""))


def _edits(a: str, b: str, allowed: int) -> int | None:
    """Letters left out, added, changed, or exchanged with their neighbour, to make `b` of `a`; None for too many."""
    far = allowed + 1
    rows: list[dict[int, int]] = [{j: j for j in range(far + 1)}]
    for i, letter in enumerate(a, start=1):
        row: dict[int, int] = {}
        for j in range(max(0, i - far), min(len(b), i + far) + 1):  # beyond this band it takes too many anyway
            steps = [rows[-1].get(j, far) + 1, row.get(j - 1, far) + 1]
            if j:
                steps.append(rows[-1].get(j - 1, far) + (letter != b[j - 1]))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == b[j - 1]:
                steps.append(rows[-2].get(j - 2, far) + 1)
            row[j] = min(steps)
        if min(row.values()) > allowed:
            return None
        rows.append(row)
    found = rows[-1].get(len(b), far)
    return found if found <= allowed else None
