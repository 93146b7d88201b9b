"""`make lock`: every dependency with the hashes of all its files, for all systems and versions of Python.

What constraints.txt pins stays as it is: to take another version, change or delete its line there first. torch alone is
pinned by its version only. Its builds without graphics cards come from PyTorch's own index and are other files than
those of the same version on PyPI.
"""

import re
import subprocess
import sysconfig
from pathlib import Path

from tests.tools.server import ROOT

# What each lock is made from besides the project's own needs: extras of pyproject.toml.
LOCKS = {"run": ("server", "redis"), "test": ("server", "test"), "node": ("server", "node")}
BUILD = "hatchling\neditables\n"  # what makes the project itself installable
INDEX = "https://pypi.org/simple"
FOR_GRAPHICS_CARDS = re.compile(r"triton|nvidia-.+|cuda-.+")
ENTRY = re.compile(r"^([a-z0-9-]+)==(\S+)((?: ;[^\\\n]+)?)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)
HEADER = "# Written by `make lock`.\n"
PINS = HEADER + "# The versions that are tested together; pyproject.toml admits wider ranges.\n"


def main() -> None:
    """Write every lock, and the versions alone in constraints.txt."""
    pins: dict[str, str] = {}
    for name, extras in LOCKS.items():
        found = [entry for entry in ENTRY.finditer(compiled(extras)) if not FOR_GRAPHICS_CARDS.fullmatch(entry[1])]
        pins |= {entry[1]: f"{entry[1]}=={entry[2]}{entry[3]}" for entry in found}
        lock(name).write_text(HEADER + "".join(f"{entry[0]}\n" for entry in found if entry[1] != "torch"))
    (ROOT / "constraints.txt").write_text(PINS + "".join(f"{pins[name]}\n" for name in sorted(pins)))


def lock(name: str) -> Path:
    """The file of a lock."""
    return ROOT / f"locks/{name}.txt"


def compiled(extras: tuple[str, ...]) -> str:
    """What uv resolves within constraints.txt."""
    uv = str(Path(sysconfig.get_path("scripts")) / "uv")
    command = [uv, "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-annotate", "--no-header"]
    command += ["--no-config", "--default-index", INDEX, "--python-version", "3.11", "-c", "constraints.txt"]
    command += [word for extra in extras for word in ("--extra", extra)] + ["pyproject.toml", "-"]
    return subprocess.run(command, cwd=ROOT, input=BUILD, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
