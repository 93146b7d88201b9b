"""Walks over syntax trees, beside those of Python's own `ast`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from backend.engine.language.tree import children, copied, growth, nodes_in
from backend.engine.language.unparse import printed
from tests.support.programs import PATHS, load


@pytest.mark.parametrize("path", PATHS[::10], ids=lambda path: path.stem)
def test_the_nodes_are_those_of_python_s_own_walk(path: Path) -> None:
    tree = ast.parse(load(path)["source"])
    nodes = list(nodes_in(tree))
    assert nodes[0] is tree
    assert sorted(map(id, nodes)) == sorted(map(id, ast.walk(tree)))
    assert all(children(node) == list(ast.iter_child_nodes(node)) for node in nodes)


def test_a_copy_shares_what_is_below_it() -> None:
    node = ast.parse("a + b", mode="eval").body
    assert isinstance(node, ast.BinOp)
    made = copied(node)
    assert type(made) is ast.BinOp
    assert made.left is node.left
    made.left = ast.Constant(1)
    assert (ast.unparse(made), ast.unparse(node)) == ("1 + b", "a + b")
    assert (made.lineno, made.end_col_offset) == (node.lineno, node.end_col_offset)


def test_an_append_is_a_longer_list() -> None:
    grown = growth(ast.parse("steps.append(h * 2)").body[0])
    assert grown is not None
    assert printed(grown) == "steps = steps + [h * 2]"
    assert (grown.steps.id, ast.unparse(grown.item)) == ("steps", "h * 2")


@pytest.mark.parametrize(
    "line", ["a.append()", "a.append(b, c)", "a.append(x=b)", "a[0].append(b)", "a.extend(b)", "a = b"]
)
def test_what_is_no_append(line: str) -> None:
    assert growth(ast.parse(line).body[0]) is None
