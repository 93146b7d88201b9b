"""`python -m tests.load.lesson FOLDER 300 --minutes 20`: a lesson is played, and its wall is held to be true.

A teacher, the wall and three phones are real pages in Chromium, and so many more students are clients that err as a
class errs. Of every answer it is known by which mistake it was made; bars that say anything else end the lesson.
Without minutes nobody thinks or talks; with them answers come one by one, and some first give another's.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import io
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.load.students import Student
from tests.support.waiting import eventually
from tests.tools.chromium import ARGUMENTS, find
from tests.tools.forked import forked
from tests.tools.server import Server

MOST = 300
START = "/class?at=/walk/makemore-mlp?step=26"
PATIENCE = 300_000  # milliseconds
MOMENTS = 15  # in which somebody walks, thinks or talks
WAVER = 10  # one in so many gives somebody else's answer before the own one
PHONE, WALL, DESK = (390, 780), (1280, 720), (1440, 900)
# What is written for a gradient and how often, with what the wall calls it.
GRADIENT = {
    "db2 = dlogits.sum(0)": (50, "right"),
    "db2=dlogits.sum(axis=0)": (8, "right"),
    "db2 = dlogits.sum(1)": (20, "wrong axis"),
    "db2 = dlogits": (10, "sum missing"),
    "db2 = -dlogits.sum(0)": (7, "sign"),
    "db2 = dlogits.sum(0) / 32": (3, "factor"),
    "db2 = dlogits.sum(0": (2, "not a line of the language"),
}
SHAPE = {
    "(32, 27)": (70, "right"),
    "27 x 32": (20, "wrong shape"),
    "32": (9, "wrong shape"),
    "a lot": (1, "can't be read"),
}


@dataclass
class Crowd:
    """Students as clients, in a thread of their own."""

    server: Server
    count: int
    draw: random.Random = field(default_factory=lambda: random.Random(1))
    students: list[Student] = field(default_factory=list)
    following: list[Future[None]] = field(default_factory=list)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    def __post_init__(self) -> None:
        Thread(target=self.loop.run_forever, daemon=True).start()

    def all(self, do: Callable[[Student, int], Coroutine[Any, Any, Any]]) -> list[Any]:
        """What each of them does, at once."""

        async def together() -> list[Any]:
            return await asyncio.gather(*(do(one, place) for place, one in enumerate(self.students)))

        return asyncio.run_coroutine_threadsafe(together(), self.loop).result()

    def join(self, code: str) -> None:
        """Take seats, and follow until the class ends."""
        self.students = [Student(self.server.address) for _ in range(self.count)]
        self.all(lambda one, _: one.join(code))
        self.following = [asyncio.run_coroutine_threadsafe(one.follow("ended"), self.loop) for one in self.students]

    def answer(self, question: int, rounds: int, values: list[Any], seconds: float) -> None:
        """Each gives its own, within so many seconds; all of them are kept."""
        due = [seconds * self.draw.random() for _ in values]

        async def give(one: Student, place: int) -> None:
            wavers = place % WAVER == 0
            for revision, value in enumerate([values[place - 1], values[place]] if wavers else [values[place]]):
                await asyncio.sleep(due[place] / (1 + wavers))
                given = {"question": question, "round": rounds, "revision": revision, "value": value}
                assert (await one.ask("POST", "/answers", given))[0] == 201

        self.all(give)

    def drawn(self, weights: dict[Any, int]) -> list[Any]:
        """What each gives, by how often a class does."""
        return self.draw.choices(list(weights), list(weights.values()), k=self.count)


@dataclass
class Lesson:
    """The pages, and where their pictures go."""

    teacher: Page
    wall: Page
    phones: list[Page]
    crowd: Crowd
    folder: Path
    moment: float  # seconds
    question: int = 0
    rounds: int = 1

    def pause(self) -> None:
        """Somebody talks."""
        self.wall.wait_for_timeout(1e3 * self.moment)

    def seen(self, name: str) -> None:
        """Pictures of all kinds of pages as they are now."""
        for kind, page in (("teacher", self.teacher), ("wall", self.wall), ("phone", self.phones[0])):
            page.screenshot(path=self.folder / f"{name}-{kind}.png")

    def asked(self, kind: str, tensor: str = "") -> None:
        """The teacher asks, and everybody sees it."""
        if tensor:
            self.teacher.fill("#tensor", tensor)
        self.teacher.click("[data-say=ask-again]" if kind == "again" else f"[data-ask={kind}]")
        self.question, self.rounds = (self.question, 2) if kind == "again" else (self.question + 1, 1)
        expect(self.wall.locator("#asked h1")).not_to_have_text("Look at the walk.", timeout=PATIENCE)
        for phone in self.phones:
            expect(phone.locator("#sheet h2")).to_be_visible(timeout=PATIENCE)
            expect(phone.locator(".sheet-says")).to_have_text("", timeout=PATIENCE)

    def choose(self, places: list[int]) -> dict[str, int]:
        """Everybody chooses; how many chose what, as it is written."""
        buttons = self.phones[0].locator(".choices button")
        words = [buttons.nth(place).inner_text() for place in range(buttons.count())]
        for phone, place in zip(self.phones, places, strict=False):
            phone.locator(".choices button").nth(place).click(timeout=PATIENCE)
        return self._given([words[place] for place in places], places)

    def write(self, texts: list[str]) -> dict[str, int]:
        """Everybody writes; how many wrote what."""
        for phone, text in zip(self.phones, texts, strict=False):
            phone.fill("form.sheet-answer input[type=text]", text, timeout=PATIENCE)
            phone.keyboard.press("Enter")
        return self._given(texts, texts)

    def _given(self, told: list[str], values: list[Any]) -> dict[str, int]:
        self.crowd.answer(self.question, self.rounds, values[len(self.phones) :], self.moment)
        for phone in self.phones:
            expect(phone.locator(".sheet-says")).to_contain_text("Received", timeout=PATIENCE)
        everybody = str(len(values))
        expect(self.wall.locator("#counting b")).to_have_text(everybody, timeout=PATIENCE)
        assert self.wall.locator(".bars").count() == 0, "nothing of what is given before the teacher shows it"
        return dict(Counter(told))

    def counted(self, expected: dict[str, int]) -> None:
        """The wall says so many of each, and of nothing else."""
        self.teacher.click("[data-say=count]")
        if not eventually(lambda: self.bars() == expected):
            raise AssertionError(f"the wall says {self.bars()}, and not {expected}")
        for phone in self.phones:
            expect(phone.locator(".bars")).to_be_visible(timeout=PATIENCE)
        self.pause()

    def bars(self) -> dict[str, int]:
        """What the wall says, of what anybody gave."""
        self.wall.wait_for_timeout(50)  # pages are told only while somebody waits for one
        rows = self.wall.locator(".bar").all_inner_texts()
        told = {row.split("\n")[0].strip(): int(row.split("\n")[1].split()[0]) for row in rows}
        return {name.removesuffix(" ✓"): count for name, count in told.items() if count}


def begun(browser: Browser, server: Server, asked: argparse.Namespace) -> Lesson:
    """A class that everybody has joined."""

    def page(size: tuple[int, int], address: str) -> Page:
        """A page of somebody else's."""
        window: ViewportSize = {"width": size[0], "height": size[1]}
        opened = browser.new_context(viewport=window, color_scheme=asked.scheme).new_page()
        opened.goto(address)
        return opened

    teacher, count = page(DESK, server.url + START), asked.students
    teacher.click("#begin")
    expect(teacher.locator("#class #code")).not_to_be_empty(timeout=PATIENCE)
    wall = page(WALL, server.url + str(teacher.get_attribute("#to-board", "href")))
    code = teacher.inner_text("#class #code")
    phones = [page(PHONE, f"{server.url}/c/{code}") for _ in range(3)]
    crowd = Crowd(server, count)
    crowd.join(code)
    expect(wall.locator("#present")).to_have_text(f"{count + 3} are here", timeout=PATIENCE)
    return Lesson(teacher, wall, phones, crowd, asked.folder, 60 * asked.minutes / MOMENTS)


def named(texts: dict[str, int], known: dict[str, tuple[int, str]]) -> dict[str, int]:
    """How many made which mistake, by what they wrote."""
    told: Counter[str] = Counter()
    for text, count in texts.items():
        told[known[text][1]] += count
    return dict(told)


def drawn(lesson: Lesson, weights: dict[Any, int]) -> list[Any]:
    """What the phones and the crowd give."""
    return [*list(weights)[: len(lesson.phones)], *lesson.crowd.drawn(weights)]


def walked(lesson: Lesson) -> None:
    """A few steps, at which every phone is."""
    for _ in range(3):
        lesson.teacher.frame_locator("#place").locator("#next").click(timeout=PATIENCE)
        title = lesson.teacher.frame_locator("#place").locator("#step-title").inner_text()
        for phone in lesson.phones:
            expect(phone.frame_locator("#place").locator("#step-title")).to_have_text(title, timeout=PATIENCE)
        lesson.pause()
    lesson.seen("1-walk")


def questions(lesson: Lesson) -> None:
    """A choice, twice; a gradient, with answers on the wall; an axis; a shape."""
    lesson.asked("choice")
    lesson.seen("2-choice-open")
    lesson.counted(lesson.choose(drawn(lesson, {0: 50, 1: 40, 2: 10})))
    lesson.seen("3-choice-counted")
    lesson.asked("again")
    lesson.counted(lesson.choose(drawn(lesson, {0: 85, 1: 10, 2: 5})))
    lesson.teacher.click("[data-say=answer]")
    lesson.seen("4-choice-again")
    lesson.asked("gradient", "b2")
    given = lesson.write(drawn(lesson, {text: count for text, (count, _) in GRADIENT.items()}))
    for text in ("db2 = dlogits.sum(1)", "db2 = -dlogits.sum(0)"):
        lesson.teacher.locator(f'#texts [data-text="{text}"]').click(timeout=PATIENCE)
        expect(lesson.wall.locator(".wall")).to_contain_text(text, timeout=PATIENCE)
    lesson.counted(named(given, GRADIENT))
    lesson.teacher.click("[data-say=answer]")
    expect(lesson.wall.locator(".sheet-right")).to_contain_text("dlogits.sum(0)", timeout=PATIENCE)
    lesson.seen("5-gradient")
    lesson.asked("axis", "b2")
    lesson.counted(lesson.choose(drawn(lesson, {0: 60, 1: 25, 2: 15})))
    lesson.seen("6-axis")
    lesson.asked("shape", "logits")
    lesson.counted(named(lesson.write(drawn(lesson, {text: count for text, (count, _) in SHAPE.items()})), SHAPE))
    lesson.seen("7-shape")


def exercise(lesson: Lesson) -> None:
    """Everybody writes gradients; the teacher sees where they are, and changes the code."""
    frame = "(address) => { document.querySelector('#place').src = address; }"
    lesson.teacher.evaluate(frame, "/practise/makemore-mlp?embed")
    for phone in lesson.phones:
        phone.frame_locator("#place").locator(".blank.current").wait_for(timeout=PATIENCE)
    columns = lesson.teacher.locator("#strip-columns li")
    expect(columns.first).to_contain_text("student", timeout=PATIENCE)
    count = columns.count()
    places = [min(count - 1, int(abs(lesson.crowd.draw.gauss(9, 4)))) for _ in lesson.crowd.students]

    async def stand(one: Student, place: int) -> None:
        at = {"address": "/practise/makemore-mlp", "place": places[place], "count": count}
        tries = 4 if places[place] == 12 else 0
        assert (await one.ask("PUT", "/here", {**at, "written": places[place], "tries": tries}))[0] == 204

    lesson.crowd.all(stand)
    expected = Counter(places)
    expected[0] += len(lesson.phones)
    for place in range(count):
        told = f": {expected[place]} student{'' if expected[place] == 1 else 's'}"
        expect(columns.nth(place)).to_contain_text(told, timeout=PATIENCE)
    lesson.seen("8-exercise")
    lesson.pause()
    lesson.teacher.click("#rotate")
    before = lesson.wall.inner_text("#code")
    expect(lesson.wall.locator("#code")).not_to_have_text(before, timeout=PATIENCE)
    lesson.seen("9-another-code")
    lesson.pause()


def ended(lesson: Lesson) -> None:
    """The table has every answer, and then everything is gone."""
    address = lesson.teacher.url.partition("#")[0].replace("/class/", "/api/class/")
    table = lesson.teacher.request.get(f"{address}/answers.csv").text()
    (lesson.folder / "answers.csv").write_text(table)
    rows = list(csv.DictReader(io.StringIO(table)))
    everybody = len(lesson.phones) + len(lesson.crowd.students)
    assert Counter((row["question"], row["round"]) for row in rows) == dict.fromkeys(
        [("1", "1"), ("1", "2"), ("2", "1"), ("3", "1"), ("4", "1")], everybody
    )
    lesson.teacher.on("dialog", lambda dialog: dialog.accept())
    lesson.teacher.click("#end")
    for phone in lesson.phones:
        expect(phone.locator("#join-says")).to_contain_text("The class has ended", timeout=PATIENCE)
    expect(lesson.wall.locator("#asked")).to_have_text("The class has ended.", timeout=PATIENCE)
    assert eventually(lambda: all(one.told[-1][1]["kind"] == "ended" for one in lesson.crowd.students))
    lengths = {len(one.told) for one in lesson.crowd.students}
    assert len(lengths) == 1, "everybody was told the same"
    lesson.seen("10-ended")
    print(json.dumps({"students": everybody, "answers": len(rows), "events": lengths.pop()}))


def main() -> None:
    """Play it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("students", type=int, nargs="?", default=MOST, choices=range(1, MOST + 1), metavar="STUDENTS")
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--scheme", choices=["light", "dark"], default="light")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    program = find()
    with forked(workers=2) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        lesson, start = begun(browser, server, asked), time.monotonic()
        for part in (walked, questions, exercise, ended):
            part(lesson)
            print(f"{part.__name__}: {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
