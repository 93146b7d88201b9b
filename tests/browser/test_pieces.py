"""Further views of a step: lines that collapse, stage by stage."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker
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
    expect(page.locator(".study h2")).to_have_text(f"{told['lines']} lines to dlogits collapse into one")
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
