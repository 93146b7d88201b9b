"""A tree with parts changed shares the rest with the tree before, and is printed anew where it differs."""

from __future__ import annotations

import ast

import pytest

from backend.engine.language.nodes import plain
from backend.engine.language.rebuild import rebuilt
from backend.engine.language.tree import copied
from backend.engine.language.unparse import printed

TEXTS = [
    "x + y", "-x", "x < y", "f(x, y, k=x)", "x.T", "x[y]", "x[y:, 1]", "(x, y)", "[x, y]", "x and y", "x if y else z",
    "torch.where(x > 0, a[:, x], (x, 2))",
]  # fmt: skip


def read(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def with_name(node: ast.expr, old: str, new: str) -> ast.expr:
    if isinstance(node, ast.Name):
        return ast.Name(new, ast.Load()) if node.id == old else node
    return rebuilt(node, lambda part: with_name(part, old, new))


@pytest.mark.parametrize("text", TEXTS)
def test_what_stays_as_it_was_is_the_same_tree(text: str) -> None:
    tree = read(text)
    assert with_name(tree, "nowhere", "q") is tree


@pytest.mark.parametrize("text", TEXTS)
def test_what_changes_is_another_tree(text: str) -> None:
    tree = read(text)
    before = ast.dump(tree)
    assert ast.unparse(with_name(tree, "x", "q")) == ast.unparse(read(text.replace("x", "q")))
    assert ast.dump(tree) == before


def test_a_copy_that_is_changed_is_printed_anew() -> None:
    tree = read("x * y")
    assert printed(tree) == "x * y"
    for copy in (copied(tree), copied(copied(tree)), plain(tree)):
        vars(copy)["left"] = ast.Name("q", ast.Load())
        assert printed(copy).startswith("q")
    assert printed(tree) == "x * y"
