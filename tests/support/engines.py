"""Redis and proxies as Debian packages them, and a power cut."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.support.waiting import eventually
from tests.tools.server import ROOT

SYNCED = Path(__file__).with_name("synced.c")
PACKAGES = {"cc": "gcc"}  # of programs that have another name
SAFE = {"appendonly": "yes", "appendfsync": "always", "save": ""}
DEPLOY = ROOT / "deploy"
KINDS_OF_BODY = "client_body", "proxy", "fastcgi", "uwsgi", "scgi"


def needed(*programs: str) -> None:
    """Skip a test where a program is not installed, and say how to get it."""
    missing = [PACKAGES.get(one, one) for one in programs if shutil.which(one, path=wide()) is None]
    if missing or sys.platform != "linux":
        pytest.skip(f"needs Linux and: apt-get install {' '.join(missing)}")


def wide() -> str:
    """Where programs are that only an administrator has on the path."""
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"


def free_port() -> int:
    """A port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


@cache
def shim() -> Path:
    """A library that notes how long each file was when it was last synchronised."""
    library = Path(mkdtemp()) / "synced.so"
    atexit.register(shutil.rmtree, library.parent)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SYNCED, "-ldl"], check=True)
    return library


def noting(sizes: Path) -> dict[str, str]:
    """The environment of a process whose files a power cut can take."""
    return {"LD_PRELOAD": str(shim()), "SYNCED_LOG": str(sizes)}


def cut(sizes: Path, files: Sequence[Path]) -> None:
    """Take what was not on the disk yet: each file is as long as when it was last synchronised."""
    synced: dict[str, int] = {}
    for line in sizes.read_text().splitlines():
        length, path = line.split(" ", 1)
        synced[path] = int(length)
    for file in files:
        with file.open("rb+") as open_file:
            open_file.truncate(min(synced.get(str(file), 0), file.stat().st_size))


@dataclass
class Redis:
    """A Redis with a folder of its own, which can be killed and started again."""

    folder: Path
    settings: dict[str, str] = field(default_factory=lambda: dict(SAFE))
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        given = {"port": str(self.port), "bind": "127.0.0.1", "dir": str(self.folder), **self.settings}
        words = [word for name, value in given.items() for word in (f"--{name}", value)]
        environment = os.environ | (noting(self.folder / "sizes") if shutil.which("cc") else {})
        self.process = subprocess.Popen(["redis-server", *words], env=environment, stdout=subprocess.DEVNULL)
        assert eventually(lambda: self.ask("PING")[:1] in (b"+", b"-") and b"LOADING" not in self.ask("PING"))

    def ask(self, *words: str) -> bytes:
        """The first piece of its answer; empty where it does not answer."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as asking:
                asking.sendall(" ".join(words).encode() + b"\r\n")
                return asking.recv(1 << 16)
        except OSError:
            return b""

    def kill(self, *, power: bool = False) -> None:
        """End it at once; with the power, what it had not synchronised is gone too."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None
        if power:
            cut(self.folder / "sizes", list(self.folder.glob("appendonlydir/*.incr.aof")))


@contextmanager
def redis(folder: Path, **settings: str) -> Iterator[Redis]:
    """A Redis that keeps what it acknowledges, or one with other settings."""
    needed("redis-server")
    folder.mkdir(parents=True, exist_ok=True)
    server = Redis(folder, {**SAFE, **{name.replace("_", "-"): value for name, value in settings.items()}})
    server.start()
    try:
        yield server
    finally:
        server.kill()


def for_haproxy(text: str, port: int, servers: Sequence[str]) -> str:
    """Its shipped settings with this port and these servers."""
    (template,) = [line for line in text.splitlines() if "server-template" in line]
    (bind,) = [line for line in text.splitlines() if " bind " in line]
    named = [f"    server app{place} {server}" for place, server in enumerate(servers)]
    return text.replace(template, "\n".join(named)).replace(bind, f"    bind 127.0.0.1:{port}")


def for_nginx(text: str, port: int, servers: Sequence[str]) -> str:
    """The same; nginx has a name of its own for where it writes, of which a test's folder takes the place."""
    shipped = [line for line in text.splitlines() if "server 127.0.0.1:" in line]
    (first, *rest) = shipped
    for line in rest:
        text = text.replace(line + "\n", "")
    named = [first.replace("127.0.0.1:8001", server) for server in servers]
    own = "daemon off;\nerror_log stderr;\npid nginx.pid;\n"
    folders = "".join(f"    {kind}_temp_path {kind};\n" for kind in KINDS_OF_BODY)
    text = text.replace(first, "\n".join(named)).replace("listen 80;", f"listen 127.0.0.1:{port};")
    return own + text.replace("http {\n", f"http {{\n{folders}")


def for_caddy(text: str, port: int, servers: Sequence[str]) -> str:
    """The same; and nobody administers it."""
    given = text.replace("127.0.0.1:8001 127.0.0.1:8002", " ".join(servers))
    return f"{{\n\tadmin off\n}}\n{given}".replace("\n:80 {", f"\nhttp://127.0.0.1:{port} {{")


@dataclass(frozen=True)
class Kind:
    """A proxy: the settings that are shipped for it, how a test changes them, and what it is started with."""

    shipped: Path
    settings: Callable[[str, int, Sequence[str]], str]
    options: Callable[[Path], list[str]]


PROXIES = {
    "haproxy": Kind(DEPLOY / "haproxy.cfg", for_haproxy, lambda file: ["-db", "-f", str(file)]),
    "nginx": Kind(DEPLOY / "nginx.conf", for_nginx, lambda file: ["-p", str(file.parent), "-c", str(file)]),
    "caddy": Kind(
        DEPLOY / "Caddyfile", for_caddy, lambda file: ["run", "--adapter", "caddyfile", "--config", str(file)]
    ),
}


@contextmanager
def proxy(
    name: str, folder: Path, servers: Sequence[tuple[str, int]], changes: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The address of a proxy with the settings that are shipped, before these servers; some may be changed."""
    needed(name)
    kind, port = PROXIES[name], free_port()
    text = kind.settings(kind.shipped.read_text(), port, [f"{host}:{number}" for host, number in servers])
    for before, after in (changes or {}).items():
        assert before in text
        text = text.replace(before, after)
    file = folder / kind.shipped.name
    file.write_text(text)
    program = shutil.which(name, path=wide())
    assert program is not None
    environment = os.environ | {"HOME": str(folder)}  # where Caddy keeps what it is asked
    with subprocess.Popen([program, *kind.options(file)], stderr=subprocess.DEVNULL, env=environment) as process:
        try:
            assert eventually(lambda: listens(port))
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def listens(port: int) -> bool:
    """Whether somebody does on this machine."""
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
