"""Follows a folder of chapters that somebody writes on: what is saved there is served at once."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

SECONDS = 0.5  # between two looks
READ = (".md", ".toml")


async def follow(folder: Path, saved: Callable[[], object]) -> None:
    """Call a function each time that a chapter or an exhibit in a folder has been written, added or taken away."""
    known = stamp(folder)
    while True:
        await asyncio.sleep(SECONDS)
        if (now := stamp(folder)) != known:
            known = now
            saved()


def stamp(folder: Path) -> dict[str, tuple[int, int]]:
    """When each file was written, and its size; a file that goes meanwhile ends the look."""
    found = {}
    with contextlib.suppress(FileNotFoundError):
        for path in folder.iterdir():
            if path.suffix in READ:
                at = path.stat()
                found[path.name] = at.st_mtime_ns, at.st_size
    return found
