"""A teacher's folder of chapters: served beside ours by the same reader, and able to do nothing more."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.support.chapter_texts import FRONT, put
from tests.support.waiting import eventually
from tests.tools.forked import forked

HOSTILE = """
<script>window.evil = 1</script>

<img src=x onerror="window.evil = 1"> and <a href="javascript:window.evil=1">link</a>

:::{quiz}
What is <svg onload="window.evil = 1">?
answer: dY
why: <script>window.evil = 1</script>
:::

:::{predict} w[0,1]
choices: <script>window.evil = 1</script> | `</code><script>window.evil=1</script>`
answer: <script>window.evil = 1</script>
why: "</script><script>window.evil = 1</script>"
:::

See {value}`w[0,1]`.
"""


@pytest.mark.exhaustive
def test_what_is_saved_is_served_and_checked_without_a_new_start(tmp_path: Path) -> None:
    """A changed chapter, its program, a new one, and one that can't be read any more."""
    put(tmp_path, "50-mine.md", "First words.\n")
    with forked("--lessons", str(tmp_path), "--reload", workers=1) as server:
        assert "First words." in server.get("/learn/mine").markup
        put(
            tmp_path,
            "50-mine.md",
            "Second words, {value}`b.numel()`.\n",
            FRONT.replace("shape: [4, 1], init: randn, seed: 2", "values: [[7.0]]"),
        )
        put(tmp_path, "51-new.md", "New.\n")
        assert eventually(lambda: "Second words" in server.get("/learn/mine").markup)
        assert "First words." not in server.get("/learn/mine").markup
        assert eventually(lambda: 'href="/learn/new"' in server.get("/learn").markup)
        walk = server.post("/api/walk", {"lesson": "mine"}).json()
        assert [node["shape"] for node in walk["nodes"] if node["name"] == "b"] == [[1, 1]]
        put(tmp_path, "51-new.md", "{valu}`w`\n")
        assert eventually(lambda: "51-new.md" in server.get("/learn").markup)


def test_a_folder_is_served_and_can_do_no_more_than_ours(tmp_path: Path) -> None:
    put(tmp_path, "50-mine.md", HOSTILE, FRONT.replace("A trial", '"<script>window.evil = 1</script>"'))
    put(tmp_path, "51-link.md", "[a](javascript:alert(1))\n")
    put(tmp_path, "52-path.md", "[a](/etc/passwd)\n")
    put(tmp_path, "53-file.md", "[a](file:///etc/passwd)\n")
    (tmp_path / "54-bomb.md").write_text("---\na: &a [x, x]\nb: [*a, *a]\n---\n")
    (tmp_path / "55-huge.md").write_bytes(b"x" * 5_000_000)
    put(tmp_path, "56-large.md", "{value}`x[0]`\n", FRONT.replace("[4, 3]", "[400000, 3000]"))
    put(tmp_path, "57-endless.md", "{value}`Y[0]`\n", FRONT.replace("  Y =", "  while True:\n      Y = X\n  Y ="))
    Path(os.fsdecode(bytes(tmp_path) + b"/59-\xff.md")).write_text("text")
    put(tmp_path, "58-python.md", "{value}`__import__('os').getcwd()`\n")
    with forked("--lessons", str(tmp_path), workers=1) as server:
        ours = [one["name"] for one in server.get("/api/chapters").json()["chapters"]]
        assert ours[-4:] == ["mine", "large", "endless", "python"]
        faults = server.get("/api/chapters").json()["faults"]
        assert [one["file"] for one in faults] == [
            "51-link.md", "52-path.md", "53-file.md", "54-bomb.md", "55-huge.md", r"59-\xff.md",
        ]  # fmt: skip
        page = server.get("/learn/mine").body.decode()
        alive = re.findall(r"<(?:script|img|svg|a)\b[^>]*(?:onerror|onload|javascript:|evil)[^>]*>", page)
        assert alive == []
        scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)
        assert all("src=" in head or 'type="application/json"' in head for head, _ in scripts)
        assert all("<" not in content for _, content in scripts)
        policy = server.get("/learn/mine").headers["content-security-policy"]
        assert "unsafe" not in policy.partition("script-src")[2].partition(";")[0]
        path = server.get("/learn").body.decode()
        assert "&lt;script&gt;window.evil" in path
        assert "51-link.md" in path
        assert str(tmp_path) not in path
        for name in ("large", "endless", "python"):
            reply = server.get(f"/learn/{name}", Accept="text/html")
            assert reply.status == 422, name
            assert f"-{name}.md" in reply.body.decode()
        for name in ("link", "bomb"):
            error = server.get(f"/api/chapters/{name}").error
            assert error["code"] == "chapter"
            assert error["hint"]
            assert error["where"]["file"].endswith(f"-{name}.md")
        assert server.post("/api/walk", {"lesson": "mine"}).status == 200
        assert server.get("/walk/mine").status == 200
        assert server.get("/practise/mine").status == 200
        assert server.get("/learn/first-steps").status == 200
