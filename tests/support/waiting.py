"""Waiting for what happens in another process, and a process that can't get ready."""

from collections.abc import Callable
from threading import Event

BROKEN = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "backend":
            raise RuntimeError("nothing will warm up here")

sys.meta_path.insert(0, Finder())
"""


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether a condition comes true within ten seconds."""
    return any(condition() or Event().wait(0.05) for _ in range(200))
