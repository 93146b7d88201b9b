"""What moves when a step is taken: the right cells, from their place to the place they go to."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker

NOTE = """() => {
  window.motions = [];
  window.pulses = [];
  document.addEventListener('gradwalk:motion', ({ detail }) =>
    window.motions.push({ ...detail, sheets: document.querySelectorAll('.flights').length }));
  const wide = (path) => parseFloat(path.style.getPropertyValue('--wide'));
  const told = (pulse) => {
    const animation = pulse.getAnimations()[0];
    const edge = [...document.querySelectorAll('#graph .graph-edges path:not(.pulse)')]
      .find((path) => path.getAttribute('d') === pulse.getAttribute('d'));
    const offsets = animation.effect.getKeyframes().map((frame) => parseFloat(frame.strokeDashoffset));
    const places = offsets.map((offset) => {
      const [{ x, y }, at] = [pulse.getPointAtLength(-offset), pulse.getScreenCTM()];
      return [x * at.a + at.e, y * at.d + at.f];
    });
    return { edge: edge.getAttribute('class'), line: wide(edge), width: wide(pulse), places, offsets,
      way: edge.getTotalLength(), duration: animation.effect.getTiming().duration };
  };
  const isPulse = (node) => node instanceof Element && node.matches('.pulse');
  new MutationObserver((changes) => {
    const came = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(isPulse);
    window.pulses.push(...came.map(told));
  }).observe(document, { childList: true, subtree: true });
}"""
# To measure a path that is on the page lays the page out.
MEASURED = """() => {
  window.measured = [];
  const { getTotalLength } = SVGGeometryElement.prototype;
  SVGGeometryElement.prototype.getTotalLength = function () {
    window.measured.push(this.isConnected ? "on the page" : "off the page");
    return getTotalLength.call(this);
  };
}"""
# Each motion is handed out once: who asks again waits for the one after it.
NEXT = """() => new Promise((done) => {
  setTimeout(() => done({ kinds: "nothing moved" }), 10_000);
  const look = () => window.motions.length ? done(window.motions.splice(0).at(-1)) : requestAnimationFrame(look);
  look();
})"""
PULSE = """() => new Promise((done) => {
  setTimeout(() => done({ edge: "no pulse" }), 10_000);
  const look = () => window.pulses.length ? done(window.pulses.splice(0)[0]) : requestAnimationFrame(look);
  look();
})"""
# Two frames after a step is painted its motion would have begun.
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))"
SHEETS = """() => [...document.querySelectorAll('.piece')].map((piece) => {
  const { left, top, width, height } = piece.querySelector('.heat').getBoundingClientRect();
  return { label: piece.querySelector('.label b').textContent, left, top, width, height };
})"""

Box = dict[str, float]
Cells = tuple[int, int, int, int]


@pytest.fixture
def walker(moving: Walker) -> Walker:
    """Steps move here, as they do for most visitors."""
    return moving


def walking(walker: Walker, step: int) -> Walker:
    """At the step before, all ears."""
    walker.open(f"/walk/makemore-mlp?step={step - 1}")
    walker.ask(NOTE)
    return walker


def taken(walker: Walker, step: int) -> dict[str, Any]:
    """The motion of a step that the right arrow has led to."""
    return dict(walking(walker, step).press("ArrowRight").ask(NEXT))


def sheet(walker: Walker, label: str, which: int = 0) -> Box:
    return dict([one for one in walker.ask(SHEETS) if one["label"] == label][which])


def part(sheet: Box, cells: Cells, shape: tuple[int, int]) -> list[float]:
    """Left, top, width and height of some cells (x, y, width, height) of a sheet with so many rows and columns."""
    (x, y, w, h), (rows, cols) = cells, shape
    across, down = sheet["width"] / cols, sheet["height"] / rows
    return [sheet["left"] + x * across, sheet["top"] + y * down, w * across, h * down]


def place(box: Box) -> list[float]:
    return [box[side] for side in ("left", "top", "width", "height")]


@pytest.mark.exhaustive
def test_a_sum_takes_every_column_into_the_one_column(walker: Walker) -> None:
    motion = taken(walker, 25)
    assert (motion["kinds"], motion["duration"], motion["backwards"]) == (["collapse"], 700, False)
    product, total = sheet(walker, "counts * dprobs"), sheet(walker, "dcounts_sum_inv")
    assert len(motion["flights"]) == 27
    for x, flight in enumerate(motion["flights"]):
        assert place(flight["leaves"]) == pytest.approx(part(product, (x, 0, 1, 32), (32, 27)), abs=0.1)
        assert place(flight["lands"]) == pytest.approx(part(total, (0, 0, 1, 1), (1, 1)), abs=0.1)


def test_a_sum_over_rows_takes_every_row_into_the_one_row(walker: Walker) -> None:
    motion = taken(walker, 34)
    assert motion["kinds"] == ["collapse"]
    rows, total = sheet(walker, "dlogits"), sheet(walker, "db2")
    for y, flight in enumerate(motion["flights"]):
        assert place(flight["leaves"]) == pytest.approx(part(rows, (0, y, 27, 1), (32, 27)), abs=0.1)
        assert place(flight["lands"]) == pytest.approx(part(total, (0, 0, 27, 1), (1, 27)), abs=0.1)


def test_a_product_takes_rows_and_columns_to_where_they_meet(walker: Walker) -> None:
    motion = taken(walker, 33)
    assert motion["kinds"] == ["product"]
    left, right, product = sheet(walker, "h.T"), sheet(walker, "dlogits"), sheet(walker, "dW2")
    across = [flight for flight in motion["flights"] if flight["from"] == "h.T"]
    down = [flight for flight in motion["flights"] if flight["from"] == "dlogits"]
    assert (len(across), len(down)) == (64, 27)
    for y in (0, 40, 63):
        assert place(across[y]["leaves"]) == pytest.approx(part(left, (0, y, 32, 1), (64, 32)), abs=0.1)
        assert place(across[y]["lands"]) == pytest.approx(part(product, (0, y, 27, 1), (64, 27)), abs=0.1)
    for x in (0, 13, 26):
        assert place(down[x]["leaves"]) == pytest.approx(part(right, (x, 0, 1, 32), (32, 27)), abs=0.1)
        assert place(down[x]["lands"]) == pytest.approx(part(product, (x, 0, 1, 64), (64, 27)), abs=0.1)


@pytest.mark.exhaustive
def test_a_forward_line_copies_its_bias_and_multiplies(walker: Walker) -> None:
    motion = taken(walker, 3)
    assert motion["kinds"] == ["copy", "product"]
    made, weights = sheet(walker, "hprebn"), sheet(walker, "W1")
    down = [flight for flight in motion["flights"] if flight["from"] == "W1"]
    for x in (0, 63):
        assert place(down[x]["leaves"]) == pytest.approx(part(weights, (x, 0, 1, 30), (30, 64)), abs=0.1)
        assert place(down[x]["lands"]) == pytest.approx(part(made, (x, 0, 1, 32), (32, 64)), abs=0.1)
    assert sum(flight["from"] == flight["to"] == "b1" for flight in motion["flights"]) == 31
    mean = taken(walker, 4)
    assert (mean["kinds"], len(mean["flights"])) == (["collapse"], 32)


@pytest.mark.exhaustive
def test_two_paths_meet_in_their_sum(walker: Walker) -> None:
    motion = taken(walker, 43)
    assert motion["kinds"] == ["add"]
    before, after = sheet(walker, "dbndiff"), sheet(walker, "dbndiff", -1)
    flights = [flight for flight in motion["flights"] if flight["from"] == "dbndiff"]
    assert len(flights) == 32
    for y, flight in enumerate(flights):
        assert place(flight["leaves"]) == pytest.approx(part(before, (0, y, 64, 1), (32, 64)), abs=0.1)
        assert place(flight["lands"]) == pytest.approx(part(after, (0, y, 64, 1), (32, 64)), abs=0.1)
    assert {flight["from"] for flight in motion["flights"]} > {"dbndiff"}, "the other path comes, too"


def test_a_broadcast_row_goes_out_to_its_copies(walker: Walker) -> None:
    motion = taken(walker, 37)
    assert motion["kinds"] == ["copy"]
    copies = sheet(walker, "bngain")
    assert len(motion["flights"]) == 31
    for y, flight in enumerate(motion["flights"], start=1):
        assert place(flight["leaves"]) == pytest.approx(part(copies, (0, 0, 64, 1), (32, 64)), abs=0.1)
        assert place(flight["lands"]) == pytest.approx(part(copies, (0, y, 64, 1), (32, 64)), abs=0.1)


@pytest.mark.exhaustive
def test_a_gradient_is_copied_back_and_one_number_to_every_cell_it_fills(walker: Walker) -> None:
    motion = taken(walker, 42)
    assert motion["kinds"] == ["copy"]
    one, all_ = sheet(walker, "dbnvar"), sheet(walker, "dbndiff2")
    for y, flight in enumerate(motion["flights"]):
        assert place(flight["leaves"]) == pytest.approx(part(one, (0, 0, 64, 1), (1, 64)), abs=0.1)
        assert place(flight["lands"]) == pytest.approx(part(all_, (0, y, 64, 1), (32, 64)), abs=0.1)
    filled = taken(walker, 22)
    sources = {tuple(place(flight["leaves"])) for flight in filled["flights"]}
    assert (filled["kinds"], len(filled["flights"]), len(sources)) == (["copy"], 32, 1)
    assert sorted(flight["target"]["y"] for flight in filled["flights"]) == list(range(32)), "one for each example"


def assert_rows_go(
    walker: Walker, motion: dict[str, Any], letters: list[int], table: tuple[str, str], picked: tuple[str, str]
) -> None:
    """Some of the rows are, at the named end of their flights, in the row of their letter and in their own place."""
    rows, places = sheet(walker, table[1]), sheet(walker, picked[1])
    for i in (0, 50, 95):
        flight = motion["flights"][i]
        assert place(flight[table[0]]) == pytest.approx(part(rows, (0, letters[i], 10, 1), (27, 10)), abs=0.1)
        own = part(places, (10 * (i % 3), i // 3, 10, 1), (32, 30))
        assert place(flight[picked[0]]) == pytest.approx(own, abs=0.1)


@pytest.mark.exhaustive
def test_rows_are_fetched_and_put_back_where_the_letters_say(walker: Walker) -> None:
    letters = walker.open().ask("""async () => {
      const answer = await fetch('/api/walk?arrays=lists', { method: 'POST', body: '{"lesson":"makemore-mlp"}',
        headers: { 'Content-Type': 'application/json' } });
      return (await answer.json()).nodes.find((node) => node.name === 'Xb').value;
    }""")
    flat = [letter for row in letters for letter in row]
    walker.ask(NOTE)
    fetch = walker.press("r").ask(NEXT)
    assert fetch["kinds"] == ["fetch"]
    assert [flight["source"]["y"] for flight in fetch["flights"]] == flat
    assert_rows_go(walker, fetch, flat, table=("leaves", "C"), picked=("lands", "emb"))
    taken(walker, 51)
    expect(walker.page.locator(".descent-words")).to_be_visible()  # now the picture has the height that it keeps
    back = walker.press("r").ask(NEXT)
    assert back["kinds"] == ["put back"]
    assert [flight["target"]["y"] for flight in back["flights"]] == flat
    assert_rows_go(walker, back, flat, table=("lands", "dC"), picked=("leaves", "demb"))


@pytest.mark.exhaustive
def test_what_moves_is_painted_on_its_way(walker: Walker) -> None:
    """Half-way through, the last column of the product lies between its place and the sum, in its own colours."""
    walker.page.clock.install()
    walking(walker, 25)
    walker.page.clock.pause_at(walker.ask("Date.now() + 5000"))
    walker.press("ArrowRight")
    walker.page.clock.run_for(32)
    expect(walker.page.locator(".sum-to .heat")).to_have_class("heat awaiting")
    assert walker.title.strip() == "dcounts_sum_inv", "the step itself is there at once"
    walker.page.clock.run_for(16 * 10)
    expect(walker.page.locator(".flights")).to_have_count(1)
    painted = walker.ask("""() => {
      const [flight] = window.motions.at(-1).flights.slice(-1);
      const [sheet, scene] = [document.querySelector('.flights'), document.querySelector('.scene')];
      const origin = scene.getBoundingClientRect();
      const from = document.querySelector('.sum-from canvas.heat');
      const read = (canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const [moving, still] = [read(sheet), read(from)];
      const at = ({ data, width }, x, y) => {
        const first = 4 * (Math.floor(y) * width + Math.floor(x));
        return [...data.slice(first, first + 4)];
      };
      const rows = [...Array(32).keys()];
      const own = rows.map((y) => at(still, from.width - 1, y));
      const ratio = sheet.width / sheet.getBoundingClientRect().width;
      const columns = [];
      for (let left = flight.leaves.left + flight.leaves.width; left < flight.lands.left; left += 1) {
        columns.push(rows.map((y) => {
          const top = flight.leaves.top + ((y + 0.5) * flight.leaves.height) / 32;
          return at(moving, (left - origin.left) * ratio, (top - origin.top) * ratio);
        }));
      }
      return { own, columns };
    }""")

    def apart(column: list[list[int]]) -> int:
        return max(
            abs(a - b)
            for cell, own in zip(column, painted["own"], strict=True)
            for a, b in zip(cell[:3], own[:3], strict=True)
        )

    assert min(map(apart, painted["columns"])) <= 6
    walker.page.clock.run_for(1000)
    expect(walker.page.locator(".flights, .awaiting")).to_have_count(0)


def test_the_next_step_ends_what_moves(walker: Walker) -> None:
    walker.page.clock.install()
    walking(walker, 33)
    walker.page.clock.pause_at(walker.ask("Date.now() + 5000"))
    for kinds in (["product"], ["collapse"]):
        walker.press("ArrowRight")
        walker.page.clock.run_for(300)
        expect(walker.page.locator(".flights")).to_have_count(1)
        assert walker.ask("window.motions.at(-1).kinds") == kinds
    walker.page.clock.run_for(1000)
    expect(walker.page.locator(".flights, .awaiting, .pulse")).to_have_count(0)


@pytest.mark.exhaustive
def test_going_back_plays_the_reverse(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=26")
    walker.ask(NOTE)
    motion = walker.press("ArrowLeft").ask(NEXT)
    assert (motion["kinds"], motion["backwards"]) == (["collapse"], True)
    assert walker.page.locator(".awaiting").count() == 0, "the result stands from the first"
    offsets = walker.ask(PULSE)["offsets"]
    expect(walker.page.locator(".pulse")).to_have_count(0)
    there = walker.press("ArrowRight").ask(PULSE)["offsets"]
    assert offsets == there[::-1]


def apart(walker: Walker, name: str, place: list[float]) -> float:
    """How far a place is from a node of the graph."""
    box = walker.page.locator(f"#graph .node[data-node='{name}']").bounding_box()
    assert box is not None
    beside = max(box["x"] - place[0], 0, place[0] - box["x"] - box["width"])
    return float(beside + max(box["y"] - place[1], 0, place[1] - box["y"] - box["height"]))


def test_a_pulse_runs_along_the_edge_that_is_walked_as_wide_as_its_gradient(walker: Walker) -> None:
    widths = set()
    for step, through, to in ((25, "probs", "counts_sum_inv"), (33, "logits", "W2"), (32, "logits", "h")):
        walking(walker, step).press("ArrowRight")
        pulse = walker.ask(PULSE)
        assert pulse["edge"] == "flowed now"
        assert pulse["duration"] == 700
        assert pulse["width"] == pytest.approx(pulse["line"] + 2.5, abs=0.06)
        widths.add(pulse["width"])
        assert max(map(abs, pulse["offsets"])) == pytest.approx(pulse["way"] - min(30, pulse["way"] / 2), abs=0.01)
        leaves, arrives = pulse["places"]
        assert apart(walker, through, leaves) < apart(walker, through, arrives), step
        assert apart(walker, to, arrives) < apart(walker, to, leaves), step
    assert len(widths) == 3
    walking(walker, 6).press("ArrowRight")
    pulse = walker.ask(PULSE)
    assert pulse["edge"] == "walked now"
    leaves, arrives = pulse["places"]
    assert apart(walker, "bndiff", leaves) < apart(walker, "bndiff", arrives)
    assert apart(walker, "bndiff2", arrives) < apart(walker, "bndiff2", leaves)


@pytest.mark.exhaustive
def test_r_and_its_button_show_it_again(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    walker.ask(NOTE)
    walker.ask(PAINTED)
    assert walker.ask("window.motions.length") == 0, "nobody has taken a step"
    assert walker.press("r").ask(NEXT)["kinds"] == ["collapse"]
    walker.page.get_by_role("button", name="Show this step’s motion again").click()
    again = walker.ask(NEXT)
    assert (again["kinds"], again["backwards"], again["sheets"]) == (["collapse"], False, 1)


def test_less_motion_is_none(walkers: OpenWalker) -> None:
    walker = walkers(reduced_motion="reduce")
    walking(walker, 25).press("ArrowRight")
    walker.ask(PAINTED)
    assert walker.title.strip() == "dcounts_sum_inv"
    assert walker.press("r").ask("window.motions.length") == 0
    expect(walker.page.locator(".flights, .awaiting, .pulse")).to_have_count(0)
    expect(walker.page.locator("#replay")).to_be_hidden()
    expect(walker.page.locator(".notice")).to_contain_text("less motion")


def test_a_key_that_is_held_down_and_steps_in_quick_succession_move_nothing(walker: Walker) -> None:
    walker.page.clock.install()
    walking(walker, 25)
    walker.page.clock.pause_at(walker.ask("Date.now() + 5000"))
    walker.page.keyboard.down("ArrowRight")
    walker.page.clock.run_for(500)
    assert walker.ask("window.motions.length") == 1
    for _ in range(8):
        walker.page.keyboard.down("ArrowRight")
        walker.page.clock.run_for(200)
    walker.page.keyboard.up("ArrowRight")
    assert (walker.count.split(" ")[0], walker.ask("window.motions.length")) == ("33", 1)
    walker.press("ArrowRight")
    walker.page.clock.run_for(50)
    assert walker.ask("window.motions.length") == 2
    walker.press("ArrowRight")
    walker.page.clock.run_for(50)
    assert walker.ask("window.motions.length") == 2


@pytest.mark.exhaustive
def test_a_higher_speed_moves_faster(walker: Walker) -> None:
    walking(walker, 25).press("3", "ArrowRight")
    assert walker.ask(NEXT)["duration"] == 700
    walking(walker, 25).press("9", "ArrowRight")
    assert walker.ask(NEXT)["duration"] < 150


@pytest.mark.exhaustive
def test_a_pulse_measures_its_way_off_the_page(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=32").ask(MEASURED)
    assert set(walker.press("ArrowRight").ask("window.measured")) == {"off the page"}
