"""Every kind of mistake in a backward line: its code, and what is said of it wherever it is met; each is one block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    `cases` has those of a closer look, by what was seen; `edited` is that of an edit which mends the answer.
    `plainer`: its sentence says it better than a mutant's label. `by_factor`: it is told as a factor.
    `planted` is the label under which it is offered to be planted, in the order of the blocks.
    """

    kind: str
    said: str = ""
    cases: Mapping[str, str] = field(default_factory=dict)
    edited: str = ""
    planted: str = ""
    plainer: bool = False
    by_factor: bool = False


CODES: dict[DiagnosisCode, Words] = {
    "syntax": Words("not a line of the language"),
    "unknown-name": Words(
        "unknown name",
        cases={
            "asked": "`{asked}` is what is asked for: it has no value yet.",
            "later": "`{name}` comes later in the backward pass: it needs `{asked}` itself.",
        },
    ),
    "not-allowed": Words("not allowed"),
    "missing-sum": Words(
        "sum missing",
        "`{target}` was copied going forward, so its gradients add up: the sum is missing.",
        cases={
            "rule": "A sum is missing: each number of `{target}` moves several others, and their gradients add up.",
            "axes": "`{target}` was copied along more axes than are summed here.",
        },
        planted="the sum is left out",
        plainer=True,
    ),
    "wrong-axis": Words(
        "wrong axis",
        "The sum runs along other axes than those that `{target}` was copied along.",
        cases={"rule": "The sum runs along the wrong axis."},
        planted="the other axis is summed",
    ),
    "keepdim": Words(
        "keepdim",
        "The numbers are right, but the shape is {have}: `{target}` has {want}.",
        cases={"lost": "{refusal} The sum has lost its axis: write `{instead}`."},
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
        cases={"product": "A matrix of the product stands the wrong way round: with `.T`, or without it."},
        planted="a matrix is turned the wrong way",
    ),
    "overwritten-path": Words(
        "= in place of +=",
        "`=` throws away what came by another path: the gradients of all paths are added, with `+=`.",
        cases={
            "places": "What is picked several times gets several gradients, and they add up: here all but one are "
            "lost. `index_add_` adds them, or `index_put` with `accumulate=True`."
        },
        planted="`=` instead of `+=`",
        plainer=True,
    ),
    "sign": Words(
        "sign",
        "The sign is wrong.",
        cases={"path": "What comes by `{path}` has the wrong sign.", "term": "A term has the wrong sign."},
        planted="the sign is flipped",
        by_factor=True,
    ),
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
    "hard-coded": Words(
        "hard-coded number",
        cases={
            "size": "`{number}` is a size of this minibatch, and the answer is wrong at another one: {mend}.",
            "numbers": "This is right on the minibatch that is shown, and wrong on others: "
            "it holds numbers of this one.",
        },
    ),
    "aliasing": Words(
        "another gradient changed",
        cases={
            "changed": "This also changes {names}: two names hold the same tensor. "
            "Write `.clone()` where it is taken over."
        },
    ),
    "forward-value": Words(
        "value in place of gradient", "This is `{target}` itself, going forward, and not its gradient.", plainer=True
    ),
    "close-but-unstable": Words(
        "not stable",
        cases={
            "rounding": "The rule is right in float64, but in float32 rounding spoils it: {lost}.",
            "close": "This is close, and not the gradient: it differs by up to {share} of the largest cell.",
        },
    ),
    "unknown": Words(
        "something else",
        "It isn't the gradient, and I don't recognise the mistake.",
        cases={"zeros": "This is zero everywhere, and the gradient isn't."},
        edited="`{part}` is not the local derivative here.",
    ),
}


def closer(code: DiagnosisCode, case: str, **facts: str) -> str:
    """The sentence of a closer look."""
    return CODES[code].cases[case].format_map(facts)


# Those that can be planted, with their labels, in the order in which they are offered.
PLANTED = {code: words.planted for code, words in CODES.items() if words.planted}
