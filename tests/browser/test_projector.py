"""A teacher with a projector and a remote: what stands on the screen, the remote's keys, a link prepared beforehand."""

import re
from itertools import pairwise

import pytest
import torch
from playwright.sync_api import expect

from tests.browser.conftest import READY, OpenWalker, Walker
from tests.browser.links import link
from tests.support.looking import OVERFLOW, SMALLEST, findings
from tests.tools.server import Server

# Of each tensor of the picture its caption, and what of the text stands over something else or is cut off.
SAID = """() => {
  const roles = [...document.querySelectorAll('.piece .label')].map((label) => label.querySelector('span'));
  const words = [...document.querySelectorAll('.piece .label > *, .sign .mark > *')].flatMap((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const box = range.getBoundingClientRect();
    return box.width && part.checkVisibility() ? [{ text: part.textContent, box }] : [];
  });
  const over = words.flatMap(({ text, box }, i) => words.slice(i + 1)
    .filter((other) => Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 1
      && Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 6)
    .map((other) => `${text} on ${other.text}`));
  const cut = [...document.querySelectorAll('#where, .kicker, .changed, .piece .label b, .current-line')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.checkVisibility())
    .map((part) => part.textContent);
  const hidden = [...document.querySelectorAll('.piece:not(.beside)')].filter((piece) =>
    piece.querySelector('.label').getBoundingClientRect().bottom >
      piece.querySelector('.stage .heat').getBoundingClientRect().top + 1).map((piece) => piece.textContent);
  const right = Math.max(0, ...words.map(({ box }) => box.right)) - innerWidth;
  return {
    roles: roles.filter((role) => role.checkVisibility()).map((role) => role.textContent).filter(Boolean),
    over, cut, hidden, right,
    equation: document.querySelectorAll('.piece').length > 0,
    line: document.querySelector('.kicker code')?.textContent ?? '',
    where: document.querySelector('#where').textContent,
    here: document.querySelectorAll('.mini-graph circle.now').length,
    graph: document.querySelector('.mini-graph').getBoundingClientRect().width,
    at: document.querySelector('#where').getBoundingClientRect().width,
  };
}"""
BLOCKS = {"Embedding", "Linear layer", "BatchNorm", "Tanh, linear layer", "Softmax and cross-entropy"}

ROLES = ("arrives", "derivative", "result")

APART = """() => document.querySelector('.leave').getBoundingClientRect().left
  - document.querySelector('.changed').getBoundingClientRect().right"""


def test_a_remote_walks_all_of_makemore_and_every_step_says_what_is_what(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720).open("/walk/makemore-mlp?p=1")
    expect(walker.page.locator("body")).to_have_class("projector")
    seen = set()
    for step in range(51):
        if step:
            walker.press("PageDown")
        said = walker.ask(SAID)
        place = f"{step + 1} / 51"
        assert said["where"].startswith(f"{place} · "), said
        assert said["where"].removeprefix(f"{place} · ") in BLOCKS, said
        assert said["at"] > 0
        assert said["here"] == 1, step + 1
        assert said["graph"] > 200, step + 1
        assert (said["over"], said["cut"], said["hidden"], said["right"] <= 0) == ([], [], [], True), (step + 1, said)
        assert walker.ask(SMALLEST) >= 28, step + 1
        assert max(walker.ask(OVERFLOW)) <= 0, step + 1
        if step > 20:
            assert " = " in said["line"], said
        if step > 20 and said["equation"]:
            assert {"result"} < set(said["roles"]), (step + 1, said)
        seen |= set(said["roles"])
    assert {"arrives", "local derivative", "so far", "result", "one value per copy"} <= seen
    walker.press("PageUp")
    assert walker.ask(SAID)["where"] == "50 / 51 · Embedding"


@pytest.mark.exhaustive
def test_long_names_stand_beside_each_other_not_on_each_other(walkers: OpenWalker) -> None:
    long = {
        "hidden_layer_activation_values": "hidden",
        "embedded_character_contexts": "x",
        "first_projection_weights": "W",
    }
    source = "hidden = torch.tanh(x @ W)\ntotal = hidden.sum()"
    for name, short in long.items():
        source = re.sub(rf"\b{short}\b", name, source)
    drawn = {"role": "parameter", "init": "randn", "seed": 1}
    tensors = {"embedded_character_contexts": [8, 6], "first_projection_weights": [6, 5]}
    request = {"source": source, "tensors": {name: drawn | {"shape": shape} for name, shape in tensors.items()}}
    walker = walkers(1280, 720)
    walker.page.goto(walker.base + link(request, 4, p="1"))
    walker.page.wait_for_selector(READY)
    for _ in range(3):
        # of a name of three rows the third is not drawn: it is on no role
        assert [over for over in walker.ask(SAID)["over"] if not over.endswith(ROLES)] == []
        walker.press("PageDown")


@pytest.mark.exhaustive
def test_a_prepared_link_opens_the_projector(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25").press("p")
    expect(walker.page).to_have_url(re.compile(r"step=25&p=1$"))
    walker.page.reload()
    expect(walker.page.locator(".current-line")).to_contain_text("dcounts_sum_inv =")
    expect(walker.page.locator(".graph-pane")).to_be_hidden()
    walker.press("Escape")
    expect(walker.page.locator(".graph-pane")).to_be_visible()
    expect(walker.page).to_have_url(re.compile(r"step=25$"))


def test_a_projector_says_which_number_was_changed(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720).open("/walk/makemore-mlp?step=25&p=1&changes=b2.5:0.13")
    changed = walker.page.locator(".changed")
    expect(changed).to_have_text("b2[5] = 0.13")
    said = walker.ask(SAID.replace("document.querySelector('.mini-graph').getBoundingClientRect().width", "0"))
    assert (said["over"], said["cut"], said["right"] <= 0) == ([], [], True)
    assert walker.ask(SMALLEST) >= 28
    # an open number takes the line above away: what was changed moves up beside the way out
    walker.open("/walk/makemore-mlp?step=16&p=1&tensor=W2&cell=0,0&of=value&changes=b2.5:0.13")
    expect(walker.page.locator(".lens-name")).to_be_visible()
    expect(changed).to_be_visible()
    assert walker.ask(APART) > 0
    walker.open("/walk/makemore-mlp?step=25&p=1&changes=b2.5:0.13,W1*2,W1~0.1@3")
    expect(changed).to_have_text("3 changes by hand")
    walker.press("p")
    expect(changed).to_be_hidden()
    expect(walker.page.locator("#changes")).to_be_visible()


def test_the_black_key_of_a_remote_blackens_the_screen_and_any_key_brings_it_back(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720).open("/walk/makemore-mlp?step=5&p=1")
    black = walker.page.locator(".black")
    for key, back in (("b", "b"), (".", "."), ("b", "PageDown"), (".", "Escape")):
        walker.press(key)
        expect(black).to_be_visible()
        covered = "document.elementsFromPoint(innerWidth / 2, innerHeight / 2)[0].className"
        assert walker.ask(covered) == "black"
        assert walker.ask("getComputedStyle(document.querySelector('.black')).backgroundColor") == "rgb(0, 0, 0)"
        if key == "b":
            assert findings(walker) == []
        walker.press(back)
        expect(black).to_be_hidden()
        assert walker.text("#where") == "5 / 51 · BatchNorm"
    walker.press("b", "p")  # the second key only brings the picture back
    expect(walker.page.locator("body")).to_have_class("projector")
    walker.press("p", ".")
    assert walker.count == "5 / 51"
    walker.press("b")
    expect(black).to_be_hidden()
    assert walker.count == "21 / 51"


@pytest.mark.exhaustive
def test_the_keys_of_a_remote_are_in_the_list(walker: Walker) -> None:
    walker.open().press("?")
    row = walker.page.locator(".keys > div").filter(has_text="black screen")
    assert row.locator("kbd").all_text_contents() == ["b", "."]


@pytest.mark.parametrize("path", ["/walk/makemore-mlp?step=43", "/walk/makemore-mlp?step=43&p=1"], ids=["desk", "hall"])
def test_type_and_pictures_grow_with_the_window(walker: Walker, path: str) -> None:
    walker.open(path)
    sizes = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const letters = [...document.querySelectorAll('#step-title, .reason .gist, .row .text, .node .label')]
        .filter((part) => part.checkVisibility()).map((part) => parseFloat(getComputedStyle(part).fontSize));
      const { width, height } = document.querySelector('.heat').getBoundingClientRect();
      resolve([letters[0], letters.at(-1), height, width]);
    })))"""
    grown = []
    for size in ((1280, 720), (1920, 1080), (2560, 1440)):
        walker.page.set_viewport_size({"width": size[0], "height": size[1]})
        walker.press("ArrowRight", "ArrowLeft")
        grown.append(walker.ask(sizes))
        assert walker.ask("document.documentElement.scrollHeight - innerHeight") <= 0
        assert (
            walker.ask("document.querySelector('#step').scrollWidth - document.querySelector('#step').clientWidth") <= 0
        )
    for small, large in pairwise(grown):
        assert all(after >= 1.1 * before for before, after in zip(small, large, strict=True)), grown


def test_a_slide_says_what_its_colours_mean_and_which_row_it_is_about(walkers: OpenWalker, server: Server) -> None:
    walker = walkers(1280, 720).open("/?p=1&step=33")
    key = walker.page.locator("#hall-key")
    told = server.post("/api/walk?arrays=lists", {"lesson": "makemore-mlp", "only": ["dW2", "emb"]}).json()["tensors"]
    for keys, name in (([], "dW2"), (["Home"], "emb")):
        walker.press(*keys)
        largest = torch.tensor(told[name]).abs().max().item()
        expect(key).to_be_visible()
        expect(key).to_have_text(f"−+{name} ± {largest:.3g}".replace(" ", "\u00a0"))
    negative, positive = key.locator("canvas").evaluate(ENDS)
    assert negative[2] > negative[0], "blue is negative"
    assert positive[0] > positive[2], "red is positive"
    walker.open("/?p=1&step=31&cell=4,0")
    row = server.post("/api/walk", {"lesson": "makemore-mlp"}).json()["labels"]["example"][4]
    expect(walker.page.locator(".rope h2 code")).to_have_text(row)
    assert walker.page.locator(".rope h2").evaluate("(name) => parseFloat(getComputedStyle(name).fontSize)") >= 28


# The first and the last colour that a key draws.
ENDS = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, canvas.height >> 1, canvas.width, 1);
  return [[...data.slice(4, 8)], [...data.slice(-8, -4)]];
}"""
