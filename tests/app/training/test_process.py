"""The process of a run: locked and limited before it reads a program, and in what it may send."""

from __future__ import annotations

import os
import re
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from app.training.frames import LONGEST
from app.training.run import NICENESS
from backend.training.session import LARGEST_STATE
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Reply, Server

# Less than 300 bytes that take seconds of a processor to be read, differentiated, compiled and compared.
DEAR: dict[str, Any] = {
    "walk": {
        "source": "for i in range(190):\n    x = torch.tanh(x @ w) * torch.sigmoid(x @ w)\nloss = x.mean()",
        "tensors": {
            "x": {"role": "parameter", "shape": [8, 8], "init": "randn"},
            "w": {"role": "parameter", "shape": [8, 8], "init": "randn", "scale": 0.1},
        },
    },
    "steps": 10,
}
SHORT: dict[str, Any] = {"walk": {"lesson": "makemore-mlp"}, "batch": 8, "steps": 3}


def held(pid: int) -> dict[str, str]:
    """What the kernel keeps from a process."""
    status, limits = (Path(f"/proc/{pid}/{name}").read_text() for name in ("status", "limits"))
    found = dict(re.findall(r"(NoNewPrivs|Seccomp):\t(\d)", status))
    return found | {"memory": re.findall(r"Max address space +(\S+)", limits)[0]}


def is_held(pid: int) -> bool:
    found = held(pid)
    return (found["Seccomp"], found["NoNewPrivs"]) == ("2", "1") and found["memory"] != "unlimited"


def of_runs(server: Server, workers: list[int]) -> list[int]:
    return [pid for pid in server.worker_pids() if pid not in workers]


def test_a_program_is_read_by_a_process_that_is_locked_and_limited() -> None:
    with forked(workers=1) as server, ThreadPoolExecutor(1) as client:
        workers = server.worker_pids()
        asked: Future[Reply] = client.submit(server.post, "/api/training", DEAR, 120)
        assert eventually(lambda: bool(of_runs(server, workers)))
        (pid,) = of_runs(server, workers)
        assert eventually(lambda: is_held(pid))
        assert not asked.done(), "what was seen was seen while it read"
        assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, workers[0]), (
            "somebody waits for its beginning"
        )
        assert asked.result().status == 201
        assert os.getpriority(os.PRIO_PROCESS, pid) == NICENESS, "and once it has begun walks go first"


def test_a_program_is_not_read_for_long() -> None:
    with forked(workers=1, training_begin=0.5) as server:
        workers = server.worker_pids()
        reply = server.post("/api/training", DEAR, 120)
        assert (reply.status, reply.error["code"]) == (504, "too-slow")
        assert eventually(lambda: of_runs(server, workers) == [])
        assert server.post("/api/training", SHORT).status == 201, "and the next one has its room"


@pytest.mark.parametrize("sizes", [{"context": 3}, {"context": 5}, {"context": 8}])
def test_a_locked_process_has_the_words_that_it_needs(tmp_path: Path, sizes: dict[str, int]) -> None:
    words = tmp_path / "words.txt"
    words.write_text("anna\nbertha\nclara\ndora\nemma\nfrieda\n")
    with forked("--names", str(words), workers=1) as server:
        assert server.post("/api/training", {**SHORT, "sizes": sizes}).status == 201


def test_the_largest_state_that_a_run_may_have_can_be_sent() -> None:
    assert LARGEST_STATE + (1 << 20) <= LONGEST
