"""What holds at every step of a walk, looked at on one way through it.

Nothing of a step lies below the fold, or beside the page; the score keeps its width; no word is explained twice.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import backend
from tests.browser.conftest import LINES, OpenWalker, Walker

# The smaller one has the less room.
SIZES = [pytest.param((1440, 900), marks=pytest.mark.exhaustive), (1280, 720)]
# What is not to be seen of a step: outside the pane or below what stands at its foot, or cut by its own box.
FAULTS = """() => {
  const pane = document.querySelector("#step"), frame = pane.getBoundingClientRect();
  const foot = document.querySelector("#evidence"), over = foot.getBoundingClientRect();
  const words = (node) => node.textContent.trim().slice(0, 60);
  const faults = [];
  const texts = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const boxes = [...pane.querySelectorAll("canvas, svg, .badge, math")].map((one) => [one, one.tagName]);
  while (texts.nextNode()) {
    if (texts.currentNode.data.trim()) boxes.push([texts.currentNode, words(texts.currentNode)]);
  }
  for (const [node, name] of boxes) {
    const element = node.nodeType === 3 ? node.parentElement : node;
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".unseen, .lights")) continue;
    range.selectNodeContents(node);
    const box = node.nodeType === 3 ? range.getBoundingClientRect() : node.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const bottom = foot.contains(node) ? frame.bottom : Math.min(frame.bottom, over.top);
    if (box.bottom > bottom + 1) faults.push(`${name}: ${Math.round(box.bottom - bottom)} below`);
    if (box.top < frame.top - 1) faults.push(`${name}: ${Math.round(frame.top - box.top)} above`);
    if (box.right > frame.right + 1) faults.push(`${name}: ${Math.round(box.right - frame.right)} beside`);
    for (let own = element; own !== pane && node.nodeType === 3; own = own.parentElement) {
      const style = getComputedStyle(own);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const clip = own.getBoundingClientRect();
      const out = Math.max(box.right - clip.right, box.bottom - clip.bottom, clip.top - box.top, clip.left - box.left);
      if (out > 4) faults.push(`${name}: cut by ${Math.round(out)}`);
    }
  }
  if (pane.scrollHeight > pane.clientHeight + 1) faults.push(`scrolls by ${pane.scrollHeight - pane.clientHeight}`);
  return faults;
}"""

# How far a step reaches beyond the page to the right, and its charts or its main reason below what they stand above.
OVER = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [page, pane] = [document.documentElement, document.querySelector("#step")];
  const pieces = [...document.querySelectorAll(".piece, .below")].map((one) => one.getBoundingClientRect().right);
  const line = parseFloat(getComputedStyle(document.querySelector("#reason .gist")).lineHeight);
  const over = {
    page: page.scrollWidth - innerWidth,
    pane: pane.scrollWidth - pane.clientWidth,
    picture: Math.max(...pieces) - box("#picture").right,
    charts: box("#evidence").bottom - box("#transport").top,
    reason: box("#reason .gist").top + line - box("#evidence").top,
  };
  return Object.entries(over).filter(([, pixels]) => Math.round(pixels) > 0).map((one) => one.join(" over by "));
}"""
STAFF = "() => document.querySelector('.staff').getBoundingClientRect().width"
GLOSSED = "() => [...document.querySelectorAll('#story .glossed')].map((one) => one.dataset.term)"


def looks(walker: Walker, steps: int, look: str) -> dict[str, Any]:
    """What a look finds, by step: one key a step."""
    found = {}
    for number in range(1, steps + 1):
        if shown := walker.ask(look):
            found[f"{number} {walker.text('#step-title')}"] = shown
        walker.press("PageDown")
    return found


def faults(walker: Walker, steps: int) -> dict[str, Any]:
    """What can't be seen, by step."""
    return looks(walker, steps, FAULTS)


def open_at(walker: Walker, name: str) -> int:
    """Opens the walk of a lesson or of a starting point; how many steps it has."""
    walker.open(f"/walk/{name}")
    return int(walker.count.split("/")[1])


LESSONS = [lesson["name"] for lesson in backend.lessons() if lesson["seed"]]
WALKS = [*LESSONS, *(start["name"] for start in backend.starts() if start["name"] != "line")]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_step_can_be_seen_without_scrolling(walkers: OpenWalker, size: tuple[int, int]) -> None:
    """The lesson walked most, whole; all other walks in `make test-all`."""
    walker = walkers(*size, reduced_motion="reduce")
    steps = open_at(walker, "makemore-mlp")
    assert steps == 51
    seen = looks(walker, steps, f"() => [({FAULTS})(), ({OVER})(), ({STAFF})(), ({GLOSSED})()]")
    assert {step: found for step, (hidden, over, *_) in seen.items() if (found := hidden + over)} == {}
    staffs = [staff for _, _, staff, _ in seen.values()]
    assert max(staffs) - min(staffs) < 0.5
    assert {step: words for step, (*_, words) in seen.items() if len(set(words)) != len(words)} == {}
    explained = {word for *_, words in seen.values() for word in words}
    assert {f"term-{word}" for word in ("keepdim", "logit", "broadcast", "manual", "local-derivative")} <= explained


@pytest.mark.parametrize("width", [*(pytest.param(w, marks=pytest.mark.exhaustive) for w in (1440, 1024, 768)), 390])
def test_no_step_runs_out_of_the_page_sideways(walkers: OpenWalker, width: int) -> None:
    walker = walkers(width=width, height=844, reduced_motion="reduce")
    found = looks(walker, open_at(walker, "makemore-mlp"), OVER)
    assert {step: over for step, over in found.items() if re.search("page|pane|picture", str(over))} == {}


@pytest.mark.parametrize(
    "step", [pytest.param(n, marks=() if n in (22, 51) else pytest.mark.exhaustive) for n in range(21, 52)]
)
def test_a_local_jacobian_leaves_room_for_the_reason(walkers: OpenWalker, step: int) -> None:
    """On a low screen, with the tallest words and pictures there are."""
    walker = walkers(1280, 720).open(f"/walk/makemore-mlp?step={step}&view=jacobian")
    if walker.page.locator(".jacobian").count():
        expect(walker.page.locator(".jacobian")).to_have_attribute("aria-busy", "false")
        assert walker.ask(FAULTS) == []
        if (product := walker.page.locator(".product-map")).count():
            product.focus()  # a cell is read: that takes no further line
            expect(walker.page.locator(".jacobian-readout")).to_contain_text(" · times ")
            assert walker.ask(FAULTS) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", [name for name in WALKS if name != "makemore-mlp"])
def test_every_step_of_the_other_walks_can_be_seen(walkers: OpenWalker, name: str, size: tuple[int, int]) -> None:
    walker = walkers(*size, reduced_motion="reduce")
    assert faults(walker, open_at(walker, name)) == {}


def test_what_cannot_be_seen_is_found(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    for selector, style, fault in (
        (".lead", "padding-top: 300px", "below"),
        (".piece .label b", "display: block; width: 20px; overflow: hidden; white-space: nowrap", "cut by"),
        (".badge", "position: relative; left: 90px", "beside"),
    ):
        assert walker.ask(FAULTS) == []
        walker.page.locator(selector).first.evaluate("(element, style) => element.setAttribute('style', style)", style)
        assert any(fault in found for found in walker.ask(FAULTS)), fault
        walker.page.locator(selector).first.evaluate("(element) => element.removeAttribute('style')")


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_an_open_number_leaves_the_equation_where_it_was(
    walkers: OpenWalker, size: tuple[int, int], thorough: bool
) -> None:
    walker = walkers(*size, reduced_motion="reduce")
    lens = walker.page.locator("#lens")
    walker.open(LINES)
    for step in (3, 22, 25, 27, 30, 33, 51) if thorough else (3, 25, 33):
        while int(walker.count.split("/")[0]) < step:
            walker.press("PageDown")
        expect(walker.page).to_have_url(re.compile(rf"step={step}$"))  # all that a step changes has been drawn
        before = walker.page.locator(".equation").first.bounding_box()
        walker.press("l")
        expect(lens).to_be_visible()
        expect(lens).to_have_attribute("aria-busy", "false")
        assert walker.page.locator(".equation").first.bounding_box() == before, step
        assert walker.ask(LENS_CUT) <= 0, step
        walker.press("Escape")
        expect(lens).to_be_hidden()


# How far the last line of an open number reaches below the place where it can be seen.
LENS_CUT = """() => document.querySelector("#lens .lens-foot").getBoundingClientRect().bottom
  - document.querySelector("#evidence").getBoundingClientRect().top"""
