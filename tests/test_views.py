"""What a page mounts it can take away again: each `mount…` returns `unmount()`, and a view draws by `update(frame)`.

TypeScript holds it: each exported `mount…` is assigned to one type.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.tools.node import command
from tests.tools.server import ROOT

SCRIPTS = ROOT / "static" / "js"
TSC = Path(sys.prefix) / "node_modules" / "typescript" / "bin" / "tsc"
MOUNT = re.compile(r"^export (?:function|const) (mount\w+)", re.MULTILINE)
# Views that are drawn from several values side by side, and not from one frame that holds them.
OF_SEVERAL = {
    "changes/changes-bar-view.js",
    "course/block-controller.js",
    "course/companion-controller.js",
    "course/computed-numbers-view.js",
    "course/contents-view.js",
    "differences/error-curve-view.js",
    "editor/complaint-view.js",
    "editor/margin-view.js",
    "editor/missing-names-view.js",
    "editor/rows-view.js",
    "evidence/chart-view.js",
    "figures/figure-controller.js",
    "figures/question-view.js",
    "lens/term-strip-view.js",
    "lens/terms-view.js",
    "lens/trail-view.js",
    "page/views-controller.js",
    "plant/plant-view.js",
    "training/instruments-view.js",
    "training/legend-view.js",
    "training/names-view.js",
    "zoom/overview-view.js",
}
PLANTED = """
export function mountFunction() { return () => {}; }
export function mountStaying() { return { update() {} }; }
/** @returns {{update: (one: number, two: number) => void, unmount: () => void}} */
export function mountTwice() { return { update() {}, unmount() {} }; }
/** @returns {{update: (frame: number) => void, unmount: () => void}} */
export function mountRight() { return { update() {}, unmount() {} }; }
"""


def mounts(path: Path) -> list[str]:
    return MOUNT.findall(path.read_text())


def refused(folder: Path, paths: list[Path]) -> list[tuple[str, str]]:
    """The files and names of those that TypeScript does not take for a `mount…`."""
    found = [(path, name) for path in paths for name in mounts(path)]
    lines = []
    for i, (path, _) in enumerate(found):
        several = path.is_relative_to(SCRIPTS) and str(path.relative_to(SCRIPTS)) in OF_SEVERAL
        lines.append(f"/** @type {{{'Many' if several else 'One'}}} */ export const n{i} = m{i};")
    lines += [f"import {{ {name} as m{i} }} from {json.dumps(str(path))};" for i, (path, name) in enumerate(found)]
    types = json.dumps(str(SCRIPTS / "shell" / "types.js"))
    for kind, frame in (("One", "frame: any"), ("Many", "...frame: any")):
        update = f"{{update?: ({frame}) => void}}"
        lines.append(f"/** @typedef {{(...given: any[]) => import({types}).Mounted & {update}}} {kind} */")
    (folder / "package.json").write_text('{ "type": "module" }')
    (folder / "check.js").write_text("\n".join(lines))
    settings = {"extends": str(ROOT / "tests/js/tsconfig.json"), "include": ["check.js"]}
    (folder / "tsconfig.json").write_text(json.dumps(settings))
    words = command([str(TSC), "-p", str(folder)])
    assert words is not None
    said = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder).stdout
    numbers = [int(number) for number in re.findall(r"^check\.js\((\d+),", said, re.MULTILINE)]
    assert bool(numbers) == bool(said.strip()), said
    return [(found[number - 1][0].name, found[number - 1][1]) for number in sorted(set(numbers))]


def test_what_is_mounted_can_be_updated_by_a_frame_and_unmounted(tmp_path: Path) -> None:
    planted = tmp_path / "planted-view.js"
    planted.write_text(PLANTED)
    paths = [path for path in sorted(SCRIPTS.rglob("*.js")) if mounts(path)]
    assert len(paths) > 90
    wrong = [("planted-view.js", name) for name in ("mountFunction", "mountStaying", "mountTwice")]
    assert refused(tmp_path, [*paths, planted]) == wrong
