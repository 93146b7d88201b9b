"""The process that workers and training runs are forked from, with PyTorch loaded and a first lesson walked."""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterator
from multiprocessing import forkserver, resource_tracker
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
# First the worker, with all that bodies are judged with: what is loaded last sets everything so that it can be shared.
CONTEXT.set_forkserver_preload([f"{__package__}.worker", f"{__package__}.preload"])


@contextlib.contextmanager
def begun() -> Iterator[None]:
    """Start it, go on while it loads, and end it in the end."""
    try:
        start()
        yield
    finally:
        end()


def start() -> None:
    """Start it. A signal meanwhile waits until it is known whom to end."""
    with contextlib.suppress(OSError):  # without a folder for its socket: whoever starts a worker tells
        resource_tracker.ensure_running()  # else it is started with the other, and lets signals through
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            forkserver.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end() -> None:
    """End it, whatever it does: the threads that start workers wait while it loads, and would keep the server up."""
    own: Any = forkserver._forkserver  # nothing public ends it before it has loaded
    if own._forkserver_pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(own._forkserver_pid, signal.SIGKILL)
