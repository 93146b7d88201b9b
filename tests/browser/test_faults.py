"""Several faults of a program at once, and tensors that it lacks: marked, walked by keyboard, mended, offered."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Walker
from tests.browser.desk import Desk

FAULTS = """\
h = torch.tahn(x @ W1 + b1)
z = x @ x
q = (x @ W1
logits = hh @ W2 + b2
loss = F.cross_entropy(logits * bias, y)"""


@pytest.fixture
def desk(walker: Walker) -> Desk:
    """The page "Your code" with the program of a first visit."""
    return Desk(walker).open().ready()


def test_every_fault_is_marked_walked_by_keyboard_and_mended(desk: Desk) -> None:
    page, complaint = desk.page, desk.page.locator("#complaint")
    desk.source.fill(FAULTS)
    listed, shown = complaint.locator(".fault code"), complaint.locator("[aria-current] code")
    expect(listed).to_have_text(["torch.tahn", "x @ x", "(", "hh", "bias"])
    marked = ["torch", ".", "tahn", "x", " ", "@", " ", "x", "(", "hh", "bias"]  # piece by piece, as code is coloured
    expect(page.locator(".mistake")).to_have_text(marked)
    expect(desk.status).to_contain_text("5 faults, in lines 1, 2, 3, 4 and 5. Fault 1, line 1: There is no operation")
    expect(page.locator("#missing [data-name]")).to_have_text(["add bias (5,)"])  # hh is a slip, and logits is made

    # F8 from one to the next and round, Shift F8 back, arrows in the list; what is told is what is marked
    desk.source.focus()
    for key, text in (("F8", "torch.tahn"), ("F8", "x @ x"), ("Shift+F8", "torch.tahn"), ("Shift+F8", "bias")):
        page.keyboard.press(key)
        expect(shown).to_have_text(text)
        assert "".join(page.locator(".mistake.shown").all_inner_texts()) == text
        assert desk.selection == text
    expect(desk.status).to_contain_text("Fault 5, line 5: bias isn't defined yet.")
    complaint.locator("[aria-current]").focus()
    page.keyboard.press("ArrowUp")
    expect(complaint.locator(".says")).to_contain_text("hh isn't defined yet")
    expect(complaint.locator("[aria-current]")).to_be_focused()
    expect(page.get_by_role("list", name="5 faults").get_by_role("button")).to_have_count(5)

    # the caret tells the fault it is put on; the button mends that one, and the others stay
    desk.source.press("Control+Home")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(complaint).to_contain_text("fault 1 of 5")
    page.get_by_role("button", name="write torch.tanh").click()
    expect(listed).to_have_text(["x @ x", "(", "hh", "bias"])
    expect(desk.source).to_have_value(FAULTS.replace("tahn", "tanh"))


def test_a_missing_tensor_is_offered_with_what_its_use_tells(desk: Desk) -> None:
    page, missing = desk.page, desk.page.locator("#missing")
    desk.row("W1").locator(".drop").click()
    offer = missing.locator("[data-name=W1]")
    expect(offer).to_have_text("add W1 (6, 10)")
    expect(missing).to_contain_text("Only (6, 10) fits: 6 for x @ W1 and 10 for x @ W1 + b1.")
    expect(page.locator("#complaint")).to_contain_text("Only (6, 10) fits")
    page.locator("#complaint").get_by_role("button", name="add W1 (6, 10)").click()
    expect(desk.field("W1", "shape")).to_have_value("6, 10")
    desk.ready()

    # classes have their range; a row that is there and empty takes its shape by a button, and not by itself
    desk.row("y").locator(".drop").click()
    expect(missing.locator("[data-name=y]")).to_have_text("add y (8,)")
    missing.locator("[data-name=y]").click()
    for field, value in (("fill", "randint"), ("shape", "8"), ("high", "4"), ("role", "target")):
        expect(desk.field("y", field)).to_have_value(value)
    desk.ready()
    desk.field("W2", "shape").fill("")
    expect(desk.row("W2")).to_contain_text("Only (10, 4) fits")
    expect(page.locator("#margin .shape")).to_have_text(["(8, 10)"])  # the lines that need no W2
    expect(desk.field("W2", "shape")).to_have_value("")
    desk.row("W2").get_by_role("button", name="make it (10, 4)").click()
    expect(desk.field("W2", "shape")).to_have_value("10, 4")
    desk.ready()

    # what the program leaves open is said, and one shape that fits is offered
    desk.source.fill("h = x @ Wq\nloss = h.mean()")
    expect(missing).to_contain_text("(6,) or (6, n) or (n, 6, m) would fit")
    expect(missing.locator("[data-name=Wq]")).to_have_text("add Wq (6, 6)")
