"""Further views of a step: lines that collapse, the search, three ways, saturation and through time."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenWalker, Walker, arrived, intercept
from tests.browser.links import link
from tests.support.looking import findings_in_both_themes
from tests.tools.server import Server

STEP = "/walk/makemore-mlp?step=31"


def test_ten_lines_collapse_by_arrow_keys(walker: Walker, server: Server) -> None:
    told = server.post("/api/derivation", {"walk": {"lesson": "makemore-mlp"}, "tensor": "logits"}).json()
    page = walker.open(STEP).page
    page.get_by_role("button", name="collapse").wait_for()
    walker.press("s")
    lines = page.locator(".derivation-line")
    expect(lines).to_have_count(told["stages"][0]["code"].count("\n") + 1)
    expect(page.locator(".study h2")).to_have_text(f"{told['collapses']} steps to dlogits collapse into one line")
    expect(page.locator("#reason")).to_be_hidden()
    for number, stage in enumerate(told["stages"][1:], start=2):
        walker.press("ArrowRight")
        expect(lines).to_have_text(stage["code"].split("\n"))
        expect(page.locator(".derivation-told")).to_have_text(stage["text"].replace("`", ""))
        expect(page.locator(".derivation-checks")).to_contain_text(stage["before"]["words"])
        expect(page.locator(".derivation [role=status]")).to_contain_text(f"Stage {number} of")
    expect(page.locator(".derivation-end")).to_have_text(told["end"])
    expect(page).to_have_url(re.compile(r"step=31&view=derivation\.8"))
    expect(page.locator(".derivation-ghost")).to_have_count(0)
    assert findings_in_both_themes(walker) == []
    walker.press("Home", "End", "ArrowRight")  # stays at the last stage, and at the step
    expect(page.locator(".derivation-rail [aria-current]")).to_have_text("8")
    walker.press("Escape")
    expect(page.locator(".derivation")).to_have_count(0)
    expect(page.locator("#reason")).to_be_visible()
    expect(page).to_have_url(re.compile(r"step=31$"))
    walker.press("ArrowLeft")  # walks again
    expect(page.locator("#step-title")).to_contain_text("dlogit_maxes")


@pytest.mark.exhaustive
def test_a_line_of_another_path_stays_beside_the_stages(walker: Walker, server: Server) -> None:
    rows = {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 1}
    program = {
        "source": "z = 2 * a\nq = F.log_softmax(z, 1)\nloss = -q[range(4), 1].mean() + (z**2).mean()",
        "tensors": {"a": rows},
    }
    told = server.post("/api/derivation", {"walk": program, "tensor": "z"}).json()
    page = walker.open(link(program, told["steps"][-1] + 1, view="derivation.1")).page
    other, lines = page.locator(".derivation-other"), page.locator(".derivation-line")
    page.locator(".derivation").focus()
    for stage in told["stages"]:
        expect(lines).to_have_text(stage["code"].split("\n"))
        expect(other).to_have_text(told["added"])
        expect(page.locator(".derivation-checks")).to_contain_text("with the other path, against autograd")
        walker.press("ArrowRight")
    assert "with the other path added" in told["end"].lower()
    expect(page.locator(".derivation-end")).to_have_text(told["end"])
    assert findings_in_both_themes(walker) == []


SMALL = """[...document.querySelectorAll("#picture *")]
    .filter((e) => e.checkVisibility() && !e.closest(".unseen"))
    .filter((e) => e.matches("select") || [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
    .filter((e) => !e.matches("option") && parseFloat(getComputedStyle(e).fontSize) < 18)
    .map((e) => e.textContent)"""


@pytest.mark.exhaustive
def test_on_a_projector_every_number_of_a_piece_can_be_read(walkers: OpenWalker) -> None:
    walker = walkers(width=1280, height=720, reduced_motion="reduce")
    for address, last in (
        ("makemore-mlp?step=11&view=saturation.8", ".saturation-charts .norm-label"),
        ("makemore-mlp?step=51&view=threeways.2", ".landing-words"),
        ("makemore-mlp?step=31&view=derivation.8", ".derivation-end"),
        ("recurrent?step=9&view=throughtime", ".through-time .derivation-end"),
        ("first-steps?step=3&view=order.6", ".order-list li"),
    ):
        page = walker.open(f"/walk/{address}&p=1").page
        expect(page.locator(last).last).to_be_visible()
        assert walker.ask(SMALL) == []
        box = page.locator(last).last.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 680, address  # above the foot of the page


def test_a_link_opens_a_stage_on_a_phone_and_steps_elsewhere_show_their_picture(walkers: OpenWalker) -> None:
    walker = walkers(width=390, height=844, reduced_motion="reduce").open(
        "/walk/makemore-mlp?step=45&view=derivation.7"
    )
    page = walker.page
    expect(page.locator(".derivation-line")).to_contain_text(["dhprebn = bngain*bnvar_inv/n * (n*dhpreact"])
    assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    page.locator(".derivation-rail button").first.click()
    expect(page.locator(".derivation-line").first).to_have_text("dbnraw = bngain * dhpreact")
    assert walker.ask("document.getAnimations().length") == 0
    page.locator("#step").focus()
    walker.press("f")
    expect(page.locator(".derivation")).to_have_count(0)
    expect(page.locator(".equation")).to_be_visible()


def test_the_search_goes_call_by_call_and_plays(walker: Walker, server: Server) -> None:
    told = server.post("/api/order", {"walk": {"lesson": "first-steps"}, "tensor": "z"}).json()
    page = walker.open("/walk/first-steps?step=3&view=order").page
    sentence, count = page.locator(".order-told"), page.locator(".paced-count")
    expect(sentence).to_have_text(told["events"][0]["text"].replace("`", ""))
    page.locator(".paced").focus()
    for number, event in enumerate(told["events"][1:], start=2):
        walker.press("ArrowRight")
        expect(count).to_have_text(f"{number} of {len(told['events'])}")
        expect(sentence).to_have_text(event["text"].replace("`", ""))
        expect(page.locator(".order-stack li")).to_have_text([f"visit({name})" for name in event["stack"]])
    expect(page.locator(".numbered li")).to_have_text(told["backward"])
    expect(page.locator(".numbered")).to_have_class(re.compile("is-backward"))
    page.get_by_text("all of it as text").click()
    expect(page.locator(".order-all li")).to_have_text([event["text"].replace("`", "") for event in told["events"]])
    assert findings_in_both_themes(walker) == []
    page.get_by_role("button", name="Play", exact=True).last.click()
    expect(count).to_have_text(re.compile("^[2-7] of"))


def test_three_ways_share_one_picture(walker: Walker, server: Server) -> None:
    told = server.post("/api/threeways", {"walk": {"lesson": "makemore-mlp"}, "tensor": "C"}).json()
    page = walker.open("/walk/makemore-mlp?step=51&view=threeways").page
    page.locator(".paced").focus()
    for way in told["ways"]:
        expect(page.locator(".way-name")).to_contain_text(way["name"])
        expect(page.locator(".way-name .badge")).to_contain_text(way["check"]["words"])
        walker.press("ArrowRight")
    row = page.get_by_role("slider", name="row of dC")
    for place in (0, 5):
        row.fill(str(place))
        count = told["places"].count(place)
        expect(page.locator(".landing-lines .lit")).to_have_count(count)
        expect(page.locator(".landing-words")).to_contain_text(f"Row {place}, “{told['labels'][place]}”,")
        expect(page.locator(".landing-words")).to_contain_text(f"{count} rows of demb" if count > 1 else "row of demb")
    assert findings_in_both_themes(walker) == []


@pytest.mark.exhaustive
def test_a_slider_saturates_cells_and_norms_follow(walker: Walker, server: Server) -> None:
    asked = {"walk": {"lesson": "makemore-mlp"}, "tensor": "h"}
    gain, weight = (server.post("/api/saturation", asked | more).json() for more in ({}, {"parameter": "W1"}))
    page = walker.open("/walk/makemore-mlp?step=11&view=saturation").page
    words = page.locator(".saturation .derivation-told")
    expect(words).to_have_text(gain["points"][gain["usual"]]["text"].replace("`", ""))
    page.get_by_role("slider", name="scale").fill("7")
    expect(words).to_have_text(gain["points"][7]["text"].replace("`", ""))
    expect(page.locator(".paced-count")).to_have_text("3× bngain")
    expect(page).to_have_url(re.compile(r"view=saturation\.8"))
    assert findings_in_both_themes(walker) == []
    page.get_by_label("parameter that is scaled").select_option("W1")
    expect(words).to_contain_text(weight["constant"].replace("`", ""))


@pytest.mark.exhaustive
def test_a_gradient_vanishes_and_explodes_through_time(walkers: OpenWalker, server: Server) -> None:
    told = server.post("/api/throughtime", {"walk": {"lesson": "recurrent"}, "tensor": "Wh"}).json()
    walker = walkers(width=768, height=1024)
    page = walker.open("/walk/recurrent?step=9&view=throughtime").page
    page.locator(".paced").focus()
    bars = page.locator(".norm-bars").first
    expect(bars.locator(".norm-label")).to_have_text(told["series"])
    for at, word in ((told["usual"], "vanishes"), (8, "explodes")):
        page.get_by_role("slider", name="scale").fill(str(at))
        expect(page.locator(".through-time .derivation-told").first).to_contain_text(word)
        assert told["points"][at]["text"].endswith(f"it {word}.")
    expect(page.locator(".norm-bars").last.locator("li")).to_have_count(len(told["steps"]))
    assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    assert findings_in_both_themes(walker) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_a_picture_stays_where_it_is_when_further_views_arrive(walkers: OpenWalker, width: int) -> None:
    """They are asked for once the step is painted: a forward step that may have some keeps the room of their row."""
    walker, held = walkers(width=width, height=720), list[Route]()
    intercept(walker.page, "**/api/pieces", lambda route: held.append(route))
    page = walker.open("/walk/makemore-mlp?step=11").page
    place = "(({ top, height }) => [top, height])(document.querySelector('.picture-body').getBoundingClientRect())"
    before = walker.ask(place)
    arrived(page, held).continue_()
    expect(page.locator(".view-tabs button")).to_have_text(["equation", "saturation"])
    assert walker.ask(place) == before
    walker.press("ArrowRight")
    expect(page.locator(".view-tabs")).to_have_count(0)
