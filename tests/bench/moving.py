"""How smoothly the opening, the zoom between distances, the wobble and the way downhill move, in real Chromium."""

from collections.abc import Callable
from statistics import median

from playwright.sync_api import Browser, Page

from tests.bench.frames import FRAMES
from tests.bench.page import VIEWPORT, WALKED, opened
from tests.bench.reach import told
from tests.tools.server import Server

STEADY, SLOWEST = 60, 33.4  # frames a second; milliseconds: two frames of a screen of 60
SETTLED = "#walk[aria-busy=false]"

Begin = Callable[[Page], None]
# What moves: where, what has to be there first, what begins it, and for how many seconds it is looked at.
MOTIONS: dict[str, tuple[str, str, Begin, float]] = {
    "the opening": ("/opening", "#play", lambda _: None, 20),
    "the zoom": (f"{WALKED}?step=4&graph=boxes", SETTLED, lambda page: page.keyboard.press("z"), 1),
    "the wobble": (f"{WALKED}?step=4", SETTLED, lambda page: page.keyboard.down("h"), 4),
    "the way downhill": (f"{WALKED}?step=51", SETTLED, lambda page: page.keyboard.press("Space"), 8),
}


def report(server: Server) -> None:
    """Print the median rate of each motion, and its slowest frame."""
    with opened() as browser:
        for what, (path, ready, begin, seconds) in MOTIONS.items():
            gaps = gaps_while(browser, server.url + path, ready, begin, seconds)
            told(f"frames a second in {what}", round(1000 / median(gaps)), STEADY, at_least=True)
            told(f"slowest frame in {what}", max(gaps), SLOWEST, "ms", digits=1)


def gaps_while(browser: Browser, url: str, ready: str, begin: Begin, seconds: float) -> list[float]:
    """Milliseconds between one frame and the next, from what begins the motion on."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle")
    page.evaluate(f"window.frames_seen = ({FRAMES})({1000 * seconds}); 0")
    begin(page)
    gaps: list[float] = page.evaluate("window.frames_seen")
    context.close()
    return gaps
