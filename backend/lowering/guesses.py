"""What a tensor or number that is missing may be: by its name, and by what did not fit when it was tried."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from backend.lowering.values import Spec

# Small lengths that tell axes apart: examples, places in time, channels, classes.
B, T, C, V = 2, 5, 8, 7
WHOLE = re.compile(r"(^|_)(idx|ids?|tokens?|indices|index|labels?|targets?|y|inputs_ids|input_ids|ix|words?|Yb|Xb|ys)$")
WEIGHT = re.compile(r"^(W|w|weight|kernel)|(_W|_w|_weight|weights?)$")
BIAS = re.compile(r"^(b|bias)\d*$|(_b|_bias|bias)$")
NUMBERS: tuple[tuple[str, int | float], ...] = (
    (r"eps(ilon)?$", 1e-5),
    (r"(n_?|num_?)?heads?$|n_head|nhead|groups?$", 2),
    (r"dropout|p$|drop_prob|dropout_p|drop", 0.0),
    (r"temp(erature)?$|tau$|alpha$|beta$|gamma$|lam(bda)?$|lambd|lr$|coef|weight$|rate$|decay$|momentum$|margin$", 0.1),
    (r"dim$|axis$", -1),
    (r"vocab_size|num_classes|n_class|n_classes|classes$|vocab$|num_actions|n_actions", V),
    (r"n_layers?$|num_layers$|depth$|layers$|n_steps|steps$|iters?$|iterations$|K$|k$", 2),
    (r"block_size|seq_len|max_len|context|T$|time|window", T),
    (r"batch|B$|^n$|N$", B),
    (r"scale", 0.5),
    (r"head_size|head_dim|d_k|hs$", 4),
    (r"", C),
)
SIZES = re.compile(
    r"vocab|embd|embed|d_model|^dim|_dim$|hidden|block_size|seq|context|length|n_?layer|num_layers|depth|head|batch"
    r"|channels|features|width|steps|iters|epochs|size$|^n_"
)


@dataclass(frozen=True)
class Guess:
    """A row for the table, why it is like that, and whether nothing else would fit."""

    spec: Spec
    reason: str
    sure: bool = False


class Guesser:
    """Guesses by name; `tried` are shapes that fitted better when the program was run before."""

    def __init__(self, tried: Mapping[str, Spec] | None = None) -> None:
        self.tried = dict(tried or {})

    def tensor(self, path: str) -> Guess:
        """A tensor by the path that the code has for it."""
        if "shape" in self.tried.get(path, ()):
            return Guess(self.tried[path], "a shape with which the program runs")
        name = path.rpartition(".")[2]
        if WHOLE.search(name):
            return Guess(whole((B, T), V), "whole numbers, by its name")
        if BIAS.search(name):
            return Guess(decimals((C,), "parameter"), "a bias, by its name")
        if WEIGHT.search(name):
            return Guess(decimals((C, C), "parameter"), "a weight, by its name")
        return Guess(decimals((B, C), "data"), "a batch of rows")

    def size(self, name: str) -> int | None:
        """A small number in the place of a size of the settings; None for what is none."""
        if not SIZES.search(name):
            return None
        value = self.number(name)
        return value if isinstance(value, int) and value > 0 else None

    def number(self, path: str) -> int | float:
        """A number by the path that the code has for it."""
        value = self.tried.get(path, {}).get("values")
        if isinstance(value, int | float):
            return value
        name = path.rpartition(".")[2]
        return next(value for words, value in NUMBERS if re.search(words, name))


def whole(shape: tuple[int, ...], below: int) -> Spec:
    """A row of whole numbers."""
    return {"role": "target", "shape": list(shape), "init": "randint", "low": 0, "high": below}


def decimals(shape: tuple[int, ...], role: str) -> Spec:
    """A row of drawn decimals."""
    return {"role": role, "shape": list(shape), "init": "randn"}
