"""`gradwalk check`: runs a script, and tells how the checks in it came out."""

from __future__ import annotations

import runpy

from gradwalk.checking import LISTENERS, Check


def checked(path: str, strict: bool = False) -> int:
    """Run a script as Python does; 0 where every check in it is right, 1 where one isn't, 2 where there is none.

    A gradient that passes where the forward pass is flat may be meant or a mask that is missing: it is asked about, and
    isn't right where `strict`.
    """
    found: list[Check] = []
    LISTENERS.append(found.append)
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        LISTENERS.remove(found.append)
    asked = [one for one in found if one and one.questions]
    wrong = [one for one in found if not one or (strict and one.questions)]
    for one in found:
        if one in wrong or one in asked:
            print(one)
    if not found:
        print(f"{path} makes no check: call gradwalk.check in it.")
        return 2
    print(f"{len(found) - len(wrong)} of {len(found)} checks are right.")
    if asked and not strict:
        print(f"Is it meant that {', '.join(name for one in asked for name in one.questions)} isn't the true gradient?")
        print("With --strict that is an error.")
    return int(bool(wrong))
