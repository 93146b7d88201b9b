"""Looking into one number: what it is the sum of, where its terms come from, and the way back."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenWalker, Walker, arrived, intercept
from tests.browser.links import link
from tests.support.looking import OVERFLOW, SMALLEST, findings

OPEN = "#lens[aria-busy=false]"
SHOWN = """() => {
  const lens = document.querySelector('#lens');
  const first = lens.querySelector('.term');
  return {
    name: lens.querySelector('.lens-name').textContent,
    tensor: lens.dataset.tensor, which: lens.dataset.which, index: lens.dataset.index,
    shown: Number(lens.querySelector('.lens-value').dataset.number),
    sum: Number(lens.querySelector('.lens-check').dataset.sum),
    wrong: lens.querySelector('.lens-check').classList.contains('wrong'),
    title: document.querySelector('#step-title').firstChild.textContent,
    trail: [...lens.querySelectorAll('.trail button')].map((crumb) => crumb.textContent),
    term: first && [first.dataset.through, first.dataset.cell, first.tagName],
    focused: first === document.activeElement,
  };
}"""
NEXT_GHOSTS = """() => { window.ghosts = new Promise((done) => document.addEventListener('gradwalk:lens',
  () => done(document.querySelectorAll('.strip .ghost').length), { once: true })); }"""
LENS = "/walk/makemore-mlp?step=33&cell=3,5&of=gradient"
DRAWN = {"role": "parameter", "init": "randn", "seed": 1}
LARGE = {
    "source": "h = x @ W\nloss = (h**2).mean()",
    "tensors": {"x": DRAWN | {"shape": [8, 1024]}, "W": DRAWN | {"shape": [1024, 1024]}},
}
PATHS = {
    "source": "a = x * w\nb = a * 2.0\nc = a * a\nd = torch.tanh(a)\ne = b + c + d\nloss = e.sum()",
    "tensors": {"x": DRAWN | {"shape": [4, 5]}, "w": DRAWN | {"shape": [5]}},
}
PARTS = {
    "source": "h = x @ W\nloss = (torch.tanh(h @ V) * 3.0 + h @ V * 0.1).mean()",
    "tensors": {"x": DRAWN | {"shape": [8, 6]}, "W": DRAWN | {"shape": [6, 4]}, "V": DRAWN | {"shape": [4, 2]}},
}


def number(page: Page, tensor: str) -> dict[str, Any]:
    """What the lens shows once a number of this tensor is open."""
    page.locator(f"{OPEN}[data-tensor={tensor}]").wait_for()
    return dict(page.evaluate(SHOWN))


def test_a_number_is_followed_from_dc_to_dlogprobs_and_back_by_keyboard_alone(walker: Walker) -> None:
    walker.open().press("End")
    walker.page.locator(".plot[data-which=manual]").focus()
    walker.press(*["ArrowDown"] * 6, "Enter")
    here = number(walker.page, "C")
    assert (here["name"], here["title"], here["trail"]) == ("dC[5, 0]", "dC", [])
    way = [here]
    while here["tensor"] != "logprobs":
        assert len(way) < 20
        assert here["focused"]
        assert not here["wrong"]
        assert here["shown"] == pytest.approx(here["sum"], rel=1e-3, abs=1e-7)
        through, cell, _ = here["term"]
        walker.press("Enter")
        here = number(walker.page, through)
        assert (here["index"], here["which"], here["title"]) == (cell, "gradient", f"d{through}")
        assert here["trail"] == [step["name"] for step in way]
        way.append(here)
    walker.press("Enter")
    start = number(walker.page, "loss")
    assert (start["shown"], start["term"][2]) == (1, "DIV"), "where every gradient starts there is nothing to follow"
    expect(walker.page.locator("#announcer")).to_contain_text(f" {len(way)} hops from dC[5, 0].")
    for step in reversed(way):
        walker.press("Backspace")
        back = number(walker.page, step["tensor"])
        assert {**back, "focused": True} == step
        assert walker.ask("document.activeElement.closest('#lens') !== null")
    walker.press("Escape")
    expect(walker.page.locator("#lens")).to_be_hidden()
    expect(walker.page.locator(".plot[data-which=manual]")).to_be_focused()
    assert walker.title == "dC"


@pytest.mark.exhaustive
def test_who_types_ahead_of_the_answers_gets_there_as_well(walker: Walker) -> None:
    held: list[Route] = []
    intercept(walker.page, "**/api/cell", lambda route: route.continue_() if held else held.append(route))
    with walker.page.expect_request("**/api/cell"):
        walker.open("/walk/makemore-mlp?step=51&cell=5,0&of=gradient")
    walker.press("l", "Enter", "Enter")
    arrived(walker.page, held).continue_()
    assert number(walker.page, "embcat")["trail"] == ["dC[5, 0]", "demb[30, 2, 0]"]


@pytest.mark.exhaustive
def test_back_and_forward_of_the_browser_walk_the_trail_and_a_crumb_leaps(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=51&cell=5,0&of=gradient").press("l")
    expect(walker.page.locator("#lens .term").first).to_be_focused()
    names = [number(walker.page, "C")["name"]]
    for tensor in ("emb", "embcat", "hprebn"):
        walker.press("Enter")
        names.append(number(walker.page, tensor)["name"])
    walker.page.go_back()
    assert number(walker.page, "embcat")["trail"] == names[:2]
    walker.page.go_forward()
    assert number(walker.page, "hprebn")["trail"] == names[:3]
    walker.page.get_by_role("button", name=names[0]).click()
    assert number(walker.page, "C")["trail"] == []


def test_escape_leads_back_to_where_one_came_from_and_then_closes(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25").press("l")
    expect(walker.page.locator("#lens .term").first).to_be_focused()
    first = walker.text("#lens .lens-name")
    walker.press("Enter")
    expect(walker.page.locator("#lens .trail li")).to_have_count(2)
    walker.press("Enter")
    expect(walker.page.locator("#lens .trail li")).to_have_count(3)
    assert not walker.count.startswith("25 /")
    walker.press("Escape")
    expect(walker.page.locator("#count")).to_have_text(re.compile("^25 /"))
    expect(walker.page.locator("#lens .lens-name")).to_have_text(first)
    expect(walker.page.locator("#lens .trail")).to_be_hidden()
    walker.press("Escape")
    expect(walker.page.locator("#lens")).to_be_hidden()
    assert walker.count.startswith("25 /")


def test_a_link_opens_the_same_number_in_a_fresh_browser(walkers: OpenWalker) -> None:
    first = walkers().open("/walk/makemore-mlp?step=33")
    first.page.locator(".plot[data-which=manual]").focus()
    first.press(*["ArrowDown"] * 4, *["ArrowRight"] * 5)
    expect(first.page).to_have_url(f"{first.base}{LENS}")
    second = walkers().open(LENS)
    shown = number(second.page, "W2")
    assert shown["name"] == "dW2[3, 5]"
    first.page.locator(f"{OPEN}[data-index='3,5']").wait_for()
    for selector in (
        "#lens .lens-place",
        "#lens .lens-value",
        "#lens .lens-formula",
        "#lens .terms",
        "#lens .lens-check",
    ):
        assert second.text(selector) == first.text(selector)
    assert second.text(".lens-place") == "hidden unit 3, class e (5)"
    assert "32 terms" in second.text(".lens-formula")


def test_the_lens_follows_the_arrow_keys_and_tells_one_sentence(walker: Walker) -> None:
    walker.open(LENS)
    assert number(walker.page, "W2")["index"] == "3,5"
    walker.page.locator(".plot[data-which=manual]").focus()
    walker.press("ArrowRight", "ArrowDown")
    walker.page.locator(f"{OPEN}[data-index='4,6']").wait_for()
    expect(walker.page.locator("#announcer")).to_contain_text("Gradient of W2, hidden unit 4, class f (6): ")
    expect(walker.page.locator("#announcer")).to_contain_text("the sum of 32 terms, the largest ")
    assert walker.count.startswith("33 /")


def test_what_a_number_comes_through_is_lit_and_leads_there(walker: Walker) -> None:
    walker.open(LENS)
    number(walker.page, "W2")
    expect(walker.page.locator("#picture [data-map^='gradient logits'] .lights")).to_be_visible()
    expect(walker.page.locator("#backward .row.in-lens")).to_contain_text("dW2 = ")
    expect(walker.page.locator("#forward .row.in-lens")).to_contain_text("logits = h @ W2")
    expect(walker.page.locator(".node.in-lens")).to_have_attribute("data-node", "logits")
    through, cell, _ = number(walker.page, "W2")["term"]
    walker.page.locator(".node.in-lens").click()
    assert (number(walker.page, through)["index"], walker.title) == (cell, "dlogits")


@pytest.mark.exhaustive
def test_any_tensor_of_the_equation_can_be_looked_into(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25")
    walker.page.locator("#picture [data-map^='value counts']").first.click(position={"x": 5, "y": 5})
    shown = number(walker.page, "counts")
    assert (shown["which"], walker.title) == ("value", "dcounts_sum_inv")
    expect(walker.page).to_have_url(re.compile(r"tensor=counts&cell=\d+,\d+&of=value$"))
    expect(walker.page.locator("#lens .lens-check")).to_contain_text("moves with one cell of norm_logits")
    walker.page.locator("#lens button.term").first.click()
    assert number(walker.page, "norm_logits")["title"] == "norm_logits"
    walker.press("Backspace")
    assert (number(walker.page, "counts")["name"], walker.title) == (shown["name"], "dcounts_sum_inv")


@pytest.mark.exhaustive
def test_the_table_opens_its_cells_by_keyboard(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=33")
    walker.page.get_by_label("manual: larger, with every number").click()
    walker.page.locator("#tensor-table td[tabindex='0']").focus()
    walker.press("ArrowDown", "ArrowDown", "ArrowDown", *["ArrowRight"] * 5)
    assert findings(walker) == []
    walker.press("Enter")
    expect(walker.page.locator("#tensor-dialog")).to_be_hidden()
    assert number(walker.page, "W2")["name"] == "dW2[3, 5]"


def test_a_gradient_that_is_asked_or_not_computed_stays_closed(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25&predict=1&cell=3,0&of=gradient")
    expect(walker.page.locator("#lens")).to_be_hidden()
    walker.press("2")
    assert number(walker.page, "counts_sum_inv")["index"] == "3,0"
    walker.open("/walk/makemore-mlp?step=5&cell=3,0&of=gradient")
    expect(walker.page.locator("#lens")).to_be_hidden()


def test_a_wrong_rule_raises_the_alarm(walker: Walker) -> None:
    def worse(route: Route) -> None:
        answer = route.fetch()
        document = answer.json()
        route.fulfill(response=answer, json={**document, "shown": document["shown"] * 1.01, "agrees": False})

    intercept(walker.page, "**/api/cell", worse)
    walker.open(LENS)
    number(walker.page, "W2")
    expect(walker.page.locator("#lens .lens-check.wrong")).to_contain_text("the rule is wrong by")


def test_a_busy_server_is_asked_again_and_a_failing_one_on_demand(walkers: OpenWalker) -> None:
    walker = walkers()
    replies = iter(["busy", "abort"])

    def answer(route: Route) -> None:
        kind = next(replies, None)
        if kind == "busy":
            error = {"code": "busy", "message": "All workers are busy.", "hint": "Try again in a second."}
            route.fulfill(status=503, json={"error": error}, headers={"Retry-After": "1"})
        elif kind == "abort":
            route.abort()
        else:
            route.continue_()

    intercept(walker.page, "**/api/cell", answer)
    walker.open(LENS)
    expect(walker.page.locator("#lens .lens-trouble")).to_contain_text("does not answer")
    expect(walker.page.locator("#lens .lens-name")).to_have_text("dW2[3, 5]")
    walker.page.locator("#lens").get_by_role("button", name="Try again").click()
    assert number(walker.page, "W2")["index"] == "3,5"
    walker.complaints.clear()


@pytest.mark.parametrize(("width", "height"), [pytest.param(1440, 900, marks=pytest.mark.exhaustive), (1280, 720)])
def test_an_open_number_and_the_charts_are_in_sight_and_nothing_jumps(
    walkers: OpenWalker, width: int, height: int
) -> None:
    walker = walkers(width, height).open("/walk/makemore-mlp?step=51&cell=5,0&of=gradient").press("l")
    places = """() => ['#picture', '#lens', '#evidence'].map((name) => {
        const box = document.querySelector(name).getBoundingClientRect();
        return [Math.round(box.top), Math.round(box.bottom)];
    })"""
    number(walker.page, "C")
    seen = set()
    for tensor in ("emb", "embcat", "hprebn", "bndiff", "bnraw", "hpreact", "h", "logits"):
        picture, lens, evidence = walker.ask(places)
        seen.add((picture[0], lens[0]))
        foot = walker.page.locator("#transport").bounding_box()
        assert foot is not None
        assert picture[1] <= lens[0]
        assert evidence[1] <= foot["y"]
        walker.press("Enter")
        number(walker.page, tensor)
    assert len(seen) == 1


@pytest.mark.exhaustive
def test_a_number_is_readable_from_ten_metres_at_every_hop(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720).open("/walk/makemore-mlp?step=51&cell=5,0&of=gradient").press("p", "l")
    here = number(walker.page, "C")
    while here["tensor"] != "logprobs":
        assert walker.ask(SMALLEST) >= 28, here["name"]
        assert max(walker.ask(OVERFLOW)) <= 0, here["name"]
        walker.press("Enter")
        here = number(walker.page, here["term"][0])


@pytest.mark.exhaustive
def test_motion_is_left_out_where_it_is_not_wanted(walkers: OpenWalker) -> None:
    for motion, ghosts in (("reduce", 0), ("no-preference", 1)):
        walker = walkers(reduced_motion=motion).open("/walk/makemore-mlp?step=33")
        walker.page.locator(".plot[data-which=manual]").focus()
        for count in (ghosts, 0):
            walker.ask(NEXT_GHOSTS)
            assert walker.press("ArrowDown").ask("window.ghosts") == count


@pytest.mark.exhaustive
def test_terms_unfold_and_fold_again(walker: Walker) -> None:
    walker.open(LENS)
    number(walker.page, "W2")
    terms = walker.page.locator("#lens .term")
    folded = terms.count()
    walker.page.locator("#lens").get_by_role("button", name=re.compile("more, together")).click()
    expect(terms).to_have_count(32)
    expect(terms.nth(folded)).to_be_focused()
    walker.page.get_by_role("button", name="show fewer terms").click()
    expect(terms).to_have_count(folded)
    expect(walker.page.locator("#lens").get_by_role("button", name=re.compile("more, together"))).to_be_focused()


@pytest.mark.exhaustive
def test_other_rules_leave_the_focus_where_it_was(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=51&cell=5,0&of=gradient").press("l")
    number(walker.page, "C")
    walker.press("ArrowDown", "e")
    expect(walker.page.locator("#exact")).to_have_attribute("aria-checked", "true")
    expect(walker.page.locator("#lens .term").first).to_be_focused()
    walker.page.locator(".plot[data-which=value]").focus()
    walker.press("e")
    expect(walker.page.locator("#exact")).to_have_attribute("aria-checked", "false")
    expect(walker.page.locator(".plot[data-which=value]")).to_be_focused()


@pytest.mark.exhaustive
def test_one_of_several_paths_says_so(walker: Walker) -> None:
    walker.page.goto(walker.base + link(PATHS, 13))
    note, kind = walker.page.locator("#lens .lens-note"), walker.page.locator("#lens .lens-kind")
    expect(walker.page.locator("#step-title")).to_contain_text("da")
    walker.press("l")
    expect(kind).to_have_text(re.compile(r"what \w brings, path 2 of 3"))
    expect(note).to_have_text(re.compile(r"The 2 paths so far add up to \S+; one more is still to come\."))
    walker.press("Escape", "ArrowRight", "l")
    expect(kind).to_have_text("gradient")
    expect(note).to_be_empty()


def test_a_part_without_a_name_says_why_it_does_not_open(walker: Walker) -> None:
    walker.page.goto(walker.base + link(PARTS, 4))
    expect(walker.page.locator("#step-title")).to_contain_text("dloss_product")
    walker.press("l")
    expect(walker.page.locator(".notice")).to_contain_text("that has no name, so its numbers do not open")
    expect(walker.page.locator("#lens")).to_be_hidden()


@pytest.mark.exhaustive
def test_a_cell_of_a_block_says_so_and_leads_to_every_cell(walker: Walker) -> None:
    walker.page.goto(walker.base + link(LARGE, 6))
    walker.page.locator(".plot[data-which=manual]").click(position={"x": 40, "y": 30})
    shown = number(walker.page, "W")
    expect(walker.page.locator("#lens .lens-note")).to_contain_text("cell of a block: the picture shows means")
    walker.page.get_by_role("button", name="every cell").click()
    index = shown["index"].replace(",", ", ")
    expect(walker.page.locator(".zoom-readout b").first).to_have_text(f"[{index}]")
    expect(walker.page.locator("#tensor-table td.picked")).to_be_visible()


@pytest.mark.exhaustive
def test_keys_of_the_lens_are_listed(walker: Walker) -> None:
    walker.open().press("?")
    expect(walker.page.get_by_role("dialog")).to_contain_text("open the selected number")
