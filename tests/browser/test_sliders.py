"""Many numbers at once, each change a slider; everything in sight follows; and a step downhill from any place."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import OpenWalker, Walker, arrived, intercept, until
from tests.support.looking import findings
from tests.tools.server import Server

LESSON = {"lesson": "makemore-mlp"}
THUMB = """(name) => document.querySelector(`[data-node="${name}"] canvas`).toDataURL()"""
THE_SAME = f"(before) => Object.entries(before).every(([name, was]) => ({THUMB})(name) === was)"
OTHERS = THE_SAME.replace("===", "!==")


def loss(server: Server, *changes: Any) -> float:
    answer = server.post("/api/walk", {**LESSON, "changes": list(changes), "only": ["h"]}).json()
    return float(answer["loss"]["value"])


def bar_of(walker: Walker) -> Locator:
    return walker.page.get_by_role("region", name="Changed numbers")


def effect(walker: Walker, before: float, after: float) -> None:
    """The bar tells what the latest change did, by these numbers."""
    told = walker.page.locator(".changes-effect")
    expect(told).to_contain_text(re.compile(rf"loss {before:.4g}\d* to {after:.4g}\d*\.$"))


def change(walker: Walker, deed: str) -> None:
    walker.page.locator(".change-open").click()
    walker.page.locator(f"[data-deed={deed}]").click()


def test_a_whole_tensor_is_changed_by_a_slider_and_put_back(walker: Walker, server: Server) -> None:
    walker.open("/?step=33")
    change(walker, "scale")
    bar = bar_of(walker)
    slider = bar.get_by_role("slider", name="W2 × 2")
    expect(slider).to_be_focused()
    effect(walker, loss(server), loss(server, {"tensor": "W2", "scale": 2}))
    expect(walker.page).to_have_url(re.compile(r"step=33&changes=W2\*2$"))
    walker.press("ArrowRight", "Enter")
    expect(bar).to_contain_text("W2 × 2.02")
    expect(walker.page).to_have_url(re.compile(r"changes=W2\*2\.02$"))
    effect(walker, loss(server, {"tensor": "W2", "scale": 2}), loss(server, {"tensor": "W2", "scale": 2.02}))
    expect(walker.page.locator("main")).to_have_attribute("aria-busy", "false")
    walker.page.locator(".change-open").click()
    assert findings(walker) == []
    walker.page.locator("[data-deed=noise]").click()
    expect(bar.get_by_role("slider")).to_have_count(2)
    expect(bar.get_by_role("slider", name="W2 + noise of size")).to_be_focused()
    walker.press("Control+z")
    expect(bar.get_by_role("slider")).to_have_count(1)
    walker.press("Control+z")
    expect(bar).to_contain_text("W2 × 2")
    expect(walker.page).to_have_url(re.compile(r"changes=W2\*2$"))
    walker.press("Control+Shift+Z", "Control+Shift+Z")
    expect(bar.get_by_role("slider")).to_have_count(2)
    walker.page.reload()
    expect(bar).to_contain_text("W2 × 2.02")
    bar.get_by_role("button", name="Put back W2 × 2.02").click()
    expect(bar.get_by_role("slider")).to_have_count(1)
    expect(walker.page).to_have_url(re.compile(r"changes=W2~[\d.]+@0$"))
    bar.get_by_role("button", name="undo").click()
    expect(bar).to_contain_text("W2 × 2.02")
    bar.get_by_role("button", name="put all back").click()
    expect(bar).to_be_hidden()


# What opens over a walk: its name, and how it is asked for.
OVER: dict[str, Callable[[Page], None]] = {
    "^Change W2": lambda page: page.locator(".change-open").click(),
    "^Step downhill": lambda page: page.locator("#step").press("d"),
    "^Central differences": lambda page: page.get_by_role("button", name="nudge it").click(),
    "^W2": lambda page: page.get_by_role("button", name="value: larger").click(),
}


@pytest.mark.exhaustive
def test_what_is_opened_right_after_a_slider_lies_over_the_walk_that_is_on_its_way(walker: Walker) -> None:
    walker.open("/?step=33&changes=W2*2")
    main, opened = walker.page.locator("main"), walker.page.locator(".change-menu:popover-open, dialog[open]")
    held: list[Route] = []
    for title, ask in OVER.items():
        held.clear()
        intercept(walker.page, "**/api/walk", lambda route: held.append(route))
        bar_of(walker).get_by_role("slider").focus()
        walker.press("ArrowRight")
        ask(walker.page)
        request = arrived(walker.page, held)
        expect(main).to_have_attribute("aria-busy", "true")
        expect(opened).to_have_count(0)
        request.continue_()
        walker.page.unroute("**/api/walk")  # a busy server may have to be asked again
        expect(opened).to_have_accessible_name(re.compile(title))
        expect(main).to_have_attribute("aria-busy", "false")
        walker.press("Escape")
        expect(opened).to_have_count(0)


@pytest.mark.exhaustive
def test_several_cells_are_chosen_and_zeroed(walker: Walker, server: Server) -> None:
    walker.open("/?step=33")
    plot = walker.page.locator('.plot[data-which="value"]')
    plot.focus()
    walker.press("ArrowRight", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight")
    expect(plot.locator(".reach")).to_be_visible()
    walker.page.locator(".change-open").click()
    expect(walker.page.get_by_label("the 6 chosen cells")).to_be_checked()
    walker.page.locator("[data-deed=zero]").click()
    expect(bar_of(walker)).to_contain_text("W2[0:3, 1:3] = 0")
    effect(walker, loss(server), loss(server, {"tensor": "W2", "index": [[0, 3], [1, 3]], "value": 0}))
    expect(walker.page).to_have_url(re.compile(r"changes=W2\.0-3\.1-3:0"))
    walker.page.locator(".change-open").click()
    walker.press("Escape")
    expect(walker.page.locator(".change-menu")).to_be_hidden()
    expect(walker.page.locator(".change-open")).to_be_focused()
    box = plot.bounding_box()
    assert box
    plot.click(position={"x": 2, "y": 0.5})
    plot.click(position={"x": box["width"] - 2, "y": 0.5}, modifiers=["Shift"])
    walker.page.locator(".change-open").click()
    expect(walker.page.get_by_label("the 27 chosen cells")).to_be_checked()
    walker.page.locator("[data-deed=saturate]").click()
    expect(bar_of(walker)).to_contain_text(re.compile(r"W2\[0\] → ±[\d.]+"))


def test_everything_in_sight_follows_a_number_and_comes_back(walker: Walker) -> None:
    walker.open("/?step=36&cell=3,5&of=value&tensor=h").press("m")
    grip = walker.page.locator("#hand .move-grip")
    expect(walker.page.locator(".move-words")).to_contain_text("The gradient promises")
    before = {name: walker.page.evaluate(THUMB, name) for name in ("counts", "logits", "W2")}
    upstream = walker.page.locator('[data-node="hpreact"]')
    expect(upstream).to_have_class(re.compile("computed"))
    walker.press("End")
    expect(upstream).not_to_have_class(re.compile("computed"))
    until(walker.page, OTHERS, before)
    walker.press("Escape")
    expect(upstream).to_have_class(re.compile("computed"))
    expect(bar_of(walker)).to_be_hidden()
    expect(grip).to_be_visible()
    until(walker.page, THE_SAME, before)


PICTURES = """() => [...document.querySelectorAll("#picture canvas.heat, #evidence canvas:not([hidden])")]
  .filter((canvas) => canvas.checkVisibility() && canvas.closest(".map, .plot"))
  .map((canvas) => [canvas.dataset.kept ?? "", canvas.toDataURL()])"""
# The pictures are others than before, and for ten frames nothing more has been painted.
PAINTED = f"""async (before) => {{
  let [last, still] = [before, 0];
  for (let frame = 0; still < 10; frame += 1) {{
    if (frame > 900) return false;
    await new Promise(requestAnimationFrame);
    const now = JSON.stringify(({PICTURES})().map(([, data]) => data));
    still = now === last && now !== before ? still + 1 : 0;
    last = now;
  }}
  return true;
}}"""


@pytest.mark.exhaustive
def test_a_picture_is_painted_over_as_it_would_be_drawn_anew(walker: Walker) -> None:
    walker.open("/?step=33&cell=3,5&of=gradient").press("m")
    grip, words = walker.page.locator("#hand .move-grip"), walker.page.locator(".move-words")
    expect(words).to_contain_text("The gradient promises")
    before = walker.page.evaluate(f"JSON.stringify(({PICTURES})().map(([, data]) => data))")
    walker.page.evaluate("for (const one of document.querySelectorAll('canvas.heat')) one.dataset.kept = 'kept'")
    box = grip.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    walker.page.mouse.move(box["x"] + box["width"] / 2, middle)
    walker.page.mouse.down()
    walker.page.mouse.move(box["x"] + box["width"], middle)
    expect(words).to_contain_text("; the gradient promised")
    assert walker.page.evaluate(PAINTED, before)
    painted = walker.page.evaluate(PICTURES)
    captions = walker.page.locator("#picture .caption").all_inner_texts()
    assert [kept for kept, _ in painted if kept], "the equation's canvases are the same ones"
    walker.page.mouse.up()
    expect(bar_of(walker)).to_contain_text("W2[3, 5] =")
    expect(walker.page.locator("canvas.heat[data-kept]")).to_have_count(0)
    assert [data for _, data in walker.page.evaluate(PICTURES)] == [data for _, data in painted]
    assert walker.page.locator("#picture .caption").all_inner_texts() == captions


def test_what_changed_is_drawn_and_told(walker: Walker, server: Server) -> None:
    changes = [{"tensor": "W2", "index": [3, 5], "value": 0.5}]
    walker.open("/?step=33&cell=3,5&of=gradient&changes=W2.3.5:0.5")
    readout = walker.page.locator(".readout")
    expect(readout).to_contain_text("value 0.5")
    bar_of(walker).get_by_role("switch", name="what changed").click()
    own, now = (
        server.post("/api/walk?arrays=lists", {**LESSON, "changes": made, "only": ["W2", "dW2"]}).json()["tensors"]
        for made in ([], changes)
    )
    for name, title in (("W2", "value"), ("dW2", "manual")):
        moved = now[name][3][5] - own[name][3][5]
        found = readout_of(walker, title, moved)
        assert found == pytest.approx(moved, rel=1e-3), title
    chart = walker.page.get_by_role("group", name="change of manual of W2")
    expect(chart).to_be_visible()
    expect(walker.page).to_have_url(re.compile("delta=1"))
    walker.page.reload()
    expect(chart).to_be_visible()
    expect(bar_of(walker).get_by_role("switch", name="what changed")).to_be_checked()
    bar_of(walker).get_by_role("button", name="put it back", exact=True).click()
    expect(chart).to_have_count(0)


def readout_of(walker: Walker, title: str, meant: float) -> float:
    """The number that the line below the charts tells, once it is that of what has changed."""
    line = walker.page.locator(".readout")
    expect(line).to_contain_text(re.compile(rf"{title} −?{abs(meant):.3g}"[:-1]))
    told = re.search(rf"{title} (−?[\d.]+)", line.inner_text())
    assert told
    return float(told[1].replace("−", "-"))


@pytest.mark.exhaustive
def test_a_key_is_not_lost_while_the_walk_is_on_its_way(walker: Walker) -> None:
    walker.open("/?step=33&cell=3,5&of=gradient").press("m")
    grip = walker.page.locator("#hand .move-grip")
    expect(walker.page.locator(".move-words")).to_contain_text("The gradient promises")
    held: list[Route] = []
    intercept(walker.page, "**/api/walk", lambda route: held.append(route))
    walker.press("Home", "Enter")
    expect(walker.page.locator("main")).to_have_attribute("aria-busy", "true")
    walker.press("Shift+ArrowRight")
    moved = str(grip.get_attribute("aria-valuenow"))
    assert moved != grip.get_attribute("aria-valuemin")
    arrived(walker.page, held).continue_()
    walker.page.unroute("**/api/walk")
    expect(bar_of(walker)).to_contain_text(f"W2[3, 5] = {float(moved):.4g}".replace("-", "−"))
    expect(grip).to_be_focused()
    assert float(str(grip.get_attribute("aria-valuenow"))) == pytest.approx(float(moved), rel=1e-6)


def test_a_drag_asks_for_the_newest_and_loses_none(walker: Walker, server: Server) -> None:
    walker.open("/?step=33&changes=W2*2")
    slider = bar_of(walker).get_by_role("slider")
    asked: list[Any] = []
    walker.page.on(
        "request",
        lambda sent: asked.append(json.loads(sent.post_data or "{}")) if sent.url.endswith("/api/step") else None,
    )
    box = slider.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    walker.page.mouse.move(box["x"] + box["width"] / 2, middle)
    walker.page.mouse.down()
    for step in range(30):
        walker.page.mouse.move(box["x"] + box["width"] * (0.5 + step / 75), middle)
    walker.page.mouse.up()
    expect(bar_of(walker)).not_to_contain_text("W2 × 2what")
    amount = float(slider.input_value())
    assert amount > 3
    expect(walker.page).to_have_url(re.compile(rf"changes=W2\*{amount:g}$"))
    effect(walker, loss(server, {"tensor": "W2", "scale": 2}), loss(server, {"tensor": "W2", "scale": amount}))
    assert 1 <= len(asked) <= 31


def test_a_step_downhill_from_any_place(walker: Walker, server: Server) -> None:
    walker.open("/?step=5").press("d")
    dialog = walker.page.get_by_role("dialog", name="Step downhill")
    grip = dialog.get_by_role("slider", name="learning rate")
    expect(grip).to_be_focused()
    words = dialog.locator(".downhill-words")
    expect(words).to_contain_text("The gradients promised")
    assert findings(walker) == []
    walker.press("Shift+ArrowLeft", "Enter")
    rate = float(str(grip.get_attribute("aria-valuenow")))
    told = server.post("/api/descent", {"walk": LESSON, "rates": [rate]}).json()
    (step,) = told["steps"]
    expect(words).to_contain_text(f"goes from {told['loss']:.3f} to {step['loss']:.3f}")
    expect(words).to_contain_text(f"promised {step['promised']:.4g}".replace("-", "−")[:-1])
    after = loss(server, {"descend": rate, "steps": 10})
    expect(dialog.locator(".downhill-ten")).to_contain_text(f"lead to loss {after:.4g}"[:-1])
    dialog.get_by_role("button", name="Ten steps").click()
    expect(dialog).to_be_hidden()
    slider = bar_of(walker).get_by_role("slider", name="10 steps of gradient descent")
    expect(slider).to_be_focused()
    effect(walker, loss(server), after)
    expect(walker.page.locator("#step-title")).to_contain_text("bndiff")
    walker.page.locator("#step").focus()
    walker.press("d")
    expect(grip).to_be_focused()
    walker.press("Escape")
    expect(dialog).to_be_hidden()


@pytest.mark.exhaustive
def test_by_touch_on_a_phone(walkers: OpenWalker) -> None:
    walker = walkers(width=390, height=844, has_touch=True)
    walker.open("/?step=33&cell=3,5&of=value")
    walker.page.locator(".change-open").tap()
    walker.page.get_by_label("column 5").tap()
    walker.page.locator("[data-deed=zero]").tap()
    expect(bar_of(walker)).to_contain_text("W2[:, 5] = 0")
    slider = bar_of(walker).get_by_role("slider")
    box = slider.bounding_box()
    assert box
    assert box["x"] + box["width"] <= 390
    walker.page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    expect(walker.page).to_have_url(re.compile(r"changes=W2\._\.5:0\.\d+"))
    wide = walker.ask("document.documentElement.scrollWidth")
    assert wide <= 390
    expect(walker.page.locator(".loss-now")).to_contain_text("loss")
    ends = "['.kicker .phase', '.kicker'].map((name) => document.querySelector(name).getBoundingClientRect().right)"
    phase, kicker = walker.ask(ends)
    assert phase <= kicker, "the number of the step is cut"
