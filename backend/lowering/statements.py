"""Statements of code as found: assignments, branches and loops that are decided by what is known, definitions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guard
from backend.engine.language.parse import MOST_FAULTS
from backend.engine.language.tree import names_in, nodes_in, stored_in
from backend.engine.language.values import Device
from backend.lowering.budget import Exhausted
from backend.lowering.calls import Returned
from backend.lowering.definitions import MODULES
from backend.lowering.doors import RUNS_TEXT
from backend.lowering.foresight import of_loop
from backend.lowering.looked_through import QUIET_MODULES, is_pure, look_through
from backend.lowering.raised import Raised
from backend.lowering.values import (
    LOST,
    Bound,
    Instance,
    Lost,
    Opaque,
    Unknown,
)

# What gradwalk doesn't have, and a line that only tells something may well use.
ASIDE = frozenset({"function-unlisted", "no-backward-rule", "found-foreign", "found-condition"})
# Python's own that only look.
PLAIN = frozenset(
    {"len", "range", "int", "float", "bool", "str", "abs", "min", "max", "sum", "round", "tuple", "list", "vars",
     "getattr"}
)  # fmt: skip
# What functions of elsewhere are called that only look at what they are given, or set what the table sets.
TELLS = re.compile(
    r"_*(plot|show|draw|print|log|check|cmp|compare|assert|ensure|validate|verify|display|visuali[sz]e|save|write"
    r"|report|record|add_to_record|warn|debug|summary|set_seed|seed|init|reset_param|weights_init|train$|eval$|zero_grad$)"
)


class Broken(BaseException):
    """A loop is left."""


class Continued(BaseException):
    """A loop goes on with its next turn."""


class Statements(Raised):
    """Carries out statements."""

    ends_in_definition = False  # whether the text ends in a function or class, which is what is walked

    def block(self, statements: list[ast.stmt]) -> None:
        """One statement after the other; of one that is refused the names are lost, and the rest is looked at."""
        for statement in statements:
            self.budget.step(statement)
            is_own = not self.calls or self.calls[-1].own
            if is_own:
                self.place = statement
                self.budget.lines.add(statement.lineno)
            try:
                self.foreseen(statement)
            except Exhausted:
                raise
            except Refusal as refusal:
                if not is_own:
                    raise
                self.fault(refusal, statement)
                if isinstance(statement, ast.Return):
                    raise Returned(LOST) from None
                self.is_fatal |= not self.is_aside(refusal, statement)
                self.lose(statement)

    def is_aside(self, refusal: Refusal, statement: ast.stmt) -> bool:
        """Whether a faulty line does no more than give names their values: what is made of them is lost, too.

        Above functions and classes any such line may be one that they have no use for.
        """
        return (_may_be_aside(refusal) or (self.ends_in_definition and not self.calls)) and _only_names(statement)

    def foreseen(self, statement: ast.stmt) -> None:
        """One statement; what nobody foresaw in it is refused in its place."""
        try:
            self.statement(statement)
        except (Refusal, RecursionError):
            raise
        except Exception as error:
            with guard(statement, self.notes.text):
                raise error

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

    # What is decided.
    def branch(self, statement: ast.If) -> None:
        if _is_main(statement.test):
            return self.block(statement.body)
        before = self.undecided
        test = self.tested(statement.test)
        if isinstance(test, Lost):
            self.is_fatal = True
            return self.lose(statement)
        taken = self.truth(test, statement.test)
        if self.undecided > before and all(isinstance(one, ast.Raise) for one in statement.body):
            taken = False  # what nothing decides is as the code wants it
        self.note("branch" if taken else "branch-not", statement.test, found=statement.test)
        if taken and isinstance(statement.body[0], ast.Raise):
            found, numbers = ast.unparse(statement.test), self.measures(statement.test)
            raise Refusal("found-raise/if", found=found, at=statement.body[0], **numbers)
        return self.block(statement.body if taken else statement.orelse)

    def asserted(self, statement: ast.Assert) -> None:
        self.dropped(statement)

    def loop(self, statement: ast.For) -> None:
        values = self.each(self.value(statement.iter), statement.iter)
        self.loops += 1
        try:
            foreseen = of_loop(statement)
            first = int(foreseen.may_end_all)
            for turn, value in enumerate(self.turns_of(statement, values)):
                if turn == first:
                    self.budget.ahead(len(values) * foreseen.least, statement)
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

    def turns_of(self, statement: ast.For, values: Sequence[Any]) -> Iterator[Any]:
        if not of_loop(statement).may_end:
            yield from self.budget.evenly(values, statement)
            return
        for value in values:
            self.budget.step(statement)
            yield value

    def repeat(self, statement: ast.While) -> None:
        self.loops += 1
        turn = 0
        try:
            while self.truth(self.tested(statement.test), statement.test):
                turn += 1
                self.budget.turn(turn, statement)
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
        value = None if statement.value is None else self.value(statement.value)
        if self.cuts:
            for part in value if isinstance(value, tuple | list) else [value]:
                if self.is_fresh(part):
                    self.name_it(part, "out")
        raise Returned(value)

    def within(self, statement: ast.With) -> None:
        """A block behind `with`: under `no_grad` no gradient flows, and nothing else changes."""
        cuts, entered = 0, list[Bound]()
        for one in statement.items:
            text = ast.unparse(one.context_expr)
            context = self.value(one.context_expr)
            if isinstance(context, Instance):
                entered.append(self.entered_context(context, one))
                continue
            known = context.is_quiet if isinstance(context, Opaque) else isinstance(context, Lost | Device)
            if not known:
                raise Refusal("found-with", found=text, at=one.context_expr)
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
            for leave in reversed(entered):
                self.called(leave, [None, None, None], {}, statement.items[0].context_expr)

    def entered_context(self, context: Instance, item: ast.withitem) -> Bound:
        """An object of the code's own is told that its block begins; what it is to be told at the end."""
        enter, leave = (context.of.find(name) for name in ("__enter__", "__exit__"))
        if enter is None or leave is None:
            raise Refusal("found-with", found=ast.unparse(item.context_expr), at=item.context_expr)
        made = self.called(Bound(enter, context), [], {}, item.context_expr)
        if item.optional_vars is not None:
            self.store(item.optional_vars, made)
        return Bound(leave, context)

    def attempt(self, statement: ast.Try) -> None:
        self.note("try", statement)
        body = [*statement.body, *statement.orelse]
        if statement.handlers and (any(map(_is_elsewhere, statement.body)) or self.lacks_attribute(statement)):
            body = statement.handlers[-1].body
        self.block([*body, *statement.finalbody])

    def lacks_attribute(self, statement: ast.Try) -> bool:
        """Whether a layer of PyTorch is asked for what it hasn't: `getattr(self.module, name + "_u")`, tried first."""
        caught = [name for one in statement.handlers if one.type for name in names_in(one.type)]
        calls = [node for one in statement.body for node in nodes_in(one) if isinstance(node, ast.Call)]
        asked = [one.args for one in calls if isinstance(one.func, ast.Name) and one.func.id == "getattr"]
        if "AttributeError" not in caught:
            return False
        pairs = [(self.value(args[0]), self.value(args[1])) for args in asked if len(args) == 2]
        return any(
            isinstance(one, Instance) and not one.of.own and name not in one.attributes and one.of.find(name) is None
            for one, name in pairs
        )

    # What has no effect.
    def alone(self, statement: ast.Expr) -> None:
        node = statement.value
        if isinstance(node, ast.Tuple) and all(isinstance(one, ast.Call) for one in node.elts):
            for one in node.elts:  # `row.append(i), col.append(j)`
                self.alone(ast.copy_location(ast.Expr(one), one))
            return
        if not isinstance(node, ast.Call | ast.Await | ast.Yield | ast.NamedExpr):
            if not isinstance(node, ast.Constant):
                self.dropped(statement)
            return
        if not isinstance(node, ast.Call) or _is_super(node.func):
            self.value(node)
            return
        function = self.function_of(node.func)
        if isinstance(function, Opaque | Lost):
            self.passed_over(function, node)
            self.dropped(statement)
        elif isinstance(function, Unknown) and _only_tells(function.path):
            self.passed_over(Opaque(function.path), node)
            self.note("dropped", statement, found=statement)
        else:
            self.call_of(function, node)

    def dropped(self, statement: ast.stmt) -> None:
        look_through(self, statement)
        self.note("dropped", statement, found=statement)

    def refused(self, statement: ast.Raise) -> None:
        raise Refusal("found-raise", at=statement)

    def deleted(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if isinstance(target, ast.Name):
                self.scope.names.pop(target.id, None)

    def outer_names(self, statement: ast.Global | ast.Nonlocal) -> None:
        outer = self.root if isinstance(statement, ast.Global) else self.scope.outer
        if not self.calls:
            raise Refusal("not-in-language", at=statement)
        for name in statement.names:
            self.scope.outside[name] = (outer and outer.find(name)) or self.root


_READERS: dict[type[ast.stmt], str] = {
    ast.Assign: "assigned", ast.AnnAssign: "annotated", ast.AugAssign: "augmented", ast.If: "branch", ast.For: "loop",
    ast.While: "repeat", ast.Break: "leave", ast.Continue: "go_on", ast.Return: "give_back", ast.With: "within",
    ast.Try: "attempt", ast.Expr: "alone", ast.Assert: "asserted", ast.Pass: "nothing", ast.Raise: "refused",
    ast.Delete: "deleted", ast.Global: "outer_names", ast.Nonlocal: "outer_names", ast.FunctionDef: "defined",
    ast.AsyncFunctionDef: "defined", ast.ClassDef: "class_defined", ast.Import: "imported",
    ast.ImportFrom: "imported_from",
}  # fmt: skip


def _may_be_aside(refusal: Refusal) -> bool:
    """Whether a line with this fault makes at most tensors: of a function that PyTorch hasn't nobody knows more."""
    if refusal.code == "function-unlisted":
        return is_pure(str(refusal.facts.get("found", "")).rpartition(".")[2])
    return refusal.entry in ASIDE


def _only_names(statement: ast.stmt) -> bool:
    """Whether names get their values, and what is called changes nothing: functions of modules, methods of tensors."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    parts = [part for one in targets for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
    calls = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
    changes = any(isinstance(node, ast.NamedExpr) for node in ast.walk(statement))
    return all(isinstance(one, ast.Name) for one in parts) and all(map(_changes_nothing, calls)) and not changes


def _changes_nothing(called: ast.expr) -> bool:
    """Whether a call changes nothing that there was before, by what is called: no function of the code's own."""
    if isinstance(called, ast.Name):
        return called.id in PLAIN
    root = called
    while isinstance(root, ast.Attribute):
        root = root.value
    is_own = isinstance(root, ast.Name) and root.id in ("self", "cls")
    return isinstance(called, ast.Attribute) and not is_own and not called.attr.endswith("_") and is_pure(called.attr)


def _only_tells(path: str) -> bool:
    """Whether what isn't in the code and is called by this name gives nothing to a forward pass."""
    return path not in RUNS_TEXT and TELLS.match(path.rpartition(".")[2]) is not None


def _is_elsewhere(statement: ast.stmt) -> bool:
    """Whether a line imports a package that isn't here."""
    names = [one.name for one in statement.names] if isinstance(statement, ast.Import) else []
    names += [statement.module or ""] if isinstance(statement, ast.ImportFrom) else []
    roots = [name.partition(".")[0] for name in names]
    return any(root not in MODULES and root not in QUIET_MODULES for root in roots)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "super"


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"
