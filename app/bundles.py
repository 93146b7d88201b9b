"""Bundles: a page's modules and style sheets joined into a few files, with source maps, when the server starts.

A bundle holds modules line for line, without their comments, each in a function that runs when another module first
asks for it, in the order in which browsers run modules too. A bundle may so hold more than a page runs, and the source
map beside it needs to say of each module only where its first line stands.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter

RUNTIME = "js/registry.js"
# What each bundle starts from; what that imports comes along, but for what the bundles it builds on hold already.
ROOTS = {
    "first": ("js/page/initial-request.js",),
    "opening": ("js/opening/main.js",),
    "walk": ("js/page/main.js",),
    "code": ("js/editor/main.js",),
    "dialogs": (
        "js/zoom/tensor-dialog-controller.js",
        "js/differences/nudge-controller.js",
        "js/ending/downhill-controller.js",
        "js/ending/sizes-view.js",
        "js/ending/costs-controller.js",
        "js/wobble/wobble-controller.js",
    ),
    "downhill": ("js/downhill/downhill-run-controller.js",),
    "studies": (
        "js/pieces/piece-view.js",
        "js/jacobian/jacobian-view.js",
        "js/tug-of-war/tug-of-war-view.js",
        "js/practice/writing-controller.js",
    ),
    "practise": ("js/exercise/main.js",),
    "drills": ("js/drills/main.js",),
    "compare": ("js/compare/main.js",),
    "lab": ("js/lab/room/main.js",),
    "exhibit": ("js/lab/main.js",),
    "find": ("js/lab/find/main.js",),
    "train": ("js/training/main.js",),
    "reference": ("js/reference/main.js",),
    "live": ("js/reference/live-step-controller.js",),
    "formulas": ("js/formulas/opened-answer.js", "js/formulas/jacobian-answer.js"),
    "recorded": ("js/shared/recorded-api.js",),
    "problem": ("js/problem/main.js",),
    "starting": ("js/starting/main.js",),
    "learn": ("js/course/path/main.js",),
    "chapter": ("js/course/main.js",),
    "class": ("js/classroom/teacher/main.js",),
    "board": ("js/classroom/board/main.js",),
    "seat": ("js/classroom/seat/main.js",),
}
# What bundles have alike: whoever goes from a chapter to a walk has loaded half of it.
ALIKE = {"shell": ("reference", "walk", "chapter"), "views": ("walk", "chapter")}
NAMES = (*ROOTS, *ALIKE)
BUILDS_ON = {
    "shell": ("first",),
    "views": ("first", "shell"),
    "walk": ("first", "shell", "views"),
    "chapter": ("first", "shell", "views"),
    "code": ("first", "walk"),
    "dialogs": ("first", "walk"),
    "downhill": ("first", "walk"),
    "studies": ("first", "walk"),
    "opening": ("first", "shell"),
    "learn": ("first", "shell"),
    "reference": ("first", "shell"),
    "live": ("first", "shell", "reference", "views"),
}

PLAIN_SHEETS = ("tokens", "base", "header")
WALK_SHEETS = (
    *(
        *PLAIN_SHEETS,
        "layout",
        "graph",
        "boxes",
        "wobble",
        "run-strip",
        "code",
        "step",
        "picture",
        "evidence",
        "tug",
        "lens",
        "predict",
        "blank",
    ),
    *(
        "scrubber",
        "changes",
        "hand",
        "plant",
        "ending",
        "badge",
        "popover",
        "dialog",
        "nudge",
        "jacobian",
        "pieces",
        "zoom",
    ),
    *("states", "large", "projector", "narrow", "embed", "print"),
)
SHEETS = {
    "walk": WALK_SHEETS,
    "code": (*WALK_SHEETS, "desk", "editor", "tensors", "found", "starts"),
    "practise": (
        *(*PLAIN_SHEETS, "layout", "code", "predict", "badge", "dialog", "states", "desk", "editor", "narrow"),
        *("blank", "plant", "ending", "practise", "practise-projector", "poster", "print"),
    ),
    "drills": (
        *(*PLAIN_SHEETS, "layout", "code", "predict", "badge", "dialog", "states", "desk", "editor", "narrow"),
        *("blank", "practise", "practise-projector", "drills", "print"),
    ),
    "compare": (
        *(*PLAIN_SHEETS, "states", "plain", "graph", "code", "picture", "evidence", "tug", "lens", "predict", "blank"),
        *("scrubber", "hand", "badge", "popover", "dialog", "desk", "figures", "narrow", "compare", "print"),
    ),
    "lab": (*PLAIN_SHEETS, "states", "narrow", "plain", "course", "lab", "print"),
    "find": (*PLAIN_SHEETS, "states", "narrow", "plain", "predict", "lens", "lab", "find", "print"),
    "class": (*PLAIN_SHEETS, "states", "narrow", "plain", "class"),
    "board": (*PLAIN_SHEETS, "states", "plain", "class"),
    "seat": (*PLAIN_SHEETS, "states", "plain", "class"),
    "exhibit": (
        *(*PLAIN_SHEETS, "states", "plain", "graph", "code", "picture", "evidence", "tug", "lens", "predict", "blank"),
        *("scrubber", "hand", "badge", "popover", "dialog", "desk", "figures", "narrow", "compare", "lab", "print"),
    ),
    "train": (
        *PLAIN_SHEETS,
        "layout",
        "badge",
        "dialog",
        "states",
        "desk",
        "plant",
        "narrow",
        "train",
        "train-projector",
    ),
    "reference": (
        *(*PLAIN_SHEETS, "states", "narrow", "plain", "picture", "evidence", "lens", "badge", "popover", "figures"),
        *("reference", "print"),
    ),
    "opening": (*PLAIN_SHEETS, "popover", "dialog", "states", "narrow", "opening"),
    "problem": (*PLAIN_SHEETS, "states", "narrow", "plain", "print"),
    "starting": (*PLAIN_SHEETS, "states", "narrow", "plain", "starting"),
    "learn": (*PLAIN_SHEETS, "states", "narrow", "plain", "course", "learn-projector", "print"),
    "chapter": (
        *(*PLAIN_SHEETS, "states", "plain", "graph", "code", "picture", "evidence", "tug", "lens", "predict", "blank"),
        *(
            "scrubber",
            "changes",
            "hand",
            "badge",
            "popover",
            "dialog",
            "jacobian",
            "pieces",
            "wobble",
            "projector",
            "narrow",
        ),
        *("course", "chapter", "figures", "chapter-projector", "embed", "chapter-print"),
    ),
    "search": (*PLAIN_SHEETS, "states", "narrow", "plain", "reference", "course", "print"),
}

IMPORT = re.compile(r'^import \{(\s[^{}]+\s)\} from "(\.[^"]+)";$', re.MULTILINE)
LATER = re.compile(r'\bawait import\((\s*)"(\.[^"]+)"(\s*)\)')
EXPORT = re.compile(r"^export ((?:async )?function|class|const) ([\w$]+)", re.MULTILINE)
COMMENT = re.compile(r"^ */\*\*(?:(?!\*/)[\s\S])*\*/$|^ *// .*$", re.MULTILINE)
CAST = re.compile(r"/\*\* @type (?:(?!\*/).)*\*/ ?")
# A module is a function of the bundle, whose own `load` brings what it imports.
OWN_LOAD = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) load\b", re.MULTILINE)
KEYWORD = re.compile(r"^(?:import|export|await)\b.*", re.MULTILINE)


class FormError(ValueError):
    """A module uses a form of import or export that bundling doesn't know."""


@dataclass
class Bundle:
    """Lines of JavaScript, and the sections of their source map."""

    lines: list[str] = field(default_factory=list)
    sections: list[dict[str, object]] = field(default_factory=list)

    def add(self, path: str, text: str) -> None:
        """Append a file's lines."""
        lines = text.removesuffix("\n").split("\n")
        mappings = "AAAA" + ";AACA" * (len(lines) - 1)  # the file's first line, then always the next one
        its_map = {"version": 3, "sources": [path], "names": [], "mappings": mappings}
        self.sections.append({"offset": {"line": len(self.lines), "column": 0}, "map": its_map})
        self.lines += lines


def bundle_files(sources: Mapping[str, str]) -> dict[str, str]:
    """Every bundle, source map and page's style sheet by its path, from the text of every file by its path."""
    files: dict[str, str] = {}
    for name in NAMES:
        bundle = bundled(name, sources)
        files[f"{name}.js"] = "\n".join([*bundle.lines, f"//# sourceMappingURL={name}.js.map", ""])
        files[f"{name}.js.map"] = json.dumps({"version": 3, "file": f"{name}.js", "sections": bundle.sections})
    for name, sheets in SHEETS.items():
        files[f"{name}.css"] = "".join(sources[f"css/{sheet}.css"] for sheet in sheets)
    return files


def bundled(name: str, sources: Mapping[str, str]) -> Bundle:
    """One bundle: the registry or its import, every module as a function, and the call that starts the page's own."""
    bundle = Bundle()
    if name in BUILDS_ON:
        first, *others = BUILDS_ON[name]
        bundle.lines.append(f'import {{ define, load, start }} from "./{first}.js";')
        # One that is asked for later comes to pages that have not all of these.
        bundle.lines += [f'import "./{other}.js";' for other in others]
    else:
        bundle.add(RUNTIME, without_comments(sources[RUNTIME]))
    for path in members(name, sources):
        bundle.lines.append(f'define("{path}", () => {{')
        bundle.add(path, _wrapped(path, sources))
        bundle.lines += [f"return {{ {', '.join(_exports(sources[path]))} }};", "});"]
    bundle.lines.append("start();")
    return bundle


def members(name: str, sources: Mapping[str, str]) -> list[str]:
    """The modules of a bundle, each after those that it imports; two that import each other are a CycleError."""
    there = {path for other in BUILDS_ON.get(name, ()) for path in _whole(other, sources)}
    return [path for path in _whole(name, sources) if path not in there]


def _whole(name: str, sources: Mapping[str, str]) -> list[str]:
    """What a bundle needs, wherever it is."""
    if name not in ALIKE:
        return _closure(ROOTS[name], sources)
    one, *others = (_closure(ROOTS[other], sources) for other in ALIKE[name])
    return [path for path in one if all(path in other for other in others)]


def _closure(roots: tuple[str, ...], sources: Mapping[str, str]) -> list[str]:
    needs: dict[str, list[str]] = {}
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        if path not in needs:
            needs[path] = [wanted for wanted, _ in _imports(path, sources)]
            waiting += needs[path]
    return list(TopologicalSorter(needs).static_order())


def _imports(path: str, sources: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Each module that this one imports, and the names it takes from there."""
    for names, address in IMPORT.findall(sources[path]):
        listed = (name.strip() for name in names.split(","))  # the last may have a comma behind it, too
        yield _resolved(path, address), [name.partition(" as ")[0] for name in listed if name]


def _exports(text: str) -> list[str]:
    return [name for _, name in EXPORT.findall(text)]


def _resolved(path: str, address: str) -> str:
    """`js/walk/walk.js` for `../walk/walk.js` in `js/graph/graph-view.js`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), address))


def _wrapped(path: str, sources: Mapping[str, str]) -> str:
    """A module's text wrapped into a function, line for line."""
    _check(path, sources)

    def loaded(found: re.Match[str]) -> str:
        names, address = found.groups()
        return f'const {{{names.replace(" as ", ": ")}}} = load("{_resolved(path, address)}");'

    def brought(found: re.Match[str]) -> str:
        before, address, behind = found.groups()
        wanted = _resolved(path, address)
        home = next((name for name, roots in ROOTS.items() if wanted in roots), None)
        if home is None:
            raise FormError(f"{path} imports {wanted} later, but no bundle has it among its ROOTS.")
        arrived = f'await import({before}"./{home}.js"{behind})'
        # What builds on no other bundle comes with a registry of its own, for every page.
        return f'({arrived}, load("{wanted}"))' if home in BUILDS_ON else f'({arrived}).load("{wanted}")'

    return EXPORT.sub(r"\1 \2", LATER.sub(brought, IMPORT.sub(loaded, without_comments(sources[path]))))


def without_comments(text: str) -> str:
    """A module with an empty line for each of a comment: a third of what a page would load is read by nobody there."""
    return CAST.sub("", COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text))


def _check(path: str, sources: Mapping[str, str]) -> None:
    text = sources[path]
    if OWN_LOAD.search(text):
        raise FormError(f"{path}: a module names nothing of its own “load”: the bundle's loader has that name.")
    for found in KEYWORD.finditer(text):
        if not IMPORT.match(text, found.start()) and not EXPORT.match(text, found.start()):
            form = 'import { a, b as c } from "./file.js"; and export function, class or const'
            raise FormError(f"{path}: “{found[0]}” cannot be bundled, only {form}.")
    for wanted, names in _imports(path, sources):
        if missing := set(names) - set(_exports(sources[wanted])):
            raise FormError(f"{path} imports {', '.join(sorted(missing))}, which {wanted} does not export.")
