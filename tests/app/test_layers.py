"""Who may import whom: the engine knows nothing of the web, the web nothing of torch, the page computes no gradient."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = {"fastapi", "starlette", "jinja2", "uvicorn", "pydantic", "app"}


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports anywhere in it, by their full names."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("path", sources("backend"), ids=lambda path: str(path.relative_to(ROOT)))
def test_backend_never_imports_the_web(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports(path)} & WEB


@pytest.mark.parametrize("path", sources("app"), ids=lambda path: str(path.relative_to(ROOT)))
def test_app_never_imports_torch(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports(path)} & {"torch", "numpy"}


def test_the_server_s_own_process_stays_free_of_torch() -> None:
    program = "import sys, app.main, app.__main__; sys.exit('torch' in sys.modules or 'backend' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("path", sources("app") + sources("backend"), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_is_ever_executed(path: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    assert not {call.id for call in calls if isinstance(call, ast.Name)} & {"eval", "exec", "compile", "__import__"}
