"""What is recorded, without what nobody reads of it: comments of scripts, digits that float32 doesn't have."""

import base64
import json
import re
import struct
from typing import Any

from app.bundles import without_comments

DIGITS = 9  # by which float32 is told exactly
# Of numbers that are drawn, or shown in a few digits; and all of one that a page compares with a tensor's.
OTHER = {"sweep": 4, "terms": 7, "residue": 17}
LARGE = 4_000  # bytes of a reply to a written line, beyond which it is told in words alone
# Of float32 the sign, the exponent and eight bits, a half of the last one added: 256 shades aren't told apart further.
SHADED, HALF = 0xFFFF_0000, 0x8000
LEADING = re.compile(r"^\s+", re.MULTILINE)
VERBATIM = re.compile(r"(<(?:pre|textarea)\b[\s\S]*?</(?:pre|textarea)>)")
BETWEEN = re.compile(r"(?<=>)\s*\n\s*(?=<)")
REMARK = re.compile(r"/\*(?:(?!\*/)[\s\S])*\*/")
NEEDLESS = re.compile(r"""(?P<text>"[^"]*"|'[^']*')|\s*(?P<sign>[{};,>]|:(?=\s))\s*|\s+""")
MAPPED = re.compile(r"^//# sourceMappingURL=.*\n", re.MULTILINE)


def script(text: str) -> str:
    """A script that runs as before."""
    return LEADING.sub("", without_comments(MAPPED.sub("", text)))


def page(text: str) -> str:
    """A page without the spaces between its tags, where they aren't code."""
    parts = VERBATIM.split(text)
    return "".join(part if place % 2 else BETWEEN.sub("\n", part) for place, part in enumerate(parts))


def sheet(text: str) -> str:
    """A style sheet that says the same."""
    return NEEDLESS.sub(lambda found: found["text"] or found["sign"] or " ", REMARK.sub("", text)).replace(";}", "}")


def answer(text: bytes) -> bytes:
    """An answer with the numbers that a page shows, none of which has more digits than nine, and the same each time."""
    return compact(_rounded(_timeless(json.loads(text)))).encode()


def drawn(text: bytes) -> bytes:
    """A saturation panel, whose tensors are coloured cells alone: numbers in as many bits as there are shades."""
    told = json.loads(text)
    for value in (point["value"] for point in told["points"] if "bdata" in point["value"]):
        data = base64.b64decode(value["bdata"])
        words = [(word + HALF) & SHADED for (word,) in struct.iter_unpack("<I", data)]
        value["bdata"] = base64.b64encode(struct.pack(f"<{len(words)}I", *words)).decode()
    return answer(compact(told).encode())


def compact(document: object) -> str:
    """A document without the spaces."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def reply(text: bytes) -> bytes:
    """What is said of a written line; where its tensors are large, without them."""
    told = answer(text)
    return told if len(told) < LARGE else compact(json.loads(told) | {"gradient": None}).encode()


def _timeless(document: Any) -> Any:
    """Without how long it took."""
    if "summary" in document:
        document["summary"].pop("milliseconds", None)
    return document


def _rounded(value: object, digits: int = DIGITS) -> object:
    if isinstance(value, float):
        return _shorter(value, digits)
    if isinstance(value, list):
        return [_rounded(one, digits) for one in value]
    if isinstance(value, dict):
        return {key: _rounded(one, OTHER.get(key, digits)) for key, one in value.items()}
    return value


def _shorter(value: float, digits: int) -> float:
    """A number in so many digits; itself where these would lie halfway between two that a page may show."""
    short = float(f"{value:.{digits}g}")
    shown = f"{short:.{digits - 1}e}".partition("e")[0]
    return value if shown.endswith("0") and shown.rstrip("0").endswith("5") else short
