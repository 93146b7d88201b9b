"""Short drills, one rule each."""

import json
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.api.compute import answers, kept

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
    parts: list[tuple[str, bytes]] = []
    for name in ["", *filter(None, dict.fromkeys(groups.split(",")))]:
        reply = await kept(request, "drills", (seed % SETS, (name,) if name else ()))
        if reply.status_code != OK:
            return reply
        parts.append((name, bytes(reply.body)))
    titles, names = _groups(parts[0][1])
    drills = [_drills(body) for _, body in sorted(parts[1:], key=lambda part: names.index(part[0]))]
    text = f'{{"seed":{seed},"groups":{titles},"drills":[{",".join(drills)}]}}'
    return Response(text, media_type="application/json")


@lru_cache(maxsize=SETS)
def _groups(body: bytes) -> tuple[str, list[str]]:
    """The groups of a document as text, and their names in order."""
    groups = json.loads(body)["groups"]
    return json.dumps(groups, ensure_ascii=False), [group["name"] for group in groups]


@lru_cache(maxsize=SETS * 16)
def _drills(body: bytes) -> str:
    """The drills of a document as text, without the brackets round them: read once, and not at every request."""
    return json.dumps(json.loads(body)["drills"], ensure_ascii=False, separators=(",", ":"))[1:-1]
