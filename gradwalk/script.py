"""`gradwalk check`: runs a script, and tells how the checks in it came out."""

from __future__ import annotations

import runpy

from gradwalk.checking import LISTENERS, Check


def checked(path: str) -> int:
    """Run a script as Python does; 0 where every check in it is right, 1 where one isn't, 2 where there is none."""
    found: list[Check] = []
    LISTENERS.append(found.append)
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        LISTENERS.remove(found.append)
    wrong = [one for one in found if not one]
    for one in wrong:
        print(one)
    if not found:
        print(f"{path} makes no check: call gradwalk.check in it.")
        return 2
    print(f"{len(found) - len(wrong)} of {len(found)} checks are right.")
    return int(bool(wrong))
