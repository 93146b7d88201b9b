"""The opening: shown once at the first visit, played, paused, stepped, skipped, linked to, and told in words."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MOVING, OpenWalker, until
from tests.support.looking import findings_in_both_themes

# The shapes of what is drawn, as a text: two different pictures differ.
DRAWN = "document.querySelector('#stage canvas').toDataURL()"
LIT = "() => document.querySelectorAll('#moments .past').length > 2"


def test_the_first_visit_begins_with_it_and_the_second_does_not(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/")
    assert walker.page.url.endswith("/opening")
    expect(walker.page.get_by_role("heading", level=1)).to_contain_text("gradwalk shows how a network learns")
    walker.press("Escape")
    walker.page.wait_for_url("**/walk/makemore-mlp")
    expect(walker.page.locator("#step-title")).to_contain_text("emb")
    walker.open("/")
    until(walker.page, "() => location.pathname === '/walk/makemore-mlp'")
    walker.page.get_by_role("link", name="The whole in twenty seconds").click()
    walker.page.wait_for_url("**/opening")


@pytest.mark.parametrize("path", ["/walk/makemore-mlp", "/walk/makemore-mlp?step=3", "/?step=20"])
def test_a_link_to_something_never_shows_it(walkers: OpenWalker, path: str) -> None:
    page = walkers(seen=False).open(path).page
    assert "/opening" not in page.url


def test_it_plays_by_itself_and_can_be_paused_and_stepped(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/opening")
    page, caption = walker.page, walker.page.locator("#caption")
    until(page, LIT)
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    paused = walker.ask(DRAWN)
    moment = re.search(r"moment=(\d+)", page.url)
    assert moment
    assert int(moment[1]) > 2
    said = caption.text_content() or ""
    page.keyboard.press("ArrowRight")
    expect(caption).not_to_have_text(said)
    assert page.url.endswith(f"moment={int(moment[1]) + 1}")
    assert walker.ask(DRAWN) != paused
    page.keyboard.press("ArrowLeft")
    expect(caption).to_have_text(said)
    page.keyboard.press("End")
    expect(caption).to_contain_text("rises from 4.1\u00a0% to 4.5\u00a0%, after 10 such updates 11\u00a0%")
    page.keyboard.press("Home")
    expect(caption).to_contain_text("“n” comes after “zde”")
    page.get_by_role("button", name="6. Softmax").click()
    expect(caption).to_contain_text("The loss is 3.34")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert "moment" not in page.url


def test_a_link_opens_a_moment_and_back_returns_to_it(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/opening?moment=8")
    caption = walker.page.locator("#caption")
    expect(caption).to_contain_text("82 numbers of 2048 lie beyond ±0.97")
    walker.page.get_by_role("link", name="I know makemore").click()
    walker.page.wait_for_url("**/walk/makemore-mlp")
    walker.page.go_back()
    expect(caption).to_contain_text("82 numbers of 2048 lie beyond ±0.97")
    walker.page.go_forward()
    walker.page.wait_for_url("**/walk/makemore-mlp")


def test_with_reduced_motion_it_is_a_strip_of_pictures(walkers: OpenWalker) -> None:
    walker = walkers(seen=False).open("/opening?moment=6")
    stills = walker.page.locator("#stills > li")
    expect(stills).to_have_count(10)
    expect(walker.page.locator("#show")).to_be_hidden()
    expect(walker.page.locator("#moment-6")).to_be_focused()
    drawn = "[...document.querySelectorAll('#stills canvas')].map((one) => one.toDataURL())"
    assert len(set(walker.ask(drawn))) == 10
    assert findings_in_both_themes(walker, but=()) == []


@pytest.mark.parametrize(
    "size",
    [
        (390, 844),
        (1280, 720),
        *(pytest.param(size, marks=pytest.mark.exhaustive) for size in ((768, 1024), (1920, 1080))),
    ],
)
def test_all_of_it_is_in_the_window_and_axe_finds_nothing(walkers: OpenWalker, size: tuple[int, int]) -> None:
    walker = walkers(*size, seen=False, **MOVING).open("/opening?moment=7")
    over = walker.ask(
        "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
    )
    assert over[0] <= 0
    assert over[1] <= 0
    assert findings_in_both_themes(walker, but=()) == []


def test_a_name_of_one_s_own_runs_through_it_and_is_in_focus_in_the_walk(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/opening")
    page, field = walker.page, walker.page.get_by_label("Your own name")
    field.fill("Zoë")
    field.press("Enter")
    expect(page.locator("#word-says")).to_contain_text("“zoë” has “ë”, which the network has never seen.")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    field.fill("Anna")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"/opening\?word=anna$"))
    expect(page.locator("#caption")).to_contain_text("Your word, “anna”, letter by letter: here “n” comes after “an”.")
    page.go_back()
    expect(page.locator("#word-says")).to_contain_text("“zoë”")
    page.go_forward()
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    page.get_by_role("link", name="I know makemore").click()
    page.wait_for_url("**/walk/makemore-mlp?word=anna")
    expect(page.locator("#seed")).to_have_value("anna")
    beginning = page.locator(".beginning")
    expect(beginning).to_contain_text("`.an → n`".replace("`", ""))
    expect(beginning).to_contain_text("How surprised is the network by “anna”?")
    walker.open("/walk/makemore-mlp?word=anna&step=29")
    expect(page.locator("#step")).to_contain_text(".an → n")
    walker.complaints.clear()  # Chromium's own word on what was refused


def test_the_header_s_field_takes_a_name_or_a_number(walkers: OpenWalker) -> None:
    walker = walkers().open("/")
    page, field = walker.page, walker.page.locator("#seed")
    told = page.locator(".beginning .above")
    expect(told).to_contain_text("predict asks before each gradient, write it leaves its line to you, rounding")
    expect(told).to_contain_text("A seed makes the parameters and the minibatch.")
    page.get_by_role("button", name="Write a name of your own.").click()
    expect(field).to_be_focused()
    field.fill("emma")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"word=emma"))
    expect(page.locator(".beginning")).to_contain_text("by “emma”?")
    field.fill("søren")
    field.press("Enter")
    expect(page.locator("#seed-says")).to_contain_text("“søren” has “ø”, which the network has never seen.")
    expect(page.locator(".beginning")).to_contain_text("by “emma”?")
    field.fill("7")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"seed=7(?!.*word)"))
    expect(page.locator(".beginning")).not_to_contain_text("surprised")
    page.go_back()
    expect(page.locator(".beginning")).to_contain_text("by “emma”?")
    walker.complaints.clear()  # Chromium's own word on what was refused
