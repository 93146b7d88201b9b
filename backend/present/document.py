"""The Walk document: builds the JSON of a run, in which each step can be read without its neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import cast

import torch

from backend.encode import Encoder, encoder, number
from backend.execute.run import Contribution
from backend.execute.session import Run
from backend.language.wording import number_text
from backend.present import schema
from backend.present.beginning import beginning
from backend.present.brief import with_note
from backend.present.picture_types import JsonNumber
from backend.present.pictures import forward_picture, holds, picture
from backend.present.planted import planted
from backend.present.questions import Quiz
from backend.present.schema import (
    Gradient,
    Milliseconds,
    PlannedBackward,
    PlannedForward,
    PlannedNode,
    Sentence,
    SentNode,
    Summary,
    WalkDocument,
)
from backend.present.steps import Steps, steps_of
from backend.present.tug_of_war import tugs_of_war
from backend.verify.compare import Verdict, Verdicts
from backend.verify.nonfinite import Origin, Origins
from backend.verify.rounding import reasons
from backend.verify.zeros import Zeros


def present(run: Run, verdicts: Verdicts, identity: str, arrays: str) -> WalkDocument:
    """The Walk, ready to be written as JSON."""
    plan, material = run.plan, run.material
    encode = encoder(arrays, [*(tensor.numel() for tensor in _sent(run, verdicts)), *_drawn(run)])
    loss = plan.graph.loss
    lesson = material.lesson
    known = facts(run)
    steps = steps_of(plan)
    return {
        "schema": 1,
        "id": identity,
        "lesson": lesson.name if lesson else None,
        "title": material.title,
        "dtype": "float64" if material.dtype is torch.float64 else "float32",
        "exact": material.exact,
        "loss": {"name": str(loss.name), "value": number(float(run.forward.tensors[loss.variable]))},
        "beginning": beginning(run, known),
        "constants": constants(run),
        "labels": material.labels,
        "in_focus": material.told_by.focused(material.labels) if material.told_by else {},
        "groups": steps.groups,
        "nodes": _nodes(run, verdicts, steps.nodes, encode),
        "steps": [
            *_forward_steps(run, steps.forward, encode, known),
            *_backward_steps(run, verdicts, steps, encode, known),
        ],
        "forward_source": plan.graph.forward_source,
        "backward_source": plan.backward_source,
        "planted": planted(run, verdicts),
        "summary": _summary(run, verdicts),
    }


def _sent(run: Run, verdicts: Verdicts) -> Iterator[torch.Tensor]:
    """Every tensor that a walk sends: values, gradients of two kinds and their difference, contributions, pictures."""
    for node in run.plan.graph.named:
        yield run.forward.tensors[node.variable]
        yield from [run.forward.tensors[node.variable]] * 3 if node.variable in verdicts else []
    for kept in run.contributions:
        yield from (kept.value, kept.accumulated)
        yield from (tensor for tensor in kept.shown if isinstance(tensor, torch.Tensor))


def _drawn(run: Run) -> Iterator[int]:
    """How many cells each tensor has that is sent for the picture of a forward step alone."""
    for shown in run.plan.forward_pictures:
        for drawn in shown.tensors if shown else ():
            yield from () if drawn.node else (math.prod(drawn.shape),)


def facts(run: Run) -> Mapping[str, str]:
    """The numbers that a lesson tells of, from this run's values."""
    lesson = run.material.told_by
    return lesson.known(run.forward.tensors, run.material.labels) if lesson else {}


def constants(run: Run) -> dict[str, JsonNumber]:
    """The plain numbers that have a name in the program."""
    known = run.plan.graph.constants.items()
    return {name: number(float(value)) for name, value in known if isinstance(value, int | float)}


def _told(explanation: list[Sentence], known: Mapping[str, str]) -> list[Sentence]:
    """The sentences of a step, those of a lesson with their numbers filled in."""
    return [
        {"kind": item["kind"], "text": item["text"].format_map(known)} if item["kind"] == "lesson" else item
        for item in explanation
    ]


def _nodes(run: Run, verdicts: Verdicts, planned: list[PlannedNode], encode: Encoder) -> list[SentNode]:
    gradients = _gradients(run, verdicts, encode)
    origins = Origins(run)
    lesson = run.material.told_by
    tugs, codes = tugs_of_war(run), lesson.codes if lesson else {}
    documents: list[SentNode] = []
    for entry in planned:
        targets = tugs.get(entry["name"])
        documents.append(
            {
                **entry,
                "value": encode(run.forward.tensors[entry["variable"]]),
                "not_finite": _origin(origins.of_value(entry["name"])),
                "gradient": gradients.get(entry["variable"]),
                "view": "tug-of-war" if targets else None,
                "targets": run.forward.tensors[run.plan.by_name[targets].variable].tolist() if targets else None,
                "values_name": codes.get(entry["name"]),
            }
        )
    by_variable = {entry["variable"]: entry for entry in documents}
    for name, (variable, node) in run.plan.graph.aliases.items():
        documents.append({**by_variable[node.variable], "name": name, "variable": variable})
    return documents


def _gradients(run: Run, verdicts: Verdicts, encode: Encoder) -> dict[str, Gradient]:
    """Each variable's gradient beside autograd's, judged."""
    because, zeros, origins = reasons(run, verdicts), Zeros(run, verdicts), Origins(run)
    documents: dict[str, Gradient] = {}
    for variable, verdict in verdicts.items():
        manual, autograd = run.gradients["d" + variable], run.forward.autograd[variable]
        documents[variable] = {
            "manual": encode(manual),
            "autograd": encode(autograd),
            "difference": encode(difference(manual, autograd)),
            "scale": zeros.scale(variable),
            "not_finite": None if "d" + variable in run.lost else _origin(origins.of_gradient("d" + variable)),
            "size": _size(manual, run, variable),
            "verdict": _verdict(verdict, because[variable]),
        }
    return documents


def _size(gradient: torch.Tensor, run: Run, variable: str) -> schema.Size:
    """How large a gradient is, worked out in float64: squares of small numbers vanish in float32."""
    norm = float(torch.linalg.vector_norm(gradient, dtype=torch.float64))
    role = run.plan.graph.by_variable[variable].role
    weight = float(torch.linalg.vector_norm(run.forward.tensors[variable], dtype=torch.float64))
    return {
        "norm": number(norm),
        "rms": number(norm / math.sqrt(max(gradient.numel(), 1))),
        "largest": number(float(gradient.abs().max()) if gradient.numel() else 0.0),
        "per_weight": number(norm / weight) if role == "parameter" and weight else None,
    }


def difference(manual: torch.Tensor, autograd: torch.Tensor) -> torch.Tensor:
    """Cell by cell; NaN throughout where the shapes differ."""
    return manual - autograd if manual.shape == autograd.shape else torch.full_like(autograd, torch.nan)


def _origin(origin: Origin | None) -> schema.Origin | None:
    return cast(schema.Origin, vars(origin)) if origin else None


def _verdict(verdict: Verdict, because: str) -> schema.Verdict:
    told = {key: number(value) for key, value in vars(verdict).items()} | {"because": because}
    return cast(schema.Verdict, told)


def _forward_steps(
    run: Run, planned: list[PlannedForward], encode: Encoder, known: Mapping[str, str]
) -> Iterator[schema.ForwardStep]:
    for index, (step, shown) in enumerate(zip(planned, run.plan.forward_pictures, strict=True)):
        drawn = forward_picture(run, shown, encode) if shown else None
        yield {**step, "index": index, "explanation": _told(step["explanation"], known), "picture": drawn}


def _backward_steps(
    run: Run, verdicts: Verdicts, steps: Steps, encode: Encoder, known: Mapping[str, str]
) -> Iterator[schema.SentBackwardStep]:
    residues = {name: verdict.residue for name, verdict in verdicts.items() if verdict.residue is not None}
    questions = Quiz(run, steps.questions, residues).all()
    every = zip(steps.backward, run.plan.pictures, run.contributions, questions, strict=True)
    for index, (step, shown, kept, asked) in enumerate(every, run.plan.first_backward):
        contribution = encode(kept.value)
        note = _rounding_note(run, verdicts, step, kept)
        explanation = with_note(step["explanation"], note) if note else step["explanation"]
        yield {
            **step,
            "explanation": _told(explanation, known),
            "index": index,
            "question": asked.question if asked else None,
            "contribution": contribution,
            "accumulated": contribution if kept.accumulated is kept.value else encode(kept.accumulated),
            "picture": picture(run, shown, kept, encode) if shown and holds(shown, kept) else None,
            "lost": kept.lost,
        }


def _rounding_note(run: Run, verdicts: Verdicts, step: PlannedBackward, kept: Contribution) -> Sentence | None:
    """Say so where a path brings nothing but rounding: its tensor's true gradient is zero."""
    through = step["through"]
    variable = run.plan.by_name[through].variable if through else ""
    verdict = verdicts.get(variable)
    if verdict is None or verdict.level != "zero" or not kept.value.numel():
        return None
    largest = float(kept.value.abs().max())
    brought = f"nothing but rounding**, at most {number_text(largest, 2)}" if largest else "zeros only**"
    text = f"This path brings **{brought}: the true gradient of `{variable}` is zero."
    return {"kind": "note", "text": text}


def _summary(run: Run, verdicts: Verdicts) -> Summary:
    """Counts over all gradients but the loss's own, which is 1 by definition."""
    loss = run.plan.graph.loss.variable
    judged = {name: verdict for name, verdict in verdicts.items() if name != loss}
    worst = max(judged, key=lambda name: judged[name].relative_error or 0.0, default=None)
    milliseconds = {name: round(seconds * 1000, 3) for name, seconds in run.seconds.items()}
    return {
        "gradients": len(judged),
        "exact": sum(verdict.exact for verdict in judged.values()),
        "approximate": sum(verdict.approximate for verdict in judged.values()),
        "zero": sum(verdict.level == "zero" for verdict in judged.values()),
        "not_finite": sum(verdict.level == "not-finite" for verdict in judged.values()),
        "wrong": sum(verdict.level in ("wrong", "shape") for verdict in judged.values()),
        "worst": worst,
        "milliseconds": cast(Milliseconds, milliseconds),
    }
