"""The page works out what follows from other tensors, to the last bit, as it was worked out when it was recorded."""

import itertools
import json
import subprocess
from collections.abc import Iterator

import numpy as np
import pytest

from backend.packing.way import OF, Numbers, Way, fitted, worked_out
from tests.tools.node import find
from tests.tools.server import ROOT

PREDICTED = """
import { predicted } from "./static/js/shared/predicted.js";
import { readFileSync } from "node:fs";
const { tensors, ways } = JSON.parse(readFileSync(0));
const known = tensors.map((bits) => new Float32Array(Uint32Array.from(bits).buffer));
const found = ways.map((way) => [...new Uint32Array(predicted(way, known).buffer)]);
process.stdout.write(JSON.stringify(found));
"""
SHAPE = (6, 7)
STRIDES = [7, 1], [1, 6], [0, 1], [1, 0], [0, 0]  # as it is, transposed, a row or a column copied, a number
TIMES = 1, 0.1, -1 / 3, 1e-7


def every_way() -> Iterator[Way]:
    """Each function with each reading, with and without a second tensor, a third, a factor, a sum."""
    for name, strides, times in itertools.product(OF, STRIDES, TIMES):
        way = Way(x=(0, strides), of=name, sizes=list(SHAPE), times=times)
        yield from (
            way,
            way | {"y": (1, [7, 1])},
            way | {"plus": (2, [1, 6])},
            way | {"y": (1, [1, 6]), "plus": (2, [0, 1])},
        )
        product = way | {"x": (0, [7, 0, 1]), "y": (1, [0, 1, 7]), "terms": 5}
        yield from (product, product | {"plus": (2, [0, 1])})


def of_size(size: float) -> list[Numbers]:
    """Numbers up to a size, with zeros of both signs among them; of very small ones few bits are left."""
    rng = np.random.default_rng(7)
    tensors = [rng.normal(size=42) * size ** rng.uniform(0, 1, 42) for _ in range(3)]
    for one in tensors:
        one[3], one[20] = 0.0, -0.0
    return tensors


def cancelling() -> list[Numbers]:
    """Numbers whose sums are what is left of large ones: all depends on the order, and on every bit."""
    rng = np.random.default_rng(8)
    return [rng.choice([1e9, -1e9, 1, 0.3, 1e-5, 3e-10], 42), rng.choice([1, -1, 1e-9], 42), np.full(42, -1.0)]


@pytest.mark.parametrize(
    "exact", [of_size(1), of_size(1e-38), of_size(1e18), cancelling()], ids=["plain", "small", "large", "cancelling"]
)
def test_every_way_leads_to_the_same_bits_in_the_page(exact: list[Numbers]) -> None:
    node = find()
    if node is None:
        pytest.skip("Node is not there")
    tensors = [one.astype("f4") for one in exact]
    ways = list(every_way())
    asked = json.dumps({"tensors": [one.view("<u4").tolist() for one in tensors], "ways": ways})
    done = subprocess.run([node, "--input-type=module", "-e", PREDICTED], input=asked, cwd=ROOT, text=True,
                          capture_output=True, check=True)  # fmt: skip
    known = [one.astype(np.float64) for one in tensors]
    compared = 0
    with np.errstate(all="ignore"):
        for way, bits in zip(ways, json.loads(done.stdout), strict=True):
            told = worked_out(way, SHAPE, known).astype("f4").reshape(-1)
            sure = ~np.isnan(told)  # of what isn't a number, nothing is told by others
            np.testing.assert_array_equal(np.array(bits, "<u4")[sure], told.view("<u4")[sure], str(way))
            compared += int(sure.sum())
    assert compared > 0.9 * len(ways) * 42


def test_a_place_that_a_tensor_has_not_is_refused() -> None:
    with pytest.raises(IndexError, match="leads out of tensor 0"):
        worked_out(Way(x=(0, [8, 1])), SHAPE, [np.ones(42)])


def test_a_factor_is_told_in_few_digits_where_these_are_enough() -> None:
    known = [np.arange(1.0, 43)]
    way = Way(x=(0, [7, 1]))
    assert fitted(way, known[0].reshape(SHAPE), known) == way
    assert fitted(way, 0.1 * known[0].reshape(SHAPE), known) == way | {"times": 0.1}
    assert fitted(way, known[0].reshape(SHAPE) / 3, known) == way | {"times": float(np.float32(1 / 3))}
