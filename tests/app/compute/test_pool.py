"""The pool: late, lost and unwanted work is stopped for real, and the next request finds a warm worker."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from app.compute import worker
from app.compute.pool import Worker
from tests.support.waiting import BROKEN, eventually
from tests.tools.forked import CONTEXT, forked, run_code
from tests.tools.server import JSON, Reply, Server, children, read, read_from, running

DEADLINE = 0.5
PATIENT = {"wall_deadline": 120, "queue_patience": 120}  # seconds on the clock of a busy machine


def program(rounds: int, step: str = "h * w", size: int = 20) -> dict[str, Any]:
    """Work that is new to a worker, within the language's own budget: 400 products of cells take half a second."""
    return {
        "source": f"h = x * w\nfor i in range({rounds}):\n    h = {step}\nloss = h.mean()",
        "tensors": {
            "x": {"role": "data", "shape": [size, size], "init": "randn", "seed": 1},
            "w": {"role": "parameter", "shape": [size, size], "init": "randn", "seed": 2},
        },
    }


def heavy(rounds: int = 700) -> dict[str, Any]:
    """Work for seconds."""
    return program(rounds, "h @ w", 128)


LONG, SLOW = program(400), heavy()
LESSON = {"lesson": "makemore-mlp", "seed": 1}  # its own walk, without a seed, needs none of these workers


@pytest.fixture(scope="module")
def a_single() -> Iterator[Server]:
    with forked(workers=1, queue=1, deadline=DEADLINE, **PATIENT) as server:
        yield server


@pytest.fixture
def hurried() -> Iterator[Server]:
    """One worker, before which nobody waits for long."""
    with forked(workers=1, queue_patience=0.5) as server:
        yield server


@pytest.fixture
def single(a_single: Server) -> Server:
    """One worker and one place to wait, with a short deadline; whatever the last test has left behind is replaced."""
    a_single.wait_until_ready()
    return a_single


@pytest.fixture(scope="module")
def a_patient() -> Iterator[Server]:
    with forked(workers=1, queue=16, deadline=30, **PATIENT) as server:
        yield server


@pytest.fixture
def patient(a_patient: Server) -> Server:
    """One worker that may take its time, ready for this test."""
    a_patient.wait_until_ready()
    return a_patient


@pytest.fixture(scope="module")
def pair() -> Iterator[Server]:
    """Two workers that may take their time."""
    with forked(workers=2, deadline=30, **PATIENT) as server:
        yield server


def test_a_late_program_is_stopped_and_its_worker_replaced(single: Server) -> None:
    before = single.worker_pids()
    reply = single.post("/api/walk", SLOW)
    assert (reply.status, reply.error["code"]) == (504, "too-slow")
    assert "0.5 s of processor time" in reply.error["message"]
    assert single.post("/api/walk", LESSON).status == 200
    after = single.worker_pids()
    assert len(after) == len(before)
    assert after != before


def test_a_program_that_waits_for_a_processor_is_not_late(single: Server) -> None:
    """As on a machine with other work: its worker stands still for longer than the deadline."""
    with stopped(single), ThreadPoolExecutor(1) as pool:
        began = time.monotonic()
        waiting = pool.submit(single.post, "/api/walk", LESSON | {"seed": 3})
        while time.monotonic() < began + 3 * DEADLINE:
            assert single.get("/healthz").status == 200
        single.signal_workers(signal.SIGCONT)
        assert waiting.result().status == 200


def test_a_worker_that_hangs_is_ended_by_the_clock() -> None:
    with forked(workers=1, wall_deadline=0.5) as server:
        before = server.worker_pids()
        with stopped(server):
            reply = server.post("/api/walk", LESSON | {"seed": 3})
        assert (reply.status, reply.error["code"], reply.headers["retry-after"]) == (503, "busy", "5")
        assert "smaller" not in str(reply.error)
        assert eventually(lambda: len(server.worker_pids()) == len(before) and server.worker_pids() != before)


@contextlib.contextmanager
def stopped(server: Server) -> Iterator[None]:
    """Every worker stands still meanwhile."""
    server.signal_workers(signal.SIGSTOP)
    try:
        yield
    finally:
        server.signal_workers(signal.SIGCONT)


def test_others_are_served_meanwhile(pair: Server) -> None:
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(pair.post, "/api/walk", LONG)
        while not slow.done():
            assert pair.post("/api/walk", LESSON).status == 200
        assert slow.result().status == 200


def test_the_event_loop_stays_free(pair: Server) -> None:
    with ThreadPoolExecutor(2) as pool:
        slow = [pool.submit(pair.post, "/api/walk", LONG) for _ in range(2)]
        assert answered_before(slow, pair, "/healthz") >= 10


def answered_before(slow: list[Future[Reply]], server: Server, path: str) -> int:
    """How many answers come while not one of the slow requests has its own."""
    count = 0
    while not any(one.done() for one in slow):
        assert server.get(path).status == 200
        count += not any(one.done() for one in slow)
    return count


def test_a_page_does_not_wait_for_a_worker(single: Server) -> None:
    assert single.get("/").status == 200
    with ThreadPoolExecutor(2) as pool:
        slow = [pool.submit(single.post, "/api/walk", SLOW) for _ in range(2)]
        assert answered_before(slow, single, "/") >= 3


def test_a_full_pool_says_so_at_once(single: Server) -> None:
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(single.post, "/api/walk", heavy(700 + more)) for more in range(4)]
        replies = [one.result() for one in as_completed(asked)]
    assert [reply.status for reply in replies] == [503, 503, 504, 504]
    assert [reply.headers["retry-after"] for reply in replies[:2]] == ["1", "1"]


def test_a_class_asking_for_the_same_walk_is_one_computation(patient: Server) -> None:
    with ThreadPoolExecutor(20) as pool:  # thirteen would have a place for each one's own
        asked = [pool.submit(patient.post, "/api/walk", program(401)) for _ in range(20)]
        replies = [one.result() for one in asked]
    assert {reply.status for reply in replies} == {200}
    assert len({reply.body for reply in replies}) == 1


def test_a_class_asking_for_different_walks_is_served_too(pair: Server) -> None:
    with ThreadPoolExecutor(40) as pool:
        asked = [pool.submit(pair.post, "/api/walk", LESSON | {"seed": seed}) for seed in range(40)]
        replies = [one.result() for one in asked]
    assert {reply.status for reply in replies} == {200}
    assert len({reply.json()["id"] for reply in replies}) == 40


def test_nobody_s_many_programs_keep_out_another_s_one(patient: Server) -> None:
    with ThreadPoolExecutor(20) as pool:
        many = [pool.submit(patient.post, "/api/walk", program(120 + more), 240) for more in range(12)]
        assert eventually(lambda: any(one.done() for one in many))
        reply = ask_from("127.0.0.2", patient, LESSON)
        assert reply.status == 200
        assert sum(not one.done() for one in many) >= 5
        assert {one.result().status for one in many} == {200}


def test_one_client_does_not_take_every_place_in_the_line(patient: Server) -> None:
    with asking(patient, program(402)) as first, ThreadPoolExecutor(20) as pool:
        many = [pool.submit(patient.post, "/api/walk", program(40 + more), 240) for more in range(17)]
        assert eventually(lambda: any(one.done() for one in many))
        assert ask_from("127.0.0.2", patient, LESSON).status == 200
        assert read_from(first).status == 200
        statuses = [one.result().status for one in many]
    assert statuses.count(200) == 12  # of sixteen in line
    assert statuses.count(503) == 5


def ask_from(address: str, server: Server, document: dict[str, Any]) -> Reply:
    """A walk asked for by a client of another address."""
    with contextlib.closing(HTTPConnection(*server.address, timeout=240, source_address=(address, 0))) as connection:
        connection.request("POST", "/api/walk", json.dumps(document), JSON)
        return read(connection)


def test_whoever_leaves_takes_nothing_from_those_who_asked_the_same(patient: Server) -> None:
    before = patient.worker_pids()
    with asking(patient, LONG) as stays:
        with asking(patient, LONG):
            pass
        assert read_from(stays).status == 200
    assert patient.worker_pids() == before


@contextlib.contextmanager
def asking(server: Server, document: dict[str, Any]) -> Iterator[socket.socket]:
    """A walk that has been asked for, by a client that leaves afterwards, with its answer or without."""
    body = json.dumps(document)
    head = "POST /api/walk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with server.connect() as client:
        client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        assert server.get("/healthz").status == 200
        yield client


def test_pages_are_there_while_every_worker_stands_still(patient: Server) -> None:
    assert patient.post("/api/walk", LESSON).status == 200
    assert eventually(lambda: all(patient.get(path).status == 200 for path in ("/", "/reference")))
    with stopped(patient):
        for path in ("/", "/walk/first-steps", "/nope", "/code", "/reference"):
            assert patient.get(path, Accept="text/html").status in (200, 404)


def test_a_client_that_leaves_takes_its_program_with_it(patient: Server) -> None:
    before = patient.worker_pids()
    with asking(patient, SLOW):
        pass
    assert eventually(lambda: patient.worker_pids() not in ([], before))
    assert patient.post("/api/walk", LESSON).status == 200


def test_a_worker_gives_its_descriptors_back_as_it_ends_and_may_be_ended_again() -> None:
    """One that could not be replaced at the first attempt is dismissed once more."""
    ours, theirs = socket.socketpair()
    ended = Worker(CONTEXT.Process(target=time.sleep, args=(1000,)), ours)
    ended.start(theirs)
    held = ended.process.sentinel
    os.fstat(held)
    asyncio.run(twice(ended.kill))
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(held)


async def twice(act: Callable[[], Awaitable[None]]) -> None:
    await act()
    await act()


def test_a_worker_killed_while_idle_is_replaced_unnoticed(patient: Server) -> None:
    patient.signal_workers(signal.SIGKILL)
    assert patient.post("/api/walk", LESSON).status == 200


def test_a_program_that_loses_every_worker_is_an_error(patient: Server) -> None:
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(patient.post, "/api/walk", SLOW)
        while not slow.done():
            # A worker that is only starting has no job to lose yet.
            if patient.get("/readyz").status == 200:
                patient.signal_workers(signal.SIGKILL)
    assert (slow.result().status, slow.result().error["code"]) == (500, "worker-lost")
    assert patient.post("/api/walk", LESSON).status == 200


def test_not_ready_while_no_worker_can_start(hurried: Server) -> None:
    (fork_server,) = [pid for pid in children(hurried.process.pid) if children(pid)]
    os.kill(fork_server, signal.SIGSTOP)
    try:
        hurried.signal_workers(signal.SIGKILL)
        assert eventually(lambda: hurried.get("/readyz").status == 503)
        reply = hurried.get("/readyz")
        assert (reply.status, reply.error["code"], reply.headers["retry-after"]) == (503, "warming-up", "1")
        assert hurried.get("/healthz").json() == {"status": "alive"}
        assert hurried.post("/api/walk", LESSON).error["code"] == "busy"
    finally:
        os.kill(fork_server, signal.SIGCONT)
    hurried.wait_until_ready()
    assert hurried.post("/api/walk", LESSON).status == 200


def test_workers_that_cannot_get_ready_are_told_by_readyz_and_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(BROKEN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running(workers=1, ready=False) as server:
        assert eventually(lambda: server.get("/readyz").error["code"] != "warming-up")
        for reply in (server.get("/readyz"), server.post("/api/walk", LESSON)):
            assert (reply.status, reply.error["code"], reply.headers["retry-after"]) == (503, "workers-failing", "30")
            assert b"RuntimeError" not in reply.body
        page = server.get("/", Accept="text/html")
        assert (page.status, page.headers["content-type"]) == (503, "text/html; charset=utf-8")
        assert "do not start" in page.body.decode()
        assert "Try again" in page.body.decode()
        assert server.get("/healthz").status == 200


@pytest.mark.parametrize("allocate", ["bytearray(256 << 20)", "__import__('torch').ones(64 << 20)"])
def test_the_kernel_limits_memory(allocate: str) -> None:
    job = f"{{'job': lambda _: {allocate}}}"
    program = f"import backend\nfrom app.compute.worker import *\nMemory(64 << 20)\nprint(answer({job}, 'job', None))"
    said = run_code(program).out
    assert said.startswith("(422, ")
    assert '"memory"' in said


def test_want_of_memory_inside_a_program_is_told_as_such() -> None:
    """Not as shapes that do not fit."""
    job = "{'job': lambda _: Evaluator({'x': torch.ones(8 << 20)}).value(ast.parse('x + x', mode='eval').body)}"
    program = (
        "import ast, torch\nfrom backend.engine.interpret.evaluate import Evaluator\nfrom app.compute.worker import *\n"
        f"Memory(48 << 20)\nprint(answer({job}, 'job', None))"
    )
    said = run_code(program).out
    assert said.startswith("(422, ")
    assert '"memory"' in said


def test_the_kernel_limits_time() -> None:
    """Of the processor: to sleep for longer costs none."""
    program = "import time\nfrom app.compute.worker import *\nlimit_time(0.05)\ntime.sleep(0.2)\nprint('slept')\n"
    ended = run_code(program + "while True: pass")
    assert (ended.out, ended.code) == ("slept\n", -signal.SIGPROF)


def test_a_fault_in_a_job_tells_nothing_of_its_cause() -> None:
    def failing(_: object) -> bytes:
        raise ZeroDivisionError

    status, body = worker.answer({"job": failing}, "job", None)
    assert status == 500
    assert b"division" not in body
