"""Serves gradwalk as the command line asks: reads its settings, listens, and says where."""

import argparse
import asyncio
import contextlib
import logging
import math
import os
import re
import socket
import sys
import webbrowser
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError

from app.compute.pool import Pool
from app.connection.protocol import patient
from app.main import create_app
from app.settings import Settings

if sys.platform != "win32":  # it has no such limit
    import resource

SPARE_FILES = 256  # workers, scripts, whatever the libraries open
GRACE_SECONDS = 1  # beyond the deadline, which a machine with nothing else to do needs no longer than
EVERYWHERE = "0.0.0.0"  # noqa: S104 - only where a class is asked for
ELSEWHERE = "192.0.2.1", 9  # an address of nobody's, to which nothing is sent: it asks which of ours would be used
ROUTES = Path("/proc/net/fib_trie")
LOCAL = re.compile(r"\|-- (\S+)\n\s+/32 host LOCAL")
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - only to print an address one can open


def serve(options: argparse.Namespace) -> None:
    """Serve until a signal ends it; what the command line doesn't give comes from the environment or the defaults."""
    settings = read_settings(options)
    tell_on_the_terminal()
    allow_files(settings.connections + settings.streams + SPARE_FILES)
    Announced(config(settings), options.browser, options.classroom).run()


def allow_files(wanted: int) -> None:
    """Raise the limit of open files, of which every connection is one, as far as the system allows."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def tell_on_the_terminal() -> None:
    """Log to standard error, as uvicorn does."""
    logger, handler = logging.getLogger("gradwalk"), logging.StreamHandler()
    handler.setFormatter(logging.Formatter("gradwalk: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def read_settings(options: argparse.Namespace) -> Settings:
    """The settings; exits with a sentence about what is wrong with them."""
    names = "host", "port", "names", "lessons", "mnist", "class_folder", "reload"
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    if options.classroom:
        given = {"host": EVERYWHERE, "allowed_hosts": own_names()} | given
    try:
        settings = Settings(**given)
    except ValidationError as error:
        sys.exit("\n".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()))
    if settings.log is not None:
        check_log(settings.log)
    if settings.names is not None:
        check_names(settings.names)
    if settings.lessons is not None:
        tell_of_lessons(settings.lessons)
    if settings.mnist is not None:
        check_mnist(settings.mnist)
    return settings


def check_log(address: str) -> None:
    """Exit with what is wrong with a Redis."""
    try:
        from app.events.redis_journal import UnsafeLogError, check  # only here: the library is an extra of its own
    except ModuleNotFoundError:
        sys.exit("A log in Redis needs its library: pip install 'gradwalk[redis]'")
    try:
        asyncio.run(check(address))
    except UnsafeLogError as unsafe:
        sys.exit(str(unsafe))


def own_names() -> tuple[str, ...]:
    """By what other machines on the network may call this one, the likeliest first.

    A laptop with a hot spot of its own has no way out of it, and its name leads to itself: Linux lists its addresses.
    """
    name = socket.gethostname().lower()
    found: dict[str, None] = {}
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(ELSEWHERE)
        found[asking.getsockname()[0]] = None
    found |= dict.fromkeys(LOCAL.findall(ROUTES.read_text() if ROUTES.exists() else ""))
    with contextlib.suppress(OSError):
        found |= dict.fromkeys(socket.gethostbyname_ex(name)[2])
    reached = [address for address in found if not ip_address(address).is_loopback]
    return (*reached, name, f"{name}.local")


def check_names(path: Path) -> None:
    """Exit with the numbers of the bad lines if the list of words isn't usable."""
    from backend import WordListError, load_words  # only here: it brings torch into this process

    try:
        load_words(path)
    except WordListError as error:
        sys.exit(str(error))


def tell_of_lessons(folder: Path) -> None:
    """Say what is wrong with the chapters of a folder; those that can be read are served."""
    from backend import chapter_faults, serve_chapters  # only here: it brings torch into this process

    serve_chapters(folder)
    for fault in chapter_faults():
        print(f"{folder / fault['file']}:{fault['line']}: {fault['message']} {fault['hint']}", file=sys.stderr)


def check_mnist(folder: Path) -> None:
    """Exit with what is wrong with the files of MNIST."""
    from backend import IdxError, serve_mnist  # only here: it brings torch into this process

    try:
        serve_mnist(folder)
    except IdxError as error:
        sys.exit(str(error))


def config(settings: Settings) -> uvicorn.Config:
    """How uvicorn serves: quietly, without websockets, and with limits on slow clients."""
    return uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        http=patient(settings),
        loop="asyncio",  # uvloop was measured and gained nothing here
        ws="none",
        log_level="error",  # what strangers send in place of HTTP is not worth a line each
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=math.ceil(settings.deadline) + GRACE_SECONDS,
    )


class Announced(uvicorn.Server):
    """A server that says where it is once it listens, and shows itself where there is a display."""

    def __init__(self, config: uvicorn.Config, browser: bool, classroom: bool) -> None:
        super().__init__(config)
        self.classroom = classroom
        assert isinstance(config.app, FastAPI)
        self.application = config.app
        self.browser = browser and has_display()

    async def shutdown(self, sockets: Any = None) -> None:
        """Refuse waiting jobs, let those under way finish, and end the streams of events."""
        pool: Pool | None = getattr(self.application.state, "pool", None)
        if pool is not None:
            pool.close()
            self.application.state.ours.pool.close()
            self.application.state.runs.close()
            self.application.state.rooms.close()
        await super().shutdown(sockets)

    async def startup(self, sockets: Any = None) -> None:
        """Listen, then say where."""
        await super().startup(sockets)
        if self.should_exit:
            return
        port = self.servers[0].sockets[0].getsockname()[1]
        address = f"http://{ANY_ADDRESS.get(self.config.host, self.config.host)}:{port}"
        print(f"gradwalk is at {address}  (Ctrl-C stops it)", flush=True)
        if self.classroom:
            origin = self.application.state.join_origin = f"http://{own_names()[0]}:{port}"
            print(f"Students join at {origin}/c", flush=True)
        if self.browser:
            await asyncio.to_thread(webbrowser.open, address + "/class" if self.classroom else address)


def has_display() -> bool:
    """Whether a browser window could appear."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
