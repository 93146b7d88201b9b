"""What the address holds, what Back does, what the switches change, and what happens when things fail."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import READY, OpenWalker, Walker, arrived, intercept
from tests.support.whole_walk import whole_walk
from tests.tools.server import Server

CUT = """() => [...document.querySelectorAll('{}')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""


def test_a_copied_address_shows_the_same_in_a_fresh_browser(walkers: OpenWalker) -> None:
    first = walkers().open("/walk/makemore-mlp?seed=7&exact=1")
    first.press("b", *["ArrowRight"] * 4)
    first.page.locator(".plot[data-which=value]").focus()
    first.press("ArrowDown", "ArrowDown")
    expect(first.page).to_have_url(re.compile(r"cell="))
    second = walkers().open(first.page.url.removeprefix(first.base))
    for selector in ("#step-title", "#count", ".readout", "#reason", "#heading .kicker"):
        assert second.text(selector) == first.text(selector)
    assert second.page.locator("#seed").input_value() == "7"
    expect(second.page.locator("#exact")).to_have_attribute("aria-checked", "true")


def test_back_returns_from_a_jump(walker: Walker) -> None:
    walker.open().press("ArrowRight", "ArrowRight")
    expect(walker.page).to_have_url(re.compile(r"step=3&graph=boxes$"))
    walker.press("b")
    walker.page.locator("#backward .row", has_text="dW2 =").click()
    assert walker.title == "dW2"
    walker.page.go_back()
    expect(walker.page.locator("#step-title")).to_contain_text("dloss")
    walker.page.go_back()
    expect(walker.page.locator("#count")).to_have_text(re.compile("^3 /"))
    walker.page.go_forward()
    expect(walker.page.locator("#step-title")).to_contain_text("dloss")


@pytest.mark.exhaustive
def test_back_after_many_steps_returns_to_where_they_began(walker: Walker) -> None:
    """A run of steps is one entry, however long: Back does not leave the site, and need not be pressed thirty times."""
    walker.open("/walk/makemore-mlp?step=4")
    entries = walker.ask("history.length")
    walker.press(*["ArrowRight"] * 30)
    expect(walker.page).to_have_url(re.compile(r"step=34$"))
    assert walker.ask("history.length") == entries + 1
    walker.page.go_back()
    expect(walker.page.locator("#count")).to_have_text(re.compile("^4 /"))
    walker.page.go_forward()
    expect(walker.page.locator("#count")).to_have_text(re.compile("^34 /"))
    walker.press("ArrowLeft", "ArrowLeft")
    expect(walker.page).to_have_url(re.compile(r"step=32$"))
    walker.page.go_back()
    expect(walker.page.locator("#count")).to_have_text(re.compile("^34 /"))
    walker.press("f")
    walker.press("ArrowRight", "ArrowRight", "ArrowRight")
    expect(walker.page).to_have_url(re.compile(r"step=4$"))
    walker.page.go_back()
    expect(walker.page.locator("#count")).to_have_text(re.compile("^1 /"))
    walker.page.go_back()
    expect(walker.page.locator("#count")).to_have_text(re.compile("^34 /"))


@pytest.mark.exhaustive
def test_a_step_that_is_none_makes_no_entry(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=51")
    entries = walker.ask("history.length")
    walker.press("ArrowRight", "ArrowRight")
    assert walker.ask("history.length") == entries
    walker.press("ArrowLeft")
    expect(walker.page).to_have_url(re.compile(r"step=50$"))
    walker.page.go_back()
    expect(walker.page.locator("#count")).to_have_text(re.compile("^51 /"))


@pytest.mark.exhaustive
def test_back_brings_the_seed_back_into_its_field(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=3")
    seed = walker.page.locator("#seed")
    loss = walker.page.locator("#picture canvas").first
    expect(loss).to_be_visible()
    seed.fill("7")
    seed.press("Enter")
    expect(walker.page).to_have_url(re.compile("seed=7"))
    expect(walker.page.locator("main")).to_have_attribute("aria-busy", "false")
    walker.page.go_back()
    expect(walker.page).not_to_have_url(re.compile("seed="))
    expect(seed).to_have_value("")


def test_an_address_beyond_the_walk_is_put_right(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=999&cell=99,99&of=gradient")
    expect(walker.page).to_have_url(re.compile(r"/walk/makemore-mlp\?step=51$"))


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (1440, 900),
        pytest.param(1366, 768, marks=pytest.mark.exhaustive),
        pytest.param(1280, 720, marks=pytest.mark.exhaustive),
        (768, 1024),
    ],
)
def test_the_graph_is_not_cut_at_its_right_edge(walkers: OpenWalker, width: int, height: int) -> None:
    walker = walkers(width, height).open("/walk/makemore-mlp?step=30")
    beyond = """() => {
      const right = document.querySelector('#graph').getBoundingClientRect().right;
      return [...document.querySelectorAll('#graph .node')].map((node) => node.getBoundingClientRect().right - right);
    }"""
    assert max(walker.ask(beyond)) <= 0


def test_letters_are_written_into_the_cells_that_stand_for_them(walker: Walker) -> None:
    """Their numbers are names and not amounts: no colour scale, no range."""
    walker.open("/walk/makemore-mlp?step=1&node=Xb&cell=3,1")
    expect(walker.page.locator(".value-line .bar")).to_have_text("27 letters")
    expect(walker.page.locator(".readout")).to_contain_text(re.compile(r"letter (\.|[a-z]), as \d+"))
    expect(walker.page.locator("#picture")).not_to_contain_text("±")
    grey = """() => {
      const canvas = document.querySelector('#picture canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let apart = 0;
      for (let i = 0; i < data.length; i += 4) apart = Math.max(apart, data[i] - data[i + 2]);
      return apart;
    }"""
    assert walker.ask(grey) < 20


def test_exact_rules_turn_the_badges_and_keep_the_step(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=51")
    levels = "() => [...document.querySelectorAll('.node .badge-dot')].map((dot) => dot.title)"
    before = walker.ask(levels)
    assert before.count("approximate") >= 10
    walker.press("e")
    expect(walker.page.locator("#heading .badge")).to_contain_text("exact")
    assert walker.count == "51 / 51"
    after = walker.ask(levels)
    assert "approximate" not in after
    assert after.count("exact") + after.count("true zero") == len(after)
    expect(walker.page).to_have_url(re.compile("exact=1"))


def test_why_not_exact_gives_the_reason_and_the_switch(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=35")
    walker.page.get_by_role("button", name="why not exact?").click()
    expect(walker.page.locator(".verdict .why")).to_contain_text(re.compile("fused|rounding"))
    walker.page.get_by_role("button", name="round like PyTorch").click()
    expect(walker.page.locator("#heading .badge")).to_contain_text("exact")


def asked_at(server: Server, step: int) -> Any:
    return whole_walk(server, {"lesson": "makemore-mlp"})["steps"][step - 1]["question"]


def test_predict_first_hides_the_answer_until_it_is_given(walker: Walker, server: Server) -> None:
    asked = asked_at(server, 25)
    walker.open("/walk/makemore-mlp?step=25&predict=1")
    assert walker.page.locator(".question .choice").count() == len(asked["choices"])
    assert walker.page.locator(".equation").count() == 0
    assert walker.text("#step-title .size") == "(?)"
    here = walker.page.locator("#backward .row.here .right")
    expect(here).to_have_css("color", "rgba(0, 0, 0, 0)")
    expect(here).to_have_attribute("aria-hidden", "true")
    expect(walker.page.locator(".chart .none:visible")).to_have_count(3)
    walker.press(str(asked["answer"] + 1))
    expect(walker.page.locator(".answered")).to_contain_text("right")
    expect(walker.page.locator(".answered")).to_contain_text("1 of 1 right")
    expect(walker.page.locator(".equation")).to_have_count(1)
    assert walker.page.locator(".wrong-answer").count() == 0
    expect(walker.page.get_by_label("speed")).to_have_value("2")


def test_a_wrong_prediction_is_told_what_is_right_and_why(walker: Walker, server: Server) -> None:
    asked = asked_at(server, 25)
    wrong = next(i for i, choice in enumerate(asked["choices"]) if choice["code"] == "counts_sum_inv")
    walker.open("/walk/makemore-mlp?step=25&predict=1").press(str(wrong + 1))
    expect(walker.page.locator(".answered")).to_contain_text("not this time")
    expect(walker.page.locator(".answered")).to_contain_text("It is counts")
    mistake = walker.page.locator(".wrong-answer")
    expect(mistake).to_contain_text("counts_sum_inv is the slope of probs in counts, not in counts_sum_inv.")
    expect(mistake.locator("canvas")).to_have_count(2)
    walker.press("ArrowRight", "ArrowLeft")
    expect(walker.page.locator(".answered")).to_contain_text("0 of 1 right")


def test_a_wrong_shape_is_drawn_beside_the_right_one(walker: Walker, server: Server) -> None:
    asked = asked_at(server, 34)
    wrong = next(i for i, choice in enumerate(asked["choices"]) if choice["code"] == "dlogits")
    walker.open("/walk/makemore-mlp?step=34&predict=1").press(str(wrong + 1))
    boxes = walker.page.locator(".wrong-answer .shape-box")
    expect(boxes).to_have_count(2)
    chosen, right = (box.bounding_box() for box in boxes.all())
    assert chosen is not None
    assert right is not None
    assert chosen["width"] == right["width"]
    assert chosen["height"] > 3 * right["height"]
    expect(walker.page.locator(".wrong-answer")).to_contain_text("That gives (32, 27); it must be (27,).")


# All that speaks of the step but the forward line, of which it is asked.
PRINTED = """() => {
    const parts = '#heading, #evidence, .question .prompt, #backward .row.here, #announcer';
    return [...document.querySelectorAll(parts)].map((part) => {
        const copy = part.cloneNode(true);
        for (const hidden of copy.querySelectorAll('[aria-hidden=true], [hidden], .kicker')) hidden.remove();
        return copy.textContent;
    }).join(' | ');
}"""


def test_no_answer_is_printed_while_its_question_is_open(walker: Walker, server: Server, thorough: bool) -> None:
    steps = whole_walk(server, {"lesson": "makemore-mlp"})["steps"]
    walker.open("/walk/makemore-mlp?predict=1").press("b")
    first, spoken = sum(step["direction"] == "forward" for step in steps), "Backward, step {} of 51: "
    for step in steps[first:]:
        if step["question"]:
            kind, right = step["question"]["kind"], step["question"]["choices"][step["question"]["answer"]]["code"]
            # what is spoken comes a moment after what is seen
            if thorough or step["index"] % 4 == 0 or kind == "accumulate":
                expect(walker.page.locator("#announcer")).to_contain_text(spoken.format(step["index"] + 1))
            said = walker.ask(PRINTED)
            if kind == "accumulate":
                assert not re.search(r"[-+]?=|path|more to come", said), said
            elif kind in ("sum", "product", "constant"):
                assert not right or right not in said, said
            assert walker.page.locator(".equation, .formula, .candidates, .view-tabs").count() == 0
            walker.press(str(step["question"]["answer"] + 1))
        walker.press("ArrowRight")
    expect(walker.page.locator("#count")).to_have_text("51 / 51")


@pytest.mark.exhaustive
def test_the_answer_keeps_to_one_line_at_every_width(walkers: OpenWalker) -> None:
    for width, height in ((1440, 900), (1280, 720), (390, 844)):
        walker = walkers(width, height).open("/walk/makemore-mlp?step=41&predict=1").press("1")
        box = walker.page.locator(".answered").bounding_box()
        assert box is not None
        assert box["height"] <= 30
        assert walker.ask("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.exhaustive
def test_the_tug_of_war_balances_for_every_example(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31")
    board = walker.page.locator(".tug-board")
    board.focus()
    walker.press(*["ArrowUp"] * 5)  # from the example in focus
    seen = set()
    for row in range(32):
        expect(board).to_have_attribute("aria-valuenow", str(row))
        up, down = re.findall(r"[\d.]+(?:·10\S+)?", walker.text(".rope .sum"))
        assert up == down
        assert "Left over" not in walker.text(".rope")
        seen.add(walker.text(".rope h2"))
        walker.press("ArrowDown")
    assert len(seen) == 32
    walker.page.get_by_role("button", name="equation").click()
    expect(walker.page.locator(".equation .label")).to_contain_text(["so far", "local derivative", "arrives", "result"])
    expect(walker.page).to_have_url(re.compile("view=equation"))


@pytest.mark.exhaustive
def test_another_minibatch_can_be_drawn_and_its_seed_typed(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31")
    first = walker.ask("document.querySelector('.tug-board').getAttribute('aria-valuetext')")
    walker.page.locator("#seed").fill("12345")
    walker.press("Enter")
    expect(walker.page).to_have_url(re.compile("seed=12345"))
    expect(walker.page.locator(".tug-board")).not_to_have_attribute("aria-valuetext", first)
    walker.page.locator("#reseed").click()
    expect(walker.page).not_to_have_url(re.compile("seed=12345"))
    assert walker.count == "31 / 51"


def test_a_bad_seed_is_explained_and_can_be_mended(walkers: OpenWalker) -> None:
    walker = walkers()
    walker.open("/walk/makemore-mlp?seed=-5")
    problem = walker.page.get_by_role("alert")
    expect(problem).to_contain_text("seed")
    problem.get_by_role("button", name="Use the usual minibatch").click()
    expect(walker.page.locator("#step-title")).to_contain_text("emb")
    expect(problem).to_be_hidden()
    assert [text for text in walker.complaints if "422" not in text] == []
    walker.complaints.clear()


def test_a_server_that_fails_or_is_gone_can_be_asked_again(walkers: OpenWalker) -> None:
    walker = walkers()
    replies = iter(["abort", "broken"])

    def answer(route: Route) -> None:
        kind = next(replies, None)
        if kind == "abort":
            route.abort()
        elif kind == "broken":
            error = {"code": "internal", "message": "Something went wrong.", "hint": "The log says more."}
            route.fulfill(status=500, json={"error": error})
        else:
            route.continue_()

    intercept(walker.page, "**/api/walk", answer)
    walker.page.goto(walker.base)
    expect(walker.page.get_by_role("alert")).to_contain_text("does not answer")
    walker.page.get_by_role("button", name="Try again").click()
    expect(walker.page.get_by_role("alert")).to_contain_text("Something went wrong.")
    expect(walker.page.get_by_role("alert")).to_contain_text("The log says more.")
    walker.page.get_by_role("button", name="Try again").click()
    expect(walker.page.locator("#step-title")).to_contain_text("emb")
    walker.complaints.clear()


def test_a_request_under_way_can_be_cancelled(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=51")
    held: list[Route] = []
    intercept(walker.page, "**/api/walk", lambda route: held.append(route))
    walker.press("e")
    expect(walker.page.locator("main")).to_have_class(re.compile("stale"))
    walker.page.get_by_role("button", name="Cancel").click()
    expect(walker.page.locator("main")).not_to_have_class(re.compile("stale"))
    expect(walker.page.locator("#exact")).to_have_attribute("aria-checked", "false")
    walker.page.wait_for_selector(READY)
    assert held == [arrived(walker.page, held)]
    walker.page.unroute_all(behavior="ignoreErrors")


def test_keys_are_listed_and_escape_closes_them(walker: Walker) -> None:
    walker.open().press("?")
    expect(walker.page.get_by_role("dialog")).to_contain_text("next step, previous step")
    walker.press("ArrowRight", "Escape")
    expect(walker.page.locator("#keys-dialog")).to_be_hidden()
    assert walker.count.startswith("1 /")


def test_the_theme_is_remembered(walker: Walker) -> None:
    walker.open().press("t")
    expect(walker.page.locator("html")).to_have_attribute("data-theme", "dark")
    walker.page.reload()
    expect(walker.page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.exhaustive
def test_a_long_line_wraps_and_is_never_cut(walkers: OpenWalker) -> None:
    for width in (1440, 768, 390):
        walker = walkers(width=width).open("/walk/makemore-mlp?step=31")
        assert walker.ask(CUT.format(".row .text")) == []


def test_a_graph_name_is_never_cut_by_its_badge(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=51")
    assert walker.ask(CUT.format(".node .label")) == []


@pytest.mark.exhaustive
def test_the_shapes_of_a_product_unfold_and_stay_so(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=32")
    shapes = walker.page.locator("#reason .shapes")
    expect(shapes.locator("summary")).to_have_text(
        "Of 8 orders and transposes, only dlogits @ W2.T has the right shape"
    )
    expect(shapes.locator("table")).to_be_hidden()
    shapes.locator("summary").focus()
    walker.press("Space")
    expect(shapes.locator("tr.fits")).to_contain_text("(32, 27) @ (27, 64)")
    assert walker.count == "32 / 51"
    walker.press("ArrowRight")
    expect(shapes.locator("tr.fits")).to_contain_text("h.T @ dlogits")


def test_the_page_does_not_jump_between_steps(walker: Walker) -> None:
    walker.open().press("b")
    tops = """() => ['#picture', '#reason', '#backward', '#scrubber'].map(
        (name) => Math.round(document.querySelector(name).getBoundingClientRect().top))"""
    seen = {tuple(walker.press("ArrowRight").ask(tops)) for _ in range(8)}
    assert len(seen) == 1
