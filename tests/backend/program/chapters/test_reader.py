"""A chapter is read into prose and blocks; every mistake names file and line, and nothing of it can do harm."""

from __future__ import annotations

import gc
import time
from typing import Any

import pytest

from backend.course.prose import html_of, html_of_line
from backend.engine.language.errors import Refusal
from backend.program.chapters.chapter import Block, Chapter, Prose
from backend.program.chapters.reader import MOST_CHARACTERS, read_chapter
from tests.support.chapter_texts import FIRST, FRONT, chapter_text

FILE = "05-trial.md"


def read(body: str, front: str = FRONT) -> Chapter:
    return read_chapter(FILE, chapter_text(body, front))


def fault(body: str, front: str = FRONT) -> tuple[str, int]:
    """The code and the line of what is wrong; the words name both the file and the line."""
    with pytest.raises(Refusal) as caught:
        read(body, front)
    refusal = caught.value
    assert refusal.where is not None
    assert refusal.where["file"] == FILE
    assert FILE in refusal.message
    assert refusal.hint
    assert "{" not in refusal.message.replace("`{", "")
    return refusal.code, int(refusal.where["line"])


def test_prose_and_blocks_come_in_their_order() -> None:
    body = (
        "One `w`.\n\n:::{predict} w[0,1]\nchoices: once | 4 times\nanswer: 4 times\nwhy: Of\n  course.\n:::\n\nTwo.\n"
    )
    chapter = read(body)
    assert (chapter.name, chapter.title, chapter.minutes) == ("trial", "A trial", 3)
    first, block, last = chapter.parts
    assert isinstance(first, Prose)
    assert isinstance(last, Prose)
    assert isinstance(block, Block)
    assert (block.kind, block.argument, block.line) == ("predict", "w[0,1]", FIRST + 2)
    assert block.options == {"choices": "once | 4 times", "answer": "4 times", "why": "Of course."}
    assert block.lines["answer"] == FIRST + 4


def test_a_section_begins_a_part_so_that_it_is_a_slide() -> None:
    parts = read("One.\n\n## A\n\nTwo.\n\n### B\n\nThree.\n").parts
    assert all(isinstance(part, Prose) for part in parts)
    assert [part.line - parts[0].line for part in parts] == [0, 2, 6]


def test_a_further_program_and_the_blocks_that_mean_it() -> None:
    more = "more:\n  row:\n    program: y = x * 3\n    tensors: {x: {role: parameter, values: 2.0}}\n---\n"
    chapter = read(":::{step} forward y\nin: row\nSee.\n:::\n", FRONT.removesuffix("---\n") + more)
    assert list(chapter.programs) == ["", "row"]
    assert chapter.programs["row"].request == {
        "source": "y = x * 3",
        "tensors": {"x": {"role": "parameter", "values": 2.0}},
    }
    (block,) = chapter.parts
    assert isinstance(block, Block)
    assert (block.program, block.prose) == ("row", "See.")


def test_windows_line_ends_and_a_mark_of_byte_order_are_read() -> None:
    source = "\ufeff" + chapter_text("Some text.\n").replace("\n", "\r\n")
    assert read_chapter(FILE, source).title == "A trial"


EVIL = "[a](javascript:alert(1))"
PREDICT = ":::{{predict}} w\nchoices: {}\nanswer: {}\n{}: {}\n:::\n"
BODIES = {
    "an unknown directive": ("a\n\n:::{stepp} forward Y\n:::\n", 2),
    "a directive without a name": (":::step forward Y\n:::\n", 0),
    "a directive that does not end": ("a\n\n:::{graph}\n\nmore text\n", 2),
    "a directive in a list": ("- one\n\n  :::{graph}\n  :::\n", 2),
    "a step without a direction": (":::{step} Y\n:::\n", 0),
    "a cell without digits": ("a\n\n:::{cell} w[i, j]\n:::\n", 2),
    "an option that is missing": (":::{predict} w\nchoices: a | b\nanswer: a\n:::\n", 0),
    "an option that nobody knows": (":::{drag} w[0,1]\nshows: Y\n:::\n", 1),
    "an option that is given twice": (":::{drag} w[0,1]\nshow: Y\nshow: loss\n:::\n", 2),
    "a program that is not there": (":::{graph}\nin: row\n:::\n", 1),
    "an unknown role": ("one\ntwo {valeu}`w`\n", 1),
    "an unknown role in a block": (":::{graph}\n\nA {numbr}`w`.\n:::\n", 2),
    "a link that runs": ("[a](javascript:alert(1))\n", 0),
    "a link that is data": ("x\n\n[a](data:text/html,hello)\n", 2),
    "a link without https": ("[a](http://example.org)\n", 0),
    "an absolute path": ("[a](/etc/passwd)\n", 0),
    "a path into the interface": ("[a](/api/walk)\n", 0),
    "a link to an exhibit, which a role would look for": ("[a](/lab/softmax-twice)\n", 0),
    "a link with more in its query than words": ("[a](/walk/memory?sheet=%22%3E)\n", 0),
    "a link to another server": ("[a](//example.org/x)\n", 0),
    "a link to a file": ("<file:///etc/passwd>\n", 0),
    "a link that runs in a block": (f":::{{graph}}\n\nSee {EVIL}.\n:::\n", 2),
    "a link that runs in a choice": (PREDICT.format(f"{EVIL} | b", "b", "why", "So."), 1),
    "a link that runs in an answer": (PREDICT.format("a | b", EVIL, "why", "So."), 2),
    "a link that runs in a reason": (PREDICT.format("a | b", "a", "why", f"See {EVIL}."), 3),
    "a link that runs in a reason's next line": (PREDICT.format("a | b", "a", "why", f"See\n  {EVIL}."), 3),
    "a link that runs in the reason of a wrong choice": (
        PREDICT.format("a | b", "a", "why: So.\nwrong", f"b: {EVIL}"),
        4,
    ),
    "a link to another site in a quiz": (":::{quiz}\nWhat?\nanswer: dY\nwhy: <http://example.org>\n:::\n", 3),
    "an unknown role in a reason": (PREDICT.format("a | b", "a", "why", "{valeu}`w`"), 3),
    "a table with cells that nobody wrote": ("text\n\n" + "|a" * 500 + "|\n" + "|-" * 500 + "|\n" + "b\n" * 50, 2),
    "such a table in a quotation": ("> " + "|a" * 500 + "|\n> " + "|-" * 500 + "|\n" + "> b\n" * 50, 0),
    "such a table in a block": (":::{graph}\n\n" + "a|" * 500 + "a\n" + "-|" * 500 + "-\n" + "b\n" * 50 + ":::\n", 2),
}


@pytest.mark.parametrize(("body", "line"), BODIES.values(), ids=BODIES)
def test_a_mistake_in_the_text_names_its_line(body: str, line: int) -> None:
    assert fault(body) == ("chapter", FIRST + line)


FRONTS = {
    "no title": ("title: A trial\n", "", 1),
    "an empty title": ("title: A trial", "title:", 2),
    "minutes in words": ("minutes: 3", "minutes: three", 4),
    "a key that nobody knows": ("minutes: 3", "minutes: 3\nminuts: 4", 5),
    "a role that there is not": ("X: {role: data", "X: {role: datum", 9),
    "a tensor with a slip": ("init: randn, seed: 1", "int: randn, seed: 1", 9),
    "values beside a shape": ("values: [[0.5, -1.0, 2.0]]", "values: [[0.5]], shape: [1]", 10),
    "values that are words": ("values: [[0.5, -1.0, 2.0]]", "values: [[a]]", 10),
    "a size below zero": ("shape: [4, 3], init: randn, seed: 3", "shape: [-4, 3], init: randn", 12),
    "a lesson beside a program": ("minutes: 3", "minutes: 3\nlesson: first-steps", 6),
    "a key twice": ("minutes: 3", "minutes: 3\nminutes: 4", 5),
    "a line that is no YAML": ("minutes: 3", "minutes: 3\n  - x: [", 5),
    "a sentence with two places": ("minutes: 3", "minutes: 3\nnarration: {Y: {says: a, instead: b}}", 5),
    "claims without a sentence": ("minutes: 3", "minutes: 3\nnarration: {Y: {holds: [Y > 0]}}", 5),
    "a claim that is no list": ("minutes: 3", "minutes: 3\nnarration: {Y: {says: a, holds: Y > 0}}", 5),
    "an alias": ("minutes: 3", "minutes: &m 3", 4),
}


@pytest.mark.parametrize(("old", "new", "line"), FRONTS.values(), ids=FRONTS)
def test_a_mistake_in_the_front_matter_names_its_line(old: str, new: str, line: int) -> None:
    assert old in FRONT
    code, found = fault("", FRONT.replace(old, new))
    assert code == "chapter"
    assert abs(found - line) <= 1  # YAML notices some mistakes a line late


@pytest.mark.parametrize("name", ["trial.md", "5trial.md", "05-Trial.md", "05-../x.md", "05-.md", "05-a b.md"])
def test_a_name_of_a_file_has_one_form(name: str) -> None:
    with pytest.raises(Refusal, match="another form"):
        read_chapter(name, chapter_text(""))


def test_a_file_without_front_matter_says_so() -> None:
    with pytest.raises(Refusal, match="does not begin with front matter"):
        read_chapter(FILE, "# Title\n\ntext\n")


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE: dict[str, Any] = {
    "a YAML bomb": f"---\ntitle: t\n{BOMB}---\n",
    "an object of Python": "---\ntitle: !!python/object/apply:os.system ['true']\n---\n",
    "lists without end": f"---\ntitle: {'[' * 50_000}\n---\n",
    "dictionaries without end": f"---\ntitle: {'{a: ' * 20_000}\n---\n",
    "a number of many digits": f"---\ntitle: t\npromise: p\nminutes: {'9' * 20_000}\n---\n",
    "a number that is too large": "---\ntitle: t\npromise: p\nminutes: 1e999\n---\n",
    "a key that is a list": "---\n? [a, b]\n: c\n---\n",
    "a file that is too long": FRONT + "x" * MOST_CHARACTERS,
    "quotations without end": FRONT + ">" * 50_000 + " x",
    "emphasis without end": FRONT + "*a " * 30_000,
    "brackets without end": FRONT + "[" * 50_000,
    "marks without end": FRONT + "a `b` " * 16_000,
    "too many blocks": FRONT + ":::{graph}\n:::\n" * 2_000,
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused_or_read_in_time(source: str) -> None:
    gc.disable()  # what earlier tests have left is not this file's cost, nor what other threads do
    started = time.thread_time()
    try:
        chapter = read_chapter(FILE, source)
    except Refusal as refusal:
        assert refusal.code == "chapter"
    else:
        assert len(chapter.parts) <= 1
    finally:
        gc.enable()
    assert time.thread_time() - started < 5


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>\n",
        "a <img src=x onerror=alert(1)> b\n",
        "<div onclick='x'>\n\ntext\n\n</div>\n",
        "<!-- <script>alert(1)</script> -->\n",
        "![a picture](https://example.org/x.png)\n",
        "## A <b onmouseover=x>heading</b>\n",
        '[a](#x "title\\"><script>")\n',
        "`<script>`\n",
        "| <script> | b |\n| --- | --- |\n| <svg onload=x> | d |\n",
    ],
)
def test_no_markup_of_a_chapter_is_markup_of_the_page(body: str) -> None:
    chapter = read(body)
    html = "".join(html_of(part.tokens, {}) for part in chapter.parts if isinstance(part, Prose))
    for tag in ("<script", "<img", "<svg", "<div", "<!--", "<b "):
        assert tag not in html


def test_what_is_no_link_in_the_whole_is_none_in_a_part() -> None:
    """A mark of code around three choices hides the link in the second from whoever reads the line as one."""
    hidden = f"`a | {EVIL} | b`"
    (block,) = read(PREDICT.format(hidden, "b`", "why", "So.")).parts
    assert isinstance(block, Block)
    for text in hidden.split(" | "):
        assert "<a" not in html_of_line(text, {}, 1)
    assert "javascript:" in html_of_line(EVIL, {}, 1), "as text"
    assert '<a href="/learn/softmax">' in html_of_line("[a](/learn/softmax)", {}, 1)
