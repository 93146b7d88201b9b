"""Hands a job to the worker pool and passes its finished JSON through as bytes."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from fastapi import Request, Response

from app.bodies import BODIES
from app.body import Posted
from app.client import client_name
from app.compute.answering import Answer
from app.compute.ours import ours_of
from app.compute.pool import Pool


def takes(job: str, example: Mapping[str, object] | None = None) -> dict[str, Any]:
    """The description of the body that a job is asked with; the body itself is judged in a worker."""
    described: dict[str, Any] = {"schema": {"$ref": f"#/components/schemas/{BODIES[job].__name__}"}}
    if example is not None:
        described["example"] = example
    return {"requestBody": {"required": True, "content": {"application/json": described}}}


def answers(name: str, description: str, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """The description of an answer by the name of its type, which the engine describes."""
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {status: {"description": description, "content": {"application/json": {"schema": schema}}}}


def files(media_type: str, description: str) -> dict[int | str, dict[str, Any]]:
    """The description of an answer that is a file."""
    return {200: {"description": description, "content": {media_type: {}}}}


def streams(name: str) -> dict[int | str, dict[str, Any]]:
    """The description of an answer that is a stream of events, whose data are of that type."""
    inside = {"$ref": f"#/components/schemas/{name}"}
    event = {"type": "string", "contentMediaType": "application/json", "contentSchema": inside}
    described = f"Server-sent events, whose data are each a {name}"
    return {200: {"description": described, "content": {"text/event-stream": {"schema": event}}}}


def followed(name: str, news: str) -> dict[int | str, dict[str, Any]]:
    """The description of an answer that is a stream, or with `wait` what there is of it as a document."""
    (stream,), (document,) = streams(name).values(), answers(news, "").values()
    content = stream["content"] | document["content"]
    return {200: {"description": f"{stream['description']}; with `wait` a {news}", "content": content}}


async def compute_posted(request: Request, job: str, **options: Any) -> Response:
    """The answer of one job to a body; the event loop looks only into short ones, which may be about a walk of ours."""
    posted, ours = Posted(await request.body(), options), ours_of(request)
    if (known := ours.recognised(job, posted)) is not None:
        return await _answered(request, ours.walked(job, known, client_name(request.client)))
    if ours.near(job, posted):
        return await _answered(request, ours.pool.run(job, posted, client_name(request.client)))
    return await compute(request, job, posted)


async def compute(request: Request, job: str, argument: Any = None) -> Response:
    """The answer of one job; the job is stopped when the client goes away before it is done."""
    pool: Pool = request.app.state.pool
    return await _answered(request, pool.run(job, argument, client_name(request.client)))


async def kept(request: Request, job: str, argument: Any = None) -> Response:
    """The answer of one job that is ours, computed once."""
    return await _answered(request, ours_of(request).answer(job, argument, client_name(request.client)))


async def _answered(request: Request, answer: Coroutine[Any, Any, Answer]) -> Response:
    """The answer as a response; its computing is called off when the client goes away before it is there."""
    stay = asyncio.timeout(None)
    watch = asyncio.create_task(_disconnect(request, stay))
    try:
        async with stay:
            status, body = await answer
    except TimeoutError:
        if not stay.expired():
            raise
        return Response(status_code=499)
    finally:
        watch.cancel()
    return Response(body, status, media_type="application/json")


async def _disconnect(request: Request, stay: asyncio.Timeout) -> None:
    """End the client's stay once it has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    stay.reschedule(asyncio.get_running_loop().time())
