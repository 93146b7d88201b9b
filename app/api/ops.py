"""The operations: what a program may use."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, kept

router = APIRouter()


@router.get("/api/ops", responses=answers("Operations", "The operations"))
async def operations(request: Request) -> Response:
    """Every operation with its spellings, rules and reasons."""
    return await kept(request, "operations")


@router.get("/api/ops/{name}/walk", responses=answers("OperationWalk", "Its walk"))
async def operation_walk(request: Request, name: str) -> Response:
    """As `walk` the body of POST /api/walk for a line with that operation, and which `steps` are about it; else 404."""
    return await kept(request, "operation-walk", name)
