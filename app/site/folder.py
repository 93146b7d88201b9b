"""Writes the folder: pages, static files, and every answer once, under the hash of what it says."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.site import body, common, lean, packing
from app.site.question import Question

HASH = 16  # letters of it
SMALL = 4_000  # bytes of answers that are filed with the others about the same
LARGE = 100_000  # bytes of an answer that may be told by what is different from another
PACK = 300_000  # bytes of answers that are loaded together


class Folder:
    """A folder that is being written; what it held before and holds again is left as it is."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written: set[Path] = set()
        self.common = b""  # what answers have in common
        self._filed: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._small: defaultdict[str, list[tuple[Question, bytes]]] = defaultdict(list)
        self._body: list[Any] = []  # of the first walk's page
        self._large: dict[str, dict[str, str]] = {}  # the members of large answers by the names of their files

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

    def static(self, name: str, content: bytes) -> str:
        """A file whose path says what it holds; the path."""
        path = f"static/{_hash(content)}/{name}"
        self.write(path, content)
        return path

    def with_its_body_apart(self, page: str) -> str:
        """A walk's page, two levels below the folder, with the body of the first one as a script."""
        self._body = self._body or body.plain(page)
        return body.without(page, "../../" + self.static("body.js", body.script(self._body).encode()), self._body)

    def file(self, question: Question, answer: bytes) -> None:
        """An answer, where its question finds it: `name+other` is the other with a few members of its own."""
        if len(answer) < SMALL:
            self._small[question.scope].append((question, answer))
        else:
            told = self._large_one if len(answer) >= LARGE else self._written
            self._filed[question.scope][question.spelling] = told(answer)

    def file_together(self, questions: Iterable[tuple[Question, bytes]]) -> None:
        """Answers that are asked for one at a time and seldom, few files of them: `name:2` is the third of a file."""
        pack: list[tuple[Question, bytes]] = []
        for question, answer in questions:
            if pack and sum(len(one) for _, one in pack) + len(answer) > PACK:
                self._file_pack(pack)
                pack = []
            pack.append((question, answer))
        if pack:
            self._file_pack(pack)

    def _file_pack(self, pack: list[tuple[Question, bytes]]) -> None:
        name = self._written(b"[" + b",".join(answer for _, answer in pack) + b"]")
        for place, (question, _) in enumerate(pack):
            self._filed[question.scope][question.spelling] = f"{name}:{place}"

    def _written(self, answer: bytes) -> str:
        """The name of the file that says this."""
        content = common.after(self.common, packing.packed(json.loads(answer)))
        return self._answer(content)

    def _answer(self, content: bytes) -> str:
        name = _hash(content)
        self.write(f"answers/{name}.bin", content)
        return name

    def _large_one(self, answer: bytes) -> str:
        """What is asked under two names is the same but for them."""
        members = {key: json.dumps(value, ensure_ascii=False) for key, value in json.loads(answer).items()}
        hashes = {key: _hash(text.encode()) for key, text in members.items()}
        for name, other in self._large.items():
            own = {key: text for key, text in members.items() if other.get(key) != hashes[key]}
            if other.keys() == members.keys() and sum(map(len, own.values())) < len(answer) / 4:
                told = ",".join(f"{json.dumps(key)}:{text}" for key, text in own.items())
                return f"{self._written(f'{{{told}}}'.encode())}+{name}"
        name = self._written(answer)
        self._large[name] = hashes
        return name

    def know(self, scope: str) -> None:
        """A lesson of which nothing may be recorded: its list of answers is there, and empty."""
        self._filed[scope].update({})

    def finish(self) -> None:
        """Write which answer stands where, and take away what an earlier folder held and this one doesn't."""
        for small in self._small.values():
            self.file_together(small)
        begun = self._answer(common.begun(self.common))
        for scope, filed in self._filed.items():
            listed = lean.compact({"": begun, **_by_files(filed)})
            self.write(f"answers/of/{scope}.json", listed.encode())
        for old in sorted(self.root.rglob("*"), reverse=True):
            if old.is_file() and old not in self.written:
                old.unlink()
            elif old.is_dir() and not any(old.iterdir()):
                old.rmdir()


def _by_files(filed: dict[str, str]) -> dict[str, object]:
    """Where each question's answer is; of a file with many, in their order, which question each one answers."""
    told: dict[str, object] = {}
    together: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for question, place in sorted(filed.items()):
        name, _, number = place.partition(":")
        if number and int(number) not in together[name]:
            together[name][int(number)] = question
        else:
            told[question] = place
    lists = {name: [some.get(at) for at in range(max(some) + 1)] for name, some in together.items() if some}
    return {**told, **lists}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:HASH]
