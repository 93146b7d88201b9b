"""What is packed into a file comes out of it as it was."""

import base64
import gzip
import itertools
import json
import subprocess
import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from app.site import packing
from tests.tools.node import find
from tests.tools.server import ROOT

UNPACKED = """
import { unpacked } from "./static/js/shared/recorded-tensors.js";
import { readFileSync } from "node:fs";
const bytes = readFileSync(0);
const [first, ...others] = bytes.toString("latin1").split("|").map((text) => Buffer.from(text, "base64"));
const ground = others.length ? unpacked(new Uint8Array(others[0]).buffer).tensors : [];
process.stdout.write(JSON.stringify(unpacked(new Uint8Array(first).buffer, ground).document));
"""


def test_a_tensor_is_told_once_and_a_like_one_by_what_differs() -> None:
    rng = np.random.default_rng(1)
    one = rng.normal(size=500).astype("f4")
    other = one * np.float32(1 + 1e-7)
    texts = [base64.b64encode(values.tobytes()).decode() for values in (one, other)]
    document = {
        "a": {"bdata": texts[0], "shape": "500"},
        "b": [{"bdata": texts[1], "shape": "500"}, {"max": texts[0]}],
        "c": {"bdata": "AAAA"},
    }
    told, listed, stored = packing.apart(document)
    assert told["a"]["bdata"] == "#0"
    assert told["b"] == [{"bdata": "#1", "shape": "500"}, {"max": "#0"}]
    assert told["c"] == {"bdata": "AAAA"}
    assert listed[0] == [2000]
    assert listed[1] == [2000, {"x": (0, [1]), "sizes": [500]}]
    first = np.frombuffer(stored[:2000], np.uint8).reshape(4, -1).T.tobytes()
    assert first == one.tobytes()
    assert len(gzip.compress(stored)) < 0.75 * len(gzip.compress(json.dumps(document).encode()))


def wire(values: NDArray[np.float32]) -> dict[str, str]:
    """A tensor as an answer tells it."""
    shape = ", ".join(map(str, values.shape))
    return {"dtype": "f4", "shape": shape, "bdata": base64.b64encode(values.tobytes()).decode()}


def followed(rng: np.random.Generator) -> list[NDArray[np.float32]]:
    """Tensors, and such as follow from them in every way: each is worked out in float32, as a walk does."""
    x, w, b, g = (rng.normal(size=size).astype("f4") for size in ((12, 16), (16, 9), (9,), (12, 9)))
    z = x @ w + b
    h = np.tanh(z)
    found = [x, w, b, g, z, h, x.T, 1 - h * h, (1 - h * h) * g, g @ w.T, x.T @ g, np.exp(z), np.log(np.exp(z)), 1 / h]
    found += [(z > 0).astype("f4"), 0.5 * h, h + np.float32(0.1) * g, h * h, np.full((12, 9), np.nan, "f4"), -0.0 * h]
    return [np.ascontiguousarray(one, dtype="f4") for one in found]


def test_what_follows_from_others_takes_few_bytes() -> None:
    """Functions whose last bits each browser rounds its own way are told like chance: `tanh`, `exp`, `log`."""
    document = [wire(one) for one in followed(np.random.default_rng(3))]
    _, listed, stored = packing.apart(document)
    ends = list(itertools.accumulate(entry[0] for entry in listed))
    parts = [stored[end - entry[0] : end] for entry, end in zip(listed, ends, strict=True) if len(entry) > 1]
    assert len(parts) >= 11
    assert sum(len(zlib.compress(part, 9)) for part in parts) < 0.15 * sum(map(len, parts))


def stacked(rng: np.random.Generator) -> list[NDArray[np.float32]]:
    """Two matrices, their product at one place of a stack of zeros, and the same with more of what is there."""
    x, y = rng.normal(size=(2, 16, 16)).astype("f4")
    alone = np.zeros((5, 16, 16), "f4")
    alone[3] = x @ y
    more = alone.copy()
    more[1] = x
    return [x, y, alone, more]


def test_a_stack_of_matrices_is_told_matrix_by_matrix() -> None:
    told, listed, stored = packing.apart([wire(one) for one in stacked(np.random.default_rng(4))])
    assert [one["bdata"] for one in told] == ["#0", "#1", "#2,2,2,3,2", "#2,0,2,3,2"]
    assert [len(entry) for entry in listed] == [1, 1, 1, 2]
    assert len(zlib.compress(stored[3 * 1024 :], 9)) < 300 < len(zlib.compress(stored[:1024], 9))


def read(*contents: bytes) -> Any:
    """A document as the page reads it, from its file and that of its ground."""
    node = find()
    if node is None:
        pytest.skip("Node is not there")
    given = b"|".join(map(base64.b64encode, contents))
    asked = [node, "--input-type=module", "-e", UNPACKED]
    return json.loads(subprocess.run(asked, input=given, capture_output=True, check=True, timeout=60, cwd=ROOT).stdout)


def test_the_page_reads_what_was_packed() -> None:
    """Numbers, numbers that are nearly the same, a tensor's blocks, bytes, and words that only look like them."""
    rng = np.random.default_rng(2)
    one = rng.normal(size=300).astype("f4")
    texts = [base64.b64encode(part.tobytes()).decode() for part in (one, one * np.float32(1.0000001), one[::-1])]
    odd = base64.b64encode(rng.bytes(333)).decode()
    pooled = {"shape": "10, 30", "mean": texts[0], "min": texts[1], "max": texts[2]}
    document = {
        "é": pooled,
        "all": [{"bdata": odd}, {"bdata": texts[2], "stats": {"min": 0, "max": 3.5}}],
        "mean": None,
        "step": [wire(one) for one in (*followed(rng), *stacked(rng))],
    }
    document["said"] = {"mean": "a word", "text": texts[0]}
    assert read(packing.packed(document)) == document


def test_what_stands_on_a_ground_tells_little_and_is_read_with_it() -> None:
    """Some of its tensors are the ground's, some follow from them, and one is its own."""
    rng = np.random.default_rng(5)
    tensors = [*followed(rng), *stacked(rng)]
    below = [wire(one) for one in tensors]
    own = rng.normal(size=(12, 9)).astype("f4")
    document = [wire(one) for one in (tensors[5], np.float32(3) * tensors[4], own, stacked(rng)[0])]
    ground = packing.pieces(below)
    assert read(packing.packed(document, ground), packing.packed(below)) == document
    alone, upon = (len(zlib.compress(packing.packed(document, some), 9)) for some in ((), ground))
    assert upon < 0.75 * alone
    assert packing.pieces(packing.as_document(ground)) == ground
