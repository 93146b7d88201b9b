"""Random requests, most of them wrong somewhere: in the program, the document, the bytes, the head, or all of it."""

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from tests.support.sample_requests import COMMANDS, GOT, POSTED, TRAINING

RUN = "{run}"  # stands for the id of a training run that is under way
TOLD = {f"/api/training/{RUN}/{command}": [body] for command, body in COMMANDS.items()}
BODIES: dict[str, list[dict[str, Any]]] = {**POSTED, **TOLD, "/api/training": [TRAINING]}
PLACES = [
    *BODIES, *GOT, f"/api/training/{RUN}", f"/api/training/{RUN}/events", f"/api/training/{RUN}/walk",
    f"/api/training/{RUN}/walk?step=99999999999999999999", f"/api/training/{RUN}/walk?step=-1", "/api/training/nothing",
    f"/api/training/{RUN}/nothing", "/api/training/..%2f..", "/api/training/" + "a" * 64, "/api/training/%00/events",
    "/learn", "/learn/broadcasting", "/learn/nothing", "/learn/broadcasting.row", "/learn/%2e%2e%2fetc", "/train",
    "/train/nothing", "/practise", "/practise/drills", "/practise/%00", "/search?q=" + "%28a%2b%29%2b" * 8, "/search?q=%00",
    "/search?q=" + "a+" * 50, "/api/search?q=" + "%ff%ff", "/api/search?q=" + "b" * 101, "/api/search?q=%3Cscript%3E",
    "/api/drills?seed=-1", "/api/drills?seed=99999999999", "/api/drills?seed=1e3", "/api/drills?groups=,,,nothing",
    "/api/drills?groups=" + "paths," * 50, "/api/chapters/nothing", "/api/chapters/..%2f..%2fetc", "/api/chapters/%00",
    "/", "/code", "/reference", "/walk/makemore-mlp", "/walk/nothing", "/api/lessons", "/api/lessons/first-steps",
    "/api/lessons/first-steps/program?seed=1", "/api/starts", "/api/ops", "/api/openapi.json", "/healthz", "/readyz",
    "/nothing", "/static/js/page/main.js", "/static/../app/main.py", "/api/lessons/%00", "/api/lessons/..%2f..%2fetc",
    "/%ff%fe", "/?step=1&" + "a=1&" * 200, "//evil.example/", "/api/walk/", "/walk/" + "a" * 3000, "*", "http://x/",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**53 + 1, 2**63, -(2**64), 10**400, 0.1, 1e308, 5e-324, -0.0, "", "x", "*",
    "x" * 300, "\0", "\ud800", "é‮ ", "__class__", "loss", "nan", "1", [], [[]], [1], [[1, 2], [3]], [True, 2],
    [None], ["1"], {}, {"a": 1}, [[[[[[[[[1]]]]]]]]], [0] * 3000, {f"k{i}": i for i in range(500)}, float("nan"), float("inf"),
]  # fmt: skip
FRAGMENTS = [
    "x.__class__", "import os", "()", "(((((", "))))", "[0]", "[:, None]", "[[1, 2]]", "-" * 50, "**", "10**10**10", "@",
    "lambda: 0", "f'{x}'", "'%s' % x", "'a'.format(x)", "while True: pass", "for i in range(9):", "    ", "\t", "\r", "\n",
    "\f", "\v", " ", "\x85", "\x1c", "\x00", "‮", "#", "# \x85!true", "torch.", "F.", ".sum()", ".mean(0)", ".T",
    ".view(-1)", ".reshape(2, 3)", ".expand(9, 9)", "torch.cat([x, x])", "torch.stack((b, b), 7)", "x.T", "b[y]", "0.", "1e999",
    "nan", "torch.einsum('ij,jk->ik', x, W)", "F.one_hot(y, 9)", "torch.where(x > 0, x, b)", "torch.zeros(3)", "del x",
    "def f(a):\n    return a\n", "with torch.no_grad():\n    ", "print(x)", "x = x +", "a, b = x", "_", "ｘ", "y", "W", "n", "7", "-1",
]  # fmt: skip
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", ""]
HEADERS = [
    "Host: evil.example", "Host: ", "Host: localhost\r\nHost: localhost", "Origin: http://evil.example", "Origin: null",
    "Content-Length: -1", "Content-Length: 99999999999", "Content-Length: x", "Content-Length: 5\r\nContent-Length: 6",
    "Transfer-Encoding: chunked", "Transfer-Encoding: xchunked", "Content-Type: text/plain", "Content-Type: application/json; a=b",
    "Content-Type: multipart/form-data; boundary=x", "Content-Encoding: gzip", "Accept: text/html", "Accept: text/html,*/*;q=0",
    "Accept-Encoding: br, gzip, identity;q=0", "Expect: 100-continue", "Connection: Upgrade\r\nUpgrade: websocket", "Connection: close",
    "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings", "If-None-Match: *", "Range: bytes=0-0,9-", "Sec-Fetch-Site: cross-site",
    "X-Forwarded-For: 8.8.8.8", "X-Forwarded-Proto: https", "Cookie: " + "a" * 9000, "Long: " + "b" * 40_000, "Bad Name: x",
    "Nul: \0", "Folded: a\r\n b", ": nothing", "\xff\xfe: \xff", "Many: 1\r\n" * 200 + "Last: 1",
]  # fmt: skip


def anything(chance: Random) -> bytes:
    """One request, as its bytes."""
    path = chance.choice(PLACES if chance.random() < 0.3 else list(BODIES))
    body = a_body(chance, path) if path in BODIES else b""
    method = chance.choice(METHODS) if chance.random() < 0.1 else "POST" if path in BODIES else "GET"
    headers = [chance.choice(HEADERS) for _ in range(chance.choice([0, 0, 0, 0, 1, 1, 2, 3]))]
    request = whole(method, path, headers, body)
    if chance.random() < 0.03:
        request = damaged(chance, request)
    return request if chance.random() < 0.98 else chance.randbytes(chance.choice([1, 10, 1000, 50_000]))


def whole(method: str, path: str, headers: list[str], body: bytes) -> bytes:
    """A request in its usual form, and with these headers besides or instead."""
    told = "".join(f"{header}\r\n" for header in headers)
    usual = {"Host": "localhost", "Content-Type": "application/json", "Content-Length": str(len(body))}
    usual = {name: value for name, value in usual.items() if f"{name}:" not in told}
    if not body:
        usual.pop("Content-Type", None)
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in usual.items()) + told
    return head.encode("latin-1", "replace") + b"\r\n" + body


def a_body(chance: Random, path: str) -> bytes:
    """A body for a path: right, or wrong in one to four ways."""
    document: Any = deepcopy(chance.choice(BODIES[path]))
    for _ in range(chance.choice([0, 1, 1, 1, 2, 4])):
        document = chance.choice(CHANGES)(chance, document)
    body = json.dumps(document).encode()
    if chance.random() < 0.1:
        body = damaged(chance, body)
    if chance.random() < 0.01:
        body = body.ljust(chance.choice([2**18, 2**18 + 1, 2**20]))
    return chance.choice(WHOLE_BODIES) if chance.random() < 0.02 else body


WHOLE_BODIES = [b"", b"null", b"[]", b"0", b'"x"', b"{", b"[" * 50_000, b'{"a":' * 20_000, b"9" * 10_000, b"NaN",
                b"\xff\xfe{\0}\0", b'"\xff"', b'{"lesson": 1, "lesson": "first-steps"}']  # fmt: skip


def other_source(chance: Random, document: Any) -> Any:
    """The program with a fragment put in, a part left out, a part twice, or two lines exchanged."""
    owner = document.get("walk", document) if isinstance(document, dict) else None
    if not isinstance(owner, dict) or not isinstance(owner.get("source"), str):
        return document
    text = owner["source"]
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice([0, 0, 1, 3, 12]))
    lines = text.split("\n")
    chance.shuffle(lines)
    put = chance.choice(
        [chance.choice(FRAGMENTS), "", text[start:end] * 2, chance.choice(FRAGMENTS) * chance.choice([2, 60])]
    )
    owner["source"] = chance.choice([text[:start] + put + text[end:], f"{text}\nz = {put}", "\n".join(lines)])
    return document


def other_value(chance: Random, document: Any) -> Any:
    """Some value, at any depth, replaced by a hostile one, left out, or joined by another."""
    spots = list(places(document))
    if not spots:
        return a_value(chance)
    holder, key = chance.choice(spots)
    match chance.randrange(4):
        case 0 if isinstance(holder, dict):
            holder[chance.choice(["extra", "", "x", "__proto__", "a" * 2000, "seed", "values", "shape"])] = a_value(
                chance
            )
        case 1:
            del holder[key]
        case _:
            holder[key] = a_value(chance)
    return document


def a_value(chance: Random) -> Any:
    """A hostile value of one's own."""
    return deepcopy(chance.choice(VALUES))


def places(document: Any) -> list[tuple[Any, Any]]:
    """Every place inside: its dictionary or list, and its key."""
    pairs = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    own = [(document, key) for key, _ in pairs]
    return own + [spot for holder, key in own for spot in places(holder[key])]


def damaged(chance: Random, text: bytes) -> bytes:
    """Bytes flipped, cut off, or repeated."""
    changed = bytearray(text)
    for _ in range(chance.choice([1, 1, 5, 50])):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    at = chance.randrange(len(text) + 1)
    return chance.choice(
        [bytes(changed), text[:at], text[:at] + text, text.replace(b"1", b"1e999"), text.replace(b"2", b"NaN")]
    )


CHANGES: list[Callable[[Random, Any], Any]] = [other_source, other_source, other_value, other_value]
