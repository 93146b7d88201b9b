"""Read a list of words, one a line, and say exactly which lines will not do."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

MAX_BYTES = 2 * 1024 * 1024
MAX_WORDS = 200_000
MAX_LENGTH = 64
MAX_LETTERS = 256
SHOWN_PROBLEMS = 5
SHOWN_CHARACTERS = 24

ONE_WORD = f"one word of at most {MAX_LENGTH} letters"


@dataclass(frozen=True)
class BadLine:
    """One line that is not a word: its number from 1, what stands there, what should."""

    line: int
    found: str
    expected: str

    def __str__(self) -> str:
        return f"line {self.line}: found {self.found}, expected {self.expected}"


class WordListError(ValueError):
    """A word list that was refused: `line` (None for the whole file), `found`, `expected`.

    `problems` holds the first few bad lines, and the message names each of them.
    """

    def __init__(self, found: str, expected: str, line: int | None = None, problems: tuple[BadLine, ...] = ()) -> None:
        super().__init__(found, expected, line, problems)
        self.found = found
        self.expected = expected
        self.line = line
        self.problems = problems

    def __str__(self) -> str:
        if self.problems:
            return "the word list has bad lines; " + "; ".join(map(str, self.problems))
        where = "" if self.line is None else f"line {self.line}: "
        return f"the word list was refused; {where}found {self.found}, expected {self.expected}"


def load_words(path: Path | None = None) -> list[str]:
    """Return the words of a file in its order, or of the embedded given names without one.

    Raises WordListError when the file is missing, too large, not text, empty or has bad lines.
    """
    if path is None:
        return parse_words(resources.files(__package__).joinpath("given_names.txt").read_bytes())
    return parse_words(_read(path))


@lru_cache(maxsize=2)
def kept_words(path: Path | None = None) -> tuple[str, ...]:
    """As `load_words`, of a file that is read once: later it may be out of this process's reach."""
    return tuple(load_words(path))


def parse_words(data: bytes) -> list[str]:
    """Return the lower-case words of UTF-8 text, skipping empty lines and keeping repeats.

    Raises WordListError naming the first bad lines: a word is letters of any alphabet, with
    hyphens and apostrophes only between them.
    """
    if len(data) > MAX_BYTES:
        raise WordListError("a larger file", f"at most {MAX_BYTES:,} bytes")
    words: list[str] = []
    problems: list[BadLine] = []
    for number, line in enumerate(_decode(data).split("\n"), start=1):
        word = line.strip().lower()
        if not word:
            continue
        words.append(word)
        if not _is_word(word):
            problems.append(BadLine(number, _show(line.strip()), ONE_WORD))
            if len(problems) == SHOWN_PROBLEMS:
                break
    if problems:
        first = problems[0]
        raise WordListError(first.found, first.expected, first.line, tuple(problems))
    _check_amount(words)
    return words


def _read(path: Path) -> bytes:
    """Read at most one byte too many, so that a huge file costs no more than a large one."""
    expected = "a text file with one word a line"
    if not path.exists():
        raise WordListError(f"no file named {_show(path.name)}", expected)
    if not path.is_file():
        raise WordListError(f"{_show(path.name)}, which is not a file", expected)
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise WordListError(f"{_show(path.name)}, which cannot be read", expected) from error


def _decode(data: bytes) -> str:
    """Only \\n, \\r\\n and \\r end a line, so that line numbers agree with every editor."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        text = lines.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise WordListError("bytes that are not UTF-8 text", "UTF-8 text", line) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise WordListError("a NUL byte, as in a binary file", "UTF-8 text", line)
    return unicodedata.normalize("NFC", text)


def _is_word(word: str) -> bool:
    if len(word) > MAX_LENGTH:
        return False
    # A combining mark belongs to its letter: many scripts write their vowels as marks.
    parts = word.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("'", "-").split("-")
    return all(part and part[0].isalpha() and all(c.isalpha() or _is_mark(c) for c in part) for part in parts)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _show(text: str) -> str:
    """Quote the beginning of a text, with nothing in it that a terminal would obey."""
    short = text[:SHOWN_CHARACTERS] + ("…" if len(text) > SHOWN_CHARACTERS else "")
    return "“" + "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in short) + "”"


def _check_amount(words: list[str]) -> None:
    if not words:
        raise WordListError("no words", "at least one word")
    if len(words) > MAX_WORDS:
        raise WordListError(f"{len(words):,} words", f"at most {MAX_WORDS:,} words")
    letters = len(set().union(*words))
    if letters > MAX_LETTERS:
        raise WordListError(f"{letters:,} different letters", f"at most {MAX_LETTERS} letters")
