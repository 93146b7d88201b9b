"""The example of the batch in focus: chosen in the heading, held by the address, the same in every picture."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Walker
from tests.support.looking import findings

IN_FOCUS = "[...document.querySelectorAll('#picture .in-focus')].map((one) => one.textContent)"
ROPE = "document.querySelector('.tug-board').getAttribute('aria-valuenow')"


def test_a_key_chooses_another_example_and_back_returns(walker: Walker) -> None:
    page = walker.open("/walk/relu-classifier?step=3").page
    labels = walker.ask(
        "fetch('/api/walk', {method: 'POST', headers: {'content-type': 'application/json'},"
        'body: \'{"lesson":"relu-classifier"}\'}).then((r) => r.json()).then((w) => w.labels.example)'
    )
    count = page.locator(".example output")
    expect(count).to_have_text("–")
    assert walker.ask(IN_FOCUS) == []
    walker.press("j", "j", "j")
    expect(count).to_have_text("2")
    assert "example=2" in page.url
    assert walker.ask(IN_FOCUS) == [labels[2]]
    expect(page.locator("#announcer")).to_have_text(f"Example 2 (0 to 31): {labels[2]}")
    walker.press("k")
    expect(count).to_have_text("1")
    page.go_back()
    expect(count).to_have_text("2")
    page.go_forward()
    expect(count).to_have_text("1")
    button = page.get_by_role("button", name="Next example")
    button.press("Enter")
    expect(count).to_have_text("2")
    expect(button).to_be_focused()
    assert findings(walker) == []


def test_tug_lens_and_probabilities_follow(walker: Walker) -> None:
    page = walker.open("/walk/relu-classifier?step=6&example=4").page
    assert walker.ask(ROPE) == "4"
    expect(page.locator(".example output")).to_have_text("4")
    expect(page.get_by_role("heading", name="example 4")).to_be_visible()  # the picture counts as the control does
    page.keyboard.down("h")
    expect(page.locator("#wobble")).to_contain_text("Nudge logits[4, ")
    expect(page.locator("#wobble figcaption")).to_contain_text("moves by")
    page.keyboard.up("h")
    walker.press("l")
    expect(page.locator("#lens-title")).to_contain_text("dlogits[4, ")


@pytest.mark.exhaustive
def test_who_has_no_batch_or_a_word_offers_none(walker: Walker) -> None:
    for path in ("/walk/makemore-mlp?example=3", "/walk/first-steps?example=99", "/walk/relu-classifier?example=99"):
        walker.open(path)
        assert "example" not in walker.press("ArrowRight").page.url.partition("?")[2], path
    walker.open("/walk/makemore-mlp").press("j")
    expect(walker.page.locator(".example")).to_be_hidden()
    expect(walker.page.get_by_text("There is no other example here to choose.")).to_be_visible()
