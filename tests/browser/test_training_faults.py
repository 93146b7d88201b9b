"""What goes wrong while a network is trained: the connection, the run's process, its loss, and the server itself."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SECONDS, Walker
from tests.support.engines import redis
from tests.support.heard_events import HEARD
from tests.support.relay import Relay, relayed
from tests.tools.forked import forked
from tests.tools.server import Server

SMALL = "steps=1000000&hidden=8&batch=4&schedule=constant"
# The numbers of the events as they reach the page, by the run that tells them.
NUMBERS = """
  window.heard = {};
  window.heardEvent = (path, number) => (window.heard[path] ??= []).push(number);
"""


@pytest.fixture(scope="module")
def line() -> Iterator[tuple[Server, Relay]]:
    """A server of this module's own, which is to be stopped, and the line to it, which is to be cut."""
    with forked(workers=1) as started, relayed(started.address) as relay:
        yield started, relay


@pytest.fixture(scope="module")
def server(line: tuple[Server, Relay]) -> Server:
    """That server as the page reaches it."""
    return replace(line[0], url=line[1].url)


def step(page: Page) -> int:
    found = re.search(r"step ([\d,]+)", str(page.locator("#stand").text_content()))
    return int(found[1].replace(",", "")) if found else 0


def goes_on(page: Page) -> None:
    """Steps are taken, and each event has come once."""
    before = step(page)
    expect(page.locator("#stand")).not_to_contain_text(f"step {before:,} ", timeout=SECONDS)
    expect(page.locator("#stand")).to_contain_text("a second")
    assert step(page) > before
    (numbers,) = page.evaluate("Object.values(window.heard)")
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_run_outlives_its_connection_and_its_process_but_not_its_server(
    walker: Walker, line: tuple[Server, Relay]
) -> None:
    page, (server, relay) = walker.page, line
    page.add_init_script(HEARD + NUMBERS)
    page.goto(f"{walker.base}/train/makemore-mlp?{SMALL}")
    before = set(server.worker_pids())
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#stand")).to_contain_text("a second", timeout=SECONDS)
    (process,) = set(server.worker_pids()) - before

    lost = page.locator("#connection")
    relay.cut()
    expect(lost).to_be_visible(timeout=SECONDS)
    relay.mend()
    expect(lost).to_be_hidden(timeout=SECONDS)
    goes_on(page)

    # a state is kept once a second, and of a run that pauses
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#stand")).to_contain_text("paused")
    kept = step(page)
    page.get_by_role("button", name="Resume").click()
    goes_on(page)

    os.kill(process, signal.SIGKILL)
    expect(page.locator("#alert")).to_contain_text("The process that trains this ended unexpectedly.", timeout=SECONDS)
    expect(page.locator("#stand")).to_contain_text("its process has ended")
    page.get_by_role("button", name="Start again from its last state").click()
    expect(page.locator("#alert")).to_be_hidden(timeout=SECONDS)
    goes_on(page)
    assert step(page) > kept  # from its last state, and not from the beginning

    server.process.terminate()
    expect(lost).to_be_visible(timeout=SECONDS)
    server.process.wait()
    with forked(workers=1) as another:
        relay.target = another.address
        expect(page.locator("#problem h1")).to_have_text("There is no such run.", timeout=SECONDS)
        expect(lost).to_be_hidden()
        expect(page.locator("[name=hidden]")).to_have_value("8")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator("#stand")).to_contain_text("a second", timeout=SECONDS)
        expect(page.locator("#problem")).to_be_hidden()
        walk_what_is_not_a_number(walker)
    walker.complaints = [one for one in walker.complaints if "Failed to load resource" not in one]


def walk_what_is_not_a_number(walker: Walker) -> None:
    """A loss that is NaN is marked at its step, and the walk of that step shows it."""
    page = walker.page
    page.get_by_role("button", name="New run").click()
    page.locator("[name=lr]").fill("1e30")
    page.locator("[name=lr]").press("Enter")
    alert = page.locator("#alert")
    expect(alert).to_contain_text(re.compile(r"The loss is (NaN|Infinity) at step \d+\."), timeout=SECONDS)
    told = str(alert.text_content())
    page.get_by_role("button", name="Walk this step").click()
    back = page.get_by_role("link", name="Back to the run")
    expect(back).to_be_visible(timeout=SECONDS)
    page.wait_for_selector("#walk[aria-busy=false]", timeout=SECONDS)
    expect(page.locator("#story")).to_contain_text(re.compile("NaN|∞|not finite"))
    back.click()
    expect(alert).to_have_text(told, timeout=SECONDS)


def test_a_run_whose_server_is_killed_goes_on_in_the_page_at_another_one(browser: Browser, tmp_path: Path) -> None:
    """Each event comes once, in its order, though another server tells it."""
    with redis(tmp_path) as log, ExitStack() as servers:
        one, other = (servers.enter_context(forked(workers=1, log=log.address)) for _ in range(2))
        relay = servers.enter_context(relayed(one.address))
        page = servers.enter_context(closing(browser.new_context())).new_page()
        page.add_init_script(HEARD + NUMBERS)
        page.goto(f"{relay.url}/train/makemore-mlp?{SMALL}")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator("#stand")).to_contain_text("a second", timeout=SECONDS)
        relay.target = other.address
        one.process.send_signal(signal.SIGKILL)
        expect(page.locator("#connection")).to_be_visible(timeout=SECONDS)
        expect(page.locator("#connection")).to_be_hidden(timeout=SECONDS)
        goes_on(page)
