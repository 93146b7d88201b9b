"""How far two numbers of a walk are apart, counted in steps between float32 numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.programs import run_for


def ulps(name: str, tensor: str, opened: dict[str, Any]) -> float:
    """Between a gradient's cell and the sum of its terms; the steps are those at the tensor's largest number."""
    if opened["sum"] == opened["shown"]:
        return 0.0
    run = run_for(name)
    largest = run.gradients["d" + run.plan.by_name[tensor].variable].abs().nan_to_num(0.0, 0.0, 0.0).max()
    return float(abs(float(opened["sum"]) - float(opened["shown"])) / np.spacing(largest.numpy()))
