"""What stays where it is from step to step, and what keeps out of the way: no name is cut, no bar where none is due."""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker, until

SIZES = [(1440, 900), (1280, 720)]
SOME_SIZES = [pytest.param(SIZES[0], marks=pytest.mark.exhaustive), *SIZES[1:]]
# Boxes of a step with a bar of their own, where the cells are beyond them.
BARS = """() => [...document.querySelectorAll("#story *, #transport *")].filter((one) => {
  const { overflowX, overflowY } = getComputedStyle(one);
  const bar = (flow, more) => ["auto", "scroll"].includes(flow) && more > 0;
  return bar(overflowY, one.scrollHeight - one.clientHeight) || bar(overflowX, one.scrollWidth - one.clientWidth);
}).map((one) => one.className)"""
PLACES = f"""() => {{
  const at = (name, side) => {{
    const one = document.querySelector(name);
    return one?.checkVisibility() ? Math.round(one.getBoundingClientRect()[side]) : null;
  }};
  return {{ bars: ({BARS})(), oracle: at("[data-oracle='central differences']", "left"), words: at("#reason", "top"),
    tug: !!document.querySelector(".tug"), back: !!document.querySelector(".kicker .is-backward") }};
}}"""
# Names that are wider than their place, or lie over the one beside them.
CUT = """(selector) => {
  const paper = document.createElement("canvas").getContext("2d");
  const all = [...document.querySelectorAll(selector)].filter((one) => one.textContent && one.checkVisibility());
  const wide = (one) => {
    paper.font = getComputedStyle(one).font;
    return paper.measureText(one.textContent).width;
  };
  const boxes = all.map((one) => ({ text: one.textContent, left: one.getBoundingClientRect().left, width: wide(one),
    room: one.getBoundingClientRect().width }));
  const over = (one) => boxes.some((two) => two.left > one.left && two.left < one.left + one.width);
  return boxes.filter((one) => one.text.includes("…") || one.width > one.room + 1 || over(one));
}"""


@pytest.mark.parametrize("size", SOME_SIZES, ids=str)
def test_no_bar_stands_in_a_step_and_what_is_read_keeps_its_place(walkers: OpenWalker, size: tuple[int, int]) -> None:
    walker = walkers(*size).open("/walk/makemore-mlp")
    seen: list[dict[str, Any]] = []
    for _ in range(51):
        seen.append(walker.ask(PLACES))
        walker.press("PageDown")
    assert {i + 1: step["bars"] for i, step in enumerate(seen) if step["bars"]} == {}
    oracles = Counter(step["oracle"] for step in seen if step["oracle"] is not None)
    assert len(oracles) == 1, f"central differences jump: {oracles}"
    assert oracles.total() > 20
    # the tug-of-war has a place of its own, and the last step an end
    words = [step["words"] for step in seen[:-1] if step["back"] and not step["tug"]]
    assert len(words) == 29
    assert max(words) - min(words) <= (2 if size[1] >= 900 else 16), Counter(words)


@pytest.mark.parametrize("plant", ["33.missing-upstream", "38.missing-upstream"])
def test_central_differences_keep_their_place_beside_a_mistake(walker: Walker, plant: str) -> None:
    walker.open("/walk/makemore-mlp?step=37")
    place = walker.ask(PLACES)["oracle"]
    walker.open(f"/walk/makemore-mlp?step=38&plant={plant}")
    assert walker.ask(PLACES)["oracle"] == place


@pytest.mark.parametrize("size", [(1920, 1080), *SIZES], ids=str)
def test_no_name_is_cut(walkers: OpenWalker, size: tuple[int, int]) -> None:
    walker = walkers(*size).open("/walk/makemore-mlp?step=33")
    for names in (".movements span", ".halves span", ".side .axis"):
        assert walker.page.evaluate(CUT, names) == []
    assert walker.page.locator(".halves span").all_text_contents() == ["forward", "backward"]
    assert {"BatchNorm", "Softmax"} <= {text.split(" ")[0] for text in walker.texts(".movements span")}
    assert walker.text(".side .axis") == "↓ hidden unit"
    room = """(select) => {
      const paper = document.createElement("canvas").getContext("2d");
      paper.font = getComputedStyle(select).font;
      return Math.min(...[...select.options].map((one) => select.clientWidth - 22 - paper.measureText(one.text).width));
    }"""
    assert walker.page.locator("#speed").evaluate(room) >= 0, "a speed is cut"


def test_the_score_names_the_block_of_a_step_that_is_pointed_at(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp")
    walker.page.locator(".tick").nth(2).hover()
    expect(walker.page.locator(".preview")).to_contain_text("Linear layer")
    walker.page.locator(".tick").nth(32).hover()
    expect(walker.page.locator(".preview")).to_contain_text("Tanh, linear layer")


def test_what_a_switch_says_goes_with_the_press_and_with_any_key(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    card = walker.page.locator(".popover:popover-open")
    switch = walker.page.locator("#predict")
    switch.hover()
    expect(card).to_contain_text("before it is shown")
    switch.click()
    expect(card).to_have_count(0)
    expect(walker.page.locator(".question")).to_be_visible()
    walker.press("1")
    expect(walker.page.locator(".answered")).to_be_visible()
    expect(card).to_have_count(0)
    walker.page.mouse.move(5, 300)
    walker.page.locator("#exact").hover()
    expect(card).to_contain_text("in the last digit, too")
    walker.press("ArrowRight")
    expect(card).to_have_count(0)
    walker.page.mouse.move(5, 300)
    switch.hover()
    expect(card).to_contain_text("before it is shown")


def test_an_answer_too_many_leaves_the_pace_alone(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25&predict=1")
    pace = walker.page.get_by_label("speed")
    expect(walker.page.locator(".question")).to_be_visible()
    walker.press("1", "1", "7")
    expect(walker.page.locator(".answered")).to_be_visible()
    expect(pace).to_have_value("2")
    walker.page.locator("#predict").click()
    walker.press("7")
    expect(pace).to_have_value("7")


# Where all stands that is in sight on a step.
STANDING = """() => Object.fromEntries(["header.top", "#graph", "#forward", "#backward", "#step", "#heading",
  "#picture", "#hand .move-grip", "#evidence", "#transport"].map((name) => {
    const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
    return [name, [x, y, width, height].map(Math.round)];
  }))"""


@pytest.mark.parametrize("size", [*SOME_SIZES, pytest.param((768, 1024), marks=pytest.mark.exhaustive)], ids=str)
def test_nothing_moves_under_a_drag_and_the_loss_is_told_beside_the_step(
    walkers: OpenWalker, size: tuple[int, int]
) -> None:
    walker = walkers(*size).open("/walk/makemore-mlp?step=1")
    walker.press("m")
    expect(walker.page.locator(".move-words")).to_contain_text("The gradient promises")
    loss = walker.page.locator(".loss-now")
    expect(loss).to_have_text("loss 3.34")
    expect(walker.page.locator(".chances figcaption")).to_contain_text("has")
    stood = walker.ask(STANDING)
    box = walker.page.locator("#hand .move-grip").bounding_box()
    assert box
    mouse, middle = walker.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, middle)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.9, middle)
    expect(loss).to_contain_text("loss 3.34 → ")
    assert walker.ask(STANDING) == stood, "while it is dragged"
    mouse.up()
    expect(walker.page.locator("#changes")).to_be_visible()
    expect(walker.page.locator(".change-name")).to_contain_text("C[")
    expect(loss).not_to_contain_text("→")
    expect(walker.page.locator("main")).to_have_attribute("aria-busy", "false")
    until(walker.page, f"(stood) => JSON.stringify(({STANDING})()) === JSON.stringify(stood)", stood)
    slider = walker.page.locator(".change-range")
    slider.focus()
    # a name grows longer than its place and shrinks again: the slider stays below the hand
    lengths = """(name) => { const { x, y } = document.querySelector(".change-range").getBoundingClientRect();
      document.querySelector(".change-name").textContent = name; return [x, y] }"""
    assert walker.page.evaluate(lengths, "C[0, 3] = -0.12345678901234567890123456789012345678") == (
        walker.page.evaluate(lengths, "C[0, 3] = 1")
    )
    at = slider.bounding_box()
    for _ in range(4):
        walker.press("ArrowRight")
        assert slider.bounding_box() == at
    walker.press("Enter")
    expect(walker.page.locator(".changes-list + .changes-effect")).to_contain_text("loss")
    expect(walker.page.locator("main")).to_have_attribute("aria-busy", "false")
    expect(loss).not_to_contain_text("→")
    walker.page.get_by_role("button", name="put it back", exact=True).click()
    expect(walker.page.locator("#changes")).to_be_hidden()
    assert walker.ask(STANDING)["#graph"] == stood["#graph"]


def test_the_bar_lies_in_nobody_s_way(walkers: OpenWalker) -> None:
    for width, height in ((1440, 900), (1280, 720), (768, 1024), (390, 844)):
        walker = walkers(width, height).open("/walk/makemore-mlp?step=51&changes=C.1.2:0.7,W1*1.2")
        bar, foot = (walker.page.locator(one).bounding_box() for one in ("#changes", "#transport"))
        assert bar is not None
        assert foot is not None
        assert bar["y"] + bar["height"] <= foot["y"] + 1
        assert bar["x"] >= 0
        assert bar["x"] + bar["width"] <= width
        assert walker.ask("document.documentElement.scrollWidth <= innerWidth")
        if width > 640:
            # the last line scrolls out from under it
            last = walker.page.locator("#backward .row").last
            last.scroll_into_view_if_needed()
            walker.ask("document.querySelector('#backward').scrollTo(0, 1e6)")
            row = last.bounding_box()
            assert row is not None
            assert row["y"] + row["height"] <= bar["y"]


def test_the_number_that_is_offered_bends_the_loss(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp").press("m")
    expect(walker.page.locator("#lens .lens-name")).to_contain_text("C[")
    expect(walker.page.locator(".move-words")).to_contain_text("The gradient promises")
    walker.press("Escape", "Escape").step_to(10).press("m")
    expect(walker.page.locator("#lens .lens-name")).to_contain_text("bngain[")
    expect(walker.page.locator(".move-words")).to_contain_text("The gradient promises")
    bends = """() => {
      const points = document.querySelector(".move-curve").getAttribute("d").match(/-?[\\d.]+/g).map(Number);
      const [x, y] = [0, 1].map((from) => points.filter((_, i) => i % 2 === from));
      const last = x.length - 1;
      const line = (at) => y[0] + ((y[last] - y[0]) * (at - x[0])) / (x[last] - x[0]);
      const most = Math.max(...x.map((at, i) => Math.abs(y[i] - line(at))));
      return most / (Math.max(...y) - Math.min(...y));
    }"""
    assert walker.ask(bends) > 0.08


SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value, sources }) =>
    [value, sources.map(({ node }) => node?.id || node?.className || node?.nodeName)])))
    .observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("place", ["/walk/makemore-mlp", "/walk/makemore-mlp?step=30"])
def test_nothing_that_is_in_sight_moves_as_a_walk_arrives(walker: Walker, place: str) -> None:
    walker.page.add_init_script(SHIFTS)
    walker.open(place)
    expect(walker.page.locator("#graph :is(.node, .box):not([hidden])").first).to_be_visible()
    assert [shift for shift in walker.ask("window.shifts") if shift[0] > 0.002] == []


@pytest.mark.parametrize(
    "size", [*SOME_SIZES, *(pytest.param(size, marks=pytest.mark.exhaustive) for size in ((1920, 1080), (768, 1024)))]
)
@pytest.mark.parametrize("end", ['<i class="badge-dot level-wrong"', "</main>"])
def test_what_has_not_arrived_yet_has_its_place(walkers: OpenWalker, size: tuple[int, int], end: str) -> None:
    """A page is read bit by bit: of its beginning each pane lies where it lies in the whole."""
    walker = walkers(*size, bypass_csp=True).open("/walk/makemore-mlp?step=30")
    panes = """() => [...document.querySelectorAll('.pane, .graph, .listing-pane, #forward')].map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return [top, bottom, parseFloat(getComputedStyle(one).paddingBottom)];
    })"""
    whole = walker.ask(panes)
    walker.page.evaluate(
        """async (end) => {
          const text = await (await fetch(location.href)).text();
          document.open();
          document.write(text.slice(0, text.indexOf(end)));
        }""",
        end,
    )
    until(walker.page, "() => getComputedStyle(document.querySelector('.walk') ?? document.body).display === 'grid'")
    part = walker.ask(panes)
    assert len(part) >= 5
    assert part == [pytest.approx(one, abs=0.5) for one in whole[: len(part)]]


def test_both_halves_of_a_product_are_lit_named_and_open(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=33&cell=2,5&of=gradient")
    term = walker.page.locator("#lens .terms li").first
    expect(term.locator(".factor")).to_have_text("h[13, 2]")
    expect(term.locator(".from")).to_have_text("dlogits[13, 5]")
    # row 2 of h.T and column 5 of dlogits: dark dots along the line around them, and none elsewhere
    around = """(name) => {
      const piece = [...document.querySelectorAll(".piece")].find((one) => one.querySelector("b").textContent === name);
      const lights = piece.querySelector(".lights"), box = lights.getBoundingClientRect();
      const data = lights.getContext("2d", { willReadFrequently: true })
        .getImageData(0, 0, lights.width, lights.height).data;
      let [left, top, right, foot] = [1e6, 1e6, -1, -1];
      for (let i = 3; i < data.length; i += 4) if (data[i] > 128) {
        const [x, y] = [((i - 3) / 4) % lights.width, Math.floor((i - 3) / 4 / lights.width)];
        [left, top, right, foot] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(foot, y)];
      }
      return [left / lights.width, top / lights.height, right / lights.width, foot / lights.height];
    }"""
    left, top, right, foot = walker.page.evaluate(around, "h.T")
    assert left < 0.02
    assert right > 0.98
    assert [top * 64, foot * 64] == pytest.approx([2, 3], abs=1), "row 2 of 64"
    left, top, right, foot = walker.page.evaluate(around, "dlogits")
    assert top < 0.02
    assert foot > 0.98
    assert [left * 27, right * 27] == pytest.approx([5, 6], abs=0.6), "column 5 of 27"
    term.locator(".factor").click()
    expect(walker.page.locator("#lens .lens-name")).to_have_text("h[13, 2]")
    walker.page.keyboard.press("Backspace")
    expect(walker.page.locator("#lens .lens-name")).to_have_text("dW2[2, 5]")
    term.locator("button.term").focus()
    walker.press("Shift+Enter")
    expect(walker.page.locator("#lens .lens-name")).to_have_text("h[13, 2]")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_an_open_number_leaves_the_rope_beside_the_board(walkers: OpenWalker, size: tuple[int, int]) -> None:
    walker = walkers(*size).open("/walk/makemore-mlp?step=31&cell=5,14&of=gradient")
    expect(walker.page.locator("#lens .terms li").first).to_be_visible()
    rope, board, lens = (walker.page.locator(one).bounding_box() for one in (".rope svg", ".tug-board", "#lens"))
    assert rope is not None
    assert board is not None
    assert lens is not None
    assert rope["height"] > 90
    assert max(rope["y"] + rope["height"], board["y"] + board["height"]) <= lens["y"]
    assert rope["x"] >= board["x"] + board["width"]
