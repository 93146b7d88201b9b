"""A convolution as a picture: the kernel over its patch, forward and backward, and pooling with those who won."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenWalker, Walker
from tests.browser.links import link

REQUEST: dict[str, Any] = {
    "source": "y = F.conv2d(x, w, b, padding=1)\nh = F.max_pool2d(y, 2)\nloss = (h * t).mean()",
    "tensors": {
        "x": {"role": "data", "shape": [1, 1, 4, 4], "init": "randn", "seed": 3},
        "w": {"role": "parameter", "shape": [2, 1, 3, 3], "init": "randn", "seed": 4},
        "b": {"role": "parameter", "shape": [2], "init": "randn", "seed": 5},
        "t": {"role": "target", "shape": [1, 2, 2, 2], "init": "randn", "seed": 6},
    },
}


SHEETS = {"x": [4, 4], "w": [6, 3], "b": [1, 2], "y": [8, 4], "dy": [8, 4], "dx": [4, 4], "dw": [6, 3]}


def opened(walker: Walker, step: int) -> Walker:
    walker.page.goto(walker.base + link(REQUEST, step))
    expect(walker.page.locator("#transport")).to_be_visible()
    return walker.there()


def frames(walker: Walker, label: str) -> list[list[float]]:
    """What is outlined of a tensor of the equation: left, top, width, height, counted in cells."""
    return list(
        walker.ask(f"""(() => {{
      const piece = [...document.querySelectorAll("#picture .piece")].find(
        (one) => one.querySelector(".label b").textContent === "{label}");
      const canvas = piece.querySelector("canvas").getBoundingClientRect();
      const [rows, cols] = {SHEETS[label]};
      return [...piece.querySelectorAll(".over .mark")].map((mark) => {{
        const at = mark.getBoundingClientRect();
        const [across, down] = [canvas.width / cols, canvas.height / rows];
        return [(at.left - canvas.left) / across, (at.top - canvas.top) / down, at.width / across, at.height / down]
          .map(Math.round);
      }});
    }})()""")
    )


def set_apart(walker: Walker, label: str) -> list[int]:
    """The rows of a tensor of the equation above which a line is drawn from side to side."""
    piece = walker.page.locator(
        "#picture .piece", has=walker.page.locator(".label b", has_text=re.compile(f"^{label}$"))
    )
    height = (piece.locator("canvas").bounding_box() or {"height": 0})["height"]
    drawn = "".join(line.get_attribute("d") or "" for line in piece.locator(".over .rule").all())
    return [round(float(at) / height * SHEETS[label][0]) for at in re.findall(r"M0 ([\d.]+)H", drawn)]


@pytest.mark.parametrize("width", [pytest.param(1440, marks=pytest.mark.exhaustive), 390])
def test_the_kernel_lies_over_its_patch(walkers: OpenWalker, width: int) -> None:
    walker = opened(walkers(width), 1)
    # the middle of the first channel: a patch of nine cells around it, the whole first kernel, the first bias
    assert frames(walker, "y") == [[2, 2, 1, 1]]
    assert frames(walker, "x") == [[1, 1, 3, 3]]
    assert frames(walker, "w") == [[0, 0, 3, 3]]
    assert frames(walker, "b") == [[0, 0, 1, 1]]


def test_back_through_the_kernel_and_over_what_it_slid(walkers: OpenWalker) -> None:
    walker = opened(walkers(), 7)
    assert walker.title == "dx"
    # a cell fed the nine places around it in each of the two channels
    assert frames(walker, "dx") == [[2, 2, 1, 1]]
    assert frames(walker, "dy") == [[1, 1, 3, 3], [1, 5, 3, 3]]
    assert frames(walker, "w") == [[0, 0, 3, 3], [0, 3, 3, 3]]
    # the pictures of the two channels stand apart
    assert [set_apart(walker, label) for label in ("dx", "dy", "w")] == [[], [4], [3]]
    walker.press("ArrowRight")
    assert walker.title == "dw"
    assert frames(walker, "dw") == [[1, 1, 1, 1]]
    assert frames(walker, "dy") == [[0, 0, 4, 4]]
    assert frames(walker, "x") == [[0, 0, 4, 4]]


def test_the_window_goes_where_a_cell_is_picked_by_keyboard(walkers: OpenWalker) -> None:
    walker = opened(walkers(), 1)
    result: Locator = walker.page.locator("#picture .is-result .map")
    result.focus()
    walker.press("ArrowRight", "ArrowDown", "Enter")
    expect(walker.page).to_have_url(re.compile("cell="))
    assert frames(walker, "y") == [[0, 1, 1, 1]]
    assert frames(walker, "x") == [[0, 0, 2, 3]]


def test_pooling_shows_who_won(walkers: OpenWalker) -> None:
    """One cell of each window of two by two, the one with the window's largest number."""
    walker = opened(walkers(), 2)
    won = frames(walker, "y")
    windows = {(left // 2, top // 2) for left, top, _, _ in won}
    assert len(won) == len(windows) == 8
    assert {(width, height) for _, _, width, height in won} == {(1, 1)}
