"""Health: whether the process is alive, and whether it can compute."""

from fastapi import APIRouter, Request

from app.compute.ours import ours_of
from app.compute.pool import Pool, not_starting
from app.errors import Failure

router = APIRouter()


@router.get("/healthz")
async def alive() -> dict[str, str]:
    """The process answers."""
    return {"status": "alive"}


@router.get("/readyz")
async def ready(request: Request) -> dict[str, str | int]:
    """At least one worker has walked; 503 until then, with another code when workers fail to start.

    `locked` says what holds the workers back from files, sockets and other processes.
    """
    pool: Pool = request.app.state.pool
    if pool.failing:
        raise not_starting()
    if not (pool.warm and ours_of(request).pool.begun):
        raise Failure(503, "warming-up", "The workers are still starting.", "Ask again.", {"Retry-After": "1"})
    return {"status": "ready", "workers": pool.warm, "locked": pool.locked}
