"""The real server, started once for all tests that speak HTTP to it, and the real browser they drive."""

import asyncio
import gc
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import backend
from tests.support.programs import REQUESTS
from tests.tools import chromium
from tests.tools.forked import borrow, forked, lend
from tests.tools.server import Server

BROWSER = Path(__file__).parent / "browser"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--all` for `make test-all`."""
    parser.addoption("--all", action="store_true", help="the exhaustive part too: more cells, spellings and programs")


def pytest_configure(config: pytest.Config) -> None:
    """Next to nothing that is imported and collected is garbage: looking for it can wait."""
    gc.disable()
    if lent := getattr(config, "workerinput", {}).get("lent"):
        borrow(lent)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """All workers fork their servers from one process: loading everything takes eight seconds."""
    node.workerinput["lent"] = lend()


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Don't make the tests that are left out below: they are as many as those that stay."""
    if metafunc.config.getoption("--all"):
        return
    metafunc.definition.own_markers[:] = map(_daily, metafunc.definition.own_markers)


def _daily(mark: pytest.Mark) -> pytest.Mark:
    """A mark of parameters with those of every day alone, if there are such."""
    if mark.name != "parametrize" or isinstance(mark.kwargs.get("ids"), list):
        return mark
    names, values = mark.args[0], list(mark.args[1])
    daily = [one for one in values if "exhaustive" not in (each.name for each in getattr(one, "marks", ()))]
    return pytest.mark.parametrize(names, daily or values, **mark.kwargs).mark


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `exhaustive`, unless all was asked for."""
    items.sort(key=_program)  # side by side in one worker, so that it is run once for all of them
    if not config.getoption("--all"):
        sorted_out: dict[bool, list[pytest.Item]] = {True: [], False: []}
        for item in items:
            sorted_out[item.get_closest_marker("exhaustive") is not None].append(item)
        items[:] = sorted_out[False]
        config.hook.pytest_deselected(items=sorted_out[True])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Let a test run a loop of its own: Playwright's counts as running between the tests of the browser, too."""
    loop = asyncio._get_running_loop()
    if loop is None or BROWSER in item.path.parents:
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


def _program(item: pytest.Item) -> str:
    """The kept program a test is about; tests of none come after those of all."""
    parameters = (
        item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    )
    names = (value.stem if isinstance(value, Path) else value for value in parameters)
    return next((name for name in names if isinstance(name, str) and name in REQUESTS), "~")


def pytest_collection_finish() -> None:
    """From here on there is garbage; torch and the tests themselves, which stay, need not be gone through for it.

    Programs that were run for several tests stay as well: with Python's own thresholds, looking through them time and
    again took a sixth of the processor time.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: what drives the browser or a server waits for it half of its time."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether to try everything, or what a few minutes allow."""
    return bool(request.config.getoption("--all"))


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """Tests run side by side, and their tensors are small."""
    torch.set_num_threads(1)


@pytest.fixture(scope="module", autouse=True)
def _all_loggers_are_heard_at_the_root() -> None:
    """Before and after each test pytest listens to every logger that passes nothing on: torch has fifty, some of them
    once it has been asked for something."""
    for logger in list(logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.propagate = True


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder for chapters and exhibits; afterwards our own alone are served again."""
    yield tmp_path
    backend.serve_chapters()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A warm server with the default settings."""
    with forked() as started:
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
