"""Training runs: begin one, tell it what to do, and follow its events as they come."""

import json
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from app.api.compute import answers, followed, takes
from app.client import client_name
from app.compute.answering import OK
from app.errors import Failure
from app.middleware.streams import Followed
from app.training.runs import Runs

router = APIRouter()
Id = Annotated[str, Path(max_length=64, description="as POST /api/training answered it")]
TOLD = {
    "pause": "Pause after the step under way.",
    "resume": "Go on; a run whose process has died goes on from its last state.",
    "step": "Take one step, or `count` of them, and pause.",
    "run-to": "Go on until so many steps are taken in all, and pause.",
    "stop": "End training here: losses of the whole splits, and names.",
    "restart": "Begin again from the same seed, with the learning rates as they are now.",
    "set": "Follow another schedule, change the optimiser's numbers, clip or stop clipping.",
    "compare": "Hold a step's gradients against autograd, the printed lines and central differences.",
    "replay": "Take a step again, bit for bit, so that it can be walked; long ones tell how far they are.",
    "cancel-replay": "Stop taking a step again.",
    "sample": "Tell the validation loss, and make up names.",
}
After = Annotated[int | None, Query(ge=0, description="the number of the event that came last")]
Wait = Annotated[float | None, Query(ge=0, le=30, description="seconds, for who can't follow a stream")]
UNSTORED = {"Cache-Control": "no-store"}
UNBUFFERED = {"X-Accel-Buffering": "no"}  # a proxy in front must not collect events


def runs_of(request: Request) -> Runs:
    """The server's runs."""
    runs: Runs = request.app.state.runs
    return runs


def passed_on(answer: tuple[int, bytes]) -> Response:
    """What a run's process answered, as it is."""
    return Response(answer[1], answer[0], media_type="application/json")


@router.post(
    "/api/training", status_code=201, responses=answers("Begun", "The run", 201), openapi_extra=takes("training")
)
async def begin(request: Request) -> Response:
    """Begin a run: 201 with its id; 429 or 503 with Retry-After where there are too many; 422 for what is refused."""
    run, answer = await runs_of(request).begin(client_name(request.client), await request.body())
    if answer[0] != OK:
        return passed_on(answer)
    if await request.is_disconnected():  # nobody has its id, so nobody could end it
        await runs_of(request).end(run)
    return JSONResponse(run.about() | {"events": f"/api/training/{run.id}/events"}, 201)


@router.get("/api/training/{number}", responses=answers("Standing", "How it is doing"))
async def about(request: Request, number: Id) -> Response:
    """How a run is doing: its status, the numbers of its events, and, from the run itself, what it trains and how."""
    run = await runs_of(request).find(number)
    told = run.about()
    try:
        status, body = await run.ask("about")
    except Failure as failure:
        if failure.code != "training-lost":
            raise
        return JSONResponse(told)
    if status != OK:
        return Response(body, status, media_type="application/json")
    whole = JSONResponse(told).body
    return Response(bytes(whole)[:-1] + b',"run":' + body + b"}", media_type="application/json")


@router.get(
    "/api/training/{number}/events", responses=followed("RunEvent", "RunNews"), response_class=StreamingResponse
)
async def events(
    request: Request, number: Id, after: After = None, wait: Wait = None,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> Response:  # fmt: skip
    """The events of a run from the first, or after one, which `Last-Event-ID` may tell too, then as they come, each
    once; 429 for too many.

    With `wait` it is a document: all that is new, or what comes first within so many seconds.
    """
    runs, client = runs_of(request), client_name(request.client)
    run = await runs.find(number)
    leave = runs.follow(run, client)
    if after is None:
        after = int(last_event_id) if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else 0
    if wait is None:
        return Followed(run.stream(after), UNBUFFERED, leave)
    try:
        return Response(await run.page(after, wait), media_type="application/json", headers=UNSTORED)
    finally:
        leave()


@router.get("/api/training/{number}/walk", responses=answers("StepWalk", "The request of a walk"))
async def walk(
    request: Request,
    number: Id,
    step: Annotated[int | None, Query(ge=0)] = None,
    run: Annotated[int, Query(ge=0, le=1, description="of two that keep step: 1 is the one beside the first")] = 0,
    now: Annotated[bool, Query(description="the weights after every step that is taken, on the latest inputs")] = False,
) -> Response:
    """The body of POST /api/walk that shows a step (the latest reported without `step`): its minibatch, its weights.

    Any step that the run has taken; 409 while the steps before it are taken again for longer than a moment.
    """
    asked = {"run": run} | ({"now": True} if now else {}) | ({} if step is None else {"step": step})
    body = json.dumps(asked).encode()
    return passed_on(await (await runs_of(request).find(number)).ask("walk", body))


def teller(command: str) -> Callable[[Request, str], Awaitable[Response]]:
    """What hands one command with its body to a run; the answer is the last event that came of it."""

    async def tell(request: Request, number: Id) -> Response:
        run = await runs_of(request).find(number)
        return passed_on(await run.ask(command, await request.body()))

    return tell


for name, said in TOLD.items():
    told = f"{said} The answer is the last event that came of it."
    router.add_api_route(
        f"/api/training/{{number}}/{name}", teller(name), methods=["POST"], name=name, description=told,
        responses=answers("CommandAnswer", "The last event"), openapi_extra=takes(f"training-{name}"),
    )  # fmt: skip


@router.delete("/api/training/{number}", status_code=204)
async def forget(request: Request, number: Id) -> Response:
    """End a run and forget it."""
    runs = runs_of(request)
    await runs.end(await runs.find(number))
    return Response(status_code=204)
