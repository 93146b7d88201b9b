"""What the page "Your code" asks the server: check, export, open, and the starting points."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.site.server import Answers
from app.site.single import single
from tests.tools.server import JSON, ROOT, Server

SOURCE = "h = torch.tanh(x @ W)\nloss = F.cross_entropy(h, y)"
PROGRAM: dict[str, Any] = {
    "source": SOURCE,
    "tensors": {
        "x": {"role": "data", "shape": [5, 3], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [3, 4], "init": "randn", "seed": 2},
        "y": {"role": "target", "values": [0, 1, 2, 3, 3]},
    },
}
ENDPOINTS = {
    "/api/check": PROGRAM,
    "/api/export": {"walk": PROGRAM, "format": "py"},
    "/api/open": {"walk": PROGRAM, "line": 2},
}


def test_a_check_tells_the_shape_of_every_line(server: Server) -> None:
    report = server.post("/api/check", PROGRAM).json()
    assert [(chunk["line"], chunk["name"], chunk["shape"]) for chunk in report["chunks"]] == [
        (1, "h", [5, 4]),
        (2, "loss", []),
    ]
    assert [chunk["opens"] for chunk in report["chunks"]] == [False, True]
    walk = server.post("/api/walk", PROGRAM).json()
    assert (report["loss"], report["gradients"]) == ("loss", 3)
    assert walk["summary"]["gradients"] == 3, "one count wherever it is told: the loss's own is none of them"


def test_only_gradients_that_arrive_are_counted(server: Server) -> None:
    unused = {"role": "parameter", "values": 1.0}
    report = server.post("/api/check", PROGRAM | {"tensors": PROGRAM["tensors"] | {"unused": unused}}).json()
    assert report["gradients"] == 3


def test_a_check_points_at_the_mistake(server: Server) -> None:
    reply = server.post("/api/check", PROGRAM | {"source": SOURCE.replace("h, y", "hh, y")})
    assert (reply.status, reply.error["code"]) == (422, "name-near")
    assert reply.error["where"] == {"line": 2, "column": 24, "end_column": 26, "text": "hh"}


def test_opening_a_line_gives_a_program_that_walks(server: Server) -> None:
    source = server.post("/api/open", {"walk": PROGRAM, "line": 2}).json()["source"]
    assert source.startswith("h = torch.tanh(x @ W)\n")
    assert "cross_entropy" not in source.replace("# ", "")
    before, after = (server.post("/api/walk", PROGRAM | {"source": text}).json()["loss"] for text in (SOURCE, source))
    assert after["value"] == pytest.approx(before["value"], rel=1e-5)


@pytest.mark.parametrize("line", [1, 3, 2**53])
def test_a_line_with_nothing_inside(server: Server, line: int) -> None:
    reply = server.post("/api/open", {"walk": PROGRAM, "line": line})
    assert (reply.status, reply.error["code"]) == (422, "nothing-to-open")


def test_an_exported_file_runs_and_agrees(server: Server, tmp_path: Path) -> None:
    answer = server.post("/api/export", {"walk": PROGRAM, "format": "py"}).json()
    assert set(answer) == {"filename", "media_type", "text"}
    file = tmp_path / answer["filename"]
    file.write_text(answer["text"])
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 of 4 gradients agree" in done.stdout


def test_an_exported_notebook_is_one(server: Server) -> None:
    answer = server.post("/api/export", {"walk": {"lesson": "makemore-mlp"}, "format": "ipynb"}).json()
    assert answer["filename"] == "makemore_mlp.ipynb"
    notebook = json.loads(answer["text"])
    assert (notebook["nbformat"], {cell["cell_type"] for cell in notebook["cells"]}) == (4, {"markdown", "code"})


def test_an_exported_page_holds_its_walk(server: Server) -> None:
    """It is the file that the command line writes, of the same recorder; tests/browser/test_site.py opens it."""
    walk = {"lesson": "broadcasting"}
    answer = server.post("/api/export", {"walk": walk, "format": "html"}).json()
    assert (answer["filename"], answer["media_type"]) == ("broadcasting.html", "text/html")
    said = "Broadcasting copies, so its gradient sums"
    assert answer["text"] == single(Answers(server.url.removeprefix("http://")), walk, said)
    own = server.post("/api/export", {"walk": PROGRAM, "format": "html"}).json()
    assert (own["filename"], "Your code: one walk, all its numbers" in own["text"]) == ("gradwalk.html", True)


def test_a_page_of_a_refused_program_is_refused_at_its_place(server: Server) -> None:
    wrong = PROGRAM | {"source": SOURCE.replace("h, y", "hh, y")}
    reply = server.post("/api/export", {"walk": wrong, "format": "html"})
    assert (reply.status, reply.error["where"]["text"]) == (422, "hh")


def test_every_file_is_a_starting_point_and_each_can_be_walked(server: Server) -> None:
    starts = server.get("/api/starts").json()["starts"]
    files = list((ROOT / "backend/program/starts").glob("*.toml"))
    assert len({start["name"] for start in starts}) == len(starts) == len(files) >= 10
    for start in starts:
        assert start["title"]
        assert start["about"]
        assert server.post("/api/check", start["request"]).status == 200, start["name"]


@pytest.mark.parametrize(
    ("path", "change", "where"),
    [
        ("/api/check", {"source": 1}, "source: must be a text"),
        ("/api/check", {"line": 1}, "line: there is no such field"),
        ("/api/export", {"format": "pdf"}, "format: must be one of"),
        ("/api/export", {"format": None}, "format: must be one of"),
        ("/api/export", {"walk": {}}, "walk: give a `lesson` or a `source`"),
        ("/api/export", {"walk": PROGRAM | {"exact": 1}}, "walk.exact: must be true or false"),
        ("/api/open", {"line": 0}, "line: must be at least 1"),
        ("/api/open", {"line": "2"}, "line: must be an integer"),
        ("/api/open", {"line": True}, "line: must be an integer"),
        ("/api/open", {"line": 2**60}, "line: must be at most"),
        ("/api/open", {"more": 1}, "more: there is no such field"),
    ],
)
def test_what_is_refused(server: Server, path: str, change: dict[str, Any], where: str) -> None:
    reply = server.post(path, ENDPOINTS[path] | change)
    assert (reply.status, reply.error["code"]) == (422, "request-invalid")
    assert reply.error["message"].startswith(where)


@pytest.mark.parametrize("path", ENDPOINTS)
def test_only_json_by_post(server: Server, path: str) -> None:
    assert server.get(path).status == 405
    assert server.ask("POST", path, b"{", JSON).error["code"] == "json-invalid"
    assert server.ask("POST", path, b"{}", {"Content-Type": "text/plain"}).status == 415


def test_the_page_and_everything_it_loads(server: Server) -> None:
    reply = server.get("/code")
    assert (reply.status, reply.headers["cache-control"]) == (200, "no-cache")
    assert reply.headers["content-type"].startswith("text/html")
    assert b'aria-current="page">Your code' in reply.body


def test_the_description_of_the_interface_lists_them(server: Server) -> None:
    paths = server.get("/api/openapi.json").json()["paths"]
    assert {*ENDPOINTS, "/api/starts"} <= set(paths)


def test_several_faults_are_told_in_the_order_of_the_text(server: Server) -> None:
    program = PROGRAM | {"source": "hidden = x @ W + bias\nloss = hiden.mean()"}
    for path in ("/api/check", "/api/walk"):
        error = server.post(path, program).error
        assert [one["where"]["text"] for one in (error, *error["others"])] == ["bias", "hiden"]
        assert {frozenset(one) - {"fix"} for one in error["others"]} == {
            frozenset({"code", "message", "hint", "where"})
        }
    alone = server.post("/api/check", PROGRAM | {"source": "loss = (x + bias).mean()"}).error
    assert (alone["code"], "others" in alone) == ("name-unknown", False)


def test_a_refusal_may_be_an_answer(server: Server) -> None:
    path, wrong = "/api/check?refusals=answer", PROGRAM | {"source": SOURCE.replace("h, y", "hh, y")}
    fine, told = server.post(path, PROGRAM), server.post(path, wrong)
    assert (fine.status, told.status) == (200, 200)
    assert fine.json() == {"ok": True, "report": server.post("/api/check", PROGRAM).json()}
    assert told.json() == {"ok": False, **server.post("/api/check", wrong).json()}
    assert server.post("/api/check?refusals=never", PROGRAM).error["code"] == "request-invalid"
    assert server.post(path, PROGRAM | {"unfinished": "x"}).error["message"].startswith("unfinished: must be a list")


@pytest.mark.parametrize(
    ("source", "code", "text"),
    [
        (SOURCE, None, None),
        ("h = torch.tanh(x @ W\nloss = h.sum()", "syntax", None),
        ("h = torch.tahn(x @ W)\nloss = hh.sum()", "function-unknown", "torch.tahn"),
        ("h = torch.tanh(x @ W)\nloss = hh.sum()", "name-near", "hh"),
        ("hidden = x @ W\nfor i in range(3):\n    hidden = hiden * 2\nloss = hidden.sum()", "name-near", "hiden"),
        ("h = math.sqr(2) * x\nloss = h.mena()", "function-unknown", "math.sqr"),
        ("loss = (x @ W + b).reshape(x.size(0), -1).mena()", "function-unknown", None),
        ("loss = (x @ W).sum() * W.numel() / len(x) * float(2) * math.pi", None, None),
        ("import torch", "import", "import torch"),
    ],
)
def test_what_no_shape_can_mend_is_told_before_there_is_one(
    server: Server, source: str, code: str | None, text: str | None
) -> None:
    program = {"source": source, "tensors": {"y": PROGRAM["tensors"]["y"]}, "unfinished": ["x", "W"]}
    answer = server.post("/api/check?refusals=answer", program).json()
    assert answer.get("error", {}).get("code") == code
    if code is None:
        assert answer["report"]["chunks"] == []
    if text is not None:
        assert answer["error"]["where"]["text"] == text


@pytest.mark.parametrize(("lesson", "seed"), [("makemore-mlp", None), ("makemore-mlp", 7), ("first-steps", 5)])
def test_a_lesson_as_a_program_of_ones_own_has_the_very_same_numbers(
    server: Server, lesson: str, seed: int | None
) -> None:
    copy = server.get(f"/api/lessons/{lesson}/program" + (f"?seed={seed}" if seed else "")).json()
    assert set(copy) == {"name", "title", "about", "request"}
    asked = {"lesson": lesson} | ({"seed": seed} if seed else {})
    theirs, ours = server.post("/api/walk", asked).json(), server.post("/api/walk", copy["request"]).json()
    assert ours["loss"] == theirs["loss"]
    assert [node["value"] for node in ours["nodes"]] == [node["value"] for node in theirs["nodes"]]
    assert [node["dims"] for node in ours["nodes"]] == [node["dims"] for node in theirs["nodes"]]
    assert ours["backward_source"] == theirs["backward_source"]


@pytest.mark.parametrize(("path", "status"), [("nope/program", 404), ("first-steps/program?seed=-1", 422)])
def test_a_copy_that_cannot_be_made(server: Server, path: str, status: int) -> None:
    reply = server.get(f"/api/lessons/{path}")
    assert reply.status == status
    assert reply.error["hint"]


def test_a_walk_says_which_lines_open(server: Server) -> None:
    steps = server.post("/api/walk", PROGRAM).json()["steps"]
    assert [step["opens"] for step in steps if step["direction"] == "forward"] == [False, True]
    looped = PROGRAM | {"source": "for i in range(2):\n    h = F.softmax(x @ W, 1)\nloss = h.mean()"}
    steps = server.post("/api/walk", looped).json()["steps"]
    assert not any(step["opens"] for step in steps if step["direction"] == "forward")
