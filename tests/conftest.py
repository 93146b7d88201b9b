"""The real server, started once for all tests that speak HTTP to it, and the real browser they drive."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.tools import chromium
from tests.tools.server import Server, running


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A warm server with the default settings."""
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def base_url(server: Server) -> str:
    """Where `page.goto("/…")` goes."""
    return server.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the Chromium that `make test` found."""
    path = chromium.find()
    if path is None:
        pytest.fail(chromium.MISSING, pytrace=False)
    return {**browser_type_launch_args, "executable_path": path, "args": chromium.ARGUMENTS}


@pytest.fixture(scope="session", autouse=True)
def _only_our_settings() -> None:
    """Settings from the developer's own environment must not reach the servers under test."""
    for name in [name for name in os.environ if name.startswith("GRADWALK_")]:
        del os.environ[name]
