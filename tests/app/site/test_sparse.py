"""Tensors that are mostly zeros come back whole in the page."""

import base64
import json
import subprocess

import numpy as np
import pytest

from app.site import sparse
from tests.tools.node import find
from tests.tools.server import ROOT

FILLED = """
import { filledUp } from "./static/js/shared/recorded-tensors.js";
import { readFileSync } from "node:fs";
process.stdout.write(JSON.stringify(filledUp(JSON.parse(readFileSync(0, "utf8")))));
"""


def wire(values: "np.typing.NDArray[np.float32]") -> dict[str, str]:
    shape = ", ".join(map(str, values.shape))
    return {"dtype": "f4", "shape": shape, "bdata": base64.b64encode(values.tobytes()).decode()}


def test_a_tensor_of_zeros_and_a_few_numbers_comes_back() -> None:
    node = find()
    if node is None:
        pytest.skip("Node is not there")
    rng = np.random.default_rng(1)
    diagonal = np.diag(rng.normal(size=37)).astype("f4")
    cleared = np.zeros((3, 50), "f4")
    cleared[1, 7], cleared[2, 49], cleared[0, 0] = np.nan, -np.inf, -0.0
    dense = rng.normal(size=(9, 9)).astype("f4")
    given = {"a": [wire(diagonal), {"b": wire(cleared)}], "c": wire(dense), "d": {"cells": [1], "e": None}}
    told = sparse.thin(given)
    assert "cells" in told["a"][0]
    assert len(told["a"][0]["cells"]) < len(given["a"][0]["bdata"]) / 8  # type: ignore[index]
    assert told["c"] == given["c"]
    done = subprocess.run(
        [node, "--input-type=module", "-e", FILLED], input=json.dumps(told), capture_output=True, text=True, check=True,
        timeout=60, cwd=ROOT,
    )  # fmt: skip
    assert json.loads(done.stdout) == given
