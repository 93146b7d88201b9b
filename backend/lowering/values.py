"""What code as found computes with: tensors as they are written, numbers with their text, functions and objects."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from backend.engine.language.values import Parameters

Spec = Parameters  # a row of the table of tensors


class Tensor:
    """A tensor: the expression that is written for it, and its outline on the meta device.

    `variable` is its name in the program that is written, if it has one yet; `fixed` tells that no input is in it.
    """

    def __init__(self, expr: ast.expr, meta: torch.Tensor, variable: str | None = None, fixed: bool = False) -> None:
        self.expr, self.meta, self.variable, self.fixed = expr, meta, variable, fixed
        self.base: Tensor | None = None  # whose numbers it shares
        self.views: list[Tensor] = []  # by whom they are shared
        self.stale = False  # whether those were changed since
        self.view: View | None = None  # how it was taken of another tensor
        self.owed: Tensor | None = None  # the view that was written into, which this doesn't know of yet
        self.guessed = ""  # the layer that made it, where nothing but its name tells what it is
        self.is_cut = False  # whether it was made where no gradient flows
        self.layer = ""  # the name of the layer with weights that made it: its own once it is put into an expression

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.meta.shape)

    def laid_out(self, dtype: torch.dtype) -> torch.Tensor:
        """Its outline after a change where it is: it stays laid out as it was."""
        return torch.empty_strided(self.meta.shape, self.meta.stride(), dtype=dtype, device="meta")


@dataclass(frozen=True)
class View:
    """How a view was taken: of what, by which operation at which index, and `again` of any tensor of that shape."""

    source: Tensor
    key: str
    index: Any
    again: Callable[[Tensor], Any]
    is_cut: bool  # where nothing keeps a gradient


class Leaf(Tensor):
    """A tensor of the table: drawn or given by the code, or a weight. It gets its name when it is first used."""

    def __init__(self, spec: Spec, meta: torch.Tensor, name: str = "") -> None:
        super().__init__(ast.Constant(None), meta, fixed=True)
        self.spec, self.name = spec, name
        self.owner: Instance | None = None
        self.is_settled = False


class Parts(tuple[Any, ...]):
    """What an operation with several results returned; `expr` is how all of it is written."""

    expr: ast.expr
    meta: Any = None
    fields: tuple[str, ...] = ()


class Rest(dict[Any, Any]):
    """`**kwargs` of the outermost function: what the code asks of it is missing."""


class Shape(tuple[int, ...]):
    """The shape of a tensor that has a name; `expr` is how it is written."""

    expr: ast.expr


class Whole(int):
    """A whole number; `expr` is how it is written."""

    expr: ast.expr


class Decimal(float):
    """A decimal; `expr` is how it is written."""

    expr: ast.expr


class Lost:
    """What a faulty line would have made: whatever is made of it is lost as well, and tells no fault of its own."""


class Opaque:
    """Something that no tensor is made of: an optimiser, a logger, a package that draws pictures.

    What is called on one that is `is_quiet` only tells or trains; of any other nobody knows what it does.
    """

    def __init__(self, name: str, is_quiet: bool = True) -> None:
        self.name, self.is_quiet = name, is_quiet


LOST = Lost()
REQUIRED = Lost()  # instead of the default of a parameter that has none


@dataclass(frozen=True)
class Path:
    """A module or what belongs to one, such as `torch.nn.functional.relu`."""

    name: str


@dataclass(eq=False)
class Unknown:
    """A name that nothing gives a value, or what is asked of one: `params["W1"]`, `batch.x`; `of_self` is `self.fc`.

    `made_by` is the function that returned it, where the code doesn't have that function; `told` is what an annotation
    says of it.
    """

    path: str
    node: ast.AST
    of_self: bool = False
    made_by: str = ""
    told: str = ""


@dataclass(eq=False)
class Scope:
    """The names of one call, and where others are looked up; functions inside leave out one that is `of_class`."""

    names: Parameters
    outer: Scope | None = None
    of_class: bool = False
    function: Function | None = None
    outside: dict[str, Scope] = field(default_factory=dict)  # by `global` and `nonlocal`

    def find(self, name: str) -> Scope | None:
        """The scope that has a name."""
        scope: Scope | None = self.outside.get(name, self)
        while scope is not None and (name not in scope.names or (scope.of_class and scope is not self)):
            scope = scope.outer
        return scope


@dataclass(eq=False)
class Function:
    """A function of the code: its text, where it was defined, and its defaults."""

    name: str
    args: ast.arguments
    body: list[ast.stmt]
    scope: Scope
    defaults: list[Any]
    named_defaults: list[Any]
    node: ast.AST
    own: bool = True  # whether it is of the code that was pasted, and not of the library
    cuts: bool = False  # @torch.no_grad()
    of: Class | None = None
    loads: dict[str, int] | None = None  # how often each name is read in its text, once it was called

    def defaults_by_name(self) -> Parameters:
        """The defaults of parameters that are only given by name; one that must be given has none."""
        pairs = zip(self.args.kwonlyargs, self.named_defaults, strict=True)
        return {one.arg: value for one, value in pairs if value is not REQUIRED}


@dataclass(eq=False)
class Class:
    """A class of the code."""

    name: str
    bases: list[Any]
    names: Parameters
    node: ast.AST
    own: bool = True
    used: bool = False
    fields: list[str] = field(default_factory=list)  # of a dataclass

    def order(self) -> list[Class]:
        """Where an attribute is looked up, one after the other."""
        found = [self]
        for base in self.bases:
            found += [one for one in base.order() if one not in found] if isinstance(base, Class) else []
        return found

    def find(self, name: str) -> Any:
        """An attribute of the class or of those it is made of; None where there is none."""
        return next((one.names[name] for one in self.order() if name in one.names), None)


@dataclass(eq=False)
class Instance:
    """An object of a class of the code; `owner` is the object that has it as an attribute, `name` what it is called."""

    of: Class
    attributes: Parameters = field(default_factory=dict)
    owner: Instance | None = None
    name: str = ""

    def path(self) -> list[str]:
        """The names on the way to it from the outermost object."""
        names, one = list[str](), self
        while one.owner is not None and len(names) < 20:
            names.append(one.name)
            one = one.owner
        return names[::-1]


@dataclass(frozen=True)
class Bound:
    """A method with the object that it is called on."""

    function: Any
    receiver: Any


@dataclass(frozen=True)
class Super:
    """`super()`: the object, as the classes after this one see it."""

    receiver: Instance
    after: Class


@dataclass(frozen=True)
class Method:
    """A method of a tensor, list, dictionary or word that is about to be called."""

    receiver: Any
    name: str


@dataclass(frozen=True)
class Partial:
    """`partial(f, …)`."""

    function: Any
    args: tuple[Any, ...]
    kwargs: Parameters


@dataclass(frozen=True)
class Special:
    """A function of Python that is carried out here."""

    name: str
    call: Callable[..., Any]


@dataclass(frozen=True)
class Property:
    """A function that is read as an attribute."""

    function: Function


@dataclass(frozen=True)
class Static:
    """A function of a class that is not given the object; `of_class` is given the class."""

    function: Function
    of_class: bool = False


def written_as(value: int | float, expr: ast.expr) -> Any:
    """A number that goes by this text."""
    if isinstance(value, bool):
        return value
    made: Any = (Whole if isinstance(value, int) else Decimal)(value)
    made.expr = expr
    return made


def bare(value: Any) -> Any:
    """A value as the engine takes it: numbers without their text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Whole):
        return int(value)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, slice):
        return slice(bare(value.start), bare(value.stop), bare(value.step))
    if isinstance(value, Parts):
        return value
    if isinstance(value, tuple):
        return tuple(map(bare, value))
    return list(map(bare, value)) if isinstance(value, list) else value


def is_number(value: object) -> bool:
    """Whether a value is a plain number; truth values are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def either(left: Any, right: Any) -> tuple[Any, ...]:
    """What `isinstance` is asked for by `list | tuple`; nothing where it is no such question."""
    kinds = [one for side in (left, right) for one in (side if type(side) is tuple else (side,))]
    return tuple(kinds) if all(one is None or isinstance(one, Path | Special | Class) for one in kinds) else ()
