"""Writes the folder: pages, static files, and every answer once, under the hash of what it says."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from app.site.question import Question

HASH = 16  # letters of it


class Folder:
    """A folder that is being written; what it held before and holds again is left as it is."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written: set[Path] = set()
        self._filed: defaultdict[str, dict[str, str]] = defaultdict(dict)

    def write(self, path: str, content: bytes) -> None:
        """A file below the folder; one that says the same already keeps its time."""
        file = self.root / path
        self.written.add(file)
        if file.exists() and file.read_bytes() == content:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def has(self, path: str) -> bool:
        """Whether it was written by now."""
        return self.root / path in self.written

    def file(self, question: Question, answer: bytes) -> None:
        """An answer, where its question finds it."""
        name = hashlib.sha256(answer).hexdigest()[:HASH]
        self.write(f"answers/{name}.json", answer)
        self._filed[question.scope][question.spelling] = name

    def file_together(self, questions: Iterable[tuple[Question, bytes]]) -> None:
        """Answers that are asked for one at a time and seldom, in one file: `name:2` is its third."""
        listed = list(questions)
        packed = b"[" + b",".join(answer for _, answer in listed) + b"]"
        name = hashlib.sha256(packed).hexdigest()[:HASH]
        self.write(f"answers/{name}.json", packed)
        for place, (question, _) in enumerate(listed):
            self._filed[question.scope][question.spelling] = f"{name}:{place}"

    def finish(self) -> None:
        """Write which answer stands where, and take away what an earlier folder held and this one doesn't."""
        for scope, filed in self._filed.items():
            listed = json.dumps(dict(sorted(filed.items())), ensure_ascii=False, indent=0)
            self.write(f"answers/of/{scope}.json", listed.encode())
        for old in sorted(self.root.rglob("*"), reverse=True):
            if old.is_file() and old not in self.written:
                old.unlink()
            elif old.is_dir() and not any(old.iterdir()):
                old.rmdir()
