"""The bar at the foot of a walk, and Space."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker


@pytest.fixture
def walker(moving: Walker) -> Walker:
    """Steps move here, as they do for most visitors."""
    return moving


@pytest.mark.exhaustive
def test_space_plays_after_a_click_on_any_button(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25").press("1")
    for button in ("#theme", "#exact", ".node[data-node=h]", "#backward .row[data-line='7']"):
        walker.page.locator(button).click()
        expect(walker.page.locator("#walk")).to_have_attribute("aria-busy", "false")
        looks = walker.ask("[document.documentElement.dataset.theme, document.querySelector('#exact').ariaChecked]")
        walker.press("Space")
        expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Pause")
        assert looks == walker.ask(
            "[document.documentElement.dataset.theme, document.querySelector('#exact').ariaChecked]"
        )
        walker.press("Space")
        expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Play")


@pytest.mark.exhaustive
def test_space_presses_the_button_that_the_keyboard_reached(walker: Walker) -> None:
    walker.open()
    walker.page.locator("#exact").focus()
    walker.press("Tab", "Space")
    expect(walker.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Play")


@pytest.mark.exhaustive
def test_nothing_is_still_to_come_on_the_last_step(walker: Walker) -> None:
    walker.open().press("End")
    expect(walker.page.locator("#backward-note")).to_have_text("every gradient is there")
    walker.press("ArrowLeft")
    expect(walker.page.locator("#backward-note")).to_have_text("faded: still to come")


WORDS = """() => ['heading', 'picture', 'reason'].flatMap((id) => document.getElementById(id).innerText.split(/\\s+/))
  .filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length"""


def paused(walker: Walker, path: str) -> Walker:
    """A page on which time passes only when it is told to, once all that it asks for is there."""
    walker.page.clock.install()
    walker.open(path)
    # what pieces a step has, arrives after the walk and is a word to read
    expect(walker.page.locator("#picture").get_by_role("button", name="collapse")).to_be_visible()
    walker.page.clock.pause_at(walker.ask("Date.now() + 5000"))
    return walker


def pass_time(walker: Walker, seconds: float) -> None:
    walker.page.clock.run_for(round(1000 * seconds))


def at_step(walker: Walker) -> int:
    return int(walker.count.split(" ")[0])


def test_playing_waits_as_long_as_the_words_need(walker: Walker) -> None:
    paused(walker, "/walk/makemore-mlp?step=24").press("Space")
    pass_time(walker, 2.05)
    seen = set()
    for step in (25, 26, 27):
        words = int(walker.ask(WORDS))
        seen.add(words)
        reading = max(2.8, 60 * words / 230)
        pass_time(walker, reading - 0.2)
        assert at_step(walker) == step, words
        pass_time(walker, 0.25)
        assert at_step(walker) == step + 1, words
    assert len(seen) > 1
    assert max(seen) > 40, "so many words, and the step stays for ten seconds"
    walker.press("1")
    pass_time(walker, 2 * 60 * int(walker.ask(WORDS)) / 230 - 0.2)
    assert at_step(walker) == 28
    pass_time(walker, 0.25)
    assert at_step(walker) == 29


FILLED = """() => document.querySelector('#scrubber .now').getAnimations()
  .map((one) => one.effect.getComputedTiming().duration)"""


def test_while_it_plays_it_says_so_and_the_step_s_cell_fills(walker: Walker) -> None:
    paused(walker, "/walk/makemore-mlp?step=24")
    hint = walker.page.locator("#hint > :not([data-away])")
    expect(hint).to_have_text("← → step · Space plays · ? keys")
    walker.press("Space")
    expect(hint).to_have_text("playing · Space stops")
    assert walker.ask(FILLED) == [2000], "who plays it has looked at this step already"
    pass_time(walker, 1.9)
    assert at_step(walker) == 24
    pass_time(walker, 0.2)
    assert at_step(walker) == 25
    [stays] = walker.ask(FILLED)
    assert stays > 2800, "a step that comes by itself has its whole time"
    walker.press("Space")
    expect(hint).to_have_text("← → step · Space plays · ? keys")
    assert walker.ask(FILLED) == []


def test_where_nothing_is_to_move_the_cell_keeps_still_and_the_words_are_there(walkers: OpenWalker) -> None:
    walker = walkers().open("/walk/first-steps").press("Space")
    expect(walker.page.locator("#hint > :not([data-away])")).to_have_text("playing · Space stops")
    assert walker.ask(FILLED) == []


def test_the_speed_is_chosen_in_words(walker: Walker) -> None:
    walker.open()
    speed = walker.page.get_by_label("speed")
    speed.select_option("4 · to skim")
    walker.press("6")
    expect(speed).to_have_value("6")
    assert speed.evaluate("(one) => one.selectedOptions[0].textContent") == "6 · headings only"
    box = speed.bounding_box()
    assert box is not None
    speed.evaluate("(one) => one.dispatchEvent(new Event('pointerdown', { bubbles: true }))")
    speed.focus()
    speed.select_option("2")
    walker.press("ArrowRight")
    assert at_step(walker) == 2, "the next key is for the walk"
    expect(speed).to_have_value("2")


@pytest.mark.exhaustive
def test_a_block_that_was_chosen_is_no_open_number_and_holds_nothing(walker: Walker) -> None:
    walker.page.clock.install()
    walker.open("/walk/makemore-mlp?step=33&view=jacobian")
    walker.page.get_by_role("button", name="the next block").click()
    walker.page.clock.pause_at(walker.ask("Date.now() + 5000"))
    walker.page.locator("#step").focus()
    walker.press("9", "Space")
    pass_time(walker, 3)
    assert at_step(walker) > 33


A_WHILE = 6  # seconds, of which three are enough for a step at the highest speed


def test_playing_stands_still_while_a_number_is_open_something_is_held_or_nobody_looks(walker: Walker) -> None:
    paused(walker, "/walk/makemore-mlp?step=41").press("9", "Space", "l")
    expect(walker.page.locator("#lens")).to_be_visible()
    pass_time(walker, A_WHILE)
    assert at_step(walker) == 41
    expect(walker.page.locator("#hint")).to_contain_text("waits while a number is open")
    expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Pause")
    walker.press("Escape")
    pass_time(walker, 3)
    moved = at_step(walker)
    assert moved > 41
    walker.page.locator("#heading h1").hover()
    walker.page.mouse.down()
    pass_time(walker, A_WHILE)
    assert at_step(walker) == moved
    walker.page.mouse.up()
    walker.ask("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })")
    walker.ask("document.dispatchEvent(new Event('visibilitychange'))")
    pass_time(walker, A_WHILE)
    assert at_step(walker) == moved
    walker.ask("delete document.hidden")
    walker.ask("document.dispatchEvent(new Event('visibilitychange'))")
    walker.press("?")
    pass_time(walker, A_WHILE)
    assert at_step(walker) == moved, "no step is taken behind a dialog"
    walker.press("Escape")
    pass_time(walker, 30)
    assert at_step(walker) == 51
    expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Play")


PREVIEW = """() => {
  const box = document.querySelector('.preview');
  const { left, right, top, bottom } = box.getBoundingClientRect();
  return { shown: box.checkVisibility(), words: box.innerText, left, right, top, bottom,
    cells: box.querySelector('canvas') && [box.querySelector('canvas').width, box.querySelector('canvas').height] };
}"""


def tick(walker: Walker, step: int) -> tuple[float, float]:
    """The middle of a step's tick."""
    box = walker.page.locator(f".tick[data-step='{step - 1}']").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def previewed(walker: Walker, step: int, words: str) -> dict[str, Any]:
    """What is seen where the pointer is on a step's tick, of which these words are said."""
    walker.page.mouse.move(*tick(walker, step))
    expect(walker.page.locator(".preview")).to_contain_text(words)
    return dict(walker.ask(PREVIEW))


def test_pointing_at_the_score_shows_the_step_at_once(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=30")
    seen = previewed(walker, 25, "Backward, step 25 of 51")
    assert seen["shown"]
    assert all(words in seen["words"] for words in ("dcounts_sum_inv (32, 1)", "Backward, step 25 of 51", "exact"))
    assert seen["cells"] == [1, 32]
    previewed(walker, 30, "true zero")
    assert "hprebn (32, 64)" in previewed(walker, 3, "Forward, step 3 of 51")["words"]
    later = previewed(walker, 31, "not yet computed")  # what is still to come is not told
    assert later["cells"] is None
    assert walker.ask("document.querySelectorAll('.staff [title]').length") == 0
    walker.page.mouse.move(600, 300)
    expect(walker.page.locator(".preview")).to_be_hidden()
    assert walker.count.startswith("30 /"), "pointing goes nowhere"


def test_the_keyboard_shows_it_too_and_says_how_the_gradient_came_out(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=24")
    slider = walker.page.get_by_role("slider", name="Step of the walk")
    walker.page.get_by_label("speed").focus()
    walker.press("Tab")
    expect(slider).to_be_focused()
    preview = walker.page.locator(".preview")
    expect(preview).to_contain_text("dcounts (32, 27)", use_inner_text=True)
    walker.press("ArrowRight")
    expect(preview).to_contain_text("dcounts_sum_inv", use_inner_text=True)
    expect(slider).to_have_attribute("aria-valuetext", "Backward, step 25 of 51, gradient of counts_sum_inv, exact")
    walker.press("Tab")
    expect(preview).to_be_hidden()


def test_a_predicted_step_keeps_its_verdict_to_itself(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=25&predict=1")
    expect(walker.page.locator(".question")).to_be_visible()
    seen = previewed(walker, 25, "not yet computed")
    assert seen["cells"] is None
    assert "(32, 1)" not in seen["words"], "its shape may be the question"


@pytest.mark.exhaustive
def test_the_preview_stays_in_the_window_under_a_finger_too(walkers: OpenWalker) -> None:
    walker = walkers(width=390, height=844, has_touch=True).open("/walk/makemore-mlp?step=51")
    touch = walker.page.context.new_cdp_session(walker.page)
    for kind, step in (("touchStart", 1), ("touchMove", 26), ("touchMove", 51)):
        x, y = tick(walker, step)
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        expect(walker.page.locator(".preview")).to_contain_text(f"step {step} of")
        seen = walker.ask(PREVIEW)
        assert (seen["shown"], at_step(walker)) == (True, step)
        assert seen["left"] >= 0
        assert seen["right"] <= 390
        assert seen["top"] >= 0
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(walker.page.locator(".preview")).to_be_hidden()
