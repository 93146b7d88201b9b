"""What a missing tensor may be by its first use: beside which tensors it stands, and in which place of an operation."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from backend.engine.filling.by_name import is_a_row
from backend.engine.filling.other_names import name_of
from backend.engine.language.tree import nodes_in, number
from backend.engine.language.values import Parameters
from backend.lowering.values import Spec, Tensor, Whole


class Free(int):
    """A length that nothing decides."""


class Side(Free):
    """The length of a side of a picture."""


B, T, C, V = Free(2), Free(5), Free(8), Free(7)
SIDE = Side(8)
OF_A_PICTURE = 4  # axes, of which the last isn't that of a bias
BY_CELL = frozenset({"+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^"})
SAME = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "maximum", "minimum", "lerp", "where")
BEHIND = re.compile(r"pool|relu|elu$|act|drop|tanh|sigmoid|^bn|norm", re.IGNORECASE)  # what leaves channels as they are
CONVOLUTIONS = {f"conv{kind}{places}d": places for kind in ("", "_transpose") for places in (1, 2, 3)}
SHARES = ("binary_cross_entropy", "binary_cross_entropy_with_logits")
# What the axes of a tensor are called where its shape is unpacked, and a small length for each.
AXES: tuple[tuple[str, int], ...] = (
    (r"^(b|bs|bsz|batch|batch_?size|n|N|num_samples)$", B), (r"head", 2), (r"^(v|vocab|vocab_size|.*class.*)$", V),
    (r"^(t|l|s|seq|seq_?len|length|time|num_tokens|tokens|n_ctx|timesteps|k|m|q_len|kv_len)$", T),
    (r"^(c|ch|chan|channels|in_channels)$", 4), (r"", C),
)  # fmt: skip


def wants_shares(key: str) -> bool:
    """Whether an operation takes numbers between 0 and 1 only."""
    return key.rpartition(".")[2] == SHARES[0]


def decimals(shape: tuple[int, ...], role: str = "data", init: str = "randn") -> Spec:
    """A row of drawn decimals."""
    return {"role": role, "shape": list(shape), "init": init}


def whole(shape: tuple[int, ...], below: int) -> Spec:
    """A row of whole numbers."""
    return {"role": "target", "shape": list(shape), "init": "randint", "low": 0, "high": max(below, 1)}


def beside(key: str, other: Any, is_left: bool, path: str = "") -> Spec | None:
    """A missing operand beside a tensor; what is a bias or a gain by its name has one number a column."""
    if not isinstance(other, Tensor):
        return None
    if key == "@" and other.shape:
        inner = other.shape[-2] if is_left and len(other.shape) > 1 else other.shape[-1]
        return decimals((B, inner), "data") if is_left else decimals((other.shape[-1], C), "parameter")
    if key in BY_CELL and other.meta.is_floating_point():
        is_row = key in "+*" and 1 < len(other.shape) < OF_A_PICTURE and is_a_row(path.rpartition(".")[2])
        return decimals(other.shape[-1:] if is_row else other.shape)
    return whole(other.shape, V) if key in BY_CELL else None


def is_reckoned_with(key: str, size: Any, is_left: bool) -> bool:
    """Whether what is missing beside a size can only be a number: `length - x.shape[0]`, `x.shape[0] / multiple`."""
    is_size = isinstance(size, Whole) and not isinstance(size.expr, ast.Constant)
    return is_size and (key in ("+", "-") or (key == "/" and not is_left))


def in_place_of(key: str, name: str, known: Parameters) -> Spec | None:
    """A missing argument of an operation, by its parameter's name and the other arguments."""
    bare = key.rpartition(".")[2]
    first = next((one for one in known.values() if isinstance(one, Tensor)), None)
    if bare in ("cross_entropy", "nll_loss") and first is not None and name not in ("weight", "x"):
        return _classes(first.shape)
    if bare in CONVOLUTIONS:
        return _of_convolution(bare, name, known)
    if bare in OF_ONE:
        return OF_ONE[bare](name, known)
    return _beside_first(bare, name, first)


def _beside_first(bare: str, name: str, first: Tensor | None) -> Spec | None:
    """What stands in one place with a tensor that is known."""
    if first is None:
        return decimals((B, C), "data", "rand") if bare == SHARES[0] else None
    if bare in SHARES:
        return decimals(first.shape, "target", "rand")
    if bare in SAME or (bare.startswith("scatter") and name == "src"):
        return decimals(first.shape)
    return whole(first.shape, min(first.shape, default=1)) if name in ("index", "mask") else None


def _classes(scores: tuple[int, ...]) -> Spec:
    """The right classes for scores of them."""
    if len(scores) < 2:
        return whole((), scores[0] if scores else 1)
    return whole((scores[0], *scores[2:]), scores[1])


def _of_linear(name: str, known: Parameters) -> Spec | None:
    x, weight = known.get("x"), known.get("weight")
    if name in ("weight", "W") and isinstance(x, Tensor) and x.shape:
        return decimals((C, x.shape[-1]), "parameter")
    if name in ("bias", "b") and isinstance(weight, Tensor):
        return decimals((weight.shape[0],), "parameter")
    return None


def _of_embedding(name: str, known: Parameters) -> Spec | None:
    weight = known.get("weight")
    rows = weight.shape[0] if isinstance(weight, Tensor) else V
    return decimals((V, C), "parameter") if name == "weight" else whole((B, T), rows)


OF_ONE: dict[str, Callable[[str, Parameters], Spec | None]] = {
    "linear": _of_linear, "embedding": _of_embedding, "one_hot": lambda _, __: whole((B,), V),
}  # fmt: skip


def _of_convolution(bare: str, name: str, known: Parameters) -> Spec | None:
    """The picture that a kernel is laid on, or the kernel."""
    places, x, weight = CONVOLUTIONS[bare], known.get("x"), known.get("weight")
    axis = 0 if "transpose" in bare else 1
    if name == "x":
        return decimals((B, weight.shape[axis] if isinstance(weight, Tensor) else C, *[SIDE] * places))
    if name == "weight" and isinstance(x, Tensor) and len(x.shape) == places + 2:
        return decimals((C, x.shape[1], *[3] * places) if axis else (x.shape[1], C, *[3] * places), "parameter")
    if name == "bias" and isinstance(weight, Tensor):
        return decimals((weight.shape[1 - axis],), "parameter")
    return None


def index_on(base: Tensor) -> Spec:
    """A missing index on a tensor."""
    return whole((B,) if len(base.shape) < 2 else (B, T)[: len(base.shape) - 1], base.shape[0] if base.shape else 1)


def axes_in(tree: ast.AST) -> dict[str, list[str]]:
    """The names of the axes of tensors whose shape is unpacked, as in `B, T, C = x.shape`; "" for one without."""
    found: dict[str, list[str]] = {}
    for node in nodes_in(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value) if (owner := _shape_of(value)) is not None:
                if not any(isinstance(one, ast.Starred) for one in names):
                    found.setdefault(owner, [one.id if isinstance(one, ast.Name) else "" for one in names])
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="permute"), args=order) if len(order) > 1:
                found.setdefault(owner, [""] * len(order))
    return found


def picks_in(tree: ast.AST) -> dict[str, int]:
    """How many parts a list has at least, by its name or the last word of its path: 3 where `sizes[2]` is read."""
    found: dict[str, int] = {}
    for node in nodes_in(tree):
        match node:
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=place):
                at = number(place)
                if type(at) is int:
                    found[name] = max(found.get(name, 0), at + 1 if at >= 0 else -at)
    return found


def called_parts_in(tree: ast.AST) -> set[str]:
    """What lists are called whose parts are called, as layers are: by number, or one after the other in a loop."""
    called = {node.func.id for node in nodes_in(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    found: set[str] = set()
    for node in nodes_in(tree):
        match node:
            case ast.Call(func=ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name))):
                found.add(name)
            case ast.For(target=ast.Name(id=part), iter=ast.Name(id=name) | ast.Attribute(attr=name)):
                found |= {name} if part in called else set()
            case ast.For(
                target=ast.Tuple(elts=[_, ast.Name(id=part)]),
                iter=ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name) | ast.Attribute(attr=name), *_]),
            ):
                found |= {name} if part in called else set()
    return found


def called_in(tree: ast.AST) -> frozenset[str]:
    """What is called, by its name or the last word of its path: `conv` of `self.conv(x)`."""
    return frozenset(filter(None, (name_of(node.func) for node in nodes_in(tree) if isinstance(node, ast.Call))))


def widths_in(tree: ast.AST) -> list[int]:
    """The numerals that objects are made with, as `nn.Linear(3136, 512)` is, each as often as it stands there."""
    made = [node for node in nodes_in(tree) if isinstance(node, ast.Call) and _is_class(node.func)]
    given = [value for one in made for value in [*one.args, *(keyword.value for keyword in one.keywords)]]
    return [value for one in given if type(value := number(one)) is int]


def _is_class(called: ast.expr) -> bool:
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name[:1].isupper()


Cut = tuple[int, tuple[ast.expr, ...]]  # how many times these lengths, or that of what a layer is given


def cuts_in(tree: ast.AST) -> dict[str, Cut]:
    """How what a layer returns is cut: into 3 parts of `n` for `q, k, v = self.c_attn(x).split(n, 2)`.

    By how the layer is called. Its result may have a name first, or be laid out with an axis of 2, 3 or 4 parts.
    """
    made = {
        node.targets[0].id: ast.unparse(node.value.func)  # the layer whose result a name is
        for node in nodes_in(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
    }
    found: dict[str, Cut] = {}
    for node in nodes_in(tree):
        match node:
            case ast.Assign(
                targets=[ast.Tuple(elts=names)],
                value=ast.Call(func=ast.Attribute(attr="split" | "chunk" as how)) as cut,
            ):
                cut = _as_method(cut)
                found.setdefault(_cut_by(cut, made), _cut_to(len(names), cut) if how == "split" else (len(names), ()))
            case ast.Call(func=ast.Attribute(attr="chunk")) as cut:
                cut = _as_method(cut)
                for count in _whole(cut.args[:1]):
                    found.setdefault(_cut_by(cut, made), (count, ()))
            case ast.Call(func=ast.Attribute(attr="view" | "reshape"), args=[_, *sizes]):
                for size in (number(one) for one in sizes):
                    if size in (2, 3, 4):
                        found.setdefault(_cut_by(node, made), (int(size), ()))
    return found


def _whole(nodes: list[ast.expr]) -> list[int]:
    """Those that are whole numbers."""
    return [value for node in nodes if type(value := number(node)) is int]


def _as_method(cut: ast.Call) -> ast.Call:
    """`torch.split(x, n, dim=1)` as `x.split(n, dim=1)`; any other call as it is."""
    match cut:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=[whole, *args]):
            return ast.copy_location(ast.Call(ast.Attribute(whole, name, ast.Load()), args, cut.keywords), cut)
    return cut


def views_in(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Into which shapes what layers return is viewed: `(B, T, heads, size)` for `q = self.c(x)`, `q = q.view(…)`.

    By how the layer is called; where a name is given several values, the one that it has at the view.
    """
    found: dict[str, list[ast.expr]] = {}
    made: dict[str, str] = {}
    statements = [node for node in nodes_in(tree) if isinstance(node, ast.Assign | ast.Return | ast.Expr)]
    for statement in sorted(statements, key=lambda one: (one.lineno, one.col_offset)):
        for node in nodes_in(statement):
            match node:
                case ast.Call(func=ast.Attribute(attr="view" | "reshape"), args=[_, _, *_] as sizes):
                    found.setdefault(_cut_by(node, made), sizes)
        if isinstance(statement, ast.Assign):
            made |= _made_by(statement)
    return found


def _made_by(statement: ast.Assign) -> dict[str, str]:
    """The layers whose results names are, also of `q, k = self.q(x), self.k(x)`."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            pairs = list(zip(names, values, strict=True))
        case _:
            pairs = [(statement.targets[0], statement.value)]
    return {name.id: _layer_in(value) for name, value in pairs if isinstance(name, ast.Name)}


def _layer_in(value: ast.expr) -> str:
    """How the layer is called whose channels an expression has: `self.conv` of `F.relu(self.conv(x))`."""
    while isinstance(value, ast.Call) and value.args and BEHIND.search(name_of(value.func) or ""):
        if not isinstance(value.args[0], ast.Call):
            break
        value = value.args[0]
    return ast.unparse(value.func) if isinstance(value, ast.Call) else ""


def _cut_by(cut: ast.expr, made: dict[str, str]) -> str:
    """How the layer is called whose result is cut; "" for anything else."""
    whole = cut.func.value if isinstance(cut, ast.Call) and isinstance(cut.func, ast.Attribute) else cut
    if isinstance(whole, ast.Call):
        return ast.unparse(whole.func)
    return made.get(whole.id, "") if isinstance(whole, ast.Name) else ""


def _cut_to(count: int, cut: ast.Call) -> Cut:
    """Into what `.split(n)` cuts, or `.split([a, b, c])`."""
    given = next((one.value for one in cut.keywords if one.arg == "split_size"), cut.args[0] if cut.args else None)
    if isinstance(given, ast.List | ast.Tuple):
        return 1, tuple(given.elts)
    return count, () if given is None else (given,)


def _shape_of(value: ast.expr) -> str | None:
    """Whose shape an expression is."""
    match value:
        case ast.Attribute(value=ast.Name(id=owner), attr="shape"):
            return owner
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="size"), args=[]):
            return owner
    return None


def length(axis: str) -> int:
    """A small length for an axis by its name."""
    return next(size for words, size in AXES if re.search(words, axis, re.IGNORECASE))


def keys_in(tree: ast.AST) -> dict[str, list[str]]:
    """By which words a dictionary is asked for its parts, by its name: `input_ids` of `batch["input_ids"]`."""
    found: dict[str, list[str]] = {}
    for node in nodes_in(tree):
        match node:
            case (
                ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))
                | ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="get" | "pop"),
                    args=[ast.Constant(value=str(key)), *_],
                )
            ):
                found.setdefault(name, []).append(key)
    return {name: list(dict.fromkeys(keys)) for name, keys in found.items()}


def keyed_in(tree: ast.AST) -> frozenset[str]:
    """What is called and returns a dictionary: `self.net` of `self.net(x)["out"]`, or of `out = self.net(x)` before."""
    calls: dict[str, str] = {}
    for node in nodes_in(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call):
            calls[node.targets[0].id] = ast.unparse(node.value.func)
    found = set()
    for node in nodes_in(tree):
        match node:
            case ast.Subscript(value=ast.Call(func=called), slice=ast.Constant(value=str())):
                found.add(ast.unparse(called))
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())):
                found.add(calls.get(name, ""))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get" | "pop"), args=[ast.Constant(), *_]):
                found.add(calls.get(name, ""))
    return frozenset(found - {""})
