"""The bar at the foot of a walk, and Space."""

from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker


def test_the_score_keeps_its_width(walkers: OpenWalker, thorough: bool) -> None:
    for width in (1440, 1024, 390) if thorough else (1440,):
        walker = walkers(width=width).open()
        seen = set()
        for _ in range(51):
            seen.add(walker.ask("document.querySelector('.staff').getBoundingClientRect().width"))
            walker.press("ArrowRight")
        assert max(seen) - min(seen) < 0.5, width


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


def test_space_presses_the_button_that_the_keyboard_reached(walker: Walker) -> None:
    walker.open()
    walker.page.locator("#exact").focus()
    walker.press("Tab", "Space")
    expect(walker.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(walker.page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_nothing_is_still_to_come_on_the_last_step(walker: Walker) -> None:
    walker.open().press("End")
    expect(walker.page.locator("#backward-note")).to_have_text("every gradient is there")
    walker.press("ArrowLeft")
    expect(walker.page.locator("#backward-note")).to_have_text("faded: still to come")
