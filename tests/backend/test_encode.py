"""What travels: how much of each tensor a reply holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import backend
from backend.wire import MOST_CELLS, largest_whole

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


def test_one_weight_used_sixty_times_fits_into_a_reply() -> None:
    document = json.loads(backend.walk(LONG))
    sent = [
        wire.get("bdata") or "".join(wire["pooled"][name] for name in ("mean", "min", "max"))
        for wire in wires(document)
    ]
    assert sum(map(len, sent)) <= 1.1 * MOST_CELLS * 4 * 4 / 3
    assert any("pooled" in wire for wire in wires(document))
