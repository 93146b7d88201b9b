"""The Walk document: builds the JSON of a run, in which each step can be read without its neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TypedDict, cast

import numpy as np
import torch

from backend.engine.encode import FIRST_CELLS, WHOLE_CELLS, Encoder, encoder, number
from backend.engine.execute.run import Contribution
from backend.engine.language.wording import number_text
from backend.engine.verify.compare import Verdict, Verdicts
from backend.engine.verify.measure import Array, cell_at, sizes_of
from backend.engine.verify.nonfinite import Origin, Origins
from backend.engine.verify.rounding import reasons
from backend.engine.verify.zeros import Zeros
from backend.present import found, schema
from backend.present.asked import asked_of
from backend.present.beginning import beginning
from backend.present.brief import with_note
from backend.present.drawings import drawings_of, drawn
from backend.present.groups import found_groups
from backend.present.parts import Columns, Parts
from backend.present.picture_types import JsonNumber
from backend.present.planted import planted
from backend.present.question_types import Question
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
from backend.present.signs import has_room, is_negative, sign_note
from backend.present.steps import Steps, steps_of
from backend.present.tug_of_war import tugs_of_war
from backend.program.request import Material
from backend.program.runs import Run

# Norms and largest magnitudes, by the identity of tensors.
Sizes = Mapping[int, tuple[float, float]]


class Beside(TypedDict, total=False):
    """What is sent of a gradient where the model gave its own."""

    own: schema.Own


def present(run: Run, verdicts: Verdicts, identity: str, arrays: str, whole: bool = False) -> WalkDocument:
    """The Walk, ready to be written as JSON; `whole` with what belongs to single steps, as nested lists always are."""
    plan, material = run.plan, run.material
    whole = whole or arrays == "lists"
    cells = [tensor.numel() for tensor in _sent(run, verdicts, whole)] + (_drawn(run) if whole else [])
    encode = encoder(arrays, cells, WHOLE_CELLS if whole else FIRST_CELLS)
    loss = plan.graph.loss
    lesson = material.lesson
    known, sizes = facts(run), _sizes(run, verdicts)
    steps = steps_of(plan)
    parts = Parts(run, encode, equal_too=arrays == "lists") if whole else None
    forward, backward = _forward_steps(steps.forward, known), _backward_steps(run, verdicts, steps, known, sizes)
    brief: list[schema.BriefForwardStep | schema.BriefBackwardStep] = [*forward, *backward]
    document: WalkDocument = {
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
        "in_focus": in_focus(material),
        "groups": steps.groups,
        "nodes": _nodes(run, verdicts, steps.nodes, encode, parts, sizes),
        "steps": _with_parts(steps, forward, backward, parts, asked_of(run, verdicts)) if parts else brief,
        "forward_source": plan.graph.forward_source,
        "backward_source": plan.backward_source,
        "planted": planted(run, verdicts),
        "summary": _summary(run, verdicts),
    }
    if material.found:
        document["found"] = found.told(material.found)
        _regroup(document, found_groups(plan.graph, material.found.lowered.groups))
    return document


def in_focus(material: Material) -> dict[str, int]:
    """By an axis's name the place that is shown and told of as an example of all."""
    return material.told_by.focused(material.labels) if material.told_by else {}


def _regroup(document: WalkDocument, groups: list[schema.Group]) -> None:
    """The same program may have been found in many ways: its plan knows of none."""
    group_of = {name: group["name"] for group in groups for name in group["nodes"]}
    document["groups"] = groups
    for node in document["nodes"]:
        node["group"] = group_of.get(node["same_as"] or node["name"])


def _sent(run: Run, verdicts: Verdicts, whole: bool) -> Iterator[torch.Tensor]:
    """Every tensor that a walk sends: values, and of a whole one gradients, contributions, pictures."""
    for node in run.plan.graph.named:
        yield run.forward.tensors[node.variable]
        if whole and node.variable in verdicts:
            yield from [run.forward.tensors[node.variable]] * 3
    for place, kept in enumerate(run.contributions if whole else []):
        yield from (kept.value, kept.accumulated)
        yield from (tensor for tensor in drawn(run, place) or [] if isinstance(tensor, torch.Tensor))


def _drawn(run: Run) -> list[int]:
    """How many cells each tensor has that is sent for the picture of a forward step alone."""
    shown = [one for picture in drawings_of(run.plan).forward_pictures if picture for one in picture.tensors]
    return [math.prod(one.shape) for one in shown if not one.node]


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
        {"kind": "lesson", "text": item["text"].format_map(known)} if item["kind"] == "lesson" else item
        for item in explanation
    ]


def _nodes(
    run: Run, verdicts: Verdicts, planned: list[PlannedNode], encode: Encoder, parts: Parts | None, sizes: Sizes
) -> list[SentNode]:
    origins = Origins(run, sound=all(verdict.approximate for verdict in verdicts.values()))
    gradients = _gradients(run, verdicts, parts, origins, sizes)
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
                "same_as": None,
                "values_name": codes.get(entry["name"]),
            }
        )
    by_variable = {entry["variable"]: entry for entry in documents}
    for name, (variable, node) in run.plan.graph.aliases.items():
        same: SentNode = {**by_variable[node.variable], "same_as": str(node.name)}
        documents.append({**same, "name": name, "variable": variable})
    return documents


def _gradients(
    run: Run, verdicts: Verdicts, parts: Parts | None, origins: Origins, sizes: Sizes
) -> dict[str, Gradient]:
    """Each variable's gradient judged, in a whole walk beside autograd's."""
    zeros = Zeros(run, verdicts)
    because = reasons(run, verdicts, zeros, origins)
    unsent: Columns = {}
    finite, lost = origins.none, run.lost
    documents: dict[str, Gradient] = {}
    for variable, verdict in verdicts.items():
        documents[variable] = {
            **(parts.gradient(variable) if parts else unsent),
            "scale": zeros.scale(variable),
            "not_finite": None if finite or "d" + variable in lost else _origin(origins.of_gradient("d" + variable)),
            "size": _size(run, variable, sizes),
            "verdict": _verdict(verdict, because[variable]),
            **_beside(run, variable, verdict),
        }
    return documents


def _size(run: Run, variable: str, sizes: Sizes) -> schema.Size:
    """How large a gradient is."""
    gradient = run.gradients["d" + variable]
    norm, largest = sizes[id(gradient)]
    trained = run.plan.graph.by_variable[variable].role == "parameter"
    weight = sizes[id(run.forward.tensors[variable])][0] if trained else 0.0
    size: schema.Size = {
        "norm": norm,
        "rms": norm / math.sqrt(gradient.numel() or 1),
        "largest": largest,
        "at": _loudest(gradient.numpy(), largest) if trained and gradient.numel() else None,
        "per_weight": number(norm / weight) if weight else None,
    }
    if not math.isfinite(norm):
        size |= {"norm": number(norm), "rms": number(size["rms"]), "largest": number(largest)}
    return size


def _sizes(run: Run, verdicts: Verdicts) -> Sizes:
    """The norms and the largest cells of all gradients, of what comes to them, and of parameters."""
    found = run.gradients
    gradients = [found["d" + variable] for variable in verdicts if "d" + variable in found]
    trained = [run.forward.tensors[node.variable] for node in run.plan.graph.inputs if node.role == "parameter"]
    tensors = {id(one): one for one in [*gradients, *trained, *(kept.value for kept in run.contributions)]}
    return dict(zip(tensors, sizes_of([*tensors.values()]), strict=True))


def _loudest(cells: Array, largest: float) -> list[int]:
    """The cell of the largest finite number; `largest` is not finite where some cell isn't."""
    sizes = np.abs(cells)
    if not math.isfinite(largest):
        sizes = np.where(np.isfinite(sizes), sizes, -1.0)
    return cell_at(int(sizes.argmax()), cells.shape)


def _origin(origin: Origin | None) -> schema.Origin | None:
    return cast(schema.Origin, vars(origin)) if origin else None


def _beside(run: Run, variable: str, verdict: Verdict) -> Beside:
    """How it compares with a recorded model's own."""
    own = run.material.own
    if own is None or variable not in own.gradients:
        return {}
    held = own.judge(variable, run.gradients.get("d" + variable), verdict.left(run.material.dtype))
    return {"own": {"right": held.right, "maxdiff": number(held.maxdiff), "share": number(held.share)}}


def _verdict(verdict: Verdict, because: str) -> schema.Verdict:
    told = {**verdict._asdict(), "because": because}
    if not verdict.approximate:  # some may be no number
        told = {key: number(value) for key, value in told.items()}
    return cast(schema.Verdict, told)


def _forward_steps(planned: list[PlannedForward], known: Mapping[str, str]) -> list[schema.BriefForwardStep]:
    return [
        {**step, "index": index, "math": "", "explanation": _told(step["explanation"], known)}
        for index, step in enumerate(planned)
    ]


def _backward_steps(
    run: Run, verdicts: Verdicts, steps: Steps, known: Mapping[str, str], sizes: Sizes
) -> list[schema.BriefBackwardStep]:
    documents: list[schema.BriefBackwardStep] = []
    zeros = any(verdict.level == "zero" for verdict in verdicts.values())
    sign: Sentence | None = sign_note(run.plan.graph.loss)
    for index, (step, kept) in enumerate(zip(steps.backward, run.contributions, strict=True), run.plan.first_backward):
        note = _rounding_note(run, verdicts, step, kept) if zeros else None
        explanation = with_note(step["explanation"], note) if note else step["explanation"]
        line = run.plan.lines[len(documents)]
        if sign and has_room(explanation, sign) and is_negative(line, kept, verdicts):
            explanation, sign = [*explanation, sign], None
        documents.append(
            {
                **step,
                "explanation": _told(explanation, known),
                "index": index,
                "shape": list(kept.value.shape),
                "norm": number(0.0 if kept.lost else sizes[id(kept.value)][0]),
                "lost": kept.lost,
            }
        )
    return documents


def _with_parts(
    steps: Steps,
    forward: list[schema.BriefForwardStep],
    backward: list[schema.BriefBackwardStep],
    parts: Parts,
    questions: list[Question | None],
) -> list[schema.ForwardStep | schema.SentBackwardStep]:
    """Steps with what belongs to each alone, each backward one with its question and the gradient after it."""
    whole: list[schema.ForwardStep | schema.SentBackwardStep] = []
    for place, (there, step) in enumerate(zip(steps.forward, forward, strict=True)):
        whole.append({**there, **parts.forward(place), **step})
    for place, (back, after, question) in enumerate(zip(steps.backward, backward, questions, strict=True)):
        accumulated = parts.encode(parts.run.contributions[place].accumulated)
        whole.append({**back, **parts.backward(place), **after, "question": question, "accumulated": accumulated})
    return whole


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
