"""Three oracles side by side, and the test by central differences that can be looked into."""

import re
from typing import Any

import pytest
from playwright.sync_api import Request, Route, expect

from tests.browser.conftest import LINES, OpenWalker, Walker, intercept
from tests.browser.links import link
from tests.support.looking import number
from tests.tools.server import Server

CENTRAL = ".oracle[data-oracle='central differences']"
KINK = {
    "source": "h = x * w\nloss = torch.relu(h).sum()",
    "tensors": {
        "x": {"role": "data", "shape": [2, 3], "init": "zeros"},
        "w": {"role": "parameter", "shape": [3], "init": "randn", "seed": 4},
    },
}


def test_the_third_oracle_speaks_for_every_gradient_after_one_question(walker: Walker, server: Server) -> None:
    asked: list[Any] = []

    def note(request: Request) -> None:
        asked.extend([request.post_data_json] if "/numeric" in request.url else [])

    walker.page.on("request", note)
    document = server.post("/api/walk", {"lesson": "makemore-mlp"}).json()
    told = server.post("/api/numeric", {"walk": {"lesson": "makemore-mlp"}, "node": "*", "mode": "direction"}).json()
    errors = {result["node"]: result["relative_error"] for result in told["results"]}
    gradients = {node["name"] for node in document["nodes"] if node["gradient"]}
    assert len(gradients - {"loss"}) == 26
    walker.open("/walk/makemore-mlp?step=51")
    expect(walker.page.locator(CENTRAL)).to_contain_text("agree")
    seen = set()
    for step in reversed(document["steps"]):
        if step["direction"] == "forward":
            break
        if step["complete"]:
            seen.add(step["node"])
            says = walker.page.locator(f"{CENTRAL} dd").first
            expect(says).to_have_text(re.compile("^(agree to|agree in every digit|zero, too)"))
            error = re.search(r"agree to (\S+)", says.text_content() or "")
            if error:
                assert number(error[1]) == pytest.approx(errors[step["node"]], rel=0.3), step["node"]
            expect(walker.page.locator(f"{CENTRAL} .badge-dot")).to_have_text(re.compile("[✓0]"))
        walker.press("ArrowLeft")
    assert seen == gradients
    assert [question["node"] for question in asked] == ["*"]


def test_autograd_says_bit_for_bit_or_as_a_share_and_why(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=34")
    oracle = walker.page.locator(".oracle[data-oracle=autograd]")
    expect(oracle).to_contain_text("the same, bit for bit")
    walker.press("ArrowRight")
    expect(oracle).to_contain_text("of the largest gradient apart")
    expect(walker.page.locator("#heading .badge")).to_contain_text("of the largest")
    expect(walker.page.locator("#heading")).not_to_contain_text("ulp")
    walker.page.get_by_role("button", name="why not exact?").click()
    expect(walker.page.locator(".verdict .why")).to_contain_text(re.compile(r"At most \S+ apart, or \d+ ulp"))


# What a canvas shows: how far its cells are from the colour of zero, at most.
LOUDEST = """canvas => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const zero = getComputedStyle(document.documentElement).colorScheme.includes("dark") ? [38, 36, 32] : [247, 244, 237];
  return data.reduce((most, value, i) => (i % 4 === 3 ? most : Math.max(most, Math.abs(value - zero[i % 4]))), 0);
}"""


@pytest.mark.parametrize(("step", "name"), [(30, "logit_maxes"), pytest.param(49, "b1", marks=pytest.mark.exhaustive)])
def test_a_true_zero_is_blank_until_its_rounding_is_enlarged(walker: Walker, step: int, name: str) -> None:
    walker.open(f"/walk/makemore-mlp?step={step}")
    pictures = [
        walker.page.locator(".chart .plot[data-which=manual] > canvas").first,
        walker.page.locator(".chart .plot[data-which=difference] > canvas").first,
        walker.page.locator(".sum-to canvas.heat"),
        walker.page.locator(f".node[data-node={name}] canvas.thumb"),
    ]
    assert [picture.evaluate(LOUDEST) for picture in pictures] == [0, 0, 0, 0]
    expect(walker.page.locator(".sum-to .caption")).to_contain_text("rounding ±")
    enlarge = walker.page.get_by_role("button", name=re.compile(r"rounding, enlarged 10[⁶⁷]×"))
    enlarge.click()
    assert pictures[0].evaluate(LOUDEST) > 100
    assert pictures[2].evaluate(LOUDEST) > 100
    walker.page.get_by_role("button", name="drawn as what it is").click()
    assert pictures[0].evaluate(LOUDEST) == 0
    walker.page.get_by_role("button", name="why zero?").click()
    expect(walker.page.locator(".verdict .why")).to_contain_text("so the true gradient is zero. In float64")


NAN = {
    "source": "p = x.log()\nloss = p.sum()",
    "tensors": {"x": {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 1}},
}


def test_where_the_first_nan_is_can_be_gone_to(walker: Walker) -> None:
    walker.open(link(NAN, step=3))
    page = walker.page
    expect(page.locator(".verdict .not-finite")).to_contain_text("Not a number: the first NaN is in p[1, 1], line 1.")
    bar = page.locator(".chart .bar").first
    expect(bar).to_have_text("1 not finite")
    page.get_by_role("button", name="show", exact=True).click()
    expect(page.locator("#count")).to_have_text("1 / 5")
    expect(page.locator("#lens")).to_contain_text("p[1, 1]")


def test_a_cut_path_names_its_line(walker: Walker) -> None:
    drawn = {"role": "parameter", "shape": [3], "init": "randn", "seed": 1}
    walker.open(link({"source": "d = x.detach()\nloss = (d * b).sum()", "tensors": {"x": drawn, "b": drawn}}, step=3))
    walker.page.locator(".node[data-node=x]").click()
    expect(walker.page.locator(".verdict")).to_contain_text("x.detach() on line 1 passes nothing back")


@pytest.mark.exhaustive
def test_other_rounding_is_told_where_the_step_shows_nothing_of_it(walker: Walker, server: Server) -> None:
    after = server.post("/api/walk", {"lesson": "makemore-mlp", "exact": True}).json()["summary"]
    before = server.post("/api/walk", {"lesson": "makemore-mlp"}).json()["summary"]
    assert before["exact"] < after["exact"]
    walker.open("/walk/makemore-mlp")
    told = [f"{one['exact']} of {one['gradients']}" for one in (after, before)]
    notice = walker.page.locator(".notice")
    walker.press("e")
    expect(notice).to_have_text(f"Exact gradients, on the way back: {told[0]}, before {before['exact']}.")
    walker.press("e")
    expect(notice).to_have_text(f"Exact gradients, on the way back: {told[1]}, before {after['exact']}.")


@pytest.mark.exhaustive
def test_a_gradient_that_waits_says_for_which_path(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=24")
    expect(walker.page.locator(".verdict")).to_have_text(
        "more to come: waits for the path through counts_sum (step 27)"
    )


@pytest.mark.exhaustive
def test_a_question_under_way_is_given_up_with_its_walk(walker: Walker) -> None:
    held: list[Route] = []
    intercept(walker.page, "**/api/numeric", lambda route: held.append(route) if len(held) < 1 else route.continue_())
    walker.open("/walk/makemore-mlp?step=51")
    expect(walker.page.locator(CENTRAL)).to_have_attribute("aria-busy", "true")
    expect(walker.page.locator(CENTRAL)).to_contain_text("being asked")
    with walker.page.expect_event("requestfailed", lambda request: "/numeric" in request.url):
        walker.press("e")
    expect(walker.page.locator(CENTRAL)).to_contain_text("agree to")
    walker.page.unroute_all(behavior="ignoreErrors")


@pytest.mark.exhaustive
def test_a_busy_server_is_asked_again_and_a_failure_can_be(walkers: OpenWalker) -> None:
    walker = walkers()
    replies = iter([503, 500, 200])

    def answer(route: Route) -> None:
        status = next(replies)
        error = {"code": "some", "message": "Not now.", "hint": "Later."}
        if status == 200:
            route.continue_()
        else:
            route.fulfill(status=status, json={"error": error}, headers={"Retry-After": "1"})

    intercept(walker.page, "**/api/numeric", answer)
    walker.open("/walk/makemore-mlp?step=51")
    expect(walker.page.locator(CENTRAL)).to_contain_text("did not answer")
    expect(walker.page.locator(CENTRAL)).to_contain_text("Not now.")
    walker.page.get_by_role("button", name="ask again").click()
    expect(walker.page.locator(CENTRAL)).to_contain_text("agree to")
    assert len(walker.complaints) == 2
    walker.complaints.clear()


def test_a_nudge_by_keyboard_shows_numbers_and_the_error_against_the_step(walker: Walker, server: Server) -> None:
    question = {"walk": {"lesson": "makemore-mlp"}, "node": "hpreact", "mode": "direction"}
    told = server.post("/api/numeric", question).json()
    walker.open("/walk/makemore-mlp?step=35").press("n")
    dialog = walker.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Central differences dhpreact (32, 64)")
    expect(dialog).to_contain_text(f"{told['evaluations']} times in all")
    shown = [number(text) for text in dialog.locator(".finding > dl dd").all_text_contents()]
    assert shown == pytest.approx([told["analytic"], told["autograd"], told["numeric"]], rel=1e-14)
    expect(dialog.locator(".badge")).to_contain_text("they agree")
    expect(dialog.locator(".curve-plot .main-svg").first).to_be_visible()
    expect(dialog.locator(".curve-plot .annotation")).to_contain_text(["rounding", "truncation", "used"])
    rows = dialog.locator(".curve-table tbody tr")
    assert rows.count() in {len(told["sweep"]), len(told["sweep"]) + 1}
    expect(dialog.locator(".curve-table .used")).to_have_count(1)
    assert number(rows.first.locator("td").first.text_content() or "") == pytest.approx(told["sweep"][-1][1], rel=0.1)
    walker.press("Tab", "Enter")
    expect(dialog.locator(".cell-findings tbody tr")).to_have_count(8)
    expect(dialog.locator("[aria-pressed=true]")).to_be_focused()
    walker.press("Escape")
    expect(dialog).to_be_hidden()
    assert walker.count.startswith("35 /")


@pytest.mark.exhaustive
def test_the_focus_returns_to_the_link_that_was_pressed(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=35&cell=3,5")
    expect(walker.page.locator(CENTRAL)).to_contain_text("agree to")
    walker.page.get_by_role("button", name="nudge it").focus()
    walker.press("Enter")
    walker.page.get_by_role("button", name="cell [3, 5]").click()
    expect(walker.page.locator(".finding-cell")).to_contain_text("dhpreact[3, 5] · example ... → j (3)")
    walker.press("Escape")
    expect(walker.page.get_by_role("button", name="nudge it")).to_be_focused()


@pytest.mark.exhaustive
def test_after_a_nudge_that_was_asked_for_by_pointer_space_plays(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=35")
    expect(walker.page.locator(CENTRAL)).to_contain_text("agree to")
    walker.page.get_by_role("button", name="nudge it").click()
    expect(walker.page.get_by_role("dialog")).to_be_visible()
    walker.press("Escape")
    expect(walker.page.locator("#step")).to_be_focused()
    walker.press("Space")
    expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Pause")


@pytest.mark.exhaustive
def test_a_nudge_can_be_cancelled_and_asked_for_again(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=51")
    expect(walker.page.locator(CENTRAL)).to_contain_text("agree to")
    held: list[Route] = []
    intercept(walker.page, "**/api/numeric", lambda route: held.append(route) if not held else route.continue_())
    walker.press("n")
    walker.page.get_by_role("button", name="Cancel").click()
    expect(walker.page.locator("#nudge")).to_contain_text("Cancelled.")
    walker.page.get_by_role("button", name="Ask again").click()
    expect(walker.page.locator(".finding")).to_be_visible()
    walker.page.unroute_all(behavior="ignoreErrors")


def test_nothing_is_nudged_where_there_is_no_gradient(walker: Walker) -> None:
    walker.open(LINES)
    walker.page.locator(".node[data-node=Xb]").click()
    walker.press("n")
    expect(walker.page.locator(".notice")).to_contain_text("no gradient here")
    expect(walker.page.locator("#nudge-dialog")).to_be_hidden()


def test_a_kink_is_told_as_a_kink_and_a_true_zero_as_such(walkers: OpenWalker) -> None:
    walker = walkers()
    walker.page.goto(walker.base + link(KINK, 5))
    expect(walker.page.locator(CENTRAL)).to_contain_text(re.compile("at a kink: two slopes.*on the left.*on the right"))
    expect(walker.page.locator(f"{CENTRAL} .badge-dot")).to_have_text("∧")
    walker.press("n")
    dialog = walker.page.get_by_role("dialog")
    expect(dialog.locator(".finding")).to_contain_text("Any number between the two would do; the rule takes 0")
    expect(dialog.locator(".finding dt").nth(2)).to_have_text("slope on the left")
    walker.press("Escape")
    walker.open("/walk/makemore-mlp?step=30")
    expect(walker.page.locator(CENTRAL)).to_contain_text("zero, too")
    walker.press("n")
    expect(dialog.locator(".badge")).to_contain_text("all zero")


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [*(pytest.param(w, marks=pytest.mark.exhaustive) for w in (1440, 768)), 390])
def test_nothing_of_the_nudge_runs_out_sideways(walkers: OpenWalker, width: int) -> None:
    walker = walkers(width=width, height=844).open("/walk/makemore-mlp?step=35").press("n")
    expect(walker.page.locator(".curve-plot .main-svg").first).to_be_visible()
    wide = """() => Math.max(...['#nudge-dialog', '#nudge']
        .map((name) => document.querySelector(name)).map((one) => one.scrollWidth - one.clientWidth))"""
    assert walker.ask(wide) <= 0
