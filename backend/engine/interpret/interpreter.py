"""The base interpreter of the language: statements and plain numbers; subclasses say what a tensor operation does.

User text is only ever walked by this class; Python never compiles it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import Any

from backend.engine.interpret.devices import DEVICE_KEYS, TO_KEYWORDS, kinds_among, names_elsewhere, without_devices
from backend.engine.language import grammar
from backend.engine.language.errors import Refusal
from backend.engine.language.limits import LIMITS
from backend.engine.language.nodes import by_kind
from backend.engine.language.scalars import ON_NUMBERS, bounded_range, is_number, kind_of, number_of, of_math, whole
from backend.engine.language.suggest import nearest
from backend.engine.language.tree import Fault, Growth, nodes_in
from backend.engine.language.unparse import printed
from backend.engine.language.values import Args, Device, DType, Pair, Record, Values
from backend.engine.ops import OPS, REGISTRY

METHODS = frozenset(key for key in REGISTRY if key.startswith("."))
PLAIN, ENDS = frozenset({int, float}), frozenset({int, type(None)})
ON_TENSORS = {op.builtin: op.signatures[0].key for op in OPS if op.builtin}


class Interpreter:
    """Walks statements and expressions; subclasses say what a tensor is and what an operation on one does."""

    def __init__(self, scope: Values) -> None:
        self.scope = scope
        self.steps = self.pieces = self.characters = 0
        self.loops: list[ast.For] = []
        self.sizes: dict[ast.stmt, tuple[int, int]] = {}

    # What subclasses give.
    def is_tensor(self, value: object) -> bool:
        raise NotImplementedError(type(self))

    def operation(self, key: str, args: Args, kwargs: Values, node: ast.expr) -> Any:
        raise NotImplementedError(type(self))

    def assign(self, statement: ast.Assign, value: Any) -> None:
        raise NotImplementedError(type(self))

    def dtype_of(self, tensor: Any) -> Any:
        raise NotImplementedError(type(self))

    # Statements.
    def run(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self.steps += 1
            if self.loops:  # without one, the limits of a program's text are enough
                self.weigh(statement)
            if self.steps > LIMITS.unrolled_steps or self.pieces > LIMITS.unrolled_pieces:
                raise Refusal("too-many-steps", limit=f"{LIMITS.unrolled_steps:,}", at=statement)
            self.statement(statement)

    def weigh(self, statement: ast.stmt) -> None:
        """Count the expressions and the characters of a statement, those of a loop's body left to its turns."""
        if statement not in self.sizes:
            self.sizes[statement] = (1, 0) if isinstance(statement, ast.For) else _size(statement)
        pieces, characters = self.sizes[statement]
        self.pieces += pieces
        self.characters += characters
        if self.characters > LIMITS.unrolled_characters:
            raise Refusal("too-many-steps/characters", limit=f"{LIMITS.unrolled_characters:,}", at=self.loops[0])

    def statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, Growth):
            self.check_growth(statement)
        if isinstance(statement, ast.Assign):
            self.assign(statement, self.value(statement.value))
        elif isinstance(statement, ast.For):
            self.loop(statement)
        elif isinstance(statement, ast.Expr):
            self.value(statement.value)
        elif isinstance(statement, Fault):
            raise statement.refusal

    def check_growth(self, statement: Growth) -> None:
        """What is appended to must be a list, and known by one name: Python would change it under each."""
        steps = self.value(statement.steps)
        if not isinstance(steps, list):
            raise Refusal("attribute", found="append", at=statement)
        if sum(value is steps for value in self.scope.values()) > 1:
            raise Refusal("list-shared", found=statement.steps.id, at=statement)

    def loop(self, statement: ast.For) -> None:
        assert isinstance(statement.target, ast.Name)
        self.loops.append(statement)
        for number in self.value(statement.iter):
            self.scope[statement.target.id] = number
            self.run(statement.body)
        self.loops.pop()

    # Expressions.
    def value(self, node: ast.expr) -> Any:
        return node.value if type(node) is ast.Constant else getattr(self, _READERS[type(node)])(node)

    def constant(self, node: ast.Constant) -> Any:
        return node.value

    def name(self, node: ast.Name) -> Any:
        try:
            return self.scope[node.id]
        except KeyError:
            raise self.unknown_name(node) from None

    def unknown_name(self, node: ast.Name) -> Refusal:
        if node.id in grammar.OTHER_MODULES:
            return Refusal("module-unknown", found=node.id, at=node)
        if near := nearest(node.id, self.scope):
            return Refusal("name-near", found=node.id, near=near, at=node)
        return Refusal("name-unknown", found=node.id, at=node)

    def binary(self, node: ast.BinOp) -> Any:
        key, left, right = grammar.BINARY.get(type(node.op), ""), self.value(node.left), self.value(node.right)
        if not key:
            raise Refusal("operator-unknown", at=node)
        return self.joined(key, left, right, node)

    def joined(self, key: str, left: Any, right: Any, node: ast.BinOp) -> Any:
        """Two values with a sign between them: tensors, numbers, or lists that become one."""
        if type(left) in PLAIN and type(right) in PLAIN:
            return number_of(key, left, right, node)
        tensors = self.is_tensor(left) + self.is_tensor(right)
        if tensors:
            if tensors == 1 or key in grammar.BITWISE:
                self.check_operands(key, left, right, node)
            return self.operation(key, (left, right), {}, node)
        if key == "+" and type(left) is type(right) and isinstance(left, tuple | list):
            joined = type(left)([*left, *right])
            # What the left one holds was weighed before; of numbers and tensors at its end each weighs one.
            if len(joined) > LIMITS.syntax_nodes or any(isinstance(part, tuple | list) for part in right):
                self.listed(list(joined), node)
            return joined
        for values, times in ((left, right), (right, left)):
            if key == "*" and isinstance(values, tuple | list) and type(times) is int:
                return self.repeated(values, times, node)
        return number_of(key, left, right, node)

    def repeated(self, values: tuple[Any, ...] | list[Any], times: int, node: ast.BinOp) -> Any:
        """`[x] * 3`: short, for each part may stand for a tensor."""
        if len(values) * times > LIMITS.nesting:
            raise Refusal("list-too-long", found=f"{len(values) * times:,}", limit=LIMITS.nesting, at=node)
        return type(values)(self.listed([*values] * times, node))

    def check_operands(self, key: str, left: Any, right: Any, node: ast.expr) -> None:
        """The other operand must be a tensor, or a number unless the operator is `@`."""
        for value in (left, right):
            if not self.is_tensor(value) and (key == "@" or not isinstance(value, int | float)):
                raise Refusal("operand-kind", found=key, kind=kind_of(value), at=node)
        if key in grammar.BITWISE and (self.has_decimals(left) or self.has_decimals(right)):
            raise Refusal("bitwise-decimals/power" if key == "^" else "bitwise-decimals", found=key, at=node)

    def has_decimals(self, value: Any) -> bool:
        """Whether a tensor or a number is one of decimals, and not of whole numbers or of true and false."""
        return bool(self.dtype_of(value).is_floating_point) if self.is_tensor(value) else isinstance(value, float)

    def unary(self, node: ast.UnaryOp) -> Any:
        key, operand = grammar.UNARY[type(node.op)], self.value(node.operand)
        if self.is_tensor(operand):
            return operand if key == "+" else self.operation(key + "x", (operand,), {}, node)
        if not is_number(operand) or key == "~":
            raise Refusal("operand-kind", found=key, kind=kind_of(operand), at=node)
        return -operand if key == "-" else operand

    def comparison(self, node: ast.Compare) -> Any:
        key = grammar.COMPARISONS.get(type(node.ops[0]), "")
        left, right = self.value(node.left), self.value(node.comparators[0])
        if not key or not (self.is_tensor(left) or self.is_tensor(right)):
            raise Refusal("comparison-plain", at=node)
        self.check_operands(key, left, right, node)
        return self.operation(key, (left, right), {}, node)

    def sequence(self, node: ast.Tuple | ast.List) -> Any:
        values = self.listed([self.value(item) for item in node.elts], node)
        return tuple(values) if isinstance(node, ast.Tuple) else values

    def listed(self, values: list[Any], node: ast.AST) -> list[Any]:
        """The values themselves, where they are not too many."""
        if _is_heavy(values):
            # Tuples of tuples by name: thirty lines would hold a billion numbers.
            raise Refusal("nested-too-deep", limit=LIMITS.tensor_axes, at=node)
        return values

    def slice(self, node: ast.Slice) -> slice:
        ends = [None if part is None else self.value(part) for part in (node.lower, node.upper, node.step)]
        if not ENDS.issuperset(map(type, ends)):
            raise Refusal("slice-ends", at=node)
        return slice(*ends)

    def subscript(self, node: ast.Subscript) -> Any:
        base, index = self.value(node.value), self.value(node.slice)
        if self.is_tensor(base):
            return self.operation("[]", (base, index), {}, node)
        if isinstance(base, Pair):
            base = (base.values, base.indices)
        if isinstance(base, tuple | list) and isinstance(index, int | slice):
            try:
                return base[index]
            except IndexError:
                raise Refusal("axis-missing", found=index, axes=len(base), at=node) from None
            except ValueError:
                raise Refusal("slice-ends", at=node.slice) from None
        raise Refusal("subscript-kind", kind=kind_of(base), at=node)

    def attribute(self, node: ast.Attribute) -> Any:
        path = self.path(node)
        if path is not None:
            return _module_constant(path, node)
        base = self.value(node.value)
        if isinstance(base, Record) and node.attr in base.fields:
            return getattr(base, node.attr)
        if not self.is_tensor(base):
            raise Refusal("attribute", found=node.attr, at=node)
        if node.attr in grammar.PROPERTIES:
            return self.operation("." + node.attr, (base,), {}, node)
        return self.fact(base, node)

    def fact(self, base: Any, node: ast.Attribute) -> Any:
        """A tensor's attribute that needs no computation, such as its shape."""
        if node.attr == "shape":
            return tuple(base.shape)
        if node.attr == "ndim":
            return len(base.shape)
        if node.attr == "dtype":
            return self.dtype_of(base)
        if node.attr == "device":
            return Device("cpu")
        if node.attr == "data":
            raise Refusal("attribute/data", at=node)
        if "." + node.attr in METHODS:
            raise Refusal("attribute/method", found=node.attr, called=printed(node), at=node)
        raise Refusal("attribute", found=node.attr, at=node)

    def path(self, node: ast.expr) -> str | None:
        """`torch.exp` for that expression, None where the root is not one of the modules in scope."""
        if isinstance(node, ast.Name):
            return node.id if node.id in grammar.MODULES and node.id not in self.scope else None
        if isinstance(node, ast.Attribute):
            root = self.path(node.value)
            return None if root is None else f"{root}.{node.attr}".replace("torch.nn.functional.", "F.")
        return None

    def call(self, node: ast.Call) -> Any:
        args = tuple([self.value(argument) for argument in node.args])
        kwargs = {str(keyword.arg): self.value(keyword.value) for keyword in node.keywords}
        if names_elsewhere(node, args, kwargs):
            here, args, kwargs = without_devices(node, args, kwargs)
            self.instead(node, here if here.args or here.keywords else _receiver(here))
            node = here
        if isinstance(node.func, ast.Name):
            return self.builtin(node.func.id, args, kwargs, node)
        if not isinstance(node.func, ast.Attribute):
            raise Refusal("call-form", at=node)
        path = self.path(node.func)
        if path is not None:
            if path.startswith("math."):
                if kwargs:
                    raise Refusal("keyword-unknown", found=next(iter(kwargs)), name=path, at=node)
                return of_math(path.removeprefix("math."), args, node)
            return self.operation(path, args, kwargs, node)
        base = self.value(node.func.value)
        if not self.is_tensor(base) or node.func.attr in grammar.PROPERTIES:
            raise Refusal("attribute", found=node.func.attr, at=node.func)
        return self.method(base, node.func.attr, args, kwargs, node)

    def method(self, base: Any, name: str, args: Args, kwargs: Values, node: ast.Call) -> Any:
        if name == "size" and not kwargs and len(args) <= 1:
            shape = tuple(base.shape)
            return self.axis_size(shape, args[0], node) if args else shape
        if name in ("dim", "ndimension", "numel") and not args and not kwargs:
            return math.prod(base.shape) if name == "numel" else len(base.shape)
        if name == "cuda":
            self.instead(node, _receiver(node))
        if name in ("cuda", "cpu"):
            return base
        if "." + name in DEVICE_KEYS and kwargs.keys() <= TO_KEYWORDS:
            return self.converted("." + name, base, (*args, *kwargs.values()), node)
        return self.operation("." + name, (base, *args), kwargs, node)

    def converted(self, key: str, base: Any, values: tuple[Any, ...], node: ast.Call) -> Any:
        """`x.to(…)`: the kind of number that is asked for, if any."""
        kinds = kinds_among(values)
        if len(kinds) > 1:
            return self.operation(key, (base, *values), {}, node)
        if not kinds:
            return base
        kind = self.dtype_of(kinds[0]) if self.is_tensor(kinds[0]) else kinds[0]
        return self.operation(key, (base, kind), {}, node)

    def instead(self, node: ast.expr, other: ast.expr) -> None:
        """Told where an expression is read as another one, because there is one device."""

    def axis_size(self, shape: tuple[int, ...], axis: object, node: ast.expr) -> int:
        if not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
            raise Refusal("axis-missing", found=axis, axes=len(shape), at=node)
        return shape[axis]

    def builtin(self, name: str, args: Args, kwargs: Values, node: ast.Call) -> Any:
        if name in ON_NUMBERS and args and not kwargs and name not in self.scope:
            return self.on_numbers(name, args, node)
        ends = tuple(end for end in args if type(end) is int)
        if name == "range" and not kwargs and 1 <= len(ends) == len(args) <= 3:
            return bounded_range(ends, node)
        if name == "len" and len(args) == 1 and not kwargs:
            return self.length(args[0], node)
        if name == "float" and len(args) == 1 and isinstance(args[0], str) and grammar.NUMERALS.fullmatch(args[0]):
            return float(args[0])
        if name in ("float", "int") and len(args) == 1 and is_number(args[0]):
            return float(args[0]) if name == "float" else whole(args[0], node)
        if name in grammar.BUILTINS:
            raise Refusal("builtin-arguments", name=name, how=grammar.BUILTINS[name], at=node)
        return self.operation(name, args, kwargs, node)

    def on_numbers(self, name: str, args: Args, node: ast.Call) -> Any:
        """`abs(x)`, `max(n, 1)`, `sum([a, b])` and their like, as Python has them."""
        if name in ON_TENSORS and len(args) == 1 and self.is_tensor(args[0]):
            return self.operation(ON_TENSORS[name], args, {}, node)
        parts = args[0] if len(args) == 1 and isinstance(args[0], tuple | list) else args
        if name == "sum" and parts is args[0] and parts:
            return self.total(parts, node)
        if not parts or not all(map(is_number, parts)) or name == "sum":
            raise Refusal("operand-kind", found=name, kind="this", at=node)
        try:
            result = ON_NUMBERS[name](*args)
        except (TypeError, ValueError, ArithmeticError):
            raise Refusal("number-fails", found=name, at=node) from None
        return result

    def total(self, parts: tuple[Any, ...] | list[Any], node: ast.Call) -> Any:
        """The parts of a list, added one after the other."""
        if len(parts) > LIMITS.nesting:
            raise Refusal("nested-too-deep", limit=LIMITS.nesting, at=node)
        total = parts[0]
        for part in parts[1:]:
            added = ast.BinOp(self.as_written(total), ast.Add(), self.as_written(part))
            total = self.joined("+", total, part, ast.copy_location(added, node))
        return total

    def as_written(self, value: Any) -> ast.expr:
        """An expression for a value that was worked out already."""
        raise NotImplementedError(type(self))

    def length(self, value: Any, node: ast.Call) -> int:
        if self.is_tensor(value):
            return self.axis_size(tuple(value.shape), 0, node)
        if not isinstance(value, tuple | list | range):
            raise Refusal("operand-kind", found="len", kind=kind_of(value), at=node)
        return len(value)


_READERS: dict[type[ast.AST], str] = by_kind({
    ast.Constant: "constant", ast.Name: "name", ast.BinOp: "binary", ast.UnaryOp: "unary", ast.Compare: "comparison",
    ast.Tuple: "sequence", ast.List: "sequence", ast.Slice: "slice", ast.Subscript: "subscript",
    ast.Attribute: "attribute", ast.Call: "call",
})  # fmt: skip


def _is_heavy(values: list[Any]) -> bool:
    """Whether a nest of tuples and lists holds more numbers than a program, or is deeper than a tensor may be."""
    pending = [(value, 1) for value in values if isinstance(value, tuple | list)]
    weight = seen = len(values) - len(pending)
    while pending and weight <= LIMITS.syntax_nodes:
        value, depth = pending.pop()
        seen += 1
        if not isinstance(value, tuple | list):
            weight += 1
        elif depth >= LIMITS.tensor_axes or seen > LIMITS.tensor_axes * LIMITS.syntax_nodes:
            return True  # too deep, or for the most part empty
        else:
            pending += [(item, depth + 1) for item in value]
    return weight > LIMITS.syntax_nodes


def _size(statement: ast.stmt) -> tuple[int, int]:
    """How many expressions there are in a statement, and how many characters it is printed with."""
    written = statement.value if isinstance(statement, ast.Expr) else statement
    length = len(printed(written)) if isinstance(written, ast.expr | ast.Assign) else 0
    return sum(isinstance(node, ast.expr) for node in nodes_in(statement)), length


def _receiver(call: ast.Call) -> ast.expr:
    """What a method is called on."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _module_constant(path: str, node: ast.Attribute) -> Any:
    module, _, name = path.partition(".")
    if module in ("math", "torch") and name in grammar.CONSTANTS:
        return grammar.CONSTANTS[name]
    if module == "torch" and name in grammar.DTYPES:
        return DType(name)
    raise Refusal("attribute", found=name, at=node)
