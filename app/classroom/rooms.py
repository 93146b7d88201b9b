"""All classes of a server: opened, found by code or name, told things, and forgotten."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import secrets
import time

from app.classroom import seats, tally
from app.classroom.allowance import Allowance
from app.classroom.class_types import ClassEvent, ClassSwitched, ClassVerdict
from app.classroom.codes import Codes
from app.classroom.events import Around, Given, Opened, Private, Truth
from app.classroom.questions import UNREADABLE, Asking
from app.classroom.requests import (
    AskCommand,
    ClassAnswerRequest,
    Command,
    HereRequest,
    PaceCommand,
    ShowCommand,
    WallCommand,
)
from app.classroom.room import CODE_SECONDS, Question, Room
from app.compute.ours import Ours
from app.compute.pool import Pool
from app.connection import memory
from app.errors import Failure
from app.events.journal import GONE, Journal, Kept
from app.settings import Settings

LOOK_EVERY = 2.0
LEFT_SECONDS = 70.0  # in which everybody has left a class that has ended, and nothing is known of who they were
SWITCHED: dict[str, ClassSwitched] = {
    "lock": {"kind": "locked"}, "unlock": {"kind": "unlocked"},
    "rotate": {"kind": "rotating"}, "keep": {"kind": "steady"},
}  # fmt: skip
UNREAD = {"syntax", "not-allowed", "unknown-name", UNREADABLE}
AGAIN = 1.0  # seconds until a text that could not be judged is judged again
log = logging.getLogger("gradwalk.classroom")


class Rooms:
    """The classes. What is acknowledged is in the journal first; rooms are made of what is there."""

    def __init__(self, settings: Settings, journal: Journal, pool: Pool, ours: Ours) -> None:
        self.settings, self.journal, self.pool, self.ours = settings, journal, pool, ours
        self.rooms: dict[str, Room] = {}
        self.codes = Codes(self.rooms, settings.class_seats)
        self.judging: dict[str, asyncio.Task[None]] = {}
        self.opening = Allowance(settings.classes_per_client, 3600)
        self.answering = Allowance(30, 60)
        self.standing = Allowance(4, 20)
        self.allowances = self.opening, self.codes.wrong, self.answering, self.standing
        self.keeper: asyncio.Task[None] | None = None
        self.closed = False  # a library may turn a task's cancellation into an error of its own

    async def open(self) -> None:
        """Take up the classes that are kept, and begin to look after them."""
        await self.journal.open(self)
        for room in self.rooms.values():
            self._judge(room)
        self.keeper = asyncio.create_task(self._keep())

    def heard(self, group: str, events: list[Kept]) -> None:
        """Further events of a class, which began at this server or at another one."""
        for event in sorted(events, key=lambda event: event.topic != "class"):
            document = json.loads(event.document)
            if event.topic == "class":
                self._add(Room(group, document))
            elif (room := self.rooms.get(group)) is None:  # it has ended
                return
            elif event.topic == "show":
                room.take_show(event.number, document, event.document)
                self.codes.add(room)
            else:
                room.take_private(document)

    def _add(self, room: Room) -> None:
        self.rooms[room.name] = room
        self.codes.add(room)

    def gone(self, group: str) -> None:
        """A class has ended, here or at another server: who follows it is told."""
        if (room := self._removed(group)) is not None:
            ended: ClassEvent = {"kind": "ended"}
            room.take_show(room.show.last + 1, ended, json.dumps(ended).encode())
            asyncio.get_running_loop().call_later(LEFT_SECONDS, memory.give_back_now)

    def lost(self, group: str) -> None:
        """A class is made anew of what is left: who follows it comes again, and asks where it is."""
        if (room := self._removed(group)) is not None:
            room.show.close()

    def _removed(self, group: str) -> Room | None:
        room = self.rooms.pop(group, None)
        self.codes.remove(group)
        return room

    # Opening, finding.
    async def begin(self, address: str, client: str) -> Room:
        """A new class; 429 or 503 where there are too many."""
        self.opening.spend(client)
        if len(self.rooms) >= self.settings.classes:
            hint = "End one of them, or wait until one has ended."
            raise Failure(503, "classes-full", "There are as many classes as the server has room for.", hint)
        code, secret = self.codes.new(), secrets.token_hex(32)
        opened: Opened = {"kind": "opened", "code": code, "secret": secret, "at": time.time()}
        name = secrets.token_hex(16)
        await self.journal.append(name, "class", "opened", json.dumps(opened).encode())
        room = self.rooms[name]
        room.known_from.add(client)
        await self.say(room, {"kind": "shown", "address": address})
        return room

    async def find(self, name: str) -> Room:
        """The class of that name; 404 without one."""
        if name not in self.rooms:
            await self.journal.caught_up(name)  # it may have begun at another server a moment ago
        if name not in self.rooms:
            raise no_class()
        return self.rooms[name]

    async def join(self, code: str, client: str) -> tuple[Room, int]:
        """A seat in the class with that code; 404 for none, 409 where joining is closed, 429 for too many tries."""
        room = self.codes.typed(code, client)
        if room.locked:
            hint = "Ask your teacher to open it again."
            raise Failure(409, "locked", "Nobody can join this class at the moment.", hint)
        seats.free_for(room, client, self.settings)
        return room, seats.drawn(room)

    async def come(self, room: Room, seat: int, client: str) -> None:
        """A seat begins to follow, from when on its answers count; 409 where no seat is left."""
        if seat in room.seats:
            return
        seats.free_for(room, client, self.settings)
        if await self.note(room, {"kind": "came", "seat": seat}, f"came:{seat}"):
            room.came_from[client] += 1

    # What is told.
    async def say(self, room: Room, event: ClassEvent, key: str = "") -> ClassEvent:
        """Tell everyone; answers once it is kept."""
        await self._kept(room, "show", key or secrets.token_hex(8), event)
        return event

    async def note(self, room: Room, event: Private, key: str) -> bool:
        """Keep what only the teacher's side knows of; whether it came for the first time."""
        return await self._kept(room, "answers", key, event)

    async def _kept(self, room: Room, topic: str, key: str, event: ClassEvent | Private) -> bool:
        """Whether it came for the first time; 404 where the class has ended meanwhile, of which nothing is kept."""
        kept = await self.journal.append(room.name, topic, key, json.dumps(event).encode(), begin=False)
        if kept == GONE:
            raise no_class()
        return kept.new

    async def tell(self, room: Room, command: Command) -> ClassEvent:
        """Carry out what a teacher says; answers the event that came of it."""
        await self.journal.caught_up(room.name)  # with what was said a moment ago at another server
        match command:
            case ShowCommand():
                return await self.say(room, {"kind": "shown", "address": command.address})
            case PaceCommand():
                return await self.say(room, {"kind": "paced", "pace": command.pace})
            case AskCommand():
                return await self._ask(room, command)
            case WallCommand():
                return await self._wall(room, command)
        if command.kind == "end":
            await self.end(room)
            return {"kind": "ended"}
        if (switched := SWITCHED.get(command.kind)) is not None:
            return await self.say(room, switched)
        return await self._about_question(room, command.kind)

    async def _ask(self, room: Room, command: AskCommand) -> ClassEvent:
        ask, truth = await self.asking(room).question(command.ask)
        if "drag" in ask:
            ask["drag"]["address"] = room.address
        if room.question is not None and not room.question.closed:
            await self._close(room, room.question)
        number = await self._numbered(room, truth)
        event: ClassEvent = {"kind": "asked", "question": number, "round": 1, "ask": ask, "at": time.time()}
        return await self.say(room, event, f"asked:{number}:1")

    async def _numbered(self, room: Room, truth: Truth) -> int:
        """The number of a new question, whose truth is kept under it and under no other's."""
        while True:
            number = max(room.truths, default=0) + 1
            if await self.note(room, {"kind": "truth", "question": number, "truth": truth}, f"truth:{number}"):
                return number

    async def _about_question(self, room: Room, kind: str) -> ClassEvent:
        question = room.question
        if question is None:
            raise Failure(409, "nothing-asked", "No question has been asked.", "Ask one first.")
        number, rounds = question.number, question.round
        if kind == "ask-again":
            await self._close(room, question)
            again: ClassEvent = {
                "kind": "asked", "question": number, "round": rounds + 1, "ask": question.ask, "at": time.time(),
            }  # fmt: skip
            return await self.say(room, again, f"asked:{number}:{rounds + 1}")
        if kind == "close":
            return await self._close(room, question)
        await self._close(room, question)
        if kind == "count":
            return await self._count(room, question)
        value, because = await self.asking(room).right_answer(
            question.ask, room.truths[number], tally.right(room, question)
        )
        answered: ClassEvent = {"kind": "answered", "question": number, "value": value, "because": because}
        return await self.say(room, answered, f"answered:{number}:{rounds}")

    async def _close(self, room: Room, question: Question) -> ClassEvent:
        event: ClassEvent = {"kind": "closed", "question": question.number, "round": question.round}
        closed = await self.say(room, event, f"closed:{question.number}:{question.round}")
        for shown in tally.stale(room, question):  # more have given the same answer since it was put on the wall
            await self.say(room, shown)
        return closed

    async def _count(self, room: Room, question: Question) -> ClassEvent:
        """Tell everyone the distribution as it is now."""
        event: ClassEvent = {
            "kind": "counted", "question": question.number, "round": question.round,
            "bars": tally.bars(room, question, question.round), "waiting": tally.waiting(room, question),
        }  # fmt: skip
        document = json.dumps(event, sort_keys=True).encode()  # two servers that have the same to tell say it once
        return await self.say(room, event, f"counted:{hashlib.sha256(document).hexdigest()}")

    async def _wall(self, room: Room, command: WallCommand) -> ClassEvent:
        question = room.question
        verdict = None if question is None else room.verdicts.get((question.number, command.text))
        if question is None or verdict is None or verdict["code"] in UNREAD:
            hint = "Only what can be read as an answer may stand on the wall."
            raise Failure(409, "not-for-the-wall", "This answer can't be shown.", hint)
        if command.kind == "unwall":
            return await self.say(room, {"kind": "unwalled", "question": question.number, "text": command.text})
        event: ClassEvent = {
            "kind": "walled", "question": question.number, "round": question.round, "text": command.text,
            "correct": verdict["correct"], "message": verdict["message"], "where": verdict["where"],
            "students": room.texts(question.number, question.round)[command.text],
        }  # fmt: skip
        return await self.say(room, event)

    # Answers.
    async def answer(self, room: Room, seat: int, asked: ClassAnswerRequest) -> tuple[bool, Given]:
        """Keep an answer: whether it is new, and what is kept; 409 for what was never asked."""
        self.answering.spend(f"{room.name}:{seat}")
        question = room.questions.get(asked.question)
        if question is None or asked.round > question.round or seat not in room.seats:
            await self.journal.caught_up(room.name)  # it may have been asked, or have come, at another server
            question = room.questions.get(asked.question)
        if seat not in room.seats:
            raise seats.not_here()
        if question is None or asked.round > question.round or asked.round < 1:
            raise Failure(409, "not-asked", "That question has not been asked.", "Wait for the next one.")
        choices = question.ask.get("choices")
        if isinstance(asked.value, int) != (choices is not None) or (
            isinstance(asked.value, int) and choices is not None and asked.value >= len(choices)
        ):
            raise Failure(422, "answer-invalid", "That is no answer to this question.", "Choose one of its answers.")
        late = question.closed or asked.round < question.round
        value = asked.value if isinstance(asked.value, int) else " ".join(str(asked.value).split())
        event: Given = {
            "kind": "given", "seat": seat, "question": asked.question, "round": asked.round,
            "revision": asked.revision, "value": value, "late": late, "at": time.time(),
        }  # fmt: skip
        new = await self.note(room, event, f"{seat}:{asked.question}:{asked.round}:{asked.revision}")
        if not new:
            kept = room.latest(asked.question, asked.round, seat)
            if kept is not None and kept["revision"] == asked.revision:
                if kept["value"] != value:
                    hint = "Send it with the next revision."
                    raise Failure(409, "revision-taken", "Another answer has that revision.", hint)
                event = kept  # which may have been in time
        self._judge(room)
        return new, event

    def stand(self, room: Room, seat: int, place: HereRequest) -> None:
        """Where a student is in an exercise; 429 where it is told too often.

        It is forgotten of who doesn't follow the class: a page may tell it before its stream of events flows.
        """
        self.standing.spend(f"{room.name}:{seat}")
        if seat in room.here and room.places.get(seat) != place:
            room.places[seat] = place
            room.changed()

    def asking(self, room: Room) -> Asking:
        """Who asks workers for a class."""
        return Asking(self.pool, self.ours, f"class:{room.name}")

    def _judge(self, room: Room) -> None:
        """Have all texts judged that are not yet, each once, in the background."""
        if room.name not in self.judging or self.judging[room.name].done():
            self.judging[room.name] = asyncio.create_task(self._judge_all(room))

    async def _judge_all(self, room: Room) -> None:
        while room.name in self.rooms and not self.closed:
            try:
                if (due := room.to_judge()) is not None:
                    await self._judge_next(room, *due)
                elif (question := tally.told_too_soon(room)) is not None:
                    await self._count(room, question)
                else:
                    return
            except Failure:  # no worker is free, or nothing can be kept
                await asyncio.sleep(AGAIN)

    async def _judge_next(self, room: Room, number: int, text: str) -> None:
        verdict = await self._verdict(room, number, text)
        await self.note(room, verdict, f"judged:{number}:{text}")

    async def _verdict(self, room: Room, number: int, text: str) -> ClassVerdict:
        try:
            return await self.asking(room).judged(number, room.truths[number], text)
        except Failure as failure:
            if failure.status in (429, 503):
                raise
            return {
                "kind": "judged", "question": number, "text": text, "correct": False, "code": failure.code,
                "message": failure.message, "where": None,
            }  # fmt: skip

    # The end.
    async def end(self, room: Room) -> None:
        """End a class and forget every word of it."""
        await self.journal.forget(room.name)

    async def _keep(self) -> None:
        while not self.closed:
            await asyncio.sleep(LOOK_EVERY)
            await self._look_after_all()

    async def _look_after_all(self) -> None:
        """A turn of its own: whoever waits for the next one would hold the last class, which may have ended."""
        for allowance in self.allowances:
            allowance.forget()
        for room in list(self.rooms.values()):
            with contextlib.suppress(Failure):  # the log is away: it is looked at again
                await self._look_after(room)

    async def _look_after(self, room: Room) -> None:
        if time.monotonic() - room.touched > self.settings.class_hours * 3600:
            await self.end(room)
            return
        if room.unjudged:  # by a server that is gone, perhaps
            self._judge(room)
        if room.rotating and time.time() - room.coded >= CODE_SECONDS:
            await self._change_code(room)
        elsewhere: list[Around] = list(map(json.loads, await self.journal.around(room.name, json.dumps(room.around()))))
        if elsewhere != room.elsewhere:
            room.elsewhere, room.version = elsewhere, room.version + 1

    async def _change_code(self, room: Room) -> None:
        """Another code, whichever server is the first to draw one."""
        coded: ClassEvent = {"kind": "coded", "code": self.codes.new(), "at": time.time()}
        await self.say(room, coded, f"coded:{room.codings + 1}")

    def close(self) -> None:
        """Let every stream come to its end, and look after nothing any more."""
        self.closed = True
        for room in self.rooms.values():
            room.show.close()

    async def stop(self) -> None:
        """Stop looking after classes; they are kept, if the journal keeps them."""
        self.close()
        tasks = [task for task in (self.keeper, *self.judging.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.journal.close()


def no_class() -> Failure:
    """The 404 for a class that there is not, or no more."""
    hint = "It has ended, and is forgotten. Ask for the code of the present one."
    return Failure(404, "class-unknown", "There is no such class.", hint)
