"""Drills by keyboard alone: a learner errs, takes a hint, goes through a deck, and finds what was wrong in the next."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SECONDS, Walker
from tests.support.looking import findings
from tests.tools.server import Server

DECK = "/practise/drills?seed=7&groups=products"
MOST = 10


def drills_of(server: Server, seed: int) -> dict[str, Any]:
    return {one["id"]: one for one in server.get(f"/api/drills?seed={seed}&groups=products").json()["drills"]}


def printed(server: Server, drill: dict[str, Any]) -> str:
    asked = {"walk": drill["walk"], "target": drill["target"], "answer": "0", "hints": 3}
    return str(server.post("/api/practice/check", asked).json()["hints"][2])


def write(page: Page, text: str) -> None:
    """Into the field that has the focus, in the place of what is there, behind the beginning; then Enter."""
    page.keyboard.press("End")
    page.keyboard.press("Shift+Home")
    page.keyboard.insert_text(text)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")


def ready(page: Page) -> None:
    expect(page.locator("#drills")).to_have_attribute("aria-busy", "false", timeout=SECONDS)


def solve(page: Page, server: Server, drills: dict[str, Any]) -> str:
    """The drill in hand, written at once; what it is."""
    name = str(page.locator("#card").get_attribute("data-drill"))
    expect(page.locator(".drill .field-text")).to_be_focused()
    write(page, printed(server, drills[name]))
    expect(page.locator(".says.right")).to_be_visible()
    return name


def test_a_deck_by_keyboard_alone_and_what_was_wrong_comes_back(walker: Walker, server: Server) -> None:
    page = walker.page
    drills = drills_of(server, 7)
    page.goto(walker.base + DECK)
    ready(page)
    count = page.locator("#count")
    expect(count).to_have_text(f"drill 1 of {MOST}")
    missed = str(page.locator("#card").get_attribute("data-drill"))
    write(page, "dout")
    expect(page.locator(".says.not")).to_be_visible()
    expect(page.locator(".drill .field-text")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Hint: the rule").press("Enter")
    expect(page.locator(".hints li")).to_have_count(1)
    page.locator(".drill .field-text").focus()
    # the whole line behind the beginning that stands there: the second beginning takes the place of the first
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    line = printed(server, drills[missed])
    name = line.partition(" ")[0]
    page.keyboard.insert_text(f"{name} = ")
    page.keyboard.insert_text(line)
    expect(page.locator(".drill .field-text")).to_have_value(line)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.locator(".says.right")).to_be_visible()
    # the same in other words is right, and beside it stands how gradwalk writes it
    page.keyboard.press("End")
    page.keyboard.insert_text(" * 1.0")
    expect(page.locator(".says.right")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".says.right")).to_be_visible()
    expect(page.locator(".drill-printed code")).to_have_text(line)
    page.keyboard.press("Enter")
    expect(count).to_have_text(f"drill 2 of {MOST + 1}")
    seen = []
    for number in range(2, MOST + 2):
        seen.append(solve(page, server, drills))
        page.keyboard.press("Enter")
        expect(count).to_have_text(f"drill {number + 1} of {MOST + 1}" if number <= MOST else "the deck is done")
    assert seen[3] == missed, "it comes back behind three others"
    expect(page.locator("#end h2")).to_have_text(f"{MOST - 1} of {MOST} drills right at once")
    expect(page.locator("#announcer")).to_have_text(f"The deck is done: {MOST - 1} of {MOST} right at once.")
    expect(page.locator(".drill-results li[data-state=not]")).to_have_count(1)
    expect(page.get_by_role("link", name="Next deck")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"seed=8&groups=products"))
    ready(page)
    expect(page.locator("#card")).to_have_attribute("data-drill", missed)
    assert walker.complaints == []


@pytest.mark.exhaustive
def test_what_is_known_leaves_as_a_file_and_comes_back(walker: Walker, tmp_path: Path) -> None:
    page = walker.page
    page.goto(walker.base + "/practise/drills")
    ready(page)
    boxes = page.locator(".boxes li b")
    new = int(boxes.first.text_content() or "")
    assert new > 100
    page.evaluate(
        "localStorage.setItem('gradwalk:drills', JSON.stringify({deck: 3, places: {'matmul.x': {box: 4, deck: 2}}}))"
    )
    page.reload()
    ready(page)
    expect(boxes.first).to_have_text(str(new - 1))
    page.get_by_role("button", name="Answers").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    path = tmp_path / "drills.json"
    download.value.save_as(path)
    assert json.loads(path.read_text())["drills"] == {"deck": 3, "places": {"matmul.x": {"box": 4, "deck": 2}}}
    page.get_by_role("button", name="Answers").click()
    page.get_by_role("button", name="Start over").click()
    expect(boxes.first).to_have_text(str(new))
    page.locator("#progress-file").set_input_files(path)
    expect(boxes.nth(4)).to_have_text("1")
    page.locator("input[name=group]").evaluate_all("all => all.slice(1).forEach((one) => (one.checked = false))")
    page.get_by_role("button", name="Start", exact=True).press("Enter")
    expect(page).to_have_url(re.compile(r"seed=\d+&groups=elementwise$"))
    ready(page)
    expect(page.locator(".drill .field-text")).to_be_focused()
    # the same file brings them along on the page of a whole program
    page.evaluate("localStorage.removeItem('gradwalk:drills')")
    page.goto(walker.base + "/practise/first-steps")
    expect(page.locator("#practise")).to_have_attribute("aria-busy", "false")
    page.locator("#progress-file").set_input_files(path)
    expect(page.locator(".notice")).to_contain_text("The drills of the file are here.")
    assert "matmul.x" in page.evaluate("localStorage.getItem('gradwalk:drills')")


@pytest.mark.exhaustive
def test_drills_are_for_every_screen(walker: Walker) -> None:
    page = walker.page
    page.goto(walker.base + "/practise/drills")
    ready(page)
    assert findings(walker) == []
    for width, height in ((390, 844), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(walker.base + DECK)
        ready(page)
        expect(page.locator(".drill .field-text")).to_be_focused()
        write(page, "dout")
        expect(page.locator(".says.not")).to_be_visible()
        assert findings(walker) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
