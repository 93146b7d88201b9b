"""From the clipboard to a walk: what people have is pasted, its table fills itself, and what is walked is shown."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Walker
from tests.browser.desk import Desk

LOSS = """def loss(params, x, y):
    W1, b1, W2, b2 = params
    h = torch.relu(x @ W1 + b1)
    return ((h @ W2 + b2 - y)**2).mean()
"""
CLASS = '''import torch
from torch import nn

class Digits(nn.Module):
    """Two layers."""
    def __init__(self, width=6):
        super().__init__()
        self.fc1 = nn.Linear(12, width)
        self.fc2 = nn.Linear(width, 4)

    def forward(self, x, targets):
        h = torch.relu(self.fc1(x))  # hidden
        print(h.shape)
        return nn.functional.cross_entropy(self.fc2(h), targets)
'''
CELL = """n = 4
x = torch.randn(n, 3)
w1 = torch.randn(3, 5, requires_grad=True)
h = torch.tanh(x @ w1)
print(f"{h.shape}")
loss = F.mse_loss(h @ w2, t)
w1.grad = None
loss.backward()
w1.grad
"""
SETTINGS = """class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.fc = nn.Linear(config.width, 3)
    def forward(self, x):
        return self.fc(x).sum()
"""
NESTED = """class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a = nn.Linear(n, n)
        self.b = nn.Linear(n, n)
    def forward(self, x):
        h = torch.tanh(self.a(x))
        # inside
        h = torch.relu(self.b(h))
        x = x + h
        return x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(5)
        self.second = Block(5)
    def forward(self, x, y):
        # forward
        x = x * 2
        x = self.first(x)
        x = self.second(x)
        # distance
        d = x - y
        return (d**2).mean()
"""
CHAIN = "h = torch.tanh(x @ w1)\no = h @ w2\nloss = F.mse_loss(o, t)"


@pytest.fixture
def desk(walker: Walker) -> Desk:
    walker.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return Desk(walker).open().ready()


def paste(desk: Desk, text: str) -> Desk:
    """Over everything that is there, with the keys that people press."""
    desk.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    desk.source.click()
    desk.page.keyboard.press("Control+a")
    desk.page.keyboard.press("Control+v")
    expect(desk.source).to_have_value(text)
    return desk


@pytest.mark.parametrize("text", [LOSS, CLASS, CELL, CHAIN])
def test_what_is_pasted_is_walked_by_one_key(desk: Desk, text: str) -> None:
    paste(desk, text).ready()
    desk.walk()
    expect(desk.page.locator("#walk .badge.wrong, #walk .verdict .wrong")).to_have_count(0)


def test_the_table_of_an_untouched_example_goes_and_fills_itself(desk: Desk) -> None:
    expect(desk.row("W1")).to_be_visible()
    paste(desk, CHAIN).ready()
    expect(desk.row("W1")).to_have_count(0)
    for name in ("x", "w1", "w2", "t"):
        expect(desk.row(name)).to_contain_text("A guess.")
    expect(desk.field("w2", "shape")).to_have_value("6, 10")


@pytest.mark.exhaustive
def test_what_is_pasted_over_guesses_gets_guesses_of_its_own(desk: Desk) -> None:
    paste(desk, CHAIN).ready()
    desk.field("w1", "scale").fill("0.2")  # what was set by hand stays
    paste(desk, CLASS).ready()
    expect(desk.field("x", "shape")).to_have_value("4, 12")
    for name in ("w2", "t"):
        expect(desk.row(name)).to_have_count(0)
    expect(desk.page.locator("#missing")).to_contain_text("Not used by the program: w1.")


def test_one_undo_brings_program_and_table_back(desk: Desk) -> None:
    before = desk.source.input_value()
    paste(desk, CHAIN).ready()
    expect(desk.row("w1")).to_be_visible()
    desk.page.get_by_role("button", name="Undo", exact=True).click()
    expect(desk.source).to_have_value(before)
    expect(desk.row("W1")).to_be_visible()
    expect(desk.row("w1")).to_have_count(0)


def test_a_guessed_size_is_changed_in_one_place(desk: Desk) -> None:
    paste(desk, CHAIN).ready()
    size = desk.page.get_by_label("Size H")
    size.fill("7")
    size.press("Enter")
    expect(desk.field("w1", "shape")).to_have_value("8, 7")
    expect(desk.field("w2", "shape")).to_have_value("7, 10")
    desk.ready()


def test_what_is_walked_stands_beside_it_with_its_notes(desk: Desk) -> None:
    paste(desk, CLASS).ready()
    walked = desk.page.get_by_role("region", name="What is walked").first
    expect(walked).to_contain_text("h = torch.relu(fc1)")
    expect(walked).to_contain_text("dropped")
    expect(desk.page.locator("#made")).to_contain_text("fc1.weight")
    walked.get_by_role("button", name=re.compile("Leave line 13 as it is written")).click()
    expect(desk.status).to_contain_text("Line 13 is not ready to walk.")
    desk.page.get_by_role("button", name="rewrite again").click()
    desk.ready()


def test_a_setting_that_was_guessed_is_one_of_the_program(desk: Desk) -> None:
    paste(desk, SETTINGS).ready()
    expect(desk.row("width")).to_be_visible()
    expect(desk.page.locator("#missing")).to_be_hidden()
    expect(desk.page.locator(".walked .note .shape").first).to_be_visible()


def test_a_class_is_a_box_of_the_graph_and_its_weights_have_their_own_names(desk: Desk) -> None:
    paste(desk, NESTED).ready()
    desk.walk()
    boxes = desk.page.locator(".box .box-name")
    expect(boxes).to_have_text(["forward", "first · Block", "second · Block", "distance"])
    expect(desk.page.locator(".box").nth(1).locator(".given")).to_have_text(
        ["a.weight", "a.bias", "b.weight", "b.bias"]
    )
    desk.page.locator(".box-face").nth(1).click()
    desk.walker.press("Enter")
    expect(desk.page.locator(".node:visible .label").get_by_text("a.weight", exact=True)).to_be_visible()
    expect(desk.page.locator(".node[data-node=first_a_weight]")).to_have_attribute("title", "first.a.weight (5, 5)")


@pytest.mark.exhaustive
def test_what_is_walked_can_be_edited_instead(desk: Desk) -> None:
    paste(desk, CELL).ready()
    desk.page.get_by_role("button", name="edit this instead").click()
    expect(desk.source).to_have_value(re.compile(r"^h = torch\.tanh\(x @ w1\)"))
    expect(desk.page.locator("#difference")).to_contain_text("loss.backward()")
    desk.ready()
    desk.page.locator("#difference").get_by_role("button", name="Undo").click()
    expect(desk.source).to_have_value(CELL)


def test_names_that_are_no_tensors_are_never_offered(desk: Desk) -> None:
    paste(desk, CELL).ready()
    missing = desk.page.locator("#missing")
    for name in ("self", "f", "print", "config", "assert"):
        expect(missing.get_by_text(f"add {name}", exact=True)).to_have_count(0)
        expect(desk.row(name)).to_have_count(0)


def test_one_button_makes_all_sure_changes(desk: Desk) -> None:
    paste(desk, "h = torch.tahn(x)\nz = torch.log_sofmax(h, 1)\nloss = z.sum()")
    desk.page.get_by_role("button", name="make it walk: 2 changes").click()
    expect(desk.source).to_have_value("h = torch.tanh(x)\nz = torch.log_softmax(h, 1)\nloss = z.sum()")
    expect(desk.page.locator("#difference")).to_contain_text("torch.tahn")
    desk.ready()
    desk.page.keyboard.press("Control+z")
    expect(desk.source).to_have_value(re.compile("torch.tahn"))


def test_it_fits_a_phone(walker: Walker) -> None:
    page: Page = walker.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    paste(Desk(walker).open().ready(), CLASS).ready()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_pasted_class_is_dragged_practised_and_trained_from_its_own_page(desk: Desk) -> None:
    paste(desk, CLASS).ready()
    page = desk.page
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator("#train[aria-busy=false]")).to_be_visible()
    page.keyboard.press("Shift+S")
    expect(page.locator("#stand")).to_contain_text("step 10 of")
    names = [re.compile(rf"^{name}_{kind} \(") for name in ("fc1", "fc2") for kind in ("weight", "bias")]
    expect(page.locator("#parameters tbody th")).to_have_text(names)
    page.keyboard.press("c")
    expect(page.locator("#parameters .verdict .badge")).to_have_count(len(names))
    expect(page.locator("#parameters .verdict .level-wrong")).to_have_count(0)

    page.go_back()
    desk.ready()
    page.get_by_role("button", name="Practise", exact=True).click()
    bias = page.locator(".blank[data-task=dfc2_bias]")
    bias.click()
    bias.locator("textarea").fill("torch.ones(4)")
    bias.locator("textarea").press("Enter")
    expect(bias).to_contain_text("The upstream gradient dfc2 is missing.")
    expect(page.locator(".blank")).to_have_count(8)

    page.go_back()
    desk.ready().walk()
    desk.walker.press("m")
    grip = page.locator("#hand .move-grip").first
    expect(grip).to_be_focused()
    before = float(str(grip.get_attribute("aria-valuenow")))
    words = page.locator(".move-words")
    expect(words).to_contain_text("The gradient promises")
    grip.press("Shift+ArrowRight")
    expect(words).to_contain_text("the gradient promised")
    told = re.search(r"^(fc[12]_weight\[\d+, \d+\]) from .* loss ([\d.]+) to ([\d.]+)", words.inner_text())
    assert told, words.inner_text()
    assert told[2] != told[3]
    assert float(str(grip.get_attribute("aria-valuenow"))) > before
