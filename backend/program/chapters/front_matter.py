"""The front matter of a chapter: title, promise, minutes and programs, each checked before anything is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, get_args

from backend.engine.encode import INFINITIES
from backend.engine.language.errors import Refusal
from backend.engine.language.suggest import nearest
from backend.engine.trace.inputs import InputRole
from backend.program.chapters.bounded_yaml import Path, YamlError, read_yaml
from backend.program.chapters.chapter import Claim, Program, refusal_at

OF_A_PROGRAM = ("program", "constants", "tensors", "dims", "loss", "dtype", "narration")
OF_A_CHAPTER = ("title", "promise", "needs", "minutes", "lesson", "starts", "more", *OF_A_PROGRAM)
OF_A_TENSOR = ("role", "values", "shape", "init", "seed", "scale", "shift", "low", "high")
OF_A_SENTENCE = {"says", "instead", "holds"}
ROLES: tuple[str, ...] = get_args(InputRole)
INITS = ("randn", "rand", "zeros", "ones", "arange", "randint")
Made = TypeVar("Made")
MOST_MINUTES, LONGEST_TEXT, LARGEST_WHOLE, MOST_AXES = 240, 300, 2**53, 8


@dataclass(frozen=True)
class Front:
    """What the front matter says; `minutes` are those that somebody has timed."""

    title: str
    promise: str
    minutes: int | None
    needs: tuple[str, ...]
    programs: Mapping[str, Program]
    starts: tuple[str, ...]


def read_front(text: str, file: str, source: str, first: int, faults: list[Refusal]) -> Front:
    """The front matter of a file, whose YAML begins in the line `first`; `faults` gains each one with its line.

    In the place of what is wrong stands what is usual; raises Refusal where the text is no YAML.
    """
    try:
        given, lines = read_yaml(text)
    except YamlError as error:
        raise refusal_at(file, source, "chapter/yaml", first + error.line, found=error.message) from None
    front = _Reader(file, source, first, lines, faults).front(given)
    meant = {fault.facts["known"] for fault in faults if fault.entry == "chapter/key-unknown"}
    faults[:] = [one for one in faults if one.entry != "chapter/key-missing" or one.facts["found"] not in meant]
    return front


@dataclass(frozen=True)
class _Reader:
    file: str
    source: str
    first: int
    lines: Mapping[Path, int]
    faults: list[Refusal]

    def tried(self, made: Callable[[], Made], otherwise: Made) -> Made:
        """What is made, or what is usual where it is refused, which is kept as a fault."""
        try:
            return made()
        except Refusal as refusal:
            self.faults.append(refusal)
            return otherwise

    def wrong(self, path: Path, code: str, **facts: Any) -> Refusal:
        """The refusal of what stands at a path, or of the nearest thing around it that has a line."""
        name = ".".join(map(str, path)) or "front matter"
        return refusal_at(self.file, self.source, code, self.line(path), name=name, **facts)

    def line(self, path: Path) -> int:
        """The line of the file in which something at a path stands, or the nearest thing around it."""
        there = next((self.lines[path[:n]] for n in range(len(path), -1, -1) if path[:n] in self.lines), 0)
        return self.first + there

    def front(self, given: Any) -> Front:
        if not self.keys(given, (), OF_A_CHAPTER):
            return Front("", "", None, (), {"": Program()}, ())
        timed = self.maybe(
            given, ("minutes",), lambda n: _whole(n) and 0 < n <= MOST_MINUTES, "a number of minutes", None
        )
        title, promise = (
            self.tried(partial(self.need, given, (key,), _short, "a short text"), "") for key in ("title", "promise")
        )
        needs = tuple(self.maybe(given, ("needs",), _list_of(_word), "a list of chapters", []))
        starts = tuple(self.maybe(given, ("starts",), _list_of(_word), "a list of names", []))
        programs = {"": self.tried(partial(self.program, given, (), starts), Program())}
        more = self.maybe(given, ("more",), _named, "programs by their names", {})
        for name, one in more.items():
            programs[name] = self.tried(partial(self.further, one, ("more", name)), Program())
        return Front(title, promise, timed, needs, programs, starts)

    def further(self, given: Any, path: Path) -> Program:
        """One of the programs beside the first."""
        return self.program(given, path, ()) if self.keys(given, path, ("lesson", *OF_A_PROGRAM)) else Program()

    def program(self, given: Any, path: Path, starts: tuple[str, ...]) -> Program:
        narration = self.maybe(given, (*path, "narration"), _narrated, "sentences by the names of tensors", {})
        claims = tuple(self.claims(narration, path))
        lesson = self.maybe(given, (*path, "lesson"), _word, "the name of a lesson", None)
        if lesson is None and "program" not in given and starts:
            lesson = starts[0]
        if lesson is not None:
            if others := [key for key in OF_A_PROGRAM if key in given and key != "narration"]:
                raise self.wrong((*path, others[0]), "chapter/one-program")
            return Program(lesson, None, narration, claims)
        if "lesson" in given:  # it is a fault already
            return Program()
        if "program" not in given:
            raise self.wrong(path, "chapter/no-program")
        return Program(None, self.request(given, path), narration, claims, self.before(path))

    def before(self, path: Path) -> int:
        """The line of the file before a program's text, which begins behind `program: |`, or in that line itself."""
        line = self.line((*path, "program"))
        behind = self.source.split("\n")[line - 1].partition("program:")[2].strip()
        return line if behind[:1] in ("|", ">") else line - 1

    def claims(self, narration: Mapping[str, Any], path: Path) -> Iterator[Claim]:
        """What has to hold for the sentences, each with its line."""
        for step, told in narration.items():
            for number, text in enumerate(told.get("holds", []) if isinstance(told, dict) else []):
                yield Claim(step, text, self.line((*path, "narration", step, "holds", number)))

    def request(self, given: Any, path: Path) -> Mapping[str, Any]:
        """The program as the body of a walk's request."""
        text = "a program"
        made: dict[str, object] = {"source": self.need(given, (*path, "program"), _text, text)}
        tensors = self.need(given, (*path, "tensors"), _named, "tensors by their names")
        none: Mapping[str, Any] = {}
        made["tensors"] = {
            name: self.tried(partial(self.tensor, spec, (*path, "tensors", name)), none)
            for name, spec in tensors.items()
        }
        numbers = self.maybe(given, (*path, "constants"), _mapping_of(_number), "numbers by their names", {})
        dims = self.maybe(given, (*path, "dims"), _mapping_of(_list_of(_label)), "lists of axis names", {})
        made |= {"constants": numbers} if numbers else {}
        made |= {"dims": dims} if dims else {}
        for key, fits, wanted in (
            ("loss", _word, "the name of a number"),
            ("dtype", ("float32", "float64").__contains__, "float32 or float64"),
        ):
            if key in given:
                made[key] = self.need(given, (*path, key), fits, wanted)
        return made

    def tensor(self, spec: Any, path: Path) -> Mapping[str, Any]:
        if not self.keys(spec, path, OF_A_TENSOR):
            return {}
        self.need(spec, (*path, "role"), ROLES.__contains__, f"one of {', '.join(ROLES)}")
        if "values" in spec:
            if others := [key for key in spec if key not in ("role", "values")]:
                raise self.wrong((*path, others[0]), "chapter/tensor-both")
            self.need(spec, (*path, "values"), _cells, "a number, or lists of numbers")
            return dict(spec)
        self.need(spec, (*path, "shape"), lambda s: _list_of(_size)(s) and len(s) <= MOST_AXES, "a list of sizes")
        self.need(spec, (*path, "init"), INITS.__contains__, f"one of {', '.join(INITS)}")
        for key, fits, wanted in (
            ("seed", _size, "a whole number"),
            ("scale", _number, "a number"),
            ("shift", _number, "a number"),
            ("low", _whole, "a whole number"),
            ("high", _whole, "a whole number"),
        ):
            if key in spec:
                self.need(spec, (*path, key), fits, wanted)
        return dict(spec)

    def keys(self, given: Any, path: Path, known: Iterable[str]) -> bool:
        """Whether it is a dictionary; if not, and for each key that nobody knows, there is a fault."""
        if not isinstance(given, dict):
            self.faults.append(self.wrong(path, "chapter/front", wanted="`key: value`, a line each"))
            return False
        for key in given:
            if key not in known:
                near = nearest(key, known) or ", ".join(known)
                self.faults.append(self.wrong((*path, key), "chapter/key-unknown", found=key, known=near))
        return True

    def need(self, given: Any, path: Path, fits: Callable[[Any], bool], wanted: str) -> Any:
        """What stands at a key that has to be there, and has to fit."""
        key = path[-1]
        if key not in given:
            raise self.wrong(path[:-1], "chapter/key-missing", found=key, wanted=wanted)
        value = given[key]
        try:
            right = fits(value)
        except TypeError:  # a list is no member of a tuple of words
            right = False
        if not right:
            raise self.wrong(path, "chapter/front", wanted=wanted)
        return value

    def maybe(self, given: Any, path: Path, fits: Callable[[Any], bool], wanted: str, otherwise: Any) -> Any:
        """What stands at a key, or what is usual where there is nothing or something else."""
        return self.tried(partial(self.need, given, path, fits, wanted), otherwise) if path[-1] in given else otherwise


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_WHOLE


def _size(value: Any) -> bool:
    return _whole(value) and value >= 0


def _number(value: Any) -> bool:
    return _whole(value) or (isinstance(value, float) and abs(value) < float("inf"))


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _short(value: Any) -> bool:
    return _text(value) and len(value) <= LONGEST_TEXT and "\n" not in value.strip()


def _label(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 64 and value.isprintable()


def _word(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= 64


def _cells(value: Any) -> bool:
    if not isinstance(value, list):
        return _number(value) or isinstance(value, bool) or (isinstance(value, str) and value in INFINITIES)
    return all(map(_cells, value))


def _named(value: Any) -> bool:
    return isinstance(value, dict) and bool(value)


def _narrated(value: Any) -> bool:
    return isinstance(value, dict) and all(_text(one) or _told(one) for one in value.values())


def _told(value: Any) -> bool:
    """A sentence with its place, `says` or `instead`, and with what has to hold for it."""
    if not isinstance(value, dict) or len({"says", "instead"} & set(value)) != 1 or set(value) - OF_A_SENTENCE:
        return False
    claims = value.get("holds", [])
    return _text(value.get("says", value.get("instead"))) and isinstance(claims, list) and all(map(_text, claims))


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _mapping_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))
