"""The lesson's number in the header: what it is called, and what happens when it will not do."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker, intercept
from tests.support.looking import findings

WHOLE, LARGEST = "is a whole number, 0 or more.", "is at most 9,007,199,254,740,991."


def test_a_bad_seed_is_said_at_its_field_and_the_walk_stays(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    field = walker.page.locator("#seed")
    bad = {"1.5": WHOLE, "1e400": WHOLE, "-3": WHOLE, "9" * 20: LARGEST}
    for typed, says in bad.items():
        field.fill(typed)
        walker.press("Enter")
        expect(walker.page.locator("#seed-says")).to_have_text(f"Minibatch seed {says}")
        expect(field).to_have_attribute("aria-invalid", "true")
        assert walker.title == "dcounts_sum_inv"
    assert findings(walker) == []
    field.fill("12")
    expect(walker.page.locator("#seed-says")).to_be_hidden()
    walker.press("Enter")
    expect(walker.page).to_have_url(re.compile("seed=12"))


@pytest.mark.exhaustive
def test_a_seed_that_the_server_refuses_is_said_there_too(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    error = {"code": "request-invalid", "message": "seed: must be at most 5.", "hint": ""}
    intercept(walker.page, "**/api/walk", lambda route: route.fulfill(status=422, json={"error": error}))
    walker.page.locator("#seed").fill("6")
    walker.press("Enter")
    expect(walker.page.locator("#seed-says")).to_have_text("seed: must be at most 5.")
    assert walker.title == "dcounts_sum_inv"
    walker.complaints.clear()


def test_a_lesson_without_a_minibatch_speaks_of_none(walkers: OpenWalker) -> None:
    for width in (1440, 768, 390):
        walker = walkers(width=width).open("/walk/first-steps")
        assert "minibatch" not in walker.page.locator("body").inner_text()
        expect(walker.page.locator("#reseed")).to_have_count(0)
        expect(walker.page.get_by_label("x", exact=True)).to_have_attribute("placeholder", "2")
        walker.page.get_by_label("x", exact=True).fill("5")
        walker.press("Enter")
        expect(walker.page).to_have_url(re.compile("seed=5"))
        walker.page.locator("#step").focus()
        walker.press("End")
        expect(walker.page.locator("#step-title")).to_contain_text("dx")


def test_another_minibatch_is_offered_where_there_is_one(walker: Walker) -> None:
    walker.open()
    expect(walker.page.get_by_role("button", name="Draw another minibatch")).to_be_visible()
    expect(walker.page.get_by_label("seed or name")).to_be_visible()
