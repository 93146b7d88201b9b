"""How close numbers follow the pointer that drags one of them, in real Chromium."""

import time
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from tests.bench.page import opened, p95, visit
from tests.bench.reach import told
from tests.tools.server import Server

# A parameter's cell, a cell of an intermediate tensor, and a number on its own.
DRAGGED = {
    "makemore, W2[3, 5]": ("/walk/makemore-mlp?step=33&cell=3,5&of=gradient", 60),
    "makemore, h[3, 5]": ("/walk/makemore-mlp?step=33&cell=3,5&of=value&tensor=h", 60),
    "3x + 1, x": ("/walk/first-steps?step=2&cell=&of=value&tensor=x", 30),
}
MOVES, SECONDS = 60, 2.0
# From the pointer's own time to the frame in which the numbers were painted.
WATCH = """() => {
  window.follows = [];
  for (const name of ["pointerrawupdate", "pointermove"])
    addEventListener(name, (event) => (window.moved = event.timeStamp), true);
  document.addEventListener("gradwalk:moved", () => {
    follows.push(performance.getEntriesByName("gradwalk:moved").at(-1).startTime - window.moved);
  });
}"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
NEXT = """(count) => new Promise((done) => {
  const look = () => {
    if (follows.length >= count) done();
    else document.addEventListener("gradwalk:moved", look, { once: true });
  };
  look();
})"""


@dataclass
class Drag:
    """Milliseconds from each move to its painted numbers, one at a time; and paints a second while it never rests."""

    waits: list[float]
    rate: float


def report(server: Server) -> None:
    """Print both for each number that is dragged."""
    with opened() as browser:
        for what, (path, reach) in DRAGGED.items():
            drag = dragged(browser, server, path)
            told(f"{what}: move to painted numbers, p95", p95(drag.waits), reach, "ms")
            told(f"{what}: updates a second in one drag", drag.rate, 30, at_least=True)


def dragged(browser: Browser, server: Server, path: str) -> Drag:
    """Drag the number that the address opens, to and fro over its curve."""
    with visit(browser, server, path) as page:
        page.keyboard.press("m")
        grip = page.locator("#hand .move-grip[aria-valuemax]")
        grip.wait_for()
        grip.scroll_into_view_if_needed()
        box = grip.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        middle = box["y"] + box["height"] / 2
        places = [box["x"] + box["width"] * (0.2 + 0.6 * (i * 7 % 20) / 20) for i in range(MOVES + 1)]
        page.mouse.move(places[0], middle)
        page.locator(".move-words", has_text="; the gradient promised").wait_for()
        page.evaluate(PAINTED)
        page.evaluate(WATCH)
        for count, x in enumerate(places[1:], start=1):
            page.mouse.move(x, middle)
            page.evaluate(NEXT, count)
        waits = list(page.evaluate("follows"))
        rate = _rate(page, places, middle)
        page.mouse.up()
        return Drag(waits, rate)


def _rate(page: Page, places: list[float], middle: float) -> float:
    """Paints a second while the pointer moves on without waiting for any."""
    page.evaluate("follows.length = 0")
    started = time.perf_counter()
    count = 0
    while time.perf_counter() < started + SECONDS:
        page.mouse.move(places[count % len(places)], middle)
        count += 1
    return float(page.evaluate("follows.length")) / (time.perf_counter() - started)
