"""Names that lead out of a program into Python itself: a text that has one is refused there, wherever it stands."""

from __future__ import annotations

import ast

from backend.engine.language.allowed import spelled_out
from backend.engine.language.errors import Refusal
from backend.engine.language.limits import LIMITS
from backend.engine.language.tree import nodes_in

OWN = frozenset({"self", "cls"})  # what a class keeps for itself is read as its own
FANS = "_calculate_fan_in_and_fan_out"  # of `nn.init`: the counts that weights are begun by
KNOWN = frozenset({"__init__", "__call__", "__name__", "__main__", "__constants__", FANS})
# What runs text, or shows what Python keeps of a program.
RUNS_TEXT = frozenset({"eval", "exec", "compile", "globals", "locals", "breakpoint", "__import__"})
MOST_TOLD = 5


def doors_in(tree: ast.Module, source: str) -> list[Refusal]:
    """A refusal for each name or attribute that begins with an underscore, of anything but the text's own objects."""
    prose = {id(node.value) for node in nodes_in(tree) if isinstance(node, ast.Expr)}
    own = {node.name for node in nodes_in(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    shown = {id(node.value) for node in nodes_in(tree) if isinstance(node, ast.Attribute) and node.attr == "__name__"}
    found = [
        node for node in nodes_in(tree) if id(node) not in prose and _is_door(node, own) and not _is_class(node, shown)
    ]
    strange = [node for node in nodes_in(tree) if isinstance(node, ast.Name | ast.arg) and _is_strange(_name(node))]
    told = [Refusal("found-door", found=_name(node), at=node).locate(node, source) for node in found[:MOST_TOLD]]
    for node in strange[:MOST_TOLD]:
        word = _name(node)
        refusal = Refusal("name-letters", at=node, found=word, meant=spelled_out(word), limit=LIMITS.name_length)
        told.append(refusal.locate(node, source))
    return sorted(told, key=lambda one: one.place or (0, 0))


def _is_strange(word: str) -> bool:
    """Whether a name is too long, or has letters that pass for others; Greek ones are what mathematics writes."""
    is_known = all(letter.isascii() or "α" <= letter.lower() <= "ω" for letter in word)
    return len(word) > LIMITS.name_length or not is_known


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)) | ast.arg(arg=name):
            return name
    return ""


def _is_door(node: ast.AST, own: set[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return (name.startswith("__") and name not in KNOWN) or (name in RUNS_TEXT and name not in own)
        case ast.Constant(value=str(text)):
            return "__" in text and text not in KNOWN
        case ast.Attribute(value=ast.Name(id="torch"), attr="__version__"):
            return False
        case ast.Attribute(attr=name) if name.startswith("_") and name not in KNOWN:
            return not _is_own(node)
        case _:
            return False


def _is_class(node: ast.AST, shown: set[int]) -> bool:
    """`layer.__class__.__name__`, which is a word."""
    return isinstance(node, ast.Attribute) and node.attr == "__class__" and id(node) in shown


def _is_own(node: ast.expr) -> bool:
    """`self._head`, `super()._forward`, `self.__class__.__name__`."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super":
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in OWN
