"""The state of a run as bytes, which hold tensors, numbers and words alone: they are read without running anything."""

from __future__ import annotations

import io
from dataclasses import asdict
from typing import Any

import torch

from backend.engine.encode import Document
from backend.training.clipping import Clipping
from backend.training.optimisers import OptimiserState
from backend.training.schedules import SCHEDULES
from backend.training.trainer import Settings, State, Trainer


def written_state(trainer: Trainer, beside: object = None) -> bytes:
    """A trainer's state, with the settings that it has had, step by step, and has now; and what is to stand beside."""
    buffer, state = io.BytesIO(), trainer.state()
    changes = [[step, _written(settings)] for step, settings in trainer.changes.items()]
    whole = vars(state) | {"optimiser": vars(state.optimiser), "settings": _written(trainer.settings)}
    torch.save(whole | {"changes": changes, "beside": beside}, buffer)
    return buffer.getvalue()


def read_state(trainer: Trainer, saved: bytes) -> Any:
    """Let a trainer of the same task go on from a state; what stood beside it."""
    whole = torch.load(io.BytesIO(saved), weights_only=True)
    settings, changes, beside = whole.pop("settings"), whole.pop("changes"), whole.pop("beside")
    trainer.restore(State(**whole | {"optimiser": OptimiserState(**whole["optimiser"])}))
    trainer.apply(_read(*settings))
    trainer.changes = {step: _read(*one) for step, one in changes}
    trainer.checkpoints.add(trainer.number, trainer.state())
    return beside


def _written(settings: Settings) -> list[Any]:
    kind = next(name for name, known in SCHEDULES.items() if type(settings.schedule) is known)
    clip = asdict(settings.clipping) if settings.clipping else None
    return [kind, asdict(settings.schedule), dict(settings.optimiser), clip]


def _read(kind: str, schedule: Document, optimiser: dict[str, float], clip: Document | None) -> Settings:
    return Settings(SCHEDULES[kind](**schedule), optimiser, Clipping(**clip) if clip else None)
