"""A class as its events tell it: where it is, what is asked, who has answered what."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from app.classroom.class_types import (
    ClassAsk,
    ClassEvent,
    ClassPlace,
    ClassQuestion,
    ClassState,
    ClassVerdict,
    Counts,
    Mine,
    Pace,
    RightAnswer,
    Walled,
)
from app.classroom.events import Around, Given, Opened, Private, Truth
from app.classroom.presence import Presence
from app.classroom.requests import HereRequest
from app.classroom.strip import strip_of
from app.events.tail import Tail

TAIL_BYTES = 1 << 20
CODE_SECONDS, FORMER_SECONDS = 60.0, 120.0  # how long a code that changes stands on the wall, and holds after that
FOLLOW: Pace = "follow"


@dataclass
class Question:
    """One question in its latest round."""

    number: int
    ask: ClassAsk
    round: int = 1
    at: list[float] = field(default_factory=list)  # of each round
    closed: bool = False
    counts: Counts | None = None
    answer: RightAnswer | None = None
    wall: dict[str, Walled] = field(default_factory=dict)

    def shown(self) -> ClassQuestion:
        """What everyone may see of it."""
        return {
            "question": self.number, "round": self.round, "ask": self.ask, "closed": self.closed,
            "counts": self.counts, "answer": self.answer, "wall": list(self.wall.values()),
        }  # fmt: skip


class Room:
    """One class. Everything here is made of its events alone, so that it is the same after the server has died."""

    def __init__(self, name: str, opened: Opened) -> None:
        self.name, self.code, self.secret = name, opened["code"], bytes.fromhex(opened["secret"])
        self.rotating, self.coded, self.codings = False, opened["at"], 0
        self.former: dict[str, float] = {}  # codes, and when each was replaced
        self.show = Tail(TAIL_BYTES)
        self.address, self.pace, self.locked, self.ended = "/", FOLLOW, False, False
        self.questions: dict[int, Question] = {}
        self.truths: dict[int, Truth] = {}
        # By question and round, the latest of each seat: what counts, and what came after the question was closed.
        self.given: dict[tuple[int, int], dict[int, Given]] = {}
        self.late: dict[tuple[int, int], dict[int, Given]] = {}
        self.verdicts: dict[tuple[int, str], ClassVerdict] = {}
        self.unjudged: dict[tuple[int, str], None] = {}  # question and text, in the order in which they came
        self.seats: set[int] = set()  # that have come: they have followed
        self.here = Presence(self.changed)
        self.places: dict[int, HereRequest] = {}  # of seats that are in an exercise
        self.elsewhere: list[Around] = []  # what other servers say of those who follow there
        self.known_from: set[str] = set()  # addresses from which its code has been typed
        self.came_from: Counter[str] = Counter()  # seats, by the address from which they came to this server
        self.touched = time.monotonic()
        self.version = 0  # grows whenever a board has something new to show

    @property
    def question(self) -> Question | None:
        """The latest question."""
        return self.questions[max(self.questions)] if self.questions else None

    def changed(self) -> None:
        """A board has something new to show."""
        self.version += 1

    def take_show(self, number: int, event: ClassEvent, document: bytes) -> None:
        """One more event that everyone is told."""
        self.show.take(number, document)
        if event["kind"] != "coded":  # which nobody has said
            self.touched = time.monotonic()
        self.version += 1
        TAKEN[event["kind"]](self, event)

    def take_private(self, event: Private) -> None:
        """One more event that only the teacher's side knows of."""
        self.version += 1
        match event["kind"]:
            case "truth":
                self.truths[event["question"]] = event["truth"]
            case "came":
                self.seats.add(event["seat"])
            case "given":
                kept = self.late if event["late"] else self.given
                answers = kept.setdefault((event["question"], event["round"]), {})
                before = answers.get(event["seat"])
                if before is None or before["revision"] < event["revision"]:
                    answers[event["seat"]] = event
                if isinstance(event["value"], str) and (event["question"], event["value"]) not in self.verdicts:
                    self.unjudged[event["question"], event["value"]] = None
            case "judged":
                self.verdicts[event["question"], event["text"]] = event
                self.unjudged.pop((event["question"], event["text"]), None)

    def to_judge(self) -> tuple[int, str] | None:
        """A question and the next text to judge; what all who wrote it have written over since is passed over.

        So nobody keeps the others waiting with more than one text at a time.
        """
        while self.unjudged:
            number, text = next(iter(self.unjudged))
            if self._stands(number, text):
                return number, text
            del self.unjudged[number, text]
        return None

    def _stands(self, question: int, text: str) -> bool:
        """Whether a text is somebody's latest."""
        return any(
            one["value"] == text
            for kept in (self.given, self.late)
            for (number, _), answers in kept.items()
            if number == question
            for one in answers.values()
        )

    def around(self) -> Around:
        """What this server knows of those who follow here."""
        self.places = {seat: place for seat, place in self.places.items() if seat in self.here}
        return {"present": len(self.here), "strip": strip_of(self.places.values(), self.address)}

    def admits(self, code: str, now: float) -> bool:
        """Whether one joins with a code: the present one, or one that was replaced a moment ago."""
        return code == self.code or now < self.former.get(code, -math.inf) + FORMER_SECONDS

    def place(self) -> ClassPlace:
        """Where the class is."""
        return {
            "number": self.show.last, "code": self.code, "address": self.address, "pace": self.pace,
            "locked": self.locked, "ended": self.ended,
        }  # fmt: skip

    def state(self, seat: int) -> ClassState:
        """What somebody needs who comes late: the same as if all events had been followed."""
        question = self.question
        if question is None:
            return {**self.place(), "question": None}
        return {**self.place(), "question": {**question.shown(), "mine": self.mine(question, seat)}}

    def mine(self, question: Question, seat: int) -> Mine | None:
        """What a seat has answered last, in time or not."""
        given = self.latest(question.number, question.round, seat)
        return None if given is None else {"revision": given["revision"], "value": given["value"]}

    def latest(self, question: int, rounds: int, seat: int) -> Given | None:
        """The latest answer of a seat."""
        found = [kept.get((question, rounds), {}).get(seat) for kept in (self.late, self.given)]
        return next(filter(None, found), None)

    def answers(self) -> list[Given]:
        """The latest answer of each seat in each round, and what it has given late."""
        found = [one for kept in (self.given, self.late) for answers in kept.values() for one in answers.values()]
        return sorted(found, key=lambda one: (one["question"], one["round"], one["seat"], one["revision"]))

    def texts(self, question: int, rounds: int) -> Counter[str]:
        """What was written, and by how many."""
        answers = self.given.get((question, rounds), {}).values()
        return Counter(one["value"] for one in answers if isinstance(one["value"], str))


def _asked(room: Room, event: Any) -> None:
    question = Question(event["question"], event["ask"], event["round"], [event["at"]])
    if event["round"] > 1:
        before = room.questions[event["question"]]
        question.wall, question.at = before.wall, [*before.at, event["at"]]
    room.questions[event["question"]] = question


def _coded(room: Room, event: Any) -> None:
    room.former = {code: at for code, at in room.former.items() if event["at"] < at + FORMER_SECONDS}
    room.former[room.code] = event["at"]
    room.code, room.coded, room.codings = event["code"], event["at"], room.codings + 1


def _answered(room: Room, event: Any) -> None:
    room.questions[event["question"]].answer = {"value": event["value"], "because": event["because"]}


def _counted(room: Room, event: Any) -> None:
    room.questions[event["question"]].counts = {"bars": event["bars"], "waiting": event["waiting"]}


def _ended(room: Room, _: Any) -> None:
    room.ended = True
    room.show.close()


# What becomes of a class by each kind of event.
TAKEN: dict[str, Callable[[Room, Any], object]] = {
    "shown": lambda room, event: setattr(room, "address", event["address"]),
    "paced": lambda room, event: setattr(room, "pace", event["pace"]),
    "asked": _asked,
    "closed": lambda room, event: setattr(room.questions[event["question"]], "closed", True),
    "counted": _counted,
    "answered": _answered,
    "walled": lambda room, event: room.questions[event["question"]].wall.update({event["text"]: event}),
    "unwalled": lambda room, event: room.questions[event["question"]].wall.pop(event["text"], None),
    "locked": lambda room, _: setattr(room, "locked", True),
    "unlocked": lambda room, _: setattr(room, "locked", False),
    "rotating": lambda room, _: setattr(room, "rotating", True),
    "steady": lambda room, _: setattr(room, "rotating", False),
    "coded": _coded,
    "ended": _ended,
}
