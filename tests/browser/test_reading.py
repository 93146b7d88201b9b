"""Chapters as they are read: figures that live, questions answered right and wrong, numbers dragged, no text cut."""

import re

import pytest
from playwright.sync_api import expect

from backend.program.lessons import SHELF
from tests.browser.conftest import OpenWalker, Walker, intercept
from tests.browser.reading import SECONDS, Reader
from tests.support.looking import findings_in_both_themes
from tests.tools.server import Server

DAILY = "broadcasting"
CHAPTERS = [name if name == DAILY else pytest.param(name, marks=pytest.mark.exhaustive) for name in SHELF.chapters]
WIDTHS = [(390, 844), (768, 1024), (1280, 720), (1440, 900), (1920, 1080)]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_read_answered_and_dragged(walkers: OpenWalker, server: Server, name: str) -> None:
    reader = Reader(walkers(reduced_motion="reduce"), name).open().draw()
    veiled = reader.page.locator("#companion .row.veiled")
    lines = reader.page.locator('.block[data-kind=write][data-program=""]')
    if lines.count():
        lines.first.scroll_into_view_if_needed()  # at the top the program of another figure may be shown
        expect(veiled, "the program beside the text keeps to itself what is to be written").not_to_have_count(0)
    waits = reader.page.locator(".block.is-waiting")
    for figure in waits.all():
        expect(figure.locator("> .stage, > .caption, > .fallback").filter(visible=True)).to_have_count(0)
    asked = reader.choose() + reader.type_answers() + reader.write_lines(server)
    expect(veiled).to_have_count(0)
    expect(waits, "every question is answered").to_have_count(0)
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
    """Neither what stands there before the figures are drawn, nor the figures, nor what is said of an answer."""
    walker = walkers(*WIDTHS[0], reduced_motion="reduce", has_touch=True)
    intercept(walker.page, "**/api/walk*", lambda _: None)
    reader = Reader(walker, name).open()
    widths = WIDTHS if thorough else WIDTHS[:3]
    see(reader, widths)
    walker.page.unroute("**/api/walk*")  # lets go of those that it held, too
    reader.draw()
    see(reader, widths)
    expect(reader.page.locator("#companion")).to_be_visible(visible=widths[-1][0] >= 1200)
    reader.page.set_viewport_size({"width": WIDTHS[0][0], "height": WIDTHS[0][1]})
    reader.choose()
    see(reader, widths)


def see(reader: Reader, widths: list[tuple[int, int]]) -> None:
    for width, height in widths:
        reader.page.set_viewport_size({"width": width, "height": height})
        assert reader.beyond() == [], width


def test_the_program_beside_the_text_gives_no_answer_away_and_claims_nothing(walker: Walker) -> None:
    """Whatever is asked is veiled there until it is answered, and no line is ticked before it was shown."""
    page = Reader(walker, DAILY).open().page
    backward = page.locator("#companion .backward-listing .row")
    expect(backward).to_have_count(5, timeout=SECONDS)
    ticked = page.locator("#companion .gutter", has_text=re.compile("[✓✕≈]"))
    expect(ticked).to_have_count(0)
    asked = page.locator('.block.question[data-kind=axis][data-program=""]')
    for section in asked.all():
        name = section.get_attribute("data-argument")
        row = backward.filter(has=page.locator(".left", has_text=re.compile(rf"^d{name}\b")))
        expect(row).to_have_class(re.compile("veiled"))
        section.scroll_into_view_if_needed()
        expect(section).to_have_class(re.compile("is-drawn"), timeout=SECONDS)
        right = [item.get_attribute("data-right") is not None for item in section.locator(".offered > li").all()]
        section.locator("button.choice").nth(right.index(True)).click()
        expect(section).to_have_attribute("data-outcome", "right")
    for section in page.locator('.block.question:not([data-kind=axis])[data-program=""]').all():
        assert section.get_attribute("data-outcome") != "right"
    kept = page.locator('.block[data-kind=write][data-program=""]').first.get_attribute("data-argument")
    row = backward.filter(has=page.locator(".left", has_text=re.compile(rf"^{kept}\b")))
    expect(row).to_have_class(re.compile("veiled"))


def test_a_figure_that_answers_a_question_waits_for_it(walkers: OpenWalker) -> None:
    """In sight it says so; it comes with the answer, goes as the question is asked again, or is shown at once."""
    page = walkers(reduced_motion="reduce").open("/learn/why-by-hand").page
    question, figure = page.locator("#predict-column-diff"), page.locator("#step-column-forward-diff")
    caption = figure.locator("> .caption")
    question.scroll_into_view_if_needed()
    expect(question).to_have_class(re.compile("is-drawn"), timeout=SECONDS)
    expect(figure).to_have_class(re.compile("is-drawn"), timeout=SECONDS)
    expect(figure.get_by_text("it waits for yours")).to_be_visible()
    expect(caption).to_be_hidden()
    question.locator("button.choice").first.click()
    expect(question.locator(".outcome")).to_have_text("Not yet.")
    expect(caption).to_be_hidden()
    question.get_by_role("button", name="show the answer").click()
    expect(caption).to_be_visible()
    question.get_by_role("button", name="try it again").click()
    expect(caption).to_be_hidden()
    figure.get_by_role("button", name="show it now").press("Enter")
    expect(caption).to_be_visible()
    expect(figure.locator(":focus")).to_have_count(1)
    expect(question).to_have_attribute("data-outcome", "")


def test_pictures_of_one_quantity_have_one_scale(walkers: OpenWalker) -> None:
    page = walkers(reduced_motion="reduce").open("/learn/why-by-hand").page
    for name in ("column", "repaired"):
        figure = page.locator(f"#tensor-{name}-dpred")
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".sheet-axes")).to_contain_text("the same scale in each", timeout=SECONDS)


def test_a_figure_opens_in_the_walk_and_the_walk_leads_back(walker: Walker) -> None:
    reader = Reader(walker, DAILY).open()
    figure = reader.page.locator(".block[data-kind=cell]").first
    figure.scroll_into_view_if_needed()
    link = figure.get_by_role("link", name="Open in the walk")
    expect(link).to_be_visible(timeout=SECONDS)
    opened = figure.locator(".lens-name").text_content()
    link.click()
    expect(reader.page.locator("#lens .lens-name")).to_have_text(opened or "", timeout=SECONDS)
    reader.page.reload()
    reader.page.get_by_role("link", name="Back to the chapter").click()
    expect(reader.page.locator(":target")).to_have_attribute("data-kind", "cell")
    expect(reader.page.locator(":target")).to_be_in_viewport()
    reader.page.get_by_role("link", name="from the loss back").click()
    expect(reader.page.locator("#practise")).to_have_attribute("aria-busy", "false", timeout=SECONDS)
    reader.page.get_by_role("link", name="Back to the chapter").click()
    expect(reader.page.locator("#exercises-title")).to_be_in_viewport()
    # another walk was not opened from there
    walker.open("/walk/first-steps")
    expect(reader.page.get_by_role("link", name="Back to the chapter")).to_have_count(0)


def test_where_a_link_leads_stays_in_sight_while_figures_are_drawn(walker: Walker) -> None:
    """A browser without scroll anchoring loses it as soon as something above becomes taller."""
    reader = Reader(walker, DAILY)
    walker.page.goto(f"{walker.base}/learn/{DAILY}#exercises")
    title = reader.page.locator("#exercises-title")
    expect(title).to_be_in_viewport()
    walker.ask("document.documentElement.style.overflowAnchor = document.body.style.overflowAnchor = 'none'")
    walker.ask("document.querySelector('.block').style.minHeight = '3000px'")
    expect(title).to_be_in_viewport()
    walker.press("Home")
    expect(title).not_to_be_in_viewport()
    walker.ask("document.querySelector('.block').style.minHeight = '4000px'")
    expect(title, "the reader has moved").not_to_be_in_viewport()


def test_a_number_that_is_dragged_moves_figures_and_text_and_a_projector_shows_one_part(walker: Walker) -> None:
    reader = Reader(walker, DAILY).open()
    page = reader.page
    grip = page.locator(".block.touch .move-grip").first
    page.locator(".block.touch").first.scroll_into_view_if_needed()
    expect(grip).to_have_attribute("aria-valuemax", re.compile(r"\d"), timeout=SECONDS)
    box = grip.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 40, steps=4)
    expect(page.locator(".prose .value.moved").first).to_be_visible(timeout=SECONDS)
    assert "step" in asked
    assert "walk" not in asked, "on its way only what is in sight is asked for"
    page.mouse.up()
    stays = float(grip.get_attribute("aria-valuenow") or "")
    told = re.compile(rf"^−?{abs(stays):.3g}$")
    expect(page.locator(".prose .value.moved").first).to_have_text(told, timeout=SECONDS)
    page.get_by_role("button", name=re.compile("^put .* back$")).first.click()
    expect(page.locator(".prose .value.moved")).to_have_count(0, timeout=SECONDS)
    page.keyboard.press("p")
    parts = page.locator(".reading > *")
    expect(page.locator(".reading > .slide").first).to_be_visible()
    walker.press("Home")
    expect(page.locator("#chapter-title")).to_be_visible()
    assert sum(part.is_visible() for part in parts.all()) == 1
    walker.press("PageDown", ".")
    expect(page.locator("#chapter-title")).to_be_hidden()
    expect(page.locator(".black")).to_be_visible()
    walker.press("PageDown", "Escape")
    expect(page.locator(".black")).to_be_hidden()
    expect(page.locator("#chapter-title")).to_be_visible()


def test_the_path_shows_how_far_one_is_and_storage_may_be_forbidden(walkers: OpenWalker) -> None:
    walker = walkers()
    reader = Reader(walker, "first-steps").open()
    section = reader.page.locator(".block.question").first
    section.scroll_into_view_if_needed()
    section.locator("button.choice").first.click(timeout=SECONDS)
    section.get_by_role("button", name="show the answer").or_(
        section.get_by_role("button", name="try it again")
    ).click()
    walker.page.goto(walker.base + "/learn")
    expect(walker.page.locator("#path [data-chapter=first-steps] .progress")).to_have_text(re.compile(r"\d+ % read"))
    walker.page.get_by_role("link", name=re.compile("^Continue")).click()
    expect(walker.page.locator("#chapter")).to_have_attribute("data-chapter", "first-steps")
    forbidden = walkers()
    script = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    forbidden.page.add_init_script(script)
    other = Reader(forbidden, "first-steps").open()
    section = other.page.locator(".block.question").first
    section.scroll_into_view_if_needed()
    section.locator("button.choice").first.click(timeout=SECONDS)
    expect(section.locator(".answer-says")).to_have_text(re.compile(r"\w"))


def test_a_number_is_dragged_from_where_to_where_the_chapter_says(walkers: OpenWalker) -> None:
    page = walkers(reduced_motion="reduce").open("/learn/train-by-hand").page
    drag = page.locator("#drag-noisy-lr")
    drag.scroll_into_view_if_needed()
    grip = drag.locator(".move-grip")
    expect(grip).to_have_attribute("aria-valuemin", "0.03", timeout=SECONDS)
    expect(grip).to_have_attribute("aria-valuemax", "1")
    expect(drag.locator(".move-ends")).to_contain_text("lr, log axis")
    grip.press("Home")
    expect(drag.locator(".move-words")).to_contain_text("from 0.5 to 0.03", timeout=SECONDS)
    grip.press("ArrowLeft")
    expect(grip).to_have_attribute("aria-valuenow", "0.03")


def test_the_curve_is_called_what_the_program_calls_it(walkers: OpenWalker) -> None:
    """The program of the first chapter has no loss."""
    page = walkers(reduced_motion="reduce").open("/learn/first-steps").page
    drag = page.locator("#drag-x")
    drag.scroll_into_view_if_needed()
    expect(drag.locator(".move-key .is-curve")).to_have_text("z", timeout=SECONDS)


@pytest.mark.exhaustive
def test_a_slider_begins_at_the_scale_that_the_chapter_names(walkers: OpenWalker) -> None:
    page = walkers(reduced_motion="reduce").open("/learn/through-time").page
    flat = page.locator("#saturation-tanh-h-13")
    flat.scroll_into_view_if_needed()
    expect(flat).to_contain_text("With 3 · W, 2 of 2 cells of h_13", timeout=SECONDS)
    expect(flat.locator("[aria-current], .current").first).to_be_visible()


def test_an_answer_is_folded_until_it_is_asked_for(walkers: OpenWalker) -> None:
    page = walkers(reduced_motion="reduce").open("/learn/first-steps").page
    folded = page.locator("details.folded")
    expect(folded).to_have_count(1)
    expect(folded.locator("p")).to_be_hidden()
    folded.locator("summary").press("Enter")
    expect(folded.locator("p")).to_be_visible()
