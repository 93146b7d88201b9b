"""Calls in code as found: its own functions, lambdas, classes and methods are gone into; `return` gives the result."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.tree import children, worked_out_once
from backend.engine.language.values import DType, Parameters
from backend.lowering.budget import MOST_DEPTH, Exhausted
from backend.lowering.containers import Containers
from backend.lowering.entry import picked
from backend.lowering.layer_inputs import input_of
from backend.lowering.looked_through import look_through
from backend.lowering.machine import kind_of
from backend.lowering.use import Use
from backend.lowering.values import (
    LOST,
    Bound,
    Class,
    Decimal,
    Function,
    Instance,
    Leaf,
    Lost,
    Method,
    Opaque,
    Partial,
    Path,
    Rest,
    Scope,
    Special,
    Static,
    Super,
    Tensor,
    Unknown,
    Whole,
    written_as,
)

# Methods that change what a weight begins with by other numbers; what fills it stands in its row of the table.
REWRITING = frozenset({"mul_", "div_", "add_", "sub_", "copy_", "clamp_", "renorm_", "pow_"})
MOST_CALLS = 20  # of one function inside itself: none is needed, but a class may call another's `forward`
# Layers that are made of layers: what is missing in them is none of their sizes.
HOLDERS = frozenset({"ModuleList", "Sequential", "ModuleDict"})
OF_TENSORS = frozenset({"Categorical", "Bernoulli"})  # distributions that are made of a tensor of scores or shares


class Returned(BaseException):
    """The value that a function returns."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class Calls(Containers):
    """Carries out calls."""

    cut: Mapping[int, int] = MappingProxyType({})  # widths of layers that are too large, and what stands for them
    outer: Function | None = None  # the function that is walked
    loops = 0  # how many are gone through, in the function that is called
    callee: ast.expr | None = None  # the name or attribute that was called last

    # What the other halves give.
    def block(self, statements: list[ast.stmt]) -> None:
        raise NotImplementedError

    def of_path(self, path: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        raise NotImplementedError

    def of_method(self, method: Method, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        raise NotImplementedError

    def member(self, path: str, name: str) -> Any:
        raise NotImplementedError

    def assumed(self, unknown: Unknown, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        raise NotImplementedError

    def is_beginning(self, value: Any) -> bool:
        raise NotImplementedError

    def fact(self, base: Tensor, name: str, node: ast.expr) -> Any:
        raise NotImplementedError

    def set_attribute(self, one: Instance, name: str, value: Any) -> None:
        raise NotImplementedError

    def call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not self.scope.find("super"):
            return self.above(node)
        return self.call_of(self.function_of(node.func), node)

    def function_of(self, node: ast.expr) -> Any:
        """What is called."""
        if isinstance(node, ast.Subscript):
            return self.one_called(node)
        self.callee = node
        value = self.beginning(node) or self.value(node)
        return self.named_alike(node) or value if isinstance(value, Tensor) else value

    def named_alike(self, node: ast.expr) -> Unknown | None:
        """What is called and isn't in the code, where a tensor goes by its name: `self.query(query)`."""
        match node:
            case ast.Name(id=name) if self.scope.find(name) is None:
                return Unknown(name, node)
            case ast.Attribute(value=ast.Name() as owner, attr=name):
                one = self.value(owner)
                if isinstance(one, Instance) and name not in one.attributes and one.of.find(name) is None:
                    return Unknown(".".join([*one.path(), name]), node, of_self=True)
        return None

    def beginning(self, node: ast.expr) -> Method | None:
        """`w.data.uniform_` of a weight that nothing has been made of yet: it sets what the weight begins with."""
        match node:
            case ast.Attribute(ast.Attribute(ast.Name() | ast.Attribute() as owner, "data"), name) if name[-1:] == "_":
                leaf = self.value(owner)
                return Method(leaf, name) if isinstance(leaf, Leaf) and not leaf.is_settled else None
        return None

    def call_of(self, function: Any, node: ast.Call) -> Any:
        """A call of a value: of what makes no tensor the arguments aren't looked at."""
        if isinstance(function, Opaque | Lost):
            return self.passed_over(function, node)
        if isinstance(function, Method) and function.name in REWRITING and self.is_beginning(function.receiver):
            self.note("begun", node, found=node)
            return function.receiver
        args = self.spread(node.args)
        kwargs: Parameters = {}
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg in kwargs:
                raise Refusal("keyword-twice", found=keyword.arg, at=keyword)
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
            elif isinstance(value, dict):
                self.budget.parts(4 * len(value), keyword)
                kwargs |= {str(name): one for name, one in value.items()}
            elif not isinstance(value, Opaque | Lost | Unknown):
                raise Refusal("found-value", found=kind_of(value), at=keyword.value)
        return self.called(function, args, kwargs, node)

    def passed_over(self, function: Opaque | Lost, node: ast.Call) -> Any:
        """A call of what makes no tensor: what is in its brackets is looked through."""
        if isinstance(function, Opaque) and not function.is_quiet:
            raise Refusal("found-foreign/call", found=ast.unparse(node.func), at=node)
        for one in [*node.args, *(keyword.value for keyword in node.keywords)]:
            look_through(self, one)
        return function

    def above(self, node: ast.Call) -> Super:
        """`super()`."""
        function = next((one for one in reversed(self.calls) if one.of is not None), None)
        scope: Scope | None = self.scope
        while scope is not None and scope.function is not function:
            scope = scope.outer
        receiver = next(iter(scope.names.values()), None) if scope is not None else None
        if function is None or function.of is None or not isinstance(receiver, Instance):
            raise Refusal("found-value", found="`super`", at=node)
        return Super(receiver, function.of)

    def called(self, function: Any, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A call of a value, with values."""
        self.budget.step(node)
        while isinstance(function, Bound | Partial | Static):
            if isinstance(function, Bound):
                args = [function.receiver, *args]
            elif isinstance(function, Partial):
                args, kwargs = [*function.args, *args], {**function.kwargs, **kwargs}
            function = function.function
        act = ACTS.get(type(function))
        if act is None:
            raise Refusal("found-call", found=kind_of(function), at=node)
        if not isinstance(function, Function):
            for value in [*args, *kwargs.values()]:
                self.budget.nested(value, node)
        return getattr(self, act)(function, args, kwargs, node)

    def unchanged(self, function: Any, _: Any, __: Any, node: ast.expr) -> Any:
        """A call of what makes no tensor."""
        if isinstance(function, Opaque) and not function.is_quiet:
            raise Refusal("found-foreign/call", found=function.name, at=node)
        return function

    def call_path(self, function: Path, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        return self.of_path(function.name, args, kwargs, node)

    def special(self, function: Special, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A function of Python; what it can't be given is refused in its place."""
        if any(isinstance(value, Lost) for value in args):
            return LOST
        try:
            return function.call(Use(self, None, args, kwargs, node))
        except (TypeError, ValueError, IndexError, KeyError, AttributeError, OverflowError):
            kinds = [kind_of(value) for value in args]
            raise Refusal("found-value", found=next(iter(kinds), "this"), at=node) from None

    def call_object(self, one: Instance, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        method = one.of.find("__call__")
        if method is None and one is self.outermost:  # `self(x)`, of a method without its class
            return self.assumed(Unknown("forward", node, of_self=True), args, kwargs, node)
        if method is None:
            raise Refusal("found-call", found=kind_of(one), at=node)
        if not one.of.own and args and isinstance(args[0], Unknown) and (row := input_of(one)) is not None:
            args = [self.tensor_of(args[0], row), *args[1:]]
        made = self.called(method, [one, *args], kwargs, node)
        if not one.of.own and self.is_fresh(made) and any(isinstance(part, Leaf) for part in one.attributes.values()):
            made.layer = self.called_after(one)
        return made

    def run(self, function: Function, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """Go through a function's lines; what it writes is a group by its name."""
        depth = self.budget.depth
        if depth >= MOST_DEPTH or self.calls.count(function) >= MOST_CALLS:
            raise Exhausted("found-recursion", limit=MOST_DEPTH, at=node)
        self.budget.again(self.calls.count(function) if function.own else 0, node)
        names = self.bound_to(function, args, kwargs, node)
        outer, place, loops = self.scope, self.place, self.loops
        is_from_own = not self.calls or self.calls[-1].own
        is_group = function.own and depth > 0 and not isinstance(function.node, ast.Lambda)
        self.scope = Scope({}, function.scope, function=function)
        self.budget.depth += 1
        self.calls.append(function)
        self.loops = 0
        if is_group:
            self.writer.begin(*self.spoken(function, args))
        self.cuts += function.cuts
        try:
            self.enter(function, names)
            self.block(function.body)
            result: Any = None
        except Returned as returned:
            result = returned.value
        except Refusal as refusal:
            if not function.own and is_from_own:
                refusal.moved_to(node)
            raise
        finally:
            self.scope, self.place, self.loops = outer, place, loops
            self.budget.depth = depth
            self.calls.pop()
            if is_group:
                self.writer.end()
            self.cuts -= function.cuts
        return self.result(result, function, args)

    def spoken(self, function: Function, args: list[Any]) -> tuple[str, str]:
        """What a call is called: of an object its path, and its class."""
        receiver = args[0] if args and isinstance(args[0], Instance) else None
        if receiver is None:
            return function.name, function.name
        name = ".".join(receiver.path()) or receiver.name or receiver.of.name
        title = receiver.of.name if function.name in ("forward", "__call__") else f"{receiver.of.name}.{function.name}"
        return name, title

    def result(self, value: Any, function: Function, args: list[Any]) -> Any:
        """What a call returns: a long expression gets a name before it is put into another one."""
        if self.is_fresh(value) and ((self.is_long(value) and self.budget.depth) or function.cuts):
            self.name_it(value, self.spoken(function, args)[0].replace(".", "_") if args else function.name)
        return value

    def enter(self, function: Function, names: Parameters) -> None:
        """Give a function's parameters their values; what is read more than once gets a name."""
        if function.loads is None:
            function.loads = _loads(function.node)
        for name, value in names.items():
            if self.is_fresh(value) and (function.loads[name] > 1 or (function.own and self.is_long(value))):
                self.name_it(value, name)
            elif function.own and isinstance(value, Whole | Decimal):
                value = self.named_number(name, value, function.node)
            self.scope.names[name] = value

    def named_number(self, name: str, value: Any, node: ast.AST) -> Any:
        raise NotImplementedError

    def bound_to(self, function: Function, args: list[Any], kwargs: Parameters, node: ast.expr) -> Parameters:
        """Arguments by the names of a function's parameters."""
        given, wanted = list(args), function.args
        names = [one.arg for one in [*wanted.posonlyargs, *wanted.args]]
        found: Parameters = dict(zip(names, given, strict=False))
        rest = given[len(names) :]
        if wanted.vararg is not None:
            name = wanted.vararg.arg
            lacking = range(picked(function, name)) if function is self.outer and not rest else ()
            found[name] = (*rest, *(Unknown(f"{name}.{place}", function.node) for place in lacking))
        elif rest:
            raise Refusal("found-arguments", name=function.name, found=len(given), wanted=len(names), at=node)
        only = [one.arg for one in wanted.kwonlyargs]
        more: Parameters = {}
        for name, value in kwargs.items():
            if name in found and name in names:
                raise Refusal("keyword-twice", found=name, at=node)
            if name in names or name in only:
                found[name] = value
            elif wanted.kwarg is not None:
                more[name] = value
            else:
                raise Refusal("keyword-unknown", found=name, name=function.name, at=node)
        if wanted.kwarg is not None:
            found[wanted.kwarg.arg] = Rest(more) if function is self.outer else more
        self.default(function, names, found, node)
        return found

    def default(self, function: Function, names: list[str], found: Parameters, node: ast.expr) -> None:
        wanted = function.args
        defaults = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True))
        defaults |= function.defaults_by_name()
        for name in [*names, *(one.arg for one in wanted.kwonlyargs)]:
            if name not in found:
                if name not in defaults and _is_starred(node):  # what the outermost `*args` holds is missing
                    found[name] = Unknown(name, node)
                    continue
                if name not in defaults:
                    raise Refusal("found-arguments/missing", name=function.name, found=name, at=node)
                found[name] = defaults[name]

    def new(self, of: Class, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """An object of a class: `__init__` is gone through."""
        of.used = True
        if not of.own and of.name in OF_TENSORS:
            args = [self.tensor_of(value) if isinstance(value, Unknown) else value for value in args]
        elif not of.own and of.name not in HOLDERS:
            args = [self.setting(value) for value in args]
            kwargs = {name: self.setting(value) for name, value in kwargs.items()}
        one = Instance(of)
        start = of.find("__init__")
        if start is not None:
            self.called(start, [one, *args], kwargs, node)
        elif of.fields:
            self.of_fields(one, args, kwargs, node)
        elif args or kwargs:
            one.attributes |= kwargs
        return one

    def setting(self, value: Any) -> Any:
        """What a layer of the library is made with: a missing one is a number."""
        if isinstance(value, tuple | list):
            return type(value)(self.setting(one) for one in value) if type(value) in (tuple, list) else value
        if not isinstance(value, Unknown):
            return self.narrowed(value)
        given = self.table.given(value.path.split("."))
        if given is None and value.path in self.lists:
            return tuple(self.setting(one) for one in self.missing_parts(value, ast.Name(value.path)))
        return self.table.number(value, is_size=True) if given is None else given

    def narrowed(self, value: Any) -> Any:
        """A width that stands in the code as a numeral and makes a tensor too large: small, wherever it stands."""
        is_numeral = isinstance(value, Whole) and isinstance(value.expr, ast.Constant)
        if not is_numeral or value not in self.cut:
            return value
        self.note("narrowed", value.expr, found=int(value), small=self.cut[value])
        return written_as(self.cut[value], ast.Constant(self.cut[value]))

    def of_fields(self, one: Instance, args: list[Any], kwargs: Parameters, node: ast.expr) -> None:
        """An object of a dataclass or of a named tuple."""
        if len(args) > len(one.of.fields):
            raise Refusal("found-arguments", name=one.of.name, found=len(args), wanted=len(one.of.fields), at=node)
        for name, value in {**dict(zip(one.of.fields, args, strict=False)), **kwargs}.items():
            self.set_attribute(one, name, value)
        if (after := one.of.find("__post_init__")) is not None:
            self.called(after, [one], {}, node)


@worked_out_once
def _loads(function: ast.AST) -> Counter[str]:
    """How often each name is read in a function's body; inside a loop, a lambda or a comprehension as if twice."""
    body = getattr(function, "body", [])
    found: Counter[str] = Counter()
    pending: list[tuple[ast.AST, int]] = [(one, 1) for one in (body if isinstance(body, list) else [body])]
    while pending:
        node, times = pending.pop()
        if isinstance(node, ast.Name):
            found[node.id] += times
        again = 2 if isinstance(node, _REPEATED) else times
        pending += [(child, again) for child in children(node)]
    return found


_REPEATED = (
    ast.For, ast.While, ast.Lambda, ast.FunctionDef, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp,
)  # fmt: skip
ACTS: dict[type, str] = {
    Function: "run", Class: "new", Path: "call_path", Method: "of_method", Special: "special", Unknown: "assumed",
    Instance: "call_object", Opaque: "unchanged", Lost: "unchanged",
    DType: "to_kind",
}  # fmt: skip


def _is_starred(node: ast.expr) -> bool:
    """Whether a call hands on what it was given, as `f(*args, **kwargs)` does."""
    starred = [isinstance(one, ast.Starred) for one in node.args] if isinstance(node, ast.Call) else []
    return any(starred) or (isinstance(node, ast.Call) and any(one.arg is None for one in node.keywords))
