"""A step of a run as the request of a walk: the program with the minibatch and the weights of that step."""

from __future__ import annotations

import torch

from backend.engine.encode import Document, number
from backend.engine.language.errors import Refusal
from backend.training.instruments import tensors_of
from backend.training.trainer import Moment, Trainer

DIGITS = {torch.float32: 9, torch.float64: 17}  # with which every number is read back as it was


def walk_request(trainer: Trainer, moment: Moment) -> Document:
    """The body of POST /api/walk that shows a step; a planted mistake goes with it."""
    material, plan = trainer.task.material, moment.plan
    roles = {name: given.role for name, given in material.inputs.items()}
    shown = tensors_of(trainer, moment)
    for name, tensor in shown.items():
        if not tensor.isfinite().all():
            raise Refusal("step-not-finite", found=name)
    tensors = {name: {"role": roles[name], "values": values_of(tensor)} for name, tensor in shown.items()}
    request: Document = {
        "source": plan.graph.source, "tensors": tensors, "constants": dict(material.constants),
        "loss": plan.graph.loss.name, "dtype": str(material.dtype).removeprefix("torch."),
        "dims": {name: list(axes) for name, axes in material.dims.items()},
    }  # fmt: skip
    told_by = {"copy_of": material.lesson.name} if material.lesson else {}
    plant = trainer.task.request["walk"].get("plant")
    return request | told_by | ({"plant": plant} if plant else {})


def values_of(tensor: torch.Tensor) -> object:
    """A tensor as nested lists of the shortest numbers that are read back as they were."""
    if not tensor.is_floating_point():
        return tensor.tolist()
    digits = DIGITS[tensor.dtype]

    def short(value: object) -> object:
        if isinstance(value, list):
            return [short(part) for part in value]
        assert isinstance(value, float)
        return number(float(f"{value:.{digits}g}"))

    return short(tensor.tolist())
