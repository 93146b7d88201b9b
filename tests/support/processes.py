"""Processes that ought to be gone."""

from pathlib import Path
from threading import Event


def wait_until_gone(pids: list[int]) -> bool:
    return any(not any(alive(pid) for pid in pids) or Event().wait(0.05) for _ in range(100))


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False
