"""For everyone: the projector seen from ten metres, and all that is reached by keys."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker
from tests.support.looking import OVERFLOW, SMALLEST

SCREENSHOT = os.environ.get("GRADWALK_SCREENSHOT")
WIDER = """() => [...document.querySelectorAll('.pane:not(.graph-pane), .listing')]
  .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.className)"""

HIDDEN = "[...document.querySelectorAll('.step-pane, .reason')].map((e) => e.scrollHeight - e.clientHeight)"
CUT = """() => [...document.querySelectorAll('.piece .label b')]
  .filter((e) => e.scrollHeight > e.clientHeight + 2).map((e) => e.textContent)"""
PLACES = "[...document.querySelectorAll('.places a')].map((a) => a.getBoundingClientRect().left)"
BELOW = """() => document.querySelector('#status').getBoundingClientRect().top
  - document.querySelector('#complaint').getBoundingClientRect().bottom"""

CUT_OFF = ".step-pane, .listing"


def gaps(places: list[float]) -> list[float]:
    return [right - left for left, right in pairwise(places)]


def test_projector_type_is_large_and_nothing_is_cut_off(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720).open().press("p")
    expect(walker.page.locator(".current-line")).to_be_visible()
    for _ in range(51):
        assert walker.ask(SMALLEST) >= 28, walker.count
        assert max(walker.ask(OVERFLOW)) <= 0, walker.count
        walker.press("ArrowRight")
    walker.press("Escape")
    expect(walker.page.locator(".graph-pane")).to_be_visible()


@pytest.mark.parametrize("width", [*(pytest.param(w, marks=pytest.mark.exhaustive) for w in (1440, 1280, 1024)), 768])
def test_no_pane_is_wider_than_its_column(walkers: OpenWalker, width: int) -> None:
    walker = walkers(width, 900).open("/walk/makemore-mlp?step=26")
    assert walker.ask(WIDER) == []


@pytest.mark.exhaustive
def test_a_tablet_shows_steps_names_and_complaints_whole(walkers: OpenWalker) -> None:
    walker = walkers(768, 1024).open("/walk/makemore-mlp?step=31")
    for step, keys in ((31, []), (32, ["ArrowRight"]), (51, ["End"]), (25, ["Home", "b", *["ArrowRight"] * 4])):
        walker.press(*keys)
        expect(walker.page.locator("#count")).to_have_text(f"{step} / 51")
        if step == 51:
            expect(walker.page.locator(".ending")).to_contain_text("goes from")
        assert max(walker.ask(HIDDEN)) <= 0, step
        assert walker.ask(CUT) == [], step
    names = walker.ask(PLACES)
    page = walker.page
    page.goto(f"{walker.base}/code")
    page.locator("#source").press("Control+End")
    page.keyboard.insert_text("\na = nn.Linear(3)(x)\nb = frob(x)")
    expect(page.locator("#complaint")).to_contain_text("nn.Linear")
    assert walker.ask(BELOW) >= 0
    # from page to page the names of the others keep their distances, whichever of them is told as the one that is open
    assert gaps(walker.ask(PLACES)) == pytest.approx(gaps(names), abs=0.5)


def test_paper_is_light_and_has_every_line_and_no_buttons(walkers: OpenWalker) -> None:
    walker = walkers(color_scheme="dark").open("/walk/makemore-mlp?step=25")
    walker.page.emulate_media(media="print", color_scheme="dark")
    expect(walker.page.locator(".top, .transport, .graph-pane").locator("visible=true")).to_have_count(0)
    expect(walker.page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    assert (
        walker.ask(f"[...document.querySelectorAll({CUT_OFF!r})].map((e) => e.scrollHeight - e.clientHeight)")
        == [0] * 3
    )
    walker.page.emulate_media(media="screen", color_scheme="dark")
    expect(walker.page.locator(".transport")).to_be_visible()


def test_everything_can_be_reached_by_tab(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=35")
    reached = set()
    for _ in range(60):
        walker.press("Tab")
        reached.add(walker.ask("(document.activeElement.id || document.activeElement.className).split(' ')[0]"))
    switches = {"seed", "predict", "exact", "theme", "projector", "keys", "share", "play", "staff"}
    assert switches | {"skip", "node", "row", "plot", "link"} <= reached


@pytest.mark.skipif(SCREENSHOT is None, reason="set GRADWALK_SCREENSHOT to a path to write the README's picture")
def test_write_the_picture_for_the_readme(walkers: OpenWalker) -> None:
    walker = walkers().open("/walk/makemore-mlp?step=25")
    walker.page.mouse.move(5, 5)
    expect(walker.page.locator("[data-oracle='central differences']")).to_contain_text("agree")
    target = Path(str(SCREENSHOT))
    walker.page.screenshot(path=target, animations="disabled")
    assert target.stat().st_size > 50_000


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [1440, 1280, 768, 390])
def test_every_header_fits_its_window(walkers: OpenWalker, width: int) -> None:
    """Those with most in them: a seed and switches, a long title with a way back; the lab has its link in each."""
    walker = walkers(width, 900)
    for path in ("/walk/makemore-mlp", "/walk/train-by-hand?from=/learn/broadcasting", "/practise"):
        walker.open(path)
        assert walker.ask("document.documentElement.scrollWidth") == width, path
        expect(walker.page.locator(".places").get_by_role("link", name="Lab", exact=True)).to_be_in_viewport(ratio=1)
