"""Statements of code as found: assignments, branches and loops that are decided by what is known, definitions."""

from __future__ import annotations

import ast
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.parse import MOST_FAULTS
from backend.engine.language.tree import number, stored_in
from backend.lowering.budget import Exhausted
from backend.lowering.calls import Returned
from backend.lowering.definitions import Definitions
from backend.lowering.machine import kind_of
from backend.lowering.values import (
    LOST,
    Bound,
    Decimal,
    Instance,
    Leaf,
    Lost,
    Opaque,
    Parts,
    Shape,
    Tensor,
    Unknown,
    Whole,
    bare,
    is_number,
    written_as,
)


class Finished(Exception):  # noqa: N818 - no error: `.backward()` was met, and the forward pass is over
    """The tensor that is differentiated."""

    def __init__(self, loss: Any) -> None:
        super().__init__()
        self.loss = loss


class Broken(Exception):  # noqa: N818 - no error: `break` was met
    """A loop is left."""


class Continued(Exception):  # noqa: N818 - no error: `continue` was met
    """A loop goes on with its next turn."""


class Statements(Definitions):
    """Carries out statements."""

    is_small = False  # whether the sizes of settings are made small

    def block(self, statements: list[ast.stmt]) -> None:
        """One statement after the other; of one that is refused the names are lost, and the rest is looked at."""
        for statement in statements:
            self.budget.step(statement)
            is_own = not self.calls or self.calls[-1].own
            if is_own:
                self.place = statement
            try:
                self.statement(statement)
            except Exhausted:
                raise
            except Refusal as refusal:
                if not is_own:
                    raise
                self.fault(refusal, statement)
                if isinstance(statement, ast.Return):
                    raise Returned(LOST) from None
                self.lose(statement)

    def fault(self, refusal: Refusal, statement: ast.stmt) -> None:
        """Keep a fault, once, at its place in the text."""
        refusal.locate(statement, self.notes.text)
        told = (str(refusal.where), refusal.message)
        if told not in [(str(one.where), one.message) for one in self.faults]:
            self.faults.append(refusal)
        if len(self.faults) >= MOST_FAULTS:
            raise Exhausted("found-too-long/faults", limit=MOST_FAULTS, at=statement)

    def lose(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            self.scope.names[statement.name] = LOST
        for name in stored_in(statement):
            self.scope.names[name] = LOST

    def statement(self, statement: ast.stmt) -> None:
        reader = _READERS.get(type(statement))
        if reader is None:
            raise Refusal("not-in-language", at=statement)
        getattr(self, reader)(statement)

    # Assignments.
    def assigned(self, statement: ast.Assign) -> None:
        if _is_of_gradients(statement):
            return self.dropped(statement)
        value = self.value(statement.value)
        for target in reversed(statement.targets):
            self.store(target, value)
        return None

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
                base = self.value(target.value)
                if isinstance(base, Instance):
                    self.set_attribute(base, target.attr, value)
                elif isinstance(base, Tensor):
                    self.set_fact(base, target.attr, value)
                elif not isinstance(base, Opaque | Lost | Unknown):
                    raise Refusal("assignment-target", at=target)
            case ast.Subscript():
                self.put(target, value)
            case ast.Starred():
                self.store(target.value, value)
            case _:
                raise Refusal("assignment-target", at=target)

    def bind(self, name: str, value: Any) -> None:
        scope = self.scope.outside.get(name, self.scope)
        scope.names[name] = self.as_named(name, value)

    def as_named(self, name: str, value: Any) -> Any:
        """A value that gets a name: a line is written, if it has none yet."""
        if isinstance(value, Leaf) and not value.is_settled and value.owner is None:
            value.name = name
        elif isinstance(value, Tensor | Parts):
            self.name_it(value, name)
        elif isinstance(value, Whole | Decimal):
            return self.named_number(name, value, self.place)
        elif isinstance(value, list | tuple) and not isinstance(value, Shape) and len(value) <= 64:
            for place, part in enumerate(value):
                if self.is_fresh(part):
                    self.name_it(part, f"{name}_{place}")
        elif isinstance(value, dict):
            for key, part in value.items():
                if isinstance(part, Leaf) and not part.is_settled and part.owner is None:
                    part.name = part.name or str(key)
                elif self.is_fresh(part):
                    self.name_it(part, str(key) if isinstance(key, str) and key.isidentifier() else name)
        return value

    def named_number(self, name: str, value: Any, node: ast.AST) -> Any:
        """A number by the name that the author gave: in a loop it stays what it is."""
        if isinstance(value.expr, ast.Name) and not self.is_mere(value):
            return value
        if self.is_literal(value.expr) and name in self.table.constants and is_number(self.table.constants[name]):
            return written_as(self.table.constants[name], ast.Name(name, ast.Load()))
        if self.is_small and (not self.calls or len(self.calls) == 1) and isinstance(value, Whole):
            value = self.table.small(name, value, node)
            if isinstance(value.expr, ast.Name):
                return value
        if self.loops:
            return bare(value)
        said = name, bare(value), str(type(bare(value)))
        if said not in self.numbers_said:
            self.numbers_said[said] = self.writer.free(name)
            self.writer.write([self.numbers_said[said]], value.expr, self.place, is_number=True)
        return written_as(bare(value), ast.Name(self.numbers_said[said], ast.Load()))

    def is_mere(self, value: Any) -> bool:
        return False

    def is_literal(self, expr: ast.expr) -> bool:
        return number(expr) is not None

    def unpack(self, target: ast.Tuple | ast.List, value: Any) -> None:
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        whole = len(names) == len(target.elts)
        if isinstance(value, Unknown):
            given = self.table.given(value.path.split("."))
            if given is None and whole:
                for name in names:
                    self.bind(name, self.known_or_unknown(f"{value.path}.{name}", target))
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
        parts = self.parts(value, target)
        self.share_out(target, parts)

    def unpacked_at_once(self, names: list[str], value: Parts | Shape) -> bool:
        """`q, k, v = x.split(n)` and `B, T, C = x.shape` stay one line."""
        if isinstance(value, Parts):
            if isinstance(value.expr, ast.Name):
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
        if _is_of_gradients(statement):
            return self.dropped(statement)
        read = _as_read(statement.target)
        before, value = self.value(read), self.value(statement.value)
        node = ast.copy_location(ast.BinOp(read, statement.op, statement.value), statement)
        if isinstance(before, list) and isinstance(statement.op, ast.Add):
            before += self.parts(value, statement.value)
            return None
        made = self.joined(statement.op, before, value, node)
        if (
            isinstance(before, Tensor)
            and isinstance(made, Tensor)
            and isinstance(statement.target, ast.Name | ast.Attribute)
        ):
            wanted = statement.target.id if isinstance(statement.target, ast.Name) else statement.target.attr
            self.become(before, made, wanted, statement)
            return None
        return self.store(statement.target, made)

    # What is decided.
    def branch(self, statement: ast.If) -> None:
        if _is_main(statement.test):
            return self.block(statement.body)
        test = self.value(statement.test)
        if isinstance(test, Lost):
            return self.lose(statement)
        taken = self.truth(test, statement.test)
        self.note("branch" if taken else "branch-not", statement.test, found=ast.unparse(statement.test))
        return self.block(statement.body if taken else statement.orelse)

    def loop(self, statement: ast.For) -> None:
        values = self.each(self.value(statement.iter), statement.iter)
        self.loops += 1
        try:
            for value in values:
                self.budget.step(statement)
                self.store(statement.target, value)
                try:
                    self.block(statement.body)
                except Continued:
                    continue
        except Broken:
            return
        finally:
            self.loops -= 1
        self.block(statement.orelse)

    def repeat(self, statement: ast.While) -> None:
        self.loops += 1
        try:
            while self.truth(self.value(statement.test), statement.test):
                self.budget.step(statement)
                try:
                    self.block(statement.body)
                except Continued:
                    continue
        except Broken:
            return
        finally:
            self.loops -= 1
        self.block(statement.orelse)

    def leave(self, _: ast.Break) -> None:
        raise Broken

    def go_on(self, _: ast.Continue) -> None:
        raise Continued

    def give_back(self, statement: ast.Return) -> None:
        raise Returned(None if statement.value is None else self.value(statement.value))

    def within(self, statement: ast.With) -> None:
        """A block behind `with`: under `no_grad` no gradient flows, and nothing else changes."""
        cuts = 0
        for one in statement.items:
            text = ast.unparse(one.context_expr)
            if any(word in text for word in ("no_grad", "inference_mode", "set_grad_enabled(False")):
                cuts += 1
                self.note("no-grad", one.context_expr)
            if one.optional_vars is not None:
                self.store(one.optional_vars, Opaque(text))
        self.cuts += cuts
        try:
            self.block(statement.body)
        finally:
            self.cuts -= cuts

    def attempt(self, statement: ast.Try) -> None:
        self.note("try", statement)
        self.block([*statement.body, *statement.orelse, *statement.finalbody])

    # What has no effect.
    def alone(self, statement: ast.Expr) -> None:
        node = statement.value
        if not isinstance(node, ast.Call | ast.Await | ast.Yield | ast.NamedExpr):
            if not isinstance(node, ast.Constant):
                self.dropped(statement)
            return
        if not isinstance(node, ast.Call) or _is_super(node.func):
            self.value(node)
            return
        function = self.value(node.func)
        if isinstance(function, Opaque | Lost):
            self.dropped(statement)
        else:
            self.call_of(function, node)

    def dropped(self, statement: ast.stmt) -> None:
        self.note("dropped", statement, found=ast.unparse(statement).split("\n")[0])

    def refused(self, statement: ast.Raise) -> None:
        raise Refusal("found-raise", at=statement)

    def deleted(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if isinstance(target, ast.Name):
                self.scope.names.pop(target.id, None)

    def outer_names(self, statement: ast.Global | ast.Nonlocal) -> None:
        outer = self.root if isinstance(statement, ast.Global) else self.scope.outer
        for name in statement.names:
            self.scope.outside[name] = (outer and outer.find(name)) or self.root

    # Changes in place.
    def become(self, tensor: Tensor, made: Tensor, wanted: str, node: ast.AST) -> None:
        """A tensor is changed where it is: whoever holds it holds the new one."""
        if made.shape != tensor.shape:
            raise Refusal("found-in-place", at=node)
        self.changed(tensor, node)
        if made is tensor:
            return
        tensor.meta, tensor.expr, tensor.variable, tensor.fixed = made.meta, made.expr, None, made.fixed
        if isinstance(tensor, Leaf):
            tensor.is_settled = True
        self.renamed(tensor, wanted)

    def renamed(self, tensor: Tensor, wanted: str) -> None:
        tensor.variable = self.writer.free(wanted)
        expr = tensor.expr
        if self.cuts and tensor.meta.is_floating_point():
            expr = ast.Call(ast.Attribute(expr, "detach", ast.Load()), [], [])
        self.writer.write([tensor.variable], expr, self.place)
        tensor.expr = ast.Name(tensor.variable, ast.Load())

    def changed(self, tensor: Tensor, node: ast.AST) -> None:
        raise NotImplementedError

    def put(self, target: ast.Subscript, value: Any) -> None:
        """`x[i] = value`."""
        base = self.value(target.value)
        if isinstance(base, Lost | Opaque):
            return
        index = self.value(target.slice)
        if isinstance(base, Unknown):
            base = self.tensor_of(base)
        if isinstance(base, Instance) and (method := base.of.find("__setitem__")) is not None:
            self.called(Bound(method, base), [index, value], {}, target)
        elif isinstance(base, dict):
            key = self.key(index, target)
            if isinstance(value, Leaf) and not value.is_settled and value.owner is None:
                value.name = value.name or str(key)
            elif self.is_fresh(value):
                self.name_it(value, str(key))
            base[key] = value
            self.budget.parts(len(base), target)
        elif isinstance(base, list):
            if self.is_fresh(value):
                self.name_it(value, "part")
            try:
                base[bare(self.whole(index, target))] = value
            except (IndexError, TypeError, ValueError):
                raise Refusal("axis-missing", found=index, axes=len(base), at=target) from None
        elif isinstance(base, Tensor):
            self.put_cells(base, index, value, target)
        else:
            raise Refusal("subscript-kind", kind=kind_of(base), at=target)

    def put_cells(self, tensor: Tensor, index: Any, value: Any, target: ast.Subscript) -> None:
        raise NotImplementedError

    def set_fact(self, tensor: Tensor, name: str, value: Any) -> None:
        raise NotImplementedError


_READERS: dict[type[ast.stmt], str] = {
    ast.Assign: "assigned", ast.AnnAssign: "annotated", ast.AugAssign: "augmented", ast.If: "branch", ast.For: "loop",
    ast.While: "repeat", ast.Break: "leave", ast.Continue: "go_on", ast.Return: "give_back", ast.With: "within",
    ast.Try: "attempt", ast.Expr: "alone", ast.Assert: "dropped", ast.Pass: "nothing", ast.Raise: "refused",
    ast.Delete: "deleted", ast.Global: "outer_names", ast.Nonlocal: "outer_names", ast.FunctionDef: "defined",
    ast.AsyncFunctionDef: "defined", ast.ClassDef: "class_defined", ast.Import: "imported", ast.ImportFrom: "imported_from",
}  # fmt: skip


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "super"


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _is_of_gradients(statement: ast.Assign | ast.AugAssign) -> bool:
    """Whether a line only writes or reads gradients, as `p.grad = None` and `W.data -= lr * W.grad` do."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    writes = all(isinstance(one, ast.Attribute) and one.attr == "grad" for one in targets)
    reads = any(isinstance(one, ast.Attribute) and one.attr == "grad" for one in ast.walk(statement.value))
    return writes or (reads and isinstance(statement, ast.AugAssign))


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
