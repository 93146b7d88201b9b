"""The starting points: programs to begin one's own from."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, kept

router = APIRouter()


@router.get("/api/starts", responses=answers("Starts", "The starting points"))
async def starts(request: Request) -> Response:
    """Every starting point: its name, title, what it is about, and the request that walks it."""
    return await kept(request, "starts")
