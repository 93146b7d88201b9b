"""What one client asks of the workers leaves them as good for everybody else."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pytest

from app.compute.fair_queue import FairQueue
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import JSON, Reply, Server, read

LESSON = {"lesson": "makemore-mlp", "seed": 1}  # its own walk, without a seed, needs none of these workers
PATIENCE = 120  # seconds, where many ask at once on a machine that has other work too


def product(size: int, seed: int) -> dict[str, Any]:
    """A walk that takes memory by the square of its size: some 140 bytes a cell."""
    drawn = {"role": "parameter", "shape": [size, size], "init": "randn", "seed": seed}
    return {"source": "c = a * b\nloss = c.sum()", "tensors": {"a": drawn, "b": drawn | {"seed": seed + 1}}}


def loop(turns: int, constant: float) -> dict[str, Any]:
    """A walk whose plan takes memory, some 25 kB a turn, and that is like no other one's."""
    drawn = {"role": "parameter", "shape": [4, 4], "init": "randn", "seed": 1}
    source = f"h = x\nfor i in range({turns}):\n    h = torch.tanh(h @ w + {constant})\nloss = h.sum()"
    return {"source": source, "tensors": {"x": drawn, "w": drawn}}


def ask_from(address: str, server: Server, document: dict[str, Any]) -> Reply:
    """A walk asked for by a client of another address."""
    with contextlib.closing(
        HTTPConnection(*server.address, timeout=PATIENCE, source_address=(address, 0))
    ) as connection:
        connection.request("POST", "/api/walk", json.dumps(document), JSON)
        return read(connection)


@pytest.fixture(scope="module")
def a_small() -> Iterator[Server]:
    with forked(workers=1, memory_mib=64, deadline=30, wall_deadline=PATIENCE) as server:
        yield server


@pytest.fixture
def small(a_small: Server) -> Server:
    """One worker with little memory, as good as new."""
    renew(a_small)
    return a_small


@pytest.fixture(scope="module")
def a_pair() -> Iterator[Server]:
    with forked(workers=2, deadline=30, wall_deadline=PATIENCE, queue_patience=PATIENCE) as server:
        yield server


@pytest.fixture
def pair(a_pair: Server) -> Server:
    """Two workers that may take their time, ready for this test."""
    a_pair.wait_until_ready(2)
    return a_pair


@pytest.mark.exhaustive
def test_what_programs_leave_behind_does_not_stay(small: Server) -> None:
    first = small.worker_pids()
    for number in range(6):
        assert small.post("/api/walk", loop(100, number)).status == 200
        assert small.post("/api/walk", product(400, number)).status == 200
        assert small.get("/readyz").status == 200
    assert small.worker_pids() != first
    for innocent in (LESSON, product(540, 50), loop(20, 0.5)):
        assert small.post("/api/walk", innocent).status == 200


def test_what_a_full_worker_cannot_do_is_tried_in_a_fresh_one(small: Server) -> None:
    size = largest(small)
    renew(small)
    assert small.post("/api/walk", product(400, 1)).status == 200
    assert small.post("/api/walk", product(size, 2)).status == 200


def largest(server: Server) -> int:
    """The size of the largest product, in steps of ten, that a fresh worker has the memory for."""
    fits, fails = 400, 1200
    while fails - fits > 10:
        size = (fits + fails) // 20 * 10
        renew(server)
        if server.post("/api/walk", product(size, 1)).status == 200:
            fits = size
        else:
            fails = size
    return fits


def renew(server: Server) -> None:
    killed = server.signal_workers(signal.SIGKILL)
    assert eventually(lambda: server.get("/readyz").status == 200 and not {*server.worker_pids()} & killed)


def test_a_program_too_large_for_any_worker_is_told_so_and_leaves_nothing(small: Server) -> None:
    for number in range(3):
        assert small.post("/api/walk", product(1000, number)).error["code"] == "memory"
        assert small.post("/api/walk", LESSON).status == 200


def test_workers_killed_while_idle_are_replaced_before_anybody_asks(pair: Server) -> None:
    told = times_told(pair)
    killed = pair.signal_workers(signal.SIGKILL)
    assert eventually(lambda: len(pair.worker_pids()) == 3 and not {*pair.worker_pids()} & killed)
    assert eventually(lambda: times_told(pair) - told in (2, 3)), "the one for what is ours may have been at work"


def times_told(server: Server) -> int:
    return server.log.read_text().count("ended while it was idle")


def test_whoever_asks_in_that_moment_gets_an_answer_too(pair: Server) -> None:
    for _ in range(5):
        pair.signal_workers(signal.SIGKILL)
        assert pair.post("/api/walk", LESSON).status == 200
        assert eventually(lambda: pair.get("/readyz").status == 200 and len(pair.worker_pids()) == 3)


def test_a_greedy_client_leaves_a_worker_to_the_others(pair: Server) -> None:
    with ThreadPoolExecutor(12) as pool:
        assert ask_from("127.0.0.2", pair, LESSON).status == 200
        many = [pool.submit(pair.post, "/api/walk", loop(90, number), PATIENCE) for number in range(10)]
        assert eventually(lambda: any(one.done() for one in many))
        done = finished(many)
        for seed in range(10):
            assert ask_from("127.0.0.2", pair, LESSON | {"seed": seed}).status == 200
        # Ten short walks beside long ones: had they waited in turn for each, as many long ones would be done.
        assert finished(many) - done < 8
        assert {one.result().status for one in many} == {200}


def finished(futures: list[Future[Reply]]) -> int:
    return sum(one.done() for one in futures)


def test_a_class_behind_one_address_is_not_refused(pair: Server) -> None:
    with ThreadPoolExecutor(60) as pool:
        same = [pool.submit(pair.post, "/api/walk", LESSON, PATIENCE) for _ in range(50)]
        own = [pool.submit(pair.post, "/api/walk", loop(2, number), PATIENCE) for number in range(100)]
        assert {one.result().status for one in [*same, *own]} == {200}


def test_a_client_that_is_alone_has_every_worker_and_one_of_many_all_but_one() -> None:
    now = [0.0]

    async def served(*clients: str, workers: int) -> list[str]:
        queue: FairQueue[int] = FairQueue(places=100, workers=workers, clock=lambda: now[0])
        places = {queue.join(client): client for client in clients}
        return [places[place] for place in iter(queue.next, None)]

    assert asyncio.run(served("a", "a", "a", workers=3)) == ["a", "a", "a"]
    assert asyncio.run(served("a", "a", "a", "b", workers=3)) == ["a", "b", "a"]
    assert asyncio.run(served("a", "b", workers=1)) == ["a", "b"]


def test_a_client_that_has_not_asked_for_a_minute_is_no_longer_about() -> None:
    now = [0.0]

    async def served() -> int:
        queue: FairQueue[int] = FairQueue(places=100, workers=2, clock=lambda: now[0])
        queue.leave(queue.join("b"))
        now[0] = 61.0
        for _ in range(2):
            queue.join("a")
        return len(list(iter(queue.next, None)))

    assert asyncio.run(served()) == 2


def test_a_place_for_two_clients_is_served_in_the_first_one_s_turn() -> None:
    async def order() -> list[str]:
        queue: FairQueue[int] = FairQueue(places=100, workers=1)
        names = {queue.join("greedy"): "heavy" for _ in range(3)}
        shared = queue.join("greedy")
        queue.join("polite", shared)
        names[shared] = "shared"
        served = []
        while (place := queue.next()) is not None:
            served.append(names[place])
            queue.leave(place)
        return served

    assert asyncio.run(order()) == ["heavy", "shared", "heavy", "heavy"]
