"""The folder: answers stand once, and writing it again changes only what is different."""

import gzip
import json
from pathlib import Path

from app.site.folder import Folder
from app.site.question import Question

ONE, OTHER = (Question("/api/pieces", {"walk": {"lesson": name}}) for name in ("a", "b"))


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_equal_answers_are_one_file(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for question in (ONE, OTHER):
        folder.file(question, b"{}")
    folder.finish()
    (name,) = {path for path in files(tmp_path) if not path.startswith("answers/of/")}
    assert name.endswith(".json")
    assert files(tmp_path)[name] == b"[{}]"


def test_answers_that_are_filed_together_are_found_by_their_place(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.file_together([(ONE, b"1"), (Question("/api/order", {"walk": {"lesson": "a"}}), b"2")])
    folder.finish()
    written = files(tmp_path)
    assert b"[1,2]" in written.values()
    assert b':1"' in written["answers/of/a.json"]


def test_a_large_answer_is_told_by_what_is_different_from_another(tmp_path: Path) -> None:
    folder, numbers = Folder(tmp_path), list(range(30_000))
    for question, title in ((ONE, "a"), (OTHER, "b")):
        folder.file(question, json.dumps({"title": title, "numbers": numbers}).encode())
    folder.finish()
    written = files(tmp_path)
    (filed,) = json.loads(written["answers/of/b.json"]).values()
    own, other = filed.split("+")
    assert json.loads(written[f"answers/{own}.json"]) == {"title": "b"}
    assert b'"title":"a"' in gzip.decompress(written[f"answers/{other}"])


def test_what_is_loaded_together_is_not_too_much(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    long = [
        (Question("/api/order", {"walk": {"lesson": "a"}, "tensor": name}), json.dumps(name * 200_000).encode())
        for name in "xyz"
    ]
    folder.file_together(long)
    folder.finish()
    packed = [path for path in files(tmp_path) if path.endswith(".bin")]
    assert len(packed) == 3


def test_small_answers_about_the_same_are_one_file(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for tensor in "xyz":
        folder.file(Question("/api/order", {"walk": {"lesson": "a"}, "tensor": tensor}), f'"{tensor}"'.encode())
    folder.file(Question("/api/order", {"walk": {"lesson": "b"}}), b'"b"')
    folder.finish()
    written = files(tmp_path)
    assert sorted(content for path, content in written.items() if "/of/" not in path) == [b'["b"]', b'["x","y","z"]']


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
    assert files(tmp_path) == {"learn/index.html": b"same", "walk/a/index.html": b"new"}
    assert (tmp_path / "learn/index.html").stat().st_mtime_ns == kept
    assert not (tmp_path / "gone").exists()
