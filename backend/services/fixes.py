"""What to write instead of a fault, as edits of the text, where that is known."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from backend.engine.language.errors import Refusal, Where
from backend.engine.language.guard import attempted
from backend.engine.language.tree import nodes_in
from backend.engine.language.unlisted import INSTEAD
from backend.engine.language.unparse import printed
from backend.engine.ops import REGISTRY

Fix = dict[str, object]
# Lines that can go: nothing that is computed changes without them.
NEEDLESS = {
    "import", "backward-call", "expression-alone", "expression-alone/print", "expression-alone/docstring",
    "expression-alone/shape", "expression-alone/gradients", "not-in-language/no-effect", "not-in-language/f-string",
}  # fmt: skip
HARMLESS = {"inplace", "device", "requires_grad", "non_blocking", "memory_format", "pin_memory", "layout"}
ARGUMENTS = {"x": 0, "y": 1, "z": 2}


def with_fixes(refusal: Refusal, source: str) -> Refusal:
    """The refusal with a fix for each of its faults that has one."""
    for one in (refusal, *refusal.others):
        if one.fix is None and one.where is not None and "text" in one.where:
            one.fix = attempted(partial(_fix, one, one.where, source), None)
    return refusal


def _fix(refusal: Refusal, where: Where, source: str) -> Fix | None:
    if refusal.entry in NEEDLESS:
        return _without_line(where, source)
    known = FIXES.get(refusal.entry)
    return known(refusal, where, source) if known else None


def _edit(where: Where, text: str) -> Fix:
    line = int(where["line"])
    return {"line": line, "column": where["column"], "end_line": line, "end_column": where["end_column"], "text": text}


def _fixed(label: str, edits: list[Fix], sure: bool = True) -> Fix:
    return {"label": label, "edits": edits, "sure": sure}


def _without_line(where: Where, source: str) -> Fix:
    """The statement that begins there goes, with its line."""
    first = int(where["line"])
    node = _statement(source, first)
    last = (node.end_lineno if node else None) or first
    return _fixed("remove the line", [{"line": first, "column": 1, "end_line": last + 1, "end_column": 1, "text": ""}])


def _statement(source: str, line: int) -> ast.stmt | None:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [one for one in ast.walk(tree) if isinstance(one, ast.stmt) and one.lineno == line]
    return found[-1] if found else None


def _near(refusal: Refusal, where: Where, _: str) -> Fix:
    """The name that was clearly meant; of a method only what follows its dot."""
    near, text = str(refusal.facts["near"]), str(where["text"])
    written = text[: text.rfind(".")] + near if near.startswith(".") and "." in text else near
    return _fixed(f"write `{written}`", [_edit(where, written)], sure=refusal.entry != "name-near")


def _renamed(other: Callable[[Refusal], str]) -> Callable[[Refusal, Where, str], Fix | None]:
    """The same name written otherwise, wherever it stands."""

    def fix(refusal: Refusal, _: Where, source: str) -> Fix | None:
        name, new = str(refusal.facts["found"]), other(refusal)
        edits = [
            {
                "line": number,
                "column": spot.start() + 1,
                "end_line": number,
                "end_column": spot.start() + len(name) + 1,
                "text": new,
            }
            for number, line in enumerate(source.split("\n"), start=1)
            for spot in re.finditer(rf"(?<![\w.]){re.escape(name)}(?![\w(])(?:\.\w+)?", line)
            if spot[0] not in REGISTRY  # `F.relu` means the module still
        ]
        return _fixed(f"call it `{new}`", list(edits)) if edits else None

    return fix


def _keyword(refusal: Refusal, where: Where, source: str) -> Fix | None:
    """A call without an argument by a name that it doesn't take."""
    word = str(refusal.facts["found"])
    call = _call(where, source)
    if call is None:
        return None
    call.keywords = [one for one in call.keywords if one.arg != word]
    return _fixed(f"leave `{word}` out", [_edit(where, printed(call))], sure=word in HARMLESS)


def _call(where: Where, source: str) -> ast.Call | None:
    """The call that is marked, or that the marked function is called by."""
    line, column = int(where["line"]), int(where["column"])
    text = source.split("\n")[line - 1][column - 1 : int(where["end_column"]) - 1]
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if isinstance(tree, ast.Call) else None


def _instead(refusal: Refusal, where: Where, source: str) -> Fix | None:
    """What does the same, with the arguments of the call in the places of `x`, `y` and `z`."""
    name = str(refusal.facts["found"]).rpartition(".")[2]
    spot = _whole_call(where, source)
    if name not in INSTEAD or spot is None:
        return None
    call, place = spot
    owner = [call.func.value] if isinstance(call.func, ast.Attribute) and _is_method(call) else []
    given = [*owner, *call.args]
    template = ast.parse(INSTEAD[name], mode="eval").body
    words = {node.id for node in nodes_in(template) if isinstance(node, ast.Name)} & {*ARGUMENTS, "a", "b", "v", "w"}
    if call.keywords or not words <= set(ARGUMENTS) or len(words) != len(given):
        return None
    text = printed(_Filled({word: given[ARGUMENTS[word]] for word in words}).visit(template))
    return _fixed(f"write `{text}`", [_edit(place, text)])


def _is_method(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and not (
        isinstance(call.func.value, ast.Name) and call.func.value.id in ("torch", "F", "nn")
    )


class _Filled(ast.NodeTransformer):
    def __init__(self, words: Mapping[str, ast.expr]) -> None:
        self.words = words

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.words.get(node.id, node)


def _whole_call(where: Where, source: str) -> tuple[ast.Call, Where] | None:
    """The call on one line whose function is marked, and its place."""
    line = int(where["line"])
    text = source.split("\n")[line - 1]
    try:
        tree = ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    margin = len(text) - len(text.lstrip())
    begins = len(text[: int(where["column"]) - 1].encode()) - margin
    for node in nodes_in(tree):
        if isinstance(node, ast.Call) and node.func.col_offset == begins and node.end_lineno == 1:
            end = len(text.encode()[: (node.end_col_offset or 0) + margin].decode(errors="replace")) + 1
            return node, {"line": line, "column": where["column"], "end_column": end}
    return None


def _sign(text: str) -> Callable[[Refusal, Where, str], Fix | None]:
    """A marked operation of two sides with another sign between them."""

    def fix(_: Refusal, where: Where, source: str) -> Fix | None:
        line = source.split("\n")[int(where["line"]) - 1]
        marked = line[int(where["column"]) - 1 : int(where["end_column"]) - 1]
        try:
            tree = ast.parse(marked, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if not isinstance(tree, ast.BinOp):
            return None
        written = f"{printed(tree.left)} {text} {printed(tree.right)}"
        return _fixed(f"write `{written}`", [_edit(where, written)], sure=False)

    return fix


def _advised(refusal: Refusal, where: Where, _: str) -> Fix:
    text = str(refusal.facts["advice"])
    return _fixed(f"write `{text}`", [_edit(where, text)], sure=False)


def _detached(_: Refusal, where: Where, __: str) -> Fix | None:
    text = str(where["text"])
    return (
        _fixed("write `.detach()`", [_edit(where, f"{text.removesuffix('.data')}.detach()")])
        if text.endswith(".data")
        else None
    )


FIXES: Mapping[str, Callable[[Refusal, Where, str], Any]] = {
    "name-near": _near,
    "function-unknown": _near,
    "name-reserved": _renamed(lambda refusal: f"{refusal.facts['found']}_"),
    "name-letters": _renamed(lambda refusal: str(refusal.facts["meant"])),
    "name-underscore": _renamed(lambda refusal: str(refusal.facts["meant"])),
    "arguments/keyword": _keyword,
    "keyword-unknown": _keyword,
    "function-unlisted/instead": _instead,
    "matmul-mismatch/transposed": _advised,
    "bitwise-decimals/power": _sign("**"),
    "attribute/data": _detached,
}
