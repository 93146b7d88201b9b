"""A number is held: what depends on it wobbles, the rest stands still; let go, the same way lights back."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MOVING, OpenWalker, Walker
from tests.support.looking import findings
from tests.tools.server import Server

# By the tensor: how far its thumbnail moves to the right at most, and nothing where it stands still.
MOVES = """() => Object.fromEntries([...document.querySelectorAll('#graph .wobbles')].map((one) => {
  const node = one.closest('[data-node]').dataset.node;
  const frames = one.getAnimations().flatMap((animation) => animation.effect.getKeyframes());
  return [node, Math.max(0, ...frames.map((frame) => new DOMMatrix(frame.transform).e))];
}))"""
NAMES = "[...document.querySelectorAll('#graph .{} ')].map((o) => o.closest('[data-node]').dataset.node)"


def asked(server: Server, tensor: str, index: list[int]) -> dict[str, Any]:
    body = {"walk": {"lesson": "makemore-mlp"}, "tensor": tensor, "index": index}
    return dict(server.post("/api/tangents", body).json())


def test_what_depends_on_it_wobbles_in_proportion_and_lights_back(walkers: OpenWalker, server: Server) -> None:
    walker = walkers(**MOVING).open("/walk/makemore-mlp?step=33&cell=2,5&of=gradient")
    told = asked(server, "W2", [2, 5])
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble")).to_contain_text("That is its gradient.")
    moves = walker.ask(MOVES)
    assert set(moves) == set(told["moved"])
    most = {name: one["most"] for name, one in told["moved"].items()}
    order = sorted(most, key=lambda name: most[name])
    assert [moves[name] for name in order] == sorted(moves.values()), "who moves more wobbles more"
    assert all(move > 0 for move in moves.values())
    still = set(walker.ask(NAMES.format("stands-still")))
    assert {"emb", "hprebn", "h", "W1", "b2"} <= still
    assert not still & set(moves)
    walker.page.keyboard.up("h")
    expect(walker.page.locator("#wobble")).to_contain_text("And back along the same way: dW2[2, 5] =")
    assert set(walker.ask(NAMES.format("lit-back"))) == set(moves)
    expect(walker.page.locator("#graph .wobbles")).to_have_count(0)


def test_with_less_motion_marks_and_numbers_stand_instead(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=33&cell=2,5&of=gradient")
    walker.page.keyboard.down("h")
    numbers = walker.page.locator("#wobble li")
    expect(numbers.first).to_have_text("W21ε")
    expect(numbers.last).to_contain_text("loss")
    assert walker.ask("document.querySelector('#graph').getAnimations({ subtree: true }).length") == 0
    assert walker.page.locator("#graph .wobbles").count() == numbers.count()
    assert findings(walker) == []
    walker.page.keyboard.up("h")


def test_a_cell_that_is_pressed_wobbles_and_is_not_picked(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=33")
    walker.page.locator("#picture [data-map]").last.hover()
    walker.page.mouse.down()
    expect(walker.page.locator("#wobble")).to_contain_text("Nudge W2[")
    walker.page.mouse.up()
    expect(walker.page.locator("#wobble")).to_contain_text("And back")
    expect(walker.page.locator("#lens")).to_be_hidden()
    walker.page.locator("#picture [data-map]").last.click()
    expect(walker.page.locator("#lens")).to_be_visible()


@pytest.mark.parametrize(
    ("plant", "words"), [("", "That is its gradient."), ("&plant=33.sign", "The gradient shown says")]
)
def test_a_planted_mistake_is_told_from_the_wobble(walker: Walker, plant: str, words: str) -> None:
    walker.open(f"/walk/makemore-mlp?step=33&cell=2,5&of=gradient{plant}")
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble")).to_contain_text(words)


def test_from_afar_the_boxes_wobble(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=20&graph=boxes")
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble")).to_contain_text("loss moves by 1·ε")
    assert walker.page.locator("#graph .box .wobbles").count() == 1
    assert walker.page.locator("#graph .box .stands-still").count() == 4
