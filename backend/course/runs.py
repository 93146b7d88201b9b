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
                before = self.chapter.programs[program].line
                for one in (refusal, *refusal.others):
                    self.chapter.located(one, before + int((one.where or {}).get("line", 0)))
                raise
        return self.kept[program]


def request_of(chapter: Chapter, program: str) -> Request:
    """The request that walks a program of a chapter."""
    return {"lesson": f"{chapter.name}.{program}" if program else chapter.name}
