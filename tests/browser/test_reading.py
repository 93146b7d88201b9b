"""Chapters as they are read: figures that live, questions answered right and wrong, numbers dragged, no text cut."""

import pytest
from playwright.sync_api import expect

from backend.program.lessons import SHELF
from tests.browser.conftest import OpenWalker
from tests.browser.reading import Reader
from tests.support.looking import findings_in_both_themes
from tests.tools.server import Server

DAILY = "broadcasting"
CHAPTERS = [name if name == DAILY else pytest.param(name, marks=pytest.mark.exhaustive) for name in SHELF.chapters]
WIDTHS = [(390, 844), (768, 1024), (1280, 720), (1440, 900), (1920, 1080)]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_read_answered_and_dragged(walkers: OpenWalker, server: Server, name: str) -> None:
    reader = Reader(walkers(reduced_motion="reduce"), name).open().draw()
    asked = reader.choose() + reader.type_answers() + reader.write_lines(server)
    assert reader.drag() == reader.page.locator(".block.touch").count()
    assert asked == reader.page.locator(".block.question").count()
    expect(reader.page.locator(".contents-count")).to_have_text(f"{asked} of {asked} questions")
    assert findings_in_both_themes(reader.walker) == []
    assert reader.beyond() == []
    # what was done is remembered
    reader.page.reload()
    expect(reader.page.locator(".contents-count")).to_have_text(f"{asked} of {asked} questions")


@pytest.mark.parametrize("name", CHAPTERS)
def test_nothing_reaches_beyond_the_column(walkers: OpenWalker, thorough: bool, name: str) -> None:
    reader = Reader(walkers(*WIDTHS[0], reduced_motion="reduce", has_touch=True), name).open().draw()
    for width, height in WIDTHS if thorough else WIDTHS[:2]:
        reader.page.set_viewport_size({"width": width, "height": height})
        expect(reader.page.locator("#companion")).to_be_visible(visible=width >= 1200)
        assert reader.beyond() == [], width
