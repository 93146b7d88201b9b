"""A lesson as a program of one's own, and the steps inside a line wherever a walk is."""

import json
import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenWalker, Walker, intercept
from tests.support.looking import findings


def ready(walker: Walker) -> Walker:
    expect(walker.page.locator("#status")).to_contain_text("Ready to walk")
    return walker


def test_a_lesson_opens_as_a_program_of_ones_own(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?seed=7&step=51")
    loss = walker.page.locator(".node[data-node=loss]").get_attribute("aria-label")
    walker.page.get_by_role("link", name="edit a copy").click()
    ready(walker)
    expect(walker.page.locator("#source")).to_have_value(re.compile("^# Embedding\nemb = C"))
    expect(walker.page.locator(".tensor-row")).to_have_count(9)
    expect(walker.page).to_have_url(re.compile("/code#p="))
    walker.press("Control+Enter")
    expect(walker.page.locator("#transport")).to_be_visible()
    walker.press("End")
    assert walker.count == "51 / 51"
    walker.page.locator("#graph-lines").click()
    assert walker.page.locator(".node[data-node=loss]").get_attribute("aria-label") == loss
    walker.page.reload()
    expect(walker.page.locator("#transport")).to_be_visible()


@pytest.mark.exhaustive
def test_a_copy_does_not_cost_the_draft_that_was_there(walker: Walker) -> None:
    walker.page.goto(f"{walker.base}/code")
    walker.page.locator("#source").fill("mine = x.sum()")
    walker.page.goto(f"{walker.base}/code?lesson=first-steps&seed=5")
    ready(walker)
    expect(walker.page.locator("#source")).to_have_value("y = x * 3\nz = y + 1")
    expect(walker.page.locator("[data-field=values]")).to_have_value("5.0")
    expect(walker.page.locator(".notice")).to_contain_text("copy of “3x + 1”")
    walker.page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(walker.page.locator("#source")).to_have_value("mine = x.sum()")


@pytest.mark.exhaustive
def test_a_copy_of_no_lesson_says_so(walker: Walker) -> None:
    walker.page.goto(f"{walker.base}/code?lesson=nope")
    expect(walker.page.locator(".notice")).to_contain_text("There is no lesson nope.")
    ready(walker)
    walker.complaints.clear()


def test_the_steps_inside_open_in_the_walk_and_close_again(walker: Walker) -> None:
    walker.page.goto(f"{walker.base}/code")
    ready(walker).press("Control+Enter")
    expect(walker.page.locator("#count")).to_have_text(re.compile("^1 / "))
    before = walker.count
    assert findings(walker) == []
    walker.page.get_by_role("button", name="Show the steps inside line 3").click()
    expect(walker.page.locator("#step-title")).to_contain_text("maxes")
    expect(walker.page.locator("#count")).to_have_text(re.compile("^3 / "))
    assert walker.count.split("/")[1] != before.split("/")[1]
    expect(walker.page.locator(".notice")).to_contain_text("Line 3 is written in its small steps now.")
    expect(walker.page.locator(".tick.wrong, .tick.shape")).to_have_count(0)
    walker.page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(walker.page.locator("#count")).to_have_text(re.compile(rf"/{before.split('/')[1]}$"))
    expect(walker.page.locator("#forward")).to_contain_text("cross_entropy")


@pytest.mark.exhaustive
def test_back_leads_out_of_the_steps_inside(walker: Walker) -> None:
    walker.page.goto(f"{walker.base}/code")
    ready(walker).press("Control+Enter")
    expect(walker.page.locator("#count")).to_have_text(re.compile("^1 / "))
    walker.page.get_by_role("button", name="Show the steps inside line 3").click()
    expect(walker.page.locator("#step-title")).to_contain_text("maxes")
    walker.page.go_back()
    expect(walker.page.locator("#forward")).to_contain_text("cross_entropy")
    walker.page.go_forward()
    expect(walker.page.locator("#forward")).not_to_contain_text("cross_entropy")


def test_a_fused_line_of_a_lesson_leads_to_a_copy_with_that_line_opened(walkers: OpenWalker) -> None:
    """No lesson has a fused line today: one is put into the walk and the copy that the page asks for."""
    walker = walkers()
    source = "h = x * 3\nloss = F.softmax(h, 0).sum()"
    tensors = {"x": {"role": "parameter", "values": [1.0, 2.0]}}
    program = {"name": "first-steps", "title": "3x + 1", "about": "", "request": {"source": source, "tensors": tensors}}
    intercept(walker.page, "**/api/lessons/first-steps/program*", lambda route: route.fulfill(json=program))
    walk = walker.page.request.post(f"{walker.base}/api/walk", data=program["request"]).json() | {
        "lesson": "first-steps"
    }
    intercept(walker.page, "**/api/walk", lambda route: route.fulfill(json=walk))

    def of_the_program(route: Route) -> None:
        asked = dict(route.request.post_data_json or {}) | {"walk": program["request"]}
        route.continue_(post_data=json.dumps(asked))

    intercept(walker.page, "**/api/steps", of_the_program)
    walker.open("/walk/first-steps?seed=4")
    walker.page.get_by_role("button", name="Show the steps inside line 2").click()
    expect(walker.page.locator("#source")).to_have_value(re.compile(r"^h = x \* 3\nmaxes = "))
    assert "softmax" not in walker.page.locator("#source").input_value()
    expect(walker.page.locator(".notice")).to_contain_text("Line 2 is written in its small steps now.")


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [*(pytest.param(w, marks=pytest.mark.exhaustive) for w in (1440, 768)), 390])
def test_nothing_runs_out_of_the_listing(walkers: OpenWalker, width: int) -> None:
    walker = walkers(width=width, height=844)
    walker.page.goto(f"{walker.base}/code")
    ready(walker).page.locator("#walk-it").click()
    expect(walker.page.locator("#count")).to_have_text(re.compile("^1 / "))
    wide = "document.documentElement.scrollWidth - innerWidth"
    for _ in range(4):
        assert walker.ask(wide) <= 0
        assert (
            walker.ask(
                "(() => { const l = document.querySelector('#forward'); return l.scrollWidth - l.clientWidth; })()"
            )
            <= 0
        )
        walker.press("ArrowRight")


@pytest.mark.exhaustive
def test_the_link_of_an_edited_copy_is_short_and_opens_elsewhere(walkers: OpenWalker) -> None:
    walker = walkers(permissions=["clipboard-read", "clipboard-write"])
    walker.page.goto(f"{walker.base}/code?lesson=makemore-mlp&seed=7")
    source = ready(walker).page.locator("#source")
    source.fill(source.input_value().replace("torch.tanh(hpreact)", "torch.relu(hpreact)"))
    ready(walker).page.get_by_role("button", name="Copy link").click()
    expect(walker.page.locator(".notice")).to_contain_text("Link copied")
    copied = walker.ask("navigator.clipboard.readText()")
    assert len(copied) < 2000
    other = walkers()
    other.page.goto(copied)
    expect(ready(other).page.locator("#source")).to_have_value(re.compile(r"h = torch\.relu\(hpreact\)"))
    rows = "[...document.querySelectorAll('.tensor-row')].map((row) => row.querySelector('textarea').value)"
    assert other.ask(rows) == walker.ask(rows)
    # what the lesson tells is told where it is still true
    other.press("Control+Enter")
    expect(other.page.locator("#count")).to_have_text(re.compile("^1 / "))
    other.press(*["ArrowRight"] * 9)
    expect(other.page.locator("#count")).to_have_text(re.compile("^10 / "))
    expect(other.page.locator("#story")).to_contain_text("Each hidden unit gets a scale")
    other.press("ArrowRight")
    expect(other.page.locator("#story")).to_contain_text("negative cells become 0")
    expect(other.page.locator("#story")).not_to_contain_text("tanh squeezes")
