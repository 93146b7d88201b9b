"""Starting points for one's own program: one TOML file each, in the order of file names."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from backend.engine.encode import Document


@cache
def starts() -> list[Document]:
    """Every starting point: name, title, what it shows, and the request of its walk."""
    files = sorted(
        (f for f in resources.files(__package__).iterdir() if f.name.endswith(".toml")), key=lambda f: f.name
    )
    return [_start(file.name, tomllib.loads(file.read_text(encoding="utf-8"))) for file in files]


def _start(filename: str, entry: Document) -> Document:
    name = filename.removesuffix(".toml").partition("-")[2]
    request = {key: value for key, value in entry.items() if key not in ("title", "about")}
    return {"name": name, "title": entry["title"], "about": entry["about"], "request": request}
