"""What is seen while a page is still on its way: its first half alone, once painted, stays where it is."""

import http.server
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import SECONDS, until
from tests.tools.server import Server

SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value, sources }) =>
    [value, sources.map(({ node }) => node).filter((node) => node?.closest?.(".top")).map((node) => node.className)])))
    .observe({ type: "layout-shift", buffered: true });
"""
PAINTED = "() => performance.getEntriesByType('paint').length > 0"


@contextmanager
def in_two_parts(url: str, path: str, cut: bytes) -> Iterator[tuple[str, threading.Event]]:
    """The address of a relay that sends what is at `path` up to `cut`, and the rest once the event is set."""
    rest = threading.Event()

    class Relay(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.relay(None)

        def do_POST(self) -> None:
            self.relay(self.rfile.read(int(self.headers["content-length"])))

        def relay(self, body: bytes | None) -> None:
            headers = {"content-type": "application/json"} if body else {}
            with urllib.request.urlopen(urllib.request.Request(url + self.path, body, headers)) as answer:
                whole = answer.read()
                self.send_response(HTTPStatus.OK)
                for name in ("content-type", "content-security-policy"):
                    self.send_header(name, answer.headers.get(name, ""))
            self.send_header("content-length", str(len(whole)))
            self.end_headers()
            first, _, _ = whole.partition(cut) if self.path == path else (whole, b"", b"")
            self.wfile.write(first)
            if first != whole and rest.wait(SECONDS / 1000):
                self.wfile.write(whole[len(first) :])

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay) as relay:
        threading.Thread(target=relay.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{relay.server_port}", rest
        rest.set()
        relay.shutdown()


@pytest.mark.parametrize("path", ["/walk/makemore-mlp", "/code"])
def test_the_first_half_of_a_header_stays_where_it_is_as_the_rest_comes(
    browser: Browser, server: Server, path: str
) -> None:
    with in_two_parts(server.url, path, cut=b'id="predict"') as (url, rest):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(SHIFTS)
        page.goto(url + path, wait_until="commit")
        until(page, PAINTED)
        assert page.locator("#theme").count() == 0, "the rest has come already"
        rest.set()
        page.wait_for_load_state()
        until(page, "() => document.querySelector('#theme').checkVisibility({ visibilityProperty: true })")
        assert [[value, moved] for value, moved in page.evaluate("window.shifts") if moved] == []
        page.close()
