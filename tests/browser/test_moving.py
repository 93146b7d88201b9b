"""A number in the hand: what the loss does is what the server finds, and it goes back where it was."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import OpenWalker, Walker, arrived, intercept
from tests.browser.links import link
from tests.tools.server import Server

LESSON = {"lesson": "makemore-mlp"}
W2 = "/?step=33&cell=3,5&of=gradient"


def loss(server: Server, *changes: Any) -> float:
    answer = server.post("/api/walk", {**LESSON, "changes": list(changes), "only": ["h"]}).json()
    return float(answer["loss"]["value"])


def value(tensor: str, index: list[int], to: float) -> dict[str, Any]:
    return {"tensor": tensor, "index": index, "value": to}


def grip_of(walker: Walker) -> Locator:
    return walker.page.locator("#hand .move-grip")


def taken(walker: Walker, path: str = W2) -> Locator:
    """The grip of a number that was opened by the address and taken by key."""
    walker.open(path)
    expect(walker.page.locator("#lens")).to_be_visible()
    walker.press("m")
    grip = grip_of(walker)
    expect(grip).to_be_focused()
    expect(walker.page.locator(".move-words")).to_contain_text("The gradient promises")
    return grip


@pytest.mark.exhaustive
def test_a_late_answer_is_not_told_of_the_number_that_came_after_it(walker: Walker) -> None:
    taken(walker)
    page, words, held = walker.page, walker.page.locator(".move-words"), list[Route]()
    before = words.inner_text()
    intercept(page, "**/api/step", lambda route: held.append(route))
    with page.expect_request("**/api/step"):
        walker.press("ArrowRight")
    walker.press("ArrowRight")
    with page.expect_request("**/api/step"):
        arrived(page, held).continue_()
    walker.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))")
    assert words.inner_text() == before, "its own loss is not known yet"
    arrived(page, held, 1).continue_()
    page.unroute("**/api/step")
    expect(words).to_contain_text("the gradient promised")


def test_the_bars_of_the_example_in_focus_follow_the_hand(walker: Walker, server: Server) -> None:
    """What is offered at the scores is the right letter's own; its probability is the one that the server finds."""

    def share(*changes: Any) -> str:
        told = server.post("/api/walk?arrays=lists", {**LESSON, "changes": list(changes), "only": ["probs"]}).json()
        return f"{100 * told['tensors']['probs'][5][14]:.2g} %"

    walker.open("/walk/makemore-mlp?step=12").press("m")
    words = walker.page.locator(".chances figcaption")
    expect(words).to_have_text(f"zde → n: “n” has {share()}")
    expect(walker.page.locator("#lens")).to_contain_text("logits[5, 14]")
    typed = walker.page.get_by_role("textbox", name="Value")
    typed.fill("4")
    typed.press("Enter")
    expect(words).to_have_text(f"zde → n: “n” had {share()} and has {share(value('logits', [5, 14], 4.0))}")
    assert walker.page.locator(".chance").count() == 27
    assert walker.page.locator(".chance.right b").inner_text() == "n"


def test_keys_move_it_and_the_loss_follows(walker: Walker, server: Server) -> None:
    grip = taken(walker)
    before = float(str(grip.get_attribute("aria-valuenow")))
    span = float(str(grip.get_attribute("aria-valuemax"))) - before
    walker.press("Shift+ArrowRight", "Shift+ArrowRight", "ArrowLeft")
    now = float(str(grip.get_attribute("aria-valuenow")))
    assert abs(now - before - span * 9 / 50) < 2e-4 * span
    words = walker.page.locator(".move-words")
    expect(words).to_contain_text(f"to {now:.4g}:")
    expect(words).not_to_contain_text("…")
    told = re.search(r"loss ([\d.]+) to ([\d.]+); the gradient promised ([\d.]+)\.$", words.inner_text())
    assert told, words.inner_text()
    promise = loss(server) + gradient(server) * (now - before)
    meant = loss(server), loss(server, value("W2", [3, 5], now)), promise
    assert [float(text) for text in told.groups()] == pytest.approx(meant, abs=1e-5)


def gradient(server: Server) -> float:
    told = server.post("/api/curve", {"walk": LESSON, "tensor": "W2", "index": [3, 5]}).json()
    return float(told["slope"])


def test_what_stays_is_in_the_link_and_escape_takes_it_back(walker: Walker) -> None:
    grip = taken(walker)
    walker.press("Home", "Enter")
    least = float(str(grip.get_attribute("aria-valuemin")))
    bar = walker.page.get_by_role("region", name="Changed numbers")
    expect(bar).to_contain_text("W2[3, 5]")
    expect(walker.page).to_have_url(re.compile(r"changes=W2\.3\.5:-"))
    expect(grip_of(walker)).to_be_focused()
    expect(walker.page.locator(".move-words")).to_contain_text("to −0.1", use_inner_text=True)
    assert abs(float(str(grip_of(walker).get_attribute("aria-valuenow"))) - least) < 1e-6
    walker.press("Escape")
    expect(bar).to_be_hidden()
    expect(walker.page.locator(".move-words")).to_contain_text("The gradient promises")
    walker.press("Escape")
    expect(walker.page.locator("#hand")).to_be_hidden()
    expect(walker.page.locator("#lens")).to_be_visible()


@pytest.mark.exhaustive
def test_who_goes_on_at_once_has_moved_it_all_the_same(walker: Walker) -> None:
    grip = taken(walker)
    walker.press("Shift+ArrowRight")
    moved = float(str(grip.get_attribute("aria-valuenow")))
    walker.page.get_by_role("button", name="Close this number").click()
    bar = walker.page.get_by_role("region", name="Changed numbers")
    expect(bar).to_contain_text(f"W2[3, 5] = {moved:.4g}")
    expect(walker.page.locator("#hand")).to_be_hidden()


def test_dragging_by_mouse_ends_where_the_pointer_does(walker: Walker, server: Server) -> None:
    grip = taken(walker)
    box = grip.bounding_box()
    assert box
    sent: list[Any] = []
    walker.page.on("request", lambda request: sent.append(request.url))
    middle = box["y"] + box["height"] / 2
    walker.page.mouse.move(box["x"] + box["width"] / 2, middle)
    walker.page.mouse.down()
    for step in range(1, 21):
        walker.page.mouse.move(box["x"] + box["width"] * (0.5 + step / 50), middle)
    walker.page.mouse.up()
    expect(walker.page.get_by_role("region", name="Changed numbers")).to_be_visible()
    now = float(str(grip_of(walker).get_attribute("aria-valuenow")))
    least, greatest = (float(str(grip_of(walker).get_attribute(f"aria-value{end}"))) for end in ("min", "max"))
    assert abs((now - least) / (greatest - least) - 0.9) < 0.01
    assert 1 <= sum("/api/step" in url for url in sent) <= 22  # the press, twenty moves and the release
    found = loss(server, value("W2", [3, 5], now))
    expect(walker.page.locator(".move-words")).to_contain_text(f"{found:.3f}")


@pytest.mark.exhaustive
def test_a_typed_number_is_taken_and_nonsense_is_not(walker: Walker, server: Server) -> None:
    taken(walker)
    typed = walker.page.get_by_label("Value", exact=True)
    typed.fill("half")
    typed.press("Enter")
    expect(typed).to_have_attribute("aria-invalid", "true")
    typed.fill("−0,5")
    typed.press("Enter")
    expect(walker.page.get_by_role("region", name="Changed numbers")).to_contain_text("W2[3, 5] = −0.5")
    expect(walker.page.locator(".move-words")).to_contain_text(f"{loss(server, value('W2', [3, 5], -0.5)):.4f}")


def test_a_computed_tensor_is_cut_loose_and_says_so(walker: Walker) -> None:
    taken(walker, "/?step=33&cell=3,5&of=value&tensor=h")
    expect(walker.page.locator(".move-note")).to_contain_text("h no longer follows from h = torch.tanh(hpreact)")
    walker.press("End", "Enter")
    expect(walker.page.locator("#heading")).to_contain_text("dW2")
    expect(walker.page.locator('[data-node="h"]').first).to_have_class(re.compile(r"\bplain\b|\binput\b"))
    expect(walker.page.locator("#forward")).not_to_contain_text("torch.tanh")


def test_a_slope_that_the_gradient_does_not_see_is_told_beside_its_promise(walker: Walker) -> None:
    x = {"role": "parameter", "values": [3.0, 2.0]}
    for source, told in (("y = x * x.detach()", "the slope of loss is 6 here."), ("y = x * x", None)):
        program = {"source": f"{source}\nloss = y.sum()", "tensors": {"x": x}}
        taken(walker, link(program, 3, cell="0", of="value", node="x"))
        parting = walker.page.locator(".move-parting")
        expect(parting).to_contain_text(told) if told else expect(parting).to_be_hidden()


@pytest.mark.exhaustive
def test_another_visitor_sees_nothing_of_it(walkers: OpenWalker, server: Server) -> None:
    mine, other = walkers(), walkers()
    taken(mine)
    mine.press("End", "Enter")
    expect(mine.page.get_by_role("region", name="Changed numbers")).to_be_visible()
    other.open("/")
    beginning = other.page.get_by_role("region", name="What this is")
    expect(beginning).to_contain_text(f"{loss(server):.2f}")
    expect(other.page.get_by_role("region", name="Changed numbers")).to_be_hidden()


@pytest.mark.exhaustive
def test_touch(walkers: OpenWalker) -> None:
    walker = walkers(width=390, height=844, has_touch=True)
    walker.open(W2)
    walker.page.get_by_role("button", name="move it").tap()
    grip = grip_of(walker)
    expect(walker.page.locator(".move-words")).to_contain_text("The gradient promises")
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    assert box
    walker.page.touchscreen.tap(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    expect(walker.page.get_by_role("region", name="Changed numbers")).to_contain_text("W2[3, 5]")


def test_what_has_no_gradient_cannot_be_moved(walker: Walker) -> None:
    walker.open("/?step=1&cell=0,0&of=value&tensor=Xb")
    walker.press("m")
    expect(walker.page.locator(".move-trouble")).to_contain_text("Xb gets no gradient")
    walker.page.wait_for_load_state("networkidle")
    walker.complaints.clear()


@pytest.mark.exhaustive
def test_what_was_changed_can_be_kept_as_a_program(walker: Walker) -> None:
    walker.open("/?changes=b2.5:0.125,descend:0.1*2")
    walker.page.get_by_role("button", name="keep as a program").click()
    expect(walker.page.locator("#source")).to_have_value(re.compile("logits = h @ W2"))
    expect(walker.page.locator(".notice")).to_contain_text("This is a copy of")
    walker.page.locator("#walk-it").click()
    expect(walker.page.locator("#step-title")).to_contain_text("emb")
    expect(walker.page.get_by_role("region", name="Changed numbers")).to_be_hidden()
