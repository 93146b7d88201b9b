"""How smoothly the training page moves while events stream in, for one run and for two, in real Chromium."""

from statistics import median

from playwright.sync_api import Browser, expect

from tests.bench.page import VIEWPORT, opened, p95
from tests.bench.reach import told
from tests.support.heard_events import HEARD
from tests.tools.server import Server

PAGES = {"one streamed run": "/train/makemore-mlp", "two streamed runs": "/train/makemore-mlp?beside=adam@0.001"}
REACH, SECONDS, PATIENCE = 50, 6, 60_000
# The time between one frame and the next, and how many events came meanwhile.
FRAMES = """(milliseconds) => new Promise((done) => {
  const times = [];
  const count = (now) => {
    times.push(now);
    if (now - times[0] < milliseconds) requestAnimationFrame(count);
    else done(times.slice(1).map((time, i) => time - times[i]));
  };
  requestAnimationFrame(count);
})"""
COUNT = "window.events = 0; window.heardEvent = () => (window.events += 1);"


def report(server: Server) -> None:
    """Print the median and the slowest frames while the page follows each."""
    with opened() as browser:
        for what, path in PAGES.items():
            gaps, events = followed(browser, server, path)
            rate = 1000 / median(gaps)
            beside = f"p95 {p95(gaps):.0f} ms, {events:.0f} events a second"
            told(f"frames a second beside {what} ({beside})", rate, REACH, at_least=True)


def followed(browser: Browser, server: Server, path: str) -> tuple[list[float], float]:
    """Milliseconds of each frame, and events a second, while the page draws what is trained."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.add_init_script(HEARD + COUNT)
    page.goto(server.url + path)
    page.keyboard.press(" ")
    expect(page.locator("#instruments")).to_be_visible(timeout=PATIENCE)
    before = page.evaluate("events")
    gaps: list[float] = page.evaluate(FRAMES, 1000 * SECONDS)
    events = (page.evaluate("events") - before) / SECONDS
    page.get_by_role("button", name="New run").click()
    context.close()
    return gaps, events
