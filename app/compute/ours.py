"""What is ours: chapters, lists, drills, the walks of lessons and of the reference; each is computed once and kept.

It has a worker to itself, which no program of a stranger's ever meets: none can keep it waiting, and none could leave
anything behind in an answer that everybody is given. The deadline of programs is none of its.
"""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request

from app import lab_room
from app.body import BodyError, Posted, parse
from app.compute.answering import Answer
from app.compute.pool import Pool
from app.endpoints import BY_JOB
from app.errors import Failure
from app.requests import WalkRequest
from app.settings import Settings

Entry = dict[str, object]  # of a list; a walk's request has the same form
LISTS = ("lessons", "operations", "starts", "chapters", "exhibits", "uses", "sections")
FIRST_DRILLS = 0  # the set that the page of drills begins with
LARGEST = 4096  # bytes of a body that is looked into
TOLD_AS_THEY_ARE = ("stopping", "workers-failing")
OK = 200


class Ours:
    """The answers to what is ours, computed when the server starts or when they are first asked for."""

    def __init__(self, settings: Settings) -> None:
        self.pool = Pool(settings.for_ours())
        self._answers: dict[str, asyncio.Task[Answer]] = {}
        self._programs: set[str] = set()

    async def answer(self, job: str, argument: Any = None, client: str = "") -> Answer:
        """The answer to a job. Whoever leaves before it is there doesn't end it; what failed is tried again."""
        return await self._kept(text([job, argument]), job, argument, client)

    async def listed(self, job: str) -> dict[str, list[Entry]]:
        """The answer to a job as a document; raises Failure where it can't be made."""
        status, body = await self.answer(job)
        if status != OK:
            raise unmade()
        document: dict[str, list[Entry]] = json.loads(body)
        return document

    def recognised(self, job: str, posted: Posted) -> Posted | None:
        """A question about a walk of ours, in one spelling; None for any other question."""
        if BY_JOB[job].ours != "kept" or len(posted.body) > LARGEST or posted.options.get("arrays", "typed") != "typed":
            return None
        with contextlib.suppress(BodyError):
            if (walk := self._own(walk_in(job, parse(posted.body)))) is not None:
                return Posted(text(walk if is_walk(job) else {"walk": walk}).encode(), posted.options)
        return None

    async def walked(self, job: str, posted: Posted, client: str) -> Answer:
        """The answer to a question that was recognised."""
        return await self._kept(f"{job} {text(posted.options)} {posted.body.decode()}", job, posted, client)

    def near(self, job: str, posted: Posted) -> bool:
        """Whether it is a question about steps of a walk of ours."""
        if BY_JOB[job].ours != "near" or len(posted.body) > LARGEST:
            return False
        with contextlib.suppress(BodyError):
            asked = parse(posted.body)
            return isinstance(asked, dict) and self._own(asked.get("walk")) is not None
        return False

    async def lists(self) -> None:
        """Learn what there is of ours, before anybody asks."""
        with contextlib.suppress(Failure):
            for job in LISTS:
                await self.answer(job)

    async def prepare(self) -> None:
        """Compute what pages are made of, and what is dear, before anybody asks."""
        await self.lists()
        with contextlib.suppress(Failure):
            for chapter in (await self.listed("chapters"))["chapters"]:
                await self.answer("chapter", chapter["name"])
            for group in json.loads((await self.answer("drills", (FIRST_DRILLS, ())))[1])["groups"]:
                await self.answer("drills", (FIRST_DRILLS, (group["name"],)))
            for start in await self._starts():  # a lesson's program has been walked for its chapter
                await self.walked("walk", start, "")

    async def renew(self) -> None:
        """Forget all answers, and compute them anew from the files as they are now."""
        self.pool.renew()
        self._answers.clear()
        self._programs.clear()
        await self.prepare()

    async def _starts(self) -> list[Posted]:
        """The questions with which the starting points are walked, as they are recognised."""
        asked = [Posted(text(one["request"]).encode(), {}) for one in (await self.listed("starts"))["starts"]]
        return [posted for one in asked if (posted := self.recognised("walk", one)) is not None]

    def _own(self, walk: Any) -> Entry | None:
        """The request of a walk if its program is one of ours; `exact` is always told."""
        if not isinstance(walk, dict) or not isinstance(walk.get("exact", False), bool):
            return None
        program = {name: value for name, value in walk.items() if name != "exact"}
        return {**program, "exact": walk.get("exact", False)} if text(program) in self._programs else None

    async def _kept(self, key: str, job: str, argument: Any, client: str) -> Answer:
        if key not in self._answers:
            self._answers[key] = task = asyncio.create_task(self._computed(job, argument, client))
            task.add_done_callback(lambda done: self._keep(key, job, done))
        return await asyncio.shield(self._answers[key])

    async def _computed(self, job: str, argument: Any, client: str) -> Answer:
        try:
            return await self.pool.run(job, argument, client)
        except Failure as failure:
            raise failure if failure.code in TOLD_AS_THEY_ARE else unmade() from None

    def _keep(self, key: str, job: str, done: "asyncio.Task[Answer]") -> None:
        """Keep what succeeded, and know the programs that it names from now on."""
        if done.cancelled() or done.exception() is not None or done.result()[0] != OK:
            self._answers.pop(key, None)
        else:
            self._programs |= {text(program) for program in programs_in(job, done.result()[1])}


def ours_of(request: Request) -> Ours:
    """The server's own."""
    ours: Ours = request.app.state.ours
    return ours


def is_walk(job: str) -> bool:
    """Whether the walk is the whole of a question's body, rather than the `walk` in it."""
    return issubclass(BY_JOB[job].asked, WalkRequest)


def walk_in(job: str, asked: Any) -> Any:
    """The walk that a body asks about, and about nothing else."""
    if is_walk(job):
        return asked
    return asked["walk"] if isinstance(asked, dict) and set(asked) == {"walk"} else None


def programs_in(job: str, body: bytes) -> Iterator[Entry]:
    """The requests of walks that a list, or a live example, offers."""
    if job == "lessons":
        yield from ({"lesson": name} for one in json.loads(body)[job] for name in (one["name"], *one["also"]))
    elif job == "starts":
        yield from (walk for one in json.loads(body)[job] for walk in ({"lesson": one["name"]}, one["request"]))
    elif job == "exhibits":
        programs: list[Entry] = [{"lesson": name} for name, _ in lab_room.programs(json.loads(body)[job])]
        yield from programs
    elif job == "operation-walk":
        yield json.loads(body)["walk"]


def text(document: Any) -> str:
    """One spelling of a document; its order is kept, which answers may follow."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def unmade() -> Failure:
    """The 503 for what is ours and can't be made: nothing that whoever asks could mend."""
    hint = "Try again in a moment."
    return Failure(503, "not-made", "The server could not make this page.", hint, {"Retry-After": "1"})
