"""With this module a run becomes one JSON document in which each step can be read without its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import torch

from backend.plan import Plan
from backend.run import Contribution
from backend.runs import Run
from backend.verify import Verdict
from backend.view import schema
from backend.view.explain import with_note
from backend.view.nonfinite import Origins
from backend.view.picture import Picture
from backend.view.reasons import reasons
from backend.view.schema import (
    Gradient,
    Milliseconds,
    PlannedBackward,
    Sentence,
    SentNode,
    Summary,
    WalkDocument,
    Which,
)
from backend.view.zeros import Zeros
from backend.wire import Encoder, encoder, number
from backend.wording import number_text


def document(run: Run, identity: str, arrays: str) -> WalkDocument:
    """The Walk, ready to be written as JSON."""
    plan, material = run.plan, run.material
    encode = encoder(arrays, [tensor.numel() for tensor in _sent(run)])
    loss = plan.graph.loss
    lesson = material.lesson
    known = facts(run)
    return {
        "schema": 1,
        "id": identity,
        "lesson": lesson.name if lesson else None,
        "title": lesson.title if lesson else "Your code",
        "dtype": "float64" if material.dtype is torch.float64 else "float32",
        "exact": material.exact,
        "loss": {"name": str(loss.name), "value": number(float(run.forward.values[loss.variable]))},
        "labels": material.labels,
        "groups": plan.layout.groups,
        "graph": {"width": plan.layout.width, "height": plan.layout.height},
        "nodes": _nodes(run, encode),
        "edges": plan.layout.edges,
        "steps": [*_forward_steps(plan, known), *_backward_steps(run, encode, known)],
        "forward_source": plan.graph.forward_source,
        "backward_source": plan.backward_source,
        "summary": _summary(run),
    }


def _sent(run: Run) -> Iterator[torch.Tensor]:
    """Every tensor that a walk sends: values, gradients of two kinds and their difference, contributions, pictures."""
    for node in run.plan.graph.named:
        yield run.forward.values[node.variable]
        yield from [run.forward.values[node.variable]] * 3 if node.variable in run.verdicts else []
    for kept in run.contributions:
        yield from (kept.value, kept.accumulated)
        yield from (tensor for tensor in kept.shown if isinstance(tensor, torch.Tensor))


def facts(run: Run) -> Mapping[str, str]:
    """The numbers that a lesson tells of, from this run's values."""
    lesson = run.material.lesson
    return lesson.facts(run.forward.values, run.material.labels) if lesson else {}


def _told(explanation: list[Sentence], known: Mapping[str, str]) -> list[Sentence]:
    """The sentences of a step, those of a lesson with their numbers filled in."""
    return [
        {"kind": item["kind"], "text": item["text"].format_map(known)} if item["kind"] == "lesson" else item
        for item in explanation
    ]


def _nodes(run: Run, encode: Encoder) -> list[SentNode]:
    gradients = _gradients(run, encode)
    origins = Origins(run)
    lesson = run.material.lesson
    tugs, codes = (lesson.tug_of_war, lesson.codes) if lesson else ({}, {})
    documents: list[SentNode] = []
    for entry in run.plan.nodes:
        targets = tugs.get(entry["name"])
        documents.append(
            {
                **entry,
                "value": encode(run.forward.values[entry["variable"]]),
                "not_finite": origins.of_value(entry["name"]),
                "gradient": gradients.get(entry["variable"]),
                "view": "tug-of-war" if targets else None,
                "targets": run.forward.values[targets].tolist() if targets else None,
                "values_name": codes.get(entry["name"]),
            }
        )
    by_variable = {entry["variable"]: entry for entry in documents}
    for name, (variable, node) in run.plan.graph.aliases.items():
        documents.append({**by_variable[node.variable], "name": name, "variable": variable})
    return documents


def _gradients(run: Run, encode: Encoder) -> dict[str, Gradient]:
    """Each variable's gradient beside autograd's, judged."""
    because, zeros, origins = reasons(run), Zeros(run), Origins(run)
    documents: dict[str, Gradient] = {}
    for variable, verdict in run.verdicts.items():
        manual, autograd = run.gradients["d" + variable], run.forward.autograd[variable]
        difference = manual - autograd if verdict.shape else torch.full_like(autograd, torch.nan)
        documents[variable] = {
            "manual": encode(manual),
            "autograd": encode(autograd),
            "difference": encode(difference),
            "scale": zeros.scale(variable),
            "not_finite": origins.of_gradient("d" + variable),
            "verdict": _verdict(verdict, because[variable]),
        }
    return documents


def _verdict(verdict: Verdict, because: str) -> schema.Verdict:
    told = {key: number(value) for key, value in vars(verdict).items()} | {"because": because}
    return cast(schema.Verdict, told)


def _forward_steps(plan: Plan, known: Mapping[str, str]) -> Iterator[schema.ForwardStep]:
    for index, step in enumerate(plan.forward_steps):
        yield {**step, "index": index, "explanation": _told(step["explanation"], known)}


def _backward_steps(run: Run, encode: Encoder, known: Mapping[str, str]) -> Iterator[schema.SentBackwardStep]:
    first = len(run.plan.forward_steps)
    planned = zip(run.plan.backward_steps, run.plan.pictures, run.contributions, strict=True)
    for index, (step, picture, kept) in enumerate(planned, first):
        contribution = encode(kept.value)
        note = _rounding_note(run, step, kept)
        explanation = with_note(step["explanation"], note) if note else step["explanation"]
        yield {
            **step,
            "explanation": _told(explanation, known),
            "index": index,
            "contribution": contribution,
            "accumulated": contribution if kept.accumulated is kept.value else encode(kept.accumulated),
            "picture": _picture(run, picture, kept, encode) if picture else None,
        }


def _picture(run: Run, picture: Picture, kept: Contribution, encode: Encoder) -> schema.Picture:
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
                "which": cast(Which, operand.which),
                "shape": list(operand.shape),
                "dims": operand.dims,
                "tensor": None if operand.node is not None else encode(_tensor(tensor, run)),
            }
            for operand, tensor in zip(picture.operands, tensors, strict=True)
        ],
        "product": None if product is None else _product(picture, product, encode),
        "axes": picture.axes,
    }


def _product(picture: Picture, product: torch.Tensor, encode: Encoder) -> schema.Product:
    return {
        "code": picture.product_code,
        "shape": list(product.shape),
        "dims": picture.product_dims,
        "tensor": encode(product),
    }


def _tensor(value: Any, run: Run) -> torch.Tensor:
    """A tensor, or a plain number as one of the walk's precision."""
    return value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=run.material.dtype)


def _rounding_note(run: Run, step: PlannedBackward, kept: Contribution) -> Sentence | None:
    """Say so where a path brings nothing but rounding: its tensor's true gradient is zero."""
    through = step["through"]
    verdict = run.verdicts.get(run.plan.by_name[through].variable) if through else None
    if verdict is None or verdict.level != "zero" or not kept.value.numel():
        return None
    largest = number_text(float(kept.value.abs().max()), 2)
    text = f"This path brings **nothing but rounding**, at most {largest}: the true gradient of `{through}` is zero."
    return {"kind": "note", "text": text}


def _summary(run: Run) -> Summary:
    """Counts over all gradients but the loss's own, which is 1 by definition."""
    loss = run.plan.graph.loss.variable
    verdicts = {name: verdict for name, verdict in run.verdicts.items() if name != loss}
    worst = max(verdicts, key=lambda name: verdicts[name].relative_error or 0.0, default=None)
    milliseconds = {name: round(seconds * 1000, 3) for name, seconds in run.seconds.items()}
    return {
        "gradients": len(verdicts),
        "exact": sum(verdict.exact for verdict in verdicts.values()),
        "approximate": sum(verdict.approximate for verdict in verdicts.values()),
        "zero": sum(verdict.level == "zero" for verdict in verdicts.values()),
        "not_finite": sum(verdict.level == "not-finite" for verdict in verdicts.values()),
        "wrong": sum(verdict.level in ("wrong", "shape") for verdict in verdicts.values()),
        "worst": worst,
        "milliseconds": cast(Milliseconds, milliseconds),
    }
