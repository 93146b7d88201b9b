"""One run: what it gives back when it ends, and what is said where it can't begin."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import weakref
from pathlib import Path

import pytest

from app.settings import Settings
from app.training.run import TrainingRun
from tests.support.waiting import eventually
from tests.tools.forked import CONTEXT, PRELOADED
from tests.tools.server import running

SMALL = {"walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": 8}, "batch": 8, "steps": 1_000_000}
NO_FOLDERS = "import tempfile\ntempfile._candidate_tempdir_list = lambda: ['/nowhere']\n"


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


async def carried_on(run: TrainingRun) -> None:
    """Begin a run, follow it, ask for what is refused and what is done, and end it."""
    assert (await run.start())[0] == 200
    async for _ in run.stream(0):
        if run.saved is not None and run.log.last > 3:
            break
    assert (await run.ask("pause"))[0] == 200
    assert (await run.ask("step", b"{}{}"))[0] == 400
    assert run.process is not None
    run.process.kill()
    while run.status != "lost":
        await run.log.news()
    assert (await run.ask("resume"))[0] == 200
    await run.end()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux shows open files")
def test_what_has_ended_gives_memory_and_descriptors_back_at_once() -> None:
    CONTEXT.set_forkserver_preload(PRELOADED)

    async def begun_and_ended() -> weakref.ref[TrainingRun]:
        run = TrainingRun(Settings(), CONTEXT, "", json.dumps(SMALL).encode())
        await carried_on(run)
        return weakref.ref(run)

    async def main() -> None:
        await begun_and_ended()  # what the first one leaves open is the event loop's and the fork server's
        gc.collect()
        gc.disable()
        try:
            before = open_files()
            gone = [await begun_and_ended() for _ in range(3)]
            await asyncio.sleep(0)
            assert [run() for run in gone] == [None] * 3
            assert open_files() == before
        finally:
            gc.enable()

    asyncio.run(main())


def test_where_no_process_starts_a_run_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_FOLDERS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running(workers=1, ready=False) as server:
        assert eventually(lambda: server.get("/healthz").status == 200)
        reply = server.post("/api/training", SMALL)
        assert (reply.status, reply.error["code"]) == (503, "workers-failing")
