"""Bytes as letters, of which a page can hold any number."""

import base64
import gzip

# Five of these letters are four bytes, where base64 needs five and a third; none ends a script or needs an escape.
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?~>()[]{}@%$#,"
USUAL = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"  # of `b85encode`
OURS = bytes.maketrans(USUAL.encode(), ALPHABET.encode())
WORD = 4  # bytes


def letters(content: bytes) -> tuple[str, int]:
    """Bytes, packed, as letters; and how many bytes they are."""
    packed = gzip.compress(content, 9, mtime=0)
    padded = packed + bytes(-len(packed) % WORD)
    return base64.b85encode(padded).translate(OURS).decode(), len(packed)
