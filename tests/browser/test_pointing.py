"""Pointing at a cell: every picture outlines what belongs to it, the graph and the code name it, its number is said."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

import backend
from tests.browser.conftest import OpenWalker, Walker
from tests.browser.links import link
from tests.support.cell_reads import filled
from tests.support.looking import number

LESSON = {"lesson": "makemore-mlp"}
PROGRAM = {
    "source": """q = x @ W
s = q.view(4, 2, 3).transpose(0, 1)
a = s @ s.transpose(1, 2)
p = torch.softmax(a, dim=-1)
m = torch.cat([p, a], dim=2)
k = m[:, 1:3]
r = F.relu(k)
z = r.sum((0, 1)) * b
loss = (z ** 2).mean()
""",
    "tensors": {
        "x": {"role": "data", "shape": [4, 6], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [6, 6], "init": "randn", "seed": 2},
        "b": {"role": "parameter", "shape": [8], "init": "randn", "seed": 3},
    },
}
Index = tuple[int, ...]
Partners = dict[str, set[Index]]

# Of each picture: the label of its piece, and the rows and columns between which its outline lies.
OUTLINES = """() => [...document.querySelectorAll('#picture .piece')].map((piece) => {
  const [map, canvas] = [piece.querySelector('.map'), piece.querySelector('.answer')];
  const name = piece.querySelector('.label b').title;
  if (map.matches('.answers')) return { name, box: [0, 0, 1, 1] };
  if (!canvas || canvas.hidden) return { name, box: null };
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  let box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    if (data[(y * width + x) * 4 + 3] < 128) continue;
    box = [Math.min(box[0], y), Math.min(box[1], x), Math.max(box[2], y + 1), Math.max(box[3], x + 1)];
  }
  const scale = width / canvas.clientWidth;
  return { name, box: box.map((at) => at / scale), width: map.clientWidth, height: map.clientHeight };
})"""
MARGIN = 4


def walk_of(request: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(backend.walk(request | {"arrays": "lists"})))


def grid(shape: list[int]) -> tuple[int, int]:
    """Rows and columns of the sheet on which a tensor is drawn."""
    if len(shape) < 2:
        return 1, math.prod(shape)
    return (shape[0], math.prod(shape[1:])) if len(shape) <= 3 else (math.prod(shape[:-1]), shape[-1])


class Step:
    """One step as its document tells it, worked out with numpy."""

    def __init__(self, walk: dict[str, Any], step: dict[str, Any]) -> None:
        self.walk, self.step = walk, step
        self.nodes = {node["name"]: node for node in walk["nodes"]}
        self.values = {node["variable"]: np.array(node["value"]) for node in walk["nodes"]}

    @property
    def kind(self) -> tuple[Any, ...]:
        picture = self.step["picture"]
        if self.step["direction"] == "forward":
            if not picture:
                return "forward", "plain"
            stages = [(stage["how"], stage["cellwise"], len(stage["axes"])) for stage in picture["stages"]]
            return ("forward", *picture["signs"], bool(picture["met"]), *stages)
        return (picture["kind"], picture["then"], picture["symbol"], bool(picture["axes"]), self.step["mode"])

    @property
    def between(self) -> dict[str, dict[str, Any]]:
        """What the picture draws besides tensors of the walk."""
        picture = self.step["picture"] or {"operands": []}
        found = {f"operand {i}": operand for i, operand in enumerate(picture["operands"])}
        found |= {part: picture[part] for part in ("product", "met") if picture.get(part)}
        return found | {f"stage {i}": one["result"] for i, one in enumerate(picture.get("stages", [])) if one["result"]}

    def shape(self, part: str) -> list[int]:
        between = self.between
        node = self.step["node"] if part == "result" else part
        return list(between[part]["shape"] if part in between else self.nodes[node]["shape"])

    def parts(self, labels: list[str]) -> list[str]:
        """What each piece of the picture is, by its label."""
        by_variable = {node["variable"]: node["name"] for node in self.walk["nodes"]}
        waiting = list(self.between.items())
        made = []
        for label in labels:
            found = next((pair for pair in waiting if pair[1]["code"] == label), None)
            forward = self.step["direction"] == "forward"
            if forward and by_variable.get(label, self.step["node"]) != self.step["node"]:
                made.append(by_variable[label])
            else:
                made.append(found[0] if found else "result")
            if found:
                waiting.remove(found)
        return made

    def pairs(self) -> Iterator[tuple[str, Index, str, Index]]:
        """Every cell with every cell that it reads."""
        for cells in self.step["cells"]:
            letters, sizes = list(cells["sizes"]), tuple(cells["sizes"].values())
            grids = dict(zip(letters, np.indices(sizes), strict=True)) if letters else {}
            for read in cells["reads"]:
                shape = self.shape(read["of"])
                good = np.ones(sizes, dtype=bool)
                for text in read["where"]:
                    good = good & filled(text, {**self.values, **grids})
                at = [np.broadcast_to(filled(text, {**self.values, **grids}), sizes) for text in read["at"]]
                for place in np.argwhere(good):
                    own = tuple(int(place[letters.index(letter)]) if letter != "0" else 0 for letter in cells["index"])
                    source = tuple(int(one[tuple(place)]) % size for one, size in zip(at, shape, strict=True))
                    yield cells["of"], own, read["of"], source

    def partners(self, part: str, cell: Index) -> Partners:
        """Those it comes from, and those it goes to, a product between them too; not its fellow factors."""
        pairs = list(self.pairs())
        found: Partners = {part: {cell}}
        for up in (True, False):
            now = {(part, cell)}
            while now:
                now = {
                    ((of, source) if up else (name, own))
                    for name, own, of, source in pairs
                    if ((name, own) if up else (of, source)) in now
                }
                for name, place in now:
                    found.setdefault(name, set()).add(place)
        return found


def kinds_of(walk: dict[str, Any]) -> list[Step]:
    """One step of each kind of picture."""
    once: dict[tuple[Any, ...], Step] = {}
    for step in walk["steps"]:
        if step["direction"] == "forward" or step["picture"]:
            one = Step(walk, step)
            once.setdefault(one.kind, one)
    return list(once.values())


def bounds(cells: set[Index], shape: list[int]) -> list[float]:
    _, cols = grid(shape)
    flat = [int(np.ravel_multi_index(cell, shape)) if shape else 0 for cell in cells]
    down, across = [place // cols for place in flat], [place % cols for place in flat]
    return [min(down), min(across), max(down) + 1, max(across) + 1]


def look(walker: Walker, one: Step, at: tuple[float, float]) -> int:
    """Points at one cell of every piece in turn; returns how many other pieces answered."""
    answered = 0
    labels = [piece["name"] for piece in walker.ask(OUTLINES)]
    parts = one.parts(labels)
    for position, part in enumerate(parts):
        map_ = walker.page.locator("#picture .piece .map").nth(position)
        sheet = map_.bounding_box()
        assert sheet is not None
        walker.page.mouse.move(3, 3)
        walker.page.mouse.move(sheet["x"] + sheet["width"] * at[0], sheet["y"] + sheet["height"] * at[1])
        expect(walker.page.locator(".cell-tip")).to_be_visible()
        cell = told_cell(walker.text(".tip-name"))
        wanted = one.partners(part, cell)
        for other, (name, drawn) in enumerate(zip(parts, walker.ask(OUTLINES), strict=True)):
            box = drawn["box"]
            where = f"{one.step['code']}: {labels[position]}{list(cell)} → {drawn['name']}"
            if name not in wanted:
                continue  # a fellow factor
            assert box is not None, where
            if "width" in drawn:
                fits = [expected(one, name, wanted[name], drawn, sheet) for sheet in sheets(one, name)]
                assert any(box == pytest.approx(fit, abs=4.2) for fit in fits), f"{where}: {box} is none of {fits}"
            answered += other != position
    return answered


def sheets(one: Step, name: str) -> list[tuple[int, int]]:
    """Rows and columns of a tensor as it is drawn: by itself, or with the pale copies that broadcasting makes."""
    own = grid(one.shape(name))
    goals = [part for part in one.between if not part.startswith("operand ")] + ["result"]
    turned = [(own[1], 1)] if own[0] == 1 else []
    return [own, *turned, *(goal for goal in (grid(one.shape(part)) for part in goals) if goal != own)]


def expected(one: Step, name: str, cells: set[Index], drawn: dict[str, Any], sheet: tuple[int, int]) -> list[float]:
    """Where the outline of cells lies, in pixels: around all copies of them."""
    low = bounds(cells, one.shape(name))
    own = grid(one.shape(name))
    if sheet == (own[1], 1):  # a vector as a column
        low = [low[1], low[0], low[3], low[2]]
        own = sheet
    for axis in (0, 1):
        if sheet[axis] > own[axis]:
            low[axis], low[axis + 2] = 0, sheet[axis]
    units = [drawn["height"] / sheet[0], drawn["width"] / sheet[1]] * 2
    return [MARGIN + edge * unit for edge, unit in zip(low, units, strict=True)]


def told_cell(name: str) -> Index:
    found = re.search(r"\[([\d, ]+)\]$", name)
    return tuple(int(part) for part in found[1].split(", ")) if found else ()


def test_every_kind_of_step_in_the_lesson_answers(walker: Walker, thorough: bool) -> None:
    """One kind in six; every one in `make test-all`."""
    walk = walk_of(LESSON)
    answered = {}
    for one in kinds_of(walk)[:: 1 if thorough else 6]:
        walker.open(f"/walk/makemore-mlp?step={one.step['index'] + 1}&view=equation")
        answered[one.kind] = look(walker, one, (0.4, 0.3))
    assert min(answered.values()) > 0, answered


def test_every_kind_of_step_in_a_program_answers(walker: Walker, thorough: bool) -> None:
    """Views, joins, picks, softmax, masks, and what is summed over several axes."""
    walk = walk_of(PROGRAM)
    kinds = kinds_of(walk)
    answered = 0
    looked = kinds if thorough else kinds[::4]
    for one in looked:
        assert one.step["cells"], one.step["code"]
        walker.page.goto(walker.base + link(PROGRAM, one.step["index"] + 1))
        walker.page.wait_for_selector("#picture .piece")
        answered += look(walker, one, (0.3, 0.6)) > 0
    assert answered == len(looked)
    assert len(kinds) > 12


COUNTS = 25
POINTED = "[...document.querySelectorAll('%s')].map((one) => one.textContent.trim()).sort()"


# A step's further views are asked for once the walk is painted; the picture may make room for their names.
OFFERED = """() => new Promise((done) => {
  const told = () => performance.getEntriesByName(location.origin + "/api/pieces").length > 0;
  const look = () => told() ? requestAnimationFrame(() => requestAnimationFrame(() => done())) : setTimeout(look, 10);
  look();
})"""


# What is asked of the server, but for the list of further views, which comes when there is time.
ASKS = re.compile(r"/api/(?!pieces)")


def point_at(walker: Walker, map_: Locator, across: float = 0.5, down: float = 0.5) -> None:
    walker.page.evaluate(OFFERED)
    box = map_.bounding_box()
    assert box is not None
    walker.page.mouse.move(box["x"] + box["width"] * across, box["y"] + box["height"] * down)


def test_the_graph_and_the_code_name_what_is_pointed_at(walker: Walker) -> None:
    walker.open(f"/walk/makemore-mlp?step={COUNTS}")
    asked: list[str] = []
    walker.page.on("request", lambda request: asked.append(request.url) if ASKS.search(request.url) else None)
    point_at(walker, walker.page.locator("#picture .map").first)
    assert walker.ask(POINTED % ".node.is-pointed .label") == ["counts", "counts_sum_inv", "probs"]
    names = ["counts", "counts", "dcounts_sum_inv", "dprobs"]
    assert walker.ask(POINTED % ".row .is-pointed") == names
    assert not asked, "no request is needed"
    walker.page.mouse.move(5, 5)
    expect(walker.page.locator(".cell-tip")).to_be_hidden()
    assert walker.ask(POINTED % ".is-pointed, .answers") == []
    assert walker.ask("[...document.querySelectorAll('.answer')].every((canvas) => canvas.hidden)")


def test_a_product_of_matrices_shows_its_row_and_its_column(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=32")
    point_at(walker, walker.page.locator("#picture .map").nth(2), 0.4, 0.3)
    left, right, cell = (piece for piece in walker.ask(OUTLINES))
    assert left["box"][3] - left["box"][1] > left["width"], "a row of dlogits"
    assert left["box"][2] - left["box"][0] < 12
    assert right["box"][2] - right["box"][0] > right["height"], "a column of W2.T"
    assert right["box"][3] - right["box"][1] < 12
    assert max(cell["box"][2] - cell["box"][0], cell["box"][3] - cell["box"][1]) < 13


def test_the_number_beside_the_pointer_is_the_cells(walker: Walker) -> None:
    node = next(node for node in walk_of(LESSON)["nodes"] if node["name"] == "counts")
    walker.open(f"/walk/makemore-mlp?step={COUNTS}")
    point_at(walker, walker.page.locator("#picture .map").first, 0.2, 0.7)
    (row, col) = told_cell(walker.text(".tip-name"))
    assert number(walker.text(".tip-number").strip(" =")) == pytest.approx(node["value"][row][col], rel=1e-5)
    expect(walker.page.locator(".tip-place").last).to_have_text(
        re.compile(rf"^example .* → . \({row}\), class . \({col}\)$")
    )


@pytest.mark.parametrize(
    ("width", "height"),
    [
        pytest.param(1440, 900, marks=pytest.mark.exhaustive),
        (1280, 720),
        pytest.param(390, 800, marks=pytest.mark.exhaustive),
    ],
)
def test_the_tip_stays_in_the_window_and_off_the_pointer(walkers: OpenWalker, width: int, height: int) -> None:
    walker = walkers(width, height).open("/walk/makemore-mlp?step=32")
    for map_ in walker.page.locator("#picture .map, .plot:visible").all():
        map_.scroll_into_view_if_needed()
        box = map_.bounding_box()
        assert box is not None
        for across, down in [(0.02, 0.02), (0.98, 0.02), (0.02, 0.98), (0.98, 0.98)]:
            x, y = box["x"] + box["width"] * across, box["y"] + box["height"] * down
            walker.page.mouse.move(x, y)
            tip = walker.page.locator(".cell-tip").bounding_box()
            if tip is None:  # below what covers it
                continue
            left, top, right, low = tip["x"], tip["y"], tip["x"] + tip["width"], tip["y"] + tip["height"]
            assert min(left, top) >= 0
            assert right <= width
            assert low <= height
            assert not (left <= x <= right and top <= y <= low), "under the pointer"


def test_keys_show_what_the_mouse_shows(walker: Walker) -> None:
    walker.open(f"/walk/makemore-mlp?step={COUNTS}")
    walker.page.locator("#picture .map").nth(2).focus()
    walker.press("ArrowDown", "ArrowDown", "ArrowRight")
    expect(walker.page.locator(".tip-name")).to_have_text("(counts * dprobs)[1, 1]")
    assert all(piece["box"] for piece in walker.ask(OUTLINES))
    walker.press("Escape")
    expect(walker.page.locator(".cell-tip")).to_be_hidden()
    walker.page.locator("#picture .map").first.focus()
    walker.press("ArrowDown", "ArrowDown")
    expect(walker.page.locator(".tip-name")).to_have_text("counts[1, 0]")
    expect(walker.page.locator("#lens .lens-name")).to_have_text("counts[1, 0]")


@pytest.mark.exhaustive
def test_a_tap_answers_and_the_next_one_opens(walkers: OpenWalker) -> None:
    walker = walkers(390, 844, has_touch=True).open(f"/walk/makemore-mlp?step={COUNTS}")
    map_ = walker.page.locator("#picture .map").first
    map_.scroll_into_view_if_needed()
    map_.tap(position={"x": 20, "y": 20})
    expect(walker.page.locator(".cell-tip")).to_be_visible()
    expect(walker.page.locator("#lens")).to_be_hidden()
    map_.tap(position={"x": 20, "y": 20})
    expect(walker.page.locator("#lens")).to_be_visible()
