"""The whole folder: every page is visited and says what the server says, and every walk is stepped to its end."""

import difflib
import gzip
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.site.build import COMPUTED, MARK, record
from app.site.folder import Folder
from app.site.server import Answers
from app.site.single import single
from tests.browser.conftest import READY, SECONDS, OpenWalker, Walker, origin, until
from tests.support.file_host import hosting
from tests.tools.forked import forked
from tests.tools.server import Server

UNRECORDED = "performance.getEntriesByName('gradwalk:unrecorded').map((one) => one.detail)"
# Bytes of all pages (some 3.9 MB), and of makemore's in one file.
COMPRESSED, ALONE = 4_000_000, 700_000
SAYS = """(selector) => {
  document.querySelectorAll(".as-frame, [data-computes]").forEach((one) => (one.hidden = true));
  return document.querySelector(selector).innerText;
}"""


@dataclass
class Site:
    """A folder on a host, and where it is on the disk."""

    url: str
    root: Path

    @property
    def pages(self) -> list[str]:
        """The address of every page below the folder's own."""
        found = (path.parent.relative_to(self.root).as_posix() for path in self.root.rglob("index.html"))
        return sorted("/" if path == "." else f"/{path}/" for path in found)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that has as much time as the one that a folder is recorded from."""
    with forked(deadline=60, wall_deadline=600) as started:
        yield started


@pytest.fixture(scope="module")
def site(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    host = tmp_path_factory.mktemp("host")
    folder = Folder(host / "below" / "it")
    record(Answers(server.url.removeprefix("http://")), folder, ())
    folder.write(MARK, b"")
    folder.finish()
    with hosting(host) as address:
        yield Site(f"{address}/below/it", folder.root)


def opened(walker: Walker, path: str) -> Walker:
    walker.page.goto(walker.base + path)
    expect(walker.page.locator("[aria-busy=true]")).to_have_count(0)
    return walker


def read(walker: Walker) -> None:
    """Go through a page and back: a figure beside the text goes along with where one is."""
    blocks = walker.page.locator(".block")
    for place in range(blocks.count()):
        blocks.nth(place).scroll_into_view_if_needed()
        until(walker.page, "(i) => 'outcome' in document.querySelectorAll('.block')[i].dataset", place)
    walker.page.evaluate("scrollTo(0, 0)")
    expect(walker.page.locator("[aria-busy=true]")).to_have_count(0)


def said(walker: Walker, selector: str) -> str:
    return str(walker.page.evaluate(SAYS, selector))


def say_the_same(served: Walker, reader: Walker, selector: str, at: object) -> None:
    """Both, once all has come that is a moment late, such as what the end counts."""
    limit = time.monotonic() + SECONDS / 1000
    while (there := said(served, selector)) != (here := said(reader, selector)):
        assert time.monotonic() < limit, (at, *difflib.unified_diff(there.splitlines(), here.splitlines(), n=0))


@pytest.mark.exhaustive
def test_every_page_says_what_the_server_s_says(walkers: OpenWalker, site: Site) -> None:
    served, reader = walkers(), walkers()
    reader.base = site.url
    for path in site.pages:
        if path.startswith("/walk/") or path.strip("/") in {one.strip("/") for one in COMPUTED} | {"", "opening"}:
            continue
        read(opened(reader, path))
        read(opened(served, path.rstrip("/")))
        say_the_same(served, reader, "main", path)
        assert reader.ask(UNRECORDED) == [], path
    assert reader.hosts == {origin(site.url)}


@pytest.mark.exhaustive
def test_every_walk_is_stepped_to_its_end(walkers: OpenWalker, site: Site) -> None:
    served, reader = walkers(), walkers()
    reader.base = site.url
    for path in [one for one in site.pages if one.startswith("/walk/")]:
        served.open(path.rstrip("/"))
        reader.open(path)
        assert reader.count == served.count, path
        for _ in range(int(served.count.split("/")[1]) - 1):
            for walker in (served, reader):
                walker.press("ArrowRight")
            until(reader.page, "(said) => document.querySelector('#step-title').textContent === said",
                  served.page.locator("#step-title").text_content())  # fmt: skip
            say_the_same(served, reader, "#reason", (path, served.count))
            say_the_same(served, reader, "#picture", (path, served.count))
        assert reader.ask(UNRECORDED) == [], path
    assert reader.hosts == {origin(site.url)}


@pytest.mark.exhaustive
def test_the_whole_is_small_and_made_of_what_it_names(site: Site) -> None:
    files = [path for path in site.root.rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in files) <= COMPRESSED
    assert not [path for path in files if "plotly" in path.name]


@pytest.mark.exhaustive
def test_changing_one_lesson_changes_its_files_alone(server: Server, site: Site) -> None:
    """Recording again writes no file anew: whatever is different would be."""
    before = {path: path.stat().st_mtime_ns for path in site.root.rglob("*") if path.is_file()}
    folder = Folder(site.root)
    record(Answers(server.url.removeprefix("http://")), folder, ())
    folder.write(MARK, b"")
    folder.finish()
    again = {path: path.stat().st_mtime_ns for path in site.root.rglob("*") if path.is_file()}
    assert [path for path in before if again.get(path) != before[path]] == []


def test_the_makemore_walk_is_one_small_file(walkers: OpenWalker, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "makemore.html"
    file.write_text(single(Answers(server.url.removeprefix("http://")), {"lesson": "makemore-mlp"}, "makemore MLP"))
    assert file.stat().st_size <= ALONE
    alone = walkers()
    requests: list[str] = []
    alone.page.on("request", lambda request: requests.append(request.url))
    alone.page.goto(file.as_uri())
    alone.page.wait_for_selector(READY)
    assert alone.count.startswith("1 / ")
    expect(alone.page.locator("header .holds")).to_have_text("makemore MLP: one walk, all its numbers, in one file")
    for _ in range(3):
        alone.press("End", "ArrowLeft")
    assert alone.ask(UNRECORDED) == []
    assert [url for url in requests if not url.startswith(("file:", "blob:"))] == []
