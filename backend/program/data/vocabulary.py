"""Number the letters of a word list, and spell numbers back as letters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

BOUNDARY = "."


@dataclass(frozen=True)
class Vocabulary:
    """The letters of a word list: `.` (the edge of a word) is 0, then the sorted letters."""

    labels: tuple[str, ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> "Vocabulary":
        """Collect every letter that the words use; an empty list gives the boundary alone."""
        return cls((BOUNDARY, *sorted(set().union(*words) - {BOUNDARY})))

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each letter."""
        return {letter: number for number, letter in enumerate(self.labels)}

    def encode(self, text: str) -> list[int]:
        """Return the number of each letter; raises KeyError for a letter not in the list."""
        index = self.index
        return [index[letter] for letter in text]

    def decode(self, numbers: Iterable[int]) -> str:
        """Return the letters of the numbers; raises IndexError for a number beyond the last."""
        return "".join([self.labels[number] for number in numbers])

    def example(self, context: Sequence[int], target: int) -> str:
        """Write one example as a page shows it: `..e → m`."""
        return f"{self.decode(context)} → {self.labels[target]}"
