"""Practice: an answer for one gradient is checked, and its mistake named."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post(
    "/api/practice/check", responses=answers("Checked", "What was found"), openapi_extra=takes("practice-check")
)
async def check(request: Request) -> Response:
    """Whether an answer is right on every instance, else what is wrong; 422 where there is no such gradient."""
    return await compute_posted(request, "practice-check")


@router.post("/api/practice/tasks", responses=answers("Tasks", "The tasks"), openapi_extra=takes("practice-tasks"))
async def tasks(request: Request) -> Response:
    """The gradients that can be written, in backward order, each with the names in scope by then."""
    return await compute_posted(request, "practice-tasks")
