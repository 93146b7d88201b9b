"""The course as a folder: every page says what the server's says, and asks nobody else."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path, PurePath

import pytest
from playwright.sync_api import Route, expect

from app.site.build import common_of, file_walks, record, walk_recorded
from app.site.folder import Folder
from app.site.server import Answers, serving
from app.site.single import single
from tests.browser.conftest import READY, SECONDS, OpenWalker, Walker, arrived, intercept, origin, until
from tests.support.built_once import built_once
from tests.support.file_host import hosting
from tests.tools.server import Server

LESSONS = ("first-steps", "broadcasting", "elementwise")  # the last with curves and a Jacobian
MORE = pytest.mark.exhaustive
UNRECORDED = "performance.getEntriesByName('gradwalk:unrecorded').map((one) => one.detail)"
TEXT = """(selector) => {
  document.querySelectorAll(".as-frame").forEach((button) => (button.hidden = true))
  return document.querySelector(selector).innerText; }"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder, two levels below the root of its host."""

    def build(host: Path) -> None:
        site = Folder(host / "some" / "where")
        with serving() as answers:
            record(answers, site, LESSONS)
        site.finish()

    return built_once(tmp_path_factory, "recorded", build) / "some" / "where"


@pytest.fixture(scope="module")
def folder(root: Path) -> Iterator[str]:
    """Its address."""
    with hosting(root.parents[1]) as address:
        yield f"{address}/some/where"


@pytest.fixture
def reader(walkers: OpenWalker, folder: str) -> Walker:
    walker = walkers()
    walker.base = folder
    return walker


def said(walker: Walker, path: str, selector: str) -> str:
    """What a page says to a reader who went through it."""
    walker.page.goto(walker.base + path)
    walker.page.wait_for_selector("[aria-busy=false]")
    blocks = walker.page.locator(".block")
    for place in range(blocks.count()):
        blocks.nth(place).scroll_into_view_if_needed()
        until(walker.page, "(i) => 'outcome' in document.querySelectorAll('.block')[i].dataset", place)
    expect(walker.page.locator("[aria-busy=true]")).to_have_count(0)
    return str(walker.page.evaluate(TEXT, selector))


def say_the_same(served: Walker, other: Walker, selector: str = "#step") -> None:
    """Both, once all has come that is asked for later."""
    until = time.monotonic() + SECONDS / 1000
    while (text := served.text(selector)) != other.text(selector):
        assert time.monotonic() < until, (text, other.text(selector))


def hosts_besides(walker: Walker, base: str) -> set[str]:
    return walker.hosts - {origin(base)}


@pytest.mark.parametrize("chapter", [LESSONS[2], *(pytest.param(one, marks=MORE) for one in LESSONS[:2])])
def test_a_chapter_says_what_the_server_s_says(walkers: OpenWalker, reader: Walker, chapter: str) -> None:
    served = walkers()
    assert said(reader, f"/learn/{chapter}/", "#reading") == said(served, f"/learn/{chapter}", "#reading")
    assert reader.texts(".glossed") == served.texts(".glossed") != []
    assert reader.ask(UNRECORDED) == []
    assert hosts_besides(reader, reader.base) == set()


@pytest.mark.parametrize("lesson", ["broadcasting.outer", pytest.param("broadcasting", marks=MORE)])
def test_a_walk_is_stepped_to_its_end(walkers: OpenWalker, reader: Walker, lesson: str) -> None:
    served = walkers().open(f"/walk/{lesson}")
    reader.open(f"/walk/{lesson}/")
    assert reader.count == served.count
    last = int(reader.count.split("/")[1])
    for _ in range(last - 1):
        if served.count == f"{last - 1} / {last}":  # what the end counts comes a moment later
            break
        served.press("ArrowRight")
        reader.press("ArrowRight")
        say_the_same(served, reader)
    expect(reader.press("End").page.locator(".downhill p").first).to_be_visible()
    assert reader.ask(UNRECORDED) == []
    expect(reader.page).to_have_url(re.compile(rf"/some/where/walk/{lesson}/\?step={reader.count.split()[0]}$"))
    reader.page.reload()
    reader.page.wait_for_selector(READY)
    assert reader.count == f"{last} / {last}"


@pytest.mark.exhaustive
def test_a_number_of_a_walk_is_opened_in_the_page(walkers: OpenWalker, reader: Walker) -> None:
    """No answer about it is recorded: what the lens says comes from the formula of its tensor."""
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url))
    served = walkers().open("/walk/broadcasting?step=6")
    reader.open("/walk/broadcasting/?step=6")
    for one in (served, reader):
        expect(one.press("l").page.locator(".lens").first).to_be_visible()
    say_the_same(served, reader, ".lens")
    assert any(url.endswith("/formulas.js") for url in asked)
    assert reader.ask(UNRECORDED) == []


@pytest.mark.exhaustive
def test_a_local_jacobian_of_a_walk_is_worked_out_in_the_page(walkers: OpenWalker, reader: Walker) -> None:
    served = walkers().open("/walk/broadcasting?step=6&view=jacobian")
    reader.open("/walk/broadcasting/?step=6&view=jacobian")
    for one in (served, reader):
        expect(one.page.locator(".jacobian[aria-busy=false] .product-map")).to_be_visible()
    say_the_same(served, reader, ".jacobian")
    assert reader.ask(UNRECORDED) == []


def test_links_lead_from_page_to_page(reader: Walker, folder: str) -> None:
    page = reader.page
    page.goto(f"{folder}/learn/")
    page.locator("a[href*='learn/broadcasting']").first.click()
    expect(page).to_have_url(f"{folder}/learn/broadcasting/")
    page.get_by_role("link", name="Walk", exact=True).first.click()
    page.wait_for_selector(READY)
    assert page.url.startswith(f"{folder}/walk/broadcasting/")


@pytest.mark.parametrize("path", ["/code/", "/train/", "/practise/", "/practise/drills/"])
def test_what_only_a_server_can_do_is_said_kindly(reader: Walker, path: str) -> None:
    reader.page.goto(reader.base + path)
    expect(reader.page.locator("main")).to_contain_text("make run")
    expect(reader.page.locator("[role=alert]")).to_have_count(0)


def test_what_nobody_recorded_is_said_beside_the_walk(reader: Walker) -> None:
    reader.open("/walk/broadcasting/?step=6")
    expect(reader.page.locator("#exact")).to_be_hidden()
    before = reader.title
    reader.press("x")
    expect(reader.page.locator("body")).to_contain_text("These pages are a recording")
    assert reader.title == before
    assert len(reader.ask(UNRECORDED)) == 1


def test_who_comes_for_the_first_time_sees_the_opening(reader: Walker, folder: str) -> None:
    page = reader.page
    page.add_init_script("localStorage.removeItem('gradwalk:opening')")
    page.goto(f"{folder}/")
    expect(page).to_have_url(re.compile(rf"^{folder}/opening/"))
    expect(page.locator("main")).to_contain_text("3x + 1")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert reader.ask(UNRECORDED) == []


@pytest.mark.parametrize(
    ("path", "asked", "most"),
    [
        ("/learn/broadcasting/", {"early.js", "chapter.css"}, 175_000),
        ("/walk/elementwise/", {"early.js", "walk.css", "body.js"}, 150_000),
    ],
)
def test_a_page_is_painted_from_few_files_at_once(reader: Walker, path: str, asked: set[str], most: int) -> None:
    """What it is painted from is asked for before any of it is here, and is small on a host that compresses nothing.

    With 1.6 Mbit/s 175 kB are 0.9 s, and each file that waits for another is 0.15 s more.
    """
    page, held = reader.page, list[Route]()
    intercept(page, "**/*.{js,css}", lambda route: held.append(route))
    page.goto(reader.base + path, wait_until="commit")
    arrived(page, held, len(asked) - 1)
    assert {PurePath(one.request.url).name for one in held} == asked
    for one in held[: len(asked)]:
        one.continue_()
    until(page, "() => performance.getEntriesByName('first-contentful-paint').length")
    sizes = "performance.getEntriesByType('%s').map((one) => one.decodedBodySize)"
    assert sum(reader.ask(sizes % "navigation") + reader.ask(sizes % "resource")) <= most
    page.unroute_all(behavior="ignoreErrors")


def test_a_walk_is_one_file_that_opens_from_the_disk(walkers: OpenWalker, server: Server, tmp_path: Path) -> None:
    """Without a request, and with the same words at every step."""
    served, alone = walkers(), walkers()
    file = tmp_path / "walk.html"
    file.write_text(single(Answers(server.url.removeprefix("http://")), {"lesson": "broadcasting"}, "Broadcasting"))
    requests: list[str] = []
    alone.page.on("request", lambda request: requests.append(request.url))
    alone.page.goto(file.as_uri())
    alone.page.wait_for_selector(READY)
    served.open("/walk/broadcasting")
    for _ in range(int(served.count.split("/")[1]) - 2):
        served.press("ArrowRight")
        alone.press("ArrowRight")
        say_the_same(served, alone)
    expect(alone.page).to_have_url(re.compile(rf"^{file.as_uri()}\?step={served.count.split()[0]}$"))
    assert [url for url in requests if not url.startswith(("file:", "blob:"))] == []
    assert alone.ask(UNRECORDED) == []


def test_what_was_seen_opens_without_a_net(reader: Walker, folder: str) -> None:
    page = reader.page
    page.goto(f"{folder}/learn/broadcasting/")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    text = said(reader, "/learn/broadcasting/", "#reading")  # again, and now kept
    page.context.set_offline(True)
    assert said(reader, "/learn/broadcasting/", "#reading") == text
    page.context.set_offline(False)


@pytest.mark.exhaustive
def test_a_page_of_before_goes_on_working_when_the_folder_is_written_anew(
    walkers: OpenWalker, root: Path, tmp_path: Path
) -> None:
    """Without a net: a walk that was seen in the old folder, with its answers, and a chapter of the new one."""
    folder, reader = tmp_path / "it", walkers()
    shutil.copytree(root, folder)
    index = folder / "answers/of/broadcasting.json"
    with hosting(tmp_path) as host:
        reader.base = f"{host}/it"
        reader.open("/walk/broadcasting/")
        reader.ask("navigator.serviceWorker.ready.then(() => undefined)")
        read = reader.open("/walk/broadcasting/").text("#step")  # again, and now kept
        for old in (folder / "answers").glob("*.bin"):  # each answer has another name, as where it says something else
            old.rename(old.with_name(f"{old.stem[::-1]}.bin"))
        index.write_text(re.sub(r"\b[\da-f]{16}\b", lambda name: name[0][::-1], index.read_text()))
        page = folder / "learn/broadcasting/index.html"
        page.write_text(page.read_text().replace('id="chapter-title">', 'id="chapter-title">Anew: ', 1))
        reader.page.goto(f"{reader.base}/learn/broadcasting/")
        expect(reader.page.locator("h1")).to_contain_text("Anew: ")
        expect(reader.page.locator("[aria-busy=true]")).to_have_count(0)
        reader.page.context.set_offline(True)
        assert reader.open("/walk/broadcasting/").text("#step") == read
        reader.page.goto(f"{reader.base}/learn/broadcasting/")
        expect(reader.page.locator("h1")).to_contain_text("Anew: ")
        reader.page.context.set_offline(False)


def test_the_folder_is_installable(reader: Walker, folder: str) -> None:
    page = reader.page
    for path in ("/learn/", "/learn/broadcasting/"):
        page.goto(folder + path)
        told = page.context.new_cdp_session(page).send("Page.getAppManifest")
        assert told["errors"] == []
        manifest = json.loads(told["data"])
        assert told["url"] == f"{folder}/gradwalk.webmanifest"
        assert page.evaluate("([at, to]) => new URL(to, at).href", [told["url"], manifest["start_url"]]) == f"{folder}/"
        (icon,) = manifest["icons"]
        assert page.request.get(f"{folder}/{icon['src']}").headers["content-type"].startswith(icon["type"])
    assert page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_a_folder_s_step_may_stand_in_a_frame_and_a_whole_page_may_not(
    reader: Walker, folder: str, tmp_path: Path
) -> None:
    page = reader.page
    with hosting(tmp_path) as foreign:
        for name, path in (("part", "walk/broadcasting/?step=2&embed"), ("whole", "walk/broadcasting/?step=2")):
            frame = f'<!DOCTYPE html><title>Theirs</title><iframe src="{folder}/{path}" width="700" height="500">'
            (tmp_path / f"{name}.html").write_text(frame)
        page.goto(f"{foreign}/part.html")
        expect(page.frame_locator("iframe").locator("#step-title")).to_be_visible()
        expect(page.frame_locator("iframe").locator("header.top")).to_be_hidden()
        page.goto(f"{foreign}/whole.html")
        expect(page.frame_locator("iframe").locator("html")).to_have_attribute("data-framed", "")
        expect(page.frame_locator("iframe").locator("#step-title")).to_be_hidden()
        reader.hosts.discard(foreign)


def test_search_finds_what_the_server_finds(walkers: OpenWalker, reader: Walker) -> None:
    served = walkers()
    for query in ("softmax", "keepdim", "chain rule", "dot product attention", "zebra"):
        for walker, path in ((served, "/search"), (reader, "/search/")):
            walker.page.goto(f"{walker.base}{path}?q={query.replace(' ', '+')}")
            expect(walker.page.locator(".found").first).to_contain_text("for “")
        assert reader.texts("#results b") == served.texts("#results b"), query
        assert reader.texts(".found")[0].strip() == " ".join(served.texts(".found")[0].split())
        assert reader.ask(UNRECORDED) == []


def answer(walker: Walker, block: str, text: str) -> str:
    """What is said of a written answer."""
    form = walker.page.locator(f"#{block}")
    form.scroll_into_view_if_needed()
    form.locator("input").fill(text)
    form.get_by_role("button", name="Check").click()
    expect(form.locator("[aria-busy=true]")).to_have_count(0)
    expect(form.locator(".answer-says")).not_to_be_empty()
    return form.locator(".answer-says").inner_text()


@pytest.mark.parametrize(
    "given",
    [{"quiz-5": "dZ.sum(1)", "quiz-3": "(6, 5)"}, {"quiz-5": " dZ.sum( 1,keepdim=True )", "quiz-3": "(6,5,4)"}],
    ids=["plainly", "otherwise"],
)
def test_written_answers_are_judged_as_by_the_server(
    walkers: OpenWalker, reader: Walker, given: dict[str, str]
) -> None:
    served = walkers()
    served.page.goto(f"{served.base}/learn/broadcasting")
    reader.page.goto(f"{reader.base}/learn/broadcasting/")
    for block, text in given.items():
        assert answer(reader, block, text) == answer(served, block, text), block
    assert reader.ask(UNRECORDED) == []


def test_a_written_answer_that_nobody_recorded_is_told_so(reader: Walker) -> None:
    reader.page.goto(f"{reader.base}/learn/broadcasting/")
    assert "make run" in answer(reader, "quiz-5", "dZ.sum(1).unsqueeze(1)")
    assert "show the answer" in reader.page.locator("#quiz-5").inner_text()


def test_a_line_is_written_and_its_slips_are_told(walkers: OpenWalker, reader: Walker) -> None:
    said = []
    for walker, path in ((walkers(), "/learn/broadcasting"), (reader, "/learn/broadcasting/")):
        walker.page.goto(walker.base + path)
        block = walker.page.locator(".block[data-kind=write]").first
        block.scroll_into_view_if_needed()
        line = block.locator("textarea")
        for given in ("dY.sum(1)", "dY.sum(0, keepdim=True)", "dY", "dY.sum(1,keepdim=True)"):
            line.fill(given)
            line.press("Enter")
            expect(block.locator("[aria-busy=true]")).to_have_count(0)
            said.append(block.inner_text().removesuffix("\nCopy as a frame"))
    assert said[:4] == said[4:]
    assert len(set(said)) == 4
    assert reader.ask(UNRECORDED) == []


class Links(HTMLParser):
    """What a page leads to, and loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - of any element
        self.found |= {value for name, value in attrs if name in ("href", "src", "action") and value}


def test_every_link_leads_to_a_file_of_the_folder(root: Path) -> None:
    missing = set()
    for page in root.rglob("index.html"):
        links = Links()
        links.feed(page.read_text())
        for link in links.found:
            path = re.split(r"[?#]", link)[0]
            assert ":" in link or not link.startswith("/"), (page, link)
            there = (page.parent / path).resolve()
            file = there / "index.html" if path.endswith("/") else there
            if path and ":" not in link and not file.exists():
                missing.add(there.relative_to(root.resolve()).as_posix())
    other = {one for one in missing if re.fullmatch(r"(?:learn|walk)/[\w.-]+", one)}  # lessons left out of this folder
    assert missing - other == set()
    assert not any(one.split("/")[1].split(".")[0] in LESSONS for one in other)


@pytest.mark.exhaustive
def test_what_another_server_answers_is_filed_as_the_same(server: Server, root: Path, tmp_path: Path) -> None:
    """So a folder that is written again changes only where a chapter did."""
    again, answers = Folder(tmp_path), Answers(server.url.removeprefix("http://"))
    again.common = common_of(answers)
    file_walks(again, [walk_recorded(answers, {"lesson": LESSONS[0]})])
    again.finish()
    first, second = (json.loads((one / f"answers/of/{LESSONS[0]}.json").read_text()) for one in (root, tmp_path))
    assert second
    for question, name in second.items():
        if isinstance(name, str):  # with which others a small answer is filed is the whole folder's
            assert first[question] == name, question
