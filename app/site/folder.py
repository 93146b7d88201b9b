"""Writes the folder: pages, static files, and every answer once, under the hash of what it says."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from app.site import body, common, lean, packing
from app.site.question import Question

HASH = 16  # letters of it
SMALL = 4_000  # bytes of answers that are filed with the others about the same
LARGE = 100_000  # bytes of an answer that may be told by what is different from another
PACK = 300_000  # bytes of answers that are loaded together
SHARED = 1_000  # bytes of tensors that several walks have, from which on they are filed by themselves


@dataclass(frozen=True)
class Ground:
    """What an answer's tensors may follow from: those of other files, of which a page loads the last one first."""

    files: str = ""  # "@name", "@name@name"
    pieces: tuple[packing.Piece, ...] = ()


NONE = Ground()


class Folder:
    """A folder that is being written; what it held before and holds again is left as it is."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written: set[Path] = set()
        self.common = b""  # what answers have in common
        self._filed: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._small: defaultdict[str, list[tuple[Question, bytes]]] = defaultdict(list)
        self._body: list[Any] = []  # of the first walk's page
        # By the names of large answers' files what they stand on, and their members.
        self._large: dict[str, tuple[Ground, dict[str, str]]] = {}
        self._grounds: dict[str, Ground] = {}  # which answers may follow from a file

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

    def file(self, question: Question, answer: bytes, ground: Ground = NONE) -> Ground:
        """An answer, where its question finds it: `name+other` is the other with a few members of its own,
        `name@other` follows from it; what follows from the answer may have as its ground what is returned."""
        if len(answer) < SMALL:
            self._small[question.scope].append((question, answer))
            return NONE
        ground = _needed(ground, answer)
        name, ground = (
            self._large_one(answer, ground) if len(answer) >= LARGE else (self._written(answer, ground), ground)
        )
        self._filed[question.scope][question.spelling] = name + ground.files
        return self._ground_of(name.rpartition("+")[2], answer, ground)

    def _ground_of(self, name: str, answer: bytes, ground: Ground) -> Ground:
        """Of a file: for another question with the same answer it is the same one."""
        if name not in self._grounds:
            known = dict(ground.pieces)
            own = [piece for piece in packing.pieces(json.loads(answer)) if piece[0] not in known]
            self._grounds[name] = Ground(f"@{name}{ground.files}", (*ground.pieces, *own))
        return self._grounds[name]

    def file_shared(self, answers: Sequence[bytes]) -> Ground:
        """The tensors that several of these answers have, as what all of them may follow from."""
        each = [dict(packing.pieces(json.loads(answer))) for answer in answers]
        count = Counter(chain.from_iterable(each))
        shared = {content: shape for one in each for content, shape in one.items() if count[content] > 1}
        if sum(map(len, shared)) < SHARED:
            return NONE
        name = self._written(lean.compact(packing.as_document(shared.items())).encode())
        return Ground(f"@{name}", tuple(shared.items()))

    def file_together(self, questions: Iterable[tuple[Question, bytes]], ground: Ground = NONE) -> None:
        """Answers that are asked for one at a time and seldom, few files of them: `name:2` is the third of a file."""
        pack: list[tuple[Question, bytes]] = []
        for question, answer in questions:
            if pack and sum(len(one) for _, one in pack) + len(answer) > PACK:
                self._file_pack(pack, ground)
                pack = []
            pack.append((question, answer))
        if pack:
            self._file_pack(pack, ground)

    def _file_pack(self, pack: list[tuple[Question, bytes]], ground: Ground) -> None:
        answers = b"[" + b",".join(answer for _, answer in pack) + b"]"
        ground = _needed(ground, answers)
        name = self._written(answers, ground)
        for place, (question, _) in enumerate(pack):
            self._filed[question.scope][question.spelling] = f"{name}{ground.files}:{place}"

    def _written(self, answer: bytes, ground: Ground = NONE) -> str:
        """The name of the file that says this."""
        content = common.after(self.common, packing.packed(json.loads(answer), ground.pieces))
        return self._answer(content)

    def _answer(self, content: bytes) -> str:
        name = _hash(content)
        self.write(f"answers/{name}.bin", content)
        return name

    def _large_one(self, answer: bytes, ground: Ground) -> tuple[str, Ground]:
        """What is asked under two names is the same but for them, and stands on the same."""
        members = {key: json.dumps(value, ensure_ascii=False) for key, value in json.loads(answer).items()}
        hashes = {key: _hash(text.encode()) for key, text in members.items()}
        for name, (under, other) in self._large.items():
            own = {key: text for key, text in members.items() if other.get(key) != hashes[key]}
            if other.keys() == members.keys() and sum(map(len, own.values())) < len(answer) / 4:
                told = ",".join(f"{json.dumps(key)}:{text}" for key, text in own.items())
                return f"{self._written(f'{{{told}}}'.encode(), under)}+{name}", under
        name = self._written(answer, ground)
        self._large[name] = ground, hashes
        return name, ground

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


def _needed(ground: Ground, answer: bytes) -> Ground:
    """None for an answer of words alone, for which a page need load nothing else."""
    return ground if packing.pieces(json.loads(answer)) else NONE


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
