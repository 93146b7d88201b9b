"""Every address of the table of endpoints; few have more to do than to ask a worker."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request, Response

from app.api import chapters, check, export, walk
from app.api.compute import answers, compute_posted, takes
from app.endpoints import ENDPOINTS, Endpoint

router = APIRouter()
OTHERWISE: dict[str, Callable[..., Awaitable[Response]]] = {
    "walk": walk.walk, "check": check.check, "chapters-answer": chapters.answer,
    "export": export.export,
}  # fmt: skip


def asking(endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """What hands a body to a worker, and its answer on."""

    async def ask(request: Request) -> Response:
        return await compute_posted(request, endpoint.job)

    return ask


for endpoint in ENDPOINTS:
    router.add_api_route(
        endpoint.path, OTHERWISE.get(endpoint.job) or asking(endpoint), methods=["POST"],
        name=endpoint.path.rpartition("/")[2], description=endpoint.about,
        responses=answers(endpoint.answer, "The answer"), openapi_extra=takes(endpoint.job, endpoint.example),
    )  # fmt: skip
