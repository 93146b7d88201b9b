"""What is recorded, without what nobody reads of it: comments of scripts, digits that float32 doesn't have."""

import json
import re

DIGITS = 9  # by which float32 is told exactly
LINES = re.compile(r"^ *// [^\n]*\n", re.MULTILINE)
BLOCKS = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
MAPPED = re.compile(r"^//# sourceMappingURL=.*\n", re.MULTILINE)


def script(text: str) -> str:
    """A script that runs as before."""
    return LINES.sub("", BLOCKS.sub("", MAPPED.sub("", text)))


def answer(text: bytes) -> bytes:
    """An answer with the numbers that a page shows, none of which has more digits than nine."""
    return compact(_rounded(json.loads(text))).encode()


def compact(document: object) -> str:
    """A document without the spaces."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return value
