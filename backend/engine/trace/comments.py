"""Comments find their statements again where a program is written anew, and are safe to take anywhere."""

from __future__ import annotations

import io
import tokenize
from collections import deque

from backend.engine.language.unparse import LONGEST_LINE


def printable(text: str) -> str:
    """Text whose only invisible characters are spaces and line feeds: nothing in it ends a line or turns it round."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


class Comments:
    """The comments of a program in the order of their lines; each is given out once.

    A loop's comments come with its first turn: its other turns are the same statements again. Blank lines are kept as
    comments without text where they are asked for.
    """

    def __init__(self, source: str, blanks: bool = False) -> None:
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        found = [
            (token.start[0], printable(token.string).rstrip()) for token in tokens if token.type == tokenize.COMMENT
        ]
        lines = enumerate(source.split("\n"), start=1)
        empty = [(number, "") for number, line in lines if not line.strip()] if blanks else []
        self.pending = deque(sorted(found + empty))

    def up_to(self, line: int) -> list[str]:
        """Those up to and with a line."""
        found = []
        while self.pending and self.pending[0][0] <= line:
            found.append(self.pending.popleft()[1])
        return found

    def rows(self, code: str, first: int, last: int) -> list[str]:
        """A statement of some lines as it is written anew, with its comments: above it, or one behind it."""
        above, own = self.up_to(first - 1), [text for text in self.up_to(last) if text]
        if len(own) == 1 and len(f"{code}  {own[0]}") <= LONGEST_LINE:
            return [*above, f"{code}  {own[0]}"]
        return [*above, *own, *code.split("\n")]

    def rest(self) -> list[str]:
        """Those that no statement has taken."""
        return [text for _, text in self.pending]
