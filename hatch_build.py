"""Builds the wheel: `app` and `backend` stand below `gradwalk` in it, so that nobody else's `app` is in their way."""

import ast
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "gradwalk"
BELOW = ("app", "backend")


class BelowOneName(BuildHookInterface):  # type: ignore[type-arg]  # of any builder
    """Copies the packages for the wheel, with their imports of each other as they are there."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the copies and have them packed; a checkout that is installed editable stays as it is."""
        if version == "editable":
            return
        root, copies = Path(self.root), Path(self.directory) / "below"
        shutil.rmtree(copies, ignore_errors=True)
        for package in (*BELOW, NAME):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(root / package, copies / package, ignore=ignored)
            build_data["force_include"][str(copies / package)] = NAME if package == NAME else f"{NAME}/{package}"
        for path in copies.rglob("*.py"):
            path.write_text(below(path.read_text(encoding="utf-8")), encoding="utf-8")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Leave nothing behind."""
        shutil.rmtree(Path(self.directory) / "below", ignore_errors=True)


def below(text: str) -> str:
    """A module with its imports of these packages as they are below the one name."""
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in BELOW:
            replace(lines, node.lineno, f"from {node.module} ", f"from {NAME}.{node.module} ")
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.name in BELOW:
                    replace(lines, node.lineno, f"import {name.name}", f"from {NAME} import {name.name}")
                elif name.name.partition(".")[0] in BELOW:
                    replace(lines, node.lineno, f"import {name.name}", f"import {NAME}.{name.name}")
    return "".join(lines)


def replace(lines: list[str], number: int, old: str, new: str) -> None:
    """Exchange what a line, counted from 1, says; it must say it."""
    if old not in lines[number - 1]:
        raise ValueError(f"“{lines[number - 1].strip()}” is an import that can't be moved below {NAME}")
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
