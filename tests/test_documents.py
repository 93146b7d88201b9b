"""What is generated from the Walk's schema is as the schema says: JavaScript types, OpenAPI schemas, docs/api.md."""

from pathlib import Path

import pytest

from tests.tools.documents import CLASSES, ROOT, generated, sent
from tests.tools.server import Server

FILES = generated()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_generated_files_are_as_the_schema_says(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == FILES[path], "python -m tests.tools.documents writes it anew"


def test_the_answer_of_a_walk_is_described(server: Server) -> None:
    description = server.get("/api/openapi.json").json()
    answer = description["paths"]["/api/walk"]["post"]["responses"]["200"]["content"]["application/json"]
    assert answer["schema"] == {"$ref": "#/components/schemas/WalkDocument"}
    schemas = description["components"]["schemas"]
    assert set(sent()) <= set(schemas)
    walk = server.post("/api/walk", {"lesson": "makemore-mlp"}).json()
    for name, part in (
        ("WalkDocument", walk),
        ("SentNode", walk["nodes"][0]),
        ("Verdict", walk["nodes"][0]["gradient"]["verdict"]),
    ):
        assert set(part) == set(schemas[name]["required"]) == set(schemas[name]["properties"])


def test_every_reference_leads_somewhere(server: Server) -> None:
    description = server.get("/api/openapi.json").json()

    def look(value: object) -> None:
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(part)
        if isinstance(value, dict) and isinstance(value.get("$ref"), str):
            assert value["$ref"].rpartition("/")[2] in description["components"]["schemas"]

    look(description)


def test_every_class_is_sent_or_planned() -> None:
    unsent = set(CLASSES) - set(sent())
    assert all(name.startswith("Planned") for name in unsent), unsent
    assert (ROOT / "docs" / "api.md").is_file()
