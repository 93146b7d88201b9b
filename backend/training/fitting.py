"""Which inputs of a program a data set is written into, and whether it fits: what was found, what was expected."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import torch

from backend.engine.execute.run import loss_of
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.engine.trace.inputs import Input
from backend.pipeline import planned
from backend.program.data.examples import Examples, minibatch
from backend.program.request import Material, Request
from backend.training.data import CONTEXTS, TARGETS, DataSet, Minibatches, digits, names

EXAMPLES = "n"  # the constant that programs count their examples with
USUAL = (CONTEXTS, TARGETS), ("X", "Y"), ("x", "y")
MOST_SAID = 3
EXPECTED = {
    "names": "whole numbers of shape (n, context), and targets, whole numbers of shape (n,)",
    "digits": "numbers of shape (n, pixels), and targets, whole numbers of shape (n,)",
}


def with_data(
    request: Request, material: Material, kind: str, seed: int, path: Path | None
) -> tuple[Material, Minibatches]:
    """The material of a program with a minibatch of a data set in it, and the source of all that follow.

    The batch is the program's own unless the request asks for another. Raises Refusal where the data do not fit.
    """
    inputs = inputs_for(material, kind)
    examples = material.tensors[inputs[0]]
    if kind == "names":
        data = names(path, _context(request, examples, inputs[0]))
    else:
        data = _shaped(digits(material.dtype), examples, inputs[0])
    batch = int(request.get("batch", len(examples)))
    material = _with_batch(material, data, inputs, batch, seed)
    check_values(material, data, inputs)
    return material, Minibatches(data, batch, torch.Generator().manual_seed(seed), inputs)


def inputs_for(material: Material, kind: str) -> tuple[str, str]:
    """The inputs that take examples and targets, by the usual names or because no others could; or Refusal."""
    tensors = {name: tensor for name, tensor in material.tensors.items() if material.inputs[name].role != "parameter"}
    whole = {name for name, tensor in tensors.items() if tensor.dtype is torch.int64}
    targets = [name for name in tensors if name in whole and tensors[name].dim() == 1]
    if kind == "names":
        examples = [name for name in tensors if name in whole and tensors[name].dim() == 2]
    else:
        examples = [name for name in tensors if tensors[name].is_floating_point() and tensors[name].dim() > 1]
    pairs = [(x, y) for x in examples for y in targets if len(tensors[x]) == len(tensors[y])]
    usual = [pair for pair in USUAL if pair in pairs]
    if not usual and len(pairs) != 1:
        raise Refusal("data-inputs", data=kind, found=_described(tensors), expected=EXPECTED[kind])
    return (usual or pairs)[0]


def _described(tensors: Mapping[str, torch.Tensor]) -> str:
    told = [
        f"`{name}` {shape_text(one.shape)}{' of whole numbers' * (not one.is_floating_point())}"
        for name, one in tensors.items()
    ]
    return ", ".join(told[:MOST_SAID]) + " …" * (len(told) > MOST_SAID) or "no data at all"


def _context(request: Request, examples: torch.Tensor, name: str) -> int:
    """How many letters stand in front, which the program's own tensor says."""
    context = int(examples.shape[1])
    asked = request.get("sizes", {}).get("context", context)
    if asked != context:
        raise Refusal("data-context", found=name, context=context, asked=asked)
    return context


def _shaped(data: DataSet, examples: torch.Tensor, name: str) -> DataSet:
    """Pictures in the shape in which the program takes them, such as (n, pixels) or (n, 1, side, side)."""
    pixels, own = data.train.X.shape[1], tuple(examples.shape[1:])
    if math.prod(own) != pixels:
        raise Refusal("data-shape", found=name, shape=shape_text(examples.shape), title=data.title, pixels=pixels)
    return replace(data, splits=tuple(Examples(part.X.view(-1, *own), part.Y) for part in data.splits))


def _with_batch(material: Material, data: DataSet, inputs: tuple[str, str], batch: int, seed: int) -> Material:
    """The material with a first minibatch; of another size than its own, with its constant `n` to match."""
    own = len(material.tensors[inputs[1]])
    drawn = minibatch(data.train.X, data.train.Y, batch, torch.Generator().manual_seed(seed))
    tensors = {**material.tensors, **dict(zip(inputs, drawn, strict=True))}
    constants = dict(material.constants)
    if constants.get(EXAMPLES) == own:
        constants[EXAMPLES] = batch
    made = replace(material, tensors=tensors, inputs=retold(material, tensors), constants=constants)
    if batch != own:
        try:
            planned(made)
        except Refusal as refusal:
            raise Refusal("data-batch", found=own, asked=batch, why=_clause(refusal)) from None
    return made


def _clause(refusal: Refusal) -> str:
    """What a refusal says, as the end of another sentence."""
    return refusal.message.rstrip(".")


def retold(material: Material, tensors: Mapping[str, torch.Tensor]) -> dict[str, Input]:
    """Tensors of the same names as inputs of the same roles."""
    return {name: Input(material.inputs[name].role, tuple(one.shape), one.dtype) for name, one in tensors.items()}


def check_values(material: Material, data: DataSet, inputs: tuple[str, str]) -> None:
    """Raise Refusal where the program has no place for the largest of the whole numbers that the data hold."""
    most = data.classes - 1
    extreme = {
        name: torch.full_like(material.tensors[name], most)
        for name in inputs
        if not material.tensors[name].is_floating_point()
    }
    try:
        loss_of(planned(material).graph, {**material.tensors, **extreme}, material.dtype)
    except Refusal as refusal:
        raise Refusal("data-values", title=data.title, most=most, classes=data.classes, why=_clause(refusal)) from None
