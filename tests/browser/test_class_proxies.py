"""A phone behind a real proxy: with the settings that are shipped, and with one that holds streams back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SECONDS, OpenWalker
from tests.support.class_of import Someone, board, opened
from tests.support.engines import PROXIES, proxy
from tests.support.relay import relayed
from tests.tools.server import Server

ADDRESS = "/walk/first-steps?step={}"
# Buffers alone hold back nothing in nginx, which passes on what there is; compression waits for more.
HOLDING = {
    "proxy_buffering off;": "proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;\n"
    "gzip on; gzip_proxied any; gzip_types text/event-stream;"
}
CHOICE = {"kind": "choice", "walk": {"lesson": "first-steps"}, "step": 0}
AWAY, OFFLINE = 30_000, 60_000  # milliseconds
DETECTED, TOLD = 45, 2  # seconds, on a machine with nothing else to do


def at(page: Page, step: int) -> None:
    """A phone at that step."""
    counted = page.frame_locator("#place").locator("#count")
    expect(counted).to_have_text(f"{step} / 5", timeout=SECONDS)


@pytest.mark.parametrize("name", PROXIES)
def test_steps_flow_through_a_proxy(walkers: OpenWalker, server: Server, tmp_path: Path, name: str) -> None:
    teacher, code, _ = opened(server, ADDRESS.format(1))
    with proxy(name, tmp_path, [server.address]) as url:
        student = walkers(390, 780)
        student.base = url
        asked: list[str] = []
        student.page.on("request", lambda request: asked.append(request.url))
        student.page.goto(f"{url}/c/{code}")
        for step in (1, 2, 3):
            assert teacher.tell("show", address=ADDRESS.format(step)).status == 200
            at(student.page, step)
        assert not any("wait=" in request for request in asked), "nobody has to ask"
        student.page.goto("about:blank")
        student.complaints.clear()


@pytest.mark.exhaustive
def test_steps_come_through_a_proxy_that_holds_streams_back(
    walkers: OpenWalker, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Really waited for: two silent streams, and then each step as soon as it is asked for."""
    teacher, code, _ = opened(server, ADDRESS.format(1))
    with proxy("nginx", tmp_path, [server.address], HOLDING) as url:
        student = walkers(390, 780)
        student.base = url
        begun = time.monotonic()
        student.page.goto(f"{url}/c/{code}")
        with student.page.expect_request(lambda one: one.url.endswith("wait=20"), timeout=SECONDS):
            pass
        detected = time.monotonic() - begun
        times: list[float] = []
        for step in (2, 3, 4, 5):
            begun = time.monotonic()
            assert teacher.tell("show", address=ADDRESS.format(step)).status == 200
            at(student.page, step)
            times.append(time.monotonic() - begun)
        with capsys.disabled():
            print(f"noticed after {detected:.0f} s ({DETECTED}), a step after {max(times):.1f} s ({TOLD})")
        student.page.goto("about:blank")
        student.complaints.clear()


def asked(teacher: Someone, page: Page) -> None:
    """A question has come to a phone."""
    assert teacher.tell("ask", ask=CHOICE).status == 200
    expect(page.locator(".choices button").nth(0)).to_be_visible(timeout=SECONDS)


def kept(page: Page, choice: int) -> None:
    """An answer stays on a phone."""
    page.locator(".choices button").nth(choice).click()
    expect(page.locator(".sheet-says")).to_contain_text("Kept on this phone", timeout=SECONDS)


def received_once(teacher: Someone, page: Page, choice: int) -> None:
    """It is with the server, and counts once."""
    expect(page.locator(".sheet-says")).to_contain_text("Received", timeout=SECONDS)
    bars = teacher.tell("count").json()["bars"]
    assert [bar["students"] for bar in bars] == [int(place == choice) for place in range(len(bars))]
    assert board(teacher)["question"]["answered"] == 1


@pytest.mark.exhaustive
def test_half_a_minute_without_any_server(walkers: OpenWalker, server: Server, tmp_path: Path) -> None:
    """All streams are cut, and the proxy answers 503; then everything by itself."""
    teacher, code, _ = opened(server, ADDRESS.format(1))
    with relayed(server.address) as relay, proxy("haproxy", tmp_path, [relay.address]) as url:
        student = walkers(390, 780)
        student.base, page = url, student.page
        page.goto(f"{url}/c/{code}")
        at(page, 1)
        asked(teacher, page)
        statuses: list[int] = []
        page.on("response", lambda response: statuses.append(response.status))
        relay.cut()
        kept(page, 1)
        assert teacher.tell("show", address=ADDRESS.format(3)).status == 200
        page.wait_for_timeout(AWAY)
        assert 503 in statuses
        relay.mend()
        received_once(teacher, page, 1)
        at(page, 3)
        page.goto("about:blank")
        student.complaints.clear()


@pytest.mark.exhaustive
def test_a_minute_offline(walkers: OpenWalker, server: Server) -> None:
    """In which somebody answers, and thinks again."""
    teacher, code, _ = opened(server, ADDRESS.format(1))
    student = walkers(390, 780)
    page = student.page
    page.goto(f"{student.base}/c/{code}")
    at(page, 1)
    asked(teacher, page)
    page.context.set_offline(True)
    for choice in (1, 0):
        kept(page, choice)
        page.wait_for_timeout(OFFLINE / 2)
    page.context.set_offline(False)
    received_once(teacher, page, 0)
    student.complaints.clear()
