"""How quick the page is under the fingers, in real Chromium with a cold cache."""

import json
import math
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.bench.reach import told
from tests.tools import chromium
from tests.tools.server import Server

VISITS = 7
VIEWPORT: ViewportSize = {"width": 1440, "height": 900}
WALKED = "/walk/makemore-mlp"  # and not "/", where who comes for the first time sees the opening
LOOKED_INTO = f"{WALKED}?step=33&cell=0,0&of=gradient"
LOOKS = 50
# One step for each kind of motion, by its number.
MOTIONS = {"columns become a sum": 25, "rows meet columns": 33, "two paths add": 43, "a row is copied": 37}
# Every key press is paired with the first painted step, and the first painted number, after it.
WATCH = """
    window.waits = [];
    window.looks = [];
    document.addEventListener("gradwalk:lens", () => {
      looks.push(performance.getEntriesByName("gradwalk:lens").at(-1).startTime - (window.pressed ?? 0));
    });
    addEventListener("keydown", (key) => {
      window.pressed = key.timeStamp;
      document.addEventListener("gradwalk:step", () => {
        waits.push(performance.getEntriesByName("gradwalk:painted").at(-1).startTime - key.timeStamp);
      }, { once: true });
    }, true);
"""
# Promises and not wait_for_function, which the page's own security policy forbids.
FIRST_PAINT = """() => new Promise((done) => {
  const look = () => {
    const [first] = performance.getEntriesByName("gradwalk:painted");
    first ? done(first.startTime) : document.addEventListener("gradwalk:step", look, { once: true });
  };
  look();
})"""
NEXT_PAINT = """(count) => new Promise((done) => {
  const look = () => waits.length >= count ? done() : document.addEventListener("gradwalk:step", look, { once: true });
  look();
})"""

# The time between one frame and the next, for as long as something moves.
FRAMES = """() => new Promise((done) => {
  const times = [];
  const count = (now) => {
    times.push(now);
    if (times.length < 3 || document.querySelector(".flights")) requestAnimationFrame(count);
    else done(times.slice(1).map((time, i) => time - times[i]));
  };
  document.addEventListener("gradwalk:motion", () => requestAnimationFrame(count), { once: true });
})"""

NEXT_LENS = """(count) => new Promise((done) => {
  const look = () => looks.length >= count ? done() : document.addEventListener("gradwalk:lens", look, { once: true });
  look();
})"""


def report(server: Server) -> None:
    """Print the time to the first painted step, from a key press to the next, and the longest task while stepping."""
    with opened() as browser:
        visits = [first_paint(browser, server) for _ in range(VISITS)]
        waits = step_through(browser, server)
        longest = longest_task(browser, server)
        looks = look_around(browser, server)
        rates = {kind: frame_rate(browser, server, step) for kind, step in MOTIONS.items()}
    # of a machine on which they were 579, 64 and 58 ms while a walk still sent all that it had
    told("navigation to first painted step, cold cache", median(visits), 600, "ms")
    told(f"key press to painted next step, p95 of {len(waits)}", p95(waits), 32, "ms")
    told("longest task while stepping", longest, 32, "ms")
    told(f"key press to painted number, p95 of {len(looks)}", p95(looks), 100, "ms")
    for kind, (rate, slowest) in rates.items():
        told(f"frames a second while {kind} (slowest {slowest:.0f} ms)", rate, 50, at_least=True)


@contextmanager
def opened() -> Iterator[Browser]:
    """A Chromium."""
    path = chromium.find()
    assert path is not None, chromium.MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def visit(browser: Browser, server: Server, path: str = WALKED) -> Iterator[Page]:
    """A page of a fresh profile that has painted its first step."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(server.url + path, wait_until="commit")
    page.evaluate(FIRST_PAINT)
    yield page
    context.close()


def first_paint(browser: Browser, server: Server) -> float:
    """Milliseconds from navigation to the first painted step."""
    with visit(browser, server) as page:
        return float(page.evaluate(FIRST_PAINT))


def step_through(browser: Browser, server: Server) -> list[float]:
    """Milliseconds from each key press to its painted step, all the way forward and all the way back."""
    with visit(browser, server) as page:
        walk_both_ways(page, server)
        return list(page.evaluate("waits"))


def walk_both_ways(page: Page, server: Server) -> None:
    """Press the right arrow to the end, then the left arrow to the beginning, each after the last was painted."""
    page.wait_for_load_state()
    steps = len(server.post("/api/walk", {"lesson": "makemore-mlp"}).json()["steps"])
    for count, key in enumerate(["ArrowRight"] * (steps - 1) + ["ArrowLeft"] * (steps - 1), start=1):
        page.keyboard.press(key)
        page.evaluate(NEXT_PAINT, count)


def look_around(browser: Browser, server: Server) -> list[float]:
    """Milliseconds from an arrow key in a heatmap to the painted terms of the number that it moves to."""
    with visit(browser, server, LOOKED_INTO) as page:
        page.evaluate(NEXT_LENS, 1)
        page.locator(".plot[data-which=manual]").focus()
        page.evaluate("looks.length = 0")
        for count, key in enumerate(["ArrowRight", "ArrowDown"] * (LOOKS // 2), start=1):
            page.keyboard.press(key)
            page.evaluate(NEXT_LENS, count)
        return list(page.evaluate("looks"))


def frame_rate(browser: Browser, server: Server, step: int) -> tuple[float, float]:
    """Frames a second, and milliseconds of the slowest frame, while a step's motion plays."""
    with visit(browser, server, f"{WALKED}?step={step - 1}") as page:
        page.wait_for_load_state()
        page.evaluate(f"window.frames_seen = ({FRAMES})(); 0")
        page.keyboard.press("ArrowRight")
        gaps = page.evaluate("window.frames_seen")
        return 1000 * len(gaps) / sum(gaps), max(gaps)


def longest_task(browser: Browser, server: Server) -> float:
    """Milliseconds of the longest task of the page's main thread while stepping, from Chromium's own trace."""
    with visit(browser, server) as page, tempfile.TemporaryDirectory() as folder:
        page.wait_for_load_state()
        trace = Path(folder) / "trace.json"
        browser.start_tracing(page=page, path=trace, categories=["toplevel", "disabled-by-default-devtools.timeline"])
        walk_both_ways(page, server)
        browser.stop_tracing()
        return max(tasks(json.loads(trace.read_text())["traceEvents"]), default=0.0)


def tasks(events: list[dict[str, Any]]) -> Iterator[float]:
    """The length in milliseconds of every task that ran on a page's main thread."""
    main = {
        (e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }
    for event in events:
        if (event["pid"], event["tid"]) in main and event["name"].endswith("RunTask") and "dur" in event:
            yield event["dur"] / 1000


def p95(values: list[float]) -> float:
    """The value that 95 of 100 stay under."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]
