"""A live class: opened, joined by its code, followed as it goes, answered, and forgotten."""

import asyncio
import csv
import io
import json
import math
import time
from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Path, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse

from app.api.compute import answers, files, followed, takes
from app.body import BodyError, validated
from app.classroom import joining, keys, tally
from app.classroom.class_types import AnswerKept, ClassBegun, Entered, Part, Seated
from app.classroom.requests import ClassAnswerRequest, ClassCommand, ClassRequest, EnterRequest, JoinRequest
from app.classroom.room import Room
from app.classroom.rooms import Rooms
from app.classroom.seats import seat_cookie, seat_in
from app.client import client_name
from app.connection.places import teaching
from app.errors import Failure
from app.events.stream import PING, follow, page, paged
from app.middleware.streams import Followed

router = APIRouter()
Id = Annotated[str, Path(max_length=64, description="as POST /api/class answered it")]
Cookied = Annotated[str | None, Cookie(max_length=100)]
After = Annotated[int, Query(ge=0)]
Wait = Annotated[float | None, Query(ge=0, le=30)]
UNBUFFERED = {"X-Accel-Buffering": "no", "Cache-Control": "no-store, no-transform"}
LOOK_EVERY = 0.25  # seconds between two pictures of a board, at the least
PING_EVERY = 40  # looks
STREAMS_PER_SEAT = 3
RESET = b'{"kind": "reset"}'
PARTS: tuple[Part, ...] = ("teacher", "board")


def rooms_of(request: Request) -> Rooms:
    """The server's classes."""
    rooms: Rooms = request.app.state.rooms
    return rooms


async def read(request: Request, job: str) -> Any:
    """A body, judged by its model; 400 or 422 for what doesn't fit."""
    try:
        return validated(job, await request.body())
    except BodyError as refused:
        raise Failure(refused.status, refused.code, str(refused), refused.hint) from None


@router.post(
    "/api/class", status_code=201, responses=answers("ClassBegun", "The class", 201), openapi_extra=takes("class")
)
async def begin(request: Request) -> Response:
    """Open a class: 201 with its name, its code, and the keys of its teacher and its board; 429 or 503 for too many."""
    asked: ClassRequest = await read(request, "class")
    room = await rooms_of(request).begin(asked.address, client_name(request.client))
    teacher, board = (keys.key(room.secret, part) for part in ("teacher", "board"))
    begun: ClassBegun = {"id": room.name, "code": room.code, "teacher": teacher, "board": board}
    return JSONResponse(begun, 201)


@router.post("/api/class/join", responses=answers("Seated", "The seat"), openapi_extra=takes("class-join"))
async def join(request: Request) -> Response:
    """Take a seat in the class with that code: 404 for none, 409 while nobody may join, 429 after too many tries.

    The seat is lost unless its events are followed within two minutes.
    """
    asked: JoinRequest = await read(request, "class-join")
    room, seat = await rooms_of(request).join(asked.code, client_name(request.client))
    seated: Seated = {"id": room.name}
    answer = JSONResponse(seated)
    remember(answer, room, "seat", seat_cookie(room, seat, time.time()))
    return answer


@router.post("/api/class/{number}/enter", responses=answers("Entered", "The part"), openapi_extra=takes("class-enter"))
async def enter(request: Request, number: Id) -> Response:
    """Exchange a teacher's or a board's key for a cookie, so that it is in no address; 403 for any other key.

    One browser may have both: the teacher's page on the laptop's own screen, the wall on the projector.
    """
    asked: EnterRequest = await read(request, "class-enter")
    room = await rooms_of(request).find(number)
    part = part_of(request, room, asked.key, asked.key)
    entered: Entered = {"part": part, "code": room.code, "board": keys.key(room.secret, "board")}
    answer = JSONResponse(entered)
    remember(answer, room, part, asked.key)
    return answer


def remember(answer: Response, room: Room, name: str, value: str) -> None:
    """Give a browser what proves its part, for this class alone and out of its scripts' reach."""
    answer.set_cookie(name, value, path=f"/api/class/{room.name}", httponly=True, samesite="strict", max_age=43200)


@router.get("/api/class/{number}/state", responses=answers("ClassState", "The state"))
async def state(request: Request, number: Id, seat: Cookied = None) -> Response:
    """Where the class is now, with the number of its latest event: what somebody who comes late needs; 401 without a
    seat."""
    room = await rooms_of(request).find(number)
    return JSONResponse(room.state(seat_in(room, seat)))


@router.get(
    "/api/class/{number}/events", responses=followed("ClassTold", "ClassNews"), response_class=StreamingResponse
)
async def events(request: Request, number: Id, after: After = 0, wait: Wait = None, seat: Cookied = None) -> Response:
    """What everyone is told, after an event, then as it comes; 401 without a seat, 409 where no seat is left, 429 for
    too many streams of one.

    With `wait` it is a document: all that is new, or what comes first within so many seconds.
    """
    room = await rooms_of(request).find(number)
    own = seat_in(room, seat)
    if wait is None and room.here.streams[own] >= STREAMS_PER_SEAT:
        raise Failure(429, "streams-full", "This class is open in too many tabs.", "Close one.", {"Retry-After": "5"})
    if after > room.show.last:  # what was told at another server a moment ago, unless it is lost
        await rooms_of(request).journal.caught_up(number)
    await rooms_of(request).come(room, own, client_name(request.client))
    if wait is not None:
        room.here.asked(own, wait)
        return document(await _news(room, after, wait))
    return Followed(present(room, own, after), UNBUFFERED)


def document(news: bytes) -> Response:
    """News as they are answered to who waits for them."""
    return Response(news, media_type="application/json", headers={"Cache-Control": "no-store"})


async def _news(room: Room, after: int, wait: float) -> bytes:
    if after > room.show.last:  # of a class that has lost its latest events
        return paged([(room.show.last, RESET)])
    return await page(room.show, after, wait)


async def present(room: Room, seat: int, after: int) -> AsyncGenerator[bytes, None]:
    """What everyone is told, to somebody who counts as present meanwhile."""
    with room.here.follows(seat):
        if after > room.show.last:  # of a class that has lost its latest events
            yield b"data: %s\n\n" % RESET
            after = room.show.last
        async for lines in follow(room.show, after):
            yield lines


@router.get(
    "/api/class/{number}/board", responses=followed("ClassPicture", "ClassPictures"), response_class=StreamingResponse
)
async def board(
    request: Request, number: Id, part: Part | None = None, after: After = 0, wait: Wait = None,
    teacher: Cookied = None, board: Cookied = None,
) -> Response:  # fmt: skip
    """Pictures of the class, each whole, as often as something changes: for its teacher all of it, for the wall
    (`part=board`, or who has the wall's key alone) what was shown to everyone; 403 for anybody else.

    With `wait` it is a document: the picture, at once if it is another one than `after`, else within so many seconds.
    """
    room = await rooms_of(request).find(number)
    all_of_it = part_of(request, room, teacher, board) == "teacher" and part != "board"
    join = join_address(request)
    if wait is not None:
        await another(room, after, wait)
        return document(paged([(room.version, drawn(room, join, all_of_it))]))
    return Followed(pictures(room, join, all_of_it), UNBUFFERED)


@router.get("/api/class/{number}/qr.svg", responses=files("image/svg+xml", "The picture"), response_class=Response)
async def code_picture(request: Request, number: Id, teacher: Cookied = None, board: Cookied = None) -> Response:
    """The address that joins the class, with its code, as a picture that a phone reads; 403 for all but its boards."""
    room = await rooms_of(request).find(number)
    part_of(request, room, teacher, board)
    picture = joining.picture_of(f"{join_address(request)}/{room.code}")
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def join_address(request: Request) -> str:
    """Where students join, as far as this request shows."""
    return joining.join_address(f"{request.url.scheme}://{request.url.netloc}", request.app.state.join_origin)


def part_of(request: Request, room: Room, *given: str | None) -> Part:
    """What the keys of a browser prove, in the order of PARTS: the class's teacher, for whom there is room from then
    on, or its board; 403 for anybody else."""
    for part, key in zip(PARTS, given, strict=False):
        if keys.proves(room.secret, part, key or ""):
            if part == "teacher":
                teaching(request.scope)
            return part
    raise Failure(403, "not-yours", "This class is somebody else's.", "Open the link that began the class.")


async def pictures(room: Room, join: str, all_of_it: bool) -> AsyncGenerator[bytes, None]:
    """What a board shows, whenever it is something else than before."""
    shown, looks = -1, 0
    while True:
        looks += 1
        if room.version != shown:
            shown = room.version
            yield b"id: %d\ndata: %s\n\n" % (shown, drawn(room, join, all_of_it))
        elif looks % PING_EVERY == 0:
            yield PING
        if room.ended or room.show.closed:
            return
        await asyncio.sleep(LOOK_EVERY)


def drawn(room: Room, join: str, all_of_it: bool) -> bytes:
    """The picture of a board as it is sent."""
    return json.dumps(tally.picture(room, join, all_of_it=all_of_it)).encode()


async def another(room: Room, version: int, seconds: float) -> None:
    """Wait until a board has something else to show, but no longer than this."""
    for _ in range(math.ceil(seconds / LOOK_EVERY)):
        if room.version != version or room.show.closed:
            return
        await asyncio.sleep(LOOK_EVERY)


@router.post(
    "/api/class/{number}/tell", responses=answers("ClassEvent", "The event"), openapi_extra=takes("class-tell")
)
async def tell(request: Request, number: Id, teacher: Cookied = None) -> Response:
    """Carry out what the teacher says; the answer is the event that came of it. 403 for anybody else."""
    room = await rooms_of(request).find(number)
    part_of(request, room, teacher)
    command: ClassCommand = await read(request, "class-tell")
    return JSONResponse(await rooms_of(request).tell(room, command.root))


@router.post(
    "/api/class/{number}/answers", status_code=201, responses=answers("AnswerKept", "It is kept", 201),
    openapi_extra=takes("class-answers"),
)  # fmt: skip
async def answer(request: Request, number: Id, seat: Cookied = None) -> Response:
    """Keep an answer: 201 once it is kept, 200 for the same again; 409 for what was not asked, or from who never
    followed, 503 where it can't be kept."""
    room = await rooms_of(request).find(number)
    own = seat_in(room, seat)
    asked: ClassAnswerRequest = await read(request, "class-answers")
    new, event = await rooms_of(request).answer(room, own, asked)
    kept: AnswerKept = {"late": event["late"]}
    return JSONResponse(kept, 201 if new else 200)


@router.put("/api/class/{number}/here", status_code=204, openapi_extra=takes("class-here"))
async def here(request: Request, number: Id, seat: Cookied = None) -> Response:
    """Say where one is in an exercise, for the teacher's strip, which shows how many are where: it is not kept, and
    passed over while one doesn't follow the class; 429 for more than four times in twenty seconds."""
    room = await rooms_of(request).find(number)
    own = seat_in(room, seat)
    rooms_of(request).stand(room, own, await read(request, "class-here"))
    return Response(status_code=204)


@router.get(
    "/api/class/{number}/answers.csv", responses=files("text/csv", "The table"), response_class=PlainTextResponse
)
async def exported(request: Request, number: Id, teacher: Cookied = None) -> Response:
    """All answers as a table, for the teacher alone."""
    room = await rooms_of(request).find(number)
    part_of(request, room, teacher)
    file = io.StringIO()
    write = csv.writer(file)
    write.writerow(["seat", "question", "round", "revision", "late", "seconds", "correct", "mistake", "answer"])
    write.writerows(rows(room))
    headers = {"Content-Disposition": 'attachment; filename="class.csv"'}
    return Response(file.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def rows(room: Room) -> list[list[object]]:
    """One row for each seat's latest answer in each round, and one for what it has given late."""
    found: list[list[object]] = []
    for given in room.answers():
        number, value = given["question"], given["value"]
        question = room.questions[number]
        if isinstance(value, int):
            correct, mistake, text = value == room.truths[number]["right"], "", tally.label(question, value)
        else:
            verdict = room.verdicts.get((number, value))
            correct, mistake, text = bool(verdict and verdict["correct"]), verdict["code"] if verdict else "", value
        seconds = round(given["at"] - question.at[given["round"] - 1], 1)
        counted = given["seat"], number, given["round"], given["revision"], given["late"]
        found.append([*counted, seconds, correct, mistake, harmless(text)])
    return found


def harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula of its own."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t"} else text


@router.delete("/api/class/{number}", status_code=204)
async def forget(request: Request, number: Id, teacher: Cookied = None) -> Response:
    """End the class and forget it; 403 for anybody but its teacher."""
    room = await rooms_of(request).find(number)
    part_of(request, room, teacher)
    await rooms_of(request).end(room)
    return Response(status_code=204)
