"""Short drills, one rule each."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from app.api.compute import answers, compute

router = APIRouter()
LARGEST = 10**9
OK = 200
# So many sets of sizes and numbers there are, of which a seed chooses one: each is made once, group by group.
SETS = 16


@router.get("/api/drills", responses=answers("Drills", "The drills"))
async def drills_of(
    request: Request,
    seed: Annotated[int, Query(ge=0, le=LARGEST)] = 1,
    groups: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The groups of drills, and the drills of those named, such as `reductions,products`; a seed repeats its own.

    Each has the lines of its program, the gradient to be written, the names in scope with their shapes, and as `walk`
    what POST /api/practice/check is asked with.
    """
    parts: list[Any] = []
    for name in ["", *filter(None, dict.fromkeys(groups.split(",")))]:
        status, body = await _of_group(request, seed % SETS, name)
        if status != OK:
            return Response(body, status, media_type="application/json")
        parts.append(json.loads(body))
    known = parts[0]["groups"]
    places = {group["name"]: place for place, group in enumerate(known)}
    drills = sorted((drill for part in parts for drill in part["drills"]), key=lambda drill: places[drill["group"]])
    return JSONResponse({"seed": seed, "groups": known, "drills": drills})


async def _of_group(request: Request, number: int, name: str) -> tuple[int, bytes]:
    """One group's drills of one set as a document, from a worker where nobody has asked for them yet."""
    kept: dict[tuple[int, str], bytes] = request.app.state.drills
    if (number, name) not in kept:
        reply = await compute(request, "drills", (number, (name,) if name else ()))
        if reply.status_code != OK:
            return reply.status_code, bytes(reply.body)
        kept[number, name] = bytes(reply.body)
    return OK, kept[number, name]
