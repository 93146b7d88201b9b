"""The state of a run as bytes, which hold tensors, numbers and words alone: they are read without running anything."""

from __future__ import annotations

import io
from dataclasses import asdict

import torch

from backend.training.clipping import Clipping
from backend.training.optimisers import OptimiserState
from backend.training.schedules import SCHEDULES
from backend.training.trainer import State, Trainer


def written_state(trainer: Trainer) -> bytes:
    """A trainer's state, with the schedule and the clipping that it follows now."""
    buffer, state, schedule = io.BytesIO(), trainer.state(), trainer.schedule
    kind = next(name for name, known in SCHEDULES.items() if type(schedule) is known)
    clip = asdict(trainer.clipping) if trainer.clipping else None
    whole = vars(state) | {"optimiser": vars(state.optimiser), "schedule": [kind, asdict(schedule)], "clip": clip}
    torch.save(whole, buffer)
    return buffer.getvalue()


def read_state(trainer: Trainer, saved: bytes) -> None:
    """Let a trainer of the same task go on from a state."""
    whole = torch.load(io.BytesIO(saved), weights_only=True)
    (kind, settings), clip = whole.pop("schedule"), whole.pop("clip")
    trainer.restore(State(**whole | {"optimiser": OptimiserState(**whole["optimiser"])}))
    trainer.follow(SCHEDULES[kind](**settings))
    trainer.clipping = Clipping(**clip) if clip else None
