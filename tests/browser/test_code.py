"""Your code: paste, mend, walk, share, export; and nothing is lost on the way."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenWalker, intercept
from tests.browser.desk import Desk, OpenDesk
from tests.browser.links import link
from tests.support.waiting import eventually

PROGRAM = """\
h = torch.tanh(x @ W + b)  # a hidden layer
logits = hh @ U / temperature
loss = F.cross_entropy(logits, y)"""
SHAPES = {"x": "(5, 3)", "W": "3, 4", "b": "4", "U": "4 x 6"}
LONG = """\
attention_scores = query_projection @ key_projection_of_the_other_side.T / n_head_dimensions_of_the_model
weights = F.softmax(attention_scores, dim=-1)  # and a comment that is far too long to fit on any narrow screen at all
out = (weights @ value_projection_with_a_really_long_name_that_must_not_widen_it).mean()"""


@pytest.fixture
def desks(walkers: OpenWalker) -> OpenDesk:
    """Opens the page in tabs of their own contexts."""

    def make(path: str = "/code", width: int = 1440, height: int = 900, **options: Any) -> Desk:
        return Desk(walkers(width, height, permissions=["clipboard-read", "clipboard-write"], **options)).open(path)

    return make


def test_paste_mend_walk_share_export_and_run(desks: OpenDesk, tmp_path: Path) -> None:
    desk = desks().ready()
    page = desk.page
    paste(desk, PROGRAM)
    expect(desk.source).to_have_value(PROGRAM)

    # a slip is told at once; the table of the example is gone, and that of the program is there, all of it guessed
    expect(page.locator(".mistake")).to_have_text("hh")
    expect(desk.status).to_contain_text("Line 2 is not ready to walk.")
    expect(desk.rows).to_have_count(5)
    for name in ("x", "W", "b", "U", "y", "temperature"):
        expect(desk.row(name)).to_contain_text("A guess.")
    expect(desk.row("hh")).to_have_count(0)

    # what is known better takes the place of a guess
    desk.field("temperature", "value").fill("0.7")
    for name, shape in SHAPES.items():
        desk.field(name, "shape").fill(shape)
    desk.field("y", "fill").select_option("values")
    page.keyboard.insert_text("array([0, 5, 2,\n       2, 1])")
    expect(desk.row("y")).to_contain_text("whole, 0 to 5")
    expect(page.get_by_text("A guess.")).to_have_count(0)

    # the mistake is marked under its own characters, said beside them, and mended there
    expect(page.locator(".mistake")).to_have_text("hh")
    expect(page.locator("#complaint")).to_contain_text("Did you mean h?")
    expect(desk.source).to_have_attribute("aria-describedby", "complaint")
    desk.source.focus()
    page.keyboard.press("F8")
    assert desk.selection == "hh"
    page.keyboard.insert_text("h")
    expect(desk.source).to_have_value(PROGRAM.replace("hh", "h"))
    desk.ready()
    expect(page.locator("#margin .shape").first).to_have_text("(5, 4)")

    # the walk, by keyboard alone
    desk.walk()
    expect(page).to_have_url(re.compile(r"/code\?step=1#p="))
    assert desk.walker.press("b", "ArrowRight").title == "dlogits"
    desk.walker.press("End")
    expect(page.locator("#count")).to_contain_text(re.compile(r"^(\d+) / \1$"))
    assert page.locator(".tick.wrong, .tick.shape").count() == 0
    desk.walker.press("b", "ArrowRight", "ArrowRight")
    title, count = desk.walker.title, desk.walker.count

    # the link, in a browser that has never seen it
    page.locator("#share").click()
    expect(page.locator(".notice")).to_contain_text("Link copied")
    link = str(page.evaluate("navigator.clipboard.readText()"))
    other = desks(link.removeprefix(desk.walker.base)).walking()
    assert (other.walker.title, other.walker.count) == (title, count)
    other.page.keyboard.press("c")
    expect(other.source).to_have_value(PROGRAM.replace("hh", "h"))
    expect(other.field("y", "values")).to_have_value("array([0, 5, 2,\n       2, 1])")

    # the export, run by this very Python
    other.page.get_by_role("button", name="Export").click()
    with other.page.expect_download() as download:
        other.page.get_by_role("button", name="Python file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^(\d+) of \1 gradients agree with autograd$", done.stdout, re.MULTILINE)
    assert file.suffix == ".py"


def test_a_reload_keeps_everything_mistakes_included(desks: OpenDesk) -> None:
    desk = desks().ready()
    desk.source.fill("y = (x")
    desk.field("x", "shape").fill("2, two")
    desk.field("b1", "fill").select_option("values")
    desk.field("b1", "values").fill("[1, 2\n3, oops")
    expect(desk.row("b1")).to_contain_text("oops is not a number")
    desk.page.reload()
    expect(desk.source).to_have_value("y = (x")
    expect(desk.field("x", "shape")).to_have_value("2, two")
    expect(desk.field("b1", "values")).to_have_value("[1, 2\n3, oops")
    expect(desk.row("b1")).to_contain_text("oops is not a number")
    desk.page.goto(f"{desk.walker.base}/code")
    expect(desk.source).to_have_value("y = (x")


def test_a_starting_point_asks_nothing_and_undo_takes_it_back(desks: OpenDesk) -> None:
    desk = desks().ready()
    desk.source.fill("y = x.sum()")
    desk.start("One head of attention").ready()
    expect(desk.field("Wq", "shape")).to_have_count(1)
    desk.page.locator(".notice button").click()
    expect(desk.source).to_have_value("y = x.sum()")
    expect(desk.rows).to_have_count(6)
    desk.page.locator("#redo").click()
    expect(desk.field("Wq", "shape")).to_have_count(1)
    desk.source.focus()
    desk.page.keyboard.press("Control+z")
    expect(desk.source).to_have_value("y = x.sum()")


def test_undo_in_the_program_is_the_browser_s_and_elsewhere_the_form_s(desks: OpenDesk) -> None:
    desk = desks().ready()
    before = desk.source.input_value()
    desk.source.focus()
    desk.page.keyboard.press("Control+End")
    desk.page.keyboard.insert_text("  # one")
    desk.page.keyboard.press("Control+z")
    expect(desk.source).to_have_value(before)
    desk.field("x", "shape").fill("7, 6")
    desk.row("b2").locator(".drop").click()
    expect(desk.rows).to_have_count(5)
    desk.page.keyboard.press("Control+z")
    expect(desk.rows).to_have_count(6)
    desk.page.keyboard.press("Control+z")
    expect(desk.field("x", "shape")).to_have_value("8, 6")
    desk.page.keyboard.press("Control+Shift+z")
    expect(desk.field("x", "shape")).to_have_value("7, 6")


def test_the_steps_inside_a_fused_operation(desks: OpenDesk) -> None:
    desk = desks().ready()
    before = desk.source.input_value()
    desk.page.get_by_role("button", name="Show the steps inside line 3").click()
    expect(desk.source).not_to_have_value(before)
    desk.ready()
    assert desk.source.input_value().count("\n") > before.count("\n")
    assert "cross_entropy" not in desk.source.input_value()
    desk.walk()
    desk.page.locator("#to-editor").click()
    desk.page.locator("#undo").click()
    expect(desk.source).to_have_value(before)


@pytest.mark.exhaustive
def test_a_pasted_mask_stays_one_through_the_walk_and_a_link(desks: OpenDesk) -> None:
    desk = desks().ready()
    page = desk.page
    paste(desk, "k = x.masked_fill(mask, 0.0)\nloss = (k * k).sum()")
    expect(desk.row("mask")).to_contain_text("A guess.")
    desk.field("x", "shape").fill("2, 2")
    page.get_by_role("button", name="Values and axis names of mask").click()
    desk.field("mask", "values").fill("array([[ True, False],\n       [False,  True]])")
    expect(desk.row("mask")).to_contain_text("a mask of true and false")
    desk.ready().walk()
    desk.walker.press("End")
    assert desk.walker.title == "dx"
    page.reload()
    desk.walking()
    assert desk.walker.title == "dx"


def test_every_starting_point_walks_from_end_to_end(desks: OpenDesk, thorough: bool) -> None:
    desk = desks().ready()
    desk.page.get_by_role("button", name="Starting points").click()
    expect(desk.page.locator(".start")).to_have_count(10)
    titles = desk.page.locator(".start b").all_text_contents()
    desk.page.keyboard.press("Escape")
    for title in titles if thorough else titles[::5]:
        desk.start(title).ready()
        desk.walk()
        steps = int(desk.walker.count.split("/")[1])
        for _ in range(steps):
            desk.walker.press("ArrowRight")
        assert desk.walker.count == f"{steps} / {steps}", title
        assert desk.page.locator(".tick.wrong, .tick.shape").count() == 0, title
        desk.page.keyboard.press("c")


def test_walk_it_on_a_new_mistake_leads_back_to_it(desks: OpenDesk) -> None:
    desk = desks().ready()
    desk.walk()
    desk.page.locator("#to-editor").click()
    desk.source.fill(desk.source.input_value().replace("logits, y", "logits, yy"))
    desk.page.keyboard.press("Control+Enter")
    expect(desk.page.locator(".mistake")).to_have_text("yy")
    expect(desk.source).to_be_focused()
    assert desk.selection == "yy"
    expect(desk.page.locator("#walk")).to_be_hidden()
    desk.walker.complaints.clear()  # Chromium's own word on the walk that was refused


@pytest.mark.exhaustive
def test_a_slip_is_told_while_a_tensor_is_described(desks: OpenDesk) -> None:
    desk = desks().ready()
    desk.source.fill("h = torch.tahn(x @ W9)\nloss = h.mean()")
    desk.page.get_by_role("button", name="add W9").click()
    _, columns = re.findall(r"\d+", desk.field("x", "shape").input_value())
    expect(desk.field("W9", "shape")).to_have_value(re.compile(rf"^\(?{columns}, \d+\)?$"))
    expect(desk.page.locator(".mistake")).to_have_text(["torch", ".", "tahn"])
    expect(desk.page.locator("#complaint")).to_contain_text("Did you mean torch.tanh?")
    expect(desk.page.locator("#complaint a")).to_have_attribute("href", "/reference")
    desk.page.keyboard.press("Control+Enter")
    assert eventually(lambda: desk.selection == "torch.tahn")
    desk.page.keyboard.insert_text("torch.tanh")
    expect(desk.page.locator("#complaint")).to_be_hidden()
    desk.ready()
    desk.walker.complaints.clear()  # Chromium's own word on the walk that was refused


def test_back_and_forward_lead_between_the_form_and_the_walk(desks: OpenDesk) -> None:
    desk = desks().ready()
    desk.walk()
    desk.walker.press("b")
    expect(desk.page).to_have_url(re.compile(r"step=4#"))
    desk.page.go_back()
    expect(desk.page).to_have_url(re.compile(r"step=1#"))
    desk.page.go_back()
    expect(desk.page.locator("#desk")).to_be_visible()
    desk.page.go_forward()
    desk.walking()
    desk.page.reload()
    desk.walking()
    assert desk.walker.count.startswith("1 /")


def test_a_link_does_not_cost_the_draft_that_was_there(desks: OpenDesk) -> None:
    desk = desks().ready()
    expect(desk.page).to_have_url(re.compile("#p="))
    link = desk.page.url
    desk.source.fill("mine = x.sum()")
    expect(desk.page).not_to_have_url(link)
    desk.page.goto("about:blank")
    desk.open(link.removeprefix(desk.walker.base))
    expect(desk.source).to_have_value(re.compile("cross_entropy"))
    expect(desk.page.locator(".notice")).to_contain_text("one Undo away")
    desk.page.locator("#undo").click()
    expect(desk.source).to_have_value("mine = x.sum()")
    desk.page.locator("#redo").click()
    desk.start("Your earlier draft")
    expect(desk.source).to_have_value("mine = x.sum()")


def test_a_link_that_was_cut_off_says_so(desks: OpenDesk) -> None:
    desk = desks("/code#p=nZLBasMwEER")
    expect(desk.page.locator(".notice")).to_contain_text("cut off")
    desk.ready()


def test_an_unreachable_server_loses_no_text(desks: OpenDesk) -> None:
    desk = desks().ready()
    intercept(desk.page, "**/api/check*", lambda route: cut(route))
    desk.source.fill("y = x.mean()")
    expect(desk.page.locator("#complaint")).to_contain_text("The server does not answer")
    expect(desk.source).to_have_value("y = x.mean()")
    desk.page.unroute("**/api/check*")
    desk.page.get_by_role("button", name="try again").click()
    desk.ready()
    desk.walker.complaints.clear()


@pytest.mark.exhaustive
def test_rows_that_nobody_uses_go_together(desks: OpenDesk) -> None:
    desk = desks().ready()
    desk.source.fill("loss = x.sum()")
    expect(desk.page.locator("#missing")).to_contain_text("Not used by the program: y, W1, b1, W2, b2.")
    desk.page.get_by_role("button", name="remove all 5").click()
    expect(desk.rows).to_have_count(1)
    expect(desk.page.locator("#add-tensor")).to_be_focused()
    desk.ready()
    desk.page.keyboard.press("Control+z")
    expect(desk.rows).to_have_count(6)


def test_the_whole_form_by_keyboard(desks: OpenDesk) -> None:
    desk = desks().ready()
    desk.source.focus()
    desk.page.keyboard.press("Tab")
    assert desk.page.evaluate("document.activeElement.closest('.opens') !== null"), "Tab leaves the program"
    desk.page.keyboard.press("Tab")
    assert desk.page.evaluate("document.activeElement.dataset.field") == "name"
    desk.page.locator("#export").focus()
    desk.walker.press("ArrowDown", "ArrowDown", "Escape")
    expect(desk.page.locator("#export-list")).to_be_hidden()
    desk.page.locator("#starts-open").focus()
    desk.walker.press("Enter")
    expect(desk.page.locator(".start").first).to_be_focused()
    desk.walker.press("Tab", "Enter")
    expect(desk.source).to_have_value(re.compile(r"a @ b \+ c"))


@pytest.mark.parametrize("width", [*(pytest.param(w, marks=pytest.mark.exhaustive) for w in (1440, 1180, 768)), 390])
def test_nothing_is_wider_than_the_page(desks: OpenDesk, width: int) -> None:
    desk = desks(width=width, height=844).ready()
    desk.source.fill(LONG)
    expect(desk.page.locator(".offer").first).to_be_visible()
    while desk.page.locator(".offer").count():
        desk.page.locator(".offer").first.click()
    assert desk.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    covered = """() => [...document.querySelectorAll('.line')].some((line, i) => {
      const note = [...document.querySelectorAll('.note')].find((n) => n.offsetTop === line.offsetTop);
      const range = document.createRange();
      range.selectNodeContents(line);
      const right = Math.max(...[...range.getClientRects()].map((r) => r.right));
      return right > document.querySelector('#margin').getBoundingClientRect().left + 10; // a space may hang
    })"""
    assert not desk.page.evaluate(covered), "code runs into the margin"
    lines = "() => [document.querySelector('#source').scrollHeight, document.querySelector('.paper').clientHeight]"
    inner, outer = desk.page.evaluate(lines)
    assert inner <= outer, "the text area and its picture break lines alike"


def paste(desk: Desk, text: str) -> None:
    """Through the clipboard, over what is there."""
    desk.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    desk.source.focus()
    desk.walker.press("Control+a", "Control+v")


def cut(route: Route) -> None:
    route.abort("connectionrefused")


def test_pasted_whole_numbers_are_computed_with_as_decimals(walkers: OpenWalker) -> None:
    desk = Desk(walkers()).open()
    desk.source.fill("h = pixels @ weights\nloss = h.mean()")
    desk.page.get_by_role("button", name="remove all").click()
    desk.page.get_by_role("button", name="add all 2").click()
    desk.field("weights", "shape").fill("3, 1")
    desk.field("pixels", "fill").select_option("values")
    desk.field("pixels", "values").fill("a;b;c\n1;20;3\n4;5;6")
    desk.ready()
    expect(desk.row("pixels").locator(".summary")).to_have_text("1 to 20 · heading skipped")
    desk.field("pixels", "whole").select_option("whole")
    expect(desk.page.locator("#complaint")).to_contain_text("whole numbers")
    desk.field("pixels", "whole").select_option("")
    desk.ready()


@pytest.mark.exhaustive
def test_a_rewritten_name_goes_by_one_name(walkers: OpenWalker) -> None:
    """In the graph, in the code and in the captions: the variable of the line."""
    source = "h = x * 2\nfor i in range(2):\n    h = torch.tanh(h * x)\nloss = h.sum()"
    tensors = {"x": {"role": "parameter", "shape": [3], "init": "randn"}}
    walker = walkers()
    walker.page.goto(walker.base + link({"source": source, "tensors": tensors}, 7))
    expect(walker.page.locator("#transport")).to_be_visible()
    labels = walker.page.locator(".node .label").all_text_contents()
    assert {"h", "h_2", "h_3"} <= set(labels)
    assert "@" not in "".join(labels)
    walker.press("End")
    expect(walker.page.locator("#step-title")).to_contain_text("dx")
    assert "@" not in walker.text("#step")


def test_a_slip_is_mended_by_a_click_and_drawn_numbers_stay_when_they_become_values(desks: OpenDesk) -> None:
    desk = desks().ready()
    written = desk.source.input_value()
    desk.source.fill(written.replace("F.relu(x", "F.rellu(xx").replace("loss", "los", 1))
    desk.page.get_by_role("button", name="write F.relu").click()
    expect(desk.source).to_have_value(re.compile(r"F\.relu\(xx "))
    desk.page.get_by_role("button", name=re.compile("^write x")).click()
    expect(desk.source).to_have_value(written.replace("loss", "los", 1))
    desk.page.keyboard.press("Control+z")  # the browser's own undo knows of it
    expect(desk.source).to_have_value(re.compile(r"F\.relu\(xx "))
    desk.source.fill(written)
    desk.ready()

    desk.field("y", "fill").select_option("values")
    expect(desk.field("y", "values")).to_have_value(re.compile(r"^\[\d(, \d){7}\]$"))
    desk.ready()
    desk.page.get_by_role("button", name="Undo").click()
    expect(desk.field("y", "fill")).to_have_value("randint")
    desk.ready()
    desk.page.locator("#status").get_by_role("button", name="Walk it").click()
    desk.walking()
