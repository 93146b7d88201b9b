"""The graph fits its pane at every size, says what its signs mean, and stands where the walk is."""

import math
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import READY, OpenWalker, Walker
from tests.browser.desk import Desk
from tests.browser.links import link
from tests.support.looking import findings, number
from tests.tools.forked import forked
from tests.tools.server import ROOT, Server

SIZES = [(1280, 720), (1440, 900), (1920, 1080), (2560, 1440), (768, 1024)]
STARTS = [tomllib.loads(path.read_text())["title"] for path in sorted((ROOT / "backend/program/starts").glob("*.toml"))]
# Once the pane has told its new size and the graph has been placed anew.
FITS = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const graph = document.querySelector('#graph');
  const view = graph.getBoundingClientRect();
  const shown = (selector) => [...graph.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const places = shown('.node, .again, .box');
  const cut = places.filter((place) => {
    const box = place.getBoundingClientRect();
    return box.left < view.left - 0.5 || box.right > view.right + 0.5 || box.top < view.top || box.bottom > view.bottom;
  });
  const letters = shown('.label, .again, .group-name, .box-name > span:first-child');
  const rows = places.filter((place) => !place.matches('.pill, .again, .box'));
  resolve({
    cut: cut.map((place) => place.textContent),
    scrolls: [graph.scrollWidth - graph.clientWidth, graph.scrollHeight - graph.clientHeight],
    smallest: Math.min(...letters.map((letter) => parseFloat(getComputedStyle(letter).fontSize))),
    least: Math.min(...letters.map((letter) => letter.getBoundingClientRect().width)),
    last: rows.at(-1)?.dataset.node ?? null,
  });
})))"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One that takes the time that 300 steps may need beside other work."""
    with forked(deadline=120) as patient:
        yield patient


def tensor(role: str, *shape: int) -> dict[str, Any]:
    return {"role": role, "shape": list(shape), "init": "randn"}


LONG_NAMES = {
    "source": "embedded_character_contexts = input_embeddings_of_characters @ first_layer_projection_weights\n"
    "hidden_layer_activation_values = torch.tanh(embedded_character_contexts + first_layer_projection_biases)\n"
    "mean_of_squared_hidden_values = (hidden_layer_activation_values**2).mean()",
    "tensors": {
        "input_embeddings_of_characters": tensor("data", 8, 6),
        "first_layer_projection_weights": tensor("parameter", 6, 5),
        "first_layer_projection_biases": tensor("parameter", 5),
    },
}
ONE_WEIGHT = {
    "source": "\n".join(
        ["h0 = x @ W + b"] + [f"h{i} = h{i - 1} @ W + b" for i in range(1, 60)] + ["loss = h59.mean()"]
    ),
    "tensors": {
        "x": tensor("data", 4, 4),
        "W": tensor("parameter", 4, 4) | {"scale": 0.4},
        "b": tensor("parameter", 4),
    },
}


def walk(walker: Walker, request: dict[str, Any], step: int) -> None:
    walker.page.goto(walker.base + link(request, step))
    expect(walker.page.locator("#transport")).to_be_visible(timeout=120_000)
    Desk(walker).walking()


def holds(walker: Walker, loss: str | None = "loss") -> None:
    """At five sizes of the window nothing is cut, nothing scrolls, and the loss stands last, in sight.

    Boxes that are closed show no line: there is no last one.
    """
    for width, height in SIZES:
        walker.page.set_viewport_size({"width": width, "height": height})
        seen = walker.ask(FITS)
        assert seen["cut"] == [], (width, seen)
        assert max(seen["scrolls"]) <= 0, (width, seen)
        assert seen["smallest"] >= 10, (width, seen)
        assert seen["least"] >= 5, (width, seen)
        assert seen["last"] == loss, (width, seen)


def test_makemore_is_whole_at_every_size(walker: Walker) -> None:
    holds(walker.open("/walk/makemore-mlp?step=36"))


@pytest.mark.parametrize(
    ("request_", "loss"), [(LONG_NAMES, "mean_of_squared_hidden_values"), (ONE_WEIGHT, "loss")], ids=["long", "shared"]
)
def test_long_names_and_a_weight_of_60_uses_are_whole_at_every_size(
    walker: Walker, request_: dict[str, Any], loss: str
) -> None:
    walk(walker, request_, 5)
    holds(walker, loss)


def test_every_starting_point_is_whole_at_every_size(walker: Walker, thorough: bool) -> None:
    """One in five; every one in `make test-all`. Those with headings begin as boxes."""
    boxed, near = 0, walker.page.locator("#graph-lines")
    for title in STARTS[:: 1 if thorough else 5]:
        walker.page.set_viewport_size({"width": 1440, "height": 900})
        Desk(walker).open().start(title).ready().walk()
        if near.is_visible():
            boxed += 1
            holds(walker, None)
            walker.page.set_viewport_size({"width": 1440, "height": 900})
            near.click()
            expect(near).to_have_attribute("aria-pressed", "true")
        last = walker.ask("[...document.querySelectorAll('.node:not(.pill)')].at(-1).dataset.node")
        holds(walker, last)
    assert boxed == (3 if thorough else 0)


@pytest.mark.exhaustive
def test_a_weight_of_60_uses_stands_beside_each_and_is_marked_where_the_walk_is(walker: Walker) -> None:
    walk(walker, ONE_WEIGHT, 100)
    places = "[...document.querySelectorAll('#graph .pill')].filter((pill) => pill.textContent.startsWith('W')).length"
    assert walker.ask(places) == 60
    assert walker.page.locator("#graph .node").filter(has_text="W").count() == 1
    while walker.title != "dW":
        walker.press("ArrowRight")
    beside = """() => {
      const middle = (e) => { const { top, height } = e.getBoundingClientRect(); return top + height / 2; };
      return [middle(document.querySelector('.here')), middle(document.querySelector('.node.through'))];
    }"""
    here, through = walker.ask(beside)
    assert abs(here - through) < 1
    assert walker.node == "W"


def test_a_tensor_that_no_line_reads_is_not_in_the_graph(walker: Walker) -> None:
    request = {
        "source": "h = x * w\nloss = h.sum()",
        "tensors": {name: tensor("parameter", 3) for name in ("x", "w", "b", "W2")},
    }
    walk(walker, request, 1)
    assert walker.page.locator("#graph .node .label").all_text_contents() == ["h", "x", "w", "loss"]
    walker.press("c")
    expect(walker.page.locator("#missing")).to_contain_text("Not used by the program: b, W2")


@pytest.mark.exhaustive
def test_the_legend_folds_and_stays_as_it_was_left(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=36")
    legend, fold = walker.page.locator("#graph-legend"), walker.page.get_by_role("button", name="legend")
    expect(legend).to_be_visible()
    expect(legend).to_contain_text("not yet computed")
    assert findings(walker, but=()) == []
    fold.click()
    expect(legend).to_be_hidden()
    walker.page.reload()
    walker.page.wait_for_selector(READY)
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(legend).to_be_hidden()
    fold.click()
    expect(legend).to_be_visible()
    assert walker.ask(FITS)["cut"] == []


def test_edges_tell_gradients_apart_and_the_legend_says_how_much(walker: Walker) -> None:
    """One edge is seen to be several times as wide as another, on the way back to the first line, too."""
    walker.open("/walk/makemore-mlp?step=51")
    widths = """[...document.querySelectorAll('#graph path.flowed')]
      .map((path) => parseFloat(getComputedStyle(path).strokeWidth))"""
    drawn = walker.ask(widths)
    assert max(drawn) / min(drawn) > 8
    assert len({round(width) for width in drawn}) >= 6
    samples = walker.page.locator("#graph-legend .sample")
    sizes = [number(text) for text in samples.all_text_contents()]
    thin, wide = walker.ask(
        "[...document.querySelectorAll('.sample path')].map((path) => parseFloat(getComputedStyle(path).strokeWidth))"
    )
    assert 10 * sizes[0] <= sizes[1]
    assert min(drawn) <= thin < wide <= max(drawn)
    # the edge of `W2`, whose norm the walk itself has, lies between the two as its number does
    norm = """async () => {
      const body = JSON.stringify({ lesson: 'makemore-mlp' });
      const sent = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      const walk = await (await fetch('/api/walk?arrays=lists', sent)).json();
      const cells = walk.nodes.find((node) => node.name === 'W2').gradient.manual.flat(9);
      return Math.sqrt(cells.reduce((sum, cell) => sum + cell * cell, 0));
    }"""
    share = math.log(walker.ask(norm) / sizes[0]) / math.log(sizes[1] / sizes[0])
    assert any(abs((width - thin) / (wide - thin) - share) < 0.02 for width in drawn)


@pytest.mark.parametrize(("width", "height"), [pytest.param(720, 450, marks=pytest.mark.exhaustive), (390, 800)])
def test_where_little_of_a_page_is_left_the_graph_folds_away(walkers: OpenWalker, width: int, height: int) -> None:
    walker = walkers(width, height).open("/walk/makemore-mlp?step=25")
    expect(walker.page.locator("#graph")).to_be_hidden()
    assert walker.ask("document.querySelector('.graph-pane').getBoundingClientRect().height") < 60
    walker.page.locator("#fold").click()
    expect(walker.page.locator("#graph")).to_be_visible()
    seen = walker.ask(FITS)
    assert seen["cut"] == []
    assert max(seen["scrolls"]) <= 0
