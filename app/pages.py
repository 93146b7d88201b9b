"""The pages: each is one template with the addresses of its scripts and the list of lessons."""

import json
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.templating import Jinja2Templates

from app import __version__, assets
from app.settings import folder
from app.workers import Pool

FIRST_LESSON = "makemore-mlp"
templates = Jinja2Templates(folder("templates"))
router = APIRouter(include_in_schema=False)


@router.get("/")
async def first_page(request: Request) -> Response:
    """The page people see first: the makemore walk."""
    return await walk_page(request, FIRST_LESSON)


@router.get("/walk/{lesson}")
async def walk_page(request: Request, lesson: str) -> Response:
    """The walk through one lesson; an unknown lesson is still the page, which then says so."""
    lessons = await _lessons(request)
    known = any(one["name"] == lesson for one in lessons)
    return _page(request, "walk", 200 if known else 404, lessons=lessons, lesson=lesson)


@router.get("/code")
async def code_page(request: Request) -> Response:
    """The page for a program of one's own; the program itself stands in the address's fragment, unseen here."""
    return _page(request, "code", lesson="")


def _page(request: Request, page: str, status: int = 200, **context: Any) -> Response:
    files = assets.current()
    known = {"version": __version__, "static": files.base, "modules": files.modules, "page": page}
    headers = {"Cache-Control": "no-cache"}
    return templates.TemplateResponse(request, f"{page}.html", known | context, status, headers)


async def _lessons(request: Request) -> list[dict[str, Any]]:
    """The lessons, asked for once: a page does not wait behind programs for a list that never changes."""
    state = request.app.state
    if not getattr(state, "lessons", None):
        pool: Pool = state.pool
        status, body = await pool.run("lessons")
        state.lessons = json.loads(body)["lessons"] if status == 200 else []
    lessons: list[dict[str, Any]] = state.lessons
    return lessons
