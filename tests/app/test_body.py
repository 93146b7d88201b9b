"""Bodies are judged in a worker, counted before they are read: the event loop only carries them."""

import asyncio
import json
import re
import sys
from collections.abc import Awaitable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from starlette.types import Message, Receive, Scope, Send

from app import tensor_values
from app.bodies import BODIES
from app.body import BodyError, document
from app.fields import MOST_ENTRIES
from app.main import create_app
from app.middleware.guard import LARGE, Guard
from app.requests import WalkRequest
from app.settings import Settings
from backend.engine.language.limits import LIMITS
from tests.support.crowd import posted, read_one, worst_bodies
from tests.tools.server import Server

WORST = worst_bodies()
LARGEST = max(map(len, WORST.values()))
ROUNDS = 5
TENSOR = {"role": "data", "values": [1.0]}


def on_the_loop(server: Server, body: bytes) -> float:
    """Seconds of processor time that the event loop's thread spends on a body."""
    pid, buffer = server.process.pid, bytearray(1 << 16)
    spent = Path(f"/proc/{pid}/task/{pid}/schedstat")
    with server.connect() as client:
        times = [int(spent.read_text().split()[0])]
        for _ in range(ROUNDS):
            client.sendall(posted("/api/walk", body))
            read_one(client, buffer)
            times.append(int(spent.read_text().split()[0]))
    return min(after - before for before, after in pairwise(times)) / 1e9


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a thread's processor time")
def test_a_body_costs_the_event_loop_no_more_than_its_bytes(server: Server) -> None:
    blank = on_the_loop(server, b'{"lesson": 1}'.ljust(LARGEST))
    times = {name: on_the_loop(server, body) for name, body in WORST.items()}
    assert {name: seconds / blank for name, seconds in times.items() if seconds > 8 * blank} == {}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"tensors": {f"x{i}": {} for i in range(30_000)}}, "tensors: may have at most 400 entries"),
        ({"constants": {f"c{i}": None for i in range(401)}}, "constants: may have at most 400 entries"),
        ({"dims": {f"x{i}": 1 for i in range(401)}}, "dims: may have at most 400 entries"),
    ],
)
def test_a_dictionary_is_counted_before_its_entries_are_judged(change: dict[str, Any], where: str) -> None:
    body = json.dumps({"source": "y = x * 1", "tensors": {"x": TENSOR}} | change).encode()
    with pytest.raises(BodyError, match=where) as refused:
        document("walk", body)
    assert "Also look at" not in refused.value.hint


def test_large_bodies_that_arrive_together_pass_one_in_each_turn_of_the_loop() -> None:
    assert asyncio.run(turns_of(bodies=[b"1" * (LARGE + 1)] * 3)) == 3
    assert asyncio.run(turns_of(bodies=[b"1"] * 3)) == 1


async def turns_of(bodies: list[bytes]) -> int:
    """In how many turns of the event loop bodies that arrive in the same one are passed on."""
    turn, passed = 0, []

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        passed.append(turn)

    async def count() -> None:
        nonlocal turn
        while len(passed) < len(bodies):
            turn += 1
            await asyncio.sleep(0)

    guard = Guard(app, Settings())
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/api/walk", "scheme": "http"}
    scope["query_string"] = b""
    scope["headers"] = [(b"host", b"localhost"), (b"content-type", b"application/json")]

    def request(body: bytes) -> Awaitable[None]:
        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        async def send(_message: Message) -> None:
            raise AssertionError

        return guard(scope, receive, send)

    await asyncio.gather(*(request(body) for body in bodies), count())
    return len(set(passed))


def test_as_many_as_that_are_read() -> None:
    tensors = {f"x{i}": TENSOR for i in range(MOST_ENTRIES)}
    names = {name: ["example"] for name in tensors}
    constants = {f"c{i}": i for i in range(MOST_ENTRIES)}
    body = {"source": "y = x1 * 1", "tensors": tensors, "constants": constants, "dims": names}
    assert document("walk", json.dumps(body).encode())["dims"] == names


@pytest.mark.parametrize("inside", [False, True])
def test_of_many_unknown_fields_the_first_few_are_named(inside: bool) -> None:
    many = {f"f{i}": 1 for i in range(30_000)}
    body = {"source": "y = x", "tensors": {"x": TENSOR | many}} if inside else {"lesson": "first-steps"} | many
    with pytest.raises(BodyError, match="f0: there is no such field") as refused:
        document("walk", json.dumps(body).encode())
    assert refused.value.hint.count("f") >= 5
    assert "f9" not in refused.value.hint


def test_one_body_makes_few_mistakes() -> None:
    """However it is filled: each is an object that the worker makes."""
    tensors = {f"x{i}": {f"f{k}": 1 for k in range(60)} for i in range(MOST_ENTRIES)}
    with pytest.raises(ValidationError, match="validation errors") as refused:
        WalkRequest.model_validate({"source": "y = x", "tensors": tensors})
    assert refused.value.error_count() <= 8 * MOST_ENTRIES


def test_the_description_tells_what_each_job_takes() -> None:
    description = create_app().openapi()
    told = [(path, way[one]) for path, way in description["paths"].items() for one in ("post", "put") if one in way]
    taking = [(path, entry) for path, entry in told if "requestBody" in entry]
    assert len(taking) == len(BODIES)
    for path, entry in taking:
        job = re.sub(r"{\w+}/", "", path.removeprefix("/api/")).replace("/", "-")
        (content,) = entry["requestBody"]["content"].values()
        assert entry["requestBody"]["required"] is True
        assert content["schema"] == {"$ref": f"#/components/schemas/{BODIES[job].__name__}"}
        schema = description["components"]["schemas"][BODIES[job].__name__]
        if "oneOf" in schema:  # one of several, each described by itself
            members = [one["$ref"].rpartition("/")[2] for one in schema["oneOf"]]
            assert set(members) <= description["components"]["schemas"].keys()
        else:
            assert set(schema["properties"]) == set(BODIES[job].model_fields)


def test_what_the_server_counts_is_what_the_engine_allows() -> None:
    """The server's own process does not load the engine, so it has these numbers itself."""
    counted = tensor_values.LARGEST_INTEGER, tensor_values.MOST_CELLS, tensor_values.MOST_AXES
    assert counted == (LIMITS.largest_integer, LIMITS.tensor_cells, LIMITS.tensor_axes)
