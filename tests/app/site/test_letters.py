"""Letters are read as they were written."""

import random
import struct
import zlib

import pytest

from app.site.letters import ALPHABET, letters


def unpacked(text: str, size: int) -> bytes:
    """Letters read as the file reads them, word by word."""
    words = (text[at : at + 5] for at in range(0, len(text), 5))
    values = (sum(ALPHABET.index(one) * 85 ** (4 - i) for i, one in enumerate(word)) for word in words)
    reader = zlib.decompressobj(wbits=31)
    content = reader.decompress(b"".join(struct.pack(">I", value) for value in values)[:size])
    assert reader.eof
    assert not reader.unused_data  # browsers take nothing behind the end
    return content


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 1000])
def test_bytes_come_out_as_they_went_in(size: int) -> None:
    content = random.Random(size).randbytes(size)
    assert unpacked(*letters(content)) == content


def test_no_letter_needs_an_escape_in_a_script_or_stands_twice() -> None:
    assert len(set(ALPHABET)) == 85
    assert not set("<&\\\"' \n") & set(ALPHABET)
