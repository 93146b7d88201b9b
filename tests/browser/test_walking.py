"""The whole walk by keyboard, with every view in step with the others."""

import json
import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import LINES, OpenWalker, Walker, until
from tests.support.whole_walk import whole_walk
from tests.tools.server import Server

VIEWS = """() => ({
  title: document.querySelector('#step-title').firstChild.textContent,
  node: document.querySelector('.node[aria-current]').dataset.node,
  nodes: document.querySelectorAll('.node[aria-current]').length,
  here: [...document.querySelectorAll('.row.here')]
    .map((row) => [row.closest('.listing').id, Number(row.dataset.line)]),
  via: [...document.querySelectorAll('.row.via')].map((row) => Number(row.dataset.line)),
  slider: Number(document.querySelector('.staff').getAttribute('aria-valuenow')),
  ticks: [...document.querySelectorAll('.tick')].findIndex((tick) => tick.classList.contains('now')),
  count: document.querySelector('#count').textContent,
})"""


@pytest.fixture
def walker(moving: Walker) -> Walker:
    """Steps move here, as they do for most visitors."""
    return moving


@pytest.fixture(scope="module")
def steps(server: Server) -> list[dict]:
    """The steps of the makemore walk as the server tells them."""
    return list(whole_walk(server, {"lesson": "makemore-mlp"})["steps"])


def expected(step: dict, total: int) -> dict:
    """What all the views must show at one step."""
    back = step["direction"] == "backward"
    lines = range(step["line"], step["line"] + step.get("lines", 1))
    return {
        "title": f"d{step['node']}" if back else step["node"],
        "node": step["node"],
        "nodes": 1,
        "here": [["backward" if back else "forward", line] for line in lines],
        "via": [step["forward_line"]] if back and step["forward_line"] else [],
        "slider": step["index"] + 1,
        "ticks": step["index"],
        "count": f"{step['index'] + 1} / {total}",
    }


def test_the_whole_walk_by_keyboard_forward_and_back(walker: Walker, steps: list[dict]) -> None:
    walker.open(LINES)
    assert walker.ask(VIEWS) == expected(steps[0], len(steps))
    for step in steps[1:]:
        assert walker.press("ArrowRight").ask(VIEWS) == expected(step, len(steps))
    walker.press("ArrowRight")
    assert walker.count == f"{len(steps)} / {len(steps)}"
    for step in reversed(steps[:-1]):
        assert walker.press("ArrowLeft").ask(VIEWS) == expected(step, len(steps))
    walker.press("ArrowLeft")
    assert walker.count == f"1 / {len(steps)}"


def test_every_step_says_that_it_has_been_painted(walker: Walker) -> None:
    walker.open()
    walker.ask("""() => {
        window.seen = [];
        document.addEventListener('gradwalk:step', (event) => window.seen.push(event.detail.index));
    }""")
    for index in (1, 2, 3):
        walker.press("ArrowRight")
        until(walker.page, "(index) => window.seen.includes(index)", index)
    assert walker.ask("window.seen") == [1, 2, 3]
    assert walker.ask("performance.getEntriesByName('gradwalk:painted').length") >= 4


def test_a_step_restyles_what_it_changes(walker: Walker, browser: Browser) -> None:
    """A selector that every change anywhere concerns would have the browser restyle all elements of the page."""
    walker.open("/walk/makemore-mlp?step=20")
    browser.start_tracing(page=walker.page, categories=["disabled-by-default-devtools.timeline", "devtools.timeline"])
    walker.press("ArrowRight", "ArrowRight", "ArrowLeft")
    walker.ask("new Promise(requestAnimationFrame)")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    told = [event["args"] for event in events if event["name"] == "UpdateLayoutTree"]
    restyled = [one["elementCount"] for one in told if "elementCount" in one]  # at an event's end
    assert len(restyled) >= 3
    assert max(restyled) < walker.ask("document.querySelectorAll('*').length") / 4


def test_jumps_to_forward_backward_and_the_ends(walker: Walker, steps: list[dict]) -> None:
    forward = sum(step["direction"] == "forward" for step in steps)
    walker.open()
    assert walker.press("b").count == f"{forward + 1} / {len(steps)}"
    assert walker.press("f").count == f"1 / {len(steps)}"
    assert walker.press("End").count == f"{len(steps)} / {len(steps)}"
    assert walker.press("Home").count == f"1 / {len(steps)}"


def test_space_plays_at_the_speed_a_digit_sets_and_stops_at_the_end(walker: Walker, steps: list[dict]) -> None:
    walker.page.clock.install()
    walker.open(f"/walk/makemore-mlp?step={len(steps) - 3}")
    walker.page.clock.pause_at(walker.ask("Date.now() + 5000"))
    walker.press("9")
    expect(walker.page.get_by_label("speed")).to_have_value("9")
    walker.page.locator("#step").focus()
    walker.press("Space")
    expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Pause")
    walker.page.clock.run_for(10_000)
    expect(walker.page.locator("#count")).to_have_text(f"{len(steps)} / {len(steps)}")
    expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_selecting_a_node_a_line_or_a_tick_moves_the_others(walker: Walker, steps: list[dict]) -> None:
    walker.open(LINES).press("b")
    walker.page.locator(".node[data-node=h]").click()
    assert (walker.title, walker.node) == ("dh", "h")
    walker.page.locator("#backward .row", has_text="dW2 =").click()
    assert (walker.title, walker.node) == ("dW2", "W2")
    walker.page.locator("#forward .row", has_text="logprobs = ").click()
    assert (walker.title, walker.node) == ("logprobs", "logprobs")
    box = walker.page.locator(".staff").bounding_box()
    assert box is not None
    walker.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    assert walker.count == f"{len(steps)} / {len(steps)}"


def test_a_parameter_can_be_looked_at_on_the_way_forward(walker: Walker) -> None:
    walker.open(LINES)
    walker.page.locator(".node[data-node=W1]").click()
    assert (walker.title, walker.node) == ("W1", "W1")
    expect(walker.page.locator("#forward .row.here")).to_contain_text("hprebn")
    expect(walker.page.locator("#heading")).to_contain_text("parameter")
    walker.press("ArrowRight")
    assert walker.title == "embcat"


def test_the_scrubber_is_a_slider_and_the_live_region_tells_each_step(walker: Walker) -> None:
    walker.open()
    slider = walker.page.get_by_role("slider", name="Step of the walk")
    slider.focus()
    walker.press("ArrowRight", "ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "3")
    expect(walker.page.locator("#announcer")).to_contain_text("Forward, step 3 of 51: hprebn, 32 by 64.")


def test_not_yet_computed_is_not_zero(walker: Walker) -> None:
    walker.open(LINES)
    assert walker.page.locator(".chart:visible").count() == 0
    expect(walker.page.locator(".node[data-node=h]")).to_have_attribute("aria-label", "h, 32 by 64, not yet computed")
    walker.press("b")
    walker.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert walker.page.locator(".chart .none:visible").count() == 2
    walker.press("End")
    assert walker.page.locator(".chart .none:visible").count() == 0


def test_two_paths_are_added_into_one(walker: Walker, steps: list[dict]) -> None:
    adding = next(step for step in steps if step.get("mode") == "+=")
    walker.open(f"/walk/makemore-mlp?step={adding['index'] + 1}")
    expect(walker.page.locator(".equation")).to_have_count(1)
    labels = walker.page.locator(".equation .label b").all_text_contents()
    name = f"d{adding['node']}"
    assert labels == [name, *(operand["code"] for operand in adding["picture"]["operands"]), name]


def test_numbers_shown_are_the_server_s_numbers(walker: Walker, server: Server) -> None:
    document = server.ask(
        "POST",
        "/api/walk?arrays=lists",
        json.dumps({"lesson": "makemore-mlp"}).encode(),
        {"Content-Type": "application/json"},
    ).json()
    node = next(node for node in document["nodes"] if node["name"] == "W2")
    index = next(s["index"] for s in document["steps"] if s["direction"] == "backward" and s["node"] == "W2")
    walker.open(f"/walk/makemore-mlp?step={index + 1}")
    walker.page.get_by_label("manual: larger, with every number").click()
    cell = walker.text("#tensor-table tbody tr:nth-child(4) td:nth-child(7)")
    shown = float(cell.replace("−", "-").replace("·10", "e").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
    assert shown == pytest.approx(node["gradient"]["manual"][3][5], rel=1e-4)


def test_arrow_keys_in_a_heatmap_read_its_cells(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    walker.page.locator(".plot[data-which=manual]").focus()
    walker.press("ArrowDown", "ArrowDown", "ArrowDown")
    expect(walker.page.locator(".readout")).to_contain_text(re.compile(r"^\[2, 0\] · value \S+ · manual "))
    expect(walker.page.locator("#lens .lens-place")).to_contain_text(re.compile(r"^example .* \(2\)"))
    assert walker.count.startswith("25 /")
    expect(walker.page).to_have_url(f"{walker.base}/walk/makemore-mlp?step=25&cell=2,0&of=gradient")


# What moves is gone after less than a second, and so it is counted while it is there.
MOVED = """() => {
  window.moved = 0;
  const look = () => {
    window.moved = Math.max(window.moved, document.getAnimations().length);
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.exhaustive
def test_motion_is_left_out_where_it_is_not_wanted(walkers: OpenWalker) -> None:
    calm = walkers(reduced_motion="reduce").open("/walk/makemore-mlp?step=24")
    lively = walkers(reduced_motion="no-preference").open("/walk/makemore-mlp?step=24")
    assert calm.press("ArrowRight").ask("document.getAnimations().length") == 0
    lively.ask(MOVED)
    until(lively.press("ArrowRight").page, "window.moved > 0")


def test_plotly_draws_the_charts_when_someone_points_at_them(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=33")
    walker.page.locator(".plot[data-which=manual]").hover()
    expect(walker.page.locator(".plot.drawn")).to_have_count(4)
    assert walker.page.locator("a.modebar-btn[data-title*=chart i]").count() == 0


@pytest.mark.exhaustive
def test_what_is_heard_at_a_step_is_its_insight(walker: Walker) -> None:
    """In the live region, and in the headings as a screen reader reads them."""
    heard = {
        25: ("gradient of counts_sum_inv, 32 by 1, exact", "27 gradients; they add up: sum over axis 1"),
        30: ("gradient of logit_maxes, 32 by 1, true zero", "changes no probability, so the true gradient is zero"),
        46: ("gradient of hprebn, 32 by 64, approximate", "was used twice"),
        49: ("gradient of b1, 64 numbers, true zero", "BatchNorm subtracts the mean again"),
    }
    for step, (result, insight) in heard.items():
        walker.open(f"/walk/makemore-mlp?step={step}")
        spoken = walker.page.locator("#announcer")
        expect(spoken).to_contain_text(f"Backward, step {step} of 51: {result}.")
        expect(spoken).to_contain_text(insight)
        assert not re.search(r"[`*]", spoken.text_content() or ""), "marks of the text are not read out"
    expect(walker.page.get_by_role("heading", level=1)).to_have_accessible_name("db1 (64,)")
    read = walker.page.locator("#step").aria_snapshot()
    for name in ("value", "manual", "autograd", "difference"):
        assert f'heading "{name}" [level=2]' in read
    assert (
        read.index('heading "db1 (64,)"')
        < read.index("BatchNorm subtracts the mean again")
        < read.index("was broadcast to")
    )
