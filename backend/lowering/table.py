"""The table of tensors and constants as code as found meets it: what is given, what the code makes, what is missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

import torch

from backend.engine.interpret.evaluate import TORCH_FAILS
from backend.engine.interpret.shape_inference import check_size
from backend.engine.language.allowed import spelled_out
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import wants_memory
from backend.engine.language.values import Parameters
from backend.engine.language.values import Scope as Constants
from backend.lowering.guesses import Guesser
from backend.lowering.values import Leaf, Spec, Tensor, Unknown, written_as
from backend.lowering.written import Writer

Row = Parameters
WEIGHTS = re.compile(r"(^|_)(weight|bias)(_|$)")


class Table:
    """Finds a tensor by the path that the code has for it, under any spelling that a person may have given it."""

    def __init__(
        self, tensors: Mapping[str, torch.Tensor], constants: Constants, writer: Writer, guesser: Guesser
    ) -> None:
        self.tensors, self.constants, self.writer, self.guesser = tensors, constants, writer, guesser
        self.keys = {_key(name): name for name in [*constants, *tensors]}
        self.claimed: dict[str, str] = {}
        self.known: dict[str, Tensor] = {}
        self.lifted: dict[str, Spec] = {}
        self.numbers: dict[str, int | float] = {}
        self.needs: list[Row] = []
        self.labels: dict[str, str] = {}
        self.seeds = 0

    def keep(self, read: set[str]) -> None:
        """Leave out what the code makes and nothing reads, but for weights; what was missing the code has read."""
        read = read | {row["name"] for row in self.needs}
        for name in [name for name, spec in self.lifted.items() if name not in read and spec["role"] != "parameter"]:
            del self.lifted[name]

    def find(self, path: list[str]) -> str | None:
        """The name in the table for a path such as `attn.c_attn.weight`: whole, or without what it begins with."""
        for start in range(len(path)):
            tail = path[start:]
            if start and len(path) > 1 and len(tail) == 1 and tail[0] in ("weight", "bias"):
                return None
            name = self.keys.get(_key("_".join(tail)))
            if name is not None and self.claimed.setdefault(name, ".".join(path)) == ".".join(path):
                return name
        return None

    def has_part(self, path: list[str]) -> bool:
        """Whether the table has something of which this is the beginning: `layers.0` of `layers.0.weight`."""
        key = _key("_".join(path))
        return any(name == key or name.startswith(f"{key}_") for name in self.keys)

    def weights_of(self, path: list[str]) -> set[str]:
        """What is called like weights behind a path: `weight` where the table has `fc.weight`."""
        key = _key("_".join(path)) + "_"
        behind = {name.removeprefix(key) for name in self.keys if name.startswith(key)}
        return {name for name in behind if WEIGHTS.search(name)}

    def given(self, path: list[str]) -> Any:
        """The tensor or number that the table gives for a path; None for none."""
        name = self.find(path)
        if name is None or name in self.numbers:
            return self.guessed(".".join(path))
        if len(path) > 1:
            self.labels.setdefault(name, ".".join(path))
        if name in self.tensors:
            return self.tensor(name)
        value = self.constants[name]
        return written_as(value, ast.Name(name, ast.Load())) if isinstance(value, int | float) else value

    def guessed(self, path: str) -> Any:
        """What was guessed for a path before; None for nothing."""
        if path in self.known:
            return self.known[path]
        name = next((name for name, owner in self.claimed.items() if owner == path and name in self.numbers), None)
        return None if name is None else written_as(self.numbers[name], ast.Name(name, ast.Load()))

    def supposed(self, tensor: Tensor) -> str:
        """The path of what was missing and was taken for this tensor; "" for one that is given."""
        needs = {row["path"] for row in self.needs}
        return next((path for path, one in self.known.items() if one is tensor and path in needs), "")

    def tensor(self, name: str) -> Tensor:
        """A tensor of the table by its name there."""
        if name not in self.known:
            meta = self.tensors[name].to("meta")
            self.known[name] = Tensor(ast.Name(name, ast.Load()), meta, name)
        return self.known[name]

    def settle(self, leaf: Leaf) -> None:
        """Give a tensor that the code makes its name, and its row in the table; what is given there takes its place."""
        leaf.is_settled = True
        path = [*(leaf.owner.path() if leaf.owner else []), leaf.name or "tensor"]
        name = self.find(path)
        if name is not None and name in self.tensors:
            leaf.meta = self.tensors[name].to("meta")
            leaf.spec = dict(leaf.spec)
        else:
            name = self.writer.free("_".join(path), is_input=True)
            self.seeds += 1
            spec = leaf.spec
            self.lifted[name] = spec if "values" in spec else {**spec, "seed": spec.get("seed", self.seeds)}
        leaf.variable = name
        leaf.expr = ast.Name(name, ast.Load())
        if len(path) > 1:
            self.labels[name] = ".".join(path)

    def need(self, unknown: Unknown, use: Spec | None = None) -> Tensor:
        """A tensor that is missing, by a guess."""
        if unknown.path not in self.known:
            guess = self.guesser.tensor(unknown.path, use)
            leaf = Leaf(guess.spec, outline(guess.spec, unknown.node), unknown.path.replace(".", "_"))
            self.settle(leaf)
            leaf.fixed = False
            self.known[unknown.path] = leaf
            row = {"name": leaf.variable, "path": unknown.path, "made_by": unknown.made_by, **leaf.spec}
            self.needs.append({**row, "reason": guess.reason, "sure": guess.sure})
        return self.known[unknown.path]

    def is_large(self, name: str, value: int) -> bool:
        """Whether a number is a size of the settings that could be smaller."""
        least = self.guesser.size(name)
        return least is not None and value > least

    def small(self, name: str, value: int) -> Any:
        """A size of the settings, made small: a number of the table that a person may change."""
        least = self.guesser.size(name) or value
        if name not in self.numbers:
            self.numbers[name] = least
            self.writer.taken.add(name)
            row = {"name": name, "path": name, "role": "number", "values": least}
            self.needs.append({**row, "reason": f"{int(value):,} in the code, made small", "sure": False})
        return written_as(self.numbers[name], ast.Name(name, ast.Load()))

    def number(self, unknown: Unknown, is_size: bool = False, named: str = "") -> Any:
        """A number that is missing, by a guess; called by the last word of its path unless `named` is given."""
        name = next((name for name, path in self.claimed.items() if path == unknown.path), None)
        if name is None:
            value = self.guesser.number(unknown.path, is_size)
            last = unknown.path.rpartition(".")[2]
            whole = unknown.path.replace(".", "_")
            name = self.writer.free(named or (whole if last.isdigit() else last))
            self.claimed[name] = unknown.path
            self.numbers[name] = value
            row = {"name": name, "path": unknown.path, "role": "number", "values": value}
            self.needs.append({**row, "reason": "a number, by its name", "sure": False})
        return written_as(self.numbers[name], ast.Name(name, ast.Load()))


def _key(name: str) -> str:
    words = re.sub(r"\W+", "_", name if name.isascii() else spelled_out(name))
    return words.removeprefix("self_").strip("_")


def outline(spec: Spec, at: ast.AST | None = None) -> torch.Tensor:
    """The shape and kind of number of a row of the table."""
    if "values" in spec:
        try:
            made = torch.tensor(spec["values"])
        except (*TORCH_FAILS, OverflowError) as error:
            raise error if wants_memory(error) else Refusal("tensor-values", found="values", at=at) from None
        kind = torch.get_default_dtype() if made.is_floating_point() else made.dtype
        return torch.empty(made.shape, dtype=kind, device="meta")
    shape = tuple(spec["shape"])
    check_size(shape, at)
    kind = torch.int64 if spec["init"] == "randint" else torch.get_default_dtype()
    return torch.empty(shape, dtype=kind, device="meta")
