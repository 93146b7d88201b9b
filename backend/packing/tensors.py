"""Tensors one after the other, each by whichever way is shortest."""

import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from backend.packing.predictor import Predictor
from backend.packing.way import Numbers, Shape, Way

WORD = 4  # bytes of float32
TELLING = 20  # bytes that it takes to say how a tensor follows from others
Tensor = tuple[bytes, Shape]
Told = tuple[Way | None, bytes]  # how it follows from those before it, and what that misses of it, or all its bytes


def told_by_others(tensors: Sequence[Tensor], ground: Sequence[Tensor] = ()) -> Iterator[Told]:
    """How each tensor's bytes follow from those before it, the first of which are the ground, of which nothing is told;
    what isn't told in words of float32 follows from nothing."""
    predictor = Predictor({shape for _, shape in tensors})
    for content, shape in ground:
        predictor.add(_numbers(content, shape))
    for content, shape in tensors:
        values = _numbers(content, shape)
        yield min([(None, content), *_followed(predictor, values, content)], key=_weight)
        predictor.add(values)


def _numbers(content: bytes, shape: Shape) -> Numbers:
    """Nothing where they aren't words of float32."""
    if len(content) % WORD:
        return np.zeros(0)
    return _in_shape(np.frombuffer(content, "<f4").astype(np.float64), shape)


def _in_shape(values: Numbers, shape: Shape) -> Numbers:
    return values.reshape(shape) if values.size == np.prod(shape) else values


def _followed(predictor: Predictor, values: Numbers, content: bytes) -> Iterator[Told]:
    return ((way, missed(np.frombuffer(content, "<u4"), predicted)) for way, predicted in predictor.ways(values))


def missed(bits: NDArray[np.uint32], predicted: Numbers) -> bytes:
    """How many float32 a prediction is off, cell by cell; few are a small number, above or below."""
    foretold: NDArray[np.uint32] = predicted.astype("<f4").reshape(-1).view("<u4")
    apart: NDArray[np.int32] = (bits - foretold).view("<i4")
    told: bytes = ((apart << 1) ^ (apart >> 31)).astype("<u4").tobytes()
    return told


def _weight(told: Told) -> int:
    way, rest = told
    ranks = b"".join(rest[rank::WORD] for rank in range(WORD))  # as they are kept
    return len(zlib.compress(ranks, 1)) + (TELLING if way else 0)
