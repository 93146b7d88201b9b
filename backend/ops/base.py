"""With this module an operation is one declarative block: how it is written, and its backward rule as text.

A rule is a line of the chunk language. In it `g` is the upstream gradient, `out` the operation's result, and inputs
and parameters go by their own names; `derive` may add further words whose text depends on the call.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

Shape = tuple[int, ...]
ALIASES = {"keepdims": "keepdim", "axis": "dim", "input": "x", "other": "y", "self": "x"}
REQUIRED = object()


@dataclass(frozen=True)
class Signature:
    """One spelling of an operation: the key it is looked up by and the parameters it takes."""

    key: str
    parameters: dict[str, Any]
    variadic: str | None = None

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        """Arguments by parameter name, or None where this spelling does not take them."""
        names = list(self.parameters)
        bound: dict[str, Any] = {}
        if self.variadic is None and len(args) > len(names):
            return None
        for position, value in enumerate(args):
            name = names[position] if position < len(names) else self.variadic
            if name == self.variadic:
                rest = args[position:]
                bound[name] = tuple(rest[0]) if len(rest) == 1 and isinstance(rest[0], tuple | list) else rest
                break
            bound[str(name)] = value
        for written, value in kwargs.items():
            name = written if written in self.parameters else ALIASES.get(written, written)
            if name not in self.parameters or name in bound:
                return None
            bound[name] = value
        for name, default in self.parameters.items():
            if bound.setdefault(name, default) is REQUIRED:
                return None
        return bound


@dataclass(frozen=True)
class Call:
    """One use of an operation, as `derive` sees it: shapes of tensors, values of parameters."""

    shapes: dict[str, Shape]
    parameters: dict[str, Any]
    out: Shape
    words: dict[str, str] = field(default_factory=dict)


class Op:
    """One differentiable operation; subclasses are blocks of data (see the module's first lines)."""

    written: ClassVar[tuple[str, ...]] = ()
    backward: ClassVar[dict[str, str]] = {}
    exact: ClassVar[dict[str, str]] = {}
    why_not_exact: ClassVar[str] = ""
    because: ClassVar[dict[str, str]] = {}
    cells: ClassVar[dict[str, str]] = {}
    samples: ClassVar[tuple[str, ...]] = ()
    differentiable: ClassVar[bool] = True
    broadcasts: ClassVar[bool] = False
    costly: ClassVar[bool] = True
    pair: ClassVar[bool] = False
    signatures: ClassVar[tuple[Signature, ...]] = ()
    rules: ClassVar[dict[str, ast.expr]] = {}
    exact_rules: ClassVar[dict[str, ast.expr]] = {}

    @classmethod
    def name(cls) -> str:
        """The operation's name in the API: its class name in small letters."""
        return cls.__name__.lower()

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        """Further words of the rule texts, where they depend on shapes or parameters."""
        return {}

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        """Whether these arguments are for this operation: its inputs may be tensors, parameters may not."""
        return all(name in cls.backward or not is_tensor(value) for name, value in bound.items())

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        """Axis names of the result, where the operation knows better than by matching shapes."""
        return None


REGISTRY: dict[str, list[tuple[type[Op], Signature]]] = {}
OPS: list[type[Op]] = []


def register(op: type[Op]) -> type[Op]:
    """Add an operation to the language; an incomplete block raises TypeError with a sentence for its author."""
    _demand(
        op.__doc__ and op.__doc__ is not Op.__doc__, op, "needs a docstring: one sentence that says what it computes"
    )
    _demand(op.written, op, "needs `written`: the spellings it is known by")
    if op.differentiable:
        _demand(op.backward, op, "needs `backward`: a rule for each input, or differentiable = False")
        _demand(set(op.because) == set(op.backward), op, "needs a `because` for each input that has a rule")
        _demand(op.samples, op, "needs `samples`: shapes the tests can try it on")
        _demand(not op.exact or op.why_not_exact, op, "has `exact` rules and must say `why_not_exact`")
    op.signatures = tuple(signature(text) for text in op.written)
    op.rules = {name: expression(text) for name, text in op.backward.items()}
    op.exact_rules = {name: expression(text) for name, text in op.exact.items()}
    for one in op.signatures:
        REGISTRY.setdefault(one.key, []).append((op, one))
    OPS.append(op)
    return op


def _demand(fact: object, op: type[Op], sentence: str) -> None:
    if not fact:
        raise TypeError(f"{op.__module__}.{op.__name__} {sentence}.")


def expression(text: str) -> ast.expr:
    """The syntax tree of one expression of our own rule texts."""
    return ast.parse(text, mode="eval").body


_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.USub: "-x", ast.Invert: "~x",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def signature(text: str) -> Signature:
    """Read a spelling such as `x.sum(dim, keepdim=False)`: names are parameters, keywords have defaults."""
    tree = expression(text)
    if isinstance(tree, ast.BinOp):
        return Signature(_SYMBOLS[type(tree.op)], _required(tree.left, tree.right))
    if isinstance(tree, ast.UnaryOp):
        return Signature(_SYMBOLS[type(tree.op)], _required(tree.operand))
    if isinstance(tree, ast.Compare):
        return Signature(_SYMBOLS[type(tree.ops[0])], _required(tree.left, tree.comparators[0]))
    if isinstance(tree, ast.Subscript):
        return Signature("[]", _required(tree.value, tree.slice))
    if isinstance(tree, ast.Attribute):
        return Signature("." + tree.attr, _required(tree.value))
    assert isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute), text
    owner = ast.unparse(tree.func.value)
    of_module = owner in ("torch", "F", "torch.linalg")
    starred = next(
        (a.value.id for a in tree.args if isinstance(a, ast.Starred) and isinstance(a.value, ast.Name)), None
    )
    parameters = _required(*([] if of_module else [tree.func.value]), *tree.args)
    parameters |= {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in tree.keywords}
    key = ast.unparse(tree.func) if of_module else "." + tree.func.attr
    return Signature(key, parameters, starred)


def _required(*nodes: ast.expr) -> dict[str, Any]:
    names = (node.value if isinstance(node, ast.Starred) else node for node in nodes)
    return {node.id: REQUIRED for node in names if isinstance(node, ast.Name)}
