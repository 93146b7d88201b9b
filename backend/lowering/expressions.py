"""Expressions of code as found: what is known is worked out, what is done with tensors is written."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from backend.engine.filling.by_name import AXIS
from backend.engine.language import grammar
from backend.engine.language.errors import Refusal
from backend.engine.language.nodes import by_kind
from backend.engine.language.scalars import number_of
from backend.engine.language.tree import nodes_in
from backend.engine.language.values import Device, DType, FloatFacts, Parameters
from backend.lowering.budget import Exhausted
from backend.lowering.first_use import beside, is_reckoned_with
from backend.lowering.guesses import NUMERIC
from backend.lowering.machine import Machine, kind_of
from backend.lowering.values import (
    LOST,
    Bound,
    Decimal,
    Instance,
    Lost,
    Opaque,
    Path,
    Tensor,
    Unknown,
    Whole,
    bare,
    either,
    is_number,
    written_as,
)

LONGEST_WORD = 200
RECKONED = frozenset({"*", "/", "//", "%", "**"})  # what is done with widths, and not with axes
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


class Expressions(Machine):
    """Works out expressions."""

    # Numerals that are widths, and what stands for them.
    thin: Mapping[ast.Constant, ast.Constant] = MappingProxyType({})
    tensors: Collection[str] = ()  # what is called like a number and is none, by its path
    undecided = 0  # how many questions so far nothing decides

    # What the other halves give.
    def call(self, node: ast.Call) -> Any:
        raise NotImplementedError

    def called(self, function: Any, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        raise NotImplementedError

    def attribute_of(self, base: Any, name: str, node: ast.expr) -> Any:
        raise NotImplementedError

    def store(self, target: ast.expr, value: Any) -> None:
        raise NotImplementedError

    def unknown_name(self, node: ast.Name) -> Any:
        raise NotImplementedError

    def value(self, node: ast.expr) -> Any:
        self.budget.step(node)
        reader = _READERS.get(type(node))
        if reader is None:
            raise Refusal(grammar.REFUSED.get(type(node), "not-in-language"), at=node)
        return getattr(self, reader)(node)

    def constant(self, node: ast.Constant) -> Any:
        node = self.thin.get(node, node)
        if isinstance(node.value, int | float):
            if isinstance(node.value, int) and abs(node.value) > 2**53:
                raise Refusal("integer-too-large", limit="2**53", at=node)
            return written_as(node.value, node)
        if isinstance(node.value, bytes | complex):
            raise Refusal("constant-kind", found=type(node.value).__name__, at=node)
        return node.value

    def name(self, node: ast.Name) -> Any:
        scope = self.scope.find(node.id)
        return self.unknown_name(node) if scope is None else scope.names[node.id]

    # Operators.
    def binary(self, node: ast.BinOp) -> Any:
        return self.joined(node.op, self.value(node.left), self.value(node.right), node)

    def joined(self, sign: ast.operator, left: Any, right: Any, node: ast.expr) -> Any:
        """Two values with a sign between them."""
        if isinstance(left, Lost) or isinstance(right, Lost):
            return LOST
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Opaque):
                if isinstance(other, Tensor | Unknown):
                    raise Refusal("found-foreign", found=one.name, at=node)
                return one
        key = grammar.BINARY.get(type(sign))
        if key is None:
            raise Refusal("operator-unknown", at=node)
        left, right = self.operands(left, right, key, node)
        if isinstance(left, Instance) or isinstance(right, Instance):
            return self.of_object(key, left, right, node)
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            return self.between_tensors(key, sign, left, right, node)
        return self.of_known(key, left, right, node)

    def operands(self, left: Any, right: Any, key: str, node: ast.expr) -> tuple[Any, Any]:
        """Both sides of a sign, what is missing by what it stands beside."""
        if key == "+" and (isinstance(left, list | tuple) or isinstance(right, list | tuple)):
            left, right = self.beside_list(left, node), self.beside_list(right, node)
        return self.operand(left, right, key, is_left=True), self.operand(right, left, key)

    def beside_list(self, value: Any, node: ast.expr) -> Any:
        """What is joined to a list: where it is missing, a list as well."""
        is_missing = isinstance(value, Unknown) and self.table.given(value.path.split(".")) is None
        return self.missing_parts(value, node) if is_missing else value

    def missing_parts(self, value: Unknown, node: ast.expr) -> list[Any]:
        raise NotImplementedError

    def operand(self, value: Any, other: Any, key: str, is_left: bool = False) -> Any:
        """A missing value beside another one: a number, or a tensor."""
        if not isinstance(value, Unknown):
            return value
        given = self.table.given(value.path.split("."))
        if given is not None:
            return given
        if value.told == "tensor" or value.path in self.tensors:
            return self.tensor_of(value, beside(key, other, is_left, value.path))
        word = value.path.rpartition(".")[2]
        is_key = word == "k" and "q" in self.table.known  # and no number
        by_name = not is_key and NUMERIC.search(word) is not None
        settings = self.is_beginning_of_object() or self.table.guesser.is_number(value.path)
        by_name |= self.table.guesser.is_constant(value.path) or is_reckoned_with(key, other, is_left)
        if value.told == "number" or settings or by_name or (key in ("//", "%") and not isinstance(other, Tensor)):
            return self.table.number(value, is_size=settings or (key in RECKONED and AXIS.search(word) is not None))
        return self.tensor_of(value, beside(key, other, is_left, value.path))

    def between_tensors(self, key: str, sign: ast.operator, left: Any, right: Any, node: ast.expr) -> Any:
        for value in (left, right):
            if not isinstance(value, Tensor) and not (isinstance(value, bool) or is_number(value)):
                raise Refusal("operand-kind", found=key, kind=kind_of(value), at=node)
        if key in ("//", "%"):
            name = "floor_divide" if key == "//" else "remainder"
            return self.called(Path(f"torch.{name}"), [left, right], {}, node)
        return self.apply(key, [left, right], {}, lambda args, _: ast.BinOp(args[0], sign, args[1]), node)

    def of_object(self, key: str, left: Any, right: Any, node: ast.expr) -> Any:
        """`a + b` where one is an object with `__add__`."""
        name = _SPECIAL.get(key, "")
        for receiver, other, form in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
            if isinstance(receiver, Instance) and (method := receiver.of.find(form)) is not None:
                return self.called(Bound(method, receiver), [other], {}, node)
        raise Refusal("operand-kind", found=key, kind=kind_of(left), at=node)

    def of_known(self, key: str, left: Any, right: Any, node: ast.expr) -> Any:
        """Two values that are no tensors."""
        if key == "|" and (kinds := either(left, right)):
            return kinds
        if isinstance(left, str | tuple | list | dict | set) or isinstance(right, str | tuple | list):
            return self.of_containers(key, left, right, node)
        if isinstance(left, bool | int) and isinstance(right, bool | int) and key in _BITS:
            return _BITS[key](left, right)
        left, right = (int(v) if isinstance(v, bool) else v for v in (left, right))
        at = ast.copy_location(ast.BinOp(ast.Constant(0), ast.Add(), ast.Constant(0)), node)
        made = number_of(key, bare(left), bare(right), at)
        if isinstance(left, Whole | Decimal) and isinstance(right, Whole | Decimal):
            expr = ast.BinOp(left.expr, _SIGNS[key](), right.expr)
            return written_as(made, expr) if _size(expr) <= MOST_WRITTEN else made
        return made

    def of_containers(self, key: str, left: Any, right: Any, node: ast.expr) -> Any:
        """Lists and words that are joined or repeated."""
        if key == "+" and isinstance(left, str) and isinstance(right, str):
            return self.word(left + right, node)
        if key == "%" and isinstance(left, str):
            return self.filled_in(left, right, node)
        if key == "+" and isinstance(left, tuple | list) and isinstance(right, tuple | list):
            self.budget.parts(len(left) + len(right), node)
            return (list if isinstance(left, list) else tuple)([*left, *right])
        if key == "|" and isinstance(left, dict) and isinstance(right, dict):
            return {**left, **right}
        for values, times in ((left, right), (right, left)):
            if key == "*" and isinstance(values, tuple | list | str) and isinstance(times, int):
                self.budget.parts(len(values) * max(times, 0), node)
                made = values * int(times)
                return self.word(made, node) if isinstance(made, str) else made
        raise Refusal("operand-kind", found=key, kind=kind_of(left), at=node)

    def filled_in(self, text: str, values: Any, node: ast.expr) -> Any:
        """`"layer%d" % n`, by which layers are named; any other format is only printed."""
        parts = [bare(one) for one in (values if type(values) is tuple else (values,))]
        pieces = re.split(r"%[ds]", text)
        plain = all(type(part) in (int, str) for part in parts) and "%" not in "".join(pieces)
        if not plain or len(pieces) != len(parts) + 1:
            return Opaque("text")
        words = [piece + str(part) for piece, part in zip(pieces, [*parts, ""], strict=True)]
        return self.word("".join(words), node)

    def word(self, text: str, node: ast.expr) -> str:
        if len(text) > LONGEST_WORD:
            raise Exhausted("string-too-long", found=f"{len(text):,}", limit=LONGEST_WORD, at=node)
        return text

    def unary(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return LOST if isinstance(value, Lost) else not self.truth(value, node.operand)
        key = grammar.UNARY[type(node.op)]
        value = self.operand(value, None, key)
        if isinstance(value, Lost | Opaque):
            return value
        if isinstance(value, Tensor):
            return (
                value
                if key == "+"
                else self.apply(key + "x", [value], {}, lambda args, _: ast.UnaryOp(node.op, args[0]), node)
            )
        if isinstance(value, Instance) and (method := value.of.find("__neg__")) and key == "-":
            return self.called(Bound(method, value), [], {}, node)
        if key == "~" and isinstance(value, int):
            return ~int(value)
        if not is_number(value) and not isinstance(value, bool):
            raise Refusal("operand-kind", found=key, kind=kind_of(value), at=node)
        made = -bare(value) if key == "-" else value
        if key == "-" and isinstance(value, Whole | Decimal):
            return written_as(made, ast.UnaryOp(ast.USub(), value.expr))
        return made

    def both(self, node: ast.BoolOp) -> Any:
        """`a and b`, `a or b`: the first that decides."""
        stops_at = isinstance(node.op, ast.Or)
        value: Any = None
        for one in node.values:
            value = self.value(one)
            if isinstance(value, Lost) or (one is not node.values[-1] and self.truth(value, one) == stops_at):
                return value
        return value

    def chosen(self, node: ast.IfExp) -> Any:
        decided = self.tested(node.test)
        if isinstance(decided, Lost):
            return LOST
        taken = self.truth(decided, node.test)
        self.note("branch" if taken else "branch-not", node.test, found=node.test)
        return self.value(node.body if taken else node.orelse)

    def tested(self, node: ast.expr) -> Any:
        """The value of what a branch or a loop asks."""
        if node not in self.tests:
            self.tests |= {node, *(one for one in nodes_in(node) if isinstance(one, ast.Compare))}
        return self.value(node)

    def supposed(self, holds: bool) -> bool:
        """The answer to a question that nothing in the code or in the table decides."""
        self.undecided += 1
        return holds

    def truth(self, value: Any, node: ast.expr) -> bool:
        """Whether a condition holds, by what is known."""
        if isinstance(value, Unknown):
            given = self.table.given(value.path.split("."))
            value = given if given is not None else self.supposed(value.path.rpartition(".")[2] == "training")
        if isinstance(value, Tensor):
            if value.meta.numel() != 1:
                raise Refusal("found-condition", found=ast.unparse(node), at=node)
            self.note("branch-numbers", node, found=node)
            numbers = self.numbers(value)
            if numbers.numel() != 1:
                raise Refusal("found-condition", found=ast.unparse(node), at=node)
            return bool(numbers)
        if isinstance(value, Instance) and (method := value.of.find("__len__")) is not None:
            return bool(self.called(Bound(method, value), [], {}, node))
        if isinstance(value, Opaque):
            return self.supposed(False)
        self.is_fatal |= isinstance(value, Lost)
        return (
            bool(value)
            if isinstance(value, bool | int | float | str | tuple | list | dict | set | range | None)
            else True
        )

    def comparison(self, node: ast.Compare) -> Any:
        left = self.value(node.left)
        self.budget.nested(left, node)
        result: Any = True
        for sign, other in zip(node.ops, node.comparators, strict=True):
            right = self.value(other)
            self.budget.nested(right, node)
            result = self.compared(sign, left, right, node)
            if len(node.ops) > 1 and (isinstance(result, Lost) or not self.truth(result, node)):
                return result
            left = right
        return result

    def compared(self, sign: ast.cmpop, left: Any, right: Any, node: ast.Compare) -> Any:
        if isinstance(left, Lost) or isinstance(right, Lost):
            return LOST
        if isinstance(sign, ast.Is | ast.IsNot):
            is_missing = right is None and isinstance(left, Unknown)
            same = _is_same(left, right) == isinstance(sign, ast.Is)
            return self.supposed(same) if is_missing else same
        if isinstance(sign, ast.In | ast.NotIn):
            return self.contains(right, left, node) == isinstance(sign, ast.In)
        if isinstance(left, Unknown) and isinstance(right, Path):  # `self.act == torch.tanh`
            return self.supposed(isinstance(sign, ast.Eq))
        if isinstance(left, Unknown) and isinstance(right, str):
            return self.supposed(self.table.given(left.path.split(".")) in (None, right))
        if isinstance(left, Opaque) or isinstance(right, Opaque):
            return self.supposed(isinstance(sign, ast.NotEq))
        return self.measured(sign, left, right, node)

    def measured(self, sign: ast.cmpop, left: Any, right: Any, node: ast.Compare) -> Any:
        """`a < b`, of numbers or of tensors."""
        key = grammar.COMPARISONS[type(sign)]
        if is_number(right) and isinstance(left, Unknown) and self.is_test(node, left):
            left = self.table.given(left.path.split(".")) or self.table.number(left)
        left, right = self.operand(left, right, key), self.operand(right, left, key)
        pair = (left, right)
        other = any(isinstance(one, str | tuple | list) or one is None for one in pair)
        if any(isinstance(one, Tensor) for one in pair) and not other:
            return self.apply(key, [left, right], {}, lambda args, _: ast.Compare(args[0], [sign], [args[1]]), node)
        try:
            return bool(COMPARED[type(sign)](_plain(left), _plain(right)))
        except TypeError:
            raise Refusal("operand-kind", found=key, kind=kind_of(right), at=node) from None

    def is_test(self, node: ast.Compare, left: Unknown) -> bool:
        """Whether what is missing and compared with a number is a number: a branch asks, or its name says so."""
        word = left.path.rpartition(".")[2]
        return (
            node in self.tests or NUMERIC.search(word) is not None or any(one.name == "__init__" for one in self.calls)
        )

    def contains(self, whole: Any, part: Any, node: ast.expr) -> bool:
        if isinstance(whole, Instance) and (method := whole.of.find("__contains__")) is not None:
            return bool(self.called(Bound(method, whole), [part], {}, node))
        if isinstance(whole, Unknown):
            return isinstance(part, str) and self.table.find([*whole.path.split("."), part]) is not None
        if isinstance(whole, Opaque):
            return False
        if not isinstance(whole, dict | list | tuple | set | str | range):
            raise Refusal("operand-kind", found="in", kind=kind_of(whole), at=node)
        try:
            return _plain(part) in (
                whole if isinstance(whole, str | dict | set | range) else [_plain(one) for one in whole]
            )
        except TypeError:
            return False

    def attribute(self, node: ast.Attribute) -> Any:
        return self.attribute_of(self.value(node.value), node.attr, node)


MOST_WRITTEN = 9  # parts of a number's text
_BITS: dict[str, Callable[[int, int], int]] = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
_SPECIAL = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "@": "matmul", "**": "pow"}
_SIGNS: dict[str, type[ast.operator]] = {text: kind for kind, text in grammar.BINARY.items()}
_READERS: dict[type[ast.AST], str] = by_kind({
    kind: name
    for kinds, name in (
        ((ast.Constant,), "constant"), ((ast.Name,), "name"), ((ast.BinOp,), "binary"), ((ast.UnaryOp,), "unary"),
        ((ast.BoolOp,), "both"), ((ast.IfExp,), "chosen"), ((ast.Compare,), "comparison"),
        ((ast.Tuple, ast.List, ast.Set), "sequence"), ((ast.Dict,), "dictionary"), ((ast.JoinedStr,), "joined_text"),
        ((ast.Slice,), "slice"), ((ast.Subscript,), "subscript"), ((ast.Attribute,), "attribute"),
        ((ast.Call,), "call"), ((ast.Lambda,), "lambda_"), ((ast.DictComp,), "comprehended"),
        ((ast.ListComp, ast.GeneratorExp, ast.SetComp), "comprehension"), ((ast.NamedExpr,), "walrus"),
    )
    for kind in kinds
})  # fmt: skip


def _is_same(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is right
    return left is right or (isinstance(left, bool | str) and bool(left == right))


def _plain(value: Any) -> Any:
    if isinstance(value, Path) and value.name.startswith("torch."):
        return value.name.removeprefix("torch.")
    if isinstance(value, DType | Device):
        return str(value)
    if isinstance(value, FloatFacts):
        return None
    return tuple(map(_plain, value)) if isinstance(value, tuple) else bare(value)


def _size(node: ast.expr) -> int:
    return sum(isinstance(one, ast.expr) for one in ast.walk(node))
