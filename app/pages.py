"""The pages: each is one template with the addresses of its scripts and the list of lessons."""

import contextlib
import json
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app import course_map, lab_room
from app.assets import current
from app.compute.ours import ours_of
from app.compute.pool import not_starting, starting
from app.error_pages import bare_page, wants_page
from app.errors import Failure
from app.options import OPTIONS
from app.rendering import made, templates
from app.search import LONGEST_QUERY, Index, entries_of, found

FIRST_LESSON = "makemore-mlp"
FIRST_CHAPTER = "first-steps"
FRESH = {"Cache-Control": "no-cache"}
# What the interface says of these speaks to programs.
HINTS = {
    "not-found": "These pages are there:",
    "method-not-allowed": "Open it as a link instead. These pages are there:",
}


async def begun(request: Request) -> None:
    """Say that the server is starting, as long as no worker is there yet for what a page is made of and asks for."""
    pools = request.app.state.pool, ours_of(request).pool
    if not all(pool.begun for pool in pools):
        raise not_starting() if any(pool.failing for pool in pools) else starting()


router = APIRouter(include_in_schema=False, dependencies=[Depends(begun)])


@router.get("/")
async def first_page(request: Request) -> Response:
    """The first page: the makemore walk."""
    return await walk_page(request, FIRST_LESSON)


@router.get("/opening")
async def opening_page(request: Request) -> Response:
    """The whole in half a minute: what a browser shows first of all, once (see static/js/early.js)."""
    chapters = {one["name"]: one for one in (await _chapters(request))["chapters"]}
    minutes, parts = chapters.get(FIRST_CHAPTER, {}).get("minutes"), chapters.get(FIRST_LESSON, {}).get("needs", [])
    return _page(request, "opening", FIRST_LESSON, chapter=FIRST_CHAPTER, minutes=minutes, parts=parts)


@router.get("/walk/{lesson}")
async def walk_page(request: Request, lesson: str) -> Response:
    """The walk through one lesson or starting point, or a page that says which lessons there are."""
    return await _subject_page(request, "walk", lesson)


@router.get("/practise")
async def first_practise_page(request: Request) -> Response:
    """The first lesson's gradients to be written; or those of a program in the address's fragment, unseen here."""
    return await practise_page(request, FIRST_LESSON)


@router.get("/practise/drills")
async def drills_page(request: Request) -> Response:
    """Short drills, one rule each; which ones stands in the address's query, and is none of the server's business."""
    return _page(request, "drills")


@router.get("/drills")
async def drills_moved(request: Request) -> Response:
    """Where somebody looks for the drills who types the address."""
    return RedirectResponse(str(request.url.replace(scheme="", netloc="", path="/practise/drills")), 308)


@router.get("/practise/{lesson}")
async def practise_page(request: Request, lesson: str) -> Response:
    """The gradients of one lesson or starting point to be written, or a page that says which lessons there are."""
    return await _subject_page(request, "practise", lesson)


@router.get("/train")
async def first_train_page(request: Request) -> Response:
    """The first lesson to be trained; or a program in the address's fragment, unseen here."""
    return await train_page(request, FIRST_LESSON)


@router.get("/train/{lesson}")
async def train_page(request: Request, lesson: str) -> Response:
    """The training run of one lesson or starting point, or a page that says which lessons there are."""
    return await _subject_page(request, "train", lesson)


@router.get("/code")
async def code_page(request: Request) -> Response:
    """The page for a program of one's own; the program itself stands in the address's fragment, unseen here."""
    return _page(request, "code")


@router.get("/compare")
async def compare_page(request: Request) -> Response:
    """Two walks side by side; which ones stands in the address's fragment, unseen here."""
    lessons, programs = await _walked(request)
    contrasts = [one for one in await _exhibits(request) if one["kind"] == "contrast"]
    return _page(request, "compare", lessons=lessons, programs=programs, contrasts=contrasts)


@router.get("/lab")
async def lab_page(request: Request, by: Literal["sight", "chapter"] = "sight") -> Response:
    """The room of exhibits: mistakes that happened, and the files that can't be read."""
    listed = await ours_of(request).listed("exhibits")
    groups = lab_room.groups(await _exhibits(request), by)
    loops = lab_room.loops(OPTIONS["loops"])
    return _page(request, "lab", "", by, groups=groups, loops=loops, by=by, faults=listed["faults"])


@router.get("/lab/find")
async def find_page(request: Request) -> Response:
    """A network with a bug to be found; which one stands in the address's query, and the page asks for it."""
    return _page(request, "find", networks=OPTIONS["networks"])


@router.get("/lab/{name}")
async def exhibit_page(request: Request, name: str) -> Response:
    """One exhibit of the lab; its answer is there, and shown once it was asked for."""
    room = [one for group in lab_room.groups(await _exhibits(request)) for one in group["exhibits"]]
    names = [one["name"] for one in room]
    if name not in names:
        unknown = Failure(404, "exhibit-unknown", f"There is no exhibit “{name[:64]}”.", HINTS["not-found"])
        return await _problem_page(request, unknown)
    status, body = await ours_of(request).answer("exhibit", name)
    if status != 200:
        error = json.loads(body)["error"]
        raise Failure(status, error["code"], error["message"], error["hint"])
    return _page(
        request, "exhibit", "", name, exhibit=json.loads(body),
        following=next(iter(room[names.index(name) + 1 :]), None),
    )  # fmt: skip


def teaches(request: Request) -> None:
    """Say so where the server holds no classes."""
    if not request.app.state.classes:
        raise Failure(404, "no-classes", "There are no classes on this server.", "Begin one on another server.")


@router.get("/class", dependencies=[Depends(teaches)])
@router.get("/class/{name}", dependencies=[Depends(teaches)])
async def class_page(request: Request) -> Response:
    """Where a class is begun and taught; which one, and whether this is its teacher, the page asks by itself."""
    lessons, programs = await _walked(request)
    return _page(request, "class", lessons=lessons, programs=programs)


@router.get("/class/{name}/board", dependencies=[Depends(teaches)])
async def board_page(request: Request) -> Response:
    """What is projected on the wall."""
    return _page(request, "board")


@router.get("/c", dependencies=[Depends(teaches)])
@router.get("/c/{code}", dependencies=[Depends(teaches)])
async def seat_page(request: Request) -> Response:
    """Where one joins a class by the code on the wall, or by a link that has it."""
    return _page(request, "seat")


@router.get("/reference")
async def reference_page(request: Request) -> Response:
    """Every operation of the language, as the registry tells it."""
    operations = await _list(request, "operations")
    groups = [(name, list(members)) for name, members in groupby(operations, key=itemgetter("group"))]
    uses = await _list(request, "uses")
    return _page(request, "reference", groups=groups, count=len(operations), uses=uses)


@router.get("/learn")
async def learn_page(request: Request) -> Response:
    """The path of chapters, with the files that can't be read."""
    listed = await _chapters(request)
    chapters = listed["chapters"]
    stops = course_map.stops(chapters)
    drawn = {"routes": course_map.routes(chapters), "stops": stops, "lines": course_map.lines(stops)}
    return _page(request, "learn", chapters=chapters, faults=listed["faults"], **drawn)


@router.get("/learn/{name}")
async def chapter_page(request: Request, name: str) -> Response:
    """One chapter, or a page that says what is wrong with its file."""
    kept: dict[tuple[str, str], str] = request.app.state.pages
    if ("chapter", name) in kept and not request.app.state.reload:
        return _page(request, "chapter", name)
    listed = (await _chapters(request))["chapters"]
    status, body = await ours_of(request).answer("chapter", name)
    if status != 200:
        error = json.loads(body)["error"]
        raise Failure(status, error["code"], error["message"], error["hint"])
    places = [one["name"] for one in listed]
    place = places.index(name)
    return _page(
        request, "chapter", name,
        chapter=json.loads(body), number=place + 1, count=len(places),
        previous=listed[place - 1] if place else None,
        following=listed[place + 1] if place + 1 < len(places) else None,
    )  # fmt: skip


@router.get("/search")
async def search_page(request: Request, q: Annotated[str, Query(max_length=LONGEST_QUERY)] = "") -> Response:
    """What a search finds; made for each query, and not kept."""
    answer = found(q, await search_entries(request))
    return HTMLResponse(made("search", lesson="", query=answer.query, results=answer.results), headers=FRESH)


async def search_entries(request: Request) -> Index:
    """All that can be found, gathered when first asked for."""
    state = request.app.state
    if "entries" not in state.lists or state.reload:
        state.lists["entries"] = Index(entries_of(await _list(request, "sections"), await _list(request, "operations")))
    return cast(Index, state.lists["entries"])


async def _chapters(request: Request) -> dict[str, list[dict[str, object]]]:
    """The chapters, and the files that can't be read."""
    lists = request.app.state.lists
    if "chapters" not in lists or request.app.state.reload:
        lists["chapters"] = await ours_of(request).listed("chapters")
    return cast(dict[str, list[dict[str, object]]], lists["chapters"])


async def _exhibits(request: Request) -> list[lab_room.Exhibit]:
    """The exhibits of the lab."""
    return cast(list[lab_room.Exhibit], (await ours_of(request).listed("exhibits"))["exhibits"])


async def _walked(request: Request) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """The lessons, and the starting points that are no lessons."""
    lessons, starts = await _list(request, "lessons"), await _list(request, "starts")
    taken = _names(lessons)
    return lessons, [one for one in starts if not taken & {one["name"], one["title"]}]


def _names(lessons: list[dict[str, object]]) -> set[object]:
    """By what lessons and their programs are called."""
    return {name for one in lessons for name in (*cast(list[str], one["also"]), one["name"], one["title"])}


async def _subject_page(request: Request, page: str, lesson: str) -> Response:
    """A page about one lesson or starting point, or a program of the lab; what is both is listed as a lesson."""
    lessons, programs = await _walked(request)
    starts, shown = await _list(request, "starts"), dict(lab_room.programs(await _exhibits(request)))
    if lesson not in _names(lessons) | shown.keys() and not any(one["name"] == lesson for one in programs):
        unknown = Failure(404, "lesson-unknown", f"There is no lesson “{lesson[:64]}”.", HINTS["not-found"])
        return await _problem_page(request, unknown)
    subject = shown.get(lesson) or _title(lesson, lessons, starts)
    return _page(request, page, lesson, lessons=lessons, programs=programs, subject=subject)


def _title(lesson: str, lessons: list[dict[str, object]], starts: list[dict[str, object]]) -> object:
    """What a subject is called: a chapter's further program after its chapter."""
    titles = {one["name"]: one["title"] for one in (*starts, *lessons)}
    if lesson in titles:
        return titles[lesson]
    chapter, _, program = lesson.partition(".")
    return f"{titles.get(chapter, chapter)}: {program}"


def _page(request: Request, page: str, lesson: str = "", about: str = "", /, **context: Any) -> Response:
    """A rendered page, cached: there are as many as lessons and exhibits, and they never change."""
    if request.app.state.reload:
        _forget(request)
    kept: dict[tuple[str, str], str] = request.app.state.pages
    key = page, lesson or about
    if key not in kept:
        state = request.app.state
        kept[key] = made(page, lesson=lesson, embeds=state.embeds, classes=state.classes, **context)
    return HTMLResponse(kept[key], headers=FRESH)


def _forget(request: Request) -> None:
    """Read templates, scripts and styles anew."""
    request.app.state.pages.clear()
    if templates.cache is not None:
        templates.cache.clear()
    current.cache_clear()


async def problem(request: Request, failure: Failure) -> Response:
    """An error as a page where a page was asked for, in the one JSON shape everywhere else."""
    return await _problem_page(request, failure) if wants_page(request.scope) else failure.response()


async def _problem_page(request: Request, failure: Failure) -> Response:
    if failure.code == "internal":
        return bare_page(failure)  # what failed may be what this would be made with
    if failure.code == "starting":
        return HTMLResponse(made("starting", lesson=""), failure.status, FRESH | dict(failure.headers or {}))
    lessons: list[dict[str, object]] = []
    if failure.status < 500 and ours_of(request).pool.begun:
        with contextlib.suppress(Failure):
            lessons = await _list(request, "lessons")
    failure.hint = HINTS.get(failure.code, failure.hint)
    page = made("problem", problem=failure, lessons=lessons, lesson="")
    return HTMLResponse(page, failure.status, FRESH | dict(failure.headers or {}))


async def _list(request: Request, job: str) -> list[dict[str, object]]:
    lists = request.app.state.lists
    if job not in lists or request.app.state.reload:
        lists[job] = (await ours_of(request).listed(job))[job]
    known: list[dict[str, object]] = lists[job]
    return known
