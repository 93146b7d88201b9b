"""Layers that are called and nowhere defined: what they are is read from their names and from the table."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, count
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import MATH
from backend.engine.language.tree import nodes_in
from backend.engine.language.values import Parameters
from backend.engine.language.wording import listed
from backend.lowering import library_text
from backend.lowering.doors import RUNS_TEXT
from backend.lowering.first_use import SIDE, B, C, Cut, V, decimals
from backend.lowering.methods import Methods
from backend.lowering.missing import missing
from backend.lowering.values import (
    LOST,
    Class,
    Function,
    Instance,
    Leaf,
    Lost,
    Path,
    Scope,
    Spec,
    Tensor,
    Unknown,
    bare,
    is_number,
)

# Names of layers without weights, and with.
PLAIN = (
    (r"drop", "Dropout"), (r"leaky", "LeakyReLU"), (r"gelu", "GELU"),
    (r"relu|^act(?!or|ion)|activation|nonlin", "ReLU"),
    (r"silu|swish", "SiLU"), (r"tanh", "Tanh"), (r"sigmoid|sigm", "Sigmoid"), (r"log_?softmax", "LogSoftmax"),
    (r"softmax", "Softmax"), (r"softplus", "Softplus"), (r"elu$", "ELU"), (r"flatten", "Flatten"),
    (r"identity", "Identity"), (r"maxpool|max_pool|^pool\d*$", "MaxPool2d"), (r"mse", "MSELoss"),
    (r"cross_?entropy|^ce(_loss)?$", "CrossEntropyLoss"), (r"bce.*logits", "BCEWithLogitsLoss"), (r"bce", "BCELoss"),
    (r"cos(ine)?_sim", "CosineSimilarity"), (r"^criterion$|^loss_fn$|^loss_function$|^loss(_func)?$", "loss"),
)  # fmt: skip
WEIGHTED = (
    (r"emb(ed)?|wte|wpe|lookup", "Embedding"), (r"rms", "RMSNorm"), (r"(^|_)bn\d*|batch_?norm", "BatchNorm"),
    (r"(^|_)ln|norm", "LayerNorm"), (r"conv", "Conv"),
)  # fmt: skip
WIDTH = 8
MOST_TOLD = 4  # names in one remark
MOST_PICKED = 2000  # of whole numbers that are reckoned, to look at
RESIDUAL = re.compile(r"sublayer|residual|res_?conn", re.IGNORECASE)  # what is given a layer, and adds what it returns
OF_PICTURES = re.compile(r"^(down|up|in|init|first|stem)?_?conv(2d)?_?\d?(_\d)?$", re.IGNORECASE)
PICTURE, SIDES = ("example", "channel", "height", "width"), (["h", "w"], ["height", "width"])
SAID = {"ResidualSublayer": "x + layer(norm(x))"}  # what isn't one of PyTorch's
OF_TWO = ("loss", "similarity")  # kinds that compare two tensors


class Assumed(Methods):
    """Reads calls of layers that the code doesn't define."""

    has_word_more = False  # whether the code has a word behind all others: `idx[:, 0] = self.vocab_size`
    returns: dict[str, str]  # the paths of all that was returned by what isn't in the code, and what returned it
    nameless: set[str]  # those that have got no name so far
    handed: list[tuple[Unknown, list[Any]]]  # with what it was given
    views_of: Mapping[str, list[ast.expr]]  # into which shapes, likewise
    keyed: Collection[str]  # what returns a dictionary, likewise
    cuts_of: Mapping[str, Cut]  # how what a layer returns is cut, by how it is called

    def whole_object(self) -> Instance:
        """The object `self` of a method that was pasted without its class."""
        if self.outermost is None:
            functions = {name: one for name, one in self.root.names.items() if hasattr(one, "args")}
            self.outermost = Instance(Class("the module", [], functions, ast.Pass()))
        return self.outermost

    def assumed(self, unknown: Unknown, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A call of something that is missing: a function of PyTorch, or a layer by its name and its weights."""
        if any(isinstance(value, Lost) for value in [*args, *kwargs.values()]):
            return LOST
        given = [*args, *kwargs.values()]
        # of what a class made that isn't in the code, as `self.ffn`, a layer: a gradient flows back to what it is given
        is_layer = unknown.made_by and _is_own_attribute(node) and isinstance(next(iter(args), None), Tensor)
        is_layer = is_layer and not isinstance(args[0], Leaf)
        made_by = "" if is_layer else unknown.made_by
        if made_by or (isinstance(node, ast.Call) and ast.unparse(node.func) in self.keyed):
            return self.returned(unknown, given, node)
        key = f"math.{unknown.path}" if args and all(map(is_number, args)) else unknown.path
        if key not in self.layers:
            try:
                layer = Unknown(unknown.path, node, of_self=True) if is_layer else unknown
                self.layers[key] = self.by_name(layer, args, node) or self.layer(layer, args, kwargs, node)
            except Refusal as refusal:
                if refusal.code != "found-missing":
                    raise
                return self.returned(unknown, given, node)
        made = self.called(self.layers[key], args, kwargs, node)
        if isinstance(made, Tensor) and isinstance(self.layers[key], Instance):
            made.guessed = unknown.path
        return made

    def returned(self, unknown: Unknown, given: list[Any], node: ast.expr) -> Unknown:
        """What a function that isn't in the code returns: the table gives it, and no gradient flows back through it.

        Where the table has weights of it, or it changes what it is given, its lines are asked for.
        """
        path = unknown.path
        has_weights = self.table.weights_of(path.split(".")) - self.stored
        if has_weights or path.endswith("_") or path in RUNS_TEXT:
            raise missing(path, node)
        made = Unknown("", node, made_by=path)
        self.name_returned(made, "", path)
        if not self.calls or self.calls[-1].own:
            self.handed.append((made, given))
        return made

    def lacking(self, path: str, node: ast.AST) -> Refusal:
        """The loss is made of nothing but what `path` returned: its lines are asked for."""
        return missing(path, node, self.returns.get(path, "")).locate(node, self.notes.text)

    def say_returned(self, read: set[str]) -> None:
        """Say of what was returned that no gradient flows back; where what was given counts otherwise, that it is held.

        `read` are the names that the loss is made of.
        """
        for made, given in self.handed:
            at = made.node
            reached = self.writer.behind([self.name_of(one) for one in given])
            known = self.table.known.get(made.path)
            is_read = known is not None and known.variable in read
            names = [name for name in self.with_gradient() if name in reached & read] if is_read else []
            if names:
                gradients, leave = ("gradient", "leaves") if len(names) == 1 else ("gradients", "leave")
                self.notes.add("held", at, found=at, gradients=gradients, leave=leave, names=told(names))
            else:
                self.notes.add("returned", at, found=at)

    def name_of(self, value: Any) -> ast.expr:
        """A tensor that was handed over, as it is written; nothing for what is none."""
        if isinstance(value, Unknown):
            value = self.table.known.get(value.path)
        return value.expr if isinstance(value, Tensor) else ast.Constant(None)

    def with_gradient(self) -> list[str]:
        """The inputs that get a gradient, those of the table first."""
        made = [name for name, row in self.table.lifted.items() if row["role"] in ("parameter", "data")]
        return [*(name for name, one in self.table.tensors.items() if one.is_floating_point()), *made]

    def name_returned(self, value: Unknown, name: str, owner: str) -> None:
        """Call what was returned after the name that it gets first, or after what returned it."""
        in_library = bool(self.calls) and not self.calls[-1].own
        if not value.made_by or (value.path and (in_library or value.path not in self.nameless)):
            return
        self.nameless.discard(value.path)
        whole = f"{owner}.{name}".strip(".")
        path = next(one for one in chain([whole], (f"{whole}_{n}" for n in count(2))) if one not in self.returns)
        self.returns[path] = value.made_by
        self.nameless |= set() if name else {path}
        value.path = path

    def by_name(self, unknown: Unknown, args: list[Any], node: ast.expr) -> Any:
        """A function that the code names and doesn't import: of PyTorch, of `math`, or one that many write alike."""
        name = unknown.path
        if unknown.of_self or not name.isidentifier():
            return None
        if f"helper_{name}" in library_text.index():
            self.note("helper", node, found=name)
            return self.defined_in_library(f"helper_{name}")
        if name == "kl_divergence":  # of two distributions; of tensors it is somebody's own
            return self.defined_in_library(name) if any(isinstance(one, Instance) for one in args) else None
        owners = ["math"] if args and all(map(is_number, args)) and name in MATH else ["torch", "torch.nn.functional"]
        path = next((f"{owner}.{name}" for owner in owners if self.is_known_path(f"{owner}.{name}")), None)
        if path is not None:
            self.note("assumed", node, found=name, kind=path.replace("torch.nn.functional", "F"))
        return path and Path(path)

    layers: Parameters

    def layer(self, unknown: Unknown, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        path = unknown.path.split(".")
        name = _name_in(path)
        weight = self.table.given([*path, "weight"])
        plain = next((kind for words, kind in PLAIN if re.search(words, name, re.IGNORECASE)), None)
        if not args and not kwargs and plain not in (None, "loss"):
            return self.library_class(str(plain))
        is_one = len(args) == 1 and not self.is_unpacked(node)
        is_layer = is_one or (plain is not None and plain.lower().endswith(OF_TWO)) or _is_recurrent(name, args)
        x = args[0] if args else None
        if len(args) == 2 and RESIDUAL.search(name) and isinstance(args[1], Function | Instance | Unknown):
            return self.residual(self.tensor_of(x) if isinstance(x, Unknown) else x, path, node)
        x = self.tensor_of(x, _given_to(name)) if isinstance(x, Unknown) and is_layer else x
        if kwargs or not isinstance(x, Tensor):
            raise missing(unknown.path, node)
        if weight is None and plain is not None and (len(args) == 1 or plain.lower().endswith(OF_TWO)):
            return self.built(self.loss(args) if plain == "loss" else plain, _settings(plain), path, node)
        if isinstance(weight, Tensor):
            return self.weighted(name, path, weight, x, node)
        if not self.is_method_of_object(unknown):
            raise missing(unknown.path, node)
        if _is_recurrent(name, args) and x.shape:
            return self.recurrent(name, path, x, node)
        return self.unweighted(args, path, x, node)

    def residual(self, x: Any, path: list[str], node: ast.expr) -> Any:
        """What is given a layer, and adds what it returns; None where it is given no rows."""
        is_rows = isinstance(x, Tensor) and bool(x.shape)
        return self.built("ResidualSublayer", [x.shape[-1]], path, node) if is_rows else None

    def recurrent(self, name: str, path: list[str], x: Tensor, node: ast.expr) -> Any:
        """A recurrent layer or cell; its width is that of its weights, where the table has them."""
        kind = next(kind for kind in ("LSTM", "GRU", "RNN") if kind.lower() in name.lower())
        is_cell = "cell" in name.lower() or len(x.shape) == 1 or (kind != "LSTM" and self.is_step(x, node))
        weight = self.table.given([*path, "weight_hh" if is_cell else "weight_hh_l0"])
        width = weight.shape[1] if isinstance(weight, Tensor) else self.width(path)
        return self.built(f"{kind}Cell" if is_cell else kind, [x.shape[-1], width], path, node)

    def is_step(self, x: Tensor, node: ast.expr) -> bool:
        """Whether a recurrent layer is given rows and a state, and returns one tensor: `h = self.gru(x, h)`."""
        is_kept = isinstance(self.place, ast.Assign | ast.Return) and self.place.value is node
        is_given = isinstance(node, ast.Call) and len(node.args) == 2 and len(x.shape) == 2
        return is_given and is_kept and not self.is_unpacked(node)

    def width(self, path: list[str], node: ast.expr | None = None, given: int = 0) -> Any:
        """The width of a layer that nothing tells; so many times what it is `given`, where that is cut into parts."""
        times, lengths = self.cuts_of.get(ast.unparse(node.func), (0, ())) if isinstance(node, ast.Call) else (0, ())
        if times:
            sizes = [bare(self.whole(self.value(one))) for one in lengths] or [given]
            return times * sum(size for size in sizes if isinstance(size, int))
        whole = [*path, "width"]
        unknown = Unknown(".".join(whole), ast.Pass())
        return self.whole(self.table.number(unknown, is_size=True, named="_".join(whole)))

    def viewed_width(self, node: ast.expr, x: Tensor) -> int | None:
        """The width of a layer whose result is viewed as several axes: `n_head * size`. None where nothing tells."""
        views = self.views_of.get(ast.unparse(node.func), ()) if isinstance(node, ast.Call) else ()
        sizes = [size for one in views for size in self.sizes_in(one)]
        behind = _behind(sizes, list(x.shape[:-1]))
        known = [size for size in behind if size is not None and size > 0]
        return math.prod(known) if known and len(known) == len(behind) else None

    def channels(self, node: ast.expr) -> int | None:
        """How many channels a layer returns, where all of it is laid in one row: 16 of `x.view(-1, 16 * 5 * 5)`."""
        sizes = self.views_of.get(ast.unparse(node.func), ()) if isinstance(node, ast.Call) else ()
        first: ast.expr | None = sizes[1] if len(sizes) == 2 else None
        if not isinstance(first, ast.BinOp):
            return None
        while isinstance(first, ast.BinOp):
            first = first.left if isinstance(first.op, ast.Mult) else None
        return None if first is None else self.size_in(first)

    def sizes_in(self, node: ast.expr) -> list[int | None]:
        """The lengths that a part of a view stands for: of `*img_shape` one for each of its parts."""
        if not isinstance(node, ast.Starred):
            return [self.size_in(node)]
        names = [one.id for one in nodes_in(node) if isinstance(one, ast.Name)]
        if len(names) != 1 or (self.scope.find(names[0]) is None and names[0] in self.stored):
            return [None]
        return [
            size if type(size := bare(self.known(one, is_size=True))) is int else None for one in self.spread([node])
        ]

    def size_in(self, node: ast.expr) -> int | None:
        """A length of a shape, as far as all names in it have values so far."""
        names = [one.id for one in nodes_in(node) if isinstance(one, ast.Name)]
        if any(name != "self" and self.scope.find(name) is None for name in names):
            return None
        value = bare(self.known(self.value(node), is_size=True))
        return value if type(value) is int else None

    def is_unpacked(self, node: ast.expr) -> bool:
        """Whether what a call returns is several things: `mu, log_var = self.encode(x)`."""
        match self.place:
            case ast.Assign(targets=[ast.Tuple()], value=value):
                return value is node
        return False

    def is_method_of_object(self, unknown: Unknown) -> bool:
        """Whether `self.fc(x)` or `model.fc(x)` is called, and no function that is missing."""
        return unknown.of_self or "." in unknown.path

    def loss(self, args: list[Any]) -> str:
        target = args[1] if len(args) > 1 else None
        target = self.tensor_of(target) if isinstance(target, Unknown) else target
        whole = isinstance(target, Tensor) and not target.meta.is_floating_point()
        return "CrossEntropyLoss" if whole else "MSELoss"

    def weighted(self, name: str, path: list[str], weight: Tensor, x: Tensor, node: ast.expr) -> Any:
        """A layer whose weight the table has: its shape says what it is."""
        shape = weight.shape
        has_bias = self.table.given([*path, "bias"]) is not None
        if len(shape) == 1:
            kind = next((kind for words, kind in WEIGHTED if re.search(words, name, re.IGNORECASE)), "LayerNorm")
            kind = {"BatchNorm": "BatchNorm2d" if len(x.shape) == 4 else "BatchNorm1d"}.get(kind, kind)
            return self.built(kind if "Norm" in kind else "LayerNorm", [shape[0]], path, node, bias=has_bias)
        if len(shape) == 2 and not x.meta.is_floating_point():
            return self.built("Embedding", list(shape), path, node)
        if len(shape) == 2:
            return self.built("Linear", [shape[1], shape[0], has_bias], path, node)
        if len(shape) in (3, 4):
            settings = [shape[1], shape[0], tuple(shape[2:]), 1, 0, 1, 1, has_bias]
            return self.built(f"Conv{len(shape) - 2}d", settings, path, node)
        raise missing(".".join(path), node)

    def unweighted(self, args: list[Any], path: list[str], x: Tensor, node: ast.expr) -> Any:
        """A layer by its name and by what it is given."""
        if len(args) > 1 or self.is_unpacked(node):
            raise missing(".".join(path), node)
        name = _name_in(path)
        width = x.shape[-1] if x.shape else WIDTH
        kind = next((kind for words, kind in WEIGHTED if re.search(words, name, re.IGNORECASE)), "Linear")
        if not x.meta.is_floating_point():
            return self.built("Embedding", [self.words(x), self.width(path)], path, node)
        if kind == "BatchNorm" and len(x.shape) > 1:
            return self.built("BatchNorm2d" if len(x.shape) == 4 else "BatchNorm1d", [x.shape[1]], path, node)
        if kind in ("LayerNorm", "RMSNorm"):
            return self.built(kind, [width], path, node)
        if kind == "Conv" and len(x.shape) in (3, 4):
            settings = [x.shape[1], self.channels(node) or self.width(path, node, x.shape[1]), 3, 1, 1]
            return self.built(f"Conv{len(x.shape) - 2}d", settings, path, node)
        if len(x.shape) == len(PICTURE) and self.has_pictures():
            return self.built("Conv2d", [x.shape[1], self.width(path, node, x.shape[1]), 1], path, node)
        return self.built("Linear", [width, self.viewed_width(node, x) or self.width(path, node, width)], path, node)

    def has_pictures(self) -> bool:
        """Whether the code unpacks the shape of a picture: `b, c, h, w = x.shape`."""
        axes = self.table.guesser.axes.values()
        return any(len(one) == len(PICTURE) and [*map(str.lower, one[2:])] in SIDES for one in axes)

    def words(self, x: Tensor) -> int:
        """How many rows a table is picked from: a few, and as many as what the code reckons picks."""
        few = int(V) + self.has_word_more
        is_reckoned = x not in self.table.known.values() and 0 < x.meta.numel() <= MOST_PICKED
        return max(few, 1 + int(self.numbers(x).max())) if is_reckoned else few

    def built(self, kind: str, settings: list[Any], path: list[str], node: ast.expr, bias: bool = True) -> Any:
        """A layer of the library in the place where the code has it."""
        one: Any = self.called(self.library_class(kind), settings, {}, node)
        if not bias:
            one.attributes["bias"] = None
        owner: Instance | None = None
        for name in path[:-1]:
            owner = Instance(Class("", [], {}, ast.Pass()), owner=owner or self.nowhere, name=name)
        one.owner, one.name = owner or self.nowhere, path[-1]
        self.note("assumed", node, found=".".join(path), kind=SAID.get(kind, f"nn.{kind}"))
        return one

    nowhere = Instance(Class("", [], {}, ast.Pass()))


def _is_own_attribute(node: ast.expr) -> bool:
    """Whether what is called is `self.name`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"))):
            return True
    return False


def told(names: list[str]) -> str:
    """The first few names, each in its quotes."""
    said = [f"`{name}`" for name in names[:MOST_TOLD]]
    return listed(said) if len(names) <= MOST_TOLD else ", ".join(said) + " and others"


def _behind(sizes: Sequence[int | None], before: list[int]) -> Sequence[int | None]:
    """The lengths of a view that are made of the last axis alone; `before` are those of the other axes."""
    if -1 in sizes:
        behind = sizes[sizes.index(-1) + 1 :]
        return behind[1:] if len(before) > 1 and behind[:1] == before[-1:] else behind
    cells = [math.prod(size or 1 for size in sizes[:count]) for count in range(len(sizes))]
    return sizes[cells.index(math.prod(before)) if math.prod(before) in cells[1:] else len(before) :]


def _name_in(path: list[str]) -> str:
    """What a layer is called: of those in a list, the list's name."""
    return next((one for one in reversed(path) if not one.isdigit()), path[-1])


def _given_to(name: str) -> Spec | None:
    """What a layer is given by its name, where this tells it: pictures."""
    return decimals((B, C, SIDE, SIDE)) if OF_PICTURES.search(name) else None


def _is_recurrent(name: str, args: list[Any]) -> bool:
    return re.search("lstm|gru|rnn", name, re.IGNORECASE) is not None and len(args) < 3


def _settings(kind: str) -> list[Any]:
    return {"Softmax": [-1], "LogSoftmax": [-1], "MaxPool2d": [2]}.get(kind, [])


__all__ = ["Assumed", "Scope"]
