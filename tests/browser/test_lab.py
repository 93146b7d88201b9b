"""The lab as a learner meets it: predict by keyboard, then both programs in step."""

import re

import pytest
from playwright.sync_api import expect

from backend.program.lessons import ROOM
from tests.browser.conftest import SECONDS, OpenWalker, Walker
from tests.support.looking import findings

EXHIBIT = "/lab/mse-column-minus-row"


def test_predict_by_keyboard_then_both_in_step(walker: Walker) -> None:
    page = walker.open(EXHIBIT).page
    expect(page.locator("#revealed")).to_be_hidden()
    expect(page.locator(".two-walks")).to_have_count(0)
    expect(page.locator(".choice")).to_have_count(8)
    walker.press("5")  # wherever the focus is: nothing else is asked on this page
    expect(page.locator('.choice[data-answer="zero"]')).to_have_attribute("data-state", "not")
    expect(page.locator(".answer-says")).to_have_text(re.compile("^Then every cell would be multiplied by zero"))
    expect(page.locator("#revealed")).to_be_hidden()
    walker.press("4")
    expect(page.locator("#revealed")).to_be_visible()
    expect(page.locator('.choice[data-state="right"]')).to_be_focused()
    expect(page.locator(".found li").first).to_contain_text("cosine 0.50) and is 0.437 times as long")
    expect(page.locator(".run-ends li").first).to_contain_text("to 2.139")
    expect(page.locator(".threads li").first).to_have_text("pytorch/pytorch#16045 (2019)")
    expect(page.locator(".both-row[aria-current=step]")).to_contain_text("diff = pred", timeout=SECONDS)
    walker.press("End")
    expect(page.locator("#count")).to_have_text("9 / 9")
    assert "shown=1" in page.url


def test_a_link_opens_an_exhibit_with_its_answer(walker: Walker) -> None:
    page = walker.open(f"{EXHIBIT}?shown=1").page
    expect(page.locator(".both-row[aria-current=step]")).to_be_visible(timeout=SECONDS)
    expect(page.locator('.choice[data-state="right"]')).to_have_text("✓another direction, right")


def test_the_room_is_found_through_by_words_and_ordered_by_chapter(walker: Walker) -> None:
    page = walker.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{walker.base}/lab")
    expect(page.locator("#found")).to_have_text("92 exhibits")
    assert not [url for url in asked if "/api/" in url], "nothing is walked until it is opened"
    page.locator("#find").press_sequentially("softmax axis")
    expect(page.locator(".exhibits li:visible").first).to_contain_text("Softmax over an axis of length one")
    expect(page.locator(".room-groups li:visible")).to_have_count(page.locator(".room-group:visible").count())
    assert "q=softmax" in page.url
    page.locator("#find").press("Escape")
    expect(page.locator(".exhibits li:visible")).to_have_count(92)
    page.get_by_role("link", name="by chapter").click()
    expect(page.locator(".room-group h2").first).to_have_text("Broadcasting copies, so its gradient sums")
    expect(page.locator(".exhibits li")).to_have_count(92)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [one.name for one in ROOM.exhibits.values() if one.kind != "contrast"])
def test_every_exhibit_is_predicted_revealed_and_walked_by_keyboard(walker: Walker, name: str) -> None:
    page = walker.open(f"/lab/{name}").page
    expect(page.locator("#revealed")).to_be_hidden()
    choices = page.locator(".choice")
    choices.first.focus()
    tried = 0
    while page.locator("#revealed").is_hidden():
        walker.press(str(tried + 1))
        expect(choices.nth(tried)).to_have_attribute("data-state", re.compile("not|right"))
        tried += 1
    expect(page.locator('.choice[data-state="right"]')).to_have_count(1)
    expect(page.locator(".both-row[aria-current=step]")).to_be_visible(timeout=SECONDS)
    walker.press("End")
    last = (page.locator("#count").text_content() or "").partition(" / ")[2]
    expect(page.locator("#count")).to_have_text(f"{last} / {last}")
    assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0


def test_an_exhibit_that_is_not_there_is_a_page(walker: Walker) -> None:
    page = walker.page
    page.goto(f"{walker.base}/lab/nothing")
    expect(page.locator("h1")).to_have_text("There is no exhibit “nothing”.")
    walker.complaints.clear()  # the browser tells of the status


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (390, 844),
        *(pytest.param(*size, marks=pytest.mark.exhaustive) for size in ((1280, 720), (1440, 900), (768, 1024))),
    ],
)
def test_room_and_exhibit_fit_and_axe_finds_nothing(walkers: OpenWalker, width: int, height: int) -> None:
    walker = walkers(width=width, height=height, color_scheme="dark" if width < 800 else "light")
    page = walker.page
    page.goto(f"{walker.base}/lab")
    expect(page.locator(".exhibits li")).not_to_have_count(0)
    assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    assert findings(walker) == []
    walker.open(f"{EXHIBIT}?shown=1")
    expect(page.locator(".half canvas.heat").first).to_be_visible(timeout=SECONDS)
    assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    assert findings(walker) == []
