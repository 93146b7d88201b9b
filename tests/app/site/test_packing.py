"""What is packed into a file comes out of it as it was."""

import base64
import gzip
import json
import random
import struct
import subprocess
import zlib

import numpy as np
import pytest

from app.site import packing
from tests.tools.node import find
from tests.tools.server import ROOT

UNPACKED = """
import { unpacked } from "./static/js/shared/recorded-tensors.js";
import { readFileSync } from "node:fs";
const bytes = readFileSync(0);
process.stdout.write(JSON.stringify(unpacked(new Uint8Array(bytes).buffer)));
"""


def unpacked(text: str, size: int) -> bytes:
    """Letters read as the file reads them, word by word."""
    words = (text[at : at + 5] for at in range(0, len(text), 5))
    values = (sum(packing.ALPHABET.index(one) * 85 ** (4 - i) for i, one in enumerate(word)) for word in words)
    reader = zlib.decompressobj(wbits=31)
    content = reader.decompress(b"".join(struct.pack(">I", value) for value in values)[:size])
    assert reader.eof
    assert not reader.unused_data  # browsers take nothing behind the end
    return content


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 1000])
def test_bytes_come_out_as_they_went_in(size: int) -> None:
    content = random.Random(size).randbytes(size)
    assert unpacked(*packing.letters(content)) == content


def test_no_letter_needs_an_escape_in_a_script_or_stands_twice() -> None:
    assert len(set(packing.ALPHABET)) == 85
    assert not set("<&\\\"' \n") & set(packing.ALPHABET)


def test_a_tensor_is_told_once_and_a_like_one_by_what_differs() -> None:
    rng = np.random.default_rng(1)
    one = rng.normal(size=500).astype("f4")
    other = one * np.float32(1 + 1e-7)
    texts = [base64.b64encode(values.tobytes()).decode() for values in (one, other)]
    document = {"a": {"bdata": texts[0]}, "b": [{"bdata": texts[1]}, {"max": texts[0]}], "c": {"bdata": "AAAA"}}
    told, listed, stored = packing.apart(document)
    assert told == {"a": {"bdata": "#0"}, "b": [{"bdata": "#1"}, {"max": "#0"}], "c": {"bdata": "AAAA"}}
    assert listed == [[2000, -1], [2000, 0]]
    first, differs = (np.frombuffer(stored[at : at + 2000], np.uint8).reshape(4, -1).T.tobytes() for at in (0, 2000))
    assert first == one.tobytes()
    assert packing.differing(differs, first) == other.tobytes()
    assert len(gzip.compress(stored)) < 0.75 * len(gzip.compress(json.dumps(document).encode()))


def test_the_page_reads_what_was_packed() -> None:
    """Numbers, numbers that are nearly the same, a tensor's blocks, bytes, and words that only look like them."""
    node = find()
    if node is None:
        pytest.skip("Node is not there")
    rng = np.random.default_rng(2)
    one = rng.normal(size=300).astype("f4")
    texts = [base64.b64encode(part.tobytes()).decode() for part in (one, one * np.float32(1.0000001), one[::-1])]
    odd = base64.b64encode(rng.bytes(333)).decode()
    pooled = {"shape": "10, 30", "mean": texts[0], "min": texts[1], "max": texts[2]}
    document = {
        "é": pooled,
        "all": [{"bdata": odd}, {"bdata": texts[2], "stats": {"min": 0, "max": 3.5}}],
        "mean": None,
    }
    document["said"] = {"mean": "a word", "text": texts[0]}
    content = packing.packed(document)
    done = subprocess.run(
        [node, "--input-type=module", "-e", UNPACKED],
        input=content,
        capture_output=True,
        check=True,
        timeout=60,
        cwd=ROOT,
    )
    assert json.loads(done.stdout) == document
