"""What the answers are made of: their types by name, and each as JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from backend.course import page_types
from backend.inspect import answer_types as inspect_types
from backend.inspect import axis_choices, comparison_types
from backend.inspect.closed_forms import derivation_types
from backend.inspect.pieces import piece_types
from backend.lines.index_notation import cells
from backend.practice import reply
from backend.present import found_types, only, picture_types, question_types, schema
from backend.services import answer_types as service_types
from backend.services import bug_types, drill_types, lab_types
from backend.training import event_types

# A module comes after those it takes types from.
MODULES: tuple[ModuleType, ...] = (
    cells, picture_types, question_types, found_types, schema, only, derivation_types, piece_types, reply, drill_types,
    axis_choices, page_types, event_types, inspect_types, comparison_types, service_types, lab_types,
    bug_types,
)  # fmt: skip
Schema = dict[str, object]
UNIONS = (Union, UnionType)
JSON_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


class Types:
    """The classes and aliases of some modules by name; what a module only takes from another is that one's."""

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        defined = list(_defined(modules))
        self.module_of = {name: module for name, _, module in defined}
        self.names = {name: value for name, value, _ in defined}
        self.aliases = {name: value for name, value in self.names.items() if not is_typeddict(value)}
        self.classes = {name: value for name, value in self.names.items() if is_typeddict(value)}

    def schemas(self, names: Iterable[str]) -> dict[str, Schema]:
        """These types, and those that they are made of, as JSON Schema; a name that is no type's is left out."""
        return {name: self.json_schema(kind, named_here=False) for name, kind in self.made_of(names).items()}

    def made_of(self, names: Iterable[str]) -> dict[str, object]:
        """These types and those that they are made of, in the order of the modules."""
        found: set[str] = set()
        pending: list[Any] = [self.names[name] for name in names if name in self.names]
        while pending:
            kind = pending.pop()
            name = self.named(kind)
            if name is None:
                pending += get_args(kind)
            elif name not in found:
                found.add(name)
                pending += get_args(kind) if name in self.aliases else [part for _, part, _ in fields(kind)]
        return {name: value for name, value in self.names.items() if name in found}

    def named(self, kind: Any) -> str | None:
        """A type's own name, if it has one."""
        if is_typeddict(kind):
            return str(kind.__name__)
        return next((name for name, value in self.aliases.items() if value == kind), None)

    def options(self, kind: Any) -> list[Any]:
        """The members of a union, those that form an alias put together again."""
        parts = list(get_args(kind))
        for value in self.aliases.values():
            inside = get_args(value) if get_origin(value) in UNIONS else ()
            if inside and all(part in parts for part in inside):
                parts = [value, *(part for part in parts if part not in inside)]
        return parts

    def json_schema(self, kind: Any, named_here: bool = True) -> Schema:
        """A type as JSON Schema."""
        if named_here and (name := self.named(kind)):
            return {"$ref": f"#/components/schemas/{name}"}
        if is_typeddict(kind):
            return self._object_schema(kind)
        if get_origin(kind) is Literal:
            return {"enum": list(get_args(kind))}
        if get_origin(kind) in UNIONS:
            parts = self.options(kind) if named_here else get_args(kind)
            return {"anyOf": [self.json_schema(part) for part in parts]}
        if get_origin(kind) in (tuple, list, dict):
            return _of_parts(get_origin(kind), [self.json_schema(part) for part in get_args(kind)])
        return {} if kind is object else {"type": JSON_TYPES[kind]}

    def _object_schema(self, kind: Any) -> Schema:
        """A class as JSON Schema: every field required unless it may be missing, no other allowed."""
        properties = {name: self.json_schema(part) | _said(words) for name, part, words in fields(kind)}
        needed = [name for name in properties if name not in optional(kind)]
        shape = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
        return shape | _said(str(kind.__doc__))


def answer_schemas(names: Iterable[str], beside: Iterable[ModuleType] = ()) -> dict[str, Schema]:
    """Types of answers as JSON Schema, by name: the engine's, and those of modules beside it."""
    return Types((*MODULES, *beside)).schemas(names)


def _defined(modules: Iterable[ModuleType]) -> Iterator[tuple[str, Any, ModuleType]]:
    """Every class and alias with its name and module."""
    known: set[str] = set()
    for module in modules:
        for name, value in vars(module).items():
            own = getattr(value, "__module__", "") == module.__name__
            alias = get_origin(value) in (Literal, *UNIONS)
            if name not in known and (alias or (is_typeddict(value) and own)):
                known.add(name)
                yield name, value, module


def fields(kind: Any) -> Iterator[tuple[str, Any, str]]:
    """Name, type and explanation of each field."""
    for name, hint in get_type_hints(kind, include_extras=True).items():
        inner = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
        yield name, *((get_args(inner)[0], get_args(inner)[1]) if get_origin(inner) is Annotated else (inner, ""))


def optional(kind: Any) -> set[str]:
    """The fields that may be missing."""
    hints = get_type_hints(kind, include_extras=True)
    return {name for name, hint in hints.items() if get_origin(hint) is NotRequired}


def _of_parts(origin: Any, parts: list[Schema]) -> Schema:
    """A tuple (a list of so many entries, of a type each), a list or a dictionary as JSON Schema."""
    if origin is tuple:
        return {"type": "array", "prefixItems": parts, "items": False, "minItems": len(parts)}
    if origin is list:
        return {"type": "array", "items": parts[0]}
    return {"type": "object", "additionalProperties": parts[1]}


def _said(words: str) -> dict[str, str]:
    """A description, where there is one."""
    return {"description": words} if words else {}
