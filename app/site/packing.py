"""Packs answers into a file: each tensor once, by what others don't tell of it; and bytes as letters."""

import base64
import gzip
import json
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.site.predicting import Predictor, Shape, Way

# Five of these letters are four bytes, where base64 needs five and a third; none ends a script or needs an escape.
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?~>()[]{}@%$#,"
POWERS = tuple(85**power for power in (4, 3, 2, 1, 0))
KEYS = frozenset(("bdata", "mean", "min", "max"))  # under which a tensor's bytes are told, or those of its blocks
LATER = "autograd", "difference"  # what follows from gradients that come behind it
SHORT = 64  # letters of a tensor that stays in its answer
TELLING = 20  # bytes that it takes to say how a tensor follows from others
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


def apart(document: Any) -> tuple[Any, list[list[object]], bytes]:
    """A document with `#3` for its fourth tensor; each one's length and how it follows from others; and their bytes."""
    tensors = Tensors(document)
    return tensors.marked(document), tensors.listed, b"".join(tensors.stored)


class Tensors:
    """The tensors of a document, each once: those first from which others follow."""

    def __init__(self, document: Any) -> None:
        found = sorted(_tensors_in(document), key=lambda one: one[0])
        shapes = {text: shape for _, text, shape in reversed(found)}
        self.numbers = {text: number for number, text in enumerate(dict.fromkeys(text for _, text, _ in found))}
        self.listed: list[list[object]] = []
        self.stored: list[bytes] = []
        self._predictor = Predictor(set(shapes.values()))
        for text in self.numbers:
            self._store(base64.b64decode(text, validate=True), shapes[text])

    def marked(self, value: Any) -> Any:
        """The same with a mark in the place of each tensor's bytes."""
        if isinstance(value, list):
            return [self.marked(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {
            key: f"#{self.numbers[one]}" if _is_tensor(key, one) else self.marked(one) for key, one in value.items()
        }

    def _store(self, content: bytes, shape: Shape) -> None:
        """Keep a tensor, by whichever way is shortest."""
        best, way = in_ranks(content), None
        if len(content) % WORD == 0:
            bits = np.frombuffer(content, "<u4")
            values = bits.view("<f4").astype(np.float64)
            values = values.reshape(shape) if values.size == np.prod(shape) else values
            told = ((in_ranks(missed(bits, predicted)), one) for one, predicted in self._predictor.ways(values))
            best, way = min([(best, way), *told], key=_weight)
            self._predictor.add(values)
        else:
            self._predictor.add(np.zeros(0))
        self.listed.append([len(content), way] if way else [len(content)])
        self.stored.append(best)


def _tensors_in(value: Any, later: bool = False) -> Iterator[tuple[bool, str, Shape]]:
    """Each tensor's text and shape, and whether it is to come behind the others."""
    if isinstance(value, list):
        for one in value:
            yield from _tensors_in(one, later)
    elif isinstance(value, dict):
        for key, one in value.items():
            if _is_tensor(key, one):
                yield later, one, _shape(value.get("shape"))
            else:
                yield from _tensors_in(one, later or key in LATER)


def _is_tensor(key: str, value: Any) -> bool:
    return key in KEYS and isinstance(value, str) and len(value) > SHORT


def _shape(text: object) -> Shape:
    return tuple(int(size) for size in text.split(",")) if isinstance(text, str) and text else ()


def _weight(told: tuple[bytes, Way | None]) -> int:
    return len(zlib.compress(told[0], 1)) + (TELLING if told[1] else 0)


def missed(bits: NDArray[np.uint32], predicted: NDArray[np.float64]) -> bytes:
    """How many float32 a prediction is off, cell by cell; small ones are small numbers, above or below."""
    foretold: NDArray[np.uint32] = predicted.astype("<f4").reshape(-1).view("<u4")
    apart: NDArray[np.int32] = (bits - foretold).view("<i4")
    told: bytes = ((apart << 1) ^ (apart >> 31)).astype("<u4").tobytes()
    return told


def in_ranks(content: bytes) -> bytes:
    """The first bytes of all words, then the second ones, and so on."""
    if len(content) % WORD:
        return content
    return b"".join(content[rank::WORD] for rank in range(WORD))
