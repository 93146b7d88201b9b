"""What a fuzzer puts into programs: tensors of every kind, and texts of every kind of argument."""

from __future__ import annotations

from random import Random
from typing import Any

FLOATS: dict[str, list[int]] = {
    "s": [], "one": [1], "v": [3], "u": [4], "a": [2, 3], "b": [3, 4], "q": [3, 3], "t": [2, 3, 4], "w": [2, 1, 3], "c": [1, 2, 3, 3],
    "e": [0], "n": [0, 3], "o": [3, 0], "deep": [1, 2, 1, 2, 1], "col": [3, 1], "row": [1, 3],
}  # fmt: skip
WHOLE: dict[str, Any] = {
    "k": [0, 1, 2], "kk": [2, 0, 1], "far": [0, 7, -9], "kq": [[0, 1, 2], [2, 2, 0]], "ks": 1, "minus": [-100, 1, 0],
    "truth": True, "mask": [True, False, True], "masks": [[True, False, True], [False, False, False]], "no": False,
}  # fmt: skip
NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-2",
    "7",
    "0.5",
    "-1.5",
    "1e30",
    "1e-30",
    "2**40",
    "math.inf",
    "-math.inf",
    "n0",
    "1.0",
]
WORDS = [
    "'mean'",
    "'sum'",
    "'none'",
    "'batchmean'",
    "''",
    "'ij,jk->ik'",
    "'i,i'",
    "'ii->i'",
    "'...i,i'",
    "'a'",
    "'floor'",
]
OTHERS = [
    "None", "True", "False", "...", ":", "1:", "::2", "(0, 1)", "(1, 0)", "(2, 3)", "[0, 1]", "(-1,)", "(3,)", "()", "[]", "(0, 0)",
    "range(3)", "range(0)", "torch.float32", "torch.float64", "torch.int64", "torch.bool", "(None, 1)", "[2, 1]", "(1, 2, 0)",
    "x.shape", "x.shape[0]", "len(x)", "(1, 1, 1, 1)", "[[0], [1]]", "((0,), (0,))", "x.dtype", "max(2, 3)",
]  # fmt: skip


def tensors(draw: Random) -> dict[str, dict[str, Any]]:
    """Inputs of many shapes, kinds and roles; which of the decimals get a gradient differs."""
    made: dict[str, dict[str, Any]] = {"x": {"role": "parameter", "shape": [2, 3], "init": "randn", "seed": 1}}
    for seed, (name, shape) in enumerate(FLOATS.items()):
        init = draw.choice(["randn", "randn", "rand", "zeros", "ones"])
        made[name] = {"role": draw.choice(["parameter", "data", "target"]), "shape": shape, "init": init, "seed": seed}
    return made | {name: {"role": draw.choice(["data", "target"]), "values": values} for name, values in WHOLE.items()}


def argument(draw: Random, depth: int = 2) -> str:
    """One argument: mostly a tensor, else anything."""
    kind = draw.random()
    if kind < 0.55:
        return draw.choice(["x", *FLOATS])
    if kind < 0.65:
        return draw.choice([*WHOLE])
    if kind < 0.77:
        return draw.choice(NUMBERS)
    if kind < 0.82:
        return draw.choice(WORDS)
    if kind < 0.92 or not depth:
        return draw.choice(OTHERS)
    parts = ", ".join(argument(draw, depth - 1) for _ in range(draw.randint(1, 3)))
    return draw.choice(["({},)", "[{}]", "({})"]).format(parts) if kind < 0.97 else f"{parts.split(',')[0]} > 0"
