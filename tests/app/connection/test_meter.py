"""Streams of events that nobody reads: what they hold of the server's memory, and of their client's share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.streams import ask_from, left_unread
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Server

MIB = 1 << 20
UNREAD, LAYERS = 40, 60
# Of all that a program could have a report say, many activations of many units are the most.
WIDE = {
    "walk": {
        "source": "\n".join(f"h = torch.tanh(h * w{number})" for number in range(LAYERS)) + "\nloss = h.mean()",
        "tensors": {
            "h": {"role": "data", "shape": [1, 1024], "init": "randn"},
            **{f"w{n}": {"role": "parameter", "shape": [1024], "init": "randn", "seed": n} for n in range(LAYERS)},
        },
    },
    "steps": 1_000_000,
}
OTHER = "127.0.0.2"


def memory(server: Server) -> int:
    """Bytes of memory that the server's own process has."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture(scope="module")
def host() -> Iterator[Server]:
    """A server with little room for what is unread, and for any number of streams."""
    with forked(workers=1, training_log_mib=2, unread_mib=1, training_streams_per_client=UNREAD) as server:
        yield server


@pytest.mark.exhaustive
@pytest.mark.skipif(not Path("/proc/self/statm").is_file(), reason="only Linux shows a process's memory")
def test_streams_that_nobody_reads_hold_little_and_count_as_unread(host: Server) -> None:
    reply = ask_from(host, OTHER, "POST", "/api/training", WIDE)
    assert reply.status == 201, reply.body
    run = reply.json()["id"]
    path = f"/api/training/{run}"
    assert eventually(lambda: host.get(path).json().get("first_event", 0) > 1), "the log is full"
    host.post(f"{path}/pause", {})
    before = memory(host)
    with ExitStack() as stack:
        begun = [stack.enter_context(left_unread(host, run)) for _ in range(UNREAD)]
        assert set(begun) == {200, 503}
        assert eventually(lambda: host.get("/api/ops").status == 503)
        for what in (path + "/events", "/api/ops"):
            assert host.get(what).error["code"] == "answers-unread"
        assert ask_from(host, OTHER, "GET", "/api/ops").status == 200
        assert memory(host) - before < 16 * MIB
    assert eventually(lambda: host.get("/api/ops").status == 200)
