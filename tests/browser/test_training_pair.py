"""Two runs on one page: whatever is held against each other there is of one step, whenever one looks."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SECONDS, Walker, resting, until
from tests.support.heard_events import HEARD

# What the server tells, by run and steps taken; and every state that the numbers of both runs on the page have had.
WATCHED = """(() => {
  [window.told, window.shown] = [[{}, {}], []];
  window.heardEvent = (path, number, { kind, run, steps_taken: taken, smoothed, loss, losses }) => {
    if (kind === "report") (window.told[run][taken] ??= {}).smoothed = Number(smoothed);
    const held = { validation: loss, splits: losses?.validation }[kind]; // of a part, at the end of the whole split
    if (held !== undefined) ((window.told[run][taken] ??= {}).validations ??= []).push(Number(held));
  };
  const look = () => {
    const text = (one) => one.textContent;
    const cells = (kind) => [...document.querySelectorAll(`.legend-table td.of-${kind}`)].map(text);
    const [at, says] = [".legend-at", "#pair-says"].map((name) => document.querySelector(name)?.textContent ?? "");
    if (at) window.shown.push({ at, says, smoothed: cells("smoothed"), validation: cells("validation") });
  };
  document.addEventListener("DOMContentLoaded", () =>
    new MutationObserver(look).observe(document.querySelector(".curve"), { childList: true, subtree: true }));
})()"""
SMALL = "hidden=16&batch=8&schedule=constant"


def number(text: str) -> float:
    return float(text.replace(",", ""))


def states(page: Page) -> list[dict[str, Any]]:
    """What the page has shown since it was opened, each held against what the server told of that one step."""
    told: list[dict[str, Any]]
    shown: list[dict[str, Any]]
    told, shown = page.evaluate("[window.told, window.shown]")  # at once: more may be told in between
    for state in shown:
        taken = str(int(number(re.findall(r"[\d,]+", state["at"])[0])))
        for run, text in enumerate(state["smoothed"]):
            assert number(text) == pytest.approx(told[run][taken]["smoothed"], rel=6e-4), (state, run)
        if "–" not in state["validation"]:
            held = [
                {
                    step
                    for step, one in told[run].items()
                    if any(_same(loss, text) for loss in one.get("validations", []))
                }
                for run, text in enumerate(state["validation"])
            ]
            assert held[0] & held[1], state
        if found := re.search(r": ([\d.]+) against ([\d.]+), means", state["says"]):
            assert [found[2], found[1]] == state["smoothed"], state
    return shown


def _same(loss: float, text: str) -> bool:
    return number(text) == pytest.approx(loss, rel=6e-4)


def test_two_runs_are_read_at_one_step(walker: Walker) -> None:
    """While they run, after a pause, after single steps, after a reload, and at the end."""
    page = walker.page
    page.add_init_script(HEARD + WATCHED)
    page.goto(f"{walker.base}/train/makemore-mlp?steps=1000000&{SMALL}&lines=printed&beside=adam@0.01")
    page.get_by_role("button", name="Start", exact=True).click()
    until(page, "() => window.shown.length > 10")
    page.get_by_role("button", name="Pause").click()
    resting(page, "both paused")
    told = page.evaluate("window.told.map((steps) => Object.keys(steps).filter((step) => 'smoothed' in steps[step]))")
    assert told[0] == told[1]
    page.keyboard.press("s")
    taken = int(told[0][-1]) + 1
    resting(page, f"step {taken:,} of 1,000,000 · both paused")
    expect(page.locator(".legend-at")).to_have_text(f"after {taken:,} steps")
    assert len({state["at"] for state in states(page)}) > 3
    last = page.locator(".legend-table").inner_text()
    page.reload()
    resting(page, f"step {taken:,} of 1,000,000 · both paused")
    assert page.locator(".legend-table").inner_text() == last
    # names and instruments are of the step that both are read at, whichever of the two is looked at
    named = page.locator("#names-at").inner_text()
    page.locator("#shown-run").get_by_text("Adam").click()
    assert page.locator("#names-at").inner_text() == named
    page.get_by_role("button", name="Stop").click()
    resting(page, "both stopped")
    expect(page.locator("#names li")).to_have_count(20, timeout=SECONDS)
    states(page)


def test_what_goes_on_alone_is_not_compared(walker: Walker) -> None:
    """A run whose loss is no number any more: both are read where both were, and the other's curve goes on."""
    page = walker.page
    page.add_init_script(HEARD + WATCHED)
    page.goto(f"{walker.base}/train/makemore-mlp?steps=300&{SMALL}&beside=sgd@1e30")
    page.keyboard.press("s")
    resting(page, "step 1 of 300 · both paused")
    last = page.locator(".legend-table").inner_text()
    page.keyboard.press(" ")
    resting(page, "of 300 · rate 0.1: finished, rate 1e+30: the loss is no longer a number")
    expect(page.locator("#stand")).to_contain_text(re.compile(r"step 300 and \d+ of 300"))
    assert page.locator(".legend-table").inner_text() == last
    expect(page.locator("#splits")).to_be_hidden()
    states(page)
