"""Layers that are called and nowhere defined: what they are is read from their names and from the table."""

from __future__ import annotations

import ast
import re
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.values import Parameters
from backend.lowering.methods import Methods
from backend.lowering.values import Class, Instance, Scope, Tensor, Unknown

# Names of layers without weights, and with.
PLAIN = (
    (r"drop", "Dropout"), (r"leaky", "LeakyReLU"), (r"gelu", "GELU"), (r"relu|^act|activation|nonlin", "ReLU"),
    (r"silu|swish", "SiLU"), (r"tanh", "Tanh"), (r"sigmoid|sigm", "Sigmoid"), (r"log_?softmax", "LogSoftmax"),
    (r"softmax", "Softmax"), (r"softplus", "Softplus"), (r"elu$", "ELU"), (r"flatten", "Flatten"),
    (r"identity", "Identity"), (r"maxpool|max_pool|^pool\d*$", "MaxPool2d"), (r"mse", "MSELoss"),
    (r"cross_?entropy|^ce(_loss)?$", "CrossEntropyLoss"), (r"bce.*logits", "BCEWithLogitsLoss"), (r"bce", "BCELoss"),
    (r"cos(ine)?_sim", "CosineSimilarity"), (r"^criterion$|^loss_fn$|^loss_function$|^loss(_func)?$", "loss"),
)  # fmt: skip
WEIGHTED = (
    (r"emb(ed)?|wte|wpe|lookup", "Embedding"), (r"rms", "RMSNorm"), (r"(^|_)bn\d*|batch_?norm", "BatchNorm"),
    (r"(^|_)ln|norm", "LayerNorm"), (r"conv", "Conv"), (r"gru", "GRU"), (r"lstm", "LSTM"), (r"rnn", "RNN"),
)  # fmt: skip
WIDTH = 8


class Assumed(Methods):
    """Reads calls of layers that the code doesn't define."""

    outermost: Instance | None = None

    def whole_object(self) -> Instance:
        """The object `self` of a method that was pasted without its class."""
        if self.outermost is None:
            functions = {name: one for name, one in self.root.names.items() if hasattr(one, "args")}
            self.outermost = Instance(Class("the module", [], functions, ast.Pass()))
        return self.outermost

    def assumed(self, unknown: Unknown, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A call of something that is missing: a layer by its name and its weights."""
        if unknown.path not in self.layers:
            self.layers[unknown.path] = self.layer(unknown, args, node)
        return self.called(self.layers[unknown.path], args, kwargs, node)

    layers: Parameters

    def layer(self, unknown: Unknown, args: list[Any], node: ast.expr) -> Any:
        path = unknown.path.split(".")
        name = next((one for one in reversed(path) if not one.isdigit()), path[-1])
        weight = self.table.given([*path, "weight"])
        x = args[0] if args else None
        x = self.tensor_of(x) if isinstance(x, Unknown) else x
        if not isinstance(x, Tensor):
            raise Refusal("found-missing", found=unknown.path, at=node)
        if weight is None:
            for words, kind in PLAIN:
                if re.search(words, name, re.IGNORECASE):
                    return self.built(self.loss(args) if kind == "loss" else kind, _settings(kind), path, node)
        if isinstance(weight, Tensor):
            return self.weighted(name, path, weight, x, node)
        if len(args) > 1 or not self.is_method_of_object(unknown):
            raise Refusal("found-missing", found=unknown.path, at=node)
        return self.unweighted(name, path, x, node)

    def is_method_of_object(self, unknown: Unknown) -> bool:
        """Whether `self.fc(x)` is called, and no function that is missing."""
        return "." in unknown.path or self.outermost is not None

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
            same = [size // 2 for size in shape[2:]]
            settings = [shape[1], shape[0], tuple(shape[2:]), 1, tuple(same), 1, 1, has_bias]
            return self.built(f"Conv{len(shape) - 2}d", settings, path, node)
        raise Refusal("found-missing", found=".".join(path), at=node)

    def unweighted(self, name: str, path: list[str], x: Tensor, node: ast.expr) -> Any:
        """A layer by its name and by what it is given."""
        width = x.shape[-1] if x.shape else WIDTH
        kind = next((kind for words, kind in WEIGHTED if re.search(words, name, re.IGNORECASE)), "Linear")
        if not x.meta.is_floating_point():
            return self.built("Embedding", [self.guesser_classes(), WIDTH], path, node)
        if kind == "BatchNorm":
            return self.built("BatchNorm2d" if len(x.shape) == 4 else "BatchNorm1d", [x.shape[1]], path, node)
        if kind in ("LayerNorm", "RMSNorm"):
            return self.built(kind, [width], path, node)
        if kind == "Conv" and len(x.shape) in (3, 4):
            return self.built(f"Conv{len(x.shape) - 2}d", [x.shape[1], 4, 3, 1, 1], path, node)
        if kind in ("GRU", "LSTM", "RNN"):
            return self.built(kind, [width, WIDTH], path, node)
        return self.built("Linear", [width, WIDTH], path, node)

    def guesser_classes(self) -> int:
        return 7

    def built(self, kind: str, settings: list[Any], path: list[str], node: ast.expr, bias: bool = True) -> Any:
        """A layer of the library in the place where the code has it."""
        one: Any = self.called(self.library_class(kind), settings, {}, node)
        if not bias:
            one.attributes["bias"] = None
        owner: Instance | None = None
        for name in path[:-1]:
            owner = Instance(Class("", [], {}, ast.Pass()), owner=owner or self.nowhere, name=name)
        one.owner, one.name = owner or self.nowhere, path[-1]
        self.note("assumed", node, found=".".join(path), kind=f"nn.{kind}")
        return one

    nowhere = Instance(Class("", [], {}, ast.Pass()))


def _settings(kind: str) -> list[Any]:
    return {"Softmax": [-1], "LogSoftmax": [-1], "MaxPool2d": [2]}.get(kind, [])


__all__ = ["Assumed", "Scope"]
