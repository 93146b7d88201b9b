"""Find the bug, played by keyboard: nothing tells which line it is before it is looked at, and looks cost points."""

import json
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import SECONDS, OpenWalker, Walker, intercept
from tests.support.looking import findings
from tests.tools.server import Server

BUG = {"network": "digits", "seed": 3}
ADDRESS = "/lab/find?network=digits&seed=3"
GIVES_AWAY = ("verdict", "badge", "wrong line", "exact", "approximate")


def asked(server: Server, path: str, **more: object) -> Any:
    return server.post(path, {**BUG, **more}).json()


def test_a_game_by_keyboard(walker: Walker, server: Server) -> None:
    """Begin, look, nudge, open a cell, train again, accuse a wrong line, then the right one, name it, go on."""
    page = walker.page
    answers: list[dict[str, Any]] = []
    page.on("response", lambda answer: answers.append(answer.json()) if "/api/" in answer.url else None)
    hidden = asked(server, "/api/bug/reveal", given_up=True)
    walker.open("/lab/find")
    page.locator("[name=network][value=digits]").focus()
    page.keyboard.press("Space")
    page.locator("[name=seed]").fill("3")
    page.keyboard.press("Enter")
    expect(page.locator(".bug-line")).to_have_count(13, timeout=SECONDS)
    assert page.url.endswith("/lab/find?network=digits&seed=3")
    told = json.dumps(answers) + page.content()
    assert hidden["right"] not in told
    assert [set(one) for one in answers] == [set(asked(server, "/api/bug"))]
    assert not [word for word in GIVES_AWAY if word in page.locator("#game").inner_text().lower()]
    expect(page.locator(".score")).to_have_text("100 points left · 0 looks")

    first = page.locator(".bug-line").first
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    bench = page.locator(".bench:visible")
    expect(bench).to_have_count(1)
    page.keyboard.press("Tab")
    expect(bench.locator("[data-do=gradient]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".bug-sheet")).to_be_focused(timeout=SECONDS)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".bug-sheet")).to_be_focused()
    expect(bench.locator("[data-do=nudge]")).to_contain_text("[0, 1]")
    for look in ("nudge", "lens", "run"):
        bench.locator(f"[data-do={look}]").focus()
        page.keyboard.press("Enter")
        expect(bench.locator(f"[data-do={look}]")).to_contain_text("done", timeout=SECONDS)
    expect(page.locator(".score")).to_have_text("71 points left · 4 looks")
    assert not [one for one in answers if hidden["right"] in json.dumps(one)]

    held: list[Route] = []
    intercept(page, "**/api/bug/run", lambda route: held.append(route))
    with page.expect_request("**/api/bug/run"):
        page.reload()
    expect(page.locator(".score")).to_have_text("71 points left · 4 looks", timeout=SECONDS)

    page.locator(".bug-line").nth(hidden["line"]).focus()
    page.keyboard.press("Enter")
    page.locator(".bench:visible [data-do=accuse]").focus()
    page.keyboard.press("Enter")  # while what was told is still being asked for again
    held.pop().continue_()
    expect(page.locator(".naming h3")).to_have_text(f"It is line {hidden['line'] + 1}. What is wrong with it?")
    names = [one["mistake"] for one in asked(server, "/api/bug/accuse", line=hidden["line"])["mistakes"]]
    assert len(set(names)) == 4
    other = next(at for at, name in enumerate(names) if name != hidden["mistake"])
    page.locator("[data-do=name]").nth(other).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".score")).to_have_text("51 points left · 4 looks", timeout=SECONDS)
    page.locator("[data-do=name]").nth(names.index(hidden["mistake"])).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".bug-end h2")).to_be_focused(timeout=SECONDS)
    expect(page.locator(".bug-end h2")).to_have_text("Found: 51 points, 4 looks")
    expect(page.locator(".two-lines code").first).to_have_text(hidden["wrong"])
    expect(page.locator(".two-lines code").last).to_have_text(hidden["right"])
    expect(page.locator(".bug-end a.button")).to_have_attribute("href", "/lab/find?network=digits&seed=4")

    walker.open("/lab/find")
    expect(page.locator("[data-record=digits]")).to_have_text("1 bug found, at best 51 points")


@pytest.mark.exhaustive
def test_a_wrong_line_costs_and_two_leave_nothing(walker: Walker, server: Server) -> None:
    page = walker.open(ADDRESS).page
    hidden = asked(server, "/api/bug/reveal", given_up=True)["line"]
    left = ("40 points left · 0 looks", "0 points left · 0 looks")
    for at, points in zip([line for line in range(13) if line != hidden], left, strict=False):
        page.locator(".bug-line").nth(at).click()
        page.locator(".bench:visible [data-do=accuse]").click()
        expect(page.locator(".bug-lines > li").nth(at)).to_have_attribute("data-state", "cleared", timeout=SECONDS)
        expect(page.locator(".score")).to_have_text(points)
    page.locator("[data-do=hint]").click()
    expect(page.locator(".bug-hints li")).to_have_count(1, timeout=SECONDS)
    page.locator("[data-do=show]").click()
    expect(page.locator(".bug-end h2")).to_contain_text("Shown: 0 points", timeout=SECONDS)


def test_what_was_done_in_another_window_counts(walker: Walker, server: Server) -> None:
    """Looks and accusations there cost here too: a second window can't answer for nothing what the first one saw."""
    page = walker.open(ADDRESS).page
    hidden = asked(server, "/api/bug/reveal", given_up=True)["line"]
    expect(page.locator(".score")).to_have_text("100 points left · 0 looks", timeout=SECONDS)
    other = page.context.new_page()
    other.goto(page.url)
    for at in (0 if hidden else 1, hidden):
        other.locator(".bug-line").nth(at).click()
        other.locator(".bench:visible [data-do=accuse]").click()
        expect(other.locator(".bench:visible [data-do=accuse]")).to_have_count(0, timeout=SECONDS)
    expect(other.locator(".score")).to_have_text("40 points left · 0 looks")
    page.locator(".bug-line").nth(hidden).click()
    page.locator(".bench:visible [data-do=accuse]").click()
    expect(page.locator(".score")).to_have_text("40 points left · 0 looks", timeout=SECONDS)
    expect(page.locator("[data-do=name]")).to_have_count(4, timeout=SECONDS)
    other.close()


@pytest.mark.exhaustive
def test_a_look_that_fails_costs_nothing_and_one_under_way_is_called_off(walker: Walker) -> None:
    page = walker.open(ADDRESS).page
    intercept(page, "**/api/bug/gradient", lambda route: route.fulfill(status=404, body="{}"))
    page.locator(".bug-line").nth(2).click()
    page.locator("[data-do=gradient]").click()
    expect(page.locator(".notice")).to_contain_text("status 404", timeout=SECONDS)
    expect(page.locator(".score")).to_have_text("100 points left · 0 looks")
    page.unroute("**/api/bug/gradient")
    held: list[Route] = []
    intercept(page, "**/api/bug/gradient", lambda route: held.append(route))
    page.locator("[data-do=gradient]").click()
    page.locator("[data-do=cancel]").click()
    expect(page.locator("[data-do=gradient]")).to_be_visible()
    expect(page.locator(".score")).to_have_text("100 points left · 0 looks")
    walker.complaints.clear()  # the browser tells of the status


@pytest.mark.exhaustive
def test_a_network_that_there_is_not_is_told(walker: Walker) -> None:
    page = walker.open("/lab/find?network=nothing&seed=1").page
    expect(page.locator("#problem")).to_be_visible()
    walker.complaints.clear()  # the browser tells of the status


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (390, 844),
        *(pytest.param(*size, marks=pytest.mark.exhaustive) for size in ((1280, 720), (1440, 900), (768, 1024))),
    ],
)
def test_it_fits_and_axe_finds_nothing(walkers: OpenWalker, width: int, height: int) -> None:
    walker = walkers(width=width, height=height, color_scheme="dark" if width < 800 else "light")
    page = walker.open("/lab/find").page
    assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    assert findings(walker) == []
    walker.open(ADDRESS)
    page.locator(".bug-line").nth(2).click()
    page.locator("[data-do=gradient]").click()
    expect(page.locator(".bug-sheet")).to_be_visible(timeout=SECONDS)
    page.locator("[data-do=lens]").click()
    expect(page.locator(".lens-told")).to_be_visible(timeout=SECONDS)
    assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    assert findings(walker) == []
