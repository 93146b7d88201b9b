"""Every answer fits its one type, from which the JavaScript types and the OpenAPI schemas are made."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, get_args

from tests.support.class_of import Someone
from tests.support.sample_requests import COMMANDS, GOT, POSTED, TRAINING
from tests.support.schema_check import faults
from tests.support.streams import until
from tests.tools.documents import ALIASES, NAMES, ROOT, TYPES, answered, generated, sent
from tests.tools.server import Reply, Server

CLASSES = TYPES.classes
ASKED = [(f"POST {path}", body) for path, bodies in POSTED.items() for body in bodies] + [
    (f"GET {p}", None) for p in GOT
]
# What the server says of itself, and what has no body.
UNTYPED = {
    "GET /healthz", "GET /readyz", "DELETE /api/training/{number}", "DELETE /api/class/{number}",
    "PUT /api/class/{number}/here",
    "GET /api/class/{number}/answers.csv", "GET /api/class/{number}/qr.svg",
}  # fmt: skip


def test_generated_files_are_as_the_types_say() -> None:
    """`python -m tests.tools.documents` writes them anew."""
    assert [path.name for path, text in generated().items() if path.read_text(encoding="utf-8") != text] == []


def operation(asked: str) -> str:
    """The described operation that a request is for."""
    method, path = asked.partition("?")[0].split(" ")
    exact = f"{method} {path}"
    forms = {one: re.sub(r"\{\w+\}", "[^/]+", one) for one in answered()}
    return exact if exact in forms else next(one for one, form in forms.items() if re.fullmatch(form, exact))


def ask(server: Server, asked: str, body: object) -> Reply:
    method, path = asked.split(" ")
    return server.post(path, body) if method == "POST" else server.get(path)


def members(kind: Any) -> Iterator[Any]:
    """The classes that an answer may be, where it may be one of several."""
    yield from get_args(kind) if kind in ALIASES.values() else [kind]


def test_every_answer_fits_its_type(server: Server) -> None:
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for asked, body in ASKED:
        reply = ask(server, asked, body)
        assert reply.status == 200, (asked, reply.body)
        name, answer = answered()[operation(asked)], reply.json()
        if name == "SearchResults":  # the server's own model writes it
            seen[operation(asked)].add(name)
            continue
        if "lists" not in asked:
            assert faults(answer, NAMES[name], asked) == []
        seen[operation(asked)] |= {one.__name__ for one in members(NAMES[name]) if not faults(answer, one)}
    elsewhere = {one for one in answered() if "/api/training" in one or "/api/class" in one}
    expected = {one: name for one, name in answered().items() if one not in UNTYPED | elsewhere}
    assert seen.keys() == expected.keys()
    for one, name in expected.items():
        assert name == "SearchResults" or seen[one] == {kind.__name__ for kind in members(NAMES[name])}, one


def test_every_answer_about_a_run_fits_its_type(server: Server) -> None:
    begun = server.post("/api/training", TRAINING | {"steps": 100_000})
    assert begun.status == 201, begun.body
    assert faults(begun.json(), NAMES["Begun"]) == []
    run = f"/api/training/{begun.json()['id']}"
    for command, body in COMMANDS.items():
        reply = server.post(f"{run}/{command}", body)
        if command == "step":
            until(server, begun.json()["id"], "report")  # before which there is nothing to compare
        assert (reply.status, faults(reply.json(), NAMES["CommandAnswer"], command)) == (200, [])
        about = server.get(run).json()
        assert faults(about, NAMES["Standing"]) == []
        if command == "compare":  # a step that was taken; a restart forgets it
            assert faults(server.get(f"{run}/walk").json(), NAMES["StepWalk"]) == []
    assert until(server, begun.json()["id"])  # each event is held against its type as it arrives
    assert server.ask("DELETE", run).status == 204
    described = {one for one in answered() if "training" in one} - UNTYPED
    assert described == {
        "POST /api/training", "GET /api/training/{number}", "GET /api/training/{number}/events",
        "GET /api/training/{number}/walk", *(f"POST /api/training/{{number}}/{one}" for one in COMMANDS),
    }  # fmt: skip


def test_every_answer_of_a_class_fits_its_type(server: Server) -> None:
    """Played until there is a bar, a text on the wall and a right answer, which every kind of answer may hold."""
    seen: dict[str, list[Any]] = defaultdict(list)
    begun = server.post("/api/class", {"address": "/walk/first-steps"}).json()
    seen["POST /api/class"].append(begun)
    teacher, student = Someone(server, f"/api/class/{begun['id']}"), Someone(server, "/api/class")
    seen["POST /api/class/{number}/enter"].append(teacher.ask("POST", "/enter", {"key": begun["teacher"]}).json())
    seen["POST /api/class/join"].append(student.ask("POST", "/join", {"code": begun["code"]}).json())
    student.path = teacher.path
    ask = {"kind": "gradient", "walk": {"lesson": "first-steps"}, "target": "x"}
    says: list[dict[str, Any]] = [
        {"kind": "pace", "pace": "free"}, {"kind": "lock"}, {"kind": "unlock"}, {"kind": "ask", "ask": ask},
    ]  # fmt: skip
    told = [teacher.ask("POST", "/tell", one).json() for one in says]
    assert student.ask("GET", "/events?wait=0").status == 200
    seen["POST /api/class/{number}/answers"].append(student.answer(1, "dx = -3 * dy").json())
    with teacher.events("/board") as pictures:
        board = seen["GET /api/class/{number}/board"]
        board.append(next(one for one in pictures if one["question"]["waiting"] == 0))
    says = [{"kind": "wall", "text": "dx = -3 * dy"}, {"kind": "count"}, {"kind": "answer"}]
    told += [teacher.ask("POST", "/tell", one).json() for one in says]
    seen["GET /api/class/{number}/state"].append(student.ask("GET", "/state").json())
    with student.events() as events:
        seen["GET /api/class/{number}/events"] += [next(events) for _ in range(7)]
    seen["POST /api/class/{number}/tell"] = told
    assert teacher.ask("DELETE", "").status == 204
    described = {one for one in answered() if "/api/class" in one} - UNTYPED
    assert seen.keys() == described
    for one, documents in seen.items():
        assert [fault for document in documents for fault in faults(document, NAMES[answered()[one]], one)] == []


def test_a_document_that_does_not_fit_is_found() -> None:
    report = {"kind": "missed", "first": 1, "last": 2}
    assert faults(report, NAMES["RunEvent"]) == []
    for wrong in ({"last": "2"}, {"last": None}, {"more": 1}, {"kind": "miss"}):
        assert faults(report | wrong, NAMES["RunEvent"])
    assert faults({"kind": "missed", "first": 1}, NAMES["RunEvent"])


def test_every_type_is_described(server: Server) -> None:
    description = server.get("/api/openapi.json").json()
    assert {one for one, name in answered().items() if not name} == UNTYPED
    assert set(sent()) <= set(description["components"]["schemas"])


def test_every_reference_leads_somewhere(server: Server) -> None:
    description = server.get("/api/openapi.json").json()

    def look(value: object) -> None:
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(part)
        if isinstance(value, dict) and isinstance(value.get("$ref"), str):
            assert value["$ref"].rpartition("/")[2] in description["components"]["schemas"]

    look(description)


def test_every_class_is_sent_or_planned() -> None:
    whole = [kind.__annotations__.items() for name, kind in CLASSES.items() if name in sent()]
    unsent = {name for name in CLASSES if name not in sent()}
    unsent -= {name for name in unsent if any(CLASSES[name].__annotations__.items() <= fields for fields in whole)}
    assert all(name.startswith("Planned") for name in unsent), unsent
    assert (ROOT / "docs" / "api.md").is_file()
