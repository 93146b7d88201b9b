"""What code as found calls of PyTorch, NumPy and Python's modules: operations, layers, draws, and plain numbers."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

import torch

from backend.engine.language import grammar
from backend.engine.language.errors import Refusal
from backend.engine.language.scalars import of_math
from backend.engine.language.tree import attribute
from backend.engine.language.values import Device, DType, Parameters
from backend.engine.ops import REGISTRY
from backend.lowering import einops, library_text
from backend.lowering.builtins import ACTS, OWN, QUIET, copied_object
from backend.lowering.statements import Statements
from backend.lowering.table import outline
from backend.lowering.values import (
    LOST,
    Function,
    Leaf,
    Opaque,
    Partial,
    Parts,
    Path,
    Scope,
    Spec,
    Special,
    Tensor,
    Unknown,
    bare,
    is_number,
    written_as,
)

# Names that are there without an import, and modules by the short names that people give them.
KNOWN = {
    "torch": "torch", "th": "torch", "F": "torch.nn.functional", "nn": "torch.nn", "math": "math", "np": "numpy",
    "numpy": "numpy", "functional": "torch.nn.functional", "nnf": "torch.nn.functional", "optim": "torch.optim",
    "rearrange": "einops.rearrange", "repeat": "einops.repeat", "reduce": "einops.reduce", "einsum": "torch.einsum",
    "partial": "functools.partial", "OrderedDict": "collections.OrderedDict", "Tensor": "torch.Tensor",
    "Normal": "torch.distributions.Normal", "Categorical": "torch.distributions.Categorical",
    "Bernoulli": "torch.distributions.Bernoulli", "D": "torch.distributions", "dist": "torch.distributions",
    "distributions": "torch.distributions", "copy": "copy", "einops": "einops", "random": "random",
    "Parameter": "torch.nn.Parameter", "init": "torch.nn.init", "Rearrange": "einops.layers.torch.Rearrange",
    "itertools": "itertools", "functools": "functools", "collections": "collections", "deepcopy": "copy.deepcopy",
    "checkpoint": "torch.utils.checkpoint.checkpoint", "kl_divergence": "torch.distributions.kl_divergence",
    "pack": "einops.pack", "object": "object",
}  # fmt: skip
# Parts of PyTorch of which no tensor of a forward pass is made.
SILENT = re.compile(
    r"torch\.(optim|utils|cuda|backends|jit|save|load|manual_seed|set_|autograd\.set|random|profiler|amp|compile|"
    r"Generator|get_num|distributed|accelerator|mps|hub|onnx|no_grad|enable_grad|inference_mode|autocast|version|__version__)|"
    r"torch\.nn\.(init|utils)\.|numpy\.random\.seed|random\.seed|typing|warnings|abc|dataclasses|__future__|types"
)
DTYPES = {
    "float": "float32", "float16": "float32", "bfloat16": "float32", "half": "float32", "double": "float32",
    "float64": "float32", "long": "int64", "int": "int64", "int32": "int64", "int16": "int64", "int8": "int64",
    "uint8": "int64", "short": "int64",
}  # fmt: skip
RANDOM = {"randn": "randn", "rand": "rand", "normal": "randn", "empty": "randn"}
CREATED = frozenset(
    {"zeros", "ones", "tensor", "full", "arange", "linspace", "eye", "Tensor", "FloatTensor", "LongTensor", "as_tensor"}
)
NUMBERS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "tau": math.tau, "newaxis": None}
DROPPED = frozenset(
    {"device", "requires_grad", "generator", "pin_memory", "layout", "non_blocking", "memory_format", "out"}
)


class Paths(Statements):
    """Carries out what belongs to modules."""

    def member(self, path: str, name: str, node: ast.expr) -> Any:
        """`torch.pi`, `torch.float32`, `torch.nn.Linear`."""
        root = path.partition(".")[0]
        if path in ("math", "numpy", "torch") and name in NUMBERS:
            value = NUMBERS[name]
            owner = "math" if root != "torch" or name == "nan" else "torch"
            return value if value is None else written_as(value, attribute(ast.Name(owner, ast.Load()), name))
        if path in ("torch", "numpy") and (name in grammar.DTYPES or name in DTYPES):
            return DType(DTYPES.get(name, name))
        full = f"{path}.{name}"
        if path == "torch.nn" and name in library_text.index():
            return self.library_class(name)
        if path.startswith("torch.distributions") and name in library_text.index():
            return self.defined_in_library(name)
        return Path(full)

    def imported_name(self, path: str, node: ast.ImportFrom) -> Any:
        owner, _, name = path.rpartition(".")
        return self.member(owner, name, ast.copy_location(ast.Name(name, ast.Load()), node))

    def unknown_name(self, node: ast.Name) -> Any:
        """A name that the code gives no value."""
        given = self.table.given([node.id])
        if given is not None:
            return given
        in_library = bool(self.calls) and not self.calls[-1].own
        if node.id in ACTS and (in_library or node.id not in OWN):
            return Special(node.id, ACTS[node.id])
        if in_library and node.id in library_text.index():
            return self.defined_in_library(node.id)
        if node.id in QUIET:
            return Opaque(node.id)
        if node.id in ("str", "list", "dict", "object", "Exception"):
            return Path(node.id)
        if node.id in KNOWN:
            owner, _, name = KNOWN[node.id].rpartition(".")
            return self.member(owner, name, node) if owner else Path(name)
        if node.id in ("__name__", "__file__"):
            return node.id
        if node.id.endswith(("Error", "Exception", "Warning")):
            return Opaque(node.id)
        if node.id in ("device", "self_device"):
            return Device("cpu")
        if node.id == "self":
            return self.whole_object()
        return Unknown(node.id, node)

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
            return LOST
        owner, _, name = path.rpartition(".")
        if path.startswith("torch.nn.init."):
            return self.initialised(name, args, kwargs, node)
        if SILENT.match(path):
            return False if name in ("is_available", "is_grad_enabled") else Opaque(path)
        if owner == "einops" or path.startswith("einops.layers"):
            return self.of_einops(name, args, kwargs, node)
        if owner in ("math", "numpy", "operator") or path in OTHERS:
            return self.of_python(owner, name, args, kwargs, node)
        return self.of_torch(path, name, args, kwargs, node)

    def of_einops(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        if name in ("Rearrange", "Reduce"):
            return Partial(
                Path("einops.rearrange_back" if name == "Rearrange" else "einops.reduce_back"), tuple(args), kwargs
            )
        if name in ("rearrange_back", "reduce_back"):
            args = [args[-1], *args[:-1]]
            name = name.removesuffix("_back")
        if name == "einsum" and args and isinstance(args[-1], str):
            args = [einops.equation(args[-1]), *args[:-1]]
            return self.of_torch("torch.einsum", "einsum", args, kwargs, node)
        return einops.rewritten(self, name, args, kwargs, node)

    def of_python(self, owner: str, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        if f"{owner}.{name}" in OTHERS:
            return OTHERS[f"{owner}.{name}"](self, args, kwargs, node)
        args = [self.whole(value, node) if isinstance(value, Unknown) else value for value in args]
        if any(isinstance(value, Tensor) for value in args):
            return self.of_torch(f"torch.{name}", name, args, kwargs, node)
        if owner == "numpy" and name in ("array", "asarray", "zeros", "ones", "arange", "linspace", "eye", "full"):
            return self.of_torch(f"torch.{'tensor' if 'arr' in name else name}", name, args, kwargs, node)
        if owner == "numpy" and name in ("prod", "sum", "max", "min", "mean") and isinstance(args[0], tuple | list):
            numbers = [bare(one) for one in args[0]]
            if all(map(is_number, numbers)) and numbers:
                return {"prod": math.prod, "sum": sum, "max": max, "min": min, "mean": lambda n: sum(n) / len(n)}[name](
                    numbers
                )
        made = self.of_math(name, [bare(value) for value in args], node)
        exprs = [getattr(value, "expr", None) for value in args]
        if name in grammar.MATH and all(exprs) and len(exprs) == 1:
            return written_as(made, ast.Call(attribute(ast.Name("math", ast.Load()), name), exprs, []))
        return made

    def of_math(self, name: str, args: list[Any], node: ast.expr) -> Any:
        at: Any = node if isinstance(node, ast.Call) else ast.copy_location(ast.Call(node, [], []), node)
        if name in ("abs", "maximum", "minimum", "round", "clip", "floor_divide") and all(map(is_number, args)):
            return {"abs": abs, "maximum": max, "minimum": min, "round": round}.get(name, max)(*args)
        if name in ("isnan", "isinf", "gcd", "comb", "factorial", "trunc") and all(map(is_number, args)):
            if any(abs(one) > 60 for one in args if name in ("comb", "factorial")):
                raise Refusal("integer-too-large", limit="2**53", at=node)
            return getattr(math, name)(*args)
        if not all(map(is_number, args)) and name != "prod":
            raise Refusal("number-fails", found=name, at=node)
        if name == "prod" and isinstance(args[0], list | tuple) and len(args[0]) < 64:
            return of_math("prod", (tuple(map(bare, args[0])),), at)
        return of_math({"power": "pow", "arctan": "atan", "absolute": "fabs"}.get(name, name), tuple(args), at)

    def of_torch(self, path: str, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A function of PyTorch: one of the library's, a draw, or an operation of the engine."""
        key = path.replace("torch.nn.functional.", "F.").replace("torch.special.", "torch.")
        if key.startswith("torch.distributions.") and name in library_text.index():
            return self.called(self.defined_in_library(name), args, kwargs, node)
        if key in ("torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer"):
            return self.parameter(args[0], kwargs.get("requires_grad", True) and "Buffer" not in key, node)
        if key in ("torch.autograd.Variable", "torch.clone_input", "torch.jit.annotate"):
            return args[-1]
        if key == "torch.device":
            return Device("cpu")
        if key == "torch.Size":
            return tuple(args[0])
        if key.startswith("torch.") and (made := self.drawn(name, args, kwargs, node)) is not None:
            return made
        inplace = kwargs.pop("inplace", False)
        if (own := key.replace(".", "_")) in library_text.index():
            return self.called(self.defined_in_library(own), args, kwargs, node)
        if name.endswith("_") and args and isinstance(args[0], Tensor):
            return self.attribute_call(args[0], name, args[1:], kwargs, node)
        result = self.operation(key, args, kwargs, node)
        if inplace is True and isinstance(result, Tensor) and args:
            return self.changed_by(args[0], result, node)
        return result

    def attribute_call(self, base: Any, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        return self.called(self.attribute_of(base, name, node), args, kwargs, node)

    def changed_by(self, tensor: Any, result: Tensor, node: ast.expr) -> Any:
        raise NotImplementedError

    def operation(self, key: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A function of the engine's, written as a call."""
        kwargs = {
            name: value for name, value in kwargs.items() if name not in DROPPED and not isinstance(value, Opaque)
        }
        kwargs = {
            name: value
            for name, value in kwargs.items()
            if not (name == "dtype" and (value is None or isinstance(value, Opaque)))
        }
        if key == "F.scaled_dot_product_attention":
            kwargs.pop("dropout_p", None)
            args = args[:4]
        if key == "torch.tensor" and args and isinstance(args[0], Tensor):
            return args[0]
        if key == "torch.tensor" and args and any(isinstance(one, Tensor | Unknown) for one in _flat(args[0])):
            return self.operation("torch.stack", [args[0]], {}, node)
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
            while args and args[-1] is None:
                args = args[:-1]
            args, kwargs = _without_defaults(key, args, kwargs)
        return self.apply(key, [self.argument(one) for one in args], kwargs, build, node)

    def method_operation(self, base: Any, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        raise NotImplementedError

    def argument(self, value: Any) -> Any:
        """A missing argument of an operation is a number where the table or its name says so."""
        if isinstance(value, Unknown):
            given = self.table.given(value.path.split("."))
            return value if given is None else given
        return value

    # Tensors from nothing.
    def leaf(self, spec: Spec, shape: Any, node: ast.expr) -> Leaf:
        """A row of the table, of this shape."""
        sizes = self.sizes(shape, node)
        whole = {**spec, "shape": sizes}
        return Leaf(whole, outline(whole, node))

    def sizes(self, shape: Any, node: ast.expr) -> list[int]:
        parts = shape if isinstance(shape, tuple | list) else (shape,)
        sizes = [bare(self.whole(one, node)) for one in parts]
        if not all(type(one) is int and one >= 0 for one in sizes):
            raise Refusal("found-shape", at=node)
        return sizes

    def drawn(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A tensor that is drawn, or made at the top of the text: a row of the table. None for anything else."""
        if name.endswith("_like") and name[:-5] in ("randn", "rand") and args:
            base = args[0] if isinstance(args[0], Tensor) else self.tensor_of(args[0])
            return self.draw({"role": "constant", "init": name[:-5]}, base.shape, kwargs, node)
        if name in ("randint", "randint_like", "randperm", "bernoulli", "multinomial"):
            return self.drawn_whole(name, args, kwargs, node)
        shape: Any = kwargs.pop("size", args[0] if len(args) == 1 and isinstance(args[0], tuple | list) else args)
        if name == "normal":
            return self.drawn_normal(args, kwargs, node)
        if name in RANDOM:
            return self.draw({"role": "data", "init": RANDOM[name]}, shape, kwargs, node)
        if name in CREATED and (not self.calls or kwargs.get("requires_grad") is True):
            return self.created(name, args, kwargs, node)
        if name in ("FloatTensor", "LongTensor", "Tensor") and args and not isinstance(args[0], list | tuple):
            return (
                self.draw({"role": "constant", "init": "randn"}, shape, kwargs, node) if is_number(args[0]) else args[0]
            )
        if name in ("FloatTensor", "LongTensor", "Tensor"):
            return self.operation("torch.tensor", [args[0]], {}, node)
        return None

    def draw(self, spec: Spec, shape: Any, kwargs: Parameters, node: ast.expr) -> Leaf:
        made = self.leaf(spec, shape, node)
        if kwargs.get("requires_grad") is True:
            made.spec["role"] = "parameter"
        self.note("drawn", node, found=ast.unparse(node) if isinstance(node, ast.Call) else "this", name="it is")
        return made

    def drawn_normal(self, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        mean, std = ([*args, 0.0, 1.0])[:2] if len(args) != 1 else (args[0], kwargs.get("std", 1.0))
        if isinstance(mean, Tensor) or isinstance(std, Tensor):
            base = mean if isinstance(mean, Tensor) else std
            noise = self.draw({"role": "constant", "init": "randn"}, base.shape, {}, node)
            return self.joined(ast.Add(), mean, self.joined(ast.Mult(), std, noise, node), node)
        shape = args[2] if len(args) > 2 else kwargs.get("size", ())
        return self.draw(
            {"role": "constant", "init": "randn", "scale": float(std), "shift": float(mean)}, shape, kwargs, node
        )

    def drawn_whole(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Leaf:
        kwargs.pop("generator", None)
        if name == "randperm":
            size = self.sizes(args[0], node)
            order = torch.randperm(size[0], generator=torch.Generator().manual_seed(size[0])).tolist()
            return Leaf({"role": "target", "values": order}, outline({"values": order}, node))
        if name in ("bernoulli", "multinomial"):
            base = args[0] if isinstance(args[0], Tensor) else self.tensor_of(args[0])
            high = 2 if name == "bernoulli" else base.shape[-1]
            shape = (
                base.shape
                if name == "bernoulli"
                else (*base.shape[:-1], args[1] if len(args) > 1 else kwargs["num_samples"])
            )
            return self.leaf({"role": "target", "init": "randint", "low": 0, "high": high}, shape, node)
        like = name == "randint_like"
        ends = [
            bare(self.whole(one, node)) for one in (args[1:] if like else args) if not isinstance(one, tuple | list)
        ]
        shape = (
            args[0].shape
            if like
            else kwargs.get("size", next((one for one in args if isinstance(one, tuple | list)), ()))
        )
        low, high = ([*ends, 0])[:2] if len(ends) > 1 else (kwargs.get("low", 0), (ends or [kwargs.get("high", 2)])[0])
        return self.leaf({"role": "target", "init": "randint", "low": int(low), "high": int(high)}, shape, node)

    def created(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """`torch.zeros(3)` at the top of the text."""
        role = "parameter" if kwargs.get("requires_grad") is True else "data"
        if name in ("zeros", "ones"):
            shape = kwargs.get("size", args[0] if len(args) == 1 else args)
            if not isinstance(kwargs.get("dtype"), DType) or kwargs["dtype"] == "float32":
                return self.leaf({"role": role, "init": name}, shape, node)
        if name in ("tensor", "as_tensor", "FloatTensor", "LongTensor", "Tensor") and isinstance(
            args[0], list | tuple | int | float
        ):
            values = _as_values(args[0])
            if values is not None:
                kind = kwargs.get("dtype")
                if kind == "float32" or name in ("FloatTensor", "Tensor"):
                    values = _decimal(values)
                return Leaf({"role": role, "values": values}, outline({"values": values}, node))
        return None

    def parameter(self, value: Any, needs: bool, node: ast.expr) -> Any:
        """`nn.Parameter(…)`: a row of the table."""
        if isinstance(value, Leaf) and not value.is_settled:
            value.spec["role"] = "parameter" if needs else "data"
            return value
        if isinstance(value, Tensor) and value.fixed and value.variable is None:
            numbers = self.numbers(value, node)
            spec = {"role": "parameter" if needs else "data", "values": numbers.tolist()}
            return Leaf(spec, outline(spec, node))
        return value

    def initialised(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """`nn.init.…_(w)`: how a weight begins; drawn as it is described in the table."""
        leaf = args[0] if args else None
        if isinstance(leaf, Leaf) and not leaf.is_settled:
            made = {"zeros_": {"init": "zeros"}, "ones_": {"init": "ones"}}.get(name)
            if name == "constant_" and is_number(args[1]):
                made = {"init": "ones", "scale": float(args[1])}
            if name == "normal_":
                made = {
                    "init": "randn",
                    "scale": float(kwargs.get("std", args[2] if len(args) > 2 else 1.0)),
                    "shift": float(kwargs.get("mean", args[1] if len(args) > 1 else 0.0)),
                }
            if made is not None and "values" not in leaf.spec:
                for one in ("scale", "shift", "init"):
                    leaf.spec.pop(one, None)
                leaf.spec.update(made)
        return leaf


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


def _as_values(value: Any) -> Any:
    """Numbers in lists, as a table holds them; None where there is anything else."""
    if isinstance(value, tuple | list):
        parts = [_as_values(one) for one in value]
        return None if any(part is None for part in parts) else parts
    value = bare(value)
    return value if isinstance(value, int | float) and (isinstance(value, bool) or abs(value) < math.inf) else None


def _decimal(values: Any) -> Any:
    return [_decimal(one) for one in values] if isinstance(values, list) else float(values)


def _without_defaults(key: str, args: list[Any], kwargs: Parameters) -> tuple[list[Any], Parameters]:
    """A call of the library's without what it says by default: nobody would write it."""
    for _, signature in REGISTRY.get(key, ()):
        known = signature.parameters
        if all(name in known or name in signature.called for name in kwargs):
            names = list(known)
            kept = {name: value for name, value in kwargs.items() if not (name in known and _same(known[name], value))}
            while args and len(args) <= len(names) and len(args) > 1 and _same(known[names[len(args) - 1]], args[-1]):
                args = args[:-1]
            return args, kept
    return args, kwargs


def _same(a: Any, b: Any) -> bool:
    b = bare(b)
    return (type(a) is type(b) and isinstance(a, int | float | str | bool | None) and a == b) or (
        is_number(a) and is_number(b) and a == b
    )


def _partial(_: Any, args: list[Any], kwargs: Parameters, node: ast.expr) -> Partial:
    return Partial(args[0], tuple(args[1:]), kwargs)


def _folded(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    parts = machine.parts(args[1], node)
    total = args[2] if len(args) > 2 else parts.pop(0)
    for part in parts:
        total = machine.called(args[0], [total, part], {}, node)
    return total


def _counted(value: Any) -> Any:
    return lambda machine, args, kwargs, node: value


OTHERS: Parameters = {
    "functools.partial": _partial, "functools.reduce": _folded, "copy.deepcopy": lambda m, a, k, n: copied_object(a[0]),
    "copy.copy": lambda m, a, k, n: copied_object(a[0]), "collections.OrderedDict": ACTS["dict"],
    "collections.defaultdict": lambda m, a, k, n: {}, "itertools.chain": lambda m, a, k, n: [p for one in a for p in m.parts(one, n)],
    "itertools.product": lambda m, a, k, n: _product(m, a, n), "random.random": _counted(0.5),
    "itertools.combinations": lambda m, a, k, n: _combinations(m, a, n),
    "operator.mul": lambda m, a, k, n: m.joined(ast.Mult(), a[0], a[1], n),
    "operator.add": lambda m, a, k, n: m.joined(ast.Add(), a[0], a[1], n),
    "typing.cast": lambda m, a, k, n: a[1], "dataclasses.field": lambda m, a, k, n: _field(m, k, n),
    "torch.utils.checkpoint.checkpoint": lambda m, a, k, n: m.called(a[0], a[1:], {}, n),
}  # fmt: skip


def _field(machine: Any, kwargs: Parameters, node: ast.expr) -> Any:
    return (
        machine.called(kwargs["default_factory"], [], {}, node)
        if "default_factory" in kwargs
        else kwargs.get("default")
    )


def _product(machine: Any, args: list[Any], node: ast.expr) -> list[Any]:
    found: list[Any] = [()]
    for one in args:
        parts = machine.parts(one, node)
        machine.budget.parts(len(found) * len(parts), node)
        found = [(*before, part) for before in found for part in parts]
    return found


def _combinations(machine: Any, args: list[Any], node: ast.expr) -> list[Any]:
    parts = machine.parts(args[0], node)
    machine.budget.parts(len(parts) ** 2, node)
    return (
        [(a, b) for n, a in enumerate(parts) for b in parts[n + 1 :]] if bare(args[1]) == 2 else [(a,) for a in parts]
    )


LIBRARY = Function(
    "library", ast.arguments([], [], None, [], [], None, []), [], Scope({}), [], [], ast.Pass(), own=False
)
