"""A host of files on this machine, as any web host is one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    """Python's own server of files, which logs nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


@contextmanager
def hosting(root: Path) -> Iterator[str]:
    """The address of a folder's host."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}"
        host.shutdown()
