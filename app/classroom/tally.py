"""What a class has answered, counted."""

from __future__ import annotations

from collections import Counter
from typing import cast

from app.classroom import joining
from app.classroom.class_types import Bar, ClassPicture, ClassVerdict, QuestionStanding, Walled, WrittenAnswer
from app.classroom.room import Question, Room
from app.classroom.strip import together

RIGHT = "right"
MOST_TEXTS = 200  # distinct answers that are listed


def picture(room: Room, join: str, *, all_of_it: bool) -> ClassPicture:
    """What a board shows now: how many have answered, and what, once that may be told."""
    question = room.question
    standing = None if question is None else _standing(room, question, all_of_it)
    around = [room.around(), *room.elsewhere]
    shown = cast(ClassPicture, {
        **room.place(), "join": join, "reachable": not joining.only_here(join),
        "present": sum(one["present"] for one in around), "rotating": room.rotating, "question": standing,
    })  # fmt: skip
    if all_of_it:
        shown["strip"] = together([one["strip"] for one in around if one["strip"]])
    return shown


def _standing(room: Room, question: Question, all_of_it: bool) -> QuestionStanding:
    answered, late = (len(kept.get((question.number, question.round), {})) for kept in (room.given, room.late))
    standing = cast(QuestionStanding, {**question.shown(), "answered": answered, "late": late})
    fresh = {one["text"]: one for one in stale(room, question)}
    standing["wall"] = [fresh.get(one["text"], one) for one in standing["wall"]]
    if all_of_it or question.counts:
        standing["rounds"] = [bars(room, question, number) for number in range(1, question.round + 1)]
        standing["waiting"] = waiting(room, question)
    if all_of_it:
        standing["texts"] = texts(room, question)
    return standing


def bars(room: Room, question: Question, number: int) -> list[Bar]:
    """The distribution of one round: of its choices in their order, else of mistakes, the most frequent first."""
    if "choices" in question.ask:
        return _choices(room, question, number)
    kinds: dict[str, list[tuple[ClassVerdict, int]]] = {}
    for text, students in room.texts(question.number, number).items():
        if (verdict := room.verdicts.get((question.number, text))) is not None:
            kinds.setdefault(RIGHT if verdict["correct"] else verdict["code"], []).append((verdict, students))
    told = [_kind(code, judged) for code, judged in kinds.items()]
    return sorted(told, key=lambda bar: (not bar["right"], -bar["students"]))


def _kind(code: str, judged: list[tuple[ClassVerdict, int]]) -> Bar:
    """One kind of mistake; its sentence only where all who made it are told the same."""
    messages = {verdict["message"] for verdict, _ in judged}
    return {
        "text": "", "code": code, "message": messages.pop() if len(messages) == 1 else "",
        "students": sum(students for _, students in judged), "right": code == RIGHT,
    }  # fmt: skip


def _choices(room: Room, question: Question, number: int) -> list[Bar]:
    truth = room.truths[question.number]
    answers = room.given.get((question.number, number), {}).values()
    counts = Counter(one["value"] for one in answers)
    return [
        {
            "text": label(question, place), "message": truth["because"][place],
            "students": counts[place], "right": place == truth["right"],
        }
        for place in range(len(question.ask["choices"]))
    ]  # fmt: skip


def label(question: Question, place: int) -> str:
    """A choice as it is written."""
    choice = question.ask["choices"][place]
    return choice["code"] or choice["words"]


def texts(room: Room, question: Question) -> list[WrittenAnswer]:
    """Distinct answers that were written, the most frequent first, each with what is wrong with it."""
    counted = room.texts(question.number, question.round)
    told: list[WrittenAnswer] = []
    for text, students in counted.most_common(MOST_TEXTS):
        verdict = room.verdicts.get((question.number, text))
        told.append({"text": text, "students": students, "verdict": verdict, "walled": text in question.wall})
    return told


def right(room: Room, question: Question) -> str | None:
    """The right answer that most have written, if any was."""
    for text, _ in room.texts(question.number, question.round).most_common():
        verdict = room.verdicts.get((question.number, text))
        if verdict is not None and verdict["correct"]:
            return text
    return None


def stale(room: Room, question: Question) -> list[Walled]:
    """What is on the wall with fewer students than have given it by now."""
    counted = room.texts(question.number, question.round)
    return [
        {**shown, "students": counted[text]}
        for text, shown in question.wall.items()
        if shown["round"] == question.round and shown["students"] != counted[text]
    ]


def told_too_soon(room: Room) -> Question | None:
    """The question whose distribution was shown before all of its answers were judged, which they are now."""
    question = room.question
    return question if question and question.counts and question.counts["waiting"] else None


def waiting(room: Room, question: Question) -> int:
    """How many answers have yet to be judged."""
    if "choices" in question.ask:
        return 0
    counted = room.texts(question.number, question.round)
    return sum(students for text, students in counted.items() if (question.number, text) not in room.verdicts)
