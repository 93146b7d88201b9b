"""What a key press makes the browser do, counted, not timed: what nobody sees, or stays as it is, costs nothing."""

from typing import Any

import pytest

from tests.browser.conftest import OpenWalker, Walker

# All keys in one task, so that no frame comes in between: whatever is laid out was asked for by us.
LEAF = """([keys, looks]) => {
  const drawn = new Set();
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (...kind) {
    drawn.add(this);
    return getContext.apply(this, kind);
  };
  const observer = new MutationObserver(() => {});
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeOldValue: true });
  const size = (node) => (node.nodeType === 1 ? 1 + node.querySelectorAll("*").length : 0);
  const counts = { made: 0, same: 0, drawn: 0, unseen: [], steps: [] };
  for (const key of keys) {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    for (const { type, target, attributeName, oldValue, addedNodes } of observer.takeRecords()) {
      if (type === "childList") for (const node of addedNodes) counts.made += size(node);
      else if (target.getAttribute(attributeName) === oldValue) counts.same += 1;
    }
    counts.drawn += drawn.size;
    if (looks) for (const canvas of drawn) if (!canvas.checkVisibility()) counts.unseen.push(canvas.outerHTML);
    drawn.clear();
    counts.steps.push(document.getElementById("count").textContent);
  }
  observer.disconnect();
  HTMLCanvasElement.prototype.getContext = getContext;
  return counts;
}"""
THERE_AND_BACK = ["ArrowRight"] * 50 + ["ArrowLeft"] * 50
# Of each key press, on an average: elements made, attributes written that had this value already, canvases drawn. Who
# makes it dearer by more than a tenth says why.
MOST = {"made": 138, "same": 27, "drawn": 8}

# What a key draws of a step: the parts of the page in which it changes anything.
DRAWN = """(key) => {
  const observer = new MutationObserver(() => {});
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const parts = "#graph, #forward, #backward, #heading, #picture, #reason, #evidence";
  const drawn = observer.takeRecords().map(({ target }) => target.closest(parts)?.id);
  observer.disconnect();
  return [...new Set(drawn)].filter(Boolean);
}"""


@pytest.fixture
def walked(walkers: OpenWalker) -> Walker:
    """The makemore walk, every step of it seen once, so that none has to be fetched."""
    walker = walkers().open("/walk/makemore-mlp")
    for _ in range(50):
        walker.press("ArrowRight")
    return walker.press("Home")


def counted(walker: Walker, looks: bool = False) -> dict[str, Any]:
    """What all the key presses did, and how often the page was laid out for them; to look at what is drawn lays out."""
    browser = walker.page.context.new_cdp_session(walker.page)
    browser.send("Performance.enable")

    def layouts() -> float:
        metrics = browser.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "LayoutCount"))

    before = layouts()
    counts: dict[str, Any] = walker.page.evaluate(LEAF, [THERE_AND_BACK, looks])
    assert counts["steps"] == [f"{step} / 51" for step in (*range(2, 52), *range(50, 0, -1))], "each has been drawn"
    return {**counts, "layouts": layouts() - before}


def test_a_key_press_lays_the_page_out_once_writes_what_is_new_and_draws_nothing_folded_away(walked: Walker) -> None:
    counts = counted(walked)
    # once more where outlined cells are linked, or the walk turns around: 14; and on a busy machine for a timer's sake
    assert counts["layouts"] <= 1.2 * len(THERE_AND_BACK)
    each = {what: counts[what] / len(THERE_AND_BACK) for what in MOST}
    assert {what: count for what, count in each.items() if count > 1.1 * MOST[what]} == {}
    assert counted(walked, looks=True)["unseen"] == []


def test_how_near_the_graph_is_draws_the_graph_alone(walkers: OpenWalker) -> None:
    walker = walkers().open("/walk/makemore-mlp?step=24&graph=boxes")
    assert len(walker.page.evaluate(DRAWN, "ArrowRight")) >= 6
    assert walker.page.evaluate(DRAWN, "z") == ["graph"]


def test_play_and_pause_draw_nothing_of_the_step(walkers: OpenWalker) -> None:
    walker = walkers().open("/walk/makemore-mlp?step=24")
    for _ in range(2):
        assert walker.page.evaluate(DRAWN, " ") == []
