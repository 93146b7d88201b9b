"""Who may import whom: the engine knows nothing of the web, the web nothing of torch, the page computes no gradient."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from inspect import ismodule
from pathlib import Path

import pytest

import backend

ROOT = Path(__file__).parents[1]
WEB = {"fastapi", "starlette", "jinja2", "uvicorn", "pydantic", "app"}
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
# What drawing takes: no exponential, logarithm to base e, power or angle, of which a loss or its gradient is made.
DRAWING = {"abs", "ceil", "floor", "hypot", "log10", "max", "min", "random", "round", "sign", "sqrt", "trunc"}
ZOOMING = {"gestures-view.js": {"exp"}}
# What a formula calls; the functions of which losses are made stand in one file.
FORMULAS = {
    "functions.js": {
        *("exp", "log", "log2", "log10", "log1p", "expm1", "sqrt", "tanh", "sin", "cos", "tan", "atan", "sinh", "cosh"),
        "abs",
    },
    "tape.js": {"log"},
    "terms.js": {"log2"},
    "linear.js": {"sin"},
    "predicted.js": {"fround"},
    "jacobian-answer.js": {"fround"},
}
# A folder of the page imports only from folders before it.
FEATURES = (
    *("shared", "shell", "glossary", "walk", "graph", "listing", "names", "tug-of-war", "changes", "plant", "quiz"),
    *(
        "practice",
        "wobble",
        "formulas",
        "lens",
        "equation",
        "evidence",
        "explanation",
        "ending",
        "jacobian",
        "differences",
        "zoom",
        "pieces",
        "run",
        "downhill",
    ),
    *("page", "editor", "subject", "progress", "poster", "exercise", "drills", "training", "problem", "starting"),
    *("figures", "opening", "reference", "compare", "lab", "course", "classroom"),
)
# What a module does stands in its name; it imports only what it may know of.
KNOWS = {
    "model": {"model"},
    "requests": {"model", "requests"},
    "view": {"model", "view"},
    "controller": {"model", "requests", "view", "controller"},
}
# What belongs to a browser's page; the names of events, which are plain objects, do not.
BROWSER = re.compile(
    r"(?<![.\w])(?:document|window|location|history|localStorage|sessionStorage|navigator|matchMedia|getComputedStyle"
    r"|requestAnimationFrame|[A-Z]\w*Element|[A-Z]\w*Observer|Image|MouseEvent|KeyboardEvent)\b(?!:)"
    r"|\.(?:querySelector\w*|classList|textContent|dataset|getContext|setAttribute|replaceChildren|focus)\b"
)


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All of a file's syntax, read once for the tests here."""
    return list(ast.walk(ast.parse(path.read_text())))


def imports(path: Path) -> set[str]:
    """The modules that a file imports anywhere in it, by their full names."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
    return found


def packages(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(path)}


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def faults(paths: Iterable[Path], found: Callable[[Path], object]) -> dict[str, object]:
    """What is found in which file, of those in which anything is."""
    return {str(path.relative_to(ROOT)): fault for path in paths if (fault := found(path))}


def test_backend_never_imports_the_web() -> None:
    assert faults(sources("backend"), lambda path: packages(path) & WEB) == {}


def test_app_never_imports_torch() -> None:
    assert faults(sources("app"), lambda path: packages(path) & {"torch", "numpy"}) == {}


def test_nothing_below_imports_the_package_for_python() -> None:
    assert faults([*sources("app"), *sources("backend")], lambda path: packages(path) & {"gradwalk"}) == {}


def test_the_package_for_python_loads_no_torch_until_it_is_asked_to() -> None:
    """In an installed wheel the server stands below it."""
    program = "import sys, gradwalk, gradwalk.__main__; sys.exit('torch' in sys.modules or 'fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def public_names() -> set[str]:
    """What the engine's package lets others have."""
    return {name for name, value in vars(backend).items() if not name.startswith("_") and not ismodule(value)}


def private(path: Path) -> set[str]:
    """What a module of the server knows of the engine besides its public names."""
    inside = {name for name in imports(path) if name.startswith("backend.")}
    taken = {name.name for node in nodes(path) if isinstance(node, ast.ImportFrom) and node.module == "backend"
             for name in node.names}  # fmt: skip
    taken |= {node.attr for node in nodes(path) if isinstance(node, ast.Attribute)
              and isinstance(node.value, ast.Name) and node.value.id == "backend"}  # fmt: skip
    return inside | (taken - public_names())


def test_app_knows_the_engine_by_its_public_names() -> None:
    assert faults(sources("app"), private) == {}


def test_the_server_s_own_process_stays_free_of_torch() -> None:
    program = "import sys, app.main, app.serving; sys.exit('torch' in sys.modules or 'backend' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def test_pytorch_is_loading_before_the_server_itself_is_loaded() -> None:
    """Nor does a worker, which imports what the command was, load the server."""
    program = "import sys, app.__main__; sys.exit(bool({'fastapi', 'pydantic', 'uvicorn'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def executed(path: Path) -> set[str]:
    """The functions that a file calls of those that run a text."""
    called = {node.func.id for node in nodes(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return called & {"eval", "exec", "compile", "__import__"}


def test_no_text_is_ever_executed() -> None:
    assert faults([*sources("app"), *sources("backend"), *sources("gradwalk")], executed) == {}


# The page.
PLOTLY = "import(`${document.documentElement.dataset.static}/plotly.min.js`)"


@cache
def code_of(path: Path) -> str:
    """A script without its comments."""
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)


def test_scripts_import_scripts_of_their_own() -> None:
    """So that nothing that differentiates can come in from elsewhere."""
    names = r"""^(?:import\b|export\s*(?:\*|{[^}]*})\s*from\b)[^;"']*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']"""
    assert [path.name for path in SCRIPTS if PLOTLY in code_of(path)] == ["plotly-view.js"]
    for path in SCRIPTS:
        code = code_of(path).replace(PLOTLY, "")
        taken = [static or dynamic for static, dynamic in re.findall(names, code, re.MULTILINE)]
        assert len(taken) >= len(re.findall(r"^import\b|\bimport\(", code, re.MULTILINE)), path
        for name in taken:
            assert name.startswith("."), (path, name)
            assert (path.parent / name).resolve() in SCRIPTS, (path, name)


def test_scripts_draw_and_compute_no_gradient() -> None:
    for path in SCRIPTS:
        used = set(re.findall(r"\bMath\.([a-z]\w*)", code_of(path)))
        assert used <= DRAWING | ZOOMING.get(path.name, set()) | FORMULAS.get(path.name, set()), path


def test_scripts_speak_to_the_server_in_one_place() -> None:
    """A service worker is between the pages of a folder and its host, and no part of any page."""
    speaking = {path.name for path in SCRIPTS if re.search(r"\bfetch\(|XMLHttpRequest", code_of(path))}
    assert speaking == {"api.js", "recorded-worker.js"}


def test_text_goes_into_the_page_as_text() -> None:
    parsed = "innerHTML outerHTML insertAdjacentHTML write createContextualFragment parseFromString".split()
    for path in SCRIPTS:
        code = code_of(path)
        assert not re.search(rf"\.(?:{'|'.join(parsed)})\b|\beval\(|new Function", code), path


def role(path: Path) -> str:
    """What a script does: computes, asks the server, draws, or connects these and starts a page."""
    if path.stem == "main" or path.stem.endswith("-controller") or path.name == "initial-request.js":
        return "controller"
    if path.stem.endswith(("-loader", "api")) or path.name == "retry.js":
        return "requests"
    return "view" if path.stem.endswith("-view") or path.parent.name == "dom" else "model"


def taken_by(path: Path) -> list[Path]:
    """The scripts that one imports, at once or later; types alone do not count."""
    names = re.findall(r"""(?:\bfrom|\bimport\()\s*["'](\.[^"']+)["']""", code_of(path))
    return [(path.parent / name).resolve() for name in names]


def modules(folder: Path, *packages: str) -> dict[str, set[str]]:
    """Each module of some packages, with those that it imports anywhere in it."""
    texts = {
        path.relative_to(folder)
        .with_suffix("")
        .as_posix()
        .replace("/", ".")
        .removesuffix(".__init__"): path.read_text()
        for package in packages
        for path in (folder / package).rglob("*.py")
    }
    found: dict[str, set[str]] = {}
    for name, text in texts.items():
        nodes = list(ast.walk(ast.parse(text)))
        named = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
        for node in nodes:
            if isinstance(node, ast.ImportFrom):
                whole = {f"{node.module}.{one.name}" for one in node.names}
                named |= {one if one in texts else str(node.module) for one in whole}
        found[name] = named & texts.keys() - {name}
    return found


def test_no_modules_stand_in_a_circle() -> None:
    """Each can be read, and loaded, before those that import it; an import within a function counts, too."""
    known = modules(ROOT, "app", "backend", "gradwalk")
    assert len(known) > 350
    assert len(list(TopologicalSorter(known).static_order())) == len(known)


def test_a_circle_of_modules_is_seen(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "one.py").write_text("from app import two")
    (tmp_path / "app" / "two.py").write_text("def late():\n    import app.one")
    (tmp_path / "app" / "__init__.py").write_text("")
    with pytest.raises(CycleError):
        list(TopologicalSorter(modules(tmp_path, "app")).static_order())


FEATURE_SCRIPTS = [path for path in SCRIPTS if path.parent != ROOT / "static" / "js"]


def feature(path: Path) -> str:
    return path.relative_to(ROOT / "static" / "js").parts[0]


def test_scripts_lie_in_the_folders_of_features() -> None:
    assert [path.name for path in SCRIPTS if path not in FEATURE_SCRIPTS] == [
        *("early.js", "recorded-worker.js", "registry.js")
    ]
    assert {feature(path) for path in FEATURE_SCRIPTS} == set(FEATURES)
    assert {role(path) for path in FEATURE_SCRIPTS} == set(KNOWS)


def beyond(path: Path) -> set[str]:
    """The roles and features of which a script imports anything, and may not."""
    taken, before = taken_by(path), FEATURES[: FEATURES.index(feature(path)) + 1]
    return ({role(other) for other in taken} - KNOWS[role(path)]) | ({feature(other) for other in taken} - {*before})


def test_a_script_imports_what_its_name_allows() -> None:
    assert faults(FEATURE_SCRIPTS, beyond) == {}


def test_models_and_requests_know_no_browser() -> None:
    without = [path for path in FEATURE_SCRIPTS if role(path) in {"model", "requests"}]
    assert len(without) > 200
    assert faults(without, lambda path: BROWSER.findall(code_of(path))) == {}
