"""Assignments in code as found: each value gets the name that its author gave, changes in place become new tensors."""

from __future__ import annotations

import ast
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.tree import nodes_in, number, worked_out_once
from backend.lowering.definitions import Definitions
from backend.lowering.machine import kind_of
from backend.lowering.missing import missing
from backend.lowering.values import (
    Bound,
    Class,
    Decimal,
    Instance,
    Leaf,
    Lost,
    Method,
    Opaque,
    Parts,
    Rest,
    Shape,
    Tensor,
    Unknown,
    Whole,
    bare,
    written_as,
)

MOST_NAMED = 64  # parts of a list that get a name each


class Assignments(Definitions):
    """Carries out assignments."""

    through: Leaf | None = None  # the weight whose `.data` is changed just now

    loops = 0
    is_small = False  # whether the sizes of settings are made small
    is_large = False  # whether there are any to be made small
    has_engine = False  # whether a class of the code keeps gradients itself

    def dropped(self, statement: ast.stmt) -> None:
        raise NotImplementedError

    def assigned(self, statement: ast.Assign) -> None:
        if self.is_of_gradients(statement):
            return self.dropped(statement)
        value = self.value(statement.value)
        for target in reversed(statement.targets):
            self.store(target, value)
        return None

    def is_of_gradients(self, statement: ast.Assign | ast.AugAssign) -> bool:
        """Whether a line deals with PyTorch's gradients; in an engine of the code's own they are what is computed."""
        if statement not in self.of_gradients:
            self.of_gradients[statement] = not self.has_engine and _looks_at_gradients(statement)
        return self.of_gradients[statement]

    def annotated(self, statement: ast.AnnAssign) -> None:
        if statement.value is not None:
            self.store(statement.target, self.value(statement.value))

    def store(self, target: ast.expr, value: Any) -> None:
        """Give what stands on the left of `=` its value."""
        match target:
            case ast.Name():
                self.bind(target.id, value)
            case ast.Tuple() | ast.List():
                self.unpack(target, value)
            case ast.Attribute():
                self.store_attribute(target, value)
            case ast.Subscript():
                self.put(target, value)
            case ast.Starred():
                self.store(target.value, value)
            case _:
                raise Refusal("assignment-target", at=target)

    def store_attribute(self, target: ast.Attribute, value: Any) -> None:
        base = self.value(target.value)
        if isinstance(base, Instance):
            self.set_attribute(base, target.attr, value)
        elif isinstance(base, Class) and base.own:
            base.names[target.attr] = value
        elif isinstance(base, Tensor):
            self.set_fact(base, target.attr, value)
        elif not isinstance(base, Opaque | Lost | Unknown):
            raise Refusal("assignment-target", at=target)

    def bind(self, name: str, value: Any) -> None:
        scope = self.scope.outside.get(name, self.scope)
        scope.names[name] = self.as_named(name, value)

    def as_named(self, name: str, value: Any) -> Any:
        """A value that gets a name: a line is written, if it has none yet."""
        if isinstance(value, Whole | Decimal):
            return self.named_number(name, value, self.place)
        if isinstance(value, Leaf) and not value.is_settled:
            if value.owner is None:
                value.name = (self.loops and value.name) or name  # not that of a loop over all of them
        elif isinstance(value, Tensor | Parts):
            self.name_it(value, name)
        elif isinstance(value, Unknown):
            self.name_returned(value, name, value.made_by)
        else:
            self.name_held(value, name)
        return value

    def name_held(self, value: Any, name: str) -> None:
        """Name the tensors that a list, a dictionary or a complex number holds."""
        if isinstance(value, list | tuple) and not isinstance(value, Shape):
            for place, part in enumerate(value[:MOST_NAMED]):
                self.name_it(part, f"{name}_{place}") if self.is_fresh(part) else None
        elif isinstance(value, dict):
            for key, part in value.items():
                self.name_entry(key, part, name)
        elif isinstance(value, Instance) and not value.of.own and value.of.name == "Complex":
            for key, part in value.attributes.items():
                self.name_it(part, f"{name.strip('_')}_{key}")

    def name_entry(self, key: Any, part: Any, otherwise: str) -> None:
        """Name what a dictionary holds after its key."""
        wanted = key if isinstance(key, str) and key.isidentifier() else otherwise
        if isinstance(part, Leaf) and not part.is_settled and part.owner is None:
            part.name = part.name or wanted
        elif self.is_fresh(part):
            self.name_it(part, wanted)

    def named_number(self, name: str, value: Any, node: ast.AST) -> Any:
        """A number by the name that the author gave: in a loop it stays what it is."""
        if isinstance(value.expr, ast.Name):
            return value
        given = self.table.constants.get(name)
        if number(value.expr) is not None and isinstance(given, int | float):
            return written_as(given, ast.Name(name, ast.Load()))
        if len(self.calls) <= 1 and isinstance(value, Whole) and self.table.is_large(name, value):
            self.is_large = True
            if self.is_small:
                return self.table.small(name, value)
        if self.loops:
            return bare(value)
        said = name, bare(value), str(type(bare(value)))
        if said not in self.numbers_said:
            self.numbers_said[said] = self.writer.free(name)
            self.writer.write([self.numbers_said[said]], value.expr, node, is_number=True)
        return written_as(bare(value), ast.Name(self.numbers_said[said], ast.Load()))

    def unpack(self, target: ast.Tuple | ast.List, value: Any) -> None:
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        whole = len(names) == len(target.elts)
        if isinstance(value, Unknown):
            given = self.table.given(value.path.split("."))
            if given is None and (whole or value.made_by):
                for number, one in enumerate(target.elts):
                    self.store(one, self.part_of(value, one.id if isinstance(one, ast.Name) else str(number), target))
                return
            value = given
        if isinstance(value, Lost | Opaque):
            for one in target.elts:
                self.store(one, value)
            return
        if (
            whole
            and isinstance(value, Parts | Shape)
            and len(value) == len(names)
            and self.unpacked_at_once(names, value)
        ):
            return
        if isinstance(value, Tensor) and value.guessed and value.shape[:1] != (len(target.elts),):
            raise missing(value.guessed, self.place)
        self.share_out(target, self.parts(value, target))

    def unpacked_at_once(self, names: list[str], value: Parts | Shape) -> bool:
        """`q, k, v = x.split(n)` and `B, T, C = x.shape` stay one line; what gets no gradient is a line for each."""
        if isinstance(value, Parts):
            if isinstance(value.expr, ast.Name) or any(part.is_cut for part in value):
                return False
            written = [name if name == "_" else self.writer.free(name) for name in names]
            self.writer.write(written, value.expr, self.place)
            for name, variable, part in zip(names, written, value, strict=True):
                part.variable, part.expr = variable, ast.Name(variable, ast.Load())
                if name != "_":
                    self.scope.names[name] = part
            return True
        if self.loops or (self.calls and not self.calls[-1].own):
            return False
        said = [(name, int(size), "shape") for name, size in zip(names, value, strict=True)]
        if not all(one in self.numbers_said or one[0] == "_" for one in said):
            fresh = [name if name == "_" else self.writer.free(name) for name in names]
            self.writer.write(fresh, value.expr, self.place, is_number=True)
            self.numbers_said |= dict(zip(said, fresh, strict=True))
        for one in said:
            variable = self.numbers_said.get(one, "_")
            self.scope.names[one[0]] = one[1] if variable == "_" else written_as(one[1], ast.Name(variable, ast.Load()))
        return True

    def share_out(self, target: ast.Tuple | ast.List, parts: list[Any]) -> None:
        star = next((n for n, one in enumerate(target.elts) if isinstance(one, ast.Starred)), None)
        count = len(target.elts)
        if star is not None and len(parts) >= count - 1:
            behind = count - star - 1
            middle = list(parts[star : len(parts) - behind])
            parts = [*parts[:star], middle, *parts[len(parts) - behind :]]
        if len(parts) != count:
            code = "unpack-count/one" if len(parts) == 1 else "unpack-count"
            raise Refusal(code, names=count, found=len(parts), at=target)
        for one, part in zip(target.elts, parts, strict=True):
            self.store(one, part)

    def augmented(self, statement: ast.AugAssign) -> None:
        """`x += y`: a list grows, a number is another one, a tensor is changed where it is."""
        if self.is_of_gradients(statement):
            return self.dropped(statement)
        read = _as_read(statement.target)
        before = self.value(read)
        if self.is_beginning(before):
            return self.note("begun", statement, found=statement)
        value = self.value(statement.value)
        before = self.operand(before, value, "+=")
        node = ast.copy_location(ast.BinOp(read, statement.op, statement.value), statement)
        if isinstance(statement.op, ast.Add) and self.is_extended(before, value, statement):
            return None
        made = self.joined(statement.op, before, value, node)
        self.is_fatal |= isinstance(made, Lost) and not isinstance(before, Lost)
        if (
            isinstance(before, Tensor)
            and isinstance(made, Tensor)
            and isinstance(statement.target, ast.Name | ast.Attribute)
        ):
            wanted = statement.target.id if isinstance(statement.target, ast.Name) else statement.target.attr
            self.become(before, made, wanted, statement)
            return None
        return self.store(statement.target, made)

    def is_extended(self, before: Any, value: Any, statement: ast.AugAssign) -> bool:
        """Whether a list, or a list of layers, has grown by other parts."""
        if isinstance(before, list):
            before += self.parts(value, statement.value)
            return True
        method = before.of.find("__iadd__") if isinstance(before, Instance) else None
        if method is not None:
            self.called(Bound(method, before), [value], {}, statement.value)
        return method is not None

    # Changes in place.
    def is_beginning(self, value: Any) -> bool:
        """Whether a change of a weight sets what it begins with: the table says that."""
        is_weight = isinstance(value, Leaf) and value.spec.get("role") == "parameter"
        return is_weight and any(one.name == "__init__" and one.own for one in self.calls)

    def become(self, tensor: Tensor, made: Tensor, wanted: str, node: ast.AST) -> None:
        """A tensor is changed where it is: whoever holds it holds the new one."""
        if isinstance(made, Lost):
            self.is_fatal = True
            return
        if made.shape != tensor.shape:
            raise Refusal("found-in-place", at=node)
        if made is tensor:
            return
        self.renew(made, node)
        self.settle(made)
        through = self.through_leaf(tensor, made, node)
        is_passing = tensor.view is not None and tensor.variable is None  # a view that nothing has a name for
        self.changed(tensor)
        tensor.meta, tensor.expr, tensor.variable = tensor.laid_out(made.meta.dtype), made.expr, None
        tensor.fixed = made.fixed
        if isinstance(tensor, Leaf):
            tensor.is_settled = True
        if through is not None:
            tensor.expr = through
        if not is_passing:
            self.renamed(tensor, wanted, is_cut=bool(self.cuts) and through is None)

    def through_leaf(self, tensor: Tensor, made: Tensor, node: ast.AST) -> ast.expr | None:
        """How a weight is written that `w.data.clamp_(0)` changes, or a line without gradients; None for any other.

        It stays the one that is trained: its gradient is that of what it has become.
        """
        is_unseen = self.through is tensor or self.cuts
        if not (isinstance(tensor, Leaf) and is_unseen and tensor.meta.is_floating_point()):
            return None
        if tensor.spec.get("role") == "constant":
            return _detached(made.expr)
        before = self.written(tensor, node)
        return ast.BinOp(_detached(made.expr), ast.Add(), ast.BinOp(before, ast.Sub(), _detached(before)))

    def call_of(self, function: Any, node: ast.Call) -> Any:
        match function, node.func:
            case Method(receiver=Leaf() as leaf), ast.Attribute(value=ast.Attribute(attr="data")):
                self.through = leaf
        try:
            return super().call_of(function, node)
        finally:
            if isinstance(function, Method) and function.receiver is self.through:
                self.through = None

    def renamed(self, tensor: Tensor, wanted: str, is_cut: bool | None = None) -> None:
        tensor.variable = self.writer.free(wanted)
        expr = tensor.expr
        if (self.cuts if is_cut is None else is_cut) and tensor.meta.is_floating_point():
            expr = _detached(expr)
        self.writer.write([tensor.variable], expr, self.place)
        tensor.expr = ast.Name(tensor.variable, ast.Load())

    def changed(self, tensor: Tensor) -> None:
        raise NotImplementedError

    def put(self, target: ast.Subscript, value: Any) -> None:
        """`x[i] = value`."""
        base = self.value(target.value)
        if isinstance(base, Lost | Opaque):
            return
        index = self.value(target.slice)
        if isinstance(base, Unknown) and isinstance(index, str):  # a dictionary that is begun elsewhere
            base = Rest()
            self.store(target.value, base)
        if isinstance(base, Unknown):
            base = self.tensor_of(base)
        if isinstance(base, Tensor):
            self.put_cells(base, index, value, target)
        elif isinstance(base, dict):
            key = self.key(index, target)
            self.name_entry(key, value, "part")
            base[key] = value
            self.budget.parts(len(base), target)
        elif isinstance(base, list):
            self.put_part(base, index, value, target)
        elif isinstance(base, Instance) and (method := base.of.find("__setitem__")) is not None:
            self.called(Bound(method, base), [index, value], {}, target)
        else:
            raise Refusal("subscript-kind", kind=kind_of(base), at=target)

    def put_part(self, base: list[Any], index: Any, value: Any, target: ast.Subscript) -> None:
        if self.is_fresh(value):
            self.name_it(value, "part")
        place = bare(self.whole(index))
        try:
            base[place] = value
        except (IndexError, TypeError, ValueError):
            raise Refusal("axis-missing/part", found=place, axes=len(base), at=target) from None

    def put_cells(self, tensor: Tensor, index: Any, value: Any, target: ast.Subscript) -> None:
        raise NotImplementedError

    def set_fact(self, tensor: Tensor, name: str, value: Any) -> None:
        raise NotImplementedError


@worked_out_once
def _looks_at_gradients(statement: ast.Assign | ast.AugAssign) -> bool:
    """Whether a line only writes or reads gradients, as `p.grad = None` and `W.data -= lr * W.grad` do."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    writes = all(isinstance(one, ast.Attribute) and one.attr == "grad" for one in targets)
    reads = any(isinstance(one, ast.Attribute) and one.attr == "grad" for one in nodes_in(statement.value))
    return writes or (reads and isinstance(statement, ast.AugAssign))


def keeps_gradients(tree: ast.AST) -> bool:
    """Whether a class of a text gives its objects a `grad`: it is an engine, and not a program that uses one."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "grad"
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        for node in nodes_in(tree)
    )


def _as_read(target: ast.expr) -> ast.expr:
    """The target of `+=`, as it is read."""
    match target:
        case ast.Name():
            return ast.copy_location(ast.Name(target.id, ast.Load()), target)
        case ast.Attribute():
            return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
        case ast.Subscript():
            return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    return target


def _detached(expr: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(expr, "detach", ast.Load()), [], [])
