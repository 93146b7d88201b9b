"""What code as found calls of PyTorch, NumPy and Python's modules: operations, layers, draws, and plain numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

from backend.engine.interpret.evaluate import unknown_operation
from backend.engine.language import grammar
from backend.engine.language.errors import Refusal
from backend.engine.language.scalars import of_math
from backend.engine.language.tree import attribute
from backend.engine.language.values import Device, DType, Parameters
from backend.engine.ops import REGISTRY
from backend.lowering import einops, library_text
from backend.lowering.builtins import ACTS, KINDS, OWN, QUIET, REACHING
from backend.lowering.copies import Copies
from backend.lowering.draws import CREATED, DRAWN
from backend.lowering.keywords import without_defaults, without_devices
from backend.lowering.looked_through import is_listed
from backend.lowering.module_acts import MADE, OTHERS
from backend.lowering.module_names import D2L, DTYPES, KNOWN, MODULES, OF_MATH, OF_PROCESSES, SILENT, TELLS
from backend.lowering.values import (
    LOST,
    Decimal,
    Function,
    Instance,
    Opaque,
    Partial,
    Parts,
    Path,
    Scope,
    Special,
    Tensor,
    Unknown,
    Whole,
    bare,
    is_number,
    written_as,
)

TORCH = "2.4.0"  # the version that code is told which asks for it, as new as what it asks for
NUMBERS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "tau": math.tau, "newaxis": None}
OF_LISTS = frozenset({"torch.cat", "torch.concat", "torch.stack", "torch.hstack", "torch.vstack", "torch.dstack"})
REDUCING = frozenset({"mean", "std", "var", "median", "argmax", "argmin", "argsort", "sort", "cumsum", "cumprod"})

_OF_NUMBERS: dict[str, Callable[..., Any]] = {"abs": abs, "maximum": max, "minimum": min, "round": round}
_OF_LISTS: dict[str, Callable[[list[Any]], Any]] = {
    "prod": math.prod, "sum": sum, "max": max, "min": min, "mean": lambda numbers: sum(numbers) / len(numbers),
    "unique": lambda numbers: sorted({*numbers}), "sort": sorted,
}  # fmt: skip


class Paths(Copies):
    """Carries out what belongs to modules."""

    def member(self, path: str, name: str) -> Any:
        """`torch.pi`, `torch.float32`, `torch.nn.Linear`."""
        root, path = path.partition(".")[0], path.replace("numpy.linalg", "torch.linalg")
        if path in ("math", "numpy", "torch") and name in NUMBERS:
            value = NUMBERS[name]
            owner = "math" if root != "torch" or name == "nan" else "torch"
            return value if value is None else written_as(value, attribute(ast.Name(owner, ast.Load()), name))
        if path in ("torch", "numpy") and (name in grammar.DTYPES or name in DTYPES):
            return DType(DTYPES.get(name, name))
        if (path, name) == ("torch", "__version__"):
            return TORCH
        if path == D2L:
            return self.of_d2l(name)
        if path == "torch.nn" and name in library_text.index():
            return self.library_class(name)
        if path.startswith("torch.distributions") and name in library_text.index():
            return self.defined_in_library(name)
        return Path(f"{path}.{name}")

    def of_d2l(self, name: str) -> Any:
        """What d2l calls otherwise than PyTorch, what PyTorch calls the same, or what only shows something."""
        own = next((f"{of}_{name}" for of in ("d2l", "helper") if f"{of}_{name}" in library_text.index()), None)
        if own is not None:
            return self.defined_in_library(own)
        is_of_torch = self.is_known_path(f"torch.{name}") or name in grammar.DTYPES
        return self.member("torch", name) if is_of_torch else Opaque(name, TELLS.match(name) is not None)

    def of_module(self, base: Path, name: str, node: ast.expr) -> Any:
        """What a module has under a name; of what is in none of our lists nobody knows what it does."""
        if base.name == D2L:
            return self.member(D2L, name)
        if base.name == "torch.nn" and name[:1].islower() and is_listed(f"torch.nn.functional.{name}"):
            return self.member("torch.nn.functional", name)  # imported as `nn` elsewhere
        full = f"{base.name}.{name}".replace("numpy.linalg", "torch.linalg")
        if name[:1].islower() and full not in MODULES and not self.is_known_path(full) and name not in NUMBERS:
            raise unknown_operation(full.replace("torch.nn.functional.", "F."), node)
        return self.member(base.name, name)

    def imported_name(self, path: str) -> Any:
        owner, _, name = path.rpartition(".")
        return self.member(owner, name)

    def unknown_name(self, node: ast.Name) -> Any:
        """A name that the code gives no value."""
        given = self.table.given([node.id])
        if given is not None:
            return given
        name, in_library = node.id, bool(self.calls) and not self.calls[-1].own
        if name in ACTS and (in_library or name not in OWN):
            return Special(name, ACTS[name])
        if in_library and name in library_text.index():
            return self.defined_in_library(name)
        if name == "dist" and not OF_PROCESSES.isdisjoint(self.called_names):
            return self.member("torch", "distributed")
        if name in KNOWN:
            owner, _, last = KNOWN[name].rpartition(".")
            return self.member(owner, last) if owner else Path(last)
        if name in REACHING:
            raise Refusal("function-unlisted/python", found=name, at=node)
        if name == "pi" and name not in self.called_names:  # of `math`, and no policy
            return self.member("math", name)
        is_quiet = name in QUIET or name.endswith(("Error", "Exception", "Warning"))
        return Opaque(name) if is_quiet else self.elsewhere(name, node)

    def elsewhere(self, name: str, node: ast.Name) -> Any:
        """What was given its name outside of what was pasted: a device, a layer of PyTorch, the object."""
        if name == "device":
            return Device("cpu")
        if name[:1].isupper() and name in library_text.index():
            return self.library_class(name)
        return self.whole_object() if name == "self" else Unknown(name, node)

    def whole_object(self) -> Any:
        raise NotImplementedError

    # The library.
    def library_class(self, name: str) -> Any:
        return self.defined_in_library(name)

    def defined_in_library(self, name: str) -> Any:
        """A layer or function of the library; it is read once in a run."""
        if name not in self.library.names:
            statement = library_text.definition(name)
            calls, self.calls = self.calls, [LIBRARY]
            scope, self.scope = self.scope, self.library
            try:
                self.statement(statement)
            finally:
                self.calls, self.scope = calls, scope
            made = self.library.names[name]
            if hasattr(made, "own"):
                made.own = False
        return self.library.names[name]

    library: Scope

    # Calls.
    def of_path(self, path: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        if any(value is LOST for value in [*args, *kwargs.values()]):
            self.is_fatal |= path.endswith("_")
            return LOST
        owner, _, name = path.rpartition(".")
        if path.startswith("torch.nn.init."):
            return self.initialised(name, args, kwargs)
        if SILENT.match(path) and path not in MADE:
            return self.silent(path, name, args, node)
        if owner == "einops" or path.startswith("einops.layers"):
            return self.of_einops(name, args, kwargs, node)
        if owner in ("math", "numpy", "operator") or path in OTHERS:
            return self.of_python(owner, name, args, kwargs, node)
        if args and isinstance(args[0], Instance) and not args[0].of.own and args[0].of.name == "Complex":
            return self.of_complex(args[0], name, args[1:], kwargs, node)
        return self.of_torch(path, name, args, kwargs, node)

    def silent(self, path: str, name: str, args: list[Any], node: ast.expr) -> Any:
        """What makes no tensor: whether something is so, a model that is compiled, an optimiser, a context."""
        if path == "torch.compile":
            if not args or isinstance(args[0], Tensor | Unknown):
                raise Refusal("found-foreign/call", found=path, at=node)
            return args[0]
        return name == "is_grad_enabled" if name.startswith("is_") else Opaque(path)

    def is_known_path(self, path: str) -> bool:
        """Whether what a module has under this name is known, so that its effect is."""
        owner, _, name = path.rpartition(".")
        return (
            SILENT.match(path) is not None
            or (owner == D2L and not _is_foreign(self.of_d2l(name)))
            or path in MADE
            or path in OTHERS
            or path in KINDS
            or owner.startswith(("einops", "typing", "abc", "enum", "dataclasses", "types", "torch.nn.init"))
            or is_listed(path.removesuffix("_"))
            or (owner in ("math", "numpy") and (name in OF_MATH or name in _OF_NUMBERS or name in _OF_LISTS))
            or (owner == "numpy" and self.is_of_numpy(name))
            or (owner == "torch" and (name in DRAWN or name in CREATED or name in DTYPES))
        )

    def of_einops(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        if name in ("Rearrange", "Reduce"):
            return Partial(
                Path("einops.rearrange_back" if name == "Rearrange" else "einops.reduce_back"), tuple(args), kwargs
            )
        if name in ("pack", "unpack"):
            return self.called(self.defined_in_library(f"einops_{name}"), args, kwargs, node)
        if name in ("rearrange_back", "reduce_back"):
            args = [args[-1], *args[:-1]]
            name = name.removesuffix("_back")
        if name == "einsum" and args and isinstance(args[-1], str):
            args = [einops.equation(args[-1]), *args[:-1]]
            return self.of_torch("torch.einsum", "einsum", args, kwargs, node)
        return einops.rewritten(self, name, args, kwargs, node)

    def of_python(self, owner: str, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        if f"{owner}.{name}" in OTHERS:
            return self.special(Special(name, OTHERS[f"{owner}.{name}"]), args, kwargs, node)
        if owner == "numpy" and name in REDUCING and isinstance(next(iter(args), 0), Unknown):
            args[0] = self.tensor_of(args[0])
        args = [self.whole(value) if isinstance(value, Unknown) else value for value in args]
        if owner == "math" and kwargs:
            raise Refusal("keyword-unknown", found=next(iter(kwargs)), name=name, at=node)
        made = self.of_numpy(name, args, kwargs, node) if owner == "numpy" else None
        if made is not None:
            return made
        if any(isinstance(value, Tensor) for value in args):
            return self.of_torch(f"torch.{name}", name, args, kwargs, node)
        return self.of_numbers(name, args, node)

    def of_numpy(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """What NumPy has of its own; None for what PyTorch or `math` calls the same."""
        given = [one for value in args if not isinstance(value, Unknown) for one in _flat(value)]
        if self.is_of_numpy(name) and any(isinstance(one, Tensor | Unknown) for one in given):
            return self.called(self.defined_in_library(f"numpy_{name}"), args, kwargs, node)
        if name in ("array", "asarray"):
            made = self.of_tensors(args, node)
            return self.of_torch("torch.tensor", "tensor", args, kwargs, node) if made is None else made
        if name in ("zeros", "ones", "arange", "linspace", "eye", "full"):
            return self.of_torch(f"torch.{name}", name, args, kwargs, node)
        if name in _OF_LISTS and isinstance(args[0], tuple | list):
            numbers = [bare(one) for one in args[0]]
            if all(map(is_number, numbers)) and numbers:
                return _OF_LISTS[name](numbers)
        return None

    def is_of_numpy(self, name: str) -> bool:
        """Whether NumPy means by a name what PyTorch doesn't."""
        return f"numpy_{name}" in library_text.index()

    def of_numbers(self, name: str, args: list[Any], node: ast.expr) -> Any:
        """A function of `math`, of plain numbers: it stays as it is written."""
        made = self.of_math(name, [bare(value) for value in args], node)
        if name in grammar.MATH and len(args) == 1 and isinstance(args[0], Whole | Decimal):
            return written_as(made, ast.Call(attribute(ast.Name("math", ast.Load()), name), [args[0].expr], []))
        return made

    def of_math(self, name: str, args: list[Any], node: ast.expr) -> Any:
        at: Any = node if isinstance(node, ast.Call) else ast.copy_location(ast.Call(node, [], []), node)
        if name in ("abs", "maximum", "minimum", "round") and all(map(is_number, args)):
            return _OF_NUMBERS[name](*args)
        if name in ("isnan", "isinf", "gcd", "comb", "factorial", "trunc") and all(map(is_number, args)):
            if any(abs(one) > 60 for one in args if name in ("comb", "factorial")):
                raise Refusal("integer-too-large", limit="2**53", at=node)
            return getattr(math, name)(*args)
        if not all(map(is_number, args)) and name != "prod":
            raise Refusal("number-fails", found=name, at=node)
        if name == "prod" and is_number(args[0]):
            return args[0]
        if name == "prod" and isinstance(args[0], list | tuple) and len(args[0]) < 64:
            return of_math("prod", (tuple(map(bare, args[0])),), at)
        return of_math({"power": "pow", "arctan": "atan", "absolute": "fabs"}.get(name, name), tuple(args), at)

    def of_torch(self, path: str, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A function of PyTorch: one of the library's, a draw, or an operation of the engine."""
        key = path.replace("torch.nn.functional.", "F.").replace("torch.special.", "torch.")
        if key.startswith("torch.distributions.") and name in library_text.index():
            return self.called(self.defined_in_library(name), args, kwargs, node)
        if key == "torch.einsum" and args and isinstance(args[-1], str):
            return self.of_einops("einsum", args, kwargs, node)
        if key in MADE:
            return self.special(Special(name, MADE[key]), args, kwargs, node)
        if key.startswith("torch.") and (made := self.drawn(name, args, kwargs, node)) is not None:
            return made
        inplace = kwargs.pop("inplace", False)
        if inplace is True and args and isinstance(args[0], Unknown):
            args[0] = self.tensor_of(args[0])
        if (own := key.replace(".", "_")) in library_text.index():
            return self.called(self.defined_in_library(own), args, kwargs, node)
        if name.endswith("_") and args and isinstance(args[0], Tensor):
            return self.attribute_call(args[0], name, args[1:], kwargs, node)
        result = self.operation(key, args, kwargs, node)
        return self.changed_by(args[0], result, node) if inplace is True and args else result

    def of_complex(self, one: Instance, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """`torch.abs(z)` as `z.abs()`, and `torch.real(z)` as `z.real`; what has a text of its own by that."""
        if name in one.attributes:
            return one.attributes[name]
        own = f"torch_fft_{name}" if f"torch_fft_{name}" in library_text.index() else f"torch_{name}"
        if own in library_text.index():
            return self.called(self.defined_in_library(own), [one, *args], kwargs, node)
        return self.attribute_call(one, name, args, kwargs, node)

    def attribute_call(self, base: Any, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        return self.called(self.attribute_of(base, name, node), args, kwargs, node)

    def changed_by(self, tensor: Any, result: Tensor, node: ast.expr) -> Any:
        raise NotImplementedError

    def operation(self, key: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A function of the engine's, written as a call."""
        kwargs = without_devices(key, kwargs)
        if key in ("F.softmax", "F.log_softmax") and len(args) == 1 and kwargs.get("dim") is None:
            tensor = self.tensor_of(args[0]) if isinstance(args[0], Unknown) else args[0]
            kwargs["dim"] = 0 if isinstance(tensor, Tensor) and len(tensor.shape) in (0, 1, 3) else 1  # as PyTorch does
        if key == "F.pad" and len(args) > 1 and isinstance(args[1], Unknown):  # one number before, and one behind
            args[1] = tuple(self.known(one) for one in self.beside_list(args[1], node))
        if key == "F.scaled_dot_product_attention":
            kwargs.pop("dropout_p", None)
            args = args[:4]
        args = self.with_list(key, args, node)
        if key == "torch.tensor" and args and (made := self.copied(args, node)) is not None:
            return made
        if (
            key not in REGISTRY
            and f".{key.rpartition('.')[2]}" in REGISTRY
            and args
            and isinstance(args[0], Tensor | Unknown)
        ):
            return self.method_operation(args[0], key.rpartition(".")[2], args[1:], kwargs, node)
        owner, _, name = key.rpartition(".")
        func = attribute(ast.Name(owner, ast.Load()) if "." not in owner else _dotted(owner), name)

        def build(written: list[ast.expr], named: dict[str, ast.expr]) -> ast.expr:
            return ast.Call(func, written, [ast.keyword(one, value) for one, value in named.items()])

        if self.calls and not self.calls[-1].own:
            kwargs = {name: value for name, value in kwargs.items() if value is not None}
            args, kwargs = without_defaults(key, args, kwargs)
        return self.apply(key, [self.argument(one) for one in args], kwargs, build, node)

    def with_list(self, key: str, args: list[Any], node: ast.expr) -> list[Any]:
        """The arguments of what joins tensors: what is missing there is a list, never one tensor."""
        if key in OF_LISTS and args and isinstance(args[0], Unknown) and not args[0].made_by:
            return [self.missing_parts(args[0], node), *args[1:]]
        return args

    def method_operation(self, base: Any, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        raise NotImplementedError

    def argument(self, value: Any) -> Any:
        """A missing argument of an operation is a number where the table or its name says so."""
        if isinstance(value, Unknown):
            given = self.table.given(value.path.split("."))
            return value if given is None else given
        return value


def _is_foreign(value: Any) -> bool:
    return isinstance(value, Opaque) and not value.is_quiet


def _dotted(path: str) -> ast.expr:
    made: ast.expr = ast.Name(path.split(".")[0], ast.Load())
    for name in path.split(".")[1:]:
        made = attribute(made, name)
    return made


def _flat(value: Any) -> list[Any]:
    return (
        [one for part in value for one in _flat(part)]
        if isinstance(value, tuple | list) and not isinstance(value, Parts)
        else [value]
    )


LIBRARY = Function(
    "library", ast.arguments([], [], None, [], [], None, []), [], Scope({}), [], [], ast.Pass(), own=False
)
