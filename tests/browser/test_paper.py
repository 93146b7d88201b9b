"""A chapter on paper has all that its page has: printed at once, before anybody scrolled, with nothing cut."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from backend.program.lessons import SHELF
from tests.browser.conftest import OpenWalker, until
from tests.browser.reading import SECONDS, Reader

DAILY = "broadcasting"
CHAPTERS = [name if name == DAILY else pytest.param(name, marks=pytest.mark.exhaustive) for name in SHELF.chapters]
MARGINS: Any = dict.fromkeys(("top", "right", "bottom", "left"), "15mm")
# What the page has at the moment at which it was printed: between "beforeprint" and "afterprint" nothing else runs.
NOTED = """addEventListener('afterprint', () => {
  window.onPaper = [...document.querySelectorAll('.block')].map((block) => ({
    id: block.id,
    drawn: block.matches('.is-drawn') && !block.querySelector('[aria-busy=true], .figure-failed'),
    pictures: block.querySelectorAll('canvas, svg').length,
    // a lens lists as many terms as it has room for
    texts: [...block.querySelectorAll('.stage *')].filter((one) => !one.children.length && !one.closest('.terms-box'))
      .map((one) => one.textContent.trim()).filter(Boolean),
  }));
})"""
# What reaches beyond the sheet, and bars and cells that a printer would leave out.
LOOK = """() => {
  const seen = [...document.querySelectorAll('#reading *')].filter((one) =>
    one.checkVisibility() && one.getBoundingClientRect().width && !one.closest('.unseen, .fallback, .offered, svg'));
  const edge = document.querySelector('#reading').getBoundingClientRect().right + 1.5;
  const coloured = seen.filter((one) => one.matches('canvas, .norm-bar, .shape-box'));
  return {
    width: document.querySelector('#reading').getBoundingClientRect().width,
    cut: seen.filter((one) => one.getBoundingClientRect().right > edge).map((one) => one.outerHTML.slice(0, 80)),
    scrolled: seen.filter((one) => one.scrollWidth > one.clientWidth + 1
        && /auto|scroll/.test(getComputedStyle(one).overflowX))
      .map((one) => one.outerHTML.slice(0, 80)),
    bleached: coloured.filter((one) => getComputedStyle(one).printColorAdjust !== 'exact').length,
    partial: [...document.querySelectorAll('.collapse-count')].map((one) => one.textContent),
    unnumbered: seen.filter((one) => one.matches('.choice kbd')
      && !/counter/.test(getComputedStyle(one, '::before').content)).length,
    unruled: [...document.querySelectorAll('.question > .stage')].filter((one) =>
      parseFloat(getComputedStyle(one, '::after').height) < 20).length,
    exercises: document.querySelectorAll('.folded').length,
    folded: [...document.querySelectorAll('.answer-key .of-exercises li')].map((one) => one.innerText.trim()),
    open: seen.filter((one) => one.matches('.folded > :not(summary)')).length,
    answers: seen.filter((one) => one.matches('.answer-key ol:not(.of-exercises) > li')).map((one) => one.innerText),
    questions: document.querySelectorAll('.question').length,
  };
}"""


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_printed_whole_before_anybody_scrolled(walkers: OpenWalker, name: str) -> None:
    walker = walkers()
    walker.page.add_init_script(NOTED)
    reader = Reader(walker, name).open()
    at_once, first = printed(reader)
    assert [one["id"] for one in first if not one["drawn"]] == []
    # on the screen again, and read to its end
    expect(reader.page.locator("body.paper")).to_have_count(0)
    reader.draw()
    later, second = printed(reader)
    assert first == second
    assert pages_of(at_once) == pages_of(later) > 2


def printed(reader: Reader) -> tuple[bytes, Any]:
    pdf = reader.page.pdf(format="A4", margin=MARGINS)
    return pdf, reader.page.evaluate("window.onPaper")


@pytest.mark.parametrize("name", CHAPTERS)
def test_nothing_is_cut_on_a_sheet_and_all_of_it_is_printed(walkers: OpenWalker, name: str) -> None:
    reader = Reader(walkers(), name).open()
    reader.page.emulate_media(media="print")
    busy = reader.page.locator(".block:not(.is-drawn), .block [aria-busy=true]")
    expect(busy).to_have_count(0, timeout=SECONDS)
    sheet = reader.page.evaluate(LOOK)
    assert sheet["width"] <= (210 - 2 * 15) / 25.4 * 96, "between the margins of A4, in pixels"
    assert (sheet["cut"], sheet["scrolled"], sheet["bleached"]) == ([], [], 0)
    assert all(re.fullmatch(r"(\d+) of \1 .*", told) for told in sheet["partial"])
    assert (sheet["unnumbered"], sheet["unruled"]) == (0, 0)
    assert len(sheet["answers"]) == sheet["questions"] > 0
    assert all(re.search(r"\S", answer) for answer in sheet["answers"])
    assert (len(sheet["folded"]), sheet["open"]) == (sheet["exercises"], 0)
    assert all(sheet["folded"])
    expect(reader.page.locator(".answer-key")).to_have_css("break-before", "page")


def test_a_number_on_paper_is_the_one_that_the_key_names(walkers: OpenWalker) -> None:
    reader = Reader(walkers(), DAILY).open().draw()
    key = reader.page.locator(".answer-key ol:not(.of-exercises) > li").all_text_contents()
    for section, told in zip(reader.page.locator(".block.question").all(), key, strict=True):
        right = [one.get_attribute("data-right") is not None for one in section.locator(".offered > li").all()]
        if right:
            assert told.strip().startswith(f"({right.index(True) + 1}) ")
    expect(reader.page.locator(".answer-key")).to_be_hidden()
    expect(reader.page.locator("#contents a", has_text="Answers")).to_have_count(0)
    expect(reader.page.locator("#contents a", has_text="Write every gradient")).to_have_count(1)


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_slide_is_higher_than_its_screen(walkers: OpenWalker, name: str) -> None:
    page = Reader(walkers(width=1280, height=720), name).open().page
    page.keyboard.press("p")
    page.keyboard.press("Home")
    count = page.locator(".slide-count")
    for slide in range(1, int((count.text_content() or "").split("/")[1]) + 1):
        expect(count).to_contain_text(f"{slide} /")
        expect(page.locator(".block.slide:not(.is-drawn), .block.slide [aria-busy=true]")).to_have_count(0)
        until(page, "() => document.documentElement.scrollHeight <= innerHeight")
        assert page.evaluate("[...document.querySelectorAll('.slide')].some((one) => one.innerText.trim())")
        page.keyboard.press("PageDown")
