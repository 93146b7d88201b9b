"""Programs that this process has made itself, with tensors that no request could describe; each goes by a name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

OWN: dict[str, object] = {}


@contextmanager
def served(name: str, material: object) -> Iterator[None]:
    """Let requests mean this material by a name, for a while."""
    OWN[name] = material
    try:
        yield
    finally:
        del OWN[name]
