"""A server that is busy with others is asked again, quietly; what fails leaves the walk that is there."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import SECONDS, OpenWalker, Walker, arrived, intercept, until

BUSY = {
    "error": {"code": "busy", "message": "The server is busy with other programs.", "hint": "Try again in a second."}
}


def busy(page: Page, times: int, path: str = "**/api/walk") -> list[Route]:
    """Answers the first requests for `path` as a full pool does; the list grows with every one asked."""
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) <= times:
            route.fulfill(status=503, json=BUSY, headers={"Retry-After": "0.2"})
        else:
            route.continue_()

    intercept(page, path, answer)
    return asked


def test_a_busy_server_is_asked_again_by_itself(walkers: OpenWalker) -> None:
    walker = walkers()
    asked = busy(walker.page, 2)
    walker.page.goto(walker.base)
    expect(walker.page.locator(".notice")).to_contain_text("The server is busy with other programs. Asking again…")
    expect(walker.page.locator("#step-title")).to_contain_text("emb")
    expect(walker.page.locator(".notice")).to_be_hidden()
    expect(walker.page.get_by_role("alert")).to_have_count(0)
    assert len(asked) == 3
    walker.complaints.clear()


def test_waiting_can_be_cancelled_and_taken_up_again(walkers: OpenWalker) -> None:
    walker = walkers()
    asked = busy(walker.page, 1)
    walker.page.add_init_script("Math.random = () => 1e9")  # the longest of waits
    walker.page.goto(walker.base)
    walker.page.locator(".notice").get_by_role("button", name="Cancel").click()
    expect(walker.page.get_by_role("alert")).to_contain_text("busy with other programs")
    expect(walker.page.locator(".notice")).to_be_hidden()
    assert len(asked) == 1
    walker.page.get_by_role("button", name="Try again").click()
    expect(walker.page.locator("#step-title")).to_contain_text("emb")
    walker.complaints.clear()


def test_a_walk_again_that_fails_leaves_the_walk_that_is_there(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    intercept(walker.page, "**/api/walk", lambda route: route.abort())
    walker.press("e")
    expect(walker.page.locator(".notice")).to_contain_text("The server does not answer. This is the walk from before.")
    assert walker.title == "dcounts_sum_inv"
    expect(walker.page.locator("#walk")).not_to_have_class(re.compile("stale"))
    expect(walker.page.locator("#exact")).to_have_attribute("aria-checked", "false")
    expect(walker.page).to_have_url(re.compile(r"step=25$"))
    walker.page.unroute("**/api/walk")
    walker.page.locator(".notice").get_by_role("button", name="Try again").click()
    expect(walker.page.locator("#exact")).to_have_attribute("aria-checked", "true")
    expect(walker.page.locator(".notice")).to_be_hidden()
    walker.complaints.clear()


@pytest.mark.exhaustive
def test_a_step_that_does_not_come_is_asked_for_again(walker: Walker) -> None:
    """Meanwhile the step before it stays, and what has come of the walk can be walked."""
    walker.open("/walk/makemore-mlp?step=2")
    page, notice = walker.page, walker.page.locator(".notice")
    intercept(page, "**/api/steps", lambda route: route.abort())
    page.keyboard.press("End")
    expect(notice).to_contain_text("The server does not answer.")
    expect(page.locator("#count")).to_have_text("2 / 51")
    expect(page.locator("main.fetching[aria-busy=true]")).to_have_count(1)
    page.keyboard.press("Home")
    expect(page.locator("#count")).to_have_text("1 / 51", timeout=SECONDS)
    expect(page.locator("main.fetching")).to_have_count(0)
    page.keyboard.press("End")
    page.unroute("**/api/steps")
    notice.get_by_role("button", name="Try again").click()
    expect(page.locator("#count")).to_have_text("51 / 51")
    expect(notice).to_be_hidden()
    walker.complaints.clear()


def held_back(page: Page, path: str) -> list[Route]:
    """What is asked for there and not answered."""
    held: list[Route] = []
    intercept(page, path, lambda route: held.append(route))
    return held


# Whether it is seen that what is asked for is on its way.
TOLD = """(place) => {
  const { content, opacity } = getComputedStyle(document.querySelector(place), '::after');
  return content.includes('on its way') || content.includes('on their way') ? Number(opacity) : null;
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_who_waits_for_numbers_is_told_so(walkers: OpenWalker, motion: Literal["reduce", "no-preference"]) -> None:
    walker = walkers(reduced_motion=motion)
    page = walker.open("/walk/makemore-mlp?step=2").page
    for path, key, place in (("steps", "End", "#walk"), ("cell", "l", "#lens")):
        held = held_back(page, f"**/api/{path}")
        assert walker.ask(f"({TOLD})('{place}')") is None
        page.keyboard.press(key)
        until(page, f"(place) => ({TOLD})(place) === 1", place)
        arrived(page, held).continue_()
        until(page, f"(place) => ({TOLD})(place) === null", place)
        page.unroute(f"**/api/{path}")


def test_a_notice_covers_what_is_told_meanwhile(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=2")
    intercept(walker.page, "**/api/steps", lambda route: route.abort())
    walker.page.keyboard.press("End")
    expect(walker.page.locator(".notice")).to_be_visible()
    until(walker.page, f"() => ({TOLD})('#walk') === 1")
    lies = """([place, pseudo]) => {
      const { zIndex, width, height, bottom } = getComputedStyle(document.querySelector(place), pseudo);
      return [zIndex, width, height, bottom].map(parseFloat);
    }"""
    below, above = (walker.page.evaluate(lies, one) for one in (["#walk", "::after"], [".notice", None]))
    assert below[0] < above[0]
    assert below[1] <= above[1]
    assert below[2] <= above[2]
    assert below[3] == above[3]
    walker.complaints.clear()


@pytest.mark.exhaustive
def test_your_own_walk_stays_too(walker: Walker) -> None:
    walker.page.goto(f"{walker.base}/code")
    walker.page.locator("#walk-it").click()
    expect(walker.page.locator("#step-title")).to_contain_text("h")
    intercept(walker.page, "**/api/walk", lambda route: route.abort())
    walker.press("e")
    expect(walker.page.locator(".notice")).to_contain_text("This is the walk from before.")
    expect(walker.page.locator("#step-title")).to_be_visible()
    walker.complaints.clear()


@pytest.mark.exhaustive
def test_walk_it_waits_for_the_first_draft(walker: Walker) -> None:
    held: list[Route] = []
    intercept(walker.page, "**/api/starts", lambda route: held.append(route))
    walker.page.goto(f"{walker.base}/code")
    walker.page.locator("#walk-it").click()
    expect(walker.page.locator("#source")).to_have_value("")
    arrived(walker.page, held).continue_()
    expect(walker.page.locator("#step-title")).to_contain_text("h")
    expect(walker.page.locator("#complaint")).to_be_hidden()
