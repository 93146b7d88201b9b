"""Hand a job to the pool and pass its finished document through untouched."""

import asyncio
from typing import Any

from fastapi import Request, Response

from app.workers import Pool


async def compute(request: Request, job: str, argument: Any = None) -> Response:
    """The answer of one job; the job is stopped when the client goes away before it is done."""
    pool: Pool = request.app.state.pool
    client = request.client.host if request.client else ""
    work = asyncio.ensure_future(pool.run(job, argument, client))
    gone = asyncio.ensure_future(_disconnect(request))
    try:
        await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            return Response(status_code=499)
        status, body = work.result()
        return Response(body, status, media_type="application/json")
    finally:
        work.cancel()
        gone.cancel()


async def _disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
