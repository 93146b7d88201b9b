"""The wheel and the sdist: one name in site-packages, an engine without the web, and the server as in a checkout."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

from hatch_build import below
from tests.tools.server import ROOT

WEB = ("fastapi", "starlette", "uvicorn", "httptools", "pydantic_settings", "plotly")


def pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words]
    subprocess.run(command, check=True, cwd=ROOT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made of a copy: nothing is built in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(ROOT))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the wheel is installed, by itself."""
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--no-deps", "--no-index", "--no-compile", "--target", str(folder), str(wheel))
    return folder


def run(installed: Path, *words: str, text: str = "") -> subprocess.Popen[str]:
    """Python with the wheel and what it needs, but without the checkout, to which an editable install leads."""
    path = os.pathsep.join([str(installed), sysconfig.get_path("purelib")])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-S", *(words or ("-c", text))]
    return subprocess.Popen(command, cwd=installed.parent, env=environment, stdout=subprocess.PIPE, text=True)


def said(installed: Path, *words: str, text: str = "") -> str:
    """What it prints; the program must end well."""
    with run(installed, *words, text=text) as process:
        out, _ = process.communicate()
    assert process.returncode == 0, out
    return out


@pytest.mark.exhaustive
def test_one_name_is_taken_in_site_packages(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"gradwalk"}
    below_it = {name.split("/")[1] for name in names if name.startswith("gradwalk/")}
    assert below_it >= {"app", "backend", "static", "templates", "__init__.py", "__main__.py"}
    kept = {"app", "backend", "gradwalk", "static", "templates"}
    files = {path for folder in kept for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert len([name for name in names if "dist-info" not in name]) == len(
        [path for path in files if "__pycache__" not in path.parts]
    )


@pytest.mark.exhaustive
def test_the_engine_runs_without_the_web_and_leaves_other_names_alone(installed: Path) -> None:
    """A folder `app` or `backend` of somebody's own is not looked at."""
    for name in ("app", "backend"):
        (installed.parent / f"{name}.py").write_text("raise SystemExit('somebody else')")
    text = f"""
import sys
for name in {WEB!r}:
    sys.modules[name] = None
import gradwalk
from gradwalk import backend
given = {{"x": {{"role": "data", "values": [1.0, 2.0]}}}}
document = backend.walk({{"source": "loss = (x * x).sum()", "tensors": given}})
print(b'"exact":1' in document, {{"app", "backend"}} & sys.modules.keys())
"""
    assert said(installed, text=text) == "True set()\n"


@pytest.mark.exhaustive
def test_every_module_is_found_there(installed: Path) -> None:
    text = """
import pkgutil, importlib, sys
import gradwalk
names = [one.name for one in pkgutil.walk_packages(gradwalk.__path__, "gradwalk.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names) > 400, {"app", "backend"} & sys.modules.keys())
"""
    assert said(installed, text=text) == "True set()\n"


@pytest.mark.exhaustive
def test_it_serves_as_a_checkout_does(installed: Path) -> None:
    with run(installed, "-m", "gradwalk", "--port", "0", "--no-browser") as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
            assert found is not None
            with urllib.request.urlopen(f"{found[0]}/healthz") as answer:
                assert answer.status == 200
        finally:
            process.terminate()


@pytest.mark.exhaustive
def test_the_sdist_makes_the_same_wheel_possible(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    (built,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(built) as packed:
        inside = {name.split("/")[1] for name in packed.getnames() if "/" in name}
    assert inside >= {"app", "backend", "gradwalk", "static", "templates", "hatch_build.py", "pyproject.toml"}


@pytest.mark.parametrize(
    ("written", "there"),
    [
        ("from backend.engine import ops\n", "from gradwalk.backend.engine import ops\n"),
        ("from app import main\n", "from gradwalk.app import main\n"),
        ("import backend\n", "from gradwalk import backend\n"),
        ("def late():\n    import app.main  # noqa\n", "def late():\n    import gradwalk.app.main  # noqa\n"),
        ("from apple import app\nimport application\n", "from apple import app\nimport application\n"),
        ('"""from backend import x"""\n', '"""from backend import x"""\n'),
    ],
)
def test_imports_are_moved_below_the_name(written: str, there: str) -> None:
    assert below(written) == there


def test_an_import_that_cannot_be_moved_ends_the_build() -> None:
    with pytest.raises(ValueError, match="can't be moved"):
        below("from  backend import walk\n")
