"""Modules and style sheets put together: nothing lost, nothing twice, and run as browsers run them."""

import gzip
import json
import re
import subprocess
import sys
from graphlib import CycleError
from pathlib import Path
from typing import Any

import pytest

from app import bundles
from app.assets import current
from tests.tools import node
from tests.tools.documents import SCRIPTS
from tests.tools.server import ROOT, Server

STATIC = ROOT / "static"
SOURCES = {path.relative_to(STATIC).as_posix(): path.read_text() for path in STATIC.rglob("*.js")}
TYPES = {f"js/{script}" for script in SCRIPTS}
ALONE = {
    "js/early.js",
    "js/recorded-worker.js",
    *TYPES,
    "js/shell/types.js",
    bundles.RUNTIME,
}  # or only types
FIRST_SCREEN = *bundles.BUILDS_ON["walk"], "walk"
CHANGED = re.compile(r'^(?:import|export) |^\} from "|^  [\w$]+ as [\w$]+,$|await import\(')
TYPESCRIPT = Path(sys.prefix) / "node_modules" / "typescript" / "lib" / "typescript.js"
# The files that are two programs.
DIFFERING = """
const [typescript, pairs] = process.argv.slice(2).map((path) => require(path));
const printer = typescript.createPrinter({ removeComments: true });
const printed = (text) => printer.printFile(typescript.createSourceFile("a.js", text, 99));
const differing = Object.entries(pairs).filter(([, [before, after]]) => printed(before) !== printed(after));
console.log(JSON.stringify(differing.map(([path]) => path)));
"""
A, B, C = "js/a.js", "js/deep/b.js", "js/deep/c.js"


@pytest.mark.parametrize(
    ("path", "most"),
    [("/", 8), ("/code", 9), ("/practise", 4), ("/practise/drills", 4), ("/train", 4), ("/reference", 6), ("/nope", 4)],
)
def test_a_page_asks_for_few_files(server: Server, path: str, most: int) -> None:
    page = server.get(path, Accept="text/html").body.decode()
    assert 3 <= len(re.findall(r'(?:src|href)="/static/', page)) <= most


def test_every_module_is_in_a_bundle() -> None:
    bundled = {path for name in bundles.NAMES for path in bundles.members(name, SOURCES)}
    assert SOURCES.keys() - bundled <= ALONE
    assert not bundled & ALONE


@pytest.mark.parametrize("name", bundles.BUILDS_ON)
def test_no_module_comes_to_a_page_twice(name: str) -> None:
    there = [path for part in (name, *bundles.BUILDS_ON[name]) for path in bundles.members(part, SOURCES)]
    assert len(there) == len(set(there))


def test_every_style_sheet_is_on_a_page() -> None:
    named = {sheet for sheets in bundles.SHEETS.values() for sheet in sheets}
    assert named == {path.stem for path in (STATIC / "css").glob("*.css")}


def test_the_walk_asks_has_only_for_what_has_a_name() -> None:
    """`:has()` with `:not()`, a place or `*` in it fits every element: whatever is made then styles the whole page."""
    argument = re.compile(r":has\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
    sheets = {name: (STATIC / "css" / f"{name}.css").read_text() for name in bundles.SHEETS["walk"]}
    asked = [(name, found) for name, text in sheets.items() for found in argument.findall(text)]
    assert len(asked) > 30
    assert [(name, found) for name, found in asked if re.search(r":|\*|[>+~]\s*$", found)] == []


@pytest.mark.parametrize("name", bundles.NAMES)
def test_a_line_of_a_bundle_leads_to_its_file(name: str) -> None:
    """The source map names file and line of every line that was written in a file."""
    files = current().files
    lines = files[f"{name}.js"].content.decode().split("\n")
    assert lines[-2] == f"//# sourceMappingURL={name}.js.map"
    sections = json.loads(files[f"{name}.js.map"].content)["sections"]
    assert len(sections) >= len(bundles.members(name, SOURCES))
    for section in sections:
        (path,), first = section["map"]["sources"], section["offset"]["line"]
        written = bundles.without_comments(files[path].content.decode()).removesuffix("\n").split("\n")
        assert section["map"]["mappings"].split(";") == ["AAAA", *["AACA"] * (len(written) - 1)]
        for line, there in zip(written, lines[first:], strict=False):
            assert line == there or CHANGED.search(line), path


def test_only_comments_are_left_out(tmp_path: Path) -> None:
    """TypeScript reads the same program with and without them, and prints both alike."""
    pairs = {path: [text, bundles.without_comments(text)] for path, text in SOURCES.items()}
    assert all(before.count("\n") == after.count("\n") for before, after in pairs.values())
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    (tmp_path / "differing.cjs").write_text(DIFFERING)
    assert run(str(tmp_path / "differing.cjs"), str(TYPESCRIPT), str(tmp_path / "pairs.json")) == "[]\n"
    kept = [path for path, (_, after) in pairs.items() if re.search(r"^ *(?:/\*\*|// )", after, re.MULTILINE)]
    assert kept == []


def test_the_first_screen_loads_little() -> None:
    """Three fifths of what it once was with all its comments: what no first screen has comes when the page is idle."""
    files = current().files
    assert sum(len(gzip.compress(files[f"{name}.js"].content, 9)) for name in FIRST_SCREEN) <= 178_000
    loaded = {path for name in FIRST_SCREEN for path in bundles.members(name, SOURCES)}
    assert not [path for path in loaded if "/recorded" in path], "only a folder's pages read what was recorded"
    first = {path.split("/")[1] for path in loaded}
    assert not first & {"downhill", "editor", "drills", "exercise", "course", "compare", "opening"}


@pytest.mark.parametrize("name", bundles.NAMES)
def test_a_bundle_is_javascript(name: str, tmp_path: Path) -> None:
    (tmp_path / "bundle.mjs").write_bytes(current().files[f"{name}.js"].content)
    run("--check", str(tmp_path / "bundle.mjs"))


def test_bundled_modules_run_as_they_run_by_themselves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each once, in the same order, with what they share; and what comes later only when it is asked for."""
    written = {
        A: """
import {
  B,
  count as many,
} from "./deep/b.js";
import { tick } from "./deep/c.js";
console.log("a", new B().name, many, tick());
const { later } = await import(
  "./deep/d.js"
);
console.log(later(), tick());
""",
        B: """
import { tick } from "./c.js";
console.log("b", tick());
export class B { name = "B"; }
export const count =
  3;
""",
        C: 'let ticks = 0;\nconsole.log("c");\nexport function tick() {\n  return (ticks += 1);\n}\n',
        "js/deep/d.js": 'import { tick } from "./c.js";\nconsole.log("d", tick());\nexport async function later() {}\n',
    }
    written[A] = written[A].replace("const { later }", "(async () => {\nconst { later }") + "})();\n"
    monkeypatch.setattr(bundles, "ROOTS", {"first": (A,), "dialogs": ("js/deep/d.js",)})
    monkeypatch.setattr(bundles, "NAMES", ("first", "dialogs"))
    monkeypatch.setattr(bundles, "BUILDS_ON", {"dialogs": ("first",)})
    monkeypatch.setattr(bundles, "SHEETS", {})
    bundle = bundles.bundled("first", written | {bundles.RUNTIME: ""})
    sections: list[Any] = bundle.sections
    (begins,) = (section["offset"]["line"] for section in sections if section["map"]["sources"] == [A])
    lines = written[A].removesuffix("\n").split("\n")
    assert bundle.lines[begins : begins + len(lines)][-2:] == lines[-2:], "lines are where the source map says"
    page = f'globalThis.document = {{ documentElement: {{ dataset: {{ start: "{A}" }} }} }};\n'
    files = written | bundles.bundle_files(written | {bundles.RUNTIME: SOURCES[bundles.RUNTIME]})
    files |= {"package.json": '{"type": "module"}', "page.js": f'{page}await import("./first.js");\n'}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    told = run(str(tmp_path / "page.js"))
    assert told.split() == "c b 1 a B 3 2 d 3 Promise { undefined } 4".split()
    assert told == run(str(tmp_path / A))


@pytest.mark.parametrize(
    "line",
    [
        'import "./b.js";',
        'import * as b from "./b.js";',
        'import b from "./b.js";',
        'import { tick } from "./b.js"',
        'import { tick } from "b";',
        "export default 1;",
        "export { tick };",
        "export let ticks = 0;",
        'export * from "./b.js";',
        "export const { ticks } = {};",
        "await 1;",
        'import { tock } from "./b.js";',
        'import {\n  tick,\n  tock,\n} from "./b.js";',
        'import {\n  tick,\n} from "b";',
        'import b, {\n  tick,\n} from "./b.js";',
        'import {\n  tick,\n} from "./b.js"',
        "export {\n  tick,\n};",
        "async function load() {}",
        "export const load = 1;",
    ],
)
def test_a_form_that_is_not_known_is_refused(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    written = {A: f"// a\n{line}\n", "js/b.js": "export function tick() {}\n", bundles.RUNTIME: ""}
    monkeypatch.setattr(bundles, "ROOTS", {"first": (A,)})
    with pytest.raises(bundles.FormError, match=re.escape(A)):
        bundles.bundled("first", written)


def test_two_modules_that_need_each_other_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    written = {A: 'import { b } from "./b.js";\nexport const a = 1;', "js/b.js": 'import { a } from "./a.js";\n'}
    monkeypatch.setattr(bundles, "ROOTS", {"first": (A,)})
    with pytest.raises(CycleError):
        bundles.members("first", written)


def test_what_comes_later_needs_a_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    written: dict[str, Any] = {A: 'const b = async () => (await import("./b.js")).b;', bundles.RUNTIME: ""}
    monkeypatch.setattr(bundles, "ROOTS", {"first": (A,)})
    with pytest.raises(bundles.FormError, match="no bundle"):
        bundles.bundled("first", written)


def run(*arguments: str) -> str:
    """What Node prints."""
    found = node.find()
    assert found is not None, node.MISSING
    ended = subprocess.run([found, *arguments], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
