"""Records every page of the course and every answer that it asks for."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import groupby
from pathlib import Path, PurePath
from typing import Any, cast
from urllib.parse import quote

import backend
from app.assets import current
from app.pages import FIRST_LESSON
from app.rendering import made
from app.search import entries_of
from app.site import asked, closeup, common, glossary, lean, packing, pages, tensors
from app.site.folder import Folder
from app.site.question import Document, Question
from app.site.server import Answers, serving
from app.site.single import single

SINGLE = ("/", "/opening", "/learn", "/search", "/reference")
# What only a server can do; each page says what that is.
COMPUTED = {
    "/practise": ("Practise", "What you write there is run on many instances of its program."),
    "/practise/drills": ("Drills", "What you write there is run on many small tensors."),
    "/train": ("Train", "A training run takes its own steps."),
    "/compare": ("Side by side", "What two walks have in common is computed there."),
    "/lab": ("The lab", "Both programs of an exhibit are walked and compared there."),
    "/lab/find": ("Find the bug", "Every look is computed there."),
    "/code": ("Your code", "A program of your own is walked there."),
}
AT_ONCE = 2  # walks, each of which keeps one of the server's workers busy
MARK = ".gradwalk"  # by which a folder is known as one that may be written again
WORKER = "recorded-worker.js"  # beside the pages that it keeps for later
# No Plotly: it is larger than all that is recorded.
LATER = "problem.css", "problem.js"
IMPORTED = re.compile(r'\b(?:from |import |import\(\s*)"\./([\w-]+\.js)"')
Told = Callable[[int, int, str], None]  # how many walks are recorded, of how many, and which one was


def silent(done: int, of: int, name: str) -> None:
    """Tells nobody."""


@dataclass
class Recorded:
    """The answers about one walk: those that are filed by themselves, and those that are filed together."""

    single: list[tuple[Question, bytes]]
    together: list[list[tuple[Question, bytes]]]


def build(
    root: Path,
    lessons: Path | None,
    only: Sequence[str] = (),
    told: Told = silent,
    programs: Sequence[tuple[Document, str]] = (),
) -> tuple[int, int]:
    """Write the folder, or of the lessons `only` these; returns the number of its files and their size in bytes.

    `programs` are walks of one's own, by their requests and titles.
    """
    folder = Folder(root)
    if lessons:
        backend.serve_chapters(lessons)
    with serving(*(["--lessons", str(lessons)] if lessons else [])) as answers:
        record(answers, folder, only, told)
        record_programs(answers, folder, programs)
    folder.write(MARK, b"")
    folder.finish()
    return len(folder.written), sum(file.stat().st_size for file in folder.written)


def record(answers: Answers, folder: Folder, only: Sequence[str], told: Told = silent) -> None:
    """All pages, the files that they load, and what they ask."""
    folder.common = common_of(answers)
    chapters = [one["name"] for one in listed(answers, "chapters")]
    walks = list(walks_of(answers))
    for name in walks:
        folder.know(name)
    record_first_pages(answers, folder)
    folder.file(Question("/api/search/entries"), lean.compact({"entries": findable()}).encode())
    for name in chapters:
        if not only or name in only:
            record_page(answers, folder, f"/learn/{name}")
    record_walks(answers, folder, [name for name in walks if not only or name.partition(".")[0] in only], told)
    for path in COMPUTED:
        tell_what_it_takes(folder, path)


def common_of(answers: Answers) -> bytes:
    """What the answers about a walk have in common with those about others."""
    recorded = [walk_recorded(answers, {"lesson": name}) for name in common.PROGRAMS]
    filed = [one for walk in recorded for one in (walk.single, *walk.together)]
    return common.learnt([packing.parts(json.loads(answer))[0] for many in filed for _, answer in many])


def record_programs(answers: Answers, folder: Folder, programs: Sequence[tuple[Document, str]]) -> None:
    """Walks of one's own, each a file, with links to them below the list of chapters."""
    for walk, title in programs:
        folder.write(f"programs/{title}.html", single(answers, walk, title).encode())
    if programs:
        linked = [(quote(title), escape(title)) for _, title in programs]
        links = "".join(f'<li><a href="../programs/{address}.html">{title}</a></li>' for address, title in linked)
        path = folder.root / "learn" / "index.html"
        section = f'<section class="programs"><h2>Programs</h2><ul>{links}</ul></section></main>'
        folder.write("learn/index.html", path.read_text(encoding="utf-8").replace("</main>", section, 1).encode())


def record_walks(answers: Answers, folder: Folder, names: Sequence[str], told: Told) -> None:
    """Walks by their lessons, asked a few at a time and filed in order, so that the folder is the same each time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        each = zip(names, pool.map(partial(walk_recorded, answers), ({"lesson": name} for name in names)), strict=True)
        done = 0
        for _, some in groupby(each, lambda one: one[0].partition(".")[0]):
            walks = []
            for name, walk in some:
                record_page(answers, folder, f"/walk/{name}")
                walks.append(walk)
                told(done := done + 1, len(names), name)
            file_walks(folder, walks)


def record_first_pages(answers: Answers, folder: Folder) -> None:
    """What a reader sees before any lesson is chosen."""
    folder.write(WORKER, current().files[f"js/{WORKER}"].content)
    folder.write(pages.MANIFEST, lean.compact(pages.manifest(pages.recorded(answers.page("/"), "/"))).encode())
    for path in SINGLE:
        record_page(answers, folder, path)
    for question in asked.of_opening(answers, {"lesson": FIRST_LESSON}):
        record_answer(answers, folder, question)


def findable() -> list[dict[str, object]]:
    """All that search can find; the page looks through it."""
    entries = entries_of(cast(Any, backend.sections()), cast(Any, backend.operations()))
    told = ("kind", "title", "heading", "text", "href", "also")
    return [{**{key: getattr(one, key) for key in told}, "whole": one.whole_chapter} for one in entries]


def walks_of(answers: Answers) -> Iterator[str]:
    """Every lesson and starting point, once."""
    lessons = [name for one in listed(answers, "lessons") for name in (*one["also"], one["name"])]
    yield from dict.fromkeys([*lessons, *(one["name"] for one in listed(answers, "starts"))])


def tell_what_it_takes(folder: Folder, path: str) -> None:
    """A page in the place of one that computes."""
    place, does = COMPUTED[path]
    html = made("recorded", lesson="", place=place, does=does, sheet="problem")
    folder.write(f"{path.strip('/')}/index.html", pages.recorded(html, path).encode())


def listed(answers: Answers, what: str) -> list[Document]:
    """One of the server's lists."""
    found: list[Document] = json.loads(answers.answer(Question(f"/api/{what}")) or b"{}")[what]
    return found


def record_page(answers: Answers, folder: Folder, path: str) -> None:
    """A page, the static files that it names, and what the blocks of a chapter ask."""
    html = answers.page(path)
    for file in files_of(html):
        record_file(answers, folder, file)
    words = glossary.script(html)
    if words is not None:
        html = glossary.without(html, "/" + folder.static("glossary.js", words.encode()))
    page = pages.recorded(html, path)
    page = folder.with_its_body_apart(page) if path.startswith("/walk/") else lean.page(page)
    folder.write(f"{path.strip('/')}/index.html".lstrip("/"), page.encode())
    if path.startswith("/learn/"):
        for question in asked.of_chapter(answers, html, path.removeprefix("/learn/")):
            record_answer(answers, folder, question)


def record_file(answers: Answers, folder: Folder, file: str) -> None:
    """A static file; of a script also those that it imports, at once or later."""
    if folder.has(file):
        return
    content = answers.file(f"/{file}")
    leaner = {".js": lean.script, ".css": lean.sheet}.get(PurePath(file).suffix)
    if leaner:
        content = leaner(content.decode()).encode()
    folder.write(file, content)
    for other in IMPORTED.findall(content.decode()) if file.endswith(".js") else ():
        record_file(answers, folder, f"{file.rpartition('/')[0]}/{other}")


def files_of(html: str) -> Iterator[str]:
    """The files that a page loads, at once or later."""
    yield from re.findall(r'(?:href|src)="/(static/[^"]+)"', html)
    base = re.search(r'data-static="/(static/[^"]+)"', html)
    if base is not None:
        yield from (f"{base[1]}/{name}" for name in LATER)


def walk_recorded(answers: Answers, walk: Document) -> Recorded:
    """All that the page of a walk asks, and by what it opens every number."""
    told = ((question, answered(answers, question)) for question in asked.of_walk(answers, walk))
    single = [(question, answer) for question, answer in told if answer is not None]
    document = json.loads(single[0][1])  # the walk as it is filed
    each = tensors.of_walk(answers, document, walk)
    return Recorded(single, [list(some) for _, some in groupby(each, lambda one: one[0].path)])


def file_walks(folder: Folder, walks: Sequence[Recorded]) -> None:
    """The answers about a chapter's walks, in a folder: a walk's follow from it, and all walks from what they share."""
    shared = folder.file_shared([walk.single[0][1] for walk in walks])
    for walk in walks:
        (question, answer), *others = walk.single
        ground = folder.file(question, answer, shared)
        for question, answer in others:
            folder.file(question, answer, ground)
        for together in walk.together:
            folder.file_together(together, ground)


def record_answer(answers: Answers, folder: Folder, question: Question) -> None:
    """An answer, where there is one."""
    answer = answered(answers, question)
    if answer is not None:
        folder.file(question, answer)


def answered(answers: Answers, question: Question) -> bytes | None:
    """An answer as it is kept; None where there is none."""
    answer = closeup.answer(answers, question)
    if answer is None:
        return None
    kept = {"/api/practice/check": lean.reply, "/api/saturation": lean.drawn}
    return kept.get(question.path, lean.answer)(answer)
