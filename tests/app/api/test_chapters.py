"""The chapters over HTTP: the list, each as a page, answers judged, axes asked; described as all else is."""

from __future__ import annotations

import pytest

from tests.tools.server import Server


def test_the_list_and_each_chapter_are_as_the_interface_describes_them(server: Server) -> None:
    schemas = server.get("/api/openapi.json").json()["components"]["schemas"]
    listed = server.get("/api/chapters").json()
    assert listed["faults"] == []
    for entry in listed["chapters"]:
        assert set(entry) == set(schemas["ChapterEntry"]["required"])
    page = server.get("/api/chapters/linear-layer").json()
    assert set(page) == set(schemas["ChapterPage"]["required"])
    for part in page["parts"]:
        assert set(part) == set(schemas["ChapterPart"]["required"])
        for choice in part["choices"]:
            assert set(choice) == set(schemas["ChapterChoice"]["required"])


def test_a_chapter_that_is_not_there_is_a_404(server: Server) -> None:
    reply = server.get("/api/chapters/nothing")
    assert (reply.status, reply.error["code"]) == (404, "chapter-unknown")
    reply = server.post("/api/chapters/nothing/answer", {"block": "quiz", "answer": "1"})
    assert (reply.status, reply.error["code"]) == (404, "chapter-unknown")


def test_an_answer_is_judged(server: Server) -> None:
    page = server.get("/api/chapters/linear-layer").json()
    block = next(part["id"] for part in page["parts"] if part["asks"] in ("number", "shape", "expression"))
    told = server.post("/api/chapters/linear-layer/answer", {"block": block, "answer": "no_such_name"})
    assert told.status == 200
    assert set(told.json()) == {"right", "message", "answer", "tape"}
    assert not told.json()["right"]
    refused = server.post("/api/chapters/linear-layer/answer", {"block": "nothing", "answer": "1"})
    assert (refused.status, refused.error["code"]) == (422, "chapter-block")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"block": "quiz"},
        {"block": "quiz", "answer": 3},
        {"block": "quiz", "answer": "1", "show": True},
        {"block": "quiz", "show": False},
        {"block": "quiz", "answer": "x" * 20_001},
        {"block": "quiz", "answer": "1", "chapter": "other"},
    ],
)
def test_a_body_that_does_not_fit_is_refused(server: Server, body: dict[str, object]) -> None:
    reply = server.post("/api/chapters/linear-layer/answer", body)
    assert (reply.status, reply.error["code"]) == (422, "request-invalid")


def test_the_axis_of_any_walk_can_be_asked(server: Server) -> None:
    found = server.post("/api/axes", {"walk": {"lesson": "makemore-mlp"}, "tensor": "bnmeani"}).json()
    (right,) = [one for one in found["choices"] if one["right"]]
    assert (right["axes"], right["keepdim"], found["needed"]) == ([0], True, [1, 64])
    reply = server.post("/api/axes", {"walk": {"lesson": "makemore-mlp"}, "tensor": "W1"})
    assert (reply.status, reply.error["code"]) == (422, "axis-none")
