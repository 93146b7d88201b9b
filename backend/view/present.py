"""With this module a run becomes one JSON document in which each step can be read without its neighbours."""

from __future__ import annotations

from typing import Any

import torch

from backend.plan import Document
from backend.run import Contribution
from backend.runs import Run
from backend.verify import Verdict
from backend.view.picture import Picture, PictureDocument, ProductDocument
from backend.view.reasons import reasons
from backend.wire import Encoder, encoder, number

SCHEMA = 1


def document(run: Run, identity: str, arrays: str) -> Document:
    """The Walk, ready to be written as JSON."""
    plan, material = run.plan, run.material
    encode = encoder(arrays, [run.forward.values[node.variable] for node in plan.graph.named])
    loss = plan.graph.loss
    lesson = material.lesson
    steps = plan.forward_steps + _backward_steps(run, encode)
    return {
        "schema": SCHEMA,
        "id": identity,
        "lesson": lesson.name if lesson else None,
        "title": lesson.title if lesson else "Your code",
        "dtype": str(material.dtype).removeprefix("torch."),
        "exact": material.exact,
        "loss": {"name": loss.name, "value": number(float(run.forward.values[loss.variable]))},
        "labels": material.labels,
        "groups": plan.layout.groups,
        "graph": {"width": plan.layout.width, "height": plan.layout.height},
        "nodes": _nodes(run, encode),
        "edges": plan.layout.edges,
        "steps": [{"index": index, **step} for index, step in enumerate(steps)],
        "forward_source": plan.graph.forward_source,
        "backward_source": plan.backward_source,
        "summary": _summary(run),
    }


def _nodes(run: Run, encode: Encoder) -> list[Document]:
    because = reasons(run)
    documents = []
    for entry in run.plan.nodes:
        variable = entry["variable"]
        documents.append(
            entry
            | {"value": encode(run.forward.values[variable]), "gradient": _gradient(run, variable, because, encode)}
        )
        targets = run.material.lesson.tug_of_war.get(entry["name"]) if run.material.lesson else None
        if targets:
            documents[-1] |= {"view": "tug-of-war", "targets": run.forward.values[targets].tolist()}
    by_variable = {entry["variable"]: entry for entry in documents}
    for name, (variable, node) in run.plan.graph.aliases.items():
        documents.append(by_variable[node.variable] | {"name": name, "variable": variable})
    return documents


def _gradient(run: Run, variable: str, because: dict[str, str], encode: Encoder) -> Document | None:
    if variable not in run.verdicts:
        return None
    manual, autograd, verdict = run.gradients["d" + variable], run.forward.autograd[variable], run.verdicts[variable]
    difference = manual - autograd if verdict.shape else torch.full_like(autograd, torch.nan)
    return {
        "manual": encode(manual),
        "autograd": encode(autograd),
        "difference": encode(difference),
        "verdict": _verdict(verdict) | {"because": because[variable]},
    }


def _verdict(verdict: Verdict) -> Document:
    return {key: number(value) for key, value in vars(verdict).items()}


def _backward_steps(run: Run, encode: Encoder) -> list[Document]:
    steps = []
    for step, picture, kept in zip(run.plan.backward_steps, run.plan.pictures, run.contributions, strict=True):
        contribution = encode(kept.value)
        accumulated = contribution if kept.accumulated is kept.value else encode(kept.accumulated)
        numbers: Document = {"contribution": contribution, "accumulated": accumulated, "picture": None}
        if picture is not None:
            numbers["picture"] = _picture(run, picture, kept, encode)
        extra = _rounding_note(run, step, kept)
        steps.append(step | numbers | ({"explanation": [*step["explanation"], extra]} if extra else {}))
    return steps


def _picture(run: Run, picture: Picture, kept: Contribution, encode: Encoder) -> PictureDocument:
    *tensors, product = kept.shown
    return {
        "kind": picture.kind,
        "then": picture.then,
        "symbol": picture.symbol,
        "operands": [
            {
                "role": operand.role,
                "code": operand.code,
                "node": operand.node,
                "which": operand.which,
                "shape": list(operand.shape),
                "dims": operand.dims,
                "tensor": None if operand.node is not None else encode(_tensor(tensor, run)),
            }
            for operand, tensor in zip(picture.operands, tensors, strict=True)
        ],
        "product": None if product is None else _product(picture, product, encode),
        "axes": picture.axes,
    }


def _product(picture: Picture, product: torch.Tensor, encode: Encoder) -> ProductDocument:
    return {
        "code": picture.product_code,
        "shape": list(product.shape),
        "dims": picture.product_dims,
        "tensor": encode(product),
    }


def _tensor(value: Any, run: Run) -> torch.Tensor:
    """A tensor, or a plain number as one of the walk's precision."""
    return value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=run.material.dtype)


def _rounding_note(run: Run, step: Document, kept: Contribution) -> dict[str, str] | None:
    """Say so where a path brings nothing but rounding: its tensor's true gradient is zero."""
    through = step["through"]
    verdict = run.verdicts.get(through) if through else None
    if verdict is None or verdict.level != "zero" or not kept.value.numel():
        return None
    largest = float(kept.value.abs().max())
    text = (
        f"This path brings **nothing but rounding**, at most {largest:.0e}: the true gradient of `{through}` is zero."
    )
    return {"kind": "note", "text": text}


def _summary(run: Run) -> Document:
    """Counts over all gradients but the loss's own, which is 1 by definition."""
    loss = run.plan.graph.loss.variable
    verdicts = {name: verdict for name, verdict in run.verdicts.items() if name != loss}
    worst = max(verdicts, key=lambda name: verdicts[name].relative_error or 0.0, default=None)
    return {
        "gradients": len(verdicts),
        "exact": sum(verdict.exact for verdict in verdicts.values()),
        "approximate": sum(verdict.approximate for verdict in verdicts.values()),
        "zero": sum(verdict.level == "zero" for verdict in verdicts.values()),
        "wrong": sum(verdict.level in ("wrong", "shape") for verdict in verdicts.values()),
        "worst": worst,
        "milliseconds": {name: round(seconds * 1000, 3) for name, seconds in run.seconds.items()},
    }
