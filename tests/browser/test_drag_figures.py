"""A number in the hand: the tangent and its slope are those of the place that it was dragged to."""

import re
from typing import Any

import pytest
import torch
from playwright.sync_api import Locator, expect

from backend.program.chapters.chapter import Block
from backend.program.lessons import SHELF
from tests.browser.conftest import OpenWalker, Walker, until
from tests.browser.reading import SECONDS, Reader
from tests.support.asking import array
from tests.support.looking import number
from tests.support.whole_walk import whole_walk
from tests.tools.server import Server

DRAGGED = [
    pytest.param(name, marks=pytest.mark.exhaustive)
    for name, chapter in SHELF.chapters.items()
    if any(isinstance(part, Block) and part.kind == "drag" for part in chapter.parts)
]
# In pixels of the plot: the tangent's ends, where the number is, and the nearest points of the curve around it.
PLOT = """(figure) => {
  const [tangent, curve, dot] = ['.move-tangent', '.move-curve', '.move-dot'].map((one) => figure.querySelector(one));
  const ends = tangent.getAttribute('d').match(/-?[\\d.]+/g).map(Number);
  const points = curve.getAttribute('d').match(/-?[\\d.]+ -?[\\d.]+/g).map((one) => one.split(' ').map(Number));
  const at = parseFloat(dot.style.left) * 3.2;
  const next = points.findIndex(([x]) => x >= at + 0.2);
  return { ends, at: [at, parseFloat(dot.style.top) * 1.5], around: [points[next - 2], points[next + 1]] };
}"""


# A figure above it that is drawn meanwhile pushes a block out of sight, where it asks for nothing.
IN_SIGHT = "(block) => { block.scrollIntoView({block: 'center'}); return !!block.querySelector('[aria-valuemax]'); }"


def in_sight(figure: Locator) -> None:
    until(figure.page, IN_SIGHT, figure.element_handle())


def slope_told(figure: Locator) -> float:
    words = figure.locator(".move-words")
    expect(words).to_contain_text("The slope here is", timeout=SECONDS)
    found = re.search(r"The slope here is (\S+?)\.$", words.text_content() or "")
    assert found, words.text_content()
    return number(found[1])


def drawn_slopes(figure: Locator) -> tuple[float, float, float]:
    """In pixels: the tangent's slope, the curve's around the number, and by how much the tangent misses it."""
    plot = figure.evaluate(PLOT)
    x1, y1, x2, y2 = plot["ends"]
    (a, b), (c, d) = plot["around"]
    slope = (y2 - y1) / (x2 - x1)
    return slope, (d - b) / (c - a), y1 + slope * (plot["at"][0] - x1) - plot["at"][1]


def test_the_tangent_goes_along_with_the_number(walker: Walker) -> None:
    """Of z = 3x·x the slope is 6x: 12 at 2, and 24 at 4."""
    reader = Reader(walker, "first-steps").open()
    figure = reader.page.locator(".block[data-kind=drag]").nth(1)
    figure.scroll_into_view_if_needed()
    typed = figure.locator(".move-number")
    expect(figure.locator(".move-words")).to_contain_text("moves by 12", timeout=SECONDS)
    for value in (4.0, -1.0, 3.0):
        x = torch.tensor(value, requires_grad=True)
        ((x * 3) * x).backward()
        typed.fill(str(value))
        typed.press("Enter")
        there = f"{value:.0f}: z 12".replace("-", "−")
        expect(figure.locator(".move-words")).to_contain_text(f"x from 2 to {there}", timeout=SECONDS)
        assert x.grad is not None
        assert slope_told(figure) == float(x.grad)
        tangent, curve, miss = drawn_slopes(figure)
        assert tangent == pytest.approx(curve, abs=0.05)
        assert abs(miss) < 1.5
    figure.get_by_role("button", name="put x back").click()
    expect(figure.locator(".move-words")).to_contain_text("moves by 12", timeout=SECONDS)
    tangent, curve, miss = drawn_slopes(figure)
    assert tangent == pytest.approx(curve, abs=0.05)


@pytest.mark.parametrize("name", DRAGGED)
def test_every_slope_is_autograd_s(walkers: OpenWalker, server: Server, name: str) -> None:
    reader = Reader(walkers(), name).open()
    for figure in reader.page.locator(".block[data-kind=drag]").all():
        in_sight(figure)
        grip = figure.locator(".move-grip")
        expect(grip).to_have_attribute("aria-valuemax", re.compile(r"\d"), timeout=SECONDS)
        expect(figure.locator(".move-words")).to_have_text(re.compile(r"\w"), timeout=SECONDS)
        for waiting in figure.get_by_role("button", name="show it now").all():
            waiting.click()
        grip.press("Shift+ArrowRight")
        told = slope_told(figure)
        program, place = (figure.get_attribute(f"data-{one}") or "" for one in ("program", "argument"))
        slope = autograd_at(server, f"{name}.{program}" if program else name, place, grip)
        assert told == pytest.approx(slope, rel=2e-3, abs=1e-6), place
        grip.press("Escape")
        expect(reader.page.locator("#chapter")).not_to_have_class(re.compile("has-changes"), timeout=SECONDS)


def autograd_at(server: Server, lesson: str, place: str, grip: Locator) -> float:
    tensor, _, rest = place.partition("[")
    index = [int(one) for one in rest.rstrip("]").split(",") if one.strip()]
    value = float(grip.get_attribute("aria-valuenow") or "")
    change = {"tensor": tensor, "index": index, "value": value}
    walk: Any = whole_walk(server, {"lesson": lesson, "changes": [change]})
    (node,) = [one for one in walk["nodes"] if tensor in (one["name"], one["variable"])]
    return float(array(node["gradient"]["autograd"])[tuple(index)])
