"""The folder: answers stand once, and writing it again changes only what is different."""

import base64
import json
import random
import string
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from app.site import common, lean
from app.site.folder import Folder
from app.site.question import Question

ONE, OTHER = (Question("/api/pieces", {"walk": {"lesson": name}}) for name in ("a", "b"))


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def told_in(root: Path) -> dict[str, Any]:
    """What the answers say, by the names of their files, read as the page reads them."""
    written = {path.stem: path.read_bytes() for path in (root / "answers").glob("*.bin")}
    (begun,) = {json.loads(path.read_bytes())[""] for path in (root / "answers/of").glob("*.json")}
    whole = {name: zlib.decompress(written[begun] + content, -15) for name, content in written.items() if name != begun}
    return {name: _told(content[common.SIZE :]) for name, content in whole.items()}


def _told(content: bytes) -> Any:
    (length,) = struct.unpack("<I", content[:4])
    return json.loads(content[4 : 4 + length])["told"]


def index(root: Path, scope: str) -> list[str]:
    """Where the answers about it are filed."""
    found: dict[str, str | list[str]] = json.loads((root / f"answers/of/{scope}.json").read_bytes())
    told = {
        key: [one] if isinstance(one, str) else [f"{key}:{at}" for at in range(len(one))] for key, one in found.items()
    }
    return [name for key, names in told.items() if key for name in names]


def test_equal_answers_are_one_file(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for question in (ONE, OTHER):
        folder.file(question, b"{}")
    folder.finish()
    assert [*told_in(tmp_path).values()] == [[{}]]


def test_answers_that_are_filed_together_are_found_by_their_place(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.file_together([(ONE, b"1"), (Question("/api/order", {"walk": {"lesson": "a"}}), b"2")])
    folder.finish()
    (name,) = told_in(tmp_path)
    assert told_in(tmp_path)[name] == [1, 2]
    assert index(tmp_path, "a") == [f"{name}:0", f"{name}:1"]


def test_a_large_answer_is_told_by_what_is_different_from_another(tmp_path: Path) -> None:
    folder, numbers = Folder(tmp_path), list(range(30_000))
    for question, title in ((ONE, "a"), (OTHER, "b")):
        folder.file(question, json.dumps({"title": title, "numbers": numbers}).encode())
    folder.finish()
    (filed,) = index(tmp_path, "b")
    own, other = filed.split("+")
    assert told_in(tmp_path)[own] == {"title": "b"}
    assert told_in(tmp_path)[other]["title"] == "a"


def test_what_is_loaded_together_is_not_too_much(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    long = [
        (Question("/api/order", {"walk": {"lesson": "a"}, "tensor": name}), json.dumps(name * 200_000).encode())
        for name in "xyz"
    ]
    folder.file_together(long)
    folder.finish()
    assert len(told_in(tmp_path)) == 3


def test_small_answers_about_the_same_are_one_file(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for tensor in "xyz":
        folder.file(Question("/api/order", {"walk": {"lesson": "a"}, "tensor": tensor}), f'"{tensor}"'.encode())
    folder.file(Question("/api/order", {"walk": {"lesson": "b"}}), b'"b"')
    folder.finish()
    assert sorted(told_in(tmp_path).values()) == [["b"], ["x", "y", "z"]]


def test_what_answers_have_in_common_is_not_told_again(tmp_path: Path) -> None:
    said = "".join(random.Random(0).choices(string.ascii_letters, k=3_000))
    sizes = []
    for name, learnt in (("with", f"then {said} and".encode()), ("without", b"")):
        folder = Folder(tmp_path / name)
        folder.common = learnt
        folder.file(ONE, json.dumps({"said": said, "more": "x" * 2_000}).encode())
        folder.finish()
        ((answer, told),) = told_in(tmp_path / name).items()
        assert told == {"said": said, "more": "x" * 2_000}
        sizes.append((tmp_path / name / f"answers/{answer}.bin").stat().st_size)
    assert sizes[0] < 200 < 2_000 < sizes[1]


def test_writing_again_changes_only_what_is_different(tmp_path: Path) -> None:
    first = Folder(tmp_path)
    first.write("learn/index.html", b"same")
    first.write("walk/a/index.html", b"old")
    first.write("gone/index.html", b"gone")
    first.finish()
    kept = (tmp_path / "learn/index.html").stat().st_mtime_ns
    again = Folder(tmp_path)
    again.write("learn/index.html", b"same")
    again.write("walk/a/index.html", b"new")
    again.finish()
    pages = {path: content for path, content in files(tmp_path).items() if not path.startswith("answers/")}
    assert pages == {"learn/index.html": b"same", "walk/a/index.html": b"new"}
    assert (tmp_path / "learn/index.html").stat().st_mtime_ns == kept
    assert not (tmp_path / "gone").exists()


def test_tensors_of_other_files_are_the_ground_of_what_follows_from_them(tmp_path: Path) -> None:
    """What two walks share is filed once; an answer of words alone stands on nothing."""
    chance = np.random.default_rng(0)
    numbers = [base64.b64encode(chance.normal(size=1_000).astype("f4").tobytes()).decode() for _ in range(3)]
    tensors = [{"bdata": text, "shape": "1000"} for text in numbers]
    walks = [lean.compact({"x": tensors[0], "y": own}).encode() for own in tensors[1:]]
    folder = Folder(tmp_path)
    shared = folder.file_shared(walks)
    grounds = [folder.file(question, walk, shared) for question, walk in zip((ONE, OTHER), walks, strict=True)]
    folder.file_together([(Question("/api/jacobian", {"walk": {"lesson": "a"}}), walks[0])], grounds[0])
    folder.file_together([(Question("/api/cell", {"walk": {"lesson": "a"}}), b'"words"')], grounds[0])
    folder.finish()
    words, walk, pack = sorted(index(tmp_path, "a"), key=lambda place: place.count("@"))
    assert [place.count("@") for place in (words, walk, pack)] == [0, 1, 2]
    assert pack.endswith(f"@{walk}:0")
    told = told_in(tmp_path)
    assert told[pack.partition("@")[0]] == [told[walk.partition("@")[0]]]
    assert sum(path.stat().st_size for path in (tmp_path / "answers").glob("*.bin")) < 3.1 * 4_000
