"""Packs answers into a file: each tensor once, by what others don't tell of it."""

import base64
import json
import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from math import prod
from typing import Any

import backend
from app.site.columns import in_columns

KEYS = frozenset(("bdata", "mean", "min", "max"))  # under which a tensor's bytes are told, or those of its blocks
MADE = "contribution", "accumulated"  # of what a step's picture holds
LATER = "autograd", "difference"  # what follows from gradients that come behind it
SHORT = 64  # letters of a tensor that stays in its answer
LEAST = 64  # bytes of a matrix that is told by itself
WORD = 4  # bytes of float32: those of one rank are alike, the others are chance
Shape = tuple[int, ...]
Piece = tuple[bytes, Shape]  # of a tensor, or all of it
BEFORE, BYTES = 10, 1_000  # tensors that one is compared with in a step, and bytes of it that are packed in one


def packed(document: Any, ground: Sequence[Piece] = (), steps: float = math.inf) -> bytes:
    """A document as bytes: how long its words are, they, and the tensors; `static/js/shared/recorded-tensors.js`.

    They may follow from the pieces of another document, its ground, which a page has unpacked before; after so many
    `steps` of finding out they follow from nothing.
    """
    words, tensors = parts(document, ground, steps)
    return struct.pack("<I", len(words)) + words + tensors


def parts(document: Any, ground: Sequence[Piece] = (), steps: float = math.inf) -> tuple[bytes, bytes]:
    """Its words, and its tensors."""
    told, listed, tensors = apart(document, ground, steps)
    words = in_columns({"told": told, "listed": listed})
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode(), tensors


def apart(document: Any, ground: Sequence[Piece] = (), steps: float = math.inf) -> tuple[Any, list[list[Any]], bytes]:
    """A document with `#3` for its fourth tensor, `#3,1` for one that is made of two; each one's length and how it
    follows from others; and their bytes. Those of its ground are counted first, and not told again."""
    texts = _cut(document)
    known = dict(ground)
    own = [(content, shape) for content, shape in _each(texts) if content not in known]
    numbers = {content: number for number, (content, _) in enumerate((*ground, *own))}
    ways = backend.told_by_others(own, ground)
    taken = accumulate(at // BEFORE + len(content) // BYTES for at, (content, _) in enumerate(own))
    told = [next(ways) if so_far <= steps else (None, content) for (content, _), so_far in zip(own, taken, strict=True)]
    listed: list[list[Any]] = [[len(rest), way] if way else [len(rest)] for way, rest in told]
    marks = {text: "#" + ",".join(str(numbers[content]) for content, _ in some) for text, some in texts.items()}
    return _marked(document, marks), listed, b"".join(in_ranks(rest) for _, rest in told)


def pieces(document: Any) -> list[Piece]:
    """Its tensors as they are told, as which it may be another's ground."""
    return _each(_cut(document))


def as_document(listed: Iterable[Piece]) -> Any:
    """A document of these pieces alone, in their order."""
    each = ((base64.b64encode(content).decode(), shape) for content, shape in listed)
    return [{"bdata": text, "shape": ",".join(map(str, shape))} for text, shape in each]


def _cut(document: Any) -> dict[str, list[Piece]]:
    """Of each tensor's text its pieces, in the order in which they are told."""
    found = sorted(_tensors_in(document), key=lambda one: one[0])
    shapes = {text: shape for _, text, shape in reversed(found)}
    texts = dict.fromkeys(text for _, text, _ in found)
    return {text: list(_pieces(base64.b64decode(text, validate=True), shapes[text])) for text in texts}


def _each(texts: dict[str, list[Piece]]) -> list[Piece]:
    found: dict[bytes, Shape] = {}
    for content, shape in chain.from_iterable(texts.values()):
        found.setdefault(content, shape)
    return list(found.items())


def _pieces(content: bytes, shape: Shape) -> Iterator[Piece]:
    """A tensor; one of three axes or more matrix by matrix, many of which are others' or nothing but zeros."""
    size = WORD * prod(shape[-2:])
    if len(shape) < 3 or len(content) != WORD * prod(shape) or not LEAST <= size < len(content):
        yield content, shape or (len(content) // WORD,)
        return
    for at in range(0, len(content), size):
        yield content[at : at + size], shape[-2:]


def _marked(value: Any, marks: dict[str, str]) -> Any:
    """The same with a mark in the place of each tensor's bytes."""
    if isinstance(value, list):
        return [_marked(one, marks) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: marks[one] if _is_tensor(key, one) else _marked(one, marks) for key, one in value.items()}


def _tensors_in(value: Any, later: bool = False) -> Iterator[tuple[bool, str, Shape]]:
    """Whether a tensor is to come behind the others, its text and its shape."""
    if isinstance(value, list):
        for one in value:
            yield from _tensors_in(one, later)
    elif isinstance(value, dict):
        for key, one in sorted(value.items(), key=lambda item: item[0] in MADE):
            if _is_tensor(key, one):
                yield later, one, _shape(value.get("shape"))
            else:
                yield from _tensors_in(one, later or key in LATER)


def _is_tensor(key: str, value: Any) -> bool:
    return key in KEYS and isinstance(value, str) and len(value) > SHORT


def _shape(text: object) -> Shape:
    return tuple(int(size) for size in text.split(",")) if isinstance(text, str) and text else ()


def in_ranks(content: bytes) -> bytes:
    """The first bytes of all words, then the second ones, and so on."""
    if len(content) % WORD:
        return content
    return b"".join(content[rank::WORD] for rank in range(WORD))
