"""The whole folder: every page is visited and says what the server says, and every walk is stepped to its end."""

import difflib
import gzip
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from playwright.sync_api import Locator, expect

import backend
from app import pages
from app.site import tried
from app.site.asked import whole
from app.site.build import COMPUTED, MARK, SINGLE, record
from app.site.folder import Folder
from app.site.question import Question
from app.site.server import Answers
from app.site.single import single
from tests.browser.conftest import READY, SECONDS, OpenWalker, Walker, origin, until
from tests.support.built_once import built_once
from tests.support.file_host import hosting
from tests.tools.forked import forked
from tests.tools.server import ROOT, Server

TEXTS = Path(backend.__file__).parent / "program" / "chapters" / "texts"
CHAPTERS = [file.stem.partition("-")[2] for file in sorted(TEXTS.glob("*.md"))]
QUESTIONS = ".block.question"
MOST = 12  # answers that a question offers, at most
UNRECORDED = "performance.getEntriesByName('gradwalk:unrecorded').map((one) => one.detail)"
# Bytes of all that is sent, and of makemore's in one file.
COMPRESSED, ALONE = 3_500_000, 700_000
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
    """A server that has as much time as the one that a folder is recorded from, and no classes either."""
    with forked(deadline=60, wall_deadline=600, classes=0) as started:
        yield started


@pytest.fixture(scope="module")
def site(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    host = built_once(tmp_path_factory, "whole", lambda root: recorded(server, root / "below" / "it"))
    with hosting(host) as address:
        yield Site(f"{address}/below/it", host / "below" / "it")


def recorded(server: Server, root: Path) -> None:
    """All of it, in this folder."""
    folder = Folder(root)
    record(Answers(server.url.removeprefix("http://")), folder, ())
    folder.write(MARK, b"")
    folder.finish()


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
@pytest.mark.parametrize("path", ["/learn/", "/reference/", "/search/", *(f"/learn/{one}/" for one in CHAPTERS)])
def test_every_page_says_what_the_server_s_says(walkers: OpenWalker, site: Site, path: str) -> None:
    served, reader = both(walkers, site)
    read(opened(reader, path))
    read(opened(served, path.rstrip("/")))
    say_the_same(served, reader, "main", path)
    recorded_alone(reader, site)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_question_is_answered_as_by_the_server(
    walkers: OpenWalker, server: Server, site: Site, chapter: str
) -> None:
    """What is offered is chosen one by one until it is right; what is written is a slip, then the answer."""
    served, reader = both(walkers, site)
    opened(reader, f"/learn/{chapter}/")
    opened(served, f"/learn/{chapter}")
    for place in range(reader.page.locator(QUESTIONS).count()):
        block = reader.page.locator(QUESTIONS).nth(place)
        about = block.evaluate("(block) => ({ id: block.id, ...block.dataset })")
        writes = writing(Answers(server.url.removeprefix("http://")), chapter, about)
        for line in writes or [""] * MOST:
            for walker in (served, reader):
                give(walker.page.locator(QUESTIONS).nth(place), line)
            say_the_same(served, reader, f"#{about['id']}", (chapter, about["id"], line))
            if block.get_attribute("data-outcome"):
                break
        expect(block).to_have_attribute("data-outcome", "right")
    recorded_alone(reader, site)


def writing(answers: Answers, chapter: str, about: dict[str, str]) -> list[str]:
    """What is written into a block: a slip that was tried, and the right answer; nothing where answers are offered."""
    if about["kind"] == "write":
        walk = {"lesson": ".".join(filter(None, (chapter, about["program"])))}
        name = rf"{about['argument']}\b"
        return ["\n".join(step["code"] for step in whole(answers, walk)["steps"] if re.match(name, step["code"]))]
    if about["asks"] in ("", "choice"):
        return []
    shown = answers.answer(Question(f"/api/chapters/{chapter}/answer", {"block": about["id"], "show": True}))
    assert shown is not None, about
    right, *slips = tried.of_quiz(json.loads(shown)["answer"])
    return [*slips[-1:], right]


def give(block: Locator, line: str) -> None:
    """Write this; nothing: choose the next of what is offered."""
    block.scroll_into_view_if_needed()
    if line:
        field = block.locator("input, textarea").first
        field.fill(line)
        field.press("Enter")
    else:
        block.locator(".choices button[data-state='']").first.click()
    expect(block.locator("[aria-busy=true]")).to_have_count(0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chapter", [*CHAPTERS, ""], ids=str)
def test_every_walk_is_stepped_to_its_end(walkers: OpenWalker, site: Site, chapter: str) -> None:
    """Those of a chapter, and all that are of none."""
    served, reader = both(walkers, site)
    for path in [one for one in site.pages if one.startswith("/walk/") and chapter_of(one) == chapter]:
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
        recorded_alone(reader, site)


def chapter_of(path: str) -> str:
    """The chapter of a walk's page; nothing for a starting point's."""
    name = path.split("/")[2].partition(".")[0]
    return name if name in CHAPTERS else ""


def both(walkers: OpenWalker, site: Site) -> tuple[Walker, Walker]:
    """A reader of the server's pages, and one of the folder's."""
    served, reader = walkers(), walkers()
    reader.base = site.url
    return served, reader


def recorded_alone(reader: Walker, site: Site) -> None:
    """All that its pages asked was there, and they asked nobody else."""
    assert reader.ask(UNRECORDED) == []
    assert reader.hosts == {origin(site.url)}


def test_every_page_of_the_server_has_its_place_in_the_folder() -> None:
    """Pages of one lesson are walked through by the lists; a new page of its own is to be recorded, or told of."""
    served = {route.path for route in pages.router.routes if isinstance(route, APIRoute) and "{" not in route.path}
    # the first is another address of the drills; a class needs a server
    assert served - {"/drills", "/class", "/c"} == {*SINGLE, *COMPUTED}


def test_every_page_of_the_folder_is_looked_at_here() -> None:
    """The chapters are those that there are."""
    assert [one["name"] for one in backend.chapters()] == CHAPTERS


@pytest.mark.exhaustive
def test_the_whole_is_small_and_made_of_what_it_names(site: Site) -> None:
    files = [path for path in site.root.rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in files) <= COMPRESSED
    assert not [path for path in files if "plotly" in path.name]


@pytest.mark.exhaustive
def test_recording_again_changes_nothing(server: Server, site: Site) -> None:
    """Recording again writes no file anew: whatever is different would be."""
    before = {path: path.stat().st_mtime_ns for path in site.root.rglob("*") if path.is_file()}
    recorded(server, site.root)
    again = {path: path.stat().st_mtime_ns for path in site.root.rglob("*") if path.is_file()}
    assert [path for path in before if again.get(path) != before[path]] == []


MINE = """---
title: Mine
promise: You will have seen one number.
program: |
  h = w * x
  loss = h * h
tensors:
  w: {role: parameter, values: 2.0}
  x: {role: data, values: -1.5}
---

There is a number.
"""


def built(folder: Path, chapter: Path, text: str) -> dict[str, bytes]:
    """What the command writes of a chapter of one's own and one of ours, by the files' names."""
    chapter.write_text(text)
    own = ["--lessons", str(chapter.parent), "--only", "mine", "first-steps"]
    subprocess.run([sys.executable, "-m", "app.site", str(folder), *own], check=True, capture_output=True, cwd=ROOT)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.exhaustive
def test_a_changed_chapter_changes_what_it_touches_alone(tmp_path: Path) -> None:
    """A sentence its page and what search finds, a number its answers; no file of another lesson."""
    folder, chapter = tmp_path / "site", tmp_path / "mine" / "50-mine.md"
    chapter.parent.mkdir()
    before = built(folder, chapter, MINE)
    times = {path: (folder / path).stat().st_mtime_ns for path in before}
    sentence = built(folder, chapter, MINE.replace("a number", "one number"))
    assert touched(before, sentence) == {"learn/mine/index.html", "answers/of/search.json"}
    number = built(folder, chapter, MINE.replace("a number", "one number").replace("2.0", "3.0"))
    assert touched(sentence, number) == {"answers/of/mine.json"}
    same = before.items() & number.items()
    assert len(same) > len(before) - 10
    assert [path for path, _ in same if (folder / path).stat().st_mtime_ns != times[path]] == []


def touched(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """The files that say something else, but for the answers, whose names say what they hold."""
    return {path for path, _ in before.items() ^ after.items() if not path.endswith(".bin")}


@pytest.mark.exhaustive
def test_the_makemore_walk_is_one_small_file(walkers: OpenWalker, server: Server, tmp_path: Path) -> None:
    """How long it takes to open is printed: on a machine with nothing else to do it is less than a second."""
    file = tmp_path / "makemore.html"
    file.write_text(single(Answers(server.url.removeprefix("http://")), {"lesson": "makemore-mlp"}, "makemore MLP"))
    assert file.stat().st_size <= ALONE
    alone = walkers()
    requests: list[str] = []
    said: list[str] = []
    alone.page.on("request", lambda request: requests.append(request.url))
    alone.page.on("console", lambda message: said.append(message.text))
    alone.page.on("pageerror", lambda error: said.append(str(error)))
    alone.page.goto(file.as_uri())
    alone.page.wait_for_selector(READY)
    print(f"opened in {alone.ask('performance.now()'):.0f} ms, {file.stat().st_size / 1000:.0f} kB")
    assert alone.count.startswith("1 / ")
    expect(alone.page.locator("header .holds")).to_have_text("makemore MLP: one walk, all its numbers, in one file")
    for _ in range(3):
        alone.press("End", "ArrowLeft")
    assert alone.ask(UNRECORDED) == []
    assert [url for url in requests if not url.startswith(("file:", "blob:"))] == []
    assert said == []
