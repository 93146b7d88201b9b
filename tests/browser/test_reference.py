"""The reference: every operation, found by typing, by anchor and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker
from tests.tools.server import Server

SHOWN = "[...document.querySelectorAll('.operation:not([hidden])')].map((one) => one.id)"


def open_reference(walker: Walker, path: str = "") -> Walker:
    walker.page.goto(f"{walker.base}/reference{path}")
    expect(walker.page.locator("#found")).not_to_be_empty()
    return walker


@pytest.mark.exhaustive
def test_every_operation_of_the_registry_is_there(walker: Walker, server: Server) -> None:
    operations = server.get("/api/ops").json()["operations"]
    open_reference(walker)
    assert walker.ask(SHOWN) == [op["name"] for op in operations]
    for op in operations:
        texts = walker.page.locator(f"#{op['name']} .spellings code").all_text_contents()
        assert texts == op["written"], op["name"]
        assert walker.page.locator(f"#{op['name']} .rule, #{op['name']} .no-rule").count() >= 1, op["name"]
    assert "{" not in walker.text("#operations")


def test_typing_filters_and_stands_in_the_address(walker: Walker) -> None:
    open_reference(walker).press("/")
    walker.page.keyboard.type("cross entropy")
    found = walker.ask(SHOWN)
    assert "crossentropy" in found
    assert all("crossentropy" in name for name in found)
    expect(walker.page).to_have_url(re.compile(r"\?q=cross%20entropy$"))
    walker.page.reload()
    expect(walker.page.locator("#found")).to_have_text(re.compile(f"^{len(found)} operations"))
    walker.page.locator("#find").focus()
    walker.press("Enter")
    expect(walker.page.locator("#crossentropy")).to_be_focused()
    walker.press("/", "Escape")
    expect(walker.page.locator("#found")).to_have_text(f"{walker.page.locator('.operation').count()} operations")


@pytest.mark.exhaustive
def test_what_is_only_mentioned_is_one_click_away(walker: Walker) -> None:
    open_reference(walker, "?q=sum")
    few = len(walker.ask(SHOWN))
    walker.page.get_by_role("button", name="more mention it").click()
    assert len(walker.ask(SHOWN)) > few
    walker.page.locator("#find").fill("frobnicate")
    expect(walker.page.locator("#nothing")).to_be_visible()


def test_an_anchor_shows_its_operation_whatever_was_searched(walker: Walker) -> None:
    open_reference(walker, "#tanh")
    expect(walker.page.locator("#tanh")).to_be_in_viewport()
    walker.page.locator("#find").fill("softmax")
    expect(walker.page.locator("#tanh")).to_be_hidden()
    walker.ask("location.hash = '#relu'")
    expect(walker.page.locator("#relu")).to_be_in_viewport()


def test_a_rule_that_depends_on_the_call_is_worked_out(walker: Walker) -> None:
    open_reference(walker)
    lines = walker.page.locator("#matmul pre code").all_text_contents()
    assert lines[:3] == ["out = x @ y", "dx = dout @ y.T", "dy = x.T @ dout"]
    assert "dx = torch.outer(dout, y)" in lines  # of a matrix and a vector: every case of the rule stands below


def test_a_rule_leads_to_a_step_and_the_step_back_to_its_rule(walker: Walker) -> None:
    open_reference(walker, "#tanh")
    walker.page.locator("#tanh .used a").first.click()
    expect(walker.page.locator(".row.here .right")).to_contain_text("**2) *")
    expect(walker.page).to_have_url(re.compile(r"/walk/[a-z-]+\?step=\d+$"))
    link = walker.page.locator(".rule-links a")
    expect(link).to_have_text("tanh")
    link.click()
    expect(walker.page).to_have_url(re.compile(r"/reference#tanh$"))
    expect(walker.page.locator("#tanh")).to_be_in_viewport()


def test_an_operation_shows_its_own_steps_once_it_is_asked(walker: Walker) -> None:
    page = open_reference(walker, "#softmax").page
    assert page.evaluate("performance.getEntriesByType('resource').some((one) => one.name.includes('live'))") is False
    button = page.get_by_role("button", name="Step by step: softmax", exact=True)
    button.press("Enter")
    live = page.locator("#softmax .live")
    expect(live.locator(".figure-code")).to_have_text("dx = out * (dout - (out * dout).sum(1, keepdim=True))")
    expect(live.locator(".badge")).to_contain_text(re.compile("exact|approximate"))
    live.get_by_role("button", name="out").click()
    expect(live.locator(".figure-code")).to_have_text(re.compile(r"^out = .*softmax\(x, 1\)$"))
    live.get_by_role("button", name="dx").click()
    link = live.get_by_role("link", name="Open in the walk")
    expect(link).to_have_attribute("href", re.compile(r"^/code\?step=\d+&from=%2Freference%23softmax#p="))
    button.press("Enter")
    expect(live).to_have_count(0)
    button.press("Enter")
    link.click()
    expect(page.locator(".row.here .right")).to_contain_text("dout).sum(1, keepdim=True)")


@pytest.mark.parametrize(
    "width",
    [*(pytest.param(w, marks=pytest.mark.exhaustive) for w in (1440, 1024, 768)), 390],
)
def test_nothing_runs_out_of_the_page_sideways(walkers: OpenWalker, width: int) -> None:
    walker = walkers(width=width, height=844)
    for path in ("/reference", "/walk/nope"):
        walker.page.goto(walker.base + path)
        assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    walker.complaints.clear()


def test_a_mistyped_address_leads_on(walker: Walker) -> None:
    walker.page.goto(f"{walker.base}/walk/makemore")
    expect(walker.page.get_by_role("heading", level=1)).to_have_text("There is no lesson “makemore”.")
    walker.press("t")
    expect(walker.page.locator("html")).to_have_attribute("data-theme", "dark")
    walker.page.get_by_role("link", name="3x + 1").click()
    expect(walker.page.locator("#step-title")).to_contain_text("y")
    walker.page.goto(f"{walker.base}/nope")
    walker.page.get_by_role("main").get_by_role("link", name="Your code").click()
    expect(walker.page.locator("#source")).to_be_visible()
    walker.complaints[:] = [one for one in walker.complaints if "404" not in one]
