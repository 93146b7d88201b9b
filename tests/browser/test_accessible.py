"""What axe finds on every page and in every state of it: nothing. The themes take turns; `--all` has both each time."""

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker
from tests.browser.desk import Desk
from tests.support.looking import CODE_AND_GRAPH, WEAR, findings, findings_in_both_themes

MISTAKEN = "h = torch.tanh(x @ W1 + b1)\nlogits = hh @ W2 + b2\nloss = F.cross_entropy(logits, y)"

# What fades in or out is as faint as that only for a moment.
SETTLED = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished))"""


class Looking:
    """A page on its way through its states, and what was found in each."""

    def __init__(self, walker: Walker, thorough: bool) -> None:
        self.walker, self.page, self.thorough = walker, walker.page, thorough
        self.themes = cycle(("dark", "light"))
        self.found: dict[str, list[str]] = {}

    def at(self, state: str, but: Sequence[str] = CODE_AND_GRAPH) -> None:
        """Notes what axe finds once nothing is on its way; `state` is what is seen, `but` what is as it was before."""
        expect(self.page.locator("main[aria-busy=true]:not([hidden])")).to_have_count(0)
        if not self.thorough:
            self.page.evaluate(WEAR, next(self.themes))
        self.walker.ask(SETTLED)
        if found := (findings_in_both_themes if self.thorough else findings)(self.walker, but=but):
            self.found[state] = found

    def sees(self, selector: str, **options: Any) -> None:
        """Waits for what makes the state."""
        expect(self.page.locator(selector).first).to_be_visible(**options)

    def keys(self, *keys: str, until: str) -> None:
        self.walker.press(*keys)
        self.sees(until)

    def open(self, step: int, more: str = "") -> "Looking":
        self.walker.open(f"/walk/makemore-mlp?step={step}{more}")
        return self


def test_axe_finds_nothing_on_a_walk(walkers: OpenWalker, thorough: bool) -> None:
    look = Looking(walkers(), thorough).open(1)
    look.at("the beginning", but=())
    look.open(31)
    look.at("the tug-of-war")
    look.open(33)
    look.page.locator("#picture .map").first.hover()
    look.keys("l", until="#lens .term")
    look.at("a number opened")
    look.keys("m", until=".move-grip")
    expect(look.page.locator(".move-words")).to_contain_text("The gradient promises")
    look.keys("ArrowRight", "Enter", until="#changes")
    look.at("a number changed", but=())
    look.open(33)
    look.page.get_by_label("value: larger, with every number").click()
    look.sees("#tensor-table td")
    look.at("every number of a tensor")
    look.walker.press("Escape")
    look.page.get_by_role("button", name="local Jacobian").click()
    look.sees(".product-map")
    look.at("the local Jacobian")
    look.open(51)
    look.sees(".ending")
    look.at("the ending")
    look.open(21)
    look.page.locator("#predict").click()
    look.keys("ArrowRight", until=".question .choice")
    look.at("a question")
    assert look.found == {}


@pytest.mark.exhaustive
def test_axe_finds_nothing_in_rarer_states_of_a_walk(walkers: OpenWalker, thorough: bool) -> None:
    look = Looking(walkers(), thorough).open(31)
    look.keys("n", until=".curve-plot .main-svg")
    look.at("the nudge")
    look.page.get_by_role("button", name="a few cells").click()
    look.sees(".cell-findings")
    look.at("a few cells nudged")
    look.open(33)
    look.page.locator("#picture .map").first.hover()
    look.sees(".cell-tip")
    look.at("a cell pointed at")
    look.keys("l", until="#lens .term")
    look.keys("m", until=".move-grip")
    expect(look.page.locator(".move-words")).to_contain_text("The gradient promises")
    look.at("a number in the hand")
    look.open(33)
    look.keys("?", until="#keys-dialog")
    look.at("the list of keys")
    look.walker.press("Escape")
    look.page.locator(".badge .glossed").hover()
    look.sees(".popover:popover-open")
    look.at("a word explained")
    look.open(21)
    look.page.locator("#predict").click()
    look.keys("ArrowRight", until=".question .choice")
    look.keys("1", until=".answered")
    look.at("a question answered")
    assert look.found == {}


def test_axe_finds_nothing_on_a_projector(walkers: OpenWalker, thorough: bool) -> None:
    look = Looking(walkers(1280, 720), thorough).open(25, "&p=1")
    look.at("a step", but=())
    look.keys("l", until="#lens .term")
    look.at("a number opened")
    look.walker.press("Escape")
    look.open(31, "&p=1")
    look.at("the tug-of-war")
    assert look.found == {}


def test_axe_finds_nothing_on_the_page_for_a_program(walkers: OpenWalker, thorough: bool) -> None:
    desk = Desk(walkers()).open().ready()
    look = Looking(desk.walker, thorough)
    look.at("a program", but=())
    desk.source.fill(MISTAKEN)
    desk.field("x", "shape").fill("no shape")
    expect(desk.row("x")).to_contain_text("A shape is whole numbers")
    look.at("a shape that is none")
    desk.field("x", "shape").fill("5, 3")
    look.sees(".mistake")
    look.at("a mistake")
    look.page.get_by_role("button", name="Export").click()
    look.at("the menu")
    look.page.get_by_role("button", name="Starting points").click()
    expect(look.page.locator(".start").first).to_be_focused()
    look.at("the starting points")
    look.page.locator(".start").nth(3).click()
    desk.ready().walk()
    look.at("its walk", but=())
    assert look.found == {}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/reference", marks=pytest.mark.exhaustive),
        pytest.param("/reference?q=softmax", marks=pytest.mark.exhaustive),
        "/no/such/page",
        "/walk/makemore-mlp?seed=-1",
    ],
)
def test_axe_finds_nothing_on_the_other_pages(walkers: OpenWalker, thorough: bool, path: str) -> None:
    look = Looking(walkers(), thorough)
    look.page.goto(look.walker.base + path)
    look.sees("h1:visible")
    look.at(path)
    if path.startswith("/reference?"):
        look.page.get_by_role("button", name="Step by step: softmax", exact=True).click()
        look.sees(".live .figure-code")
        look.at("an operation at work")
    look.walker.complaints[:] = [one for one in look.walker.complaints if "40" not in one and "422" not in one]
    assert look.found == {}
