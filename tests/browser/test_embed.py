"""A step, a figure or an exercise in a frame of somebody else's page: where the operator says so, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import READY, OpenWalker, Walker, until
from tests.support.file_host import hosting
from tests.tools.forked import forked

LISTEN = """<!DOCTYPE html><title>Somebody else's page</title><h1>My course</h1>
<iframe src="{address}" style="width: 700px; border: 0" height="20"></iframe>
<script>
  addEventListener("message", ({{ source, data }}) => {{
    for (const frame of document.querySelectorAll("iframe"))
      if (frame.contentWindow === source && data?.gradwalk) frame.height = data.gradwalk.height;
  }});
</script>"""
FITS = """() => {
  const { scrollHeight, clientHeight } = document.documentElement;
  return clientHeight > 100 && scrollHeight <= clientHeight;
}"""


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of somebody else's pages, and their folder."""
    root = tmp_path_factory.mktemp("foreign")
    with hosting(root) as address:
        yield address, root


@pytest.fixture(scope="module")
def open_server(foreign: tuple[str, Path]) -> Iterator[str]:
    """A server whose operator lets those pages show a part of ours."""
    with forked(embed_in=foreign[0], deadline=8) as server:
        yield server.url


def framed(page: Page, foreign: tuple[str, Path], address: str) -> Frame:
    """Ours in a frame of theirs."""
    (foreign[1] / "index.html").write_text(LISTEN.format(address=address))
    page.goto(foreign[0])
    frame = page.frames[1]
    frame.wait_for_load_state()
    return frame


@pytest.fixture
def visitor(walkers: OpenWalker, foreign: tuple[str, Path], open_server: str) -> Iterator[Walker]:
    walker = walkers(width=1000)
    walker.base = open_server
    yield walker
    walker.hosts.discard(foreign[0])


def test_a_step_in_a_frame_fits_it_and_is_stepped(visitor: Walker, foreign: tuple[str, Path], open_server: str) -> None:
    frame = framed(visitor.page, foreign, f"{open_server}/walk/first-steps?step=3&embed")
    frame.wait_for_selector(READY)
    expect(frame.locator("header.top")).to_be_hidden()
    expect(frame.locator("#count")).to_have_text("3 / 5")
    until(visitor.page, "() => document.querySelector('iframe').height > 100")
    until_in(frame, FITS)
    before = frame.locator("#step-title").text_content()
    frame.locator("#next").click()
    expect(frame.locator("#count")).to_have_text("4 / 5")
    assert frame.locator("#step-title").text_content() != before
    until_in(frame, FITS)
    until_in(frame, "() => location.search === '?step=4&embed'")


def until_in(frame: Frame, function: str) -> None:
    """Until a function is true in a frame."""
    while not frame.evaluate(function):
        pass


def test_an_exercise_of_a_chapter_stands_alone_in_its_frame(
    visitor: Walker, foreign: tuple[str, Path], open_server: str
) -> None:
    visitor.page.goto(f"{open_server}/learn/broadcasting")
    block = str(visitor.ask("document.querySelector('.block.question').id"))
    frame = framed(visitor.page, foreign, f"{open_server}/learn/broadcasting?embed={block}")
    expect(frame.locator(f"#{block}")).to_be_visible()
    expect(frame.locator("#chapter-title")).to_be_hidden()
    expect(frame.locator(".block:visible")).to_have_count(1)
    until_in(frame, FITS)
    with visitor.page.expect_popup() as opened:
        frame.get_by_role("link", name="Open in gradwalk").click()
    assert opened.value.url == f"{open_server}/learn/broadcasting#{block}"


@pytest.mark.parametrize("path", ["/walk/first-steps", "/learn/broadcasting", "/?embed", "/code?embed", "/train?embed"])
def test_what_is_no_part_is_shown_in_no_frame(
    visitor: Walker, foreign: tuple[str, Path], open_server: str, path: str
) -> None:
    frame = framed(visitor.page, foreign, f"{open_server}{path}")
    assert frame.url == "chrome-error://chromewebdata/"
    visitor.complaints.clear()  # the browser says why


def test_without_the_operator_nothing_is_shown_in_a_frame(walker: Walker, foreign: tuple[str, Path]) -> None:
    ours = walker.base
    frame = framed(walker.page, foreign, f"{ours}/walk/first-steps?embed")
    assert frame.url == "chrome-error://chromewebdata/"
    walker.complaints.clear()
    walker.hosts.discard(foreign[0])


def test_the_lines_for_a_page_of_one_s_own_are_copied(
    visitor: Walker, open_server: str, foreign: tuple[str, Path]
) -> None:
    context = visitor.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=open_server)
    visitor.open("/walk/first-steps?step=2")
    visitor.page.locator("#share").click()
    visitor.page.get_by_role("button", name="Copy as a frame").click()
    expect(visitor.page.locator(".notice")).to_contain_text("a page of your own")
    lines = str(visitor.ask("navigator.clipboard.readText()"))
    assert f'<iframe src="{open_server}/walk/first-steps?step=2&amp;embed"' in lines
    (foreign[1] / "index.html").write_text(f"<!DOCTYPE html><title>Mine</title>{lines}")
    visitor.page.goto(foreign[0])
    frame = visitor.page.frames[1]
    frame.wait_for_selector(READY)
    until_in(frame, FITS)


def test_who_may_not_be_framed_offers_no_lines_for_it(walker: Walker) -> None:
    walker.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    walker.open("/walk/first-steps").page.locator("#share").click()
    expect(walker.page.locator(".notice")).to_contain_text("Link copied")
    expect(walker.page.get_by_role("button", name="Copy as a frame")).to_have_count(0)
