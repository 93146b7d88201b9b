"""Fixtures of the engine's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import backend


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder for chapters and exhibits; afterwards only our own are served."""
    yield tmp_path
    backend.serve_chapters()
