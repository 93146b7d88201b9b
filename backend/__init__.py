"""gradwalk's engine: reads a forward pass, writes its backward pass, runs both, and checks every gradient."""

from backend.cells import cell
from backend.check import check
from backend.export import export
from backend.language.errors import Refusal
from backend.opened import opened
from backend.reference import lesson, lessons, operations
from backend.starts import starts
from backend.walk import walk
from backend.warm import warm

__all__ = ["Refusal", "cell", "check", "export", "lesson", "lessons", "opened", "operations", "starts", "walk", "warm"]
