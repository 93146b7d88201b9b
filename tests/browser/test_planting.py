"""A mistake on purpose: planted by mouse and by key, seen everywhere upstream, kept by the link, taken back."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import READY, SECONDS, OpenWalker, Walker
from tests.tools.server import Server

LESSON: dict[str, Any] = {"lesson": "makemore-mlp"}
STEP = "/walk/makemore-mlp?step=25"  # dcounts_sum_inv


def words(page: Page) -> Locator:
    return page.locator(".plant-words")


def choice(page: Page, mistake: str) -> Locator:
    return page.locator(f'.plant-choice[data-mistake="{mistake}"]')


def told(server: Server, mistake: str) -> Any:
    return server.post("/api/walk", LESSON | {"plant": {"step": 24, "mistake": mistake}}).json()["planted"]


def settled(walker: Walker) -> None:
    walker.page.wait_for_selector(READY, timeout=SECONDS)


def test_by_mouse_it_is_planted_seen_upstream_and_mended(walker: Walker, server: Server) -> None:
    page = walker.open(STEP).page
    expect(page.locator("#heading .badge")).to_contain_text("exact")
    switch = page.get_by_role("button", name="break it")
    expect(switch).to_have_attribute("aria-expanded", "false")
    switch.click()
    listed = server.post("/api/mistakes", {"walk": LESSON, "step": 24}).json()
    expect(page.locator(".plant-label")).to_have_text(["the right line", *(one["label"] for one in listed["mistakes"])])
    expect(choice(page, "")).to_have_attribute("aria-pressed", "true")
    choice(page, "missing-sum").click()
    planted = told(server, "missing-sum")
    expect(words(page)).to_have_text(
        "Wrong on purpose: the sum is left out. "
        f"{planted['outcome']} {len(planted['wrong'])} of 26 gradients are wrong."
    )
    # the step itself: its line, its badge, no difference cell by cell
    expect(page.locator("#heading .badge")).to_contain_text("wrong shape")
    row = page.locator("#backward .row.here")
    expect(row).to_contain_text("dcounts_sum_inv = counts * dprobs")
    expect(row.locator(".planted-mark")).to_have_text("wrong on purpose")
    expect(page.locator('.node[data-node="counts_sum_inv"] .badge-dot')).to_have_class(re.compile("level-shape"))
    expect(page.locator(".chart").last.locator(".none")).to_have_attribute("title", re.compile("of another shape"))
    assert page.url.endswith("plant=25.missing-sum")
    # upstream: the badge, the scrubber, autograd, central differences, and the way back to the line
    walker.press("ArrowRight", "ArrowRight")
    expect(page.locator("#heading .badge")).to_contain_text("wrong")
    expect(words(page)).to_contain_text("at step 25: the sum is left out in dcounts_sum_inv")
    expect(page.locator('.tick[data-step="24"]')).to_have_class(re.compile(r"\bshape\b"))
    expect(page.locator('[data-oracle="autograd"]')).to_contain_text("differs by")
    central = page.locator('[data-oracle="central differences"]')
    expect(central).to_contain_text("find", timeout=SECONDS)
    page.locator('[data-oracle="autograd"] [data-act=why]').click()
    expect(page.locator(".why")).to_contain_text("The mistake planted at step 25, in dcounts_sum_inv, reaches it.")
    page.get_by_role("button", name="to its line").click()
    expect(page.locator("#count")).to_have_text("25 / 51")
    # another one at once, then the right line from the list
    page.get_by_role("button", name="another mistake").click()
    expect(choice(page, "missing-sum")).to_have_attribute("aria-pressed", "true")
    choice(page, "sign").click()
    expect(words(page)).to_contain_text("the sign is flipped. Every number comes out with the wrong sign.")
    page.get_by_role("button", name="mend it").click()
    expect(words(page)).to_be_hidden()
    expect(page.locator("#heading .badge")).to_contain_text("exact")
    assert "plant" not in page.url


def test_by_key_in_the_link_and_back_by_escape(walker: Walker) -> None:
    page = walker.open(STEP).page
    walker.press("x")
    expect(choice(page, "")).to_be_focused()
    walker.press("Escape")
    expect(page.locator(".plant-list")).to_be_hidden()
    walker.press("x")
    expect(choice(page, "")).to_be_focused()
    walker.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    expect(words(page)).to_contain_text("keepdim is left out")
    expect(page.get_by_role("button", name="another mistake")).to_be_focused()
    expect(page.locator("#announcer")).to_contain_text(
        "wrong shape. Wrong on purpose: keepdim is left out. That gives (32,); it must be (32, 1). "
        "24 of 26 gradients are wrong; 22 of them can’t be computed any more."
    )
    # what can't be computed is said to be so, and is no number
    walker.press("ArrowRight", "ArrowRight")
    expect(page.locator("#heading .badge")).to_have_text(re.compile("not computed"))
    expect(page.locator("#picture .lost")).to_contain_text("This line can’t be run.")
    expect(page.locator(".chart").nth(1).locator(".none")).to_be_visible()
    assert "NaN" not in page.locator("#story").inner_text()
    expect(page).to_have_url(re.compile(r"step=27&plant=25\.keepdim"))
    page.reload()
    settled(walker)
    expect(words(page)).to_contain_text("at step 25: keepdim is left out")
    expect(page.locator("#picture .lost")).to_be_visible()
    walker.press("Escape")
    expect(words(page)).to_be_hidden()
    expect(page.locator("#heading .badge")).not_to_contain_text("not computed")
    assert "plant" not in page.url
    page.go_back()
    expect(words(page)).to_contain_text("keepdim is left out")
    # on a forward step there is nothing to get wrong
    walker.press("f").press("x")
    expect(page.get_by_text("Mistakes are made on the way back")).to_be_visible()


@pytest.mark.exhaustive
def test_ten_steps_downhill_beside_the_right_gradient(walker: Walker, server: Server) -> None:
    page = walker.open(f"{STEP}&plant=25.sign").page
    page.get_by_role("button", name="ten steps downhill").click()
    dialog = page.get_by_role("dialog", name="Ten steps downhill")
    walk = LESSON | {"plant": {"step": 24, "mistake": "sign"}}
    for rate in (0.1, 1):
        path = server.post("/api/descent", {"walk": walk, "rates": [rate], "path": 10}).json()["paths"][0]
        start, end, right = path["losses"][0], path["losses"][-1], path["right"][-1]
        dialog.get_by_role("radio", name=f"{rate:g}", exact=True).check()
        expect(dialog.locator(".cost-words")).to_contain_text(
            f"In 10 steps at learning rate {rate:g}, loss goes from {start:.4g}", timeout=SECONDS
        )
        expect(dialog.locator(".cost-words")).to_contain_text(f"to {end:.4g} with the mistake, to {right:.4g} without.")
        for curve in (".cost-wrong", ".cost-right"):
            drawn = dialog.locator(curve).get_attribute("d") or ""
            assert drawn.count("L") == 10
    expect(dialog.get_by_role("img")).to_have_accessible_name(re.compile("learning rate 1, loss goes from"))
    walker.press("Escape")
    expect(dialog).to_be_hidden()
    expect(words(page)).to_contain_text("the sign is flipped")  # the dialog alone was closed


@pytest.mark.exhaustive
def test_where_nothing_changes_the_page_says_why(walker: Walker, server: Server) -> None:
    page = walker.open("/walk/makemore-mlp?step=30&plant=30.sign").page
    planted = server.post("/api/walk", LESSON | {"plant": {"step": 29, "mistake": "sign"}}).json()["planted"]
    assert planted["wrong"] == []
    expect(words(page)).to_have_text(f"Wrong on purpose: the sign is flipped. {planted['outcome'].replace('`', '')}")
    expect(words(page)).to_contain_text("It changes nothing here: the true gradient is zero.")
    expect(page.locator("#heading .badge")).to_contain_text("true zero")


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["a projector", "a phone"])
def test_it_fits_a_projector_and_a_phone(walkers: OpenWalker, size: tuple[int, int]) -> None:
    width, height = size
    projector = "&p=1" if width > 1000 else ""
    walker = walkers(width=width, height=height).open(f"{STEP}{projector}")
    page = walker.page
    walker.press("x")
    expect(choice(page, "sign")).to_be_visible()
    choice(page, "sign").click()
    expect(words(page)).to_contain_text("the sign is flipped")
    assert walker.ask("document.documentElement.scrollWidth <= innerWidth")
    if projector:
        font = walker.ask("parseFloat(getComputedStyle(document.querySelector('.plant-words')).fontSize)")
        assert font >= 28
        expect(page.locator(".current-line")).to_contain_text("-(counts * dprobs)")
    walker.press("Escape")
    expect(words(page)).to_be_hidden()
    if projector:
        expect(page.locator("body")).to_have_class(re.compile("projector"))


EDGES = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const captions = [...document.querySelectorAll(".picture .caption")].map((one) => one.getBoundingClientRect().bottom);
  const foot = document.querySelector("#evidence").checkVisibility() ? "#evidence" : "#transport";
  return { list: box(".plant-list").bottom, picture: box("#picture").top, foot: box(foot).top,
    captions: Math.max(...captions) };
}"""


@pytest.mark.exhaustive
def test_the_list_leaves_the_picture_in_sight_and_a_tablet_shows_every_word(walkers: OpenWalker) -> None:
    walker = walkers(width=1280, height=720).open(STEP)
    walker.press("x")
    expect(choice(walker.page, "sign")).to_be_attached()
    edges = walker.ask(EDGES)
    assert edges["list"] <= edges["picture"]
    assert 0 < edges["captions"] <= edges["foot"]
    # where the panes stand on top of each other, a mistake told in three lines cuts nothing off
    walker = walkers(width=768, height=1024).open(f"{STEP}&plant=25.missing-upstream")
    expect(words(walker.page)).to_contain_text("the upstream gradient is left out")
    assert (
        walker.ask("document.querySelector('#step').scrollHeight - document.querySelector('#step').clientHeight") <= 1
    )
    # on a phone the line that is gone back through stands whole beside the step, or not at all
    walker.page.set_viewport_size({"width": 390, "height": 844})
    for number in (25, 39):
        walker.open(f"/walk/makemore-mlp?step={number}")
        kicker, through = (walker.page.locator(name).bounding_box() for name in (".kicker", ".kicker .through"))
        assert kicker is not None
        assert through is not None
        whole = through["x"] + through["width"] <= kicker["x"] + kicker["width"] + 1
        below = through["y"] >= kicker["y"] + kicker["height"] - 1
        assert whole or below
        assert walker.ask("getComputedStyle(document.querySelector('.kicker')).whiteSpace") != "nowrap"


def test_a_change_that_cuts_a_line_says_that_the_mistake_is_gone(walker: Walker) -> None:
    page = walker.open("/walk/makemore-mlp?step=32&plant=32.sign").page  # dh
    expect(words(page)).to_contain_text("the sign is flipped")
    page.locator(".change-open").click()
    page.locator("[data-deed=zero]").click()
    notice = page.locator(".notice")
    expect(notice).to_contain_text("The mistake at step 32 is gone: h is given now, so that its line is cut")
    assert "plant" not in page.url
    notice.get_by_role("button", name="Back").click()
    expect(words(page)).to_contain_text("the sign is flipped")


def test_it_travels_with_changes_and_a_link_to_what_is_not_there_has_a_way_on(walker: Walker) -> None:
    page = walker.open(f"{STEP}&plant=25.sign&changes=b2.5:2").page
    expect(words(page)).to_contain_text("the sign is flipped")
    expect(page.get_by_role("region", name="Changed numbers")).to_contain_text("b2[5] = 2")
    walker.press("Escape")
    expect(words(page)).to_be_hidden()
    expect(page.get_by_role("region", name="Changed numbers")).to_contain_text("b2[5] = 2")
    # a link to a mistake that this step has not: said, with the way on
    page.goto(f"{walker.base}{STEP}&plant=25.transposed")
    page.get_by_role("button", name="Walk it without the mistake").click()
    expect(page.locator("#heading .badge")).to_contain_text("exact")
    assert "plant" not in page.url
    assert [("422" in one) for one in walker.complaints] == [True]
    walker.complaints.clear()  # that of the link
