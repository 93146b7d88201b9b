"""Write it: in the walk a backward line is a field until it is written."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker
from tests.support.looking import SMALLEST, findings


def test_a_line_is_written_in_its_place(walker: Walker) -> None:
    """Wrong, mended, right; then the next, of a gradient with two paths."""
    page = walker.open("/walk/makemore-mlp?step=22").page
    field = page.locator("#backward .field-text")
    expect(field).to_have_count(0)
    walker.press("w")
    # of a step of two lines none gives away where it writes
    expect(field).to_have_value("dlogprobs = ")
    expect(page.locator("#backward .row.given-away:visible")).to_have_count(0)
    walker.press("Escape", "ArrowRight")
    expect(page).to_have_url(re.compile(r"step=23&write=1$"))
    expect(field).to_be_focused()
    expect(page.locator("#backward .row.here")).to_be_hidden()
    expect(page.locator(".badge")).to_contain_text("not yet computed")
    page.keyboard.insert_text("dlogprobs * probs")
    walker.press("Enter")
    expect(page.locator("#picture .says.not")).to_be_visible()
    expect(page.locator("#picture .comparison canvas")).to_have_count(3)
    assert findings(walker, but=()) == []
    page.get_by_role("button", name="Hint: the rule").click()
    expect(page.locator(".hints li")).to_have_count(1)

    # all that comes after runs with one's own line, until one goes back
    page.get_by_role("button", name="Walk on with it").click()
    expect(page.locator("#plant")).to_contain_text("Your own line")
    expect(page.locator("#backward .row.here .planted-mark")).to_have_text("yours")
    expect(page.locator(".badge").first).to_contain_text("wrong")
    expect(page).to_have_url(re.compile(r"plant=23%3Ddprobs"))
    page.reload()
    expect(page.locator("#plant")).to_contain_text("of 26 gradients are wrong.")
    page.go_back()
    expect(field).to_be_visible()
    page.goto(f"{walker.base}/walk/makemore-mlp?step=23&write=1")
    expect(field).to_be_focused()
    page.keyboard.insert_text("dlogprobs * probs")
    walker.press("Enter")
    page.get_by_role("button", name="Hint: the rule").click()
    expect(page.locator(".hints li")).to_have_count(1)

    # what was typed stays when its step is left
    field.focus()
    walker.press("Escape", "ArrowLeft", "Escape", "ArrowRight")
    expect(field).to_have_value("dprobs = dlogprobs * probs")
    walker.press("Control+a")
    page.keyboard.insert_text("dprobs = probs**-1 * dlogprobs")
    walker.press("Enter")
    expect(page.locator(".answered")).to_contain_text("right after 1 hint")
    expect(page.locator(".answered")).to_contain_text("probs**-1 * dlogprobs")
    expect(page.locator("#backward .row.here")).to_contain_text("dprobs = dlogprobs / probs")
    expect(page.locator(".badge").first).to_contain_text("exact")

    # the first path alone is right at its step, and the second adds to it
    walker.press("ArrowRight")
    expect(field).to_have_value("dcounts = ")
    page.keyboard.insert_text("counts_sum_inv * dprobs")
    walker.press("Enter")
    expect(page.locator(".answered")).to_contain_text("2 of 2 right")
    page.goto(f"{walker.base}/walk/makemore-mlp?step=27&write=1")
    expect(field).to_have_value("dcounts += ")
    page.keyboard.insert_text("dcounts_sum")
    walker.press("Enter")
    expect(page.locator(".answered")).to_contain_text("right at the first try")
    page.locator("#write").click()
    expect(page.locator("#backward .veiled")).to_have_count(0)


def test_the_field_is_there_where_no_listing_is(walkers: OpenWalker) -> None:
    for walker in (walkers(390, 844), walkers(1280, 720)):
        projector = "&p=1" if walker.page.viewport_size == {"width": 1280, "height": 720} else ""
        page = walker.open(f"/walk/makemore-mlp?step=23&write=1{projector}").page
        field = page.locator("#picture .field-text")
        expect(field).to_be_focused()
        page.keyboard.insert_text("dlogprobs * probs")
        walker.press("Enter")
        expect(page.locator("#picture .says.not")).to_be_visible()
        if projector:
            assert walker.ask(SMALLEST) >= 28
        else:
            assert walker.ask("document.documentElement.scrollWidth") <= 390
        assert findings(walker, but=()) == []
