"""The walks behind a chapter: each of its programs run once, and what can be looked up in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from backend.engine.language.errors import Refusal
from backend.engine.verify.compare import Verdicts, verify
from backend.pipeline import run_of
from backend.program.chapters.chapter import Chapter
from backend.program.request import Request
from backend.program.runs import Run


@dataclass
class Walked:
    """One program of a chapter, run; `request` is what walks it."""

    request: Request
    run: Run
    chapter: Chapter
    names: Path | None

    @cached_property
    def verdicts(self) -> Verdicts:
        return verify(self.run)


@dataclass
class Runs:
    """The programs of a chapter, each run when first asked for."""

    chapter: Chapter
    names: Path | None = None
    kept: dict[str, Walked] = field(default_factory=dict)

    def __getitem__(self, program: str) -> Walked:
        if program not in self.kept:
            request = request_of(self.chapter, program)
            try:
                self.kept[program] = Walked(request, run_of(request, self.names), self.chapter, self.names)
            except Refusal as refusal:
                line = self.line_of(program) + (int(refusal.where["line"]) if refusal.where else 0)
                raise self.chapter.located(refusal, line) from None
        return self.kept[program]

    def line_of(self, program: str) -> int:
        """The line of the file in which a program's text begins."""
        lines = self.chapter.source.split("\n")
        after = next((n for n, text in enumerate(lines) if program and text.startswith(f"  {program}:")), 0)
        return next((n + 1 for n, text in enumerate(lines) if n >= after and text.strip().startswith("program:")), 1)


def request_of(chapter: Chapter, program: str) -> Request:
    """The request that walks a program of a chapter."""
    return {"lesson": f"{chapter.name}.{program}" if program else chapter.name}
