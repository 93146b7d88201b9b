"""A page that remembers what went wrong on it, and the walk as a person drives it."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route, expect

from tests.tools.forked import forked
from tests.tools.server import Server

READY = "main[aria-busy=false]"
# The first screen with every line of the graph, where a test is about its nodes.
LINES = "/walk/makemore-mlp?graph=lines"
SECONDS = 60_000
# A step that is being taken again is asked for until it is there: of each answer in between Chromium complains.
AGAIN = re.compile(r"^/api/training/[^/]+/(walk|compare)$")
# A run of training goes on after its page has gone.
RUN = re.compile(r"^/api/training/[\w-]{22}(?=/)")
# Who comes for the first time meets the opening at "/": these tests are of who has seen it, unless they say otherwise.
# An empty tab has no storage.
SEEN = "try { localStorage.setItem('gradwalk:opening', 'seen') } catch {}"
PROBE = "**/healthz?intercepted"
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A patient server: these tests share few cores with browsers, and what a deadline does is held elsewhere."""
    with forked(deadline=8, classes_per_client=100) as started:
        yield started


@dataclass
class Walker:
    """One browser tab on the walk page, with everything it complained of."""

    page: Page
    base: str
    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)

    def open(self, path: str = "/") -> "Walker":
        self.page.goto(self.base + path)
        self.page.wait_for_selector(READY, timeout=SECONDS)
        return self

    def press(self, *keys: str) -> "Walker":
        for key in keys:
            self.page.keyboard.press(key)
        return self.there()

    def there(self) -> "Walker":
        """Once what the step shows has come."""
        self.page.wait_for_selector("main.fetching", state="detached", timeout=SECONDS)
        return self

    def step_to(self, number: int) -> "Walker":
        """By keyboard alone: Home, then one step at a time."""
        return self.press("Home", *["ArrowRight"] * (number - 1))

    def texts(self, selector: str) -> list[str]:
        return [text for text in self.page.locator(selector).all_text_contents() if text]

    def text(self, selector: str) -> str:
        return (self.page.locator(selector).first.text_content() or "").strip()

    def ask(self, script: str) -> Any:
        return self.page.evaluate(script)

    @property
    def title(self) -> str:
        """The name in the heading, without its shape."""
        self.there()
        return str(self.ask("document.querySelector('#step-title').firstChild.textContent"))

    @property
    def node(self) -> str:
        """The node that the graph marks as the current one."""
        self.there()
        return str(self.ask("document.querySelector('.node[aria-current]').dataset.node"))

    @property
    def count(self) -> str:
        return self.there().text("#count")

    def note(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"}:
            self.hosts.add(f"{address.scheme}://{address.netloc}")
        if run := RUN.match(address.path):
            self.runs.add(run[0])


OpenWalker = Callable[..., Walker]


def intercept(page: Page, pattern: str, handler: Callable[..., object]) -> None:
    """`page.route`, from this very moment on.

    Of a page that is open already Chromium says so a little early: one request in a hundred, sent at once, went by.
    """
    page.route(pattern, handler)
    if page.url == "about:blank":
        return
    page.route(PROBE, lambda route: route.fulfill(status=204))
    while page.evaluate(f"fetch('{PROBE.removeprefix('**')}').then((answer) => answer.status)") != 204:
        pass
    page.unroute(PROBE)


def until(page: Page, function: str, argument: Any = None) -> None:
    """Waits until a function of JavaScript is true.

    Playwright's `wait_for_function` may look once and no more: later it evaluates a text, which our policy forbids.
    """
    limit = time.monotonic() + SECONDS / 1000
    while not page.evaluate(function, argument):
        assert time.monotonic() < limit, function


def resting(page: Page, words: str, timeout: int = SECONDS) -> None:
    """Wait until the page Train says so of its run, so many milliseconds at most."""
    expect(page.locator("#stand")).to_contain_text(words, timeout=timeout)


def arrived(page: Page, held: list[Route], which: int = 0) -> Route:
    """A request that is held back, once it is here: of what a page has sent a test hears a moment later."""
    until = time.monotonic() + SECONDS / 1000
    while len(held) <= which and time.monotonic() < until:
        page.evaluate("0")
    return held[which]


@pytest.fixture
def walkers(browser: Browser, server: Server) -> Iterator[OpenWalker]:
    """Opens tabs of their own contexts: `walkers(width=390, color_scheme="dark")`.

    Nothing moves there: of a step's cost three quarters is its motion. `walkers(**MOVING)` is for what moves.
    """
    contexts: list[BrowserContext] = []
    opened: list[Walker] = []

    def make(width: int = 1440, height: int = 900, *, seen: bool = True, **options: Any) -> Walker:
        context = browser.new_context(viewport={"width": width, "height": height}, **{**STILL, **options})
        if seen:
            context.add_init_script(SEEN)
        context.set_default_timeout(SECONDS)
        contexts.append(context)
        walker = Walker(context.new_page(), server.url)
        walker.page.on("console", lambda message: _complain(walker, message))
        walker.page.on("pageerror", lambda error: walker.complaints.append(f"uncaught: {error}"))
        walker.page.on("request", walker.note)
        opened.append(walker)
        return walker

    yield make
    for walker in opened:
        assert walker.complaints == []
        assert walker.hosts <= {server.url, origin(walker.base)}
    for context in contexts:
        context.close()
    for run in (run for walker in opened if walker.base == server.url for run in walker.runs):
        with suppress(OSError):  # a test may have ended its server
            server.ask("DELETE", run)


@pytest.fixture
def walker(walkers: OpenWalker) -> Walker:
    """A tab at the size of a laptop, in which nothing moves."""
    return walkers()


@pytest.fixture
def moving(walkers: OpenWalker) -> Walker:
    """The same where a step moves what it is about."""
    return walkers(**MOVING)


@pytest.fixture(scope="session", autouse=True)
def _patience() -> None:
    expect.set_options(timeout=SECONDS)


def origin(url: str) -> str:
    """Scheme, host and port of an address."""
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


def _complain(walker: Walker, message: ConsoleMessage) -> None:
    address = urlsplit(message.location["url"]).path
    if message.type not in {"error", "warning"} or ("status of 409" in message.text and AGAIN.search(address)):
        return
    walker.complaints.append(f"{message.type}: {message.text} {address}")
