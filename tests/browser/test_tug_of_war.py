"""The tug-of-war: a rope for every row, by mouse, keys, touch and link, told with the row's own numbers."""

import re

import pytest
import torch
from playwright.sync_api import Position, expect

from backend.pipeline import run_of
from tests.browser.conftest import OpenWalker, Walker
from tests.browser.links import link


def opened(walker: Walker) -> str:
    """The cell of the logits that the lens shows."""
    lens = walker.page.locator("#lens[aria-busy=false][data-tensor=logits]")
    expect(lens).to_be_visible()
    return lens.get_attribute("data-index") or ""


def test_the_tug_of_war_opens_its_cells(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31")
    walker.page.locator(".tug-board").focus()
    walker.press("ArrowDown")
    expect(walker.page.locator("#lens")).to_be_hidden()
    walker.press("Enter")
    assert opened(walker).startswith("6,")
    expect(walker.page.locator("#lens .term").first).to_be_focused()


HEAD = 15


def over(walker: Walker, row: int, across: float = 0.7) -> Position:
    """Where a row of the tug-of-war lies on its board."""
    box = walker.page.locator(".tug-board > canvas").bounding_box()
    assert box is not None
    return {"x": box["width"] * across, "y": HEAD + (box["height"] - HEAD) * (row + 0.5) / 32}


def test_the_mouse_shows_a_rope_keeps_it_and_opens_a_cell(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31")
    board, rope, lens = (walker.page.locator(name) for name in (".tug-board", ".rope h2", "#lens"))
    expect(rope).to_contain_text("example 5")
    board.hover(position=over(walker, 11))
    expect(rope).to_contain_text("example 11")
    walker.page.mouse.move(5, 5)
    expect(rope).to_contain_text("example 5")
    board.click(position=over(walker, 13))
    walker.page.mouse.move(5, 5)
    expect(rope).to_contain_text("example 13")
    expect(lens).to_be_hidden()
    board.click(position=over(walker, 5, 0.1))
    board.click(position=over(walker, 5, 0.1))
    walker.page.mouse.move(5, 5)
    expect(rope).to_contain_text("example 5")
    expect(lens).to_be_hidden()
    board.click(position=over(walker, 5))
    assert opened(walker).startswith("5,")
    walker.page.mouse.move(5, 5)
    walker.press("Escape")
    expect(lens).to_be_hidden()
    expect(rope).to_contain_text("example 5")
    expect(walker.page.locator(".rope svg")).to_be_visible()
    walker.press("l")
    assert opened(walker).startswith("5,")


def test_a_rope_tells_the_softmax_of_its_right_class(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31")
    logits = run_of({"lesson": "makemore-mlp"}).forward.tensors
    wanted = torch.softmax(logits["logits"].double(), 1)[torch.arange(32), logits["Yb"]]
    walker.page.locator(".tug-board").focus()
    walker.press(*["ArrowUp"] * 5)  # it begins with the example in focus
    for row, share in enumerate(wanted.tolist()):
        expect(walker.page.locator(".tug-board")).to_have_attribute("aria-valuenow", str(row))
        found = re.search(r"had ([\d.]+) %; guessing blindly gives ([\d.]+) %", walker.text(".rope .had"))
        assert found is not None
        assert [float(text) for text in found.groups()] == pytest.approx([100 * share, 100 / 27], abs=0.06)
        walker.press("ArrowDown")


def test_a_chosen_row_is_in_the_link(walkers: OpenWalker) -> None:
    first = walkers().open("/walk/makemore-mlp?step=31")
    first.page.locator(".tug-board").click(position=over(first, 13))
    expect(first.page).to_have_url(re.compile(r"cell=13,\d+$"))
    second = walkers().open(first.page.url.removeprefix(first.base))
    expect(second.page.locator(".rope h2")).to_contain_text("example 13")
    assert second.text(".rope") == first.text(".rope")
    expect(second.page.locator("#lens")).to_be_hidden()


def test_the_closed_form_is_told_with_the_row_s_own_numbers(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31")
    run = run_of({"lesson": "makemore-mlp"})
    gradient, right = run.gradients["dlogits"], run.forward.tensors["Yb"]
    for row in (4, 20):
        walker.page.locator(".tug-board").click(position=over(walker, row))
        found = re.search(r"\((\S+) − 1\) / (\d+) = ([^\s,]+)", walker.text(".tug-hint"))
        assert found is not None
        share, count, pull = (number_in(text) for text in found.groups())
        assert pull == pytest.approx(float(gradient[row, right[row]]), abs=6e-5)
        assert (share - 1) / count == pytest.approx(pull, abs=6e-5)


def number_in(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.exhaustive
def test_a_tap_chooses_a_row(walkers: OpenWalker) -> None:
    walker = walkers(390, 844, has_touch=True).open("/walk/makemore-mlp?step=31")
    board = walker.page.locator(".tug-board")
    board.scroll_into_view_if_needed()
    board.tap(position=over(walker, 11))
    expect(walker.page.locator(".rope h2")).to_contain_text("example 11")
    expect(walker.page.locator("#lens")).to_be_hidden()
    board.tap(position=over(walker, 11))
    assert opened(walker).startswith("11,")


CLASSES = {
    "source": "logits = x @ W\nloss = F.cross_entropy(logits, y)\n",
    "tensors": {
        "x": {"role": "data", "shape": [6, 4], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 2},
        "y": {"role": "target", "values": [0, 2, 1, 1, 0, 2]},
    },
}


@pytest.mark.exhaustive
def test_a_program_without_letters_has_its_ropes_too(walker: Walker) -> None:
    walker.page.goto(walker.base + link(CLASSES, 4))
    shares = torch.softmax(run_of(CLASSES).forward.tensors["logits"].double(), 1)
    board = walker.page.locator(".tug-board")
    board.focus()
    for row, right in enumerate([0, 2, 1, 1, 0, 2]):
        expect(walker.page.locator(".rope h2")).to_have_text(f"example {row}→ class {right}")
        found = re.fullmatch(r"class (\d) had ([\d.]+) %; guessing blindly gives 33 %\.", walker.text(".rope .had"))
        assert found is not None
        assert int(found[1]) == right
        assert float(found[2]) == pytest.approx(100 * float(shares[row, right]), abs=0.6)
        walker.press("ArrowDown")
