"""Two walks side by side: one step moves both, what differs is lit, and a link leads there."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, expect

from backend.program.lessons import ROOM
from tests.browser.conftest import SECONDS, OpenWalker, Walker, intercept
from tests.browser.links import link
from tests.support.looking import SMALLEST, findings

BATCH_NORM = "/compare#left=/walk/batch-norm.left&right=/walk/batch-norm.right"
PLANTED = "/walk/batchnorm?plant=12.sign"


def opened(walker: Walker, path: str) -> Walker:
    walker.open(path)
    expect(walker.page.locator(".both-row[aria-current=step]")).to_be_visible(timeout=SECONDS)
    return walker


def current(walker: Walker) -> str:
    return walker.text(".both-row[aria-current=step] .both-code")


def test_one_step_moves_both_and_what_differs_is_lit(walker: Walker) -> None:
    page = opened(walker, BATCH_NORM).page
    # it begins where something first differs: the mean, which the left has not
    assert current(walker) == "rightmean = hpre.mean(0, keepdim=True)"
    expect(page.locator(".two-words")).to_have_text("On the left, there is no mean.")
    expect(page.locator(".half-none")).to_have_text("no such line here")
    lit = walker.texts(".both-row:not(.same) .both-code")
    assert "logits = h @ W2" in lit
    assert "hpre = x @ W1" not in lit
    walker.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert current(walker) == "lefth = torch.tanh(hpre)righth = torch.tanh(hnorm)"
    expect(page.locator(".two-words")).to_contain_text("On the right, h has another direction (cosine 0.94)")
    assert [code.strip() for code in walker.texts(".step-beside .figure-code")] == [
        "h = torch.tanh(hpre)",
        "h = torch.tanh(hnorm)",
    ]
    expect(page.locator(".half b")).to_have_text(["h left", "h right", "right − left"])
    expect(page.locator(".half canvas.heat")).to_have_count(3)
    expect(page.locator(".first-apart")).to_have_count(2)


@pytest.mark.exhaustive
@pytest.mark.parametrize("title", [one.title for one in ROOM.exhibits.values() if one.kind == "contrast"])
def test_every_contrast_is_opened_and_walked_by_keyboard(walker: Walker, title: str) -> None:
    page = walker.open("/compare").page
    page.locator(".contrasts a", has_text=title).focus()
    walker.press("Enter")
    expect(page.locator(".both-row[aria-current=step]")).to_be_visible(timeout=SECONDS)
    walker.press("Home")
    rows = page.locator(".both-row")
    for at in range(rows.count()):
        expect(rows.nth(at)).to_have_attribute("aria-current", "step")
        walker.press("ArrowRight")
    expect(page.locator(".two-words")).to_have_text(re.compile(r"\S"))
    assert findings(walker) == []


def test_both_by_keyboard_and_back_to_where_a_run_began(walker: Walker) -> None:
    page = opened(walker, BATCH_NORM).page
    walker.press("Home")
    assert current(walker) == "hpre = x @ W1"
    expect(page.locator(".half canvas.heat")).to_have_count(2)  # what is the same has no difference to be seen
    walker.press("n")
    assert "mean" in current(walker)
    walker.press("b")
    assert current(walker).startswith("dloss")
    walker.press("f")
    assert current(walker) == "hpre = x @ W1"
    bar = page.locator(".pace-count").bounding_box()
    walker.press("End")
    expect(page.locator("#next")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#count")).to_have_text("21 / 21")
    assert page.locator(".pace-count").bounding_box() == bar, "two digits take no more room than one"
    page.locator(".both-row[aria-current=step]").focus()
    walker.press("ArrowUp", "Enter")
    expect(page.locator("#count")).to_have_text("20 / 21")
    walker.ask("document.activeElement.blur()")  # what has the focus is pressed by Space
    walker.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    walker.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_a_link_opens_the_same_moment_elsewhere(walkers: OpenWalker) -> None:
    first = opened(walkers(), BATCH_NORM)
    first.press("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    expect(first.page.locator("#count")).to_have_text("5 / 21")
    first.page.wait_for_url("**at=5**")
    address = first.page.url.removeprefix(first.base)
    second = opened(walkers(), address)
    assert current(second) == current(first)
    opened(second, address.replace("/compare?", "/compare?p=1&"))
    expect(second.page.locator("body")).to_have_class("projector")
    expect(second.page.locator(".both-row:visible")).to_have_count(1)
    second.press("Escape")
    expect(second.page.locator("body")).not_to_have_class("projector")


@pytest.mark.exhaustive
def test_a_walk_leads_to_itself_before_a_mistake_was_planted(walker: Walker) -> None:
    walker.open(PLANTED).page.locator("#to-compare").click()
    page = walker.page
    expect(page.locator(".both-row[aria-current=step]")).to_be_visible(timeout=SECONDS)
    expect(page.locator(".side-of.is-right .side-hand")).to_contain_text("step 12")
    expect(page.locator(".side-of.is-left .side-hand")).to_have_count(0)
    assert {text.split("=")[0].strip() for text in walker.texts(".both-row.line .of-right")} != set()
    expect(page.locator("#apart")).to_contain_text("differ")
    page.locator(".side-tools a", has_text="swap").click()
    expect(page.locator(".side-of.is-left .side-hand")).to_contain_text("step 12")


def test_a_program_of_ones_own_stands_beside_a_lesson(walker: Walker) -> None:
    x = {"role": "parameter", "shape": [2], "init": "randn", "seed": 1}
    own = link({"source": "y = x * 5\nz = (y + 1).sum()", "tensors": {"x": x}}, 1)
    opened(walker, f"/compare#left={quote('/walk/first-steps')}&right={quote(own, safe='')}")
    assert "y = x * 3" in walker.text(".both-row.line .of-left")
    assert "y = x * 5" in walker.text(".both-row.line .of-right")
    assert walker.text(".both-part") == "given"  # both have an x, of different shapes
    walker.press("Home")
    expect(walker.page.locator(".two-words")).to_have_text("x has the shape () on the left, (2,) on the right.")


def test_without_sides_it_asks_for_them_and_says_what_is_none(walker: Walker) -> None:
    page = walker.open("/compare").page
    left, right = page.get_by_label("left"), page.get_by_label("right")
    expect(left).to_be_focused()
    left.fill("/learn/batchnorm")
    right.fill("first-steps")
    walker.press("Enter")
    expect(page.locator("#choice-says")).to_contain_text("no link of a walk")
    expect(left).to_be_focused()
    left.fill("makemore MLP")  # as the list offers it
    walker.press("Enter")
    expect(page.locator(".both-row[aria-current=step]")).to_be_visible(timeout=SECONDS)
    walker.open("/compare#left=/walk/makemore-mlp")
    expect(left).to_have_value("makemore MLP")
    walker.open("/compare").page.get_by_role("link", name="tanh or relu").click()
    expect(page.locator(".both-row.line").first).to_contain_text("torch.relu")


def test_a_side_that_is_refused_is_named_and_a_failure_can_be_tried_again(walker: Walker) -> None:
    page = walker.page
    page.goto(f"{walker.base}/compare#left=/walk/first-steps&right=/walk/no-such-lesson")
    expect(page.locator("#problem h1")).to_contain_text("On the right: ", timeout=SECONDS)
    walker.complaints.clear()  # the browser tells of the refused request, too
    failing = [True]

    def answer(route: Route) -> None:
        if not failing:
            return route.continue_()
        body = json.dumps({"error": {"code": "internal", "message": "Broken.", "hint": "Wait."}})
        return route.fulfill(status=500, content_type="application/json", body=body)

    intercept(page, "**/api/comparison", answer)
    page.goto(f"{walker.base}/compare?again#left=/walk/first-steps&right=/walk/tanh-or-relu.left")
    expect(page.locator("#problem h1")).to_have_text("Broken.", timeout=SECONDS)
    failing.clear()
    walker.complaints.clear()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".both-row[aria-current=step]")).to_be_visible(timeout=SECONDS)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (390, 844),
        *(pytest.param(*size, marks=pytest.mark.exhaustive) for size in ((1280, 720), (1440, 900), (768, 1024))),
    ],
)
def test_it_fits_and_axe_finds_nothing(walkers: OpenWalker, width: int, height: int) -> None:
    walker = opened(walkers(width=width, height=height, color_scheme="dark" if width < 800 else "light"), BATCH_NORM)
    walker.press("n", "n", "n")
    expect(walker.page.locator(".half canvas.heat").first).to_be_visible()
    assert walker.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    assert findings(walker) == []


def test_in_a_hall_two_walks_are_chosen_and_stay_there(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720).open("/compare")
    page = walker.page
    expect(page.get_by_role("button", name="Projector mode")).to_be_visible()
    walker.ask("document.activeElement.blur()")
    walker.press("p")
    expect(page.locator("body")).to_have_class("projector")
    expect(page).to_have_url(re.compile(r"/compare\?p=1$"))
    assert walker.ask(SMALLEST) >= 28
    assert walker.ask("document.documentElement.scrollWidth <= innerWidth")
    assert findings(walker) == []
    page.get_by_label("left").focus()
    walker.press("Escape")
    expect(page).to_have_url(re.compile(r"/compare$"))
    walker.open("/compare?p=1")
    expect(page.locator("body")).to_have_class("projector")
    page.locator(".contrasts a", has_text="tanh or relu").click()
    expect(page.locator(".both-row:visible")).to_have_count(1, timeout=SECONDS)
    expect(page.locator("body")).to_have_class("projector")
    walker.open("/compare?p=1")
    page.get_by_label("left").fill("first-steps")
    page.get_by_label("right").fill("batchnorm")
    walker.press("Enter")
    page.wait_for_url("**/compare?p=1#left**")
