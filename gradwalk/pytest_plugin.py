"""What pytest loads by itself: the fixture `assert_gradients`, for which PyTorch is loaded when it is first called."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def assert_gradients(tmp_path: Path) -> Callable[..., None]:
    """`gradwalk.testing.assert_gradients`, which leaves the walk of a wrong gradient in the test's own folder."""
    files: Iterator[Path] = (tmp_path / f"walk-{number}.html" for number in count(1))

    def asserted(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True  # pytest shows the caller's line
        from gradwalk.testing import assert_gradients

        assert_gradients(function, *args, **{"save": next(files), **kwargs})

    return asserted
