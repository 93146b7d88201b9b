"""How the server ends: everybody gets a whole answer of one shape, and nothing stays. And how it cannot begin."""

from __future__ import annotations

import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Reply, read_from, running

LESSON = {"lesson": "makemore-mlp"}
HALF_A_BODY = (
    b"POST /api/walk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)
NO_FOLDERS = "import tempfile\ntempfile._candidate_tempdir_list = lambda: ['/nowhere']\n"


def loop(turns: int, constant: float) -> dict[str, Any]:
    """A walk that is like no other one's."""
    drawn = {"role": "parameter", "shape": [4, 4], "init": "randn", "seed": 1}
    source = f"h = x\nfor i in range({turns}):\n    h = torch.tanh(h @ w + {constant})\nloss = h.sum()"
    return {"source": source, "tensors": {"x": drawn, "w": drawn}}


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.exhaustive)])
def test_a_server_that_is_stopped_answers_everybody(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with running(workers=2, deadline=10) as server, ThreadPoolExecutor(20) as pool:
        asked = [pool.submit(server.post, "/api/walk", loop(60, number)) for number in range(20)]
        assert eventually(lambda: any(one.done() for one in asked))
        server.process.send_signal(number)
        replies = [one.result() for one in asked]
        assert server.process.wait(240) == 0
        log = server.log.read_text()
    assert {told(reply) for reply in replies} == {"200", "stopping"}
    assert "Traceback" not in log
    assert "rror" not in log
    assert [path for path in tmp_path.rglob("*") if "torch" not in path.name] == []


def told(reply: Reply) -> str:
    """A whole walk, or the code of a refusal in the one shape."""
    return str(reply.error["code"]) if reply.status != 200 else str(200 * bool(reply.json()["nodes"]))


def test_a_request_that_never_becomes_whole_is_told_too() -> None:
    with forked(workers=1, deadline=0.5) as server, server.connect() as client:
        client.sendall(HALF_A_BODY)
        assert server.get("/healthz").status == 200
        server.process.terminate()
        reply = read_from(client)
        assert (reply.status, reply.error["code"]) == (503, "stopping")
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert server.process.wait(240) == 0
        assert "Traceback" not in server.log.read_text()


@pytest.mark.exhaustive
def test_without_a_folder_for_temporary_files_the_log_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_FOLDERS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running(workers=1, ready=False) as server:
        assert eventually(lambda: "mount a /tmp" in server.log.read_text())
        assert eventually(lambda: server.get("/readyz").error["code"] == "workers-failing")
        assert server.post("/api/walk", LESSON).status == 503
        assert "Traceback" not in server.log.read_text()


@pytest.mark.exhaustive
def test_no_environment_makes_the_server_send_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.getsockname()[1]}")
        for name in ("TRACES", "METRICS", "LOGS"):
            monkeypatch.setenv(f"OTEL_{name}_EXPORTER", "otlp")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
        monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
        with running(workers=1) as server:
            assert server.post("/api/walk", LESSON).status == 200
            assert "elemetry" not in server.log.read_text()
        collector.setblocking(False)
        with pytest.raises(BlockingIOError):
            collector.accept()
