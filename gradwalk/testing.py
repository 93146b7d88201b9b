"""For tests: `assert_gradients` fails where a gradient isn't what it should be, and says which line and mistake."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gradwalk.checking import Check, check
from gradwalk.failing import first_wrong
from gradwalk.recorder.recording import WalkError
from gradwalk.walking import Walk


def assert_gradients(
    function: Callable[..., Any],
    *args: Any,
    loss: Callable[[Any], Any] | None = None,
    save: str | Path | None = None,
    **kwargs: Any,
) -> None:
    """Raise AssertionError where a gradient of a function differs; the walk is then written into the file `save`,
    without it into a new one among the temporary files.

    Raises WalkError where the function can't be walked.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    found = check(function, *args, loss=loss, **kwargs)
    if not found:
        raise AssertionError("\n".join(one for one in (repr(found), line_of(found), kept(found, save)) if one))


def line_of(found: Check) -> str:
    """Which line, and which mistake, where the table doesn't say it."""
    return first_wrong(found.found) if isinstance(found.found, Walk) else ""


def kept(found: Check, save: str | Path | None) -> str:
    """Where the walk is; empty where there is none."""
    try:
        walk = found.walk
    except WalkError:
        return ""
    return f"The walk is in {walk.save(save or Path(tempfile.mkdtemp(prefix='gradwalk-')) / 'walk.html')}."
