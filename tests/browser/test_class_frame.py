"""What a class is shown, which stands in a frame lower than itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SECONDS, OpenWalker, until
from tests.support.class_of import LESSON, board, joined, opened
from tests.support.looking import SMALLEST
from tests.support.waiting import eventually
from tests.tools.server import Server

START = "/class?at=/walk/makemore-mlp?step=26"
WRITTEN = ["dlogits.sum(0)", "dlogits.sum(1)", "dlogits", "-dlogits.sum(0)", "dlogits.sum(0) / 32", "dlogits.sum(0"]
# One for each further way in which it can be wrong.
FURTHER = [
    "h.T @ dlogits", "dlogits.sum(0, keepdim=True)", "h.sum(0)", "dlogits[0]", "b2", "foo", "dlogits.max(0)",
]  # fmt: skip
NEXT = """() => {
  const inner = document.querySelector('#place').contentDocument;
  const { bottom } = inner.querySelector('#next').getBoundingClientRect();
  return bottom > 0 && bottom <= inner.documentElement.clientHeight;
}"""
LOWER = """() => {
  const { scrollHeight, clientHeight } = document.querySelector('#place').contentDocument.documentElement;
  return scrollHeight > clientHeight;
}"""
AT_END = """() => {
  const inner = document.querySelector('#place').contentDocument.scrollingElement;
  return inner.scrollTop > 0 && inner.scrollTop + inner.clientHeight >= inner.scrollHeight - 1;
}"""


CLOSE = "document.querySelector('#board').hasAttribute('data-close')"
SIGHT = "document.documentElement.scrollHeight <= innerHeight"


def turned(page: Page) -> None:
    """The wheel over the walk."""
    page.locator("#place").hover(position={"x": 300, "y": 40})
    page.mouse.wheel(0, 4000)


@pytest.mark.exhaustive
def test_a_walk_goes_on_beside_six_mistakes(walkers: OpenWalker, server: Server) -> None:
    teacher = walkers(width=1280, height=720)
    page = teacher.page
    page.goto(teacher.base + START)
    page.click("#begin")
    expect(page.locator("#class #code")).not_to_be_empty(timeout=SECONDS)
    students = [joined(server, page.inner_text("#class #code")) for _ in WRITTEN]
    page.fill("#tensor", "b2")
    page.click("[data-ask=gradient]")
    expect(page.locator("#question")).to_be_visible(timeout=SECONDS)
    for student, text in zip(students, WRITTEN, strict=True):
        assert student.answer(1, f"db2 = {text}").status == 201
    expect(page.locator("#distribution .bar")).to_have_count(len(WRITTEN), timeout=SECONDS)
    until(page, LOWER)
    until(page, NEXT)
    inner = page.frame_locator("#place")
    before = inner.locator("#count").inner_text()
    inner.locator("#next").click()
    expect(inner.locator("#count")).not_to_have_text(before, timeout=SECONDS)
    turned(page)
    until(page, AT_END)
    until(page, NEXT)
    wall = walkers(width=1280, height=720)
    wall.page.goto(wall.base + str(page.get_attribute("#to-board", "href")))
    page.click("[data-say=count]")
    expect(wall.page.locator(".bar")).to_have_count(len(WRITTEN), timeout=SECONDS)
    for text in ("db2 = dlogits.sum(1)", "db2 = dlogits"):
        page.click(f'#texts [data-text="{text}"]')
    expect(wall.page.locator(".wall li")).to_have_count(2, timeout=SECONDS)
    assert wall.page.evaluate(SIGHT), "all of it is on the wall"
    assert wall.ask(SMALLEST) >= 28, "and can be read from the last row"
    wall.page.set_viewport_size({"width": 1920, "height": 1080})
    until(wall.page, SIGHT)
    assert round(wall.ask(SMALLEST)) == 42, "which is further away where the wall is larger"
    page.click("[data-say=answer]")
    expect(wall.page.locator(".sheet-right")).to_be_visible(timeout=SECONDS)
    wall.page.set_viewport_size({"width": 1024, "height": 576})
    until(wall.page, SIGHT)


@pytest.mark.parametrize("texts", [WRITTEN, WRITTEN + FURTHER], ids=len)
def test_all_mistakes_are_read_from_the_last_row(walkers: OpenWalker, server: Server, texts: list[str]) -> None:
    """Their rows stand close before their letters become smaller."""
    teacher, code, key = opened(server)
    assert teacher.tell("ask", ask={"kind": "gradient", "walk": LESSON, "target": "b2"}).status == 200
    for text in texts:
        assert joined(server, code).answer(1, f"db2 = {text}").status == 201
    assert eventually(lambda: board(teacher)["question"]["waiting"] == 0)
    assert teacher.tell("count").status == 200
    wall = walkers(width=1280, height=720)
    wall.page.goto(f"{wall.base}{teacher.path.removeprefix('/api')}/board#{key}")
    expect(wall.page.locator(".bar")).to_have_count(len(texts), timeout=SECONDS)
    until(wall.page, SIGHT)
    assert wall.ask(SMALLEST) >= 28
    assert wall.ask(CLOSE) == (texts != WRITTEN)


def test_a_chapter_is_there_whole(walkers: OpenWalker) -> None:
    """Its page hid all but a figure that was asked for, and a class asks for none."""
    phone = walkers(width=390, height=700)
    phone.page.goto(f"{phone.base}/learn/broadcasting?embed")
    expect(phone.page.locator("#chapter-title")).to_be_visible(timeout=SECONDS)
    expect(phone.page.locator(".block.question").first).to_be_visible()
