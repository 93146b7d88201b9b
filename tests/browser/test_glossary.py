"""Technical words carry their explanation where they first stand on a screen: by mouse, by focus, to a voice."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Walker
from tests.support.looking import findings


def test_pointing_focus_and_a_voice_all_come_to_the_sentence(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=49")
    card = walker.page.locator(".popover:popover-open")
    word = walker.page.locator(".badge .glossed")
    expect(word).to_have_accessible_description("A gradient whose exact value is zero; any number shown in its place "
                                                "is left over from rounding.")  # fmt: skip
    word.hover()
    expect(card).to_contain_text("left over from rounding")
    walker.press("Escape")
    expect(card).to_have_count(0)
    assert walker.count.startswith("49 ")
    walker.page.mouse.move(5, 5)
    walker.page.locator("#heading h1").focus()
    walker.page.locator(".view-tabs button").first.focus()
    expect(walker.page.locator(".plant-open")).to_be_visible()
    walker.press("Shift+Tab", "Shift+Tab")
    expect(word).to_be_focused()
    expect(card).to_contain_text("left over from rounding")
    assert findings(walker) == []
    walker.press("ArrowDown")
    expect(walker.page.locator("#story .glossed").nth(1)).to_be_focused()
    assert walker.page.locator("#story .glossed[tabindex='0']").count() == 1
    assert walker.count.startswith("49 ")


@pytest.mark.exhaustive
def test_the_switches_and_the_seed_say_what_they_are(walker: Walker) -> None:
    walker.open()
    card = walker.page.locator(".popover:popover-open")
    for place, words in (
        ("label[for=seed]", "same minibatch"),
        ("#exact", "in the last digit, too"),
        ("#predict", "wrong answer"),
    ):
        walker.page.locator(place).hover()
        expect(card).to_contain_text(words)
        walker.press("Escape")


def test_the_first_screen_and_the_first_gradient_explain_their_words(walker: Walker) -> None:
    walker.open()
    words = {1: ("nudge", "embedding"), 24: ("manual", "autograd", "difference", "local-derivative")}
    for step, said in words.items():
        walker.step_to(step)
        for word in said:
            expect(walker.page.locator(f"#story [data-term='term-{word}']")).to_have_count(1)
