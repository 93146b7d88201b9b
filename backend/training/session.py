"""A training run as a conversation: commands go in, events come out, and work is done turn by turn between them.

The same commands at the same steps give the same numbers, whoever watches and how fast the machine is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from backend.encode import Document, number
from backend.language.errors import Refusal
from backend.language.guard import guard
from backend.program.request import Request
from backend.training import instruments
from backend.training.data import Names
from backend.training.evaluation import Network, first_of
from backend.training.saved import read_state, written_state
from backend.training.task import clipping_of, read_task, schedule_of
from backend.training.trainer import Diverged, Moment, Trainer
from backend.training.walkable import walk_request

Status = Literal["running", "paused", "finished", "stopped", "diverged"]
TURN = 0.045  # seconds between two reports: no more than 20 are made in a second
MOST_POINTS = 50  # losses in one report
MOST_UNWATCHED = 64  # steps between two looks at the clock
SPLIT_EVERY = 2.0  # seconds between two looks at the validation split, which takes 5 of a hundred
TRAIN_PART, VALIDATION_PART = 4096, 2048
NAMES_SHOWN, NAMES_AT_END = 5, 20
COMPARED_EVERY = 200  # reports


class Session:
    """One run; `saved` continues one from what its `save` returned."""

    def __init__(self, request: Request, names: Path | None = None, saved: bytes | None = None) -> None:
        with guard():
            self.trainer = Trainer(read_task(request, names))
        self.status: Status = "paused" if request.get("paused") else "running"
        self.target = self.trainer.task.steps
        self.reports, self.looked = 0, 0.0
        if saved is not None:
            read_state(self.trainer, saved)

    def save(self) -> bytes:
        """Everything that the steps to come depend on."""
        return written_state(self.trainer)

    # Commands.
    def command(self, command: Request) -> Iterator[Document]:
        """Carry out a command and tell what came of it; raises Refusal where it makes no sense now."""
        carry_out = getattr(self, "_" + command["do"].replace("-", "_"))
        with guard():
            yield from carry_out(command)

    def _go(self, status: Status) -> Iterator[Document]:
        self.status = status
        yield self.told("status", status=status, target=self.target)

    def _resume(self, _: Request) -> Iterator[Document]:
        self._check_alive()
        self.target = self.trainer.task.steps
        yield from self._go("running")

    def _pause(self, _: Request) -> Iterator[Document]:
        self._check_alive()
        yield from self._go("paused")

    def _step(self, command: Request) -> Iterator[Document]:
        self._check_alive()
        self.target = self.trainer.number + int(command.get("count", 1))
        yield from self._go("running")

    def _run_to(self, command: Request) -> Iterator[Document]:
        self._check_alive()
        self.target = int(command["step"])
        yield from self._go("running")

    def _stop(self, _: Request) -> Iterator[Document]:
        if self.status in ("running", "paused"):
            yield from self._ended("stopped")

    def _restart(self, _: Request) -> Iterator[Document]:
        self.trainer.restart()
        self.target = self.trainer.task.steps
        yield self.told("restart")
        yield from self._go("running")

    def _set(self, command: Request) -> Iterator[Document]:
        trainer = self.trainer
        if "schedule" in command:
            trainer.follow(schedule_of(command))
        if "optimiser" in command:
            if unknown := sorted(set(command["optimiser"]) - set(trainer.optimiser.settings)):
                raise Refusal("setting-unknown", found=unknown[0], name=type(trainer.optimiser).__name__)
            trainer.optimiser.set(command["optimiser"])
        if "clip" in command or command.get("unclipped"):
            trainer.clipping, trainer.clipped = clipping_of(command), None
        yield self.told("settings", **self.settings())

    def _compare(self, _: Request) -> Iterator[Document]:
        step, moment = self._latest()
        yield self.told("compared", step=step, parameters=instruments.compared(self.trainer, moment))

    def _sample(self, command: Request) -> Iterator[Document]:
        yield from self._sampled(int(command.get("count", NAMES_SHOWN)))

    def _about(self, _: Request) -> Iterator[Document]:
        yield self.about() | {"kept": sorted(self.trainer.moments)}

    def _walk(self, command: Request) -> Iterator[Document]:
        step = int(command["step"]) if "step" in command else max(self.trainer.moments, default=0)
        yield {"kind": "walk", "step": step, "walk": walk_request(self.trainer, self.trainer.moment(step))}

    def _check_alive(self) -> None:
        if self.status not in ("running", "paused"):
            raise Refusal("run-over", status=409)

    def _latest(self) -> tuple[int, Moment]:
        step = max(self.trainer.moments, default=0)
        return step, self.trainer.moment(step)

    # Work.
    def begin(self) -> Iterator[Document]:
        """Say what is trained, and how."""
        yield self.about()

    def about(self) -> Document:
        """What is trained, how, and how far it is."""
        task, trainer = self.trainer.task, self.trainer
        shapes = {name: list(shape) for name, shape in trainer.parameters.shapes.items()}
        data: Document = {"batch": task.source.batch}
        if isinstance(task.source, Names):
            splits = {part: len(getattr(task.source.data, part).Y) for part in ("train", "validation", "test")}
            data |= {"letters": len(task.source.data.vocabulary), "examples": splits}
        return self.told(
            "start", status=self.status, target=self.target,
            title=task.material.title, steps=task.steps, seed=task.seed, lines=task.lines,
            step_kind=type(trainer.step).__name__, parameters=shapes, data=data, **self.settings(),
        )  # fmt: skip

    def settings(self) -> Document:
        """Learning rate, optimiser and clipping as they are now."""
        trainer = self.trainer
        return {
            "optimiser": {"name": type(trainer.optimiser).__name__.lower(), **trainer.optimiser.settings},
            "schedule": {"name": type(trainer.schedule).__name__.lower(), **asdict(trainer.schedule)},
            "clip": asdict(trainer.clipping) if trainer.clipping else None,
            "lr": trainer.rate,
        }

    def turn(self, seconds: float = TURN) -> Iterator[Document]:
        """Train for about so long, then report the last step; nothing where the run is not running."""
        if self.status != "running":
            return
        trainer, began, first = self.trainer, time.perf_counter(), self.trainer.number
        try:
            chunk = 1
            while (left := self.target - trainer.number - 1) > 0 and time.perf_counter() - began < seconds:
                trainer.advance(min(left, chunk))
                chunk = min(2 * chunk, MOST_UNWATCHED)
            if left < 0:
                yield from self._arrived()
                return
            step, moment = trainer.number, trainer.watched()
        except Diverged:
            yield from self._diverged()
            return
        speed = (trainer.number - first) / max(time.perf_counter() - began, 1e-9)
        yield self._report(step, moment, speed)
        yield from self._now_and_then()
        if trainer.number >= self.target:
            yield from self._arrived()

    def _report(self, step: int, moment: Moment, speed: float) -> Document:
        trainer, losses = self.trainer, self.trainer.losses
        first = trainer.number - len(losses)
        every = -(-len(losses) // MOST_POINTS)
        points = [[first + place, number(losses[place])] for place in range(every - 1, len(losses), every)]
        losses.clear()
        self.reports += 1
        gradient = float(moment.gradient.norm())
        clipped = trainer.clipped
        return self.told(
            "report", step=step, loss=number(moment.loss), smoothed=number(trainer.smoothed.value), losses=points,
            lr=trainer.rate_of(step), norm=number(gradient),
            norm_after=number(clipped.after if clipped else gradient), silenced=clipped.silenced if clipped else False,
            parameters=instruments.parameters(trainer, moment),
            activations=instruments.activations_at(trainer, moment),
            speed=speed, seconds_left=(trainer.task.steps - trainer.number) / speed,
        )  # fmt: skip

    def _now_and_then(self) -> Iterator[Document]:
        """What costs more than a report."""
        if self.reports % COMPARED_EVERY == 1 and self.trainer.task.lines != "autograd":
            yield from self._compare({})
        if time.monotonic() - self.looked > SPLIT_EVERY:
            self.looked = time.monotonic()
            yield from self._sampled(NAMES_SHOWN)

    def _sampled(self, count: int) -> Iterator[Document]:
        """Validation loss and made-up names, on a network calibrated with a part of the training examples."""
        trainer, source = self.trainer, self.trainer.task.source
        if not isinstance(source, Names):
            return
        network = Network(trainer.task, trainer.parameters.values)
        held = network.calibrated(first_of(source.data.train, TRAIN_PART))
        part = first_of(source.data.validation, VALIDATION_PART)
        names = network.samples(count, held, trainer.task.seed + trainer.number)
        loss = number(network.loss(part, held)) if len(part.Y) else None
        yield self.told("validation", loss=loss, examples=len(part.Y), names=names)

    def _arrived(self) -> Iterator[Document]:
        if self.trainer.number < self.trainer.task.steps:
            yield from self._go("paused")
        else:
            yield from self._ended("finished")

    def _ended(self, status: Status) -> Iterator[Document]:
        """Losses of the whole splits, and names, from a network calibrated with every training example."""
        yield from self._go(status)
        trainer, source = self.trainer, self.trainer.task.source
        if not isinstance(source, Names):
            return
        network, data = Network(trainer.task, trainer.parameters.values), source.data
        held = network.calibrated(data.train)
        losses = {
            part: number(network.loss(getattr(data, part), held)) if len(getattr(data, part).Y) else None
            for part in ("train", "validation", "test")
        }
        names = network.samples(NAMES_AT_END, held, trainer.task.seed + trainer.number)
        yield self.told("splits", losses=losses, names=names)

    def _diverged(self) -> Iterator[Document]:
        """The step whose loss is not finite: its minibatch and weights are kept, nothing was updated."""
        trainer = self.trainer
        trainer.keep()
        self.status = "diverged"
        trainer.losses.clear()
        yield self.told("diverged", step=trainer.number, loss=number(trainer.loss), lr=trainer.rate)
        yield self.told("status", status=self.status, target=self.target)

    def told(self, kind: str, **facts: object) -> Document:
        """An event: its kind, the number of steps taken, and what it says."""
        return {"kind": kind, "steps_taken": self.trainer.number, **facts}
