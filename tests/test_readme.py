"""What the README says that can be checked: commands, settings, files, counts, and the sample operation."""

import ast
import doctest
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import backend
import gradwalk
from app.__main__ import parser
from app.settings import Settings
from backend.engine.ops import OPS
from tests.support.programs import BY_NAME, usual
from tests.tools.forked import run_module
from tests.tools.server import ROOT

README = (ROOT / "README.md").read_text()
CODE = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SPANS = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL))
NUMBERS = "none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
SHARED_MIB = 400  # of the server, and of the process that its workers and runs are forked from
MAKEFILE = (ROOT / "Makefile").read_text()


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def commands() -> list[str]:
    """Every command that the README shows, in a block or in a sentence."""
    lines = [line.split("#")[0].strip() for kind, block in CODE if kind == "sh" for line in block.splitlines()]
    return [*lines, *(span for span in SPANS if re.match(r"(?:[A-Z]+=\S+ )*(?:make|python) ", span))]


def test_every_make_target_exists() -> None:
    targets = {target for one in commands() for target in re.findall(r"\bmake ([\w-]+)", one)}
    assert targets >= {"run", "test", "test-all", "lint", "bench"}
    assert targets <= set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))


def test_make_test_reads_a_quarter_of_what_is_told() -> None:
    assert "what is told of every kept program where `make test` reads a quarter" in " ".join(README.split())
    assert 0.2 < len(usual() & BY_NAME.keys()) / len(BY_NAME) < 0.3


def test_every_module_that_is_run_takes_these_flags() -> None:
    shown = [one.split() for one in commands() if one.startswith("python -m")]
    tools = {"tests.tools.documents", "tests.tools.golden"}
    programs = {"app", "app.site", "backend.training", "tests.support.random_programs", "tests.fuzz.operations"}
    assert {words[2] for words in shown} == programs | tools
    assert all((ROOT / f"{tool.replace('.', '/')}.py").is_file() for tool in tools)
    for _, _, module, *words in (one for one in shown if one[2] not in tools):
        ended = run_module(module, "--help")
        assert ended.code == 0, ended.err
        assert {word for word in words if word.startswith("--")} <= set(re.findall(r"--[\w-]+", ended.out))


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_port_host_and_names_reach_the_server(tmp_path: Path) -> None:
    """`make --dry-run run` shows the command, and the command takes what it is given."""
    given = {"PORT": "9000", "HOST": "::1", "NAMES": str(tmp_path / "names.txt")}
    given |= {"LESSONS": "mine", "MNIST": "digits"}
    assert {f"`{name}`" for name in given} <= set(re.findall(r"`[A-Z]+`", README))
    shown = dry_run("run", given)
    flags = shown.split("-m app")[1].replace('"', "").split()
    options = vars(parser().parse_args(flags))
    assert (options["port"], options["host"], str(options["names"])) == (9000, "::1", given["NAMES"])
    assert (str(options["lessons"]), str(options["mnist"])) == ("mine", "digits")
    assert not re.search("--names|--lessons|--mnist", dry_run("run", {"PORT": "9000"}))


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize(("target", "flag", "runs"), [("class", "--class", "-m app"), ("test-all", "--all", "pytest")])
def test_options_of_one_s_own_are_added_to_a_target_s(target: str, flag: str, runs: str) -> None:
    """What is written after `make` takes the place of a variable that a target adds to."""
    assert {flag, "--mine"} <= set(dry_run(target, {}, "ARGS=--mine", shows=runs).split())


def dry_run(target: str, given: dict[str, str], *written: str, shows: str = "-m app") -> str:
    """The line with `shows` of what make would do, with all that comes before taken as done."""
    ours = {"PORT", "HOST", "NAMES", "LESSONS", "MNIST", "ARGS", "MAKEFLAGS", "MAKEOVERRIDES"}  # of the make above
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    command = ["make", "--dry-run", "--assume-old=.venv/.run", "--assume-old=.venv/.test", target, *written]
    ended = subprocess.run(command, cwd=ROOT, env=environment | given, capture_output=True, text=True, check=True)
    return next(line for line in ended.stdout.splitlines() if shows in line)


def test_it_serves_where_it_says() -> None:
    defaults = Settings()
    assert f"http://{defaults.host}:{defaults.port}" in README
    assert re.findall(r"^PORT\s+\?= (.*)$", MAKEFILE, re.MULTILINE) == [str(defaults.port)]
    assert re.findall(r"^HOST\s+\?= (.*)$", MAKEFILE, re.MULTILINE) == [defaults.host]


def test_the_sample_operation_is_the_repository_s_own() -> None:
    block = next(text for kind, text in CODE if kind == "python" and "class" in text)
    (name,) = re.findall(r"class (\w+)\(", block)
    op = next(op for op in OPS if op.__name__ == name)
    assert inspect.getsource(op) == block
    assert op.__module__.startswith("backend.engine.ops.")


def test_the_example_in_python_walks_a_model(tmp_path: Path) -> None:
    (text,) = [text for kind, text in CODE if kind == "py"]
    script = [sys.executable, "-c", text]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert re.match(r"loss [\d.]+ · 5 gradients are your model's own, by \d+ backward lines\n", ended.stdout)
    assert re.search(r"^d\w+_bias = ", ended.stdout, re.MULTILINE)
    assert (tmp_path / "walk.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("told", ["Scale.backward", "They part at"])
def test_an_example_says_what_it_says_it_does(told: str) -> None:
    (text,) = [text for kind, text in CODE if kind == "pycon" and told in text]
    names: dict[str, object] = {"torch": torch, "gradwalk": gradwalk}
    example = doctest.DocTestParser().get_doctest(text, names, "README", None, None)
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def test_each_cell_of_the_gallery_shows_what_is_told_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its magic command is text: test_magic.py has it."""
    monkeypatch.chdir(tmp_path)
    with pytest.warns(gradwalk.GradientWarning):
        run_cells(json.loads((ROOT / "docs/gallery.ipynb").read_text())["cells"])
    told = capsys.readouterr().out
    assert told.count("your model's own, by") == 3
    for words in ("x: transposed", "They part at `dw = x.T @ dh`", "Step 7: the gradient of inner.weight isn't finite"):
        assert words in told
    assert (tmp_path / "gradwalk-step-7.html").exists()


def run_cells(cells: list[Any]) -> None:
    """Run the cells of a notebook, and print what each ends with."""
    names: dict[str, object] = {}
    for number, cell in enumerate(cells):
        tree = ast.parse("".join(cell["source"]) if cell["cell_type"] == "code" else "")
        if tree.body and isinstance(shown := tree.body[-1], ast.Expr):
            tree.body[-1] = ast.parse(f"print({ast.unparse(shown)})").body[0]
        exec(compile(tree, f"cell {number}", "exec"), names)


def test_the_sample_chapter_is_one(tmp_path: Path) -> None:
    (text,) = [text for kind, text in CODE if kind == "markdown"]
    (tmp_path / "70-sample.md").write_text(text)
    backend.serve_chapters(tmp_path)
    try:
        assert backend.chapter_faults() == []
        parts = backend.chapter("sample")["parts"]
    finally:
        backend.serve_chapters()
    assert [part["kind"] for part in parts] == ["prose", "axis"]
    assert "(1, 3)" in parts[0]["html"]


def test_files_and_folders_that_are_named_exist() -> None:
    named = [span for span in SPANS if re.fullmatch(r"[\w.-]+(?:/[\w.-]+)*/?", span) and "/" in span]
    paths = [span for span in named if span != "karpathy/makemore"]
    assert len(paths) >= 12
    assert [path for path in paths if not (ROOT / path).exists()] == []
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)


def test_the_first_file_to_read_names_the_stages() -> None:
    first = re.search(r"^1\. `([^`]+)`", section("Reading order"), re.MULTILINE)
    assert first is not None
    text, stages = (ROOT / first[1]).read_text(), re.findall(r"─(\w+)[─▶]", section("How it works"))
    assert stages == ["parse", "trace", "differentiate", "run", "verify", "present"]
    assert [stage for stage in stages if stage not in text] == []


def test_each_stage_has_a_room_or_a_module_of_the_engine() -> None:
    """The stage's name is that of one folder of the engine or of one module, whose first line says what it is about."""
    for stage in re.findall(r"─(\w+)[─▶]", section("How it works")):
        found = [*(ROOT / "backend").rglob(f"{stage}/__init__.py"), *(ROOT / "backend").rglob(f"{stage}.py")]
        assert len(found) == 1, stage
        assert found[0].read_text().startswith('"""')


def test_the_table_of_folders_has_every_package_and_its_own_sentence() -> None:
    """A row of a package is the first line of its `__init__.py`; features of the page may share one."""
    table = section("Where things are")
    rows = dict(re.findall(r"^\| `([\w/]+)/` \| (.+) \|$", table, re.MULTILINE))
    features = {f"static/js/{path.name}" for path in (ROOT / "static/js").iterdir() if path.is_dir()}
    assert {*re.findall(r"`(static/js/[\w-]+)/`", table)} == features
    packages = {
        str(path.parent.relative_to(ROOT)): (ast.get_docstring(ast.parse(path.read_text())) or "").splitlines()[0]
        for package in ("backend", "app", "gradwalk")
        for path in (ROOT / package).rglob("__init__.py")
    }
    assert len(packages) >= 20
    assert {
        name: sentence for name, sentence in rows.items() if name.startswith(("backend", "app", "gradwalk"))
    } == packages
    assert {name.partition("/")[0] for name in rows} >= {"backend", "app", "static", "tests", "docs"}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "tests/README.md"])
def test_lines_of_documents_are_short(name: str) -> None:
    """A line of code may be as long as it is in its file."""
    text = re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(), flags=re.MULTILINE | re.DOTALL)
    assert [line for line in text.splitlines() if len(line) > 120] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "tests/README.md"])
def test_the_other_documents_name_files_and_commands_that_exist(name: str) -> None:
    text = re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(), flags=re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", text)
    paths = [span for span in spans if re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+/?", span)]
    assert len(paths) >= 12
    assert [path for path in paths if not (ROOT / path).exists()] == []
    for span in spans:
        targets = set(re.findall(r"\bmake ([a-z-]+)", span))
        assert targets <= set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE)), span
        for module in re.findall(r"python -m (tests[\w.]+)", span):
            path = ROOT / module.replace(".", "/")
            assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), span


def test_counts_are_right() -> None:
    (told,) = re.findall(r"start from one of (\w+) programs", README)
    assert NUMBERS.split().index(told) == len(backend.starts())


def test_the_container_has_room_for_all_that_it_lets_in() -> None:
    (command,) = (block for _, block in CODE if "docker run" in block)
    given: dict[str, Any] = {name.lower(): int(number) for name, number in re.findall(r"GRADWALK_(\w+)=(\d+)", command)}
    settings = Settings(**given)
    (gib,) = map(int, re.findall(r"--memory (\d+)g", command))
    needed = settings.workers * settings.memory_mib + settings.training_runs * settings.training_memory_mib
    assert SHARED_MIB + needed <= 1024 * gib
    told = section("Start")
    assert f"{SHARED_MIB} MiB" in told
    assert f"{settings.memory_mib} MiB" in told
    assert f"{settings.training_memory_mib // 1024} GiB" in told
