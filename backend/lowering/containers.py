"""Lists, dictionaries, parts of them and loops in expressions of code as found."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from backend.engine.filling.by_name import AXIS, number_of
from backend.engine.language.errors import Refusal
from backend.engine.language.values import DType
from backend.lowering.budget import MOST_DEPTH, Exhausted
from backend.lowering.expressions import Expressions
from backend.lowering.first_use import index_on
from backend.lowering.foresight import least_of_part
from backend.lowering.guesses import NUMERIC
from backend.lowering.machine import kind_of
from backend.lowering.values import (
    LOST,
    REQUIRED,
    Bound,
    Class,
    Function,
    Instance,
    Lost,
    Opaque,
    Parts,
    Path,
    Rest,
    Scope,
    Shape,
    Tensor,
    Unknown,
    Whole,
    bare,
    written_as,
)

MOST_LAYERS = 50
SHIFTS: dict[type[ast.operator], type[ast.operator]] = {ast.LShift: ast.Mult, ast.RShift: ast.FloorDiv}
# Settings that are one number for each side of a picture, or the same one for both.
PAIR = re.compile(r"^(stride|dilation|padding|kernel(_size)?|(patch|window|img|image|output|input)_size|resolution)$")
LISTED = re.compile(r"(s|list|shape)$")  # what holds several things, by its name
OF_SHAPE = 4  # the lengths in a shape that is missing: those of pictures
MOST_PICKED = 8  # parts of a missing list, however large the number by which one is picked


class Containers(Expressions):
    """Works out what holds several values."""

    outermost: Instance | None = None  # the object `self` of a method that was pasted without its class
    lists: set[str]  # the paths of what is missing and a list
    called_parts: Collection[str]  # what lists are called whose parts are called
    picks_of: dict[str, int]  # how many parts a list has at least, by the numbers by which they are picked

    def binary(self, node: ast.BinOp) -> Any:
        """`1 << n` is a product with a power of two, `n >> 1` what is left of a quotient by one."""
        if type(node.op) not in SHIFTS:
            return super().binary(node)
        value, places = self.value(node.left), self.known(self.value(node.right))
        return self.joined(SHIFTS[type(node.op)](), value, self.joined(ast.Pow(), 2, places, node), node)

    # Containers.
    def sequence(self, node: ast.Tuple | ast.List | ast.Set) -> Any:
        values = self.spread(node.elts)
        if isinstance(node, ast.Set):
            return set(map(self.key, values, node.elts))
        return tuple(values) if isinstance(node, ast.Tuple) else values

    def parts(self, value: Any, node: ast.expr) -> list[Any]:
        """The values that a loop would go through, as a list of its own."""
        found = self.each(value, node)
        self.budget.parts(len(found), node)
        return list(found)

    def spread(self, nodes: list[ast.expr]) -> list[Any]:
        """Parameters one after the other, those behind a star each for itself."""
        values: list[Any] = []
        for one in nodes:
            if isinstance(one, ast.Starred):
                values += self.parts(self.value(one.value), one)
            else:
                values.append(self.value(one))
            self.budget.parts(len(values), one)
        return values

    def dictionary(self, node: ast.Dict) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, one in zip(node.keys, node.values, strict=True):
            value = self.value(one)
            if key is None:
                made |= value if isinstance(value, dict) else {}
            else:
                made[self.key(self.value(key), key)] = value
        return made

    def key(self, value: Any, node: ast.expr) -> Any:
        """What a dictionary is looked up by."""
        self.budget.nested(value, node)
        if isinstance(value, tuple):
            return tuple(self.key(part, node) for part in value)
        if isinstance(value, bool | int | float | str | None):
            return bare(value)
        if isinstance(value, Class | Function | Instance | DType | Path | Tensor):
            return value
        raise Refusal("found-value", found=kind_of(value), at=node)

    def joined_text(self, node: ast.JoinedStr) -> Any:
        """A text with names of layers and numbers put into it; anything else in it is only printed."""
        text = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
                continue
            assert isinstance(part, ast.FormattedValue)
            value = bare(self.value(part.value)) if part.format_spec is None and part.conversion == -1 else None
            if type(value) not in (int, str):
                return Opaque("text")
            text = self.word(text + str(value), node)
        return self.word(text, node)

    def slice(self, node: ast.Slice) -> slice:
        ends = [None if end is None else self.count(self.value(end)) for end in (node.lower, node.upper, node.step)]
        return slice(*ends)

    def count(self, value: Any) -> Any:
        """A number by which something is counted or cut: `dim` is a width there, and no axis."""
        is_size = isinstance(value, Unknown) and AXIS.search(value.path.rpartition(".")[2]) is not None
        return self.whole(value, is_size)

    def whole(self, value: Any, is_size: bool = False) -> Any:
        """A number where one is wanted: a missing one by a guess, a tensor's by running the lines so far."""
        if isinstance(value, Unknown):
            given = self.table.given(value.path.split("."))
            value = given if given is not None else self.table.number(value, is_size or self.is_beginning_of_object())
        if isinstance(value, Tensor) and value.meta.numel() == 1:
            number = self.numbers(value).item()
            return number if isinstance(number, bool) or not float(number).is_integer() else int(number)
        return value

    def subscript(self, node: ast.Subscript) -> Any:
        return self.subscripted(self.value(node.value), node)

    def subscripted(self, base: Any, node: ast.Subscript) -> Any:
        if isinstance(base, Path | Opaque | Class | Lost):
            return base if not isinstance(base, Path | Class) else Opaque("type")
        return self.picked(base, self.value(node.slice), node)

    def picked(self, base: Any, index: Any, node: ast.expr) -> Any:
        """`base[index]`."""
        self.budget.nested(index, node)
        if isinstance(index, Lost):
            return LOST
        if isinstance(base, Unknown):
            return self.picked_unknown(base, index, node)
        if isinstance(base, Tensor):
            return self.apply("[]", [base, self.index(index, base)], {}, _subscripted, node)
        if isinstance(base, dict):
            index = next(iter(base), None) if isinstance(index, Unknown) else index
            return self.entry(base, self.key(index, node), node)
        if isinstance(base, tuple | list | str | range):
            return self.of_sequence(base, self.whole(index), node)
        if isinstance(base, Instance) and (method := base.of.find("__getitem__")) is not None:
            return self.called(Bound(method, base), [index], {}, node)
        raise Refusal("subscript-kind", kind=kind_of(base), at=node)

    def entry(self, base: dict[Any, Any], key: Any, node: ast.expr) -> Any:
        if key not in base:
            if isinstance(base, Rest) and isinstance(key, str):
                return self.unknown_name(ast.copy_location(ast.Name(key, ast.Load()), node))
            raise Refusal("found-key", found=key, at=node)
        return base[key]

    def index(self, index: Any, base: Tensor) -> Any:
        """An index on a tensor; missing names in it are whole numbers or tensors of them."""
        if isinstance(index, tuple):
            return tuple(self.index(part, base) for part in index)
        if isinstance(index, Unknown) and not NUMERIC.search(index.path.rpartition(".")[2]):
            return self.tensor_of(index, index_on(base))
        return self.operand(index, None, "[]")

    def of_sequence(self, base: Any, index: Any, node: ast.expr) -> Any:
        if not isinstance(index, int | slice):
            raise Refusal("subscript-kind", kind=kind_of(base), at=node)
        try:
            value = base[bare(index)]
        except (IndexError, ValueError):
            entry = "axis-missing" if isinstance(base, Shape) else "axis-missing/part"
            raise Refusal(entry, found=bare(index), axes=len(base), at=node) from None
        if isinstance(base, Shape) and isinstance(index, int):
            return (
                value
                if isinstance(value, Whole)
                else written_as(value, ast.Subscript(base.expr, ast.Constant(bare(index)), ast.Load()))
            )
        return value

    def picked_unknown(self, base: Unknown, index: Any, node: ast.expr) -> Any:
        """Of a dictionary or list that is missing: a tensor of the table by that name."""
        if isinstance(index, str) or (
            isinstance(index, int) and self.table.has_part([*base.path.split("."), str(index)])
        ):
            return self.part_of(base, str(index), node)
        is_setting = PAIR.search(base.path.rpartition(".")[2]) and self.table.guessed(base.path) is None
        if isinstance(index, int) and is_setting:
            return self.whole(self.part_of(base, str(bare(index)), node), is_size=True)
        if isinstance(index, int | slice) and self.is_list(base):
            return self.of_sequence(self.missing_parts(base, node), index, node)
        return self.picked(self.tensor_of(base), index, node)

    def is_list(self, value: Unknown) -> bool:
        """Whether what is missing is a list: settings of which parts are taken, and what was gone through before."""
        is_free = self.table.given(value.path.split(".")) is None
        return is_free and (
            value.path.rpartition(".")[2] in self.called_parts
            or value.path in self.lists
            or (self.is_beginning_of_object() and value.told != "tensor")
        )

    def part_of(self, base: Unknown, name: str, node: ast.expr) -> Any:
        """A part of something that is missing: what the table has for it, or missing as well."""
        path = f"{base.path}.{name}"
        given = self.table.given(path.split("."))
        return given if given is not None else Unknown(path, node, base.of_self, base.made_by)

    def one_called(self, node: ast.Subscript) -> Any:
        """`self.layers[i]`, which is called: of a list that is missing, one layer."""
        base = self.value(node.value)
        if not isinstance(base, Unknown) or self.table.guessed(base.path) is not None:
            return self.subscripted(base, node)
        index = self.value(node.slice)
        if isinstance(index, int):
            return self.part_of(base, str(bare(index)), node)
        if isinstance(index, Unknown):  # `functions[self.kind]`
            return self.part_of(base, index.path.rpartition(".")[2], node)
        return self.picked(base, index, node)

    # Functions and loops in expressions.
    def lambda_(self, node: ast.Lambda) -> Function:
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        return self.function("f", node.args, body, node)

    def function(self, name: str, args: ast.arguments, body: list[ast.stmt], node: ast.AST) -> Function:
        defaults = [self.value(one) for one in args.defaults]
        named = [REQUIRED if one is None else self.value(one) for one in args.kw_defaults]
        return Function(name, args, body, self.scope, defaults, named, node)

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Any:
        made = list(self.turns(node.generators, [node.elt], lambda: self.value(node.elt)))
        return set(made) if isinstance(node, ast.SetComp) else made

    def comprehended(self, node: ast.DictComp) -> dict[Any, Any]:
        def made() -> tuple[Any, Any]:
            return self.key(self.value(node.key), node.key), self.value(node.value)

        return dict(self.turns(node.generators, [node.key, node.value], made))

    def turns(
        self, generators: list[ast.comprehension], parts: list[ast.expr], make: Callable[[], Any]
    ) -> Iterator[Any]:
        """What is made at each turn of the loops of a comprehension."""
        if self.budget.depth >= MOST_DEPTH:
            raise Exhausted("found-recursion", limit=MOST_DEPTH, at=generators[0].target)
        outer, self.scope = self.scope, Scope({}, self.scope)
        found: list[Any] = []
        try:
            self.turn(generators, parts, lambda: found.append(make()))
        finally:
            self.scope = outer
        self.budget.parts(len(found), generators[0].target)
        return iter(found)

    def turn(self, generators: list[ast.comprehension], parts: list[ast.expr], make: Callable[[], None]) -> None:
        if not generators:
            return make()
        one, *others = generators
        values = self.each(self.value(one.iter), one.iter)
        self.budget.ahead(len(values) * least_of_part(generators, parts), one.target)
        for value in self.budget.evenly(values, one.target):
            self.store(one.target, value)
            if all(self.truth(self.tested(test), test) for test in one.ifs):
                self.turn(others, parts, make)
        return None

    def each(self, value: Any, node: ast.expr) -> Sequence[Any]:
        """The values that a loop goes through."""
        if isinstance(value, Unknown):
            return self.each_unknown(value, node)
        if isinstance(value, Instance) and (method := value.of.find("__iter__")) is not None:
            return self.each(self.called(Bound(method, value), [], {}, node), node)
        if value is self.outermost and value is not None:  # `for layer in self`, of a method without its class
            return self.missing_parts(Unknown("layers", node), node)
        if isinstance(value, Lost | Opaque | range):
            self.is_fatal |= isinstance(value, Lost)  # what the turns would have changed nobody knows
            return value if isinstance(value, range) else []
        if isinstance(value, Tensor) and value.shape:
            return self.rows(value, node)
        if not isinstance(value, dict | list | tuple | set | str):
            raise Refusal("found-loop", found=kind_of(value), at=node)
        self.budget.parts(len(value), node)
        if isinstance(value, Parts):
            self.name_it(value, "parts")
        return [self.picked(value, n, node) for n in range(len(value))] if isinstance(value, Shape) else list(value)

    def rows(self, tensor: Tensor, node: ast.expr) -> list[Any]:
        self.budget.parts(tensor.shape[0], node)
        if self.is_fresh(tensor):
            self.name_it(tensor, "rows")
        return [self.picked(tensor, number, node) for number in range(tensor.shape[0])]

    def each_unknown(self, value: Unknown, node: ast.expr) -> Sequence[Any]:
        """Of a list that is missing: as many parts as the table has, else the rows of a tensor."""
        path = value.path.split(".")
        if isinstance(self.table.given(path), Tensor):
            return self.each(self.table.given(path), node)
        count = next(n for n in range(MOST_LAYERS) if not self.table.has_part([*path, str(n)]))
        is_list = LISTED.search(path[-1]) is not None or number_of(path[-1]) is not None or self.is_list(value)
        is_tensor = len(path) == 1 and not is_list
        if not count and (is_tensor or value.told == "tensor"):
            return self.each(self.tensor_of(value), node)
        return self.missing_parts(value, node)

    def expect(self, value: Unknown, count: int) -> None:
        """Let a list that is missing have so many parts at least."""
        name = value.path.rpartition(".")[2]
        self.picks_of[name] = max(self.picks_of.get(name, 0), count)

    def missing_parts(self, value: Unknown, node: ast.expr) -> list[Any]:
        """The parts of a list that is missing: as many as the table has or the code picks by number, at least two."""
        count = next(n for n in range(MOST_LAYERS) if not self.table.has_part([*value.path.split("."), str(n)]))
        name = value.path.rpartition(".")[2]
        least = max(OF_SHAPE if name.endswith("shape") else 2, min(self.picks_of.get(name, 0), MOST_PICKED))
        self.lists.add(value.path)
        return [Unknown(f"{value.path}.{n}", node, value.of_self, told=value.told[:-1]) for n in range(count or least)]

    def walrus(self, node: ast.NamedExpr) -> Any:
        value = self.value(node.value)
        self.store(node.target, value)
        return self.value(node.target) if isinstance(node.target, ast.Name) else value


def _subscripted(args: list[ast.expr], _: dict[str, ast.expr]) -> ast.expr:
    return ast.Subscript(args[0], args[1], ast.Load())
