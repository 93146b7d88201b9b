"""Every name in the code says what it is where it is pointed at: by mouse, by finger, by keyboard."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LINES, OpenWalker, Walker
from tests.tools.server import Server


@pytest.fixture(scope="module")
def document(server: Server) -> Any:
    return server.post("/api/walk", {"lesson": "makemore-mlp"}).json()


def shown(shape: list[int]) -> str:
    return str(tuple(shape))


@pytest.mark.exhaustive
def test_every_name_answers_with_its_true_shape(walker: Walker, document: Any, thorough: bool) -> None:
    """One name in eight, and the constant; every one in `make test-all`."""
    shapes = {node["name"]: shown(node["shape"]) for node in document["nodes"]}
    walker.open(LINES).press("End")
    names = walker.ask(
        "[...new Set([...document.querySelectorAll('.listing [data-name]')].map((one) => one.dataset.name))]"
    )
    wanted = {f"name {name}" for name in shapes} | {f"gradient {n['name']}" for n in document["nodes"] if n["gradient"]}
    assert set(names) == wanted | {"constant n"}
    card = walker.page.locator(".popover:popover-open")
    for name in names if thorough else [*names[::8], "constant n"]:
        kind, _, node = name.partition(" ")
        walker.page.locator(f".listing [data-name='{name}']").first.scroll_into_view_if_needed()
        walker.page.locator(f".listing [data-name='{name}']").first.hover()
        title = {"name": node, "gradient": f"d{node}", "constant": node}[kind]
        expect(card.locator("b")).to_have_text(title)
        expect(card).to_contain_text("32" if kind == "constant" else shapes[node])
        walker.press("Escape")
        expect(card).to_have_count(0)


@pytest.mark.exhaustive
def test_the_box_stays_in_the_window_and_beside_the_line(walkers: OpenWalker) -> None:
    for width, height in ((1440, 900), (1280, 720)):
        walker = walkers(width, height).open("/walk/makemore-mlp?step=51")
        for name in walker.page.locator("#backward .row.here [data-name], #forward .row.via [data-name]").all():
            name.hover()
            card = walker.page.locator(".popover:popover-open").bounding_box()
            line = name.locator("xpath=ancestor::*[contains(@class, 'row')][1]").bounding_box()
            assert card is not None
            assert line is not None
            assert card["x"] >= 0
            assert card["x"] + card["width"] <= width
            assert 0 <= card["y"] <= height - card["height"]
            assert card["y"] >= line["y"] + line["height"] or card["y"] + card["height"] <= line["y"]


def test_it_leads_to_the_line_that_makes_a_name(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    walker.page.locator("#forward .row.via [data-name='name counts']").hover()
    card = walker.page.locator(".popover:popover-open")
    card.get_by_role("button", name="20").click()
    expect(walker.page.locator("#step-title")).to_contain_text("counts")
    expect(walker.page.locator("#count")).to_have_text(re.compile("^15 "))


def test_the_keyboard_goes_from_name_to_name_of_a_line(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=18")
    walker.page.locator("#forward .row.here").focus()
    card = walker.page.locator(".popover:popover-open b")
    titles = []
    for _ in range(3):
        walker.press("i")
        titles.append(card.text_content())
    assert titles == ["probs", "counts", "counts_sum_inv"]
    expect(walker.page.locator("#announcer")).to_contain_text("counts_sum_inv (32, 1)")
    walker.press("Escape")
    expect(card).to_have_count(0)


@pytest.mark.exhaustive
def test_a_finger_opens_it_too(walkers: OpenWalker) -> None:
    walker = walkers(390, 844, has_touch=True, is_mobile=True).open("/walk/makemore-mlp?step=4")
    name = walker.page.locator("#forward .row.here [data-name='constant n']")
    name.scroll_into_view_if_needed()
    name.tap()
    expect(walker.page.locator(".popover:popover-open")).to_contain_text("32")


def test_no_request_is_made_and_a_hidden_line_keeps_its_names(walker: Walker) -> None:
    # what every walk asks for by itself, once
    own = [walker.page.expect_response(f"**/{one}") for one in ("api/numeric", "api/pieces", "dialogs.js")]
    with own[0], own[1], own[2]:
        walker.open("/walk/makemore-mlp?step=25&predict=1")
    asked: list[str] = []
    walker.page.on("request", lambda request: asked.append(request.url))
    walker.page.locator("#forward .row.via [data-name='name counts']").hover()
    expect(walker.page.locator(".popover:popover-open")).to_contain_text("counts")
    walker.press("Escape")
    hidden = walker.page.locator("#backward .row.here .right [data-name]").first
    hidden.hover()
    walker.page.locator("#backward .row.here .left [data-name]").hover()
    expect(walker.page.locator(".popover:popover-open b")).to_have_text("dcounts_sum_inv")
    expect(walker.page.locator(".popover:popover-open")).to_contain_text("not yet computed")
    assert [url for url in asked if "/static/" not in url] == []  # scripts come ahead whenever nothing moves


@pytest.mark.exhaustive
def test_a_card_that_is_open_says_what_is_known_at_the_new_step(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=9")
    name = walker.page.locator("#forward [data-name='name hpreact']").first
    name.hover()
    card = walker.page.locator(".popover:popover-open")
    expect(card).to_contain_text("not yet computed")
    name.click()
    expect(walker.page.locator("#step-title")).to_contain_text("hpreact")
    expect(card).to_contain_text("to")
    expect(card).not_to_contain_text("not yet computed")
