"""Reads the file of an exhibit, and says what is wrong with one that can't be read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from backend.engine.language.errors import Refusal
from backend.program.exhibits.exhibit import KINDS, LABELS, SHOWN, SIDES, Exhibit, Kind, Side, Thread, Training

FILE = re.compile(r"(?:\d+-)?([a-z0-9]+(?:-[a-z0-9]+)*)\.toml")
THREAD = re.compile(r"[\w.-]+/[\w.-]+#\d+")
LARGEST = 100_000
LONGEST = 400
MOST_STEPS = 1000
OF_A_SIDE = {"source", "tensors", "constants", "loss", "dims", "dtype", "plant", "label"}
OF_ALL = {"kind", "title", "about", "tensors", "constants", "dims"}
OF_A_MISTAKE = {
    *("shows", "lessons", "difficulty", "threads", "ask", "reveal", "sees", "look_at", "training", "in_training"),
}


def read_exhibit(file: str, text: str) -> Exhibit:
    """The exhibit of a file; raises Refusal with the file, and what is wrong in it."""
    found = FILE.fullmatch(file)
    if found is None:
        raise Refusal("exhibit/file-name", file=file)
    try:
        return _Reader(file, found[1], tomllib.loads(text)).exhibit()
    except tomllib.TOMLDecodeError as error:
        raise Refusal("exhibit/toml", file=file, found=str(error)) from None


def text_of(path: Path, file: str) -> str:
    """The text of a file, which faults call `file`; raises Refusal where it is too long, or no text."""
    with path.open("rb") as opened:
        raw = opened.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise Refusal("exhibit/too-long", file=file, limit=f"{LARGEST:,}")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise Refusal("exhibit/toml", file=file, found="it is no text in UTF-8") from None


class _Reader:
    """The fields of one file, each checked before anything is made of it."""

    def __init__(self, file: str, name: str, given: Mapping[str, Any]) -> None:
        self.file, self.name, self.given = file, name, given

    def exhibit(self) -> Exhibit:
        kind: Kind = self.one_of("kind", KINDS, "bug")
        one, other = SIDES[kind]
        self.known(self.given, OF_ALL | {one, other} | (OF_A_MISTAKE if kind != "contrast" else set()))
        mistake = kind != "contrast"
        return Exhibit(
            name=self.name,
            file=self.file,
            kind=kind,
            title=self.need("title", _short, "a short text"),
            about=self.maybe("about", _short, "a short text", ""),
            shows=self.one_of("shows", SHOWN, None) if kind == "bug" else None,
            lessons=tuple(self.maybe("lessons", _words, "names of chapters", [])),
            difficulty=self.maybe("difficulty", lambda n: n in (1, 2, 3), "1, 2 or 3", 1),
            threads=tuple(self.thread(one) for one in self.maybe("threads", _list, "a list", [])),
            ask=self.need("ask", _short, "a short text") if mistake else "",
            reveal=self.need("reveal", _short, "a short text") if mistake else "",
            sees=self.maybe("sees", _short, "a short text", ""),
            look_at=tuple(self.need("look_at", _words, "names of gradients") if mistake else []),
            sides=(self.side(one, kind), self.side(other, kind, one)),
            training=self.training(),
            in_training=self.maybe("in_training", _short, "a short text", ""),
        )

    def side(self, key: str, kind: Kind, before: str = "") -> Side:
        """One of the two programs; the second may be the first with a planted line."""
        given = self.need(key, _table, "a table with a program")
        self.known(given, OF_A_SIDE, f"{key}.")
        label = given.get("label", LABELS.get(key, key))
        if "plant" in given and before:
            plant = given["plant"]
            if set(given) - {"plant", "label"} or not _plant(plant):
                raise self.wrong(f"{key}.plant", "alone, with the `step` from 1 and the `code` of a line")
            walk = {"lesson": f"{self.name}.{before}", "plant": {"step": plant["step"] - 1, "code": plant["code"]}}
            return Side(key, label, walk, None)
        if not isinstance(given.get("source"), str):
            raise self.wrong(f"{key}.source", "a program")
        program = {name: value for name, value in given.items() if name not in ("label", "tensors", "constants")}
        for name in ("tensors", "constants"):
            program[name] = {**self.maybe(name, _table, "a table", {}), **given.get(name, {})}
        if "dims" in self.given:
            program.setdefault("dims", self.given["dims"])
        return Side(key, label if kind != "contrast" else str(label), {"lesson": f"{self.name}.{key}"}, program)

    def thread(self, given: Any) -> Thread:
        told = given if isinstance(given, list) else [given]
        name, year = (*told, None)[:2]
        if not (isinstance(name, str) and THREAD.fullmatch(name) and (year is None or isinstance(year, int))):
            raise self.wrong("threads", 'such as ["owner/name#12", 2019]')
        return Thread(name, year)

    def training(self) -> Training | None:
        given = self.maybe("training", _table, "a table", None)
        if given is None:
            return None
        rate, steps = given.get("rate"), given.get("steps", 100)
        if not isinstance(rate, int | float) or not isinstance(steps, int) or not 0 < steps <= MOST_STEPS:
            raise self.wrong("training", f"a `rate`, and at most {MOST_STEPS} `steps`")
        return Training(float(rate), steps)

    def known(self, given: Mapping[str, Any], keys: set[str], where: str = "") -> None:
        for key in given:
            if key not in keys:
                raise Refusal("exhibit/unknown", file=self.file, found=where + key, known=", ".join(sorted(keys)))

    def need(self, key: str, is_right: Callable[[Any], bool], what: str) -> Any:
        if key not in self.given:
            raise Refusal("exhibit/missing", file=self.file, found=key, what=what)
        return self.maybe(key, is_right, what, None)

    def maybe(self, key: str, is_right: Callable[[Any], bool], what: str, usual: Any) -> Any:
        value = self.given.get(key, usual)
        if key in self.given and not is_right(value):
            raise self.wrong(key, what)
        return value

    def one_of(self, key: str, choices: tuple[Any, ...], usual: Any) -> Any:
        return self.maybe(key, lambda value: value in choices, f"one of {', '.join(choices)}", usual)

    def wrong(self, key: str, what: str) -> Refusal:
        return Refusal("exhibit/value", file=self.file, found=key, what=what)


def _short(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST


def _list(value: Any) -> bool:
    return isinstance(value, list)


def _words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _table(value: Any) -> bool:
    return isinstance(value, dict)


def _plant(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"step", "code"}
        and isinstance(value["step"], int)
        and value["step"] > 0
        and isinstance(value["code"], str)
    )
