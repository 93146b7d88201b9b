"""Preloaded by the fork server that workers are forked from: what is warm here is warm in all of them.

A worker enters its sandbox before its first job and opens no file from then on, so everything is imported here.
"""

import contextlib
import gc
import os
import signal

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is loaded, and so before it is


def load() -> None:
    """Import what jobs are done with, walk the first lesson, and read every list."""
    import app.site.recording  # noqa: F401 - what a file is recorded with
    import backend
    from app.compute.lock import find_c_library
    from app.connection.memory import collect_seldom, give_back
    from app.endpoints import ENDPOINTS

    give_back()  # measured: a dozen large walks leave 120 MiB of a worker's address space in use, and 290 MiB without
    find_c_library()
    for endpoint in ENDPOINTS:
        endpoint.load()
    backend.warm()
    backend.warm_training()
    backend.starts()
    for lesson in backend.lessons():
        backend.lesson(lesson["name"])
    with contextlib.suppress(backend.Refusal):  # the first one reads what all of them say
        backend.lesson("")
    collect_seldom()  # what is loaded stays: no collection in a worker goes through it, and its memory stays shared


# The fork server was started with signals held back. Ctrl-C stays so: it is for the server, which decides when to stop.
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
gc.disable()  # next to nothing that is loaded is garbage, and looking for it takes a sixth of the time, at the end too
load()
gc.enable()
