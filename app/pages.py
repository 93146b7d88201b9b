"""The pages: each is one template with the addresses of its scripts and the list of lessons."""

import contextlib
import json
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from fastapi import APIRouter, Request, Response

from app import __version__, assets
from app.errors import Failure
from app.problem import bare_page, templates, wants_page
from app.workers import Pool

FIRST_LESSON = "makemore-mlp"
# What the interface says of these speaks to programs.
HINTS = {
    "not-found": "These pages are there:",
    "method-not-allowed": "Open it as a link instead. These pages are there:",
}
router = APIRouter(include_in_schema=False)


@router.get("/")
async def first_page(request: Request) -> Response:
    """The page people see first: the makemore walk."""
    return await walk_page(request, FIRST_LESSON)


@router.get("/walk/{lesson}")
async def walk_page(request: Request, lesson: str) -> Response:
    """The walk through one lesson, or a page that says which lessons there are."""
    lessons = await _list(request, "lessons")
    if not any(one["name"] == lesson for one in lessons):
        unknown = Failure(404, "lesson-unknown", f"There is no lesson “{lesson[:64]}”.", HINTS["not-found"])
        return await _problem_page(request, unknown)
    return _page(request, "walk", lessons=lessons, lesson=lesson)


@router.get("/code")
async def code_page(request: Request) -> Response:
    """The page for a program of one's own; the program itself stands in the address's fragment, unseen here."""
    return _page(request, "code", lesson="")


@router.get("/reference")
async def reference_page(request: Request) -> Response:
    """Every operation of the language, as the registry tells it."""
    operations = await _list(request, "operations")
    groups = [(name, list(members)) for name, members in groupby(operations, key=itemgetter("group"))]
    return _page(request, "reference", groups=groups, count=len(operations), lesson="")


def _page(
    request: Request, page: str, status: int = 200, headers: Mapping[str, str] | None = None, /, **context: Any
) -> Response:
    files = assets.current()
    known = {"version": __version__, "static": files.base, "modules": files.modules, "page": page}
    headers = {"Cache-Control": "no-cache"} | dict(headers or {})
    return templates.TemplateResponse(request, f"{page}.html", known | context, status, headers)


async def problem(request: Request, failure: Failure) -> Response:
    """An error as a page where a page was asked for, in the one JSON shape everywhere else."""
    return await _problem_page(request, failure) if wants_page(request.scope) else failure.response()


async def _problem_page(request: Request, failure: Failure) -> Response:
    if failure.code == "internal":
        return bare_page(failure)  # what failed may be what this would be made with
    lessons: list[dict[str, Any]] = []
    if failure.status < 500:
        with contextlib.suppress(Failure):
            lessons = await _list(request, "lessons")
    failure.hint = HINTS.get(failure.code, failure.hint)
    return _page(request, "problem", failure.status, failure.headers, problem=failure, lessons=lessons, lesson="")


async def _list(request: Request, job: str) -> list[dict[str, Any]]:
    state = request.app.state
    if job not in state.lists:
        state.lists[job] = await fetched(state.pool, job)
    known: list[dict[str, Any]] = state.lists[job]
    return known


async def fetched(pool: Pool, job: str) -> list[dict[str, Any]]:
    """A list that never changes."""
    status, body = await pool.run(job)
    if status != 200:
        raise Failure(503, "list-missing", "The server could not make this page.", "Try again in a moment.")
    made: list[dict[str, Any]] = json.loads(body)[job]
    return made


async def fetch_all(pool: Pool, lists: dict[str, list[dict[str, Any]]]) -> None:
    """Ask for every list as soon as there is a worker: later a page must not wait behind programs for it."""
    for job in ("lessons", "operations"):
        with contextlib.suppress(Failure):
            lists[job] = await fetched(pool, job)
