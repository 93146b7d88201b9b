"""The pages, and the files they load."""

import asyncio
import gzip
import re
import shutil
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import pytest
from markupsafe import escape
from starlette.requests import Request

from app import pages, static_files
from app.assets import Asset, current
from app.options import OPTIONS
from app.rendering import WORD_LIST_LESSON
from tests.tools.forked import forked
from tests.tools.server import ROOT, Server, read, running


def test_the_first_page_is_the_makemore_walk(server: Server) -> None:
    reply = server.get("/")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/html")
    assert reply.headers["cache-control"] == "no-cache"
    assert reply.body == server.get("/walk/makemore-mlp").body


def test_every_lesson_can_be_practised(server: Server) -> None:
    lessons = [one["name"] for one in server.get("/api/lessons").json()["lessons"]]
    for lesson in lessons:
        page = server.get(f"/practise/{lesson}").markup
        assert f'value="lesson {lesson}" selected' in page
        assert f'<a href="/practise/{lesson}" aria-current="page">' in page
    assert server.get("/practise").body == server.get(f"/practise/{pages.FIRST_LESSON}").body


def test_drills_have_a_page_of_their_own_under_practise(server: Server) -> None:
    page = server.get("/practise/drills").markup
    assert "<title>Drills · gradwalk</title>" in page
    assert '<a href="/practise" aria-current="true">' in page
    moved = server.ask("GET", "/drills?rules=sum", headers=BROWSER)
    assert (moved.status, moved.headers["location"]) == (308, "/practise/drills?rules=sum")


def test_every_lesson_can_be_trained_and_is_linked_from_its_walk(server: Server) -> None:
    for lesson in [one["name"] for one in server.get("/api/lessons").json()["lessons"]]:
        page = server.get(f"/train/{lesson}").markup
        assert f'value="lesson {lesson}" selected' in page
        assert f'<a href="/train/{lesson}" aria-current="page">' in page
        assert f'<a href="/train/{lesson}">Train</a>' in server.get(f"/walk/{lesson}").markup
    assert f'data-drawn="{WORD_LIST_LESSON}"' in page
    assert server.get("/train").body == server.get(f"/train/{pages.FIRST_LESSON}").body


def test_a_starting_point_is_walked_as_a_lesson_is(server: Server) -> None:
    page = server.get("/walk/variational").markup
    assert '<option value="variational" selected>' in page
    taken_in = server.get("/walk/softmax").markup
    assert 'data-lesson="softmax"' in taken_in
    # the chapter that it belongs to is listed before it, and can be chosen
    assert '<option value="softmax-cross-entropy">' in taken_in
    assert '<option value="softmax" selected>Softmax and cross-entropy, step by step</option>' in taken_in
    assert "<title>Softmax and cross-entropy, step by step · gradwalk</title>" in taken_in
    further = server.get("/walk/batchnorm.biased").markup
    assert "<title>Batch normalisation: biased · gradwalk</title>" in further
    walk = server.post("/api/walk", {"lesson": "softmax"}).json()
    (start,) = [one for one in server.get("/api/starts").json()["starts"] if one["name"] == "softmax"]
    same = server.post("/api/walk", start["request"]).json()
    assert (walk["title"], same["title"]) == (start["title"], "Your code")
    assert walk["steps"] == same["steps"]
    exact = server.post("/api/walk", {"lesson": "softmax", "exact": True}).json()
    assert exact["exact"]
    copied = server.get("/api/lessons/softmax/program").json()
    assert (copied["title"], copied["request"]["source"]) == (start["title"], start["request"]["source"])
    refused = server.post("/api/walk", {"lesson": "softmax", "seed": 2})
    assert (refused.status, refused.error["code"]) == (422, "lesson-seed")


def test_the_menu_has_every_lesson_and_every_starting_point_once_in_order(server: Server) -> None:
    options = re.findall(r'<option value="([\w-]+)"[^>]*>(.*?)</option>', server.get("/").markup)
    starts = [one["name"] for one in server.get("/api/starts").json()["starts"]]
    lessons = server.get("/api/lessons").json()["lessons"]
    taken = {name for one in lessons for name in (one["name"], *one["also"])}
    titles = {one["title"] for one in lessons} | {"3x + 1"}  # a starting point that is a lesson, too
    left = [one["name"] for one in server.get("/api/starts").json()["starts"] if one["title"] not in titles]
    assert [name for name, _ in options] == [*(one["name"] for one in lessons), *(n for n in left if n not in taken)]
    assert {*(one["name"] for one in lessons), *taken, "line"} | set(left) >= set(starts)
    assert len({title for _, title in options}) == len(options)  # "3x + 1" is a lesson and a starting point


def test_the_opening_says_how_long_the_first_chapter_takes(server: Server) -> None:
    told = re.search(r"chapter \d+ of \d+ · (\d+ min)", server.get("/learn/first-steps").markup)
    assert told
    assert f"Start with 3x + 1: {told[1]}." in server.get("/opening").markup


def test_an_unknown_lesson_is_a_page_too(server: Server) -> None:
    reply = server.get("/walk/no-such-lesson")
    assert reply.status == 404
    assert reply.headers["content-type"].startswith("text/html")


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nope", 404),
        ("GET", "/walk", 404),
        ("GET", "/walk/nope", 404),
        ("GET", "/learn/nope", 404),
        ("GET", "/learn/", 404),
        ("POST", "/search", 405),
        ("GET", "/practise/nope", 404),
        ("GET", "/train/nope", 404),
        ("GET", "/code/", 404),
        ("GET", "/apinope", 404),
        ("DELETE", "/code", 405),
    ],
)
def test_a_mistyped_address_is_answered_with_a_page(server: Server, method: str, path: str, status: int) -> None:
    reply = server.ask(method, path, headers=BROWSER)
    assert reply.status == status
    assert reply.headers["content-type"].startswith("text/html")
    for link in ("/walk/first-steps", "/learn", "/practise", "/practise/drills", "/train", "/code", "/reference"):
        assert f'<a href="{link}"><b>' in reply.body.decode()


@pytest.mark.parametrize("path", ["/api/nope", "/api/lessons/nope", "/api/walk", "/static/nope/nope.js"])
def test_the_interface_keeps_to_json_whoever_asks(server: Server, path: str) -> None:
    assert server.get(path, **BROWSER).error["message"]


def test_a_page_asked_for_under_another_name_is_refused_in_words(server: Server) -> None:
    reply = server.get("/", Host="evil.example", **BROWSER)
    assert reply.status == 400
    assert reply.headers["content-type"].startswith("text/html")
    assert "Use localhost" in reply.body.decode()
    assert "/static/" not in reply.body.decode()


def test_the_reference_is_made_from_the_registry(server: Server) -> None:
    page = server.get("/reference").body.decode()
    for op in server.get("/api/ops").json()["operations"]:
        assert f'id="{op["name"]}"' in page
        for text in op["written"]:
            assert f"<code>{escape(text)}</code>" in page
    assert page.count('aria-current="page"') == 1


@pytest.mark.parametrize("lesson", ["<script>alert(1)</script>", '"><img src=x>'])
def test_a_lesson_s_name_cannot_become_markup(server: Server, lesson: str) -> None:
    assert lesson.encode() not in server.get(f"/walk/{quote(lesson, safe='')}").body


def test_every_address_in_the_page_is_served_for_ever(server: Server) -> None:
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', server.get("/").body.decode())
    assert addresses
    for address in addresses:
        reply = server.get(address)
        assert reply.status == 200, address
        assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_nothing_in_the_page_comes_from_another_host(server: Server) -> None:
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', server.get("/").body.decode())


def test_an_old_version_s_address_is_not_kept(server: Server) -> None:
    reply = server.get("/static/000000000000/plotly.min.js")
    assert reply.status == 200
    assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["nothing.js", "../app/main.py", "..%2fapp%2fmain.py", "%2e%2e/pyproject.toml", "/etc/passwd", "js/", ""]
)
def test_only_static_files_are_served(server: Server, path: str) -> None:
    reply = server.get(f"/static/{current().version}/{path}")
    assert reply.status == 404
    assert reply.error["code"] == "not-found"


def test_plotly_is_the_installed_package_s(server: Server) -> None:
    reply = server.get(f"{current().base}/plotly.min.js")
    assert reply.headers["content-type"].startswith("text/javascript")
    assert b"plotly.js v" in reply.body[:200]
    assert "content-encoding" not in reply.headers


def test_head_has_the_length_and_no_body(server: Server) -> None:
    reply = server.ask("HEAD", f"{current().base}/plotly.min.js")
    assert int(reply.headers["content-length"]) > 1_000_000
    assert reply.body == b""


@pytest.mark.parametrize(
    ("client", "accepts", "expected"),
    [("192.168.1.7", "gzip, br", True), ("192.168.1.7", "br", False), ("127.0.0.1", "gzip", False)],
)
def test_files_are_compressed_across_a_network_only(client: str, accepts: str, expected: bool) -> None:
    scope = {"type": "http", "client": (client, 1), "headers": [(b"accept-encoding", accepts.encode())]}
    assert static_files.wants_gzip(Request(scope)) is expected


def test_a_script_crosses_a_network_compressed(server: Server) -> None:
    address = f"{current().base}/walk.js"
    with closing(HTTPConnection(*server.address, timeout=240, source_address=("127.0.0.2", 0))) as connection:
        connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
        reply = read(connection)
    assert reply.headers["content-encoding"] == "gzip"
    assert gzip.decompress(reply.body) == server.get(address).body


def test_only_what_gains_is_compressed() -> None:
    script = current().files["walk.js"]
    packed = asyncio.run(Asset(script.content, script.media_type).packed())
    assert packed is not None
    assert len(packed) < len(script.content) / 3
    assert gzip.decompress(packed) == script.content
    assert asyncio.run(Asset(b"x" * 1000, "image/png").packed()) is None


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what a server is made of."""
    for name in ("app", "static", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "backend").symlink_to(ROOT / "backend")
    return tmp_path


@pytest.mark.exhaustive
def test_files_are_read_once(checkout: Path) -> None:
    """A page and all that it loads are served when the files are no longer there to be looked at."""
    with running(workers=1, folder=checkout) as server:
        assert server.get("/").status == 200
        shutil.rmtree(checkout / "static")
        shutil.rmtree(checkout / "templates")
        page = server.get("/")
        assert page.status == 200
        addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.body.decode())
        assert addresses
        assert {server.get(address).status for address in addresses} == {200}


@pytest.mark.exhaustive
def test_files_are_read_anew_for_whoever_changes_them(checkout: Path) -> None:
    with running("--reload", workers=1, folder=checkout) as server:
        before = server.get("/").body.decode()
        with (checkout / "static/css/base.css").open("a") as sheet:
            sheet.write("\n.written-anew { color: red }\n")
        with (checkout / "templates/parts/header.html").open("a") as part:
            part.write("<p>written anew</p>")
        after = server.get("/").body.decode()
        address = re.search(r'href="(/static/[^"]+/walk.css)"', after)
        assert address is not None
        assert address[1] not in before
        assert b".written-anew" in server.get(address[1]).body
        assert "<p>written anew</p>" in after


def test_the_path_of_chapters_lists_them_all_and_each_can_be_read(server: Server) -> None:
    listed = server.get("/api/chapters").json()["chapters"]
    path = server.get("/learn")
    assert path.headers["cache-control"] == "no-cache"
    found = re.findall(r'href="/learn/([\w-]+)"', path.body.decode())
    assert found == [one["name"] for one in listed]
    for number, one in enumerate(listed, 1):
        asked = (server.get(f"/learn/{one['name']}") for _ in range(5))
        reply = next(reply for reply in asked if reply.status != 504)  # on a busy machine
        page = reply.body.decode()
        assert (reply.status, reply.headers["cache-control"]) == (200, "no-cache")
        assert f"hapter {number} of {len(listed)}" in page
        assert page.count('aria-current="page"') == 1
        places = re.findall(r'\bid="([^"]+)"', page)
        assert len(places) == len(set(places)), one["name"]
        links = {link for link in re.findall(r'href="#([\w-]+)"', page) if not link.startswith("i-")}
        assert links <= set(places), one["name"]
    assert server.get("/learn/first-steps").body == server.get("/learn/first-steps").body


def test_a_bug_is_found_from_the_lab_and_from_learn_and_its_page_holds_no_line(server: Server) -> None:
    link = 'href="/lab/find"'
    assert link in server.get("/lab").markup
    assert link in server.get("/learn").markup
    page = server.get("/lab/find?network=digits&seed=3")
    assert page.body == server.get("/lab/find").body
    assert set(re.findall(r'name="network" value="(\w+)"', page.markup)) == set(OPTIONS["networks"])


def test_a_chapter_makes_sense_without_its_pictures(server: Server) -> None:
    """Every figure has a caption or words of its own, and every choice its text."""
    page = server.get("/learn/linear-layer").markup
    figure, follows = r'<div class="block figure[^"]*".*?', r'<(?:div class="(?:prose|block)|section)'
    blocks = re.findall(rf'{figure}<div class="stage"></div>(.*?)</div>{follows}', page)
    assert len(blocks) > 5
    assert all(len(re.sub(r"<[^>]+>", " ", block).split()) >= 4 for block in blocks)


def test_classes_are_offered_where_the_server_holds_them(server: Server) -> None:
    link = '<a class="link" href="/class">Teach a class</a>'
    assert link in server.get("/learn").markup
    assert server.get("/class").status == server.get("/c").status == 200
    with forked(workers=1, classes=0) as without:
        assert link not in without.get("/learn").markup
        for path in ("/class", "/class/1", "/class/1/board", "/c", "/c/BCDFGH"):
            assert (without.get(path).status, without.get(path).error["code"]) == (404, "no-classes")
