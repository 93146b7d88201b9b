"""One step of a walk, cell by cell: a long walk sends most of its tensors as blocks first."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/step", responses=answers("StepTensors", "The tensors"), openapi_extra=takes("step"))
async def step(request: Request) -> Response:
    """The tensors that a step shows, cell by cell; 422 where the walk has no such step or tensor."""
    return await compute_posted(request, "step")


@router.post("/api/steps", responses=answers("StepParts", "What belongs to single steps"), openapi_extra=takes("steps"))
async def steps(request: Request) -> Response:
    """What a walk leaves out until somebody comes near it; 422 where the walk has no such step or tensor."""
    return await compute_posted(request, "steps")
