"""The lab: its exhibits as they are listed, and each as a page, with two short runs that show its symptom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import torch

from backend.engine.encode import number
from backend.engine.execute.run import Tensors, loss_of
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.inspect.descent_path import Descender, stopped
from backend.pipeline import run_of
from backend.present.picture_types import JsonNumber
from backend.program.exhibits.exhibit import Exhibit, Side
from backend.program.lessons import ROOM, SHELF
from backend.program.runs import Run
from backend.services.exhibit_text import Told
from backend.services.lab_types import ExhibitEntry, ExhibitPage, ExhibitRuns, Exhibits, ExhibitSide


def exhibits() -> Exhibits:
    """Every exhibit in the order of the room, and the files that can't be read."""
    return {
        "exhibits": [_entry(one) for one in ROOM.exhibits.values()],
        "faults": [{"file": file, "message": fault.message, "hint": fault.hint} for file, fault in ROOM.faults.items()],
    }


@guarded
def exhibit(name: str, names: Path | None = None) -> ExhibitPage:
    """One exhibit whole; raises Refusal where there is none of that name, or where a program of it is refused."""
    if name not in ROOM.exhibits:
        raise Refusal("exhibit-unknown", found=name, status=404)
    found = ROOM.exhibits[name]
    told = Told(found, names)
    return {
        "entry": _entry(found),
        "lines": _lines(found),
        "ask": found.ask,
        "reveal": told.text(found.reveal),
        "sees": told.text(found.sees),
        "look_at": list(found.look_at),
        "runs": runs_of(found, names) if found.training else None,
        "in_training": told.text(found.in_training),
    }


def _entry(exhibit: Exhibit) -> ExhibitEntry:
    titles = {name: chapter.title for name, chapter in SHELF.chapters.items()}
    return {
        "name": exhibit.name,
        "kind": exhibit.kind,
        "title": exhibit.title,
        "about": exhibit.about or exhibit.ask,
        "shows": exhibit.shows,
        "chapters": [{"name": name, "title": titles[name]} for name in exhibit.lessons if name in titles],
        "difficulty": exhibit.difficulty,
        "threads": [{"name": one.name, "year": one.year} for one in exhibit.threads],
        "sides": [_side(one) for one in exhibit.sides],
    }


def _lines(exhibit: Exhibit) -> str:
    meant, written = exhibit.sides
    if written.program is not None:
        return str(written.program["source"]).strip("\n")
    source = str((meant.program or {})["source"]).strip("\n")
    return f"{source}\n\n# backward, as written\n{written.walk['plant']['code']}"


def _side(side: Side) -> ExhibitSide:
    link = f"/walk/{side.walk['lesson']}"
    if "plant" in side.walk:
        plant = side.walk["plant"]
        link += f"?plant={plant['step'] + 1}={quote(plant['code'], safe='')}"
    return {"key": side.key, "label": side.label, "link": link}


def runs_of(exhibit: Exhibit, names: Path | None = None) -> ExhibitRuns:
    """Both programs of an exhibit downhill from the same numbers, each on its own printed gradients, in float64."""
    assert exhibit.training is not None
    meant, written = (run_of(side.walk, names) for side in exhibit.sides)
    rate, steps = exhibit.training.rate, exhibit.training.steps
    right, wrong, why = Descender(meant, meant.plan), Descender(written, written.plan), stopped(written)
    judged = _judge(meant, wrong.tensors)
    for _ in range(steps):
        right.step(rate)
        if not why:
            wrong.step(rate)
            judged += _judge(meant, wrong.tensors)
    return {
        "rate": rate,
        "loss": meant.plan.graph.loss.variable,
        "meant": _numbers(right.losses),
        "written": _numbers(wrong.losses),
        "judged": _numbers(judged) if len(judged) == len(wrong.losses) else None,
        "stopped": why,
    }


def _judge(meant: Run, tensors: Tensors) -> list[float]:
    """The loss as it was meant, at other weights; none where they aren't the same ones."""
    own = meant.material.tensors
    weights = [name for name, one in meant.material.inputs.items() if one.role == "parameter"]
    if any(name not in tensors or tensors[name].shape != own[name].shape for name in weights):
        return []
    moved = {name: one.double() if one.is_floating_point() else one for name, one in own.items()}
    try:
        return [loss_of(meant.plan.graph, moved | {name: tensors[name] for name in weights}, torch.float64)]
    except Refusal:
        return [float("nan")]


def _numbers(losses: Sequence[float]) -> list[JsonNumber]:
    return [number(float(loss)) for loss in losses]
