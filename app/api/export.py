"""A walk as a file of its own."""

import asyncio
import json

from fastapi import Request, Response

from app.api.compute import compute_posted
from app.compute.answering import encode
from app.site import alone

OK = 200


async def export(request: Request) -> Response:
    """The file; a page's answers come from a worker, and what stands around them is the same for all."""
    answer = await compute_posted(request, "export")
    if answer.status_code != OK:
        return answer
    return Response(await asyncio.to_thread(filed, bytes(answer.body)), media_type="application/json")


def filed(body: bytes) -> bytes:
    """An exported file; one that is a page with the page."""
    told = json.loads(body)
    if "page" not in told:
        return body
    text = alone.page(**told["page"])
    return encode({"filename": told["filename"], "media_type": "text/html", "text": text})
