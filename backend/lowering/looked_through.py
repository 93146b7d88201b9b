"""What is left out is looked through first: a call of something that nobody here knows is refused, never dropped."""

from __future__ import annotations

import ast
import re
from typing import Any

import torch

from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import DTYPES, MATH
from backend.engine.language.tree import nodes_in, stored_in
from backend.engine.ops import REGISTRY
from backend.lowering import library_text
from backend.lowering.method_tables import DICTS, LISTS, OTHERS, TENSORS
from backend.lowering.values import Class, Function, Instance, Opaque, Parts, Path, Tensor, Unknown

# Packages that tell, draw or measure: no tensor of a forward pass is made by them.
QUIET_MODULES = frozenset(
    {
        "logging", "wandb", "tqdm", "matplotlib", "warnings", "time", "tensorboard", "tensorboardX", "seaborn", "rich",
        "pprint", "mlflow", "loguru", "contextlib", "datetime", "traceback", "textwrap", "IPython", "torchsummary",
        "torchinfo", "typing_extensions", "jaxtyping", "beartype", "argparse", "inspect", "abc", "enum",
    }
)  # fmt: skip
# What objects are told that train, log or count, and what nobody computes with.
OF_OBJECTS = frozenset(
    {
        "train", "eval", "zero_grad", "step", "parameters", "named_parameters", "modules", "children", "state_dict",
        "format", "encode", "decode", "log", "info", "debug", "warning", "warn", "error", "add_scalar", "add_scalars",
        "add_histogram", "add_image", "set_description", "set_postfix", "update", "flush", "register_buffer",
        "register_parameter", "add_module", "sum", "mean", "items", "numpy", "item", "tolist", "cpu", "cuda", "append",
        "title", "show", "plot", "legend", "apply", "half", "double", "backward", "clip_grad_norm_",
    }
)  # fmt: skip
# Of PyTorch's own functions those that reach a file, another process, or the settings of all programs.
REACHING = re.compile(r"_|.*_$|(from_file|save|load|set_|seed|compile|manual|get_|import|fork|wait|hub|ops|classes)")


def is_pure(name: str) -> bool:
    """Whether PyTorch has a function of this name that makes tensors of tensors and does nothing else."""
    return REACHING.match(name) is None and hasattr(torch._C._VariableFunctions, name)


def is_method(name: str) -> bool:
    """Whether something that is met in code as found has a method of this name."""
    return (
        any(name in names for names in (TENSORS, LISTS, DICTS, OTHERS, OF_OBJECTS))
        or f".{name.rstrip('_')}" in REGISTRY
        or f"tensor_{name.rstrip('_')}" in library_text.index()
        or is_pure(name)
    )


def is_listed(path: str) -> bool:
    """Whether a function of a module is known by name."""
    owner, _, name = path.rpartition(".")
    key = path.replace("torch.nn.functional.", "F.").replace("torch.special.", "torch.")
    return (
        key in REGISTRY
        or name in library_text.index()
        or key.replace(".", "_") in library_text.index()
        or (owner in ("math", "numpy", "torch") and (name in MATH or name in DTYPES))
        or (owner in ("torch", "torch.nn.functional", "numpy") and is_pure(name))
    )


def look_through(machine: Any, node: ast.AST) -> None:
    """Refuse the first call in what is left out that nobody here knows."""
    bound = stored_names(node)
    for one in nodes_in(node):
        if isinstance(one, ast.Call) and not _is_known(machine, one.func, bound):
            raise Refusal("found-foreign/call", found=ast.unparse(one.func).split("\n")[0], at=one)


def stored_names(node: ast.AST) -> set[str]:
    """The names that loops and functions inside an expression have for their own."""
    found = set(stored_in(node)) if isinstance(node, ast.stmt) else set()
    for one in nodes_in(node):
        if isinstance(one, ast.comprehension):
            found |= {name.id for name in nodes_in(one.target) if isinstance(name, ast.Name)}
        elif isinstance(one, ast.Lambda):
            found |= {argument.arg for argument in one.args.args}
    return found


def _is_known(machine: Any, func: ast.expr, bound: set[str]) -> bool:
    match func:
        case ast.Lambda():
            return True
        case ast.Name(id=name):
            is_helper = f"helper_{name}" in library_text.index()  # which many write alike
            return name in bound or is_helper or _can_be_called(_resolved(machine, func))
        case ast.Attribute(attr=name):
            root, names = _root(func)
            value = None if root.id in bound else _resolved(machine, root)
            if isinstance(value, Path) and names:
                return bool(machine.is_known_path(".".join([value.name, *names])))
            if isinstance(value, Opaque):
                return value.is_quiet
            return is_method(name) or (isinstance(value, Instance | Class | Function) and names != [])
        case _:
            return False


def _root(func: ast.expr) -> tuple[ast.Name, list[str]]:
    """The name at the beginning of a dotted path, and what comes behind it; nothing where calls are in between."""
    names: list[str] = []
    is_dotted = True
    while isinstance(func, ast.Attribute | ast.Call | ast.Subscript):
        if isinstance(func, ast.Attribute):
            names.append(func.attr)
            func = func.value
        else:
            is_dotted = False
            func = func.func if isinstance(func, ast.Call) else func.value
    root = func if isinstance(func, ast.Name) else ast.Name("", ast.Load())
    return root, names[::-1] if is_dotted else []


def _resolved(machine: Any, name: ast.Name) -> Any:
    """What a name stands for, as far as it can be told without computing anything."""
    return machine.name(name) if name.id else None


def _can_be_called(value: Any) -> bool:
    if isinstance(value, Opaque):
        return value.is_quiet
    return not isinstance(value, Unknown | Tensor | Parts) and value is not None
