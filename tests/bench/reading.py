"""How soon a chapter is there, and how smoothly it scrolls while its figures are drawn, in real Chromium."""

import json
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from tests.bench.page import VIEWPORT, opened, tasks
from tests.tools.server import Server

CHAPTERS = ("first-steps", "broadcasting", "makemore-mlp")
VISITS = 5
NOTCH = 240
FIRST_PAINT = """() => new Promise((done) => {
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntriesByName('first-contentful-paint')) done(startTime);
  }).observe({ type: 'paint', buffered: true });
})"""
FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def report(server: Server) -> None:
    """Print the time to the first paint, and the longest task of one way down the page, for some chapters."""
    with opened() as browser:
        for name in CHAPTERS:
            paints = [first_paint(browser, server, name) for _ in range(VISITS)]
            print(f"chapter {name}, navigation to first paint:".ljust(50) + f"{median(paints):.0f} ms (reach 1,000)")
            longest, drawn = scrolled(browser, server, name)
            print(f"chapter {name}, longest task scrolling:".ljust(50) + f"{longest:.0f} ms (reach 50), {drawn} blocks")


def first_paint(browser: Browser, server: Server, name: str) -> float:
    """Milliseconds from navigation to the first contentful paint, with a cold cache."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.goto(f"{server.url}/learn/{name}", wait_until="commit")
    made = float(page.evaluate(FIRST_PAINT))
    context.close()
    return made


def scrolled(browser: Browser, server: Server, name: str) -> tuple[float, int]:
    """Milliseconds of the longest task while a wheel turns from the top to the end, and how many blocks were drawn."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.goto(f"{server.url}/learn/{name}")
    page.wait_for_selector("main[aria-busy=false]")
    page.wait_for_load_state("networkidle")
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        browser.start_tracing(page=page, path=trace, categories=["toplevel", "disabled-by-default-devtools.timeline"])
        turn_to_the_end(page)
        browser.stop_tracing()
        longest = max(tasks(json.loads(trace.read_text())["traceEvents"]), default=0.0)
    drawn = page.locator(".block.is-drawn").count()
    context.close()
    return longest, drawn


def turn_to_the_end(page: Page) -> None:
    """One notch of the wheel for every few frames, as a hand does."""
    page.mouse.move(700, 450)
    while not page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2"):
        page.mouse.wheel(0, NOTCH)
        for _ in range(6):
            page.evaluate(FRAME)
