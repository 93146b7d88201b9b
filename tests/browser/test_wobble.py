"""A number is held: what depends on it wobbles, the rest stands still; let go, the same way lights back."""

import re
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
# Of each class where its bar goes, as a share of the height: at rest, and at its highest or lowest.
SWINGS = """() => [...document.querySelectorAll('#wobble .chance i')].map((bar) => {
  const frames = bar.getAnimations().flatMap((animation) => animation.effect.getKeyframes());
  return frames.map((frame) => new DOMMatrix(frame.transform).d);
})"""
# What of the list in a hall is in sight: of an item that is cut, nothing.
SEEN = """() => {
  const list = document.querySelector('#wobble ol').getBoundingClientRect();
  return [...document.querySelectorAll('#wobble li')].filter((one) => {
    const { width, bottom, right } = one.getBoundingClientRect();
    return width && bottom <= list.bottom + 1 && right <= list.right + 1;
  }).map((one) => one.textContent);
}"""
PLACE = "(part) => { const { top, bottom } = part.getBoundingClientRect(); return [top, bottom]; }"
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
    most = told["moved"]
    order = sorted(most, key=lambda name: float(most[name]))
    assert [moves[name] for name in order] == sorted(moves.values()), "who moves more wobbles more"
    assert all(move > 0 for move in moves.values())
    still = set(walker.ask(NAMES.format("stands-still")))
    assert {"emb", "hprebn", "h", "W1", "b2"} <= still
    assert not still & set(moves)
    walker.page.keyboard.up("h")
    back = "And back along the same way: dW2[2, 5] ="
    expect(walker.page.locator("#wobble")).to_contain_text(back, use_inner_text=True)
    assert set(walker.ask(NAMES.format("lit-back"))) == set(moves)
    expect(walker.page.locator("#graph .wobbles")).to_have_count(0)
    grown = "document.getAnimations().filter(({ effect }) => effect.target.closest('#wobble li'))"
    scaled = "some(({ effect }) => effect.getKeyframes().some(({ transform }) => transform?.includes('scale')))"
    assert not walker.ask(f"{grown}.{scaled}"), "words that stand side by side don't grow over each other"
    walker.page.locator("#step-title").click()
    assert walker.page.locator("#wobble").is_hidden(), "at once: a little later it goes by itself"


def test_a_hall_sees_the_nearest_and_the_loss_and_nothing_moves_as_it_is_let_go(
    walkers: OpenWalker, server: Server
) -> None:
    walker = walkers(1280, 720).open("/walk/makemore-mlp?p=1&step=51&cell=1,2&of=gradient")
    moved = list(asked(server, "C", [1, 2])["moved"])
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble")).to_contain_text("That is its gradient.")
    seen = walker.ask(SEEN)
    assert seen[0] == "C1ε"
    assert seen[-1].startswith("loss"), seen
    assert seen[-2] == f"… {len(moved) - len(seen) + 1} more", (len(moved), seen)
    assert len(seen) > 5
    place = walker.page.locator("#wobble").evaluate(PLACE)
    walker.page.keyboard.up("h")
    expect(walker.page.locator("#wobble")).to_contain_text("And back", use_inner_text=True)
    assert walker.page.locator("#wobble").evaluate(PLACE) == place
    walker.page.set_viewport_size({"width": 1920, "height": 1080})
    walker.open("/walk/makemore-mlp?p=1&step=33&cell=2,5&of=gradient")
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble")).to_contain_text("That is its gradient.", use_inner_text=True)
    top = walker.page.locator("#wobble").evaluate(PLACE)[0]
    formula = "document.querySelector('.lens-formula').firstElementChild.getBoundingClientRect().bottom"
    assert walker.ask(formula) <= top
    walker.page.keyboard.up("h")
    expect(walker.page.locator("#wobble")).to_contain_text("And back", use_inner_text=True)
    assert walker.page.locator("#wobble").evaluate(PLACE)[0] == top


def test_probabilities_swing_in_proportion(walkers: OpenWalker, server: Server) -> None:
    walker = walkers(**MOVING).open("/walk/makemore-mlp?step=33&cell=2,5&of=gradient")
    chances = asked(server, "W2", [2, 5])["chances"]
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble .chance")).to_have_count(27)
    expect(walker.page.locator("#wobble figcaption")).to_have_text(re.compile("the probability of “n” moves by"))
    swings = walker.ask(SWINGS)
    goes = [frames[1] - frames[0] for frames in swings]
    ratio = goes[5] / chances["moves"][5]
    assert goes[5] > 0.1, "the class whose score is moved goes up, and is seen to"
    assert goes == pytest.approx([ratio * one for one in chances["moves"]], abs=2e-4)
    rests = [frames[0] for frames in swings]
    assert rests == pytest.approx([rests[5] / chances["shares"][5] * one for one in chances["shares"]], abs=2e-4)


@pytest.mark.exhaustive
def test_pictures_wobble_and_gradients_light_back(walkers: OpenWalker) -> None:
    walker = walkers(**MOVING).open("/walk/makemore-mlp?step=12&cell=2,5&tensor=W2&of=value")
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#picture .wobbles")).to_have_count(2)
    names = "[...document.querySelectorAll('#picture .{}')].map((o) => o.dataset.map.replace(/ \\d+$/, ''))"
    assert walker.ask(names.format("wobbles")) == ["value W2", "value logits"]
    assert walker.ask(names.format("stands-still")) == ["value h", "value b2"]
    walker.page.keyboard.up("h")
    expect(walker.page.locator("#picture .wobbles")).to_have_count(0)
    walker.open("/walk/makemore-mlp?step=33&cell=2,5&of=gradient")
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble")).to_contain_text("Nudge W2[2, 5]")
    assert walker.page.locator("#picture .wobbles").count() == 0, "a gradient is what comes back"
    walker.page.keyboard.up("h")
    expect(walker.page.locator("#picture .lit-back[data-map^='gradient W2']")).to_have_count(1)


def test_with_less_motion_marks_and_numbers_stand_instead(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=33&cell=2,5&of=gradient")
    walker.page.keyboard.down("h")
    numbers = walker.page.locator("#wobble li")
    expect(numbers.first).to_have_text("W21ε")
    expect(numbers.last).to_contain_text("loss")
    assert walker.ask("document.getAnimations().length") == 0
    bars = walker.ask("[...document.querySelectorAll('#wobble .chance')].map((one) => one.children[1].style.transform)")
    assert len(set(bars)) > 20, "each stands where the nudge brings it"
    assert walker.page.locator("#graph .wobbles").count() == numbers.count()
    assert findings(walker) == []
    walker.page.keyboard.up("h")


def test_a_cell_that_is_pressed_wobbles_and_is_not_picked(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=33")
    walker.page.locator("#picture [data-map]").last.hover()
    walker.page.mouse.down()
    expect(walker.page.locator("#wobble")).to_contain_text("Nudge W2[")
    walker.page.mouse.up()
    expect(walker.page.locator("#wobble")).to_contain_text("And back", use_inner_text=True)
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


@pytest.fixture
def chapter(walkers: OpenWalker) -> Walker:
    """A chapter that begins with its graph."""
    walker = walkers(**MOVING).open("/learn/first-steps")
    walker.page.locator("#graph").scroll_into_view_if_needed()
    expect(walker.page.locator("#graph")).to_have_class(re.compile("is-drawn"))
    return walker


def test_in_a_chapter_the_same_key_holds(chapter: Walker, server: Server) -> None:
    page = chapter.page
    page.locator("#graph").hover()
    page.keyboard.down("h")
    expect(page.locator("#wobble")).to_contain_text("That is its gradient.")
    body = {"walk": {"lesson": "first-steps"}, "tensor": held(chapter), "index": []}
    moved = dict(server.post("/api/tangents", body).json())["moved"]
    wobbling = "[...document.querySelectorAll('#graph .{}')].map((one) => one.dataset.node)"
    assert set(chapter.ask(wobbling.format("wobbles"))) == set(moved)
    nodes = page.locator("#graph .graph-node").count()
    assert len(chapter.ask(wobbling.format("stands-still"))) == nodes - len(moved)
    assert chapter.ask("document.querySelectorAll('#wobble li.wobbles').length") == len(moved)
    page.keyboard.up("h")
    expect(page.locator("#wobble")).to_contain_text("And back along the same way", use_inner_text=True)
    assert set(chapter.ask(wobbling.format("lit-back"))) == set(moved)


def held(walker: Walker) -> str:
    """What is told of: `w` of "Nudge w by ε"."""
    return str(walker.text("#wobble code")).partition("[")[0]


def test_a_node_of_a_chapter_is_pressed_and_no_step_is_taken(chapter: Walker) -> None:
    page = chapter.page
    node = page.locator("#graph .graph-node.is-parameter").first
    node.hover()
    page.mouse.down()
    expect(page.locator("#wobble")).to_contain_text(f"Nudge {node.get_attribute('data-node')}")
    page.mouse.up()
    expect(page.locator("#wobble")).to_contain_text("And back", use_inner_text=True)
    assert page.locator("#graph .graph-node.here").count() == 0
    page.locator("#graph .graph-node.is-made").first.click()
    expect(page.locator("#graph .graph-node.here")).to_have_count(1)
    node.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#graph .graph-node.here")).to_have_count(1)


def test_a_node_is_held_at_a_number_that_the_loss_feels(walkers: OpenWalker) -> None:
    """The largest probability is that of a letter which isn't the right one: no loss depends on it."""
    page = walkers(width=1440, height=900).open("/learn/makemore-mlp").page
    page.locator("#graph").scroll_into_view_if_needed()
    page.locator("#graph [data-node=probs]").hover()
    page.mouse.down()
    expect(page.locator("#wobble")).to_contain_text("Nudge probs[")
    expect(page.locator("#wobble")).to_contain_text("That is its gradient.")
    page.mouse.up()


def test_a_number_that_was_moved_wobbles_where_it_is(walkers: OpenWalker, server: Server) -> None:
    """The program of a chapter after a drag is another program."""
    walker = walkers(**MOVING).open("/learn/softmax-cross-entropy")
    figure = walker.page.locator("#drag-logits-0-0")
    figure.scroll_into_view_if_needed()
    slider = figure.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", "2")
    slider.press("ArrowRight")
    expect(figure.locator(".put-back")).to_be_visible()
    figure.hover()
    before = dict(server.post("/api/tangents", asking("softmax-cross-entropy")).json())["slope"]
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble")).to_contain_text("That is its gradient.")
    expect(walker.page.locator("#wobble")).not_to_contain_text(f"by {before:.4g}".replace("-", "−"))


def asking(lesson: str) -> dict[str, Any]:
    return {"walk": {"lesson": lesson}, "tensor": "logits", "index": [0, 0]}


def test_in_a_chapter_less_motion_has_marks_and_words(walkers: OpenWalker) -> None:
    walker = walkers(width=390, height=844).open("/learn/softmax-cross-entropy")
    figure = walker.page.locator("#step-forward-probs")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_class(re.compile("is-drawn"))
    figure.locator("[data-map^='value probs']").focus()
    walker.page.keyboard.down("h")
    expect(walker.page.locator("#wobble li").first).to_contain_text("probs1ε")
    expect(figure.locator("[data-map^='value probs'].wobbles")).to_have_count(1)
    assert walker.ask("document.getAnimations().filter((one) => one.effect.target.closest('.wobbles')).length") == 0
    assert findings(walker) == []
    walker.page.keyboard.up("h")
