"""Definitions in code as found: functions, classes, dataclasses and imports become values; nothing of them is run."""

from __future__ import annotations

import ast
import re
from typing import Any

from backend.engine.language.errors import Refusal
from backend.lowering.attributes import Attributes
from backend.lowering.looked_through import QUIET_MODULES, look_through
from backend.lowering.values import Class, Function, Opaque, Path, Property, Scope, Static, Unknown

# What a decorator is called that changes nothing that a forward pass computes.
CUTTING = ("no_grad", "inference_mode")
MODULES = frozenset(
    {
        "torch", "math", "numpy", "einops", "functools", "collections", "itertools", "dataclasses", "typing", "copy",
        "operator", "random", "abc", "enum", "opt_einsum", "torch_scatter", "d2l", "__future__", "warnings", "types",
    }
)  # fmt: skip


# Decorators that leave what a function computes as it is.
DECORATORS = re.compile(
    r"^(static|class)method$|abstract|setter|overload|override|final|regist|docstring|typecheck|typed|beartype|script|compile|cache|wraps"
    r"|deprecat|experimental|autocast|custom_fwd|custom_bwd|export|unused|ignore|profile|dynamo|disable|expose|jit"
)


class Definitions(Attributes):
    """Carries out definitions."""

    def nothing(self, _: ast.stmt) -> None:
        """`pass`."""

    def defined(self, statement: ast.FunctionDef) -> None:
        """A function gets its name; a decorator that is known changes what it is."""
        made: Any = self.function(statement.name, statement.args, statement.body, statement)
        made.own = not self.calls or self.calls[-1].own
        for decorator in statement.decorator_list:
            made = self.decorated(made, decorator)
        self.scope.names[statement.name] = made

    def decorated(self, made: Any, decorator: ast.expr) -> Any:
        words = ast.unparse(decorator).split("(")[0].rpartition(".")[2]
        if not isinstance(made, Function):
            return made
        if words in ("property", "cached_property"):
            return Property(made)
        if words in ("staticmethod", "classmethod") and self.scope.of_class:
            return Static(made, of_class=words == "classmethod")
        if cuts_off(decorator):
            made.cuts = True
            self.note("no-grad", decorator)
        elif DECORATORS.search(words) is None and not self.is_elsewhere(decorator):
            raise Refusal("found-decorator", found=ast.unparse(decorator), at=decorator)
        elif words not in ("abstractmethod", "setter", "overload", "staticmethod", "classmethod"):
            for part in self.parts_of(decorator):
                look_through(self, part)
            self.note("decorator", decorator, found=f"@{ast.unparse(decorator)}")
        return made

    def uncut(self, function: Any) -> None:
        """Walk a function that is pasted for itself without its `@torch.no_grad()`: nothing would have a gradient."""
        if isinstance(function, Function) and function.cuts:
            function.cuts = False
            for decorator in getattr(function.node, "decorator_list", ()):
                if cuts_off(decorator):
                    self.notes.add("uncut", decorator, found=ast.unparse(decorator))

    def parts_of(self, decorator: ast.expr) -> list[ast.expr]:
        """What a decorator is made of, but for a plain name that nothing in the code gives a value."""
        if isinstance(decorator, ast.Call) and self.is_elsewhere(decorator.func):
            return [*decorator.args, *(one.value for one in decorator.keywords)]
        return [decorator]

    def is_elsewhere(self, decorator: ast.expr) -> bool:
        """Whether a decorator is a plain name that nothing in the code gives a value: such ones compile or register."""
        return isinstance(decorator, ast.Name) and isinstance(self.value(decorator), Unknown)

    def class_defined(self, statement: ast.ClassDef) -> None:
        bases = [self.base(one) for one in statement.bases]
        made = Class(statement.name, [one for one in bases if one is not None], {}, statement)
        outer, self.scope = self.scope, Scope(made.names, self.scope, of_class=True)
        try:
            self.block(statement.body)
        finally:
            self.scope = outer
        for value in made.names.values():
            function = value.function if isinstance(value, Static | Property) else value
            if isinstance(function, Function) and function.of is None:
                function.of = made
        is_data = any("dataclass" in ast.unparse(one) for one in statement.decorator_list)
        if is_data or any(isinstance(one, Path) and "NamedTuple" in one.name for one in made.bases):
            own = [
                one.target.id
                for one in statement.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            ]
            made.fields = [*(name for base in made.bases if isinstance(base, Class) for name in base.fields), *own]
        self.scope.names[statement.name] = made

    def base(self, node: ast.expr) -> Any:
        """What a class is made of; what isn't in the code is taken for a module of PyTorch."""
        if (
            isinstance(node, ast.Name)
            and self.scope.find(node.id) is None
            and node.id in ("object", "ABC", "Enum", "str", "dict", "list", "tuple")
        ):
            return Path(node.id)
        if (
            isinstance(node, ast.Name)
            and self.scope.find(node.id) is None
            and node.id in ("NamedTuple", "Protocol", "Generic", "TypedDict")
        ):
            return Path(node.id)
        value = self.value(node)
        if isinstance(value, Class):
            return value
        if isinstance(value, Path) and (value.name.endswith("Function") or not value.name.startswith("torch")):
            return value
        return self.library_class("Foreign" if isinstance(value, Opaque) else "Module")

    def library_class(self, name: str) -> Any:
        raise NotImplementedError

    # Imports.
    def imported(self, statement: ast.Import) -> None:
        self.note("import", statement)
        for one in statement.names:
            root = one.name.partition(".")[0]
            name = one.asname or root
            path = one.name if one.asname else root
            self.scope.names[name] = Path(path) if root in MODULES else Opaque(name, root in QUIET_MODULES)

    def imported_from(self, statement: ast.ImportFrom) -> None:
        self.note("import", statement)
        root = (statement.module or "").partition(".")[0]
        for one in statement.names:
            name = one.asname or one.name
            if root in MODULES and not statement.level:
                self.scope.names[name] = self.imported_name(f"{statement.module}.{one.name}")
            else:
                self.scope.names[name] = Opaque(name, root in QUIET_MODULES)

    def imported_name(self, path: str) -> Any:
        raise NotImplementedError


def cuts_off(decorator: ast.expr) -> bool:
    """Whether a decorator lets no gradient flow."""
    return ast.unparse(decorator).split("(")[0].rpartition(".")[2] in CUTTING
