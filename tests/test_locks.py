"""Every dependency is pinned, with the hashes of its files, by what `make lock` writes."""

import json
import re
import tomllib
from importlib.metadata import requires

import pytest

from tests.tools.lock import BUILD, ENTRY, LOCKS, PINS, lock
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
    installs = [line.split("pip install ")[1] for line in dockerfile() if "pip install " in line]
    assert len(installs) == 3
    torch, others, project = installs
    assert torch.startswith('--no-deps --no-compile --index-url "$TORCH_INDEX" -r torch.txt ')
    assert others == "--no-deps --no-compile --require-hashes -r run.txt"
    assert project.startswith("--no-deps --no-compile --no-build-isolation . ")


def test_the_image_keeps_nothing_that_only_built_it() -> None:
    """What a start loads is compiled from what was installed and stays, and not from the folder beside it."""
    last = next(line for line in dockerfile() if "--no-build-isolation" in line)
    _, uninstalled, thrown_away, compiled = (" ".join(part.split()) for part in last.split("&&"))
    kept = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]]
    building = needed_by(*BUILD.split()) - needed_by(*map(plain, kept))
    assert {*uninstalled.removeprefix("pip uninstall --yes --quiet ").split()} == {*building, "pip"}
    assert thrown_away.startswith("find ")
    assert compiled == "python -P -m gradwalk.app.compiling"


def dockerfile() -> list[str]:
    """The lines of the Dockerfile, each whole."""
    return (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()


def needed_by(*packages: str) -> set[str]:
    """These packages and all that they need, of what is installed everywhere."""
    found, asked = set[str](), [*packages]
    everywhere = {name for name, pin in entries("run").items() if ";" not in pin} | UNHASHED
    while asked:
        name = asked.pop()
        if name in everywhere - found:
            found.add(name)
            asked += [plain(one) for one in requires(name) or () if "extra ==" not in one]
    return found


def plain(requirement: str) -> str:
    """The name of a package, as locks spell it."""
    return re.split(r"[<>=!~ ;\[(]", requirement)[0].lower().replace("_", "-")


def test_the_tools_for_scripts_are_locked_by_their_hashes() -> None:
    made = (ROOT / "Makefile").read_text()
    asked = json.loads((ROOT / "locks/package.json").read_text())["devDependencies"]
    locked = json.loads((ROOT / "locks/package-lock.json").read_text())["packages"]
    assert locked.pop("")["devDependencies"] == asked
    assert asked.items() <= {name.removeprefix("node_modules/"): one["version"] for name, one in locked.items()}.items()
    assert all(one["integrity"].startswith("sha512-") for one in locked.values())
    assert "npm ci" in made
    assert "npm install" not in made
