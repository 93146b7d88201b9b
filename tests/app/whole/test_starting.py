"""The start: who asks meanwhile is told so, by a page or in the one shape, and waits for no longer than it takes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.processes import wait_until_gone
from tests.support.waiting import eventually, held_back
from tests.tools.server import ROOT, children, running

BROWSER = {"Accept": "text/html,application/xhtml+xml"}
PAGES = ("/", "/learn/softmax-cross-entropy", "/practise/drills", "/code", "/reference", "/search?q=tanh")


def test_a_server_that_starts_says_so_and_then_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = held_back(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running(workers=1, ready=False, queue_patience=0.2) as server, ThreadPoolExecutor(1) as pool:
        for path in PAGES:
            page = server.get(path, **BROWSER)
            assert (page.status, page.headers["retry-after"]) == (503, "1")
            assert '<h1 id="starts">gradwalk is starting…</h1>' in page.body.decode()
            assert "busy" not in page.body.decode()
            told = server.get(path)
            assert (told.status, told.error["code"], told.headers["retry-after"]) == (503, "starting", "1")
        assert server.get("/nope", **BROWSER).status == 404
        assert server.get("/readyz").error["code"] == "warming-up"
        assert server.post("/api/check", {"source": "y = x", "tensors": {}}).error["code"] == "starting"
        waiting = pool.submit(server.ask, "GET", "/api/starts", timeout=240)
        gate.touch()
        assert waiting.result().status == 200
        server.wait_until_ready()
        for path in PAGES:
            page = server.get(path, **BROWSER)
            assert page.status == 200
            assert "is starting" not in page.body.decode()


def test_a_server_that_starts_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held_back(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running(workers=1, ready=False) as server, ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(server.ask, "GET", path, timeout=240) for path in ("/api/starts", "/api/chapters")]
        assert server.get("/healthz").status == 200
        server.process.terminate()
        assert {one.result().error["code"] for one in waiting} == {"stopping"}
        assert server.process.wait(240) == 0
        assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize(("module", "dropped"), [("app.serving", "BaseException"), ("backend", "()")])
def test_a_server_that_loads_ends_at_once(tmp_path: Path, module: str, dropped: str, number: signal.Signals) -> None:
    """Neither what the server is made of nor PyTorch ever gets loaded here: nothing waits for them."""
    held_back(tmp_path, module, dropped)
    scratch, log = Path(tempfile.mkdtemp()), tmp_path / "log"  # a short path: a socket's has no more than 107 bytes
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "TMPDIR": str(scratch)}
    command = [sys.executable, "-m", "app", "--port", "0", "--no-browser"]
    with (
        log.open("w") as told,
        subprocess.Popen(command, cwd=ROOT, env=environment, stderr=told, start_new_session=True) as process,
    ):
        try:
            assert eventually(lambda: len(children(process.pid)) == 2 and any(scratch.iterdir()))
            family = children(process.pid)
            # A terminal sends Ctrl-C to all of them, and docker stop SIGTERM to the first alone.
            (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
            assert process.wait(60) == 0
            assert wait_until_gone(family)
        finally:
            process.kill()
    assert log.read_text() == ""
    scratch.rmdir()  # which is empty
