"""gradwalk's engine: reads a forward pass, writes its backward pass, runs both, and checks every gradient."""

from backend.language.errors import Refusal
from backend.reference import lesson, lessons, operations
from backend.walk import walk
from backend.warm import warm

__all__ = ["Refusal", "lesson", "lessons", "operations", "walk", "warm"]
