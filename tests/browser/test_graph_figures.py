"""The graph of a chapter is read as a graph: a node for each tensor, an arrow for each line that reads it."""

import ast
import re

import pytest
from playwright.sync_api import Locator, expect

from backend.program.chapters.chapter import Block
from backend.program.lessons import SHELF
from tests.browser.conftest import MOVING, OpenWalker, Walker
from tests.browser.reading import SECONDS, Reader
from tests.tools.server import Server

DAILY = {"first-steps", "through-time"}
CHAPTERS = [
    name if name in DAILY else pytest.param(name, marks=pytest.mark.exhaustive)
    for name, chapter in SHELF.chapters.items()
    if any(isinstance(part, Block) and part.kind == "graph" for part in chapter.parts)
]
# Every node, and of every arrow the two nodes, the lengths by which its ends miss their rims, and what it looks like.
DRAWN = """(figure) => {
  const shown = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  const drawn = [...figure.querySelectorAll('.graph-node')].filter(shown);
  const nodes = new Map(drawn.map((one) => [one.dataset.node, one]));
  const gap = ({ x, y }, name) => {
    const box = nodes.get(name).getBoundingClientRect();
    const out = Math.max(box.left - x, x - box.right, box.top - y, y - box.bottom);
    return Math.abs(out);
  };
  const arrows = [...figure.querySelectorAll('.arrow')].filter(shown).map((arrow) => {
    const line = arrow.querySelector('.line');
    const at = (length) => line.getPointAtLength(length).matrixTransform(line.getScreenCTM());
    const { from, to } = arrow.dataset;
    const points = [...arrow.querySelectorAll('.head, .tail')].filter(shown);
    const end = points.map((one) => {
      const tip = one.getPointAtLength(0).matrixTransform(one.getScreenCTM());
      return gap(tip, to) <= 1.5 ? to : gap(tip, from) <= 1.5 ? from : null;
    });
    return { from, to, misses: [gap(at(0), from), gap(at(line.getTotalLength()), to)], points: end };
  });
  const all = [...nodes.values()].map((one) => one.getBoundingClientRect());
  const covered = all.some((a, i) => all.slice(i + 1).some((b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
  const names = drawn.map((one) => one.querySelector('.label'));
  const cut = names.filter((one) => one.scrollWidth > one.closest('.graph-node').clientWidth).map((o) => o.textContent);
  return { nodes: names.map((one) => one.textContent), arrows, covered, cut };
}"""


def reads_of(source: str) -> set[tuple[str, str]]:
    """Each tensor with each line that reads it, by Python's own reading of the program."""
    found = set()
    known = {name for line in ast.parse(source).body for name in targets(line)}
    for line in ast.parse(source).body:
        assert isinstance(line, ast.Assign)
        loads = [one for one in ast.walk(line.value) if isinstance(one, ast.Name)]
        found |= {(name.id, target) for name in loads for target in targets(line)}
    return {(read, line) for read, line in found if read in known or read not in {"torch", "F", "range"}}


def targets(line: ast.stmt) -> list[str]:
    return [one.id for one in ast.walk(line) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def figures(reader: Reader) -> list[Locator]:
    found = reader.page.locator(".block[data-kind=graph]").all()
    for figure in found:
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_class(re.compile("is-drawn"), timeout=SECONDS)
    return found


@pytest.mark.parametrize("width", [1440, pytest.param(390, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_graph_has_a_node_for_each_tensor_and_an_arrow_for_each_use(
    walkers: OpenWalker, server: Server, name: str, width: int
) -> None:
    reader = Reader(walkers(width=width), name).open()
    for figure in figures(reader):
        program = figure.get_attribute("data-program")
        walk = server.post("/api/walk", {"lesson": f"{name}.{program}" if program else name}).json()
        uses = {(a, b) for a, b in reads_of(walk["forward_source"]) if a not in walk["constants"]}
        variables = {node["name"]: node["variable"] for node in walk["nodes"]}
        drawn = figure.evaluate(DRAWN)
        arrows = [(variables[arrow["from"]], variables[arrow["to"]]) for arrow in drawn["arrows"]]
        assert sorted(arrows) == sorted(uses)
        assert sorted(drawn["nodes"]) == sorted({one for use in uses for one in use})
        for arrow in drawn["arrows"]:
            assert max(arrow["misses"]) <= 1.5, arrow
            assert arrow["points"] == [arrow["to"]], "it points at the line that reads"
        assert not drawn["covered"]
        assert drawn["cut"] == []
        expect(figure.locator(".ahead")).to_have_count(0)  # at first it is there whole


def test_a_graph_is_walked_forward_and_back_where_it_stands(walkers: OpenWalker) -> None:
    walker: Walker = walkers(**MOVING)
    figure = figures(Reader(walker, "first-steps").open())[1]
    back, on = (figure.get_by_role("button", name=f"{name} step") for name in ("Previous", "Next"))
    arrow = figure.locator(".arrow")
    expect(back).to_be_disabled()
    on.click()  # y = x * 3
    expect(figure.locator(".figure-code")).to_have_text("y = x * 3")
    expect(figure.locator(".arrow.now")).to_have_count(1)
    expect(figure.locator(".arrow.ahead")).to_have_count(2)
    back.click()
    expect(figure.locator(".ahead")).to_have_count(0)
    expect(figure.locator(".figure-code")).to_have_count(0)
    figure.locator("[data-node=x]").click()  # its gradient is complete
    expect(figure.locator(".figure-code")).to_have_text("dx += 3 * dy")
    expect(on).to_be_disabled()
    expect(arrow.and_(figure.locator(".on-backward"))).to_have_count(3)
    drawn = figure.evaluate(DRAWN)
    assert all(one["points"] == [one["from"]] for one in drawn["arrows"]), "the gradient goes the other way"
