"""Locked workers: whatever runs in one reaches no file, no socket and no process, and still answers every job."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.body import Posted
from app.compute import worker
from app.compute.lock import FULL
from app.endpoints import ENDPOINTS, Endpoint
from app.requests import WalkRequest
from tests.support import probing
from tests.support.programs import PATHS, load
from tests.support.waiting import eventually
from tests.tools.forked import run_module
from tests.tools.server import Server, running

JOBS = worker.load_jobs(None, 2.0)
LESSON = {"lesson": "first-steps"}
# What an address says of a question, besides its body.
BESIDE_THE_BODY: dict[str, dict[str, Any]] = {
    "walk": {"arrays": "typed", "steps": "near"},
    "chapters-answer": {"chapter": "broadcasting"},
}
LISTS = {"starts": "starts", "lessons": "lessons", "ops": "operations"}


def probed(layer: str) -> Any:
    return json.loads(run_module("tests.support.probing", layer).out)


def test_a_worker_shuts_itself_off() -> None:
    """Both locks, nothing open but its link, nothing of the environment; memory, time and threads stay."""
    living = ["thread"]
    assert probed("all") == {"held": FULL, "open": [], "environment": {}, "heard": "", "living": living}


def test_landlock_alone_keeps_files_connections_and_processes_away() -> None:
    assert probed("landlock") == dict.fromkeys(probing.BY_LANDLOCK, "denied")


def test_seccomp_alone_refuses_everything_that_is_not_listed() -> None:
    assert probed("seccomp") == {"calls": [], **dict.fromkeys(probing.ATTEMPTS, "denied")}


def test_the_server_says_what_holds_its_workers(server: Server) -> None:
    assert server.get("/readyz").json()["locked"] == "landlock+seccomp"
    for pid in server.worker_pids():
        (thread,) = Path(f"/proc/{pid}/task").iterdir()  # the only one: Landlock holds who asks for it
        assert re.findall(r"(?:NoNewPrivs|Seccomp):\t(\d)", (thread / "status").read_text()) == ["1", "2"]


@pytest.mark.exhaustive
def test_where_the_kernel_has_no_lock_the_server_runs_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nsys.modules['seccompy'] = sys.modules['landlockpy'] = None\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running(workers=1) as server:
        assert server.get("/readyz").json()["locked"] == "limits"
        assert server.post("/api/walk", LESSON).status == 200
        assert eventually(lambda: "held by limits" in server.log.read_text())


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.path)
def test_a_locked_worker_answers_every_kind_of_job(server: Server, endpoint: Endpoint) -> None:
    reply = server.post(endpoint.address, endpoint.example)
    asked = Posted(json.dumps(endpoint.example).encode(), BESIDE_THE_BODY.get(endpoint.job, {}))
    assert (reply.status, without_times(reply.json())) == unlocked(endpoint.job, asked)
    assert reply.status == 200


def test_a_locked_worker_has_read_every_list_and_lesson(server: Server) -> None:
    for path, job in LISTS.items():
        assert (200, server.get(f"/api/{path}").json()) == unlocked(job, None)
    for lesson in server.get("/api/lessons").json()["lessons"]:
        assert (200, server.get(f"/api/lessons/{lesson['name']}").json()) == unlocked("lesson", lesson["name"])
        assert server.post("/api/walk", {"lesson": lesson["name"]}).status == 200


def test_a_locked_worker_walks_the_kept_programs_as_any_process_does(server: Server, thorough: bool) -> None:
    for path in PATHS if thorough else PATHS[::15]:
        reply = server.post("/api/walk", load(path))
        argument = WalkRequest(**load(path)).model_dump(exclude_none=True) | {"arrays": "typed"}
        assert (reply.status, without_times(reply.json())) == unlocked("walk", argument), path.stem


def unlocked(job: str, argument: Any) -> tuple[int, Any]:
    """What this process answers, with all it may read."""
    status, body = worker.answer(JOBS, job, argument)
    return status, without_times(json.loads(body))


def without_times(document: Any) -> Any:
    """An answer without what the clock says in it."""
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if "seconds" not in key}
    return [without_times(entry) for entry in document] if isinstance(document, list) else document
