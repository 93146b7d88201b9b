"""What matrix products and their kin share: each cell of the result sums products along shared axes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from backend.engine.ops.base import Op, Shape


class Product(Op):
    """Sums of products; torch takes factors of one kind only, all decimals or all whole numbers."""

    one_kind = True

    @classmethod
    def multiplications(cls, bound: Mapping[str, Any], out: Shape) -> int:
        """For each cell one for each of the first factor's last axis."""
        shape = bound["x"].shape
        return math.prod(out) * int(shape[-1]) if shape else 0
