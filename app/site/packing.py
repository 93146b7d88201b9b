"""Packs answers into a file: each tensor once, as its difference from a like one; and bytes as letters."""

import base64
import gzip
import json
import struct
import zlib
from typing import Any

# Five of these letters are four bytes, where base64 needs five and a third; none ends a script or needs an escape.
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?~>()[]{}@%$#,"
POWERS = tuple(85**power for power in (4, 3, 2, 1, 0))
KEYS = frozenset(("bdata", "mean", "min", "max"))  # under which a tensor's bytes are told, or those of its blocks
SHORT, LONG = 64, 16_384  # letters of a tensor that stays in its answer, bytes of one that is compared with others
NEAR = 80  # tensors before it that one is compared with
WORD = 4  # bytes of float32: those of one rank are alike, the others are chance


def letters(content: bytes) -> tuple[str, int]:
    """Bytes, packed, as letters; and how many bytes they are."""
    packed = gzip.compress(content, 9, mtime=0)
    padded = packed + bytes(-len(packed) % WORD)
    words = struct.unpack(f">{len(padded) // WORD}I", padded)
    return "".join(ALPHABET[word // power % 85] for word in words for power in POWERS), len(packed)


def packed(document: Any) -> bytes:
    """A document as bytes: how long its words are, they, and the tensors; `static/js/shared/recorded-tensors.js`."""
    told, listed, tensors = apart(document)
    words = json.dumps({"told": told, "listed": listed}, ensure_ascii=False, separators=(",", ":")).encode()
    return struct.pack("<I", len(words)) + words + tensors


def apart(document: Any) -> tuple[Any, list[list[int]], bytes]:
    """A document with `#3` for its fourth tensor; each one's length and the one it differs from; and their bytes."""
    tensors = Tensors()
    told = tensors.taken(document)
    return told, tensors.listed, b"".join(tensors.stored)


class Tensors:
    """The tensors of a document, each once, in the order in which they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.raw: list[bytes] = []
        self.listed: list[list[int]] = []
        self.stored: list[bytes] = []

    def taken(self, value: Any) -> Any:
        """The same with a mark in the place of each tensor's bytes."""
        if isinstance(value, list):
            return [self.taken(one) for one in value]
        if isinstance(value, dict):
            return {
                key: f"#{self.number(one)}"
                if key in KEYS and isinstance(one, str) and len(one) > SHORT
                else self.taken(one)
                for key, one in value.items()
            }
        return value

    def number(self, text: str) -> int:
        """Which tensor this is."""
        if text not in self.numbers:
            self.numbers[text] = len(self.raw)
            self.store(base64.b64decode(text, validate=True))
        return self.numbers[text]

    def store(self, content: bytes) -> None:
        """Keep a tensor, by whichever way is shortest."""
        like = [place for place, other in list(enumerate(self.raw))[-NEAR:] if len(other) == len(content) <= LONG]
        differences = {place: differing(content, self.raw[place]) for place in like}
        nearest = sorted(differences, key=lambda place: differences[place].count(0))[-1:]
        ways = [(-1, in_ranks(content)), *((place, in_ranks(differences[place])) for place in nearest)]
        place, stored = min(ways, key=lambda way: len(zlib.compress(way[1], 1)))
        self.raw.append(content)
        self.listed.append([len(content), place])
        self.stored.append(stored)


def differing(one: bytes, other: bytes) -> bytes:
    """The bits in which two differ."""
    return (int.from_bytes(one) ^ int.from_bytes(other)).to_bytes(len(one))


def in_ranks(content: bytes) -> bytes:
    """The first bytes of all words, then the second ones, and so on."""
    if len(content) % WORD:
        return content
    return b"".join(content[rank::WORD] for rank in range(WORD))
