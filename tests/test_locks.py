"""Every dependency is pinned, with the hashes of its files, by what `make lock` writes."""

import json
import re
import tomllib

import pytest

from tests.tools.lock import ENTRY, LOCKS, PINS, lock
from tests.tools.server import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text()
PINNED = dict(line.split("==", 1) for line in CONSTRAINTS.removeprefix(PINS).splitlines())
UNHASHED = {"torch"}


def entries(name: str) -> dict[str, str]:
    """The version, with its marker, of every package that a lock holds."""
    return {found[1]: found[2] + found[3] for found in ENTRY.finditer(lock(name).read_text())}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_is_nothing_but_versions_with_hashes(name: str) -> None:
    text = lock(name).read_text()
    assert ENTRY.sub("", text).strip() == "# Written by `make lock`."
    assert text.count("==") >= len(entries(name)) > 10


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_what_the_project_asks_for(name: str) -> None:
    asked = [
        *PROJECT["dependencies"],
        *(one for extra in LOCKS[name] for one in PROJECT["optional-dependencies"][extra]),
    ]
    packages = {re.split(r"[<>=!~ ;\[]", one)[0] for one in asked} - UNHASHED
    assert packages <= entries(name).keys(), "run `make lock`"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_the_versions_that_are_tested_together(name: str) -> None:
    locked = entries(name)
    assert locked.items() <= PINNED.items(), "run `make lock`"
    assert not UNHASHED & locked.keys()


def test_every_pin_is_in_a_lock() -> None:
    assert {package for name in LOCKS for package in entries(name)} == PINNED.keys() - UNHASHED


def test_the_image_takes_nothing_but_what_is_locked() -> None:
    """torch comes from its own index, everything else by hash, and nothing is fetched for building the project."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    installs = [line.split("pip install ")[1] for line in text.splitlines() if "pip install " in line]
    assert len(installs) == 3
    torch, others, project = installs
    assert torch.startswith('--no-deps --index-url "$TORCH_INDEX" -r torch.txt ')
    assert others == "--no-deps --require-hashes -r run.txt"
    assert project == "--no-deps --no-build-isolation ."


def test_the_tools_for_scripts_are_locked_by_their_hashes() -> None:
    made = (ROOT / "Makefile").read_text()
    asked = {
        name.lower(): version for name, version in re.findall(r"^(TYPESCRIPT|PRETTIER) := (\S+)$", made, re.MULTILINE)
    }
    locked = json.loads((ROOT / "locks/package-lock.json").read_text())["packages"]
    assert json.loads((ROOT / "locks/package.json").read_text())["devDependencies"] == asked
    assert locked.pop("")["devDependencies"] == asked
    assert {name.removeprefix("node_modules/"): one["version"] for name, one in locked.items()} == asked
    assert all(one["integrity"].startswith("sha512-") for one in locked.values())
    assert "npm ci" in made
    assert "npm install" not in made
