"""Rows of a printed statement: none too long whatever its names, broken as Black breaks them, read back as the same."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from backend.engine.differentiate.lines import Line
from backend.engine.differentiate.reverse import differentiate
from backend.engine.language.layout import broken
from backend.engine.language.limits import LIMITS
from backend.engine.language.parse import parse
from backend.engine.language.unparse import LONGEST_LINE, printed
from backend.engine.trace.graph import Graph
from backend.engine.trace.tracer import trace
from backend.program.request import read
from tests.support.line_lint import reads_back
from tests.support.programs import BY_NAME, load, some

A, B, C = "a" * 47, "b" * 47, "c" * 47

BLACK = {
    "a sum of products": (
        f"{A} += -{B} * {C} + 2",
        f"{A} += (\n    -{B} * {C} + 2\n)",
    ),
    "operands too long for a row": (
        f"{A} = {B} / {C} * ({A} - 1)",
        f"{A} = (\n    {B}\n    / {C}\n    * ({A} - 1)\n)",
    ),
    "a method": (f"{A} = {B}.sum(0, keepdim=True)", f"{A} = (\n    {B}.sum(0, keepdim=True)\n)"),
    "a method of what is long": (
        f"{A} = ({B} * {C}).sum(0)",
        f"{A} = (\n    {B} * {C}\n).sum(0)",
    ),
    "a call": (f"{A} = torch.outer({B}, {C})", f"{A} = torch.outer(\n    {B}, {C}\n)"),
    "a call with more than a row of arguments": (
        f"{A} = torch.where({A}, {B}, {C}.sum(-1))",
        f"{A} = torch.where(\n    {A},\n    {B},\n    {C}.sum(-1),\n)",
    ),
    "cells of a tensor": (
        f"{A}[:, {B}, 1:{C}+1] += {A}",
        f"{A}[\n    :, {B}, 1:{C}+1\n] += {A}",
    ),
    "several names": (
        f"{A}, {B}, {C} = {A}.unbind()",
        f"(\n    {A},\n    {B},\n    {C},\n) = {A}.unbind()",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "rows"), BLACK.values(), ids=BLACK)
def test_a_long_statement_is_broken_as_black_breaks_it(code: str, rows: str) -> None:
    assert broken(code) == rows
    assert ast.dump(ast.parse(rows)) == ast.dump(ast.parse(code))


@pytest.mark.parametrize("length", [40, LIMITS.name_length])
@pytest.mark.parametrize("name", some(list(BY_NAME), 16))
def test_no_line_is_too_long_whatever_the_names(name: str, length: int) -> None:
    graph, lines = _printed(_lengthened(load(BY_NAME[name]), length))
    rows = [row for line in lines for row in line.code.split("\n")]
    rows += graph.forward_source.split("\n") if graph.unrolled else []
    assert [row for row in rows if len(row) > LONGEST_LINE] == []
    assert [line.code for line in lines if line.rows != line.code.count("\n") + 1] == []
    for statement in (*graph.statements, *(one for line in lines for one in line.statements)):
        assert reads_back(statement, broken(printed(statement)))


def _printed(case: dict[str, Any]) -> tuple[Graph, list[Line]]:
    """A case's forward and backward lines, without a run."""
    material = read(case)
    graph = trace(parse(material.source), material.inputs, material.constants, material.loss, material.tensors)
    return graph, differentiate(graph)


def _lengthened(case: dict[str, Any], length: int) -> dict[str, Any]:
    """A program with all its names of the same length, or a little shorter."""
    tree = ast.parse(case["source"])
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names = sorted((stored | set(case["tensors"]) | set(case.get("constants", {}))) - {"_"})
    longer = {name: f"{name}_{'long' * length}"[: length - 3 - n % 9] + f"_{n:02}" for n, name in enumerate(names)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = longer.get(node.id, node.id)
    parts = {
        part: {longer[name]: told for name, told in case.get(part, {}).items()} for part in ("tensors", "constants")
    }
    dims = {longer[name]: told for name, told in case.get("dims", {}).items()}
    loss = {"loss": longer[case["loss"]]} if "loss" in case else {}
    return {**case, "source": ast.unparse(tree), **parts, "dims": dims, **loss}
