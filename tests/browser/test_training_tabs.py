"""A run that several tabs of one browser show: over one stream, and all of it in each."""

from playwright.sync_api import Page

from tests.browser.conftest import Walker, resting
from tests.support.held_streams import streaming
from tests.support.waiting import eventually


def test_all_tabs_that_show_a_run_follow_it_over_one_stream(walker: Walker) -> None:
    """Each shows what was told before it came, and another one takes the stream when the one that had it goes."""
    page = walker.page
    context, held = page.context, {page: streaming(page)}
    page.goto(walker.base + "/train/first-steps")
    page.keyboard.press("s")
    resting(page, "step 1 of")
    page.keyboard.press("Shift+S")
    resting(page, "step 11 of")
    for _ in range(2):
        tab = context.new_page()
        held[tab] = streaming(tab)
        tab.goto(page.url)
    tabs = list(held)
    for tab in tabs:
        resting(tab, "step 11 of")
    assert eventually(lambda: page.evaluate("1") == sum(map(len, held.values()))), "one holds it for all"
    tabs[1].keyboard.press("s")
    for tab in tabs:
        resting(tab, "step 12 of")
    leading = next(tab for tab in tabs if held[tab])
    left = [tab for tab in tabs if tab is not leading]
    leading.close()
    left[0].keyboard.press("s")
    for tab in left:
        resting(tab, "step 13 of")
    assert eventually(lambda: left[0].evaluate("1") == sum(len(held[tab]) for tab in left))
    assert eventually(lambda: len({curve(tab) for tab in left}) == 1), "the whole of it in each"


def curve(tab: Page) -> str:
    """The picture of its losses."""
    return str(tab.locator("#curve").evaluate("(canvas) => canvas.toDataURL()"))
