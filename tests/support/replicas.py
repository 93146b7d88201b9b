"""Several servers with one log behind a proxy, as `compose.yaml` starts them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any

from tests.support.class_of import Someone
from tests.support.engines import Redis, proxy, redis
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Server


@dataclass(frozen=True)
class Replicas:
    """Two servers, the log that they share, and what both look like behind a proxy."""

    servers: tuple[Server, Server]
    log: Redis
    proxied: Server


@contextmanager
def replicas(folder: Path, before: str = "haproxy") -> Iterator[Replicas]:
    """Two servers, once the proxy before them has found one of them."""
    with redis(folder / "redis") as log:
        settings: dict[str, Any] = {"workers": 1, "log": log.address, "trusted_proxies": "127.0.0.0/8"}
        with (
            forked(**settings) as one,
            forked(**settings) as other,
            proxy(before, folder, [one.address, other.address]) as url,
        ):
            proxied = Server(url, one.process, one.log)
            assert eventually(lambda: ready(proxied))
            yield Replicas((one, other), log, proxied)


def ready(server: Server) -> bool:
    """Whether somebody answers behind an address."""
    try:
        return server.get("/readyz").status == 200
    except OSError:
        return False


def known(teacher: Someone, servers: Sequence[Server]) -> bool:
    """Whether every server has heard of a class; each waits until it has, so that its code is known there from then."""
    return all(replace(teacher, server=server).ask("GET", "/qr.svg").status == 200 for server in servers)


def is_kept(student: Someone, value: object, revision: int = 0) -> bool:
    """Whether an answer to the first question was kept by whoever is there."""
    try:
        return student.answer(1, value, revision).status in (200, 201)
    except (OSError, HTTPException, json.JSONDecodeError):
        return False
