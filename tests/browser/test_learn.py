"""Learn's front page: routes with their chapters, pictures of walks, and where a reader goes on."""

import json
import re

from playwright.sync_api import Route, expect

from app.course_map import routes
from tests.browser.conftest import OpenWalker, arrived, intercept, until
from tests.support.looking import SMALLEST, findings, findings_in_both_themes
from tests.tools.server import Server

DRAWN = """() => [...document.querySelectorAll('.path > li:not([hidden]) .picture')].slice(0, 2)
  .every((one) => one.querySelector('canvas'))"""
# What each chapter is called on the map; a name may take two lines.
CALLED = """() => [...document.querySelectorAll('#stops g')]
  .map((one) => [...one.querySelectorAll('.called')].map((line) => line.textContent).join(' '))"""
# Of the map's circles those that stand above its sheet or over the routes.
CUT = """() => {
  const [map, routes] = ['#stops', '#routes'].map((one) => document.querySelector(one).getBoundingClientRect());
  const clips = getComputedStyle(document.querySelector('#stops')).overflow !== 'visible';
  return [...document.querySelectorAll('#stops circle')].filter((one) => {
    const { top } = one.getBoundingClientRect();
    return top < routes.bottom || (clips && top < map.top);
  }).map((one) => one.nextElementSibling.textContent);
}"""
DONE = json.dumps({"deeds": {}, "read": 99, "parts": 5, "at": "last"})


def test_a_route_lists_its_chapters_and_is_in_the_address(walkers: OpenWalker, server: Server) -> None:
    known = server.get("/api/chapters").json()["chapters"]
    counts = {one["name"]: len(one["chapters"]) for one in routes(known)}
    block, classifier = counts["attention"], counts["relu-classifier"]
    walker = walkers()
    page = walker.page
    page.goto(walker.base + "/learn")
    chapters = page.locator(".path > li:visible")
    expect(chapters).to_have_count(len(known))
    page.get_by_role("link", name=re.compile("^a GPT block")).click()
    expect(page).to_have_url(re.compile(r"/learn\?route=attention$"))
    expect(chapters).to_have_count(block)
    expect(page.locator("#stops g.off")).to_have_count(len(known) - block)
    page.get_by_role("link", name=re.compile("a deep classifier")).focus()
    page.keyboard.press("Enter")
    expect(chapters).to_have_count(classifier)
    expect(page.locator("#routes [aria-current]")).to_contain_text("a deep classifier")
    page.go_back()
    expect(chapters).to_have_count(block)
    number = 1 + [one["name"] for one in known].index("gpt-block")
    expect(chapters.last.locator("a")).to_have_attribute("data-number", str(number))
    page.go_back()
    expect(chapters).to_have_count(len(known))
    until(page, DRAWN)
    assert findings_in_both_themes(walker, but=()) == []
    assert walker.ask("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CALLED) == [one["title"] for one in known]


def test_a_picture_that_arrives_while_its_chapter_is_hidden_is_drawn_once_it_is_back(walkers: OpenWalker) -> None:
    walker, held = walkers(1440, 1300), list[Route]()  # high enough for the first chapters below the map
    page = walker.page
    intercept(page, "**/api/walk*", lambda route: held.append(route))
    page.goto(walker.base + "/learn")
    arrived(page, held)
    page.evaluate("document.querySelectorAll('.path > li').forEach((one) => { one.hidden = true; })")
    with page.expect_response("**/api/walk*"):
        for route in held:
            route.continue_()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.querySelectorAll('.path > li').forEach((one) => { one.hidden = false; })")
    until(page, DRAWN)


def test_where_a_reader_goes_on_is_of_the_route(walkers: OpenWalker) -> None:
    walker = walkers(390, 844)
    page = walker.page
    page.add_init_script(f"localStorage.setItem('gradwalk:chapter:first-steps', JSON.stringify({DONE}))")
    page.goto(walker.base + "/learn?route=relu-classifier")
    expect(page.get_by_role("link", name=re.compile("^Continue: First steps"))).to_be_visible()
    expect(page.locator('#stops g[data-chapter="first-steps"]')).to_have_class(re.compile("begun"))
    assert walker.ask("document.documentElement.scrollWidth <= innerWidth")
    page.goto(walker.base + "/learn?route=nowhere")
    expect(page.locator(".path > li:visible")).to_have_count(page.locator(".path > li").count())


def test_a_hall_reads_the_routes_the_map_and_the_chapters(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720)
    page = walker.page
    page.goto(walker.base + "/learn")
    expect(page.get_by_role("button", name="Projector mode")).to_be_visible()
    page.keyboard.press("p")
    expect(page.locator("body")).to_have_class("projector")
    page.get_by_role("link", name="a GPT block").click()
    assert walker.ask(SMALLEST) >= 28
    assert walker.ask("document.documentElement.scrollWidth <= innerWidth")
    assert walker.ask(CUT) == []
    expect(page.locator(".path > li:visible b").last).to_have_text("A whole GPT block")
    assert findings(walker) == []
    page.keyboard.press("b")
    expect(page.locator(".black")).to_be_visible()
    page.keyboard.press("b")
    page.keyboard.press("Escape")
    expect(page.locator("body")).not_to_have_class("projector")
