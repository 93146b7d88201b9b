"""Single assignment: gives every value that a program names a variable of its own, `h` and then `h_2`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection
from keyword import iskeyword
from typing import Any

from backend.engine.language.grammar import UNWANTED
from backend.engine.language.parse import Program
from backend.engine.language.tree import attribute, is_literal, item, nodes_in, stored_in
from backend.engine.language.unused import numbered
from backend.engine.language.values import Pair, Scope, Values
from backend.engine.trace.graph import Node
from backend.engine.trace.rename import Renamer, holds_tensors


class Names:
    """The current value of each name, and the variables (`h`, `h_2`) of the forward source."""

    def __init__(self, program: Program, inputs: Collection[str], constants: Scope) -> None:
        nodes = [node for statement in program.statements for node in nodes_in(statement)]
        self.scope = dict(constants)
        self.given = {*inputs, *constants}
        self.taken = {*inputs, *(node.id for node in nodes if isinstance(node, ast.Name))}
        self.made: set[str] = set()
        self.replaced = _many_valued(nodes, self.given)
        # A constant given keeps its name for good where another value gets it later: that one has a number.
        self.constants = dict(constants)
        self.lasting = {name for name in constants if name in self.replaced and name not in _loop_names(nodes)}
        self.versions = dict.fromkeys(inputs, 1)
        self.aliases: dict[str, tuple[str, Node]] = {}
        self.held: Values = {}
        self.variables: dict[str, str] = {}
        self.bound = Counter[str]()

    def renamer(self) -> Renamer:
        """A copier of one statement's expressions, with every name as the forward source has it now."""
        lasting = {name for name in self.lasting if self.bound[name] == 0 and name not in self.versions}
        return Renamer(self.scope, self.variables, self.replaced - lasting)

    def bind(self, name: str, value: Any) -> str:
        """Bind a name to a value; returns the value's variable in the forward source."""
        if name == UNWANTED:
            return name
        self.scope[name] = value
        if not isinstance(value, Node):
            return self.bind_other(name, value)
        version = self.versions[name] = self.versions.get(name, 0) + 1
        full = name if version == 1 else f"{name}@{version}"
        variable = self.variable(name, max(version, 2) if name in self.held or name in self.lasting else version)
        if value.name is not None:
            self.aliases[full] = variable, value
            return variable
        value.name, value.variable = full, variable
        value.expr = ast.Name(variable, ast.Load())
        return variable

    def bind_other(self, name: str, value: Any) -> str:
        """Give a number, or what holds tensors, a variable that no tensor has: backward lines may still read that."""
        self.bound[name] += 1
        version = self.versions.get(name, 0) + self.bound[name]
        known = name in self.versions or name in self.held or name in self.lasting
        variable = self.variables[name] = self.variable(name, max(version, 2)) if known else name
        self.hold(variable, value)
        return variable

    def hold(self, variable: str, value: Any) -> None:
        if not is_literal(value):
            self.held[variable] = value
            _go_by(variable, value)

    def free(self, wanted: str) -> str:
        """An unused name, as close to the wanted one as possible."""
        return numbered(wanted, lambda name: self.is_taken(name) or self.is_gradients(name), "_")

    def bind_longer(self, name: str, value: list[Any]) -> str:
        """Give a list that grew a variable that says up to which part it goes: `h_to_3` ends with `h_3`."""
        self.scope[name] = value
        variable = self.variables[name] = self.free(f"{name}_to_{len(value) - 1}")
        self.taken.add(variable)
        self.hold(variable, value)
        return variable

    def variable(self, name: str, version: int) -> str:
        """A Python name that neither another variable nor another's gradient has."""
        wanted = name if version == 1 else f"{name}_{version}"
        while (version > 1 and self.is_taken(wanted)) or self.is_gradients(wanted):
            version += 1
            wanted = f"{name}_{version}"
        self.taken.add(wanted)
        self.made.add(wanted)
        return wanted

    def is_taken(self, name: str) -> bool:
        return name in self.taken or name in self.given

    def is_gradients(self, name: str) -> bool:
        """Whether a name, or that of its gradient, would mean two things in the backward pass, or nothing in Python."""
        gradient = "d" + name
        known = gradient in self.given or gradient in self.made or iskeyword(gradient)
        return known or (name.startswith("d") and name[1:] in self.taken)

    def numbers(self) -> Values:
        """Constants given and computed, without numbers whose name meant another one before."""
        given = {name: value for name, value in self.constants.items() if name in self.lasting}
        settled = ((name, value) for name, value in self.scope.items() if name not in self.replaced)
        others = {variable: value for variable, value in self.held.items() if not holds_tensors(value)}
        return {name: value for name, value in settled if is_literal(value)} | others | given

    def holders(self) -> Values:
        """Pairs and tuples of tensors, by their variables."""
        return {variable: value for variable, value in self.held.items() if holds_tensors(value)}


def _go_by(variable: str, value: Any) -> None:
    """Unnamed tensors in a named pair or list go by their place in it: what computed them may be long."""
    held, places = ast.Name(variable, ast.Load()), []
    if isinstance(value, Pair):
        places = [(getattr(value, name), attribute(held, name)) for name in value.fields]
    elif isinstance(value, tuple | list):
        places = [(part, item(held, number)) for number, part in enumerate(value) if _is_nameless(part)]
    for part, place in places:
        if _is_nameless(part):
            part.expr = place


def _is_nameless(part: Any) -> bool:
    """Whether a part of a pair or list is a tensor that goes by nothing shorter than what computed it."""
    return isinstance(part, Node) and part.name is None and part.expr is part.written


def _loop_names(nodes: list[ast.AST]) -> set[str]:
    return {n.target.id for n in nodes if isinstance(n, ast.For) and isinstance(n.target, ast.Name)}


def _many_valued(nodes: list[ast.AST], given: Collection[str]) -> set[str]:
    """Names that hold more than one value in the course of a run: lines that outlive it must say the number."""
    loops = _loop_names(nodes)
    stored = Counter(given)
    stored.update(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    inside = stored_in(*(node for node in nodes if isinstance(node, ast.For)))
    return loops | set(inside) | {name for name, times in stored.items() if times > 1}
