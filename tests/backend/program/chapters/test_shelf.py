"""Adding a chapter is adding one file; a file that is broken or taken away leaves the others as they are."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

import backend
from backend.engine.language.errors import Refusal
from backend.program.chapters.reader import MOST_CHARACTERS
from backend.program.chapters.shelf import own_folder, read_shelf
from backend.program.lessons import LESSONS
from tests.support.chapter_texts import FRONT, put


def test_our_own_chapters_are_read_in_the_order_of_their_numbers() -> None:
    shelf = read_shelf()
    assert {name: fault.message for name, fault in shelf.faults.items()} == {}
    files = sorted(path.name for path in own_folder().glob("*.md"))
    assert [chapter.file for chapter in shelf.chapters.values()] == files
    assert [one["name"] for one in backend.chapters()] == [name[3:-3] for name in files]


def test_a_file_added_broken_and_removed(folder: Path) -> None:
    before = [one["name"] for one in backend.chapters()]
    path = put(folder, "71-trial.md", "Here {value}`w[0,1]`.\n")
    put(folder, "72-another.md", "Text.\n")
    backend.serve_chapters(folder)
    assert [one["name"] for one in backend.chapters()] == [*before, "trial", "another"]
    assert "−1" in backend.chapter("trial")["parts"][0]["html"]
    assert [one["name"] for one in backend.lessons()][: len(before) + 2] == [*before, "trial", "another"]
    assert b"dw = " in backend.walk({"lesson": "trial"})
    assert backend.practice_tasks({"walk": {"lesson": "trial"}})["tasks"]

    path.write_text(path.read_text().replace("{value}", "{valeu}"))
    backend.serve_chapters(folder)
    assert [one["name"] for one in backend.chapters()] == [*before, "another"]
    (fault,) = backend.chapter_faults()
    assert (fault["file"], fault["line"]) == ("71-trial.md", FRONT.count("\n") + 1)
    with pytest.raises(Refusal, match=r"71-trial\.md"):
        backend.chapter("trial")
    with pytest.raises(Refusal, match="no lesson"):
        backend.walk({"lesson": "trial"})

    path.unlink()
    backend.serve_chapters(folder)
    assert [one["name"] for one in backend.chapters()] == [*before, "another"]
    assert backend.chapter_faults() == []
    with pytest.raises(Refusal) as caught:
        backend.chapter("trial")
    assert caught.value.status == 404


def test_a_folder_takes_no_chapter_of_ours_away(folder: Path) -> None:
    name = backend.chapters()[0]["name"]
    put(folder, f"99-{name}.md", "Mine.\n")
    backend.serve_chapters(folder)
    (fault,) = backend.chapter_faults()
    assert fault["file"] == f"99-{name}.md"
    assert backend.chapters()[0]["promise"] != "You will see."


def test_a_chapter_may_take_a_lesson_or_a_starting_point_by_its_name(folder: Path) -> None:
    front = "---\ntitle: T\npromise: P.\nminutes: 3\n"
    put(folder, "80-lesson.md", "{value}`dx`\n", f"{front}lesson: first-steps\n---\n")
    put(folder, "81-start.md", "{shape}`x`\n", f"{front}starts: [variational]\nnarration: {{mu: So it is.}}\n---\n")
    put(folder, "82-neither.md", "", f"{front}lesson: nothing-like-it\n---\n")
    backend.serve_chapters(folder)
    assert [fault["file"] for fault in backend.chapter_faults()] == ["82-neither.md"]
    assert ">3<" in backend.chapter("lesson")["parts"][0]["html"]
    told = LESSONS["variational"]
    assert told.narration == LESSONS["start"].narration == {"mu": "So it is."}
    (entry,) = [one for one in backend.lessons() if one["name"] == "start"]
    assert entry["also"] == ["variational"]


def test_files_that_are_no_chapters_are_left_alone(folder: Path) -> None:
    put(folder, "README.md", "")
    (folder / "notes.txt").write_text("x")
    (folder / "83-folder.md").mkdir()
    (folder / "84-link.md").symlink_to("/etc/passwd")
    backend.serve_chapters(folder)
    assert backend.chapter_faults() == []


def test_what_is_no_text_or_too_much_of_it_is_told(folder: Path) -> None:
    (folder / "85-picture.md").write_bytes(b"---\ntitle: \xff\xfe\n---\n")
    (folder / "86-long.md").write_bytes(b"x" * (4 * MOST_CHARACTERS + 1))
    backend.serve_chapters(folder)
    told = {fault["file"]: fault["message"] for fault in backend.chapter_faults()}
    assert "no text in UTF-8, from line 2" in told["85-picture.md"]
    assert "too long" in told["86-long.md"]


def test_a_chapter_needs_only_what_comes_before_it(folder: Path) -> None:
    needing = FRONT.replace("minutes: 3\n", "needs: [{}]\n")
    put(folder, "87-late.md", "Text.\n", needing.replace("{}", "later"))
    put(folder, "88-later.md", "Text.\n", needing.replace("{}", "broadcasting, linear-layer"))
    put(folder, "89-slip.md", "Text.\n", needing.replace("{}", "brodcasting"))
    backend.serve_chapters(folder)
    told = {fault["file"]: (fault["line"], fault["hint"]) for fault in backend.chapter_faults()}
    assert told["87-late.md"][0] == told["89-slip.md"][0] == 4
    assert "broadcasting" in told["89-slip.md"][1]
    assert set(told) == {"87-late.md", "89-slip.md"}
    path = [one["name"] for one in backend.chapters()]
    assert [(one["name"], path[one["number"] - 1]) for one in backend.chapter("later")["needs"]] == [
        ("broadcasting", "broadcasting"), ("linear-layer", "linear-layer")
    ]  # fmt: skip


def test_what_a_chapter_says_one_knows_is_among_what_it_needs() -> None:
    shelf = read_shelf().chapters
    rests: dict[str, set[str]] = {}
    for name, chapter in shelf.items():
        rests[name] = {name}.union(*(rests[one] for one in chapter.needs))
        known = re.findall(r"(?:from|in|of) \{lesson\}`([\w-]+)`", chapter.source)
        assert {one for one in known if one in rests} <= rests[name], name
    assert [name for name in shelf if rests[name] == {name}] == ["why-by-hand", "first-steps"]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [(b"96-\xff.md", r"96-\xff.md"), (b"97-a\x1b[2J\x07.md", r"97-a\x1b[2J\x07.md"), (b"98-a\nb.md", r"98-a\nb.md")],
)
def test_a_name_that_is_no_text_is_a_fault_that_can_be_told(folder: Path, raw: bytes, shown: str) -> None:
    Path(os.fsdecode(bytes(folder) + b"/" + raw)).write_text("text")
    backend.serve_chapters(folder)
    (fault,) = backend.chapter_faults()
    assert fault["file"] == shown
    assert "".join(map(str, fault.values())).isprintable()
    assert json.dumps(fault, ensure_ascii=False).encode()
    assert backend.chapters()
