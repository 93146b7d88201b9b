"""Drafts of drills: programs of a line or two in which an operation is used on tensors of odd and unequal lengths."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import torch

from backend.engine.encode import Document
from backend.engine.language.expression import expression
from backend.engine.language.unparse import printed
from backend.engine.ops import OPS, Op
from backend.engine.ops.base import Shape
from backend.engine.ops.compose import transposed
from backend.engine.ops.groups import drilled_with, place_of
from backend.engine.ops.sample import WHOLE_NUMBERS, Sample, is_tensor, read, shape_of
from backend.engine.trace.inputs import Input
from backend.services.op_example import ENDS, filled, fits, use_of

# Lengths that samples have, and the odd ones that take their place, in the same order.
LENGTHS, ODD = (2, 3, 4, 5, 6), (3, 5, 7, 9, 11, 13)
# Drills that are about no one kind of operation.
MORE_GROUPS = {"broadcasting": "Broadcasting", "paths": "Two paths"}
# What speaks of lengths in a sample's parameters.
SIZED = re.compile(r"(?:ints|mask)\([\d,]*\)(?:<\d+)?|range\(\d+\)")
# How cells are drawn that a sample wants positive, above 1, or between 0 and 1.
DRAWN: dict[str, Document] = {
    "+": {"init": "rand", "scale": 1.5, "shift": 0.3},
    ">1": {"init": "rand", "shift": 1.1},
    "01": {"init": "rand", "scale": 0.8, "shift": 0.1},
    "": {"init": "randn"},
}
# Shapes of two factors that broadcast, in lengths a and b: a row, a column, one of each, a single number.
STRETCHED = (("(a,b)", "(b,)"), ("(a,b)", "(a,1)"), ("(a,1)", "(1,b)"), ("(a,b)", "(1,b)"), ("(a,b)", "()"))
# In groups with many kinds of one operation, so many of its samples are drilled.
SEVERAL = {"reductions": 2}
# Of so many spellings the first is taken that torch takes.
SPELLINGS = 3
# The weights of the sum behind `out`.
WEIGHTS = "G"
# One in so many cell-by-cell functions is used twice in a program.
ONE_IN = 4


@dataclass(frozen=True)
class Draft:
    """A program with `out`, of which drills are made.

    Of drafts with one key so many are wanted as `most` says, each of another `sample`. `tensors` are as in a walk's
    request, `targets` the inputs of interest, None for all; `after` is a line that must make a drill by itself for this
    one to be of interest.
    """

    key: str
    group: str
    lines: tuple[str, ...]
    inputs: dict[str, Input]
    tensors: Document
    seed: int
    targets: tuple[str, ...] | None = None
    most: int = 1
    sample: int = 0
    after: str = ""

    @property
    def source(self) -> str:
        """The program: what arrives at `out` are the weights of its sum."""
        return "\n".join([*self.lines, f"loss = (out * {WEIGHTS}).sum()"])


def drafts(seed: int, group: str) -> Iterator[Draft]:
    """Every draft of a group, by operation; the seed chooses sizes, spellings and numbers."""
    for op in sorted((op for op in OPS if drilled_with(op) and op.differentiable), key=place_of):
        if group not in (drilled_with(op), *MORE_GROUPS):
            continue
        random = Random(f"{seed} {op.name()}")  # noqa: S311 - sizes of drills are no secret
        own = [replace(made, key=op.name()) for made in _of_samples(op, random)]
        # which drills there are follows from the operation alone: they are known by it from deck to deck
        always = Random(op.name())  # noqa: S311
        several = (own, _turned(op, own), _broadcast(op, random, always), _twice(op, own, random, always))
        yield from (draft for some in several for draft in some if draft.group == group)


def _of_samples(op: type[Op], random: Random) -> Iterator[Draft]:
    """Uses of an operation on its own samples at odd lengths, then as they stand: lengths may not be free."""
    group = str(drilled_with(op))
    samples = [read(text) for text in op.samples if "number" not in text and "zero" not in text]
    large = [sample for sample in samples if any(shape_of(word) for word in sample.inputs)]
    random.shuffle(large)
    if group == "products":  # first of two matrices, then of all that a product may be of besides
        large.sort(key=lambda sample: [len(shape_of(word)) - word.count("1") for word in sample.inputs] != [2, 2])
    for number, sample in enumerate(large):
        for made in (*_uses(op, _resized(sample, random), random), *_uses(op, sample, random)):
            first = tuple(made.inputs)[:1] if group == "softmax" and len(op.backward) == 2 else None
            yield replace(made, group=group, targets=first, most=SEVERAL.get(group, 1), sample=number)


def _uses(op: type[Op], sample: Sample, random: Random) -> Iterator[Draft]:
    """The operation on a sample, in some of the spellings that take its arguments."""
    inputs, words = use_of(sample, op)
    spellings = [text for text, one in zip(op.written, op.signatures, strict=True) if fits(one, words)]
    for text in random.sample(spellings, min(SPELLINGS, len(spellings))) if inputs else ():
        seed = random.randrange(1, 1000)
        yield Draft("", "", (ENDS[0].format(filled(text, words)),), inputs, tensors_of(sample, inputs, seed), seed)


def tensors_of(sample: Sample, inputs: Mapping[str, Input], seed: int) -> Document:
    """The tensors of a walk's request, with the numbers that a sample wants."""
    words = dict(zip([n for n, one in inputs.items() if one.needs], filter(is_tensor, sample.inputs), strict=False))
    made: Document = {}
    for place, (name, given) in enumerate(inputs.items()):
        found = WHOLE_NUMBERS.fullmatch(sample.named.get(name, ""))
        drawn = DRAWN.get(words.get(name, "()").partition(")")[2], {})
        if found:
            drawn = {"init": "randint", "high": int(found[3] or 2)}
        made[name] = {"role": given.role, "shape": list(given.shape), "seed": seed + place, **drawn}
        if given.dtype is torch.bool:
            made[name] = {"role": given.role, "values": _mask(given.shape, seed)}
        if words.get(name, "").endswith("spd"):
            made[name] = {"role": given.role, "values": _symmetric(given.shape)}
    return made


def _mask(shape: Shape, seed: int) -> Any:
    """True and false, both of them in every mask of more than one cell."""
    drawn = torch.rand(shape, generator=torch.Generator().manual_seed(seed))
    return (drawn > drawn.mean()).tolist()


def _symmetric(shape: Shape) -> Any:
    """Symmetric matrices, each cell smaller the further it is from the diagonal."""
    places = torch.arange(float(shape[-1]))
    return (2.0 / (1 + (places[:, None] - places).abs())).expand(shape).tolist()


def _resized(sample: Sample, random: Random) -> Sample:
    """A sample with odd lengths, wherever it says one; those of a tensor that is alone are all different."""
    alone = (
        len(sample.inputs) == 1 and is_tensor(sample.inputs[0]) and not SIZED.search(" ".join(sample.named.values()))
    )
    if alone and not any(name.endswith(("shape", "sizes")) for name in sample.named):
        free = iter(random.sample(ODD, len(ODD)))
        word = re.sub(r"\b[2-9]\b", lambda _: str(next(free)), sample.inputs[0].partition(")")[0])
        return replace(sample, inputs=[f"{word}){sample.inputs[0].partition(')')[2]}"])
    lengths = dict(zip(LENGTHS, sorted(random.sample(ODD, len(LENGTHS))), strict=True))

    def other(found: re.Match[str]) -> str:
        return re.sub(r"(?<!-)\b\d+\b", lambda one: str(lengths.get(int(one[0]), int(one[0]))), found[0])

    def named(name: str, text: str) -> str:
        return re.sub(r".*" if name.endswith(("shape", "sizes")) else SIZED, other, text)

    return replace(
        sample,
        inputs=[re.sub(r"^\([^)]*\)", other, word) for word in sample.inputs],
        named={name: named(name, text) for name, text in sample.named.items()},
    )


def _broadcast(op: type[Op], random: Random, always: Random) -> Iterator[Draft]:
    """Two tensors of which one stretches, or both."""
    if drilled_with(op) != "elementwise" or not op.broadcasts or len(op.backward) != 2:
        return
    sign = next((read(text).inputs[1].partition(")")[2] for text in op.samples if len(read(text).inputs) == 2), "")
    a, b = random.sample(ODD, 2)
    for number in sorted(always.sample(range(len(STRETCHED)), 2)):
        shapes = [f"{word.replace('a', str(a)).replace('b', str(b))}{sign}" for word in STRETCHED[number]]
        for made in _uses(op, Sample(shapes, {}, False), random):
            short = tuple(name for name, one in made.inputs.items() if tuple(one.shape) != (a, b))
            yield replace(made, key=f"broadcast-{op.name()}-{number}", group="broadcasting", targets=short)


def _turned(op: type[Op], own: list[Draft]) -> Iterator[Draft]:
    """A product of two matrices of which one stands transposed."""
    tree = next((one for text in op.written if isinstance(one := expression(text), ast.BinOp)), None)
    if tree is None or not isinstance(tree.op, ast.MatMult):
        return
    sides = [printed(tree.left), printed(tree.right)]
    draft = next((one for one in own if [len(given.shape) for given in one.inputs.values()] == [2, 2]), None)
    for name in sides if draft else ():
        assert draft is not None
        turned = [printed(transposed(expression(side))) if side == name else side for side in sides]
        shape = tuple(draft.inputs[name].shape)[::-1]
        yield replace(
            draft,
            key=f"turned-{op.name()}-{name}",
            lines=(f"out = {' @ '.join(turned)}",),
            inputs=draft.inputs | {name: replace(draft.inputs[name], shape=shape)},
            tensors=draft.tensors | {name: draft.tensors[name] | {"shape": list(shape)}},
        )


def _twice(op: type[Op], own: list[Draft], random: Random, always: Random) -> Iterator[Draft]:
    """A tensor that is used twice, so that two gradients add up: `a = f(x)` and `out = x * a`."""
    group = drilled_with(op)
    if group == "elementwise" and always.randrange(ONE_IN):
        return
    for draft in own:
        (name, *others), keeps = list(draft.inputs), "keepdim=True" in draft.lines[0]
        if others or not (keeps if group == "reductions" else group == "elementwise"):
            continue
        sign = random.choice("*-/" if keeps else "*+")
        line = draft.lines[0].replace("out = ", "a = ", 1)
        lines = (line, f"out = {name} {sign} a")
        yield replace(draft, key=f"twice-{op.name()}", group="paths", lines=lines, most=1, after=draft.lines[0])
