"""How soon a chapter is there, how smoothly it scrolls, how closely it follows a drag, in real Chromium."""

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Locator, Page

from backend.program.lessons import SHELF
from tests.bench.page import VIEWPORT, opened, tasks
from tests.bench.reach import told
from tests.tools.server import Server

CHAPTERS = ("first-steps", "broadcasting", "makemore-mlp")
VISITS = 5
NOTCH = 240
FIRST_PAINT = """() => new Promise((done) => {
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntriesByName('first-contentful-paint')) done(startTime);
  }).observe({ type: 'paint', buffered: true });
})"""
SECONDS = 2.0
COUNT = "() => { window.paints = 0; document.addEventListener('gradwalk:moved', () => (paints += 1)); }"
FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def report(server: Server) -> None:
    """Print the time to the first paint, and the longest task of one way down the page, for some chapters."""
    with opened() as browser:
        for name in CHAPTERS:
            paints = [first_paint(browser, server, name) for _ in range(VISITS)]
            told(f"chapter {name}, navigation to first paint", median(paints), 1000, "ms")
            longest, drawn = scrolled(browser, server, name)
            told(f"chapter {name}, longest task scrolling ({drawn} blocks)", longest, 50, "ms")
        for name in SHELF.chapters:
            for number, rate in dragged(browser, server, name):
                told(f"chapter {name}, updates a second dragging {number}", rate, 30, at_least=True)


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


def dragged(browser: Browser, server: Server, name: str) -> Iterator[tuple[str, float]]:
    """Each number of a chapter that can be dragged, and paints a second while the pointer never rests."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.goto(f"{server.url}/learn/{name}")
    page.wait_for_selector("main[aria-busy=false]")
    turn_to_the_end(page)
    page.evaluate(COUNT)
    for block in page.locator(".block[data-kind=drag]").all():
        block.scroll_into_view_if_needed()
        grip = block.locator(".move-grip[aria-valuemax]")
        grip.wait_for()
        yield block.get_attribute("data-argument") or "", rate(page, grip)
        page.keyboard.press("Escape")
    context.close()


def rate(page: Page, grip: Locator) -> float:
    """Paints a second of one drag, to and fro over the curve."""
    page.wait_for_load_state("networkidle")
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    places = [box["x"] + box["width"] * (0.3 + 0.4 * (i * 7 % 20) / 20) for i in range(20)]
    page.mouse.move(places[0], middle)
    page.mouse.down()
    before, started, count = page.evaluate("paints"), time.perf_counter(), 0
    while time.perf_counter() < started + SECONDS:
        page.mouse.move(places[count % len(places)], middle)
        count += 1
    found = float(page.evaluate("paints") - before) / (time.perf_counter() - started)
    page.mouse.up()
    return found
