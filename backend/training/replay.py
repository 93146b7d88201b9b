"""Steps taken again: from the last checkpoint before a step to the step itself, with the settings of then.

The same weights, the same minibatches and the same operations give the same bits.
"""

from __future__ import annotations

import contextlib
import time

import numpy as np
import torch

from backend.engine.language.errors import Refusal
from backend.training.trainer import Diverged, Moment, Trainer

PART = 32  # steps between two looks at the clock


class Replay:
    """One step of a run on its way to be looked at; `at` is how far the steps before it are taken again."""

    def __init__(self, trainer: Trainer, twin: Trainer, step: int) -> None:
        """`twin` is another trainer of the same task; raises Refusal for a step that can't be taken again."""
        if step >= trainer.number:
            raise Refusal("step-not-taken", found=step, taken=trainer.number, status=404)
        known = min(trainer.changes)
        begun = trainer.checkpoints.before(step)
        if begun is None or begun < known:
            raise Refusal("step-not-kept", found=step, first=known, status=404)
        self.twin, self.step, self.begun = twin, step, begun
        self.changes = {at: settings for at, settings in trainer.changes.items() if at <= step}
        twin.restore(trainer.checkpoints[begun])
        twin.apply(self.changes[max(at for at in self.changes if at <= begun)])
        self.moment: Moment | None = None

    @property
    def at(self) -> int:
        """The number of steps that are taken."""
        return self.twin.number

    def work(self, seconds: float) -> Moment | None:
        """Take steps again for about so long; the moment of the step once it is reached."""
        until = time.perf_counter() + seconds
        while self.moment is None and time.perf_counter() < until:
            self._go_on()
        return self.moment

    def _go_on(self) -> None:
        twin = self.twin
        if twin.number in self.changes:
            twin.apply(self.changes[twin.number])
        if twin.number < self.step:
            ahead = [at for at in self.changes if at > twin.number]
            twin.advance(min(min([*ahead, self.step]) - twin.number, PART))
            twin.forget()
            return
        with torch.no_grad(), np.errstate(all="ignore"):
            with contextlib.suppress(Diverged):  # the very step at which the run ended
                twin.gradient()
            self.moment = twin.keep()
        twin.moments.clear()
