"""Applies the allow-list: visits every node of a syntax tree, and refuses the first that isn't allowed."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import (
    ALLOWED,
    AUTOGRAD,
    BINARY,
    FUNCTIONS,
    LAYERS,
    MEANINGS,
    REFUSED,
    RESERVED,
    UNWANTED,
)
from backend.engine.language.limits import LIMITS
from backend.engine.language.nodes import by_kind
from backend.engine.language.tree import children, growth
from backend.engine.language.unlisted import INSTEAD, KINDS, layer_name

Check = Callable[[Any], None]


def check(tree: ast.Module, answer: bool = False) -> tuple[int, Refusal] | None:
    """The first fault in the order of the text, and the number of the statement that it is in; None for no fault.

    An `answer` computes a gradient: it may add to tensors and write into their cells, and may not ask autograd.
    Without recursion: hostile nesting must not reach Python's own stack.
    """
    checks = _ANSWERS if answer else _CHECKS
    return _first(tree, lambda node, place: _check_node(node, place, checks))


def check_size(tree: ast.Module, times: int = 1) -> None:
    """Raise Refusal for a program that is too large or nested too deep, whatever else is wrong with it."""
    fault = _first(tree, lambda *_: None, times)
    if fault is not None:
        raise fault[1]


def _first(
    tree: ast.Module, check_node: Callable[[ast.AST, ast.AST], None], times: int = 1
) -> tuple[int, Refusal] | None:
    """The first node that is refused, or is one too many, and the number of its statement."""
    pending: list[tuple[ast.AST, int, ast.AST, int]] = [
        (statement, 1, statement, number) for number, statement in reversed(list(enumerate(tree.body)))
    ]
    nodes = statements = 0
    while pending:
        node, depth, place, number = pending.pop()
        place = node if hasattr(node, "lineno") else place
        nodes += 1
        statements += isinstance(node, ast.stmt)
        try:
            _check_size(nodes // times, statements // times, depth, place)
            check_node(node, place)
        except Refusal as refusal:
            return number, refusal
        pending += [(child, depth + 1, place, number) for child in reversed(children(node))]
    return None


def _check_size(nodes: int, statements: int, depth: int, place: ast.AST) -> None:
    if nodes > LIMITS.syntax_nodes or statements > LIMITS.statements:
        raise Refusal("program-too-large", nodes=f"{LIMITS.syntax_nodes:,}", statements=LIMITS.statements, at=place)
    if depth > LIMITS.nesting:
        raise Refusal("nested-too-deep", limit=LIMITS.nesting, at=place)


def _check_node(node: ast.AST, place: ast.AST, checks: Mapping[type[ast.AST], Check]) -> None:
    if not isinstance(node, ALLOWED) or isinstance(node, ast.Not):
        raise Refusal(REFUSED.get(type(node), "not-in-language"), at=place)
    if type(node) in checks:
        checks[type(node)](node)


def _check_call(node: ast.Call) -> None:
    seen: set[str | None] = set()
    for keyword in node.keywords:
        if keyword.arg is None:
            raise Refusal("not-in-language/star", at=keyword)
        if keyword.arg in seen:
            raise Refusal("keyword-twice", found=keyword.arg, at=keyword)
        seen.add(keyword.arg)
    if isinstance(node.func, ast.Name) and node.func.id == "print":
        raise Refusal("expression-alone/print", at=node)


def _check_attribute(node: ast.Attribute) -> None:
    if node.attr.startswith("_"):
        raise Refusal("name-underscore", found=node.attr, meant=node.attr.strip("_") or "a", at=node)
    if isinstance(node.value, ast.Name) and node.value.id == "self":
        raise Refusal("not-in-language/self", found=node.attr, at=node)
    if _is_nn(node.value):
        _check_layer(node)


def _is_nn(node: ast.expr) -> bool:
    """`nn` or `torch.nn`."""
    if isinstance(node, ast.Attribute):
        return node.attr == "nn" and isinstance(node.value, ast.Name) and node.value.id == "torch"
    return isinstance(node, ast.Name) and node.id == "nn"


def _check_layer(node: ast.Attribute) -> None:
    """`nn.Linear` and its like: a layer holds tensors that a program must name."""
    if node.attr == "functional":
        if isinstance(node.value, ast.Name):
            raise Refusal("module-unknown/functional", at=node)
        return
    if node.attr in LAYERS:
        raise Refusal("module-unknown/layer", found=node.attr, instead=LAYERS[node.attr], at=node)
    if node.attr in FUNCTIONS:
        raise Refusal("module-unknown/function", found=node.attr, instead=FUNCTIONS[node.attr], at=node)
    called = layer_name(node.attr)
    if called in INSTEAD:
        raise Refusal("module-unknown/function", found=node.attr, instead=INSTEAD[called], at=node)
    if called in KINDS:
        raise Refusal(KINDS[called], found=f"nn.{node.attr}", at=node)
    raise Refusal("module-unknown/other", found=node.attr, at=node)


def _check_comparison(node: ast.Compare) -> None:
    if len(node.ops) != 1:
        raise Refusal("comparison-chain", at=node)


def _check_name(node: ast.Name) -> None:
    if node.id.startswith("_") and not (node.id == UNWANTED and isinstance(node.ctx, ast.Store)):
        raise Refusal("name-underscore", found=node.id, meant=node.id.strip("_") or "a", at=node)
    if not node.id.isascii() or len(node.id) > LIMITS.name_length:
        raise Refusal("name-letters", found=node.id, meant=spelled_out(node.id), limit=LIMITS.name_length, at=node)
    if isinstance(node.ctx, ast.Store) and node.id in RESERVED:
        meaning = MEANINGS.get(node.id, "a function of Python")
        raise Refusal("name-reserved", found=node.id, meaning=meaning, at=node)


def spelled_out(name: str) -> str:
    """A name in ASCII letters that may be used instead: `epsilon` for ε, `e` for é."""
    words = "".join(c if c.isascii() else _letter(c) for c in unicodedata.normalize("NFKD", name))
    kept = "".join(c for c in words if c.isalnum() or c == "_").strip("_")[: LIMITS.name_length]
    return kept if kept[:1].isalpha() else f"x{kept}"[: LIMITS.name_length]


def _letter(character: str) -> str:
    if unicodedata.combining(character):
        return ""
    return unicodedata.name(character, "x").split(" WITH ")[0].rpartition(" ")[2].lower()


def _check_constant(node: ast.Constant) -> None:
    if not isinstance(node.value, int | float | str | None | type(...)):
        raise Refusal("constant-kind", found=type(node.value).__name__, at=node)
    if isinstance(node.value, str) and len(node.value) > LIMITS.string_length:
        raise Refusal("string-too-long", found=f"{len(node.value):,}", limit=LIMITS.string_length, at=node)
    if isinstance(node.value, int) and abs(node.value) > LIMITS.largest_integer:
        raise Refusal("integer-too-large", limit="2**53", at=node)


def _check_target(node: ast.Assign) -> None:
    target = node.targets[0]
    if len(node.targets) != 1:
        a, b = (one.id if isinstance(one, ast.Name) else "…" for one in node.targets[:2])
        raise Refusal("assignment-chain", a=a, b=b, at=node)
    if isinstance(target, ast.Name) and target.id == UNWANTED:
        raise Refusal("name-underscore", found=target.id, meant="unused", at=target)
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    for one in names:
        if not isinstance(one, ast.Name):
            raise Refusal(_TARGETS.get(type(one), "assignment-target"), at=target)


_TARGETS: dict[type[ast.expr], str] = {ast.Subscript: "assignment-target/cells", ast.List: "assignment-target/list"}


def _check_augmented(node: ast.AugAssign) -> None:
    if isinstance(node.target, ast.Attribute):
        _check_attribute(node.target)
    if not isinstance(node.target, ast.Name):
        raise Refusal("augmented-assignment/cells", at=node)
    sign = BINARY.get(type(node.op))
    if sign is None:
        raise Refusal("operator-unknown", at=node)
    raise Refusal("augmented-assignment", name=node.target.id, sign=sign, at=node)


def _check_for(node: ast.For) -> None:
    over_range = (
        isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"
    )
    if not over_range or not isinstance(node.target, ast.Name) or node.orelse:
        raise Refusal("loop-form", at=node)


def _check_expression_statement(node: ast.Expr) -> None:
    # A notebook cell may end in a bare name, to show it.
    if isinstance(node.value, ast.Name) or growth(node) is not None:
        return
    code = _alone(node.value)
    if code:
        raise Refusal(code, at=node)


def _alone(value: ast.expr) -> str | None:
    """The refusal of an expression on a line of its own; None where a finer one waits further in."""
    match value:
        case ast.Call(func=ast.Attribute(attr="backward")):
            return "backward-call"
        case ast.Call(func=ast.Name(id="print")):
            return "expression-alone/print"
        case ast.Constant(value=str()):
            return "expression-alone/docstring"
        case ast.Attribute(attr="shape" | "dtype" | "device" | "ndim") | ast.Call(func=ast.Attribute(attr="size")):
            return "expression-alone/shape"
        case ast.Call(func=ast.Attribute(attr="retain_grad" | "zero_grad" | "requires_grad_")):
            return "expression-alone/gradients"
        case ast.Call(func=ast.Attribute(attr=name)) if name.endswith("_"):
            return None
    return "expression-alone" if isinstance(value, ALLOWED) else None


_CHECKS: dict[type[ast.AST], Check] = by_kind({
    ast.Name: _check_name, ast.Attribute: _check_attribute, ast.Constant: _check_constant, ast.For: _check_for,
    ast.Expr: _check_expression_statement, ast.Call: _check_call, ast.Compare: _check_comparison,
    ast.Assign: _check_target, ast.AugAssign: _check_augmented,
})  # fmt: skip


def _check_answer(node: ast.Assign) -> None:
    if isinstance(node.targets[0], ast.Subscript) and len(node.targets) == 1:
        _check_written(node.targets[0])
    else:
        _check_target(node)


def _check_written(target: ast.expr) -> None:
    """What is added to, or whose cells are written: a tensor by its name."""
    owner = target
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    if not isinstance(owner, ast.Name):
        raise Refusal("assignment-target", at=target)


def _check_answer_augmented(node: ast.AugAssign) -> None:
    _check_written(node.target)
    if not isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        raise Refusal("operator-unknown", at=node)


def _check_answer_attribute(node: ast.Attribute) -> None:
    if node.attr in AUTOGRAD:
        raise Refusal("autograd-in-answer", found=node.attr, at=node)
    _check_attribute(node)


def _check_answer_expression(node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        raise Refusal("expression-alone/docstring", at=node)


_ANSWERS: dict[type[ast.AST], Check] = _CHECKS | by_kind({
    ast.Assign: _check_answer, ast.AugAssign: _check_answer_augmented, ast.Attribute: _check_answer_attribute,
    ast.Expr: _check_answer_expression,
})  # fmt: skip
