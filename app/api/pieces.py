"""Pieces for single steps of a walk: which ones it has, and each of them."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/pieces", responses=answers("Pieces", "The pieces"), openapi_extra=takes("pieces"))
async def pieces(request: Request) -> Response:
    """Which pieces a walk has: kind, tensor, and the steps at which each is offered."""
    return await compute_posted(request, "pieces")


@router.post("/api/derivation", responses=answers("Derivation", "The stages"), openapi_extra=takes("derivation"))
async def derivation(request: Request) -> Response:
    """A closed form stage by stage, each run and held against the one before; 422 where nothing collapses."""
    return await compute_posted(request, "derivation")


@router.post("/api/order", responses=answers("SearchOrder", "The search"), openapi_extra=takes("order"))
async def order(request: Request) -> Response:
    """The search that orders the backward pass, call by call; 422 where the graph is too large."""
    return await compute_posted(request, "order")


@router.post("/api/threeways", responses=answers("ThreeWays", "The three ways"), openapi_extra=takes("threeways"))
async def threeways(request: Request) -> Response:
    """The gradient of a picked table in three ways; 422 where no rows of it are picked."""
    return await compute_posted(request, "threeways")


@router.post(
    "/api/saturation", responses=answers("Saturation", "What is let through"), openapi_extra=takes("saturation")
)
async def saturation(request: Request) -> Response:
    """What an activation lets through, at several scales of a parameter; 422 where it can't saturate."""
    return await compute_posted(request, "saturation")


@router.post("/api/throughtime", responses=answers("ThroughTime", "The norms"), openapi_extra=takes("throughtime"))
async def throughtime(request: Request) -> Response:
    """A gradient's norm along a series, at several scales of its weight; 422 where there is none."""
    return await compute_posted(request, "throughtime")
