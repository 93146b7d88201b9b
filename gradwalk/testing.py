"""For tests: `assert_gradients` fails where a gradient isn't what it should be, and says which one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gradwalk.checking import check


def assert_gradients(
    function: Callable[..., Any],
    *args: Any,
    loss: Callable[[Any], Any] | None = None,
    save: str | Path | None = None,
    **kwargs: Any,
) -> None:
    """Raise AssertionError where a gradient of a function differs; `save` is where the walk is then written.

    Raises WalkError where the function can't be walked.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    found = check(function, *args, loss=loss, **kwargs)
    if found:
        return
    kept = f"\nThe walk is in {found.walk.save(save)}." if save is not None else ""
    raise AssertionError(f"{found!r}{kept}")
