"""Processes that are forked from one with everything loaded: of a start's three seconds of processor two tenths.

What such a server does from there on is its own: settings, sockets, a fork server and workers forked by that, a
sandbox. Only its imports came before. How it starts as its users start it is held by the tests that use `running`.
With nothing else to do a server makes all chapters' pages and drills ahead: six seconds of processor, of which a test
would look at little. A forked one makes each when it is asked for, unless it is to work `ahead` as well.
"""

import multiprocessing
import os
import runpy
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker, util
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, NoReturn

from tests.tools.server import ROOT, START_SECONDS, Server, announced

CONTEXT = multiprocessing.get_context("forkserver")
PRELOADED = ["app.compute.preload", "app.serving", "tests.tools.prepared"]


@dataclass(frozen=True)
class Ended:
    """What came of a process; its code is negative where a signal ended it."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Forked:
    """A forked server's process, with what `subprocess.Popen` would offer of it."""

    forked: ForkServerProcess

    @property
    def pid(self) -> int:
        assert self.forked.pid is not None
        return self.forked.pid

    def poll(self) -> int | None:
        return self.forked.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def wait(self, timeout: float | None = None) -> int:
        self.forked.join(timeout)
        if self.forked.exitcode is None:
            raise TimeoutError
        return self.forked.exitcode


@contextmanager
def forked(*arguments: str, ahead: object = False, **settings: object) -> Iterator[Server]:
    """A server of its own with other settings: `forked(deadline=0.5)` sets GRADWALK_DEADLINE."""
    environment = os.environ | {f"GRADWALK_{name.upper()}": str(value) for name, value in settings.items()}
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        told, telling = CONTEXT.Pipe(duplex=False)
        given = ["--port", "0", "--no-browser", *arguments]
        with telling:
            process = _started(_serve, given, dict(environment), telling, log, ahead)
        try:
            with told, open(told.fileno(), closefd=False) as output:
                server = Server(announced(output, log), process, log)
            server.wait_until_ready(int(str(settings.get("workers", 1))))
            yield server
        finally:
            process.terminate()
            process.wait(START_SECONDS)
            process.forked.close()


def run_module(module: str, *arguments: str, **environment: str) -> Ended:
    """`python -m module …` to its end."""
    return _ended(_run_module, module, arguments, dict(os.environ | environment))


def run_code(code: str) -> Ended:
    """`python -c …` to its end."""
    return _ended(_run_code, code)


def lend() -> dict[str, Any]:
    """Load everything in a process that this one and others fork from; what `borrow` needs to be one of them."""
    CONTEXT.set_forkserver_preload(PRELOADED)
    forkserver.ensure_running()
    own: Any = forkserver._forkserver
    return {key: getattr(own, key, None) for key in ("_forkserver_address", "_forkserver_authkey")}


def borrow(lent: Mapping[str, Any]) -> None:
    """Fork from another process's loaded one from now on: it ends with that process."""
    own: Any = forkserver._forkserver
    vars(own).update(lent, _forkserver_alive_fd=os.pipe()[1], ensure_running=resource_tracker.ensure_running)


def _started(target: Callable[..., None], *given: Any) -> Forked:
    CONTEXT.set_forkserver_preload(PRELOADED)
    process = CONTEXT.Process(target=target, args=given)
    process.start()
    return Forked(process)


def _ended(target: Callable[..., None], *given: Any) -> Ended:
    with tempfile.TemporaryDirectory() as scratch:
        out, err = Path(scratch) / "out", Path(scratch) / "err"
        process = _started(_to_files, out, err, target, given)
        code = process.wait(START_SECONDS)
        process.forked.close()
        return Ended(code, out.read_text(), err.read_text())


def _to_files(out: Path, err: Path, target: Callable[..., None], given: tuple[Any, ...]) -> None:
    with out.open("w") as said, err.open("w") as errors:
        _say(said.fileno(), errors.fileno())
    target(*given)


def _say(out: int, err: int) -> None:
    """What is printed goes where these lead."""
    os.dup2(out, 1)
    os.dup2(err, 2)


def _run_module(module: str, arguments: tuple[str, ...], environment: Mapping[str, str]) -> None:
    _become(module, arguments, environment)
    sys.modules.pop(f"{module}.__main__", None)  # as in a process of its own
    if module == "app":
        _fork_server()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _run_code(code: str) -> None:
    exec(code, {"__name__": "__main__"})


def _become(module: str, arguments: tuple[str, ...] | list[str], environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.argv = [module, *arguments]


def _serve(arguments: list[str], environment: Mapping[str, str], telling: Connection, log: Path, ahead: object) -> None:
    """Become `python -m app` with these arguments."""
    from app.__main__ import main  # only here: in the tests' own process nothing of the server is wanted
    from app.compute.ours import Ours

    kept: Any = Ours
    if not ahead:
        kept.prepare = Ours.lists
    with telling, log.open("w") as errors:
        _say(telling.fileno(), errors.fileno())
    _become("app", arguments, environment)
    _fork_server()
    main()


def _fork_server() -> None:
    """Fork the fork server that this server would start, load everything in, and fork its workers from."""
    address = f"{util.get_temp_dir()}/fork-server-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        alive, ours = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(ours)
            _go_on(listener.detach(), alive)
    os.close(alive)
    own: Any = forkserver._forkserver
    own._forkserver_address, own._forkserver_alive_fd, own._forkserver_pid = address, ours, pid


def _go_on(listener: int, alive: int) -> NoReturn:
    """Serve forks until the server is gone."""
    try:
        forkserver.main(listener, alive, [])
    except SystemExit:
        os._exit(0)
    os._exit(1)
