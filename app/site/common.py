"""What answers have in common, with which each one's compression begins: pieces that recur in those about programs.

Chosen as dictionaries of Zstandard are: the piece with the most runs of letters that no chosen one has comes next
(Liao, Petri, Moffat & Wirth, Effective Construction of Relative Lempel-Ziv Dictionaries, WWW 2016).
"""

import heapq
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

SIZE = 32_768  # bytes, as far as deflate looks back: as in static/js/shared/recorded-api.js
PIECE, RUN = 96, 16  # letters
# Not a chapter's: one that changes leaves the answers about all others as they are.
PROGRAMS = ("softmax", "line")


def learnt(texts: Sequence[bytes]) -> bytes:
    """The pieces of these texts that are worth the most, the best last, where it is nearest."""
    seen = Counter(run for text in texts for run in set(_runs(text)))
    pieces = {text[at : at + PIECE] for text in texts for at in range(0, len(text) - PIECE, PIECE)}
    waiting = [(-_worth(piece, seen), piece) for piece in pieces]
    heapq.heapify(waiting)
    found: list[bytes] = []
    while waiting and len(found) < SIZE // PIECE:
        before, piece = heapq.heappop(waiting)
        now = -_worth(piece, seen)
        if now > before:  # others have had some of its runs meanwhile
            heapq.heappush(waiting, (now, piece))
            continue
        found.append(piece)
        for run in _runs(piece):
            del seen[run]
    return b"".join(reversed(found))


def _worth(piece: bytes, seen: Counter[bytes]) -> int:
    return sum(seen[run] for run in _runs(piece))


def _runs(text: bytes) -> Iterator[bytes]:
    return (text[at : at + RUN] for at in range(len(text) - RUN + 1))


def begun(common: bytes) -> bytes:
    """It as the first part of a stream, which any answer may follow."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return packer.compress(_long(common)) + packer.flush(zlib.Z_SYNC_FLUSH)


def after(common: bytes, content: bytes) -> bytes:
    """What follows."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, _long(common))
    return packer.compress(content) + packer.flush()


def _long(common: bytes) -> bytes:
    """So long that a page knows where the answer begins."""
    return common[-SIZE:].rjust(SIZE)
