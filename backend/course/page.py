"""Makes the page of a chapter: prose with its numbers, figures with their captions, questions with their answers."""

from __future__ import annotations

from pathlib import Path

import torch
from markupsafe import escape

from backend.course.cost_table import cost_table
from backend.course.figures import as_printed, described, tensor_of
from backend.course.links import find_link
from backend.course.numbers import form_of, number_of, value_of
from backend.course.own_engine.text import Piece, piece_of
from backend.course.page_types import (
    ChapterChoice,
    ChapterEntry,
    ChapterFault,
    ChapterNeed,
    ChapterPage,
    ChapterPart,
    ChapterProgram,
)
from backend.course.prose import Role, html_of, html_of_line, html_of_text, sentence, slug
from backend.course.questions import Shuffle, asks, choices_of
from backend.course.runs import Runs
from backend.course.same_scale import common_scales
from backend.course.veils import veiled
from backend.course.waiting import waits
from backend.engine.execute.lookup import node_of, with_gradient
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal, joined
from backend.engine.language.guard import guarded
from backend.present.retelling import untrue
from backend.present.steps import steps_of
from backend.program.chapters.chapter import Block, Chapter, Program, Prose
from backend.program.chapters.directives import DIRECTIVES
from backend.program.lessons import SHELF


def chapters() -> list[ChapterEntry]:
    """Every chapter in order, with what it promises."""
    return [
        {
            "name": one.name,
            "title": one.title,
            "promise": one.promise,
            "minutes": one.minutes,
            "needs": _needs(one),
            "questions": sum(isinstance(part, Block) and _family(part) == "question" for part in one.parts),
            "programs": _programs(one),
        }
        for one in SHELF.chapters.values()
    ]


def chapter_faults() -> list[ChapterFault]:
    """The files that can't be read as chapters, with what is wrong."""
    return [fault_of(file, fault) for file, fault in SHELF.faults.items()]


def fault_of(file: str, refusal: Refusal) -> ChapterFault:
    """A refusal as a fault of a file."""
    where = refusal.where or {}
    line = int(where.get("line", 1)) if "file" in where else 1  # else of a program in it
    return {"file": file, "line": line, "message": refusal.message, "hint": refusal.hint}


def find_chapter(name: str) -> Chapter:
    """The chapter of that name; raises Refusal: the fault of its file, or one with status 404."""
    if name in SHELF.chapters:
        return SHELF.chapters[name]
    for file, fault in SHELF.faults.items():
        if file.removesuffix(".md").partition("-")[2] == name:
            raise fault
    raise Refusal("chapter-unknown", found=name, status=404)


@guarded
def chapter(name: str, names: Path | None = None) -> ChapterPage:
    """A chapter as a page; raises Refusal with file and line where something in it can't be computed."""
    return Page(find_chapter(name), names).page()


def _needs(chapter: Chapter) -> list[ChapterNeed]:
    places = {name: number for number, name in enumerate(SHELF.chapters, 1)}
    return [{"name": name, "title": SHELF.chapters[name].title, "number": places[name]} for name in chapter.needs]


def _programs(chapter: Chapter) -> list[ChapterProgram]:
    return [{"name": name, "lesson": f"{chapter.name}.{name}" if name else chapter.name} for name in chapter.programs]


def _family(block: Block) -> str:
    return DIRECTIVES[block.kind].family


class Page:
    """Makes the page of one chapter, and finds its blocks by their ids."""

    def __init__(self, chapter: Chapter, names: Path | None) -> None:
        self.chapter, self.runs = chapter, Runs(chapter, names)
        self.taken: set[str] = set()
        self.shuffle = Shuffle(chapter.name)

    def find(self, place: str) -> Block:
        """The block with this id; raises Refusal for none."""
        for part in self.chapter.parts:
            if isinstance(part, Block) and self.place(part) == place:
                return part
        raise Refusal("chapter-block", found=place)

    def line(self, block: Block, option: str) -> str:
        """An option of a block as HTML."""
        text = block.options.get(option, "")
        if option == "answer" and not text.startswith("{"):
            text = f"`{text}`"
        return html_of_line(text, self.roles(block.program), block.lines.get(option, block.line))

    def page(self) -> ChapterPage:
        chapter = self.chapter
        for name, program in chapter.programs.items():
            self.check(name, program)
        return {
            "name": chapter.name,
            "title": chapter.title,
            "promise": chapter.promise,
            "minutes": chapter.minutes,
            "needs": _needs(chapter),
            "programs": _programs(chapter),
            "parts": self.parts(),
        }

    def parts(self) -> list[ChapterPart]:
        """Every part, with what it has from the others: the questions it waits for, the scale it shares."""
        told = self.chapter.parts
        made = [self.prose(part) if isinstance(part, Prose) else self.block(part) for part in told]
        for part, asked in zip(made, waits(told), strict=True):
            if asked:
                part["props"]["waits"] = [made[at]["id"] for at in asked]
        for place, largest in common_scales(told, self.runs).items():
            made[place]["props"]["largest"] = largest
        return made

    def check(self, name: str, program: Program) -> None:
        """Raise Refusal, with each line, where sentences of a program rest on what isn't true there."""
        if not program.claims:
            return
        run = self.runs[name].run
        false = untrue(run.plan, run.material, [claim.text for claim in program.claims])
        if told := [claim for claim in program.claims if claim.text in false]:
            raise joined(
                self.chapter.refusal("chapter/claim-false", one.line, found=one.text, step=one.step) for one in told
            )

    def read(self, html: str, answer: str = "") -> ChapterPart:
        """A part that is read, and not drawn; of an open exercise with the answer that is folded in it."""
        return {
            "kind": "prose", "family": "prose", "id": "", "program": "", "argument": "", "label": "", "props": {},
            "html": html, "asks": "", "fallback": "", "choices": [], "answer": answer,
        }  # fmt: skip

    def prose(self, part: Prose) -> ChapterPart:
        return self.read(html_of(part.tokens, self.roles("")))

    def block(self, block: Block) -> ChapterPart:
        roles = self.roles(block.program)
        if block.kind == "answer":
            told = html_of_text(block.prose, roles, block.prose_line)
            label = html_of_line(block.argument or "Answer", roles, block.line)
            return self.read(f'<details class="folded"><summary>{label}</summary>{told}</details>', told)
        if block.kind == "costs":
            return self.read(self.costs(block))
        if block.kind == "listing":
            return self.read(html_of_text(block.prose, roles, block.prose_line) + _code(self.piece(block)))
        walked = self.runs[block.program]
        try:
            props, fallback = described(block, walked)
            choices = choices_of(block, walked, roles, self.shuffle)
            if _family(block) == "question":
                props["veils"] = veiled(block, self.runs)
            argument = as_printed(block.argument, walked)
        except Refusal as refusal:
            raise self.chapter.located(refusal, block.line) from None
        return {
            "kind": block.kind,
            "family": DIRECTIVES[block.kind].family,
            "id": self.place(block),
            "program": block.program,
            "argument": argument,
            "label": f"{DIRECTIVES[block.kind].spoken} {argument}".strip(),
            "props": props,
            "html": html_of_text(block.prose, roles, block.prose_line),
            "fallback": fallback,
            "asks": asks(block, choices),
            "choices": choices,
            "answer": self.key(block, choices),
        }

    def key(self, block: Block, choices: list[ChapterChoice]) -> str:
        """What is right in a question: the number and the text of a choice, a line, or the chapter's own answer."""
        if choices:
            return next(f"({n}) {one['html']}" for n, one in enumerate(choices, 1) if one["right"])
        if block.kind == "fill":
            return _code(self.piece(block))
        if block.kind == "write":
            walked = self.runs[block.program]
            name, _, _ = tensor_of(block.argument, walked)
            lines = "\n".join(step["code"] for step in steps_of(walked.run.plan).backward if step["node"] == name)
            return f"<pre><code>{escape(lines)}</code></pre>"
        return self.line(block, "answer") if "answer" in block.options else ""

    def costs(self, block: Block) -> str:
        """A table of costs; with tensors that are computed again it is folded behind a switch."""
        again = [name.strip() for name in block.options.get("again", "").split(",") if name.strip()]
        run = self.runs[block.program].run
        try:
            names = [node_of(run.plan, name).variable for name in again]
        except Refusal as refusal:
            raise self.chapter.located(refusal, block.line) from None
        prose, table = html_of_text(block.prose, self.roles(block.program), block.prose_line), cost_table(run, names)
        if not again:
            return prose + table
        said = " and ".join(f"<code>{escape(name)}</code>" for name in names)
        return f'{prose}<details class="switch"><summary>checkpoint: run {said} again</summary>{table}</details>'

    def piece(self, block: Block) -> Piece:
        """The lines of the engine that a block names."""
        try:
            return piece_of(block.argument)
        except Refusal as refusal:
            raise self.chapter.located(refusal, block.line) from None

    def place(self, block: Block) -> str:
        """A name for a block that no other has."""
        name = "-".join(filter(None, [block.kind, block.program, slug(block.argument) if block.argument else ""]))
        number = next(n for n in range(1, len(self.chapter.parts) + 1) if _numbered(name, n) not in self.taken)
        self.taken.add(_numbered(name, number))
        return _numbered(name, number)

    def roles(self, program: str) -> dict[str, Role]:
        """How each role is filled in."""

        def told(fill: Role) -> Role:
            def filled(content: str, line: int) -> str:
                try:
                    return fill(content, line)
                except Refusal as refusal:
                    raise self.chapter.located(refusal, line) from None

            return filled

        made: dict[str, Role] = {
            "value": lambda text, _: self.value(*self.looked_up(text, program)),
            "shape": lambda text, _: self.shape(*self.looked_up(text, program)),
            "verdict": lambda text, _: self.verdict(*self.looked_up(text, program)),
            "word": lambda text, _: f'<span class="word">{escape(text)}</span>',
            "lesson": lambda text, _: self.link("lesson", text),
            "exhibit": lambda text, _: self.link("exhibit", text),
        }
        return {name: told(fill) for name, fill in made.items()}

    def looked_up(self, text: str, program: str) -> tuple[str, str]:
        """What a role asks for, and in which program: `row: dw[0, 1]` looks into the program `row`."""
        name, colon, rest = text.partition(": ")
        return (rest, name) if colon and name in self.chapter.programs else (text, program)

    def value(self, text: str, program: str) -> str:
        run = self.runs[program].run
        form = form_of(run, text)
        return (
            f'<span class="value" data-expression="{escape(form)}" data-program="{escape(program)}">'
            f"{escape(number_of(run, form))}</span>"
        )

    def shape(self, text: str, program: str) -> str:
        value = torch.as_tensor(value_of(self.runs[program].run, text))
        return f'<span class="shape">{shape_text(tuple(value.shape))}</span>'

    def verdict(self, text: str, program: str) -> str:
        walked = self.runs[program]
        node = with_gradient(walked.run.plan, text.removeprefix("d"))
        level = walked.verdicts[node.variable].level
        return f'<span class="badge" data-level="{level}">{level}</span>'

    def link(self, role: str, name: str) -> str:
        found, is_chapter = find_link(role, name), role == "lesson"
        if found is None:
            raise Refusal("chapter-unknown" if is_chapter else "exhibit-unknown", found=name)
        return f'<a href="{found.href}">{sentence(found.title)}</a>'


def _code(piece: Piece) -> str:
    return f"<pre><code>{escape(piece.filled().strip(chr(10)))}</code></pre>"


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
