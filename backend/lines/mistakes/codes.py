"""Every kind of mistake in a backward line: its code, and what is said of it wherever it is met; each is one block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DiagnosisCode = Literal[
    "syntax", "unknown-name", "not-allowed", "missing-sum", "wrong-axis", "keepdim", "missing-local",
    "missing-upstream", "transposed", "overwritten-path", "sign", "scale", "bessel", "shape", "missing-path",
    "wrong-tensor", "hard-coded", "aliasing", "forward-value", "close-but-unstable", "unknown",
]  # fmt: skip


@dataclass(frozen=True)
class Words:
    """What is said of one kind of mistake.

    `kind` names it in a summary. `said` is its sentence in the learner's own names, where no closer look words one;
    `of_the_rule` the one where a sum belongs to the rule itself, as nothing was copied; `edited` that of an edit which
    mends the answer. `plainer`: its sentence says it better than a mutant's label. `by_factor`: it is told as a factor.
    `planted` is the label under which it is offered to be planted, in the order of the blocks.
    """

    kind: str
    said: str = ""
    of_the_rule: str = ""
    edited: str = ""
    planted: str = ""
    plainer: bool = False
    by_factor: bool = False


CODES: dict[DiagnosisCode, Words] = {
    "syntax": Words("not a line of the language"),
    "unknown-name": Words("unknown name"),
    "not-allowed": Words("not allowed"),
    "missing-sum": Words(
        "sum missing",
        "`{target}` was copied going forward, so its gradients add up: the sum is missing.",
        of_the_rule="A sum is missing: each number of `{target}` moves several others, and their gradients add up.",
        planted="the sum is left out",
        plainer=True,
    ),
    "wrong-axis": Words(
        "wrong axis",
        "The sum runs along other axes than those that `{target}` was copied along.",
        of_the_rule="The sum runs along the wrong axis.",
        planted="the other axis is summed",
    ),
    "keepdim": Words(
        "keepdim",
        "The numbers are right, but the shape is {have}: `{target}` has {want}.",
        planted="keepdim is left out",
        plainer=True,
    ),
    "missing-local": Words(
        "local derivative missing", "A local derivative is missing.", planted="the local derivative is left out"
    ),
    "missing-upstream": Words(
        "upstream gradient missing",
        "This is the local derivative alone: the upstream gradient is missing.",
        planted="the upstream gradient is left out",
    ),
    "transposed": Words(
        "transposed",
        "Rows and columns are exchanged: `{target}` has the shape {want}.",
        planted="a matrix is turned the wrong way",
    ),
    "overwritten-path": Words(
        "= in place of +=",
        "`=` throws away what came by another path: the gradients of all paths are added, with `+=`.",
        planted="`=` instead of `+=`",
        plainer=True,
    ),
    "sign": Words("sign", "The sign is wrong.", planted="the sign is flipped", by_factor=True),
    "scale": Words(
        "factor",
        "This is {factor} times the gradient.",
        edited="A factor is wrong: {stands}",
        planted="the constant factor is left out",
        by_factor=True,
    ),
    "bessel": Words(
        "n or n−1",
        "A divisor is off by one: this is {factor} times the gradient.",
        edited="A divisor is off by one: {stands}",
        planted="n and n − 1 are mixed up",
        by_factor=True,
    ),
    "shape": Words("wrong shape", "This gives {have}, and `{target}` has the shape {want}."),
    "missing-path": Words(
        "path missing", "A path is missing: `{target}` reaches the loss through {path}.", plainer=True
    ),
    "wrong-tensor": Words("wrong tensor", "One tensor stands in another's place.", edited="{stands}"),
    "hard-coded": Words("hard-coded number"),
    "aliasing": Words("another gradient changed"),
    "forward-value": Words(
        "value in place of gradient", "This is `{target}` itself, going forward, and not its gradient.", plainer=True
    ),
    "close-but-unstable": Words("not stable"),
    "unknown": Words(
        "something else",
        "It isn't the gradient, and I don't recognise the mistake.",
        edited="`{part}` is not the local derivative here.",
    ),
}
# Those that can be planted, with their labels, in the order in which they are offered.
PLANTED = {code: words.planted for code, words in CODES.items() if words.planted}
