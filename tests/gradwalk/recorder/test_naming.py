"""Expressions that others are put into."""

from __future__ import annotations

import ast

from gradwalk.recorder.naming import filled, named_anew


def test_an_expression_takes_the_place_of_a_name_and_the_first_tree_stays() -> None:
    before = ast.parse("v1[v2, 1:v3].sum(v12, keepdim=v1)", mode="eval").body
    inner = ast.parse("v2 + v1", mode="eval").body
    assert ast.unparse(filled(before, {"v1": inner})) == "(v2 + v1)[v2, 1:v3].sum(v12, keepdim=(v2 + v1))"
    assert ast.unparse(before) == "v1[v2, 1:v3].sum(v12, keepdim=v1)"
    assert ast.unparse(named_anew(before, {"v1": "v2", "v2": "v1"})) == "v2[v1, 1:v3].sum(v12, keepdim=v2)"
    assert filled(before, {"v4": inner}) is before
