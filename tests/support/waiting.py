"""Waiting for what happens in another process, and processes that can't get ready, or not yet."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

BROKEN = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "backend":
            raise RuntimeError("nothing will warm up here")

sys.meta_path.insert(0, Finder())
"""


# The `sitecustomize.py` of a folder: what is started with it in PYTHONPATH loads no `MODULE` before `gate` is there.
HELD = """
import pathlib, sys, time

class Finder:
    def find_spec(self, name, path=None, target=None):
        while name == "MODULE" and not (pathlib.Path(__file__).parent / "gate").exists():
            try:
                time.sleep(0.05)
            except DROPPED:
                pass

sys.meta_path.insert(0, Finder())
"""


def held_back(folder: Path, module: str = "backend", dropped: str = "()") -> Path:
    """The gate of processes that are started with this folder in PYTHONPATH: they go on once it exists.

    What is `dropped` meanwhile is lost, as much that is imported loses exceptions.
    """
    (folder / "sitecustomize.py").write_text(HELD.replace("MODULE", module).replace("DROPPED", dropped))
    return folder / "gate"


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether a condition comes true within the minutes that a busy machine may take."""
    return any(condition() or Event().wait(0.05) for _ in range(4800))
