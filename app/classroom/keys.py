"""Who may do what in a class: a code to join it by, and keys that prove a part, made of the class's own secret."""

import hashlib
import hmac
import secrets

LETTERS = "BCDFGHJKMNPQRSTVWXZ23456789"  # no vowels, so no words, and nothing that looks like something else
CODE_LENGTH = 6  # 27⁶ codes, some 390 million
KEY_BYTES = 16


def new_code() -> str:
    """A code that can be read aloud."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def tidied(code: str) -> str:
    """A code as it was meant: in capitals, without what was typed between."""
    return "".join(letter for letter in code.upper() if letter in LETTERS)


def key(secret: bytes, part: str) -> str:
    """What proves a part in a class, such as `teacher`, `board` or `seat:81`."""
    return hmac.new(secret, part.encode(), hashlib.sha256).digest()[:KEY_BYTES].hex()


def proves(secret: bytes, part: str, given: str) -> bool:
    """Whether this is the key of that part."""
    return hmac.compare_digest(key(secret, part).encode(), given.encode())
