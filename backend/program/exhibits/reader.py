"""Reads the file of an exhibit, and says what is wrong with one that can't be read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from backend.engine.language.errors import Refusal, joined
from backend.program.chapters.chapter import where_at
from backend.program.exhibits.exhibit import KINDS, LABELS, SHOWN, SIDES, Exhibit, Kind, Side, Thread, Training
from backend.program.exhibits.places import line_at, places_of

FILE = re.compile(r"(?:\d+-)?([a-z0-9]+(?:-[a-z0-9]+)*)\.toml")
AT_LINE = re.compile(r"at line (\d+)")
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
    """The exhibit of a file; raises Refusal with the first fault's line, and with all others that its fields have."""
    found = FILE.fullmatch(file)
    if found is None:
        raise Refusal("exhibit/file-name", file=file)
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        refusal = Refusal("exhibit/toml", file=file, found=str(error))
        at = AT_LINE.search(str(error))
        refusal.where = where_at(file, text, int(at[1]) if at else len(text.rstrip().split("\n")))
        raise refusal from None
    reader = _Reader(file, found[1], given, text)
    exhibit = reader.exhibit()
    if reader.faults:
        raise joined(sorted(reader.faults, key=lambda one: (one.entry == "exhibit/missing", line_of(one))))
    return exhibit


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


def line_of(fault: Refusal) -> int:
    """The line of a fault."""
    return int((fault.where or {})["line"])


class _Reader:
    """The fields of one file, each checked before anything is made of it; in the place of a wrong one is the usual."""

    def __init__(self, file: str, name: str, given: Mapping[str, Any], text: str) -> None:
        self.file, self.name, self.given, self.text = file, name, given, text
        self.places = places_of(text)
        self.faults: list[Refusal] = []

    def exhibit(self) -> Exhibit:
        kind: Kind = self.one_of("kind", KINDS, "bug")
        one, other = SIDES[kind]
        self.known(self.given, OF_ALL | {one, other} | (OF_A_MISTAKE if kind != "contrast" else set()))
        mistake = kind != "contrast"
        return Exhibit(
            name=self.name,
            file=self.file,
            kind=kind,
            title=self.need("title", _short, "a short text", ""),
            about=self.maybe("about", _short, "a short text", ""),
            shows=self.one_of("shows", SHOWN, None) if kind == "bug" else None,
            lessons=tuple(self.maybe("lessons", _words, "names of chapters", [])),
            difficulty=self.maybe("difficulty", lambda n: n in (1, 2, 3), "1, 2 or 3", 1),
            threads=tuple(self.threads()),
            ask=self.need("ask", _short, "a short text", "") if mistake else "",
            reveal=self.need("reveal", _short, "a short text", "") if mistake else "",
            sees=self.maybe("sees", _short, "a short text", ""),
            look_at=tuple(self.need("look_at", _words, "names of gradients", []) if mistake else []),
            sides=(self.side(one, kind), self.side(other, kind, one)),
            training=self.training(),
            in_training=self.maybe("in_training", _short, "a short text", ""),
            places=self.places,
        )

    def side(self, key: str, kind: Kind, before: str = "") -> Side:
        """One of the two programs; the second may be the first with a planted line."""
        given = self.need(key, _table, "a table with a program", {"source": ""})
        self.known(given, OF_A_SIDE, key)
        label = given.get("label", LABELS.get(key, key))
        if "plant" in given and before:
            plant = given["plant"]
            if set(given) - {"plant", "label"} or not _plant(plant):
                self.wrong((key, "plant"), "alone, with the `step` from 1 and the `code` of a line")
                plant = {"step": 1, "code": ""}
            walk = {"lesson": f"{self.name}.{before}", "plant": {"step": plant["step"] - 1, "code": plant["code"]}}
            return Side(key, label, walk, None)
        if not isinstance(given.get("source"), str):
            self.fault("exhibit/missing", (key, "source"), found=f"{key}.source", what="a program")
        program = {name: value for name, value in given.items() if name not in ("label", "tensors", "constants")}
        for name in ("tensors", "constants"):
            own = given.get(name, {})
            if not _table(own):
                own = self.wrong((key, name), "a table", {})
            program[name] = {**self.maybe(name, _table, "a table", {}), **own}
        if "dims" in self.given:
            program.setdefault("dims", self.given["dims"])
        return Side(key, label if kind != "contrast" else str(label), {"lesson": f"{self.name}.{key}"}, program)

    def threads(self) -> Iterator[Thread]:
        for given in self.maybe("threads", _list, "a list", []):
            told = given if isinstance(given, list) else [given]
            name, year = (*told, None, None)[:2]
            if isinstance(name, str) and THREAD.fullmatch(name) and (year is None or isinstance(year, int)):
                yield Thread(name, year)
            else:
                self.wrong(("threads",), 'such as ["owner/name#12", 2019]')

    def training(self) -> Training | None:
        given = self.maybe("training", _table, "a table", None)
        if given is None:
            return None
        rate, steps = given.get("rate"), given.get("steps", 100)
        if not isinstance(rate, int | float) or not isinstance(steps, int) or not 0 < steps <= MOST_STEPS:
            self.wrong(("training",), f"a `rate`, and at most {MOST_STEPS} `steps`")
            return None
        return Training(float(rate), steps)

    def known(self, given: Mapping[str, Any], keys: set[str], *where: str) -> None:
        for key in given:
            if key not in keys:
                path = (*where, key)
                self.fault("exhibit/unknown", path, found=".".join(path), known=", ".join(sorted(keys)))

    def need(self, key: str, is_right: Callable[[Any], bool], what: str, usual: Any) -> Any:
        """A field that has to be there; the usual value stands in for one that isn't, or is wrong."""
        if key not in self.given:
            self.fault("exhibit/missing", (key,), found=key, what=what)
        return self.maybe(key, is_right, what, usual)

    def maybe(self, key: str, is_right: Callable[[Any], bool], what: str, usual: Any) -> Any:
        if key not in self.given or is_right(self.given[key]):
            return self.given.get(key, usual)
        return self.wrong((key,), what, usual)

    def one_of(self, key: str, choices: tuple[Any, ...], usual: Any) -> Any:
        return self.maybe(key, lambda value: value in choices, f"one of {', '.join(choices)}", usual)

    def wrong(self, path: tuple[str, ...], what: str, usual: Any = None) -> Any:
        """Note that a field can't be read; returns what is taken for it."""
        self.fault("exhibit/value", path, found=".".join(path), what=what)
        return usual

    def fault(self, entry: str, path: tuple[str, ...], **facts: Any) -> None:
        """Note what is wrong at a path, once, with its line."""
        if any(one.entry == entry and one.facts["found"] == facts["found"] for one in self.faults):
            return
        refusal = Refusal(entry, file=self.file, **facts)
        refusal.where = where_at(self.file, self.text, line_at(self.places, path))
        self.faults.append(refusal)


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
