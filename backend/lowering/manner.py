"""How a text is read besides the shapes of what is missing: sizes made small, settings and arguments that are there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from backend.engine.language.errors import Refusal
from backend.lowering.lower import TOO_LARGE, Lowering
from backend.lowering.thinning import thinned

# How it is refused that `None` stands where something else is needed.
OF_NONE = frozenset({"found-call", "operand-kind", "subscript-kind", "found-loop", "attribute", "found-value"})
WORD, NUMERAL = re.compile(r"[A-Za-z_]\w*"), re.compile(r"\b\d+\b")
NUMBERS = "these numbers"  # what an operation on tensors was given
NARROW = 16  # the width of a layer that is too large


@dataclass
class Manner:
    """One way of reading, kept from the fault that asked for it on.

    `has_all` is true where what is missing has every attribute that `hasattr` asks for; `wanted` are arguments that
    may be left out and are needed, `tensors` what is called like a number and is none, by its path; `cut` are widths
    of layers with what stands for them, `numbers` settings by path. `is_thin` is true where every width is a part.
    """

    is_small: bool = False
    is_thin: bool = False
    has_all: bool = False
    wanted: set[str] = field(default_factory=set)
    tensors: set[str] = field(default_factory=set)
    cut: dict[int, int] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def given_to(self, one: Lowering) -> None:
        """Have a run read the text so."""
        one.is_small, one.has_all, one.wanted, one.cut = self.is_small, self.has_all, self.wanted, self.cut
        one.tensors = self.tensors
        one.thin = thinned(one.text) if self.is_thin else {}
        for wide, small in one.thin.items():
            one.notes.add("thinned", wide, found=wide.value, small=small.value)

    def changed_by(self, refusal: Refusal, one: Lowering, widths: Sequence[int]) -> bool:
        """Whether a fault of a run goes away with another way of reading, which this is from here on."""
        before = self.size
        text = str((refusal.where or {}).get("text", ""))
        if refusal.code == "tensor-too-large" and (wide := self.too_wide(text, widths)):
            self.cut |= wide
        elif refusal.code in TOO_LARGE and one.is_large and not self.is_small:
            self.is_small = True
        elif refusal.code == "tensor-too-large" and thinned(one.text):
            self.is_thin, self.cut = True, {}
        elif refusal.code == "found-raise" and one.undecided:
            self.has_all = True
        elif refusal.code in OF_NONE:
            self.wanted |= one.left_out.intersection(WORD.findall(text))
        elif refusal.code == "operation-fails" and refusal.facts.get("shapes") == NUMBERS:
            self.tensors |= named_as_numbers(one, text)
        return before != self.size

    @property
    def size(self) -> tuple[int, ...]:
        """How much of all this there is: it grows where a way of reading changes."""
        return self.is_small, self.is_thin, self.has_all, len(self.wanted), len(self.cut), len(self.tensors)

    def too_wide(self, text: str, widths: Sequence[int]) -> dict[int, int]:
        """Numerals of a layer that is too large, and small ones for them: those by which two layers fit each other."""
        found = set(map(int, NUMERAL.findall(text))) - self.cut.keys()
        often = Counter(width for width in widths if width in found)
        small = {width: max(n for n in range(1, NARROW + 1) if width % n == 0) for width in often if often[width] > 1}
        return {width: made for width, made in small.items() if 1 < made < width}


def named_as_numbers(one: Lowering, text: str) -> set[str]:
    """What a run took for numbers by nothing but their names, of what a line reads."""
    words = set(WORD.findall(text))
    paths = one.table.claimed.values()
    return {path for path in paths if path.rpartition(".")[2] in words and not one.table.guesser.is_number(path)}
