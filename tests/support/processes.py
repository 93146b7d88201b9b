"""Processes that ought to be gone."""

from pathlib import Path

from tests.support.waiting import eventually


def wait_until_gone(pids: list[int]) -> bool:
    return eventually(lambda: not any(alive(pid) for pid in pids))


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False
