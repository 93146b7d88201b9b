"""What travels: how much of each tensor a reply holds, and whole numbers as they are."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import backend
from backend.engine.encode import FIRST_CELLS, WHOLE_CELLS, largest_whole, typed
from tests.tools.forked import run_code

LONG = {
    "source": "for t in range(60):\n    h = torch.tanh(h @ W + x)\nloss = h.sum()",
    "tensors": {
        "h": {"role": "data", "shape": [20, 200], "init": "randn"},
        "x": {"role": "data", "shape": [20, 200], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [200, 200], "init": "randn", "seed": 2, "scale": 0.05},
    },
}


@pytest.mark.parametrize("cells", [[5, 5, 5], [1, 2, 100], [100, 100], [7], [], [10] * 30, [1] * 50, [3, 50, 4, 60]])
@pytest.mark.parametrize("most", [10, 20, 100])
def test_no_larger_share_would_fit(cells: list[int], most: int) -> None:
    share = largest_whole(cells, most)
    assert sum(min(count, share) for count in cells) <= max(most, len(cells) if share == 0 else 0)
    assert share == most or sum(min(count, share + 1) for count in cells) > most


def wires(value: Any) -> Iterator[dict[str, Any]]:
    """All tensors of a document as they are sent."""
    if isinstance(value, dict) and "dtype" in value and "shape" in value:
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from wires(part)


@pytest.mark.parametrize("steps", ["near", "all"])
def test_one_weight_used_sixty_times_fits_into_a_reply(steps: str) -> None:
    document = json.loads(backend.walk(LONG | {"steps": steps}))
    sent = [
        wire.get("bdata") or "".join(wire["pooled"][name] for name in ("mean", "min", "max"))
        for wire in wires(document)
    ]
    most = {"near": FIRST_CELLS, "all": WHOLE_CELLS}[steps]
    assert sum(map(len, sent)) <= 1.1 * most * 4 * 4 / 3
    assert any("pooled" in wire for wire in wires(document))


def test_a_reply_is_not_begun_without_the_room_to_end_it() -> None:
    """The encoder would not survive it."""
    program = (
        "import resource, backend\nfrom backend.engine.encode import as_json\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (40 << 20),) * 2)\n"
        "print(as_json({'x': 1}, 'typed'))\n"
        "try:\n    as_json({'x': 'a' * 100}, 'lists')\nexcept MemoryError:\n    print('no room')"
    )
    assert run_code(program).out.split("\n")[:2] == ["b'{\"x\":1}'", "no room"]


@pytest.mark.parametrize("numbers", [[0, 3_000_000_000], [-(2**53), 2**53], [2**31, 0]])
def test_whole_numbers_beyond_int32_are_shown_as_they_are(numbers: Any) -> None:
    wire = typed(torch.tensor(numbers))
    assert (wire["dtype"], np.frombuffer(b64decode(wire["bdata"]), np.float64).tolist()) == ("f8", numbers)


def test_whole_numbers_within_int32_travel_as_such() -> None:
    numbers = [-(2**31), 2**31 - 1, 0]
    wire = typed(torch.tensor(numbers))
    assert (wire["dtype"], np.frombuffer(b64decode(wire["bdata"]), np.int32).tolist()) == ("i4", numbers)
    assert typed(torch.zeros(0, dtype=torch.int64))["dtype"] == "i4"


def test_a_large_whole_number_in_a_walk() -> None:
    source = "k = i * 3000000000\nloss = (x * k.float()).sum()"
    tensors = {"x": {"role": "parameter", "values": [1.0, 2.0]}, "i": {"role": "data", "values": [1, 2]}}
    document = json.loads(backend.walk({"source": source, "tensors": tensors}))
    wire = next(node["value"] for node in document["nodes"] if node["name"] == "k")
    assert np.frombuffer(b64decode(wire["bdata"]), np.float64).tolist() == [3e9, 6e9]
