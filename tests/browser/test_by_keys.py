"""The ten parts of the whole, one after the other, by keys alone; axe looks at each as it is left."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SECONDS, OpenWalker, Walker
from tests.browser.links import ONE_LAYER, link
from tests.support.looking import findings_in_both_themes

SIZES = [(390, 844), (768, 1024), (1280, 720), (1440, 900), (1920, 1080)]
WALKED = "/walk/makemore-mlp"
LINES = {"dh": "dh = y * dloss / 8", "dW": "dW = x.T @ ((1 - h**2) * dh)", "dx": "dx = ((1 - h**2) * dh) @ W.T"}


def to(walker: Walker, wanted: str, most: int = 150) -> None:
    """To what can be reached by Tab alone."""
    here = f"() => document.activeElement.matches({json.dumps(wanted)})"
    for _ in range(most):
        if walker.ask(here):
            return
        walker.page.keyboard.press("Tab")
    raise AssertionError(f"no way to {wanted}")


def opening(walker: Walker) -> None:
    page = walker.open("/").page
    expect(page).to_have_url(re.compile("/opening"))
    expect(page.locator("#stills li").first).to_be_visible()  # nothing moves: a strip of stills
    walker.press("End")
    expect(page.locator("#stills li").last).to_contain_text("rises from")
    expect(page.locator("#stills li").last).to_be_focused()
    expect(page).to_have_url(re.compile("moment=10"))
    walker.press("ArrowLeft")
    expect(page.locator("#moment-9")).to_be_focused()


def own_word(walker: Walker) -> None:
    page = walker.page
    to(walker, "#word")
    page.keyboard.type("anna")
    walker.press("Enter")
    expect(page.locator("#stills li").first).to_contain_text("Your word, “anna”")
    to(walker, "#on")
    walker.press("Enter")
    page.wait_for_url(f"**{WALKED}?word=anna")
    expect(page.locator("#walk[aria-busy=false]")).to_be_visible()


def distances(walker: Walker) -> None:
    page = walker.page
    opened = page.locator("#graph .box-face[aria-expanded=true]")
    expect(opened).to_have_count(0)
    walker.press("z")
    expect(opened.first).to_be_attached()
    walker.press("z")
    walker.press("z")
    expect(page.locator("#lens")).to_be_visible()
    walker.press("Shift+z")
    expect(page.locator("#lens")).to_be_hidden()


def nudge(walker: Walker) -> None:
    page = walker.open(f"{WALKED}?step=33&cell=2,5&of=gradient").page
    page.keyboard.down("h")
    expect(page.locator("#wobble")).to_contain_text("That is its gradient.")
    page.keyboard.up("h")
    expect(page.locator("#wobble")).to_contain_text("And back along the same way", use_inner_text=True)


def drag(walker: Walker) -> None:
    page = walker.page
    walker.press("l", "m")
    expect(page.locator("#hand .move-grip")).to_be_focused()
    expect(page.locator(".move-words")).to_contain_text("The gradient promises")
    walker.press("ArrowRight", "ArrowRight")
    expect(page.locator(".move-words")).to_contain_text("the gradient promised")
    walker.press("Enter")
    expect(page.locator("#changes")).to_be_visible()
    expect(page.locator(".notice")).to_be_hidden()  # it is walked again
    expect(page.locator("#walk.stale")).to_have_count(0)


def downhill(walker: Walker) -> None:
    page = walker.open(WALKED).page
    walker.press("End")
    expect(page.locator(".ending")).to_be_visible()
    walker.press("Space")
    expect(page.locator(".run-stand")).to_have_text("after 1 step", timeout=SECONDS)


def train(walker: Walker) -> None:
    page = walker.page
    to(walker, ".places a[href^='/train']")
    walker.press("Enter")
    page.wait_for_url("**/train/makemore-mlp")
    expect(page.get_by_text("In grey, a run at the usual settings")).to_be_visible()
    expect(page.locator("#early-names dd")).to_have_count(1)


def learn(walker: Walker) -> None:
    page = walker.page
    to(walker, ".places a[href='/learn']")
    walker.press("Enter")
    page.wait_for_url("**/learn")
    to(walker, "#routes a[data-route=attention]")
    walker.press("Enter")
    expect(page).to_have_url(re.compile(r"route=attention$"))
    expect(page.locator("#stops g.off").first).to_be_attached()


def beside(walker: Walker) -> None:
    page = walker.page
    page.goto(walker.base + "/compare")
    expect(page.get_by_label("left")).to_be_visible()
    to(walker, "a[href*='batch-norm.left']")
    walker.press("Enter")
    row = page.locator(".both-row[aria-current=step]")
    expect(row).to_be_visible(timeout=SECONDS)
    said = row.text_content()
    walker.press("n")
    expect(row).not_to_have_text(said or "")


def poster(walker: Walker) -> None:
    page = walker.page
    page.goto(walker.base + link(ONE_LAYER, 1).replace("/code?step=1", "/practise"))
    for name, line in LINES.items():
        to(walker, f".blank[data-task={name}] textarea")
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(line)
        page.keyboard.press("Enter")
        expect(page.locator(f".blank[data-task={name}]")).to_have_attribute("data-state", "right")
    to(walker, "#poster-offer button")
    walker.press("Enter")
    expect(page.locator("#poster svg")).to_have_attribute("aria-label", re.compile("steps on these lines"))
    expect(page.locator("#poster-stand")).to_have_text("")


PARTS: list[Callable[[Walker], None]] = [
    *(opening, own_word, distances, nudge, drag, downhill, train, learn, beside, poster),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_ten_parts_by_keys_alone(walkers: OpenWalker, size: tuple[int, int]) -> None:
    walker = walkers(*size, seen=False)
    found: dict[str, list[str]] = {}
    for part in PARTS:
        part(walker)
        if wrong := findings_in_both_themes(walker):
            found[part.__name__] = wrong
        assert walker.ask("document.documentElement.scrollWidth <= innerWidth"), part.__name__
    assert found == {}


HALLS: list[Callable[[Walker], None]] = [nudge, drag, downhill, train, beside]


@pytest.mark.exhaustive
def test_what_a_hall_sees_of_them_by_keys_alone(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720)
    found: dict[str, list[str]] = {}
    for part in HALLS:
        part(walker)
        walker.ask("document.activeElement.blur()")
        walker.press("p")
        expect(walker.page.locator("body")).to_have_class("projector")
        if wrong := findings_in_both_themes(walker):
            found[part.__name__] = wrong
        walker.press("p")
        expect(walker.page.locator("body")).not_to_have_class("projector")
    assert found == {}
