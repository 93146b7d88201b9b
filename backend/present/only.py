"""Some of a walk's tensors by their variables, for who asks again and again: answers POST /api/walk with `only`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict

import torch

from backend.engine.encode import encoder, number
from backend.engine.execute.lookup import known
from backend.present.picture_types import Wire
from backend.present.schema import Loss, WalkDocument
from backend.program.runs import Run


class OnlyDocument(TypedDict):
    """The answer of POST /api/walk with `only`: nothing is judged, and nothing told."""

    id: Annotated[str, "hash of the request, that of the whole walk"]
    loss: Loss
    tensors: Annotated[dict[str, Wire | None], "by variable, gradients as `dW`; null where no gradient arrives"]


WalkAnswer = WalkDocument | OnlyDocument


def only(run: Run, variables: Sequence[str], identity: str, arrays: str) -> OnlyDocument:
    """The loss, and the values and gradients of these variables; raises Refusal for one that the walk doesn't have."""
    graph = run.plan.graph
    values = run.forward.tensors
    gradients = dict.fromkeys((f"d{node.variable}" for node in graph.named), None) | run.gradients
    there: Mapping[str, torch.Tensor | None] = {**gradients, **values}
    found = {variable: known(there, variable) for variable in variables}
    encode = encoder(arrays, [tensor.numel() for tensor in found.values() if tensor is not None])
    return {
        "id": identity,
        "loss": {"name": str(graph.loss.name), "value": number(float(values[graph.loss.variable]))},
        "tensors": {name: None if tensor is None else encode(tensor) for name, tensor in found.items()},
    }
