"""A training run as a conversation: commands go in, events come out, and work is done turn by turn between them.

The same commands at the same steps give the same numbers, whoever watches and how fast the machine is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from backend.engine.encode import number
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guard
from backend.program.request import Request
from backend.training import event_types, instruments
from backend.training.data import PARTS, Minibatches
from backend.training.evaluation import Network, first_of
from backend.training.event_types import OfRun, Settings, Start, TrainingData
from backend.training.oracles import compared
from backend.training.replay import Replay
from backend.training.reported_losses import Point, points
from backend.training.saved import read_state, written_state
from backend.training.silenced import silenced
from backend.training.task import clipping_of, read_task, schedule_of
from backend.training.trainer import Diverged, Moment, Trainer
from backend.training.walk_request import walk_request

Told = Mapping[str, Any]  # one of `event_types`, known by its kind
ReplayState = Literal["under way", "ready", "cancelled"]
Status = Literal["running", "paused", "finished", "stopped", "diverged"]
TURN = 0.045  # seconds between two reports: no more than 20 are made in a second
MOST_UNWATCHED = 64  # steps between two looks at the clock
SPLIT_EVERY = 2.0  # seconds between two looks at the validation split, which takes 5 of a hundred
TRAIN_PART, VALIDATION_PART = 4096, 2048
NAMES_SHOWN, NAMES_AT_END = 5, 20
COMPARED_EVERY = 200  # reports
DIFFERENCES, DIFFERENCES_ASKED = 0.2, 2.0  # seconds for central differences, now and then and when somebody asks
AT_ONCE = 1.0  # seconds in which a step is taken again while whoever asked waits
MOST_AGAIN = 8  # steps taken again that are kept
MIB = 1 << 20
LARGEST_STATE = 64 * MIB  # of weights, and of what the optimiser remembers of them
TELL_EVERY = 0.25  # seconds between two words on how far a step is


class Session:
    """One run; `saved` continues one from what its `save` returned. Of two that keep step the other's place is 1."""

    def __init__(
        self, request: Request, names: Path | None = None, saved: bytes | None = None, place: Literal[0, 1] = 0
    ) -> None:
        self.place = place
        with guard():
            self.trainer = Trainer(read_task(request, names))
        self.status: Status = "paused" if request.get("paused") else "running"
        self.target = self.trainer.task.steps
        self.reports, self.looked, self.spoke = 0, 0.0, 0.0
        self.looked_after: int | None = None  # steps taken when the validation split was looked at last
        self.replay: Replay | None = None
        self.twin: Trainer | None = None
        self.again: dict[int, Moment] = {}
        if (size := self.trainer.largest) > LARGEST_STATE:
            raise Refusal("run-large", found=f"{size / MIB:.0f}", limit=f"{LARGEST_STATE // MIB}")
        if saved is not None:
            self.status, self.target = read_state(self.trainer, saved)

    def save(self) -> bytes:
        """Everything that the steps to come depend on, and how it stands."""
        return written_state(self.trainer, [self.status, self.target])

    def go_on(self, told: Sequence[int]) -> None:
        """Take the steps again, silently, up to what was told of the run in this place after it was saved."""
        self.trainer.advance(max(0, told[self.place] - self.trainer.number))
        self.trainer.forget()

    @property
    def busy(self) -> bool:
        """Whether a turn would do anything."""
        return self.status == "running" or self.replay is not None

    @property
    def alive(self) -> bool:
        """Whether more steps may be taken without a restart."""
        return self.status in ("running", "paused")

    # Commands.
    def command(self, command: Request) -> Iterator[Told]:
        """Carry out a command and tell what came of it; raises Refusal where it makes no sense now."""
        carry_out = getattr(self, "_" + command["do"].replace("-", "_"))
        if command.get("run", 0) > self.place:
            raise Refusal("run-beside-missing", status=404)
        with guard():
            yield from carry_out(command)

    def _go(self, status: Status) -> Iterator[Told]:
        self.status = status
        yield event_types.StatusChange({"kind": "status", **self._of_run(), "status": status, "target": self.target})

    def _resume(self, _: Request) -> Iterator[Told]:
        self._check_alive()
        self.target = self.trainer.task.steps
        yield from self._go("running")

    def _pause(self, _: Request) -> Iterator[Told]:
        self._check_alive()
        yield from self._go("paused")

    def _step(self, command: Request) -> Iterator[Told]:
        self._check_alive()
        self.target = self.trainer.number + int(command.get("count", 1))
        yield from self._go("running")

    def _run_to(self, command: Request) -> Iterator[Told]:
        self._check_alive()
        self.target = int(command["step"])
        yield from self._go("running")

    def _stop(self, _: Request) -> Iterator[Told]:
        if self.alive:
            yield from self._ended("stopped")

    def _restart(self, _: Request) -> Iterator[Told]:
        self.trainer.restart()
        self.replay = None
        self.again.clear()
        self.target = self.trainer.task.steps
        yield event_types.Restarted({"kind": "restart", **self._of_run()})
        yield from self._untrained()
        yield from self._go("running")

    def _set(self, command: Request) -> Iterator[Told]:
        trainer = self.trainer
        if "schedule" in command:
            trainer.follow(schedule_of(command))
        if "optimiser" in command:
            if unknown := sorted(set(command["optimiser"]) - set(trainer.optimiser.settings)):
                raise Refusal("setting-unknown", found=unknown[0], name=type(trainer.optimiser).__name__)
            trainer.optimiser.set(command["optimiser"])
        if "clip" in command or command.get("unclipped"):
            trainer.hold(clipping_of(command))
        trainer.remember()
        yield event_types.Changed({"kind": "settings", **self._of_run(), **self.settings()})

    def _compare(self, command: Request) -> Iterator[Told]:
        step, moment = self._latest() if command.get("step") is None else self._moment(int(command["step"]))
        yield self._compared(step, moment, DIFFERENCES_ASKED)

    def _sample(self, command: Request) -> Iterator[Told]:
        yield from self._sampled(int(command.get("count", NAMES_SHOWN)))

    def _about(self, _: Request) -> Iterator[Told]:
        yield {**self.about(), "kept": sorted({*self.trainer.moments, *self.again})}

    def _walk(self, command: Request) -> Iterator[Told]:
        asked = command.get("step")
        if command.get("now"):
            step, moment = self.trainer.number, self.trainer.now()
        else:
            step, moment = self._latest() if asked is None else self._moment(int(asked))
        yield event_types.StepWalk(kind="walk", step=step, walk=walk_request(self.trainer, moment))

    def _replay(self, command: Request) -> Iterator[Told]:
        step = int(command["step"])
        if self._kept(step) is None and (self.replay is None or self.replay.step != step):
            yield from self._cancel_replay({})
            self.twin = self.twin or self.trainer.twin()
            self.replay = Replay(self.trainer, self.twin, step)
        if self._kept(step) is None:
            self._work_again(AT_ONCE)
        yield self._replayed(step)

    def _cancel_replay(self, _: Request) -> Iterator[Told]:
        replay, self.replay = self.replay, None
        if replay is not None:
            yield self._replay_at(replay.step, replay.begun, replay.at, "cancelled")

    def _check_alive(self) -> None:
        if not self.alive:
            raise Refusal("run-over", status=409)

    def _latest(self) -> tuple[int, Moment]:
        """The last step that was reported; before the first one there is none to look at."""
        step = max(self.trainer.moments, default=None)
        if step is None:
            raise Refusal("step-not-taken", found=0, taken=0, status=404)
        return step, self.trainer.moments[step]

    def _kept(self, step: int) -> Moment | None:
        """What is kept of a step, as it was reported or as it was taken again."""
        return self.trainer.moments[step] if step in self.trainer.moments else self.again.get(step)

    def _moment(self, step: int) -> tuple[int, Moment]:
        """A step, taken again where nothing is kept of it; raises Refusal while that goes on."""
        for _ in self._replay({"step": step}):
            pass
        moment = self._kept(step)
        if moment is None:
            assert self.replay is not None
            at, total = self.replay.at - self.replay.begun, step - self.replay.begun
            raise Refusal("step-replaying", found=step, place=f"{at:,}", total=f"{total:,}", status=409)
        return step, moment

    def _work_again(self, seconds: float) -> None:
        """Take steps again for about so long; what is reached is kept."""
        assert self.replay is not None
        moment = self.replay.work(seconds)
        if moment is not None:
            self.again[self.replay.step] = moment
            self.replay = None
            while len(self.again) > MOST_AGAIN:
                del self.again[next(iter(self.again))]  # the one that was taken first

    def _replayed(self, step: int) -> event_types.Replayed:
        """How far a step is that is asked for."""
        self.spoke = time.monotonic()
        if self.replay is None or self.replay.step != step:
            return self._replay_at(step, step, step, "ready")
        return self._replay_at(step, self.replay.begun, self.replay.at, "under way")

    def _replay_at(self, step: int, begun: int, at: int, state: ReplayState) -> event_types.Replayed:
        return {"kind": "replay", **self._of_run(), "step": step, "begun": begun, "at": at, "state": state}

    # Work.
    def begin(self) -> Iterator[Told]:
        """Say what is trained, and how; of a network that has learned nothing yet, which names it makes up."""
        yield self.about()
        yield from self._untrained()

    def about(self) -> Start:
        """What is trained, how, and how far it is."""
        task, trainer = self.trainer.task, self.trainer
        shapes = {name: list(shape) for name, shape in trainer.parameters.shapes.items()}
        data: TrainingData = {"name": "own", "batch": task.source.batch}
        if isinstance(task.source, Minibatches):
            known = task.source.data
            data |= {"name": known.name, "title": known.title, "inputs": list(task.source.inputs)}
            data |= {"classes": known.classes, "examples": {part: len(known.split(part).Y) for part in PARTS}}
        return {
            "kind": "start", **self._of_run(), "status": self.status, "target": self.target,
            "title": task.material.title, "steps": task.steps, "seed": task.seed, "lines": task.lines,
            "own": list(task.own), "step_kind": type(trainer.step).__name__, "parameters": shapes, "data": data,
            **self.settings(),
        }  # fmt: skip

    def settings(self) -> Settings:
        """Learning rate, optimiser and clipping as they are now."""
        trainer = self.trainer
        return {
            "optimiser": {"name": type(trainer.optimiser).__name__.lower(), **trainer.optimiser.settings},
            "schedule": {"name": type(trainer.schedule).__name__.lower(), **asdict(trainer.schedule)},
            "clip": {"by": clip.by, "limit": clip.limit} if (clip := trainer.clipping) else None,
            "lr": trainer.rate,
        }

    def turn(self, seconds: float = TURN, beside: Session | None = None) -> Iterator[Told]:
        """Train for about so long and report the last step; take steps again where somebody waits for one.

        With a run `beside` it takes as many steps as that one has, however long, and looks up when that one did.
        """
        if self.replay is not None:
            step = self.replay.step
            self._work_again(seconds)
            if self.replay is None or time.monotonic() - self.spoke > TELL_EVERY:
                yield self._replayed(step)
        if self.status == "running":
            yield from self._train(seconds, beside)

    def _train(self, seconds: float, beside: Session | None) -> Iterator[Told]:
        trainer, began, first = self.trainer, time.perf_counter(), self.trainer.number
        goal, seconds = (self.target, seconds) if beside is None else (beside.trainer.number, math.inf)
        if goal <= first < self.target:
            return
        try:
            chunk = 1
            while (left := goal - trainer.number - 1) > 0 and time.perf_counter() - began < seconds:
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
        yield from self._now_and_then(beside)
        if trainer.number >= self.target:
            yield from self._arrived()

    def _report(self, step: int, moment: Moment, speed: float) -> event_types.Report:
        trainer, losses = self.trainer, self._untold()
        self.reports += 1
        clipped, values = trainer.clipped, instruments.values_at(trainer, moment)
        left = float(moment.gradient.norm())
        whole = left if moment.whole is None else float(moment.whole.norm())
        return {
            "kind": "report", **self._of_run(), "step": step, "loss": number(moment.loss),
            "smoothed": number(trainer.smoothed.value), "losses": losses, "lr": trainer.rate_of(step),
            "accuracy": instruments.accuracy(trainer, values), "norm": number(whole),
            "norm_after": number(clipped.after if clipped else left), "silenced": silenced(trainer, moment, values),
            "parameters": instruments.parameters(trainer, moment),
            "activations": list(instruments.activations(moment.plan, values, trainer.task.dtype)),
            "speed": speed, "seconds_left": (trainer.task.steps - trainer.number) / speed,
        }  # fmt: skip

    def _compared(self, step: int, moment: Moment, seconds: float) -> event_types.Comparison:
        told = compared(self.trainer, moment, seconds)
        return {"kind": "compared", **self._of_run(), "step": step, "parameters": told}

    def _untold(self) -> list[Point]:
        """The losses that nobody has been told yet, thinned, each with its step and the running mean."""
        trainer = self.trainer
        told = points(trainer.number - len(trainer.losses), trainer.losses, trainer.means)
        trainer.forget()
        return told

    def _now_and_then(self, beside: Session | None) -> Iterator[Told]:
        """What costs more than a report."""
        late = time.monotonic() - self.looked > SPLIT_EVERY
        if self.reports % COMPARED_EVERY == 1 and self.trainer.task.lines != "autograd":
            step, moment = self._latest()
            yield self._compared(step, moment, DIFFERENCES)
        if late if beside is None else beside.looked_after == self.trainer.number:
            self.looked, self.looked_after = time.monotonic(), self.trainer.number
            yield from self._sampled(NAMES_SHOWN)

    def _untrained(self) -> Iterator[Told]:
        if self.trainer.number == 0:
            yield from self._sampled(NAMES_SHOWN)

    def _sampled(self, count: int) -> Iterator[Told]:
        """Validation loss and made-up names, on a network calibrated with a part of the training examples."""
        trainer, source = self.trainer, self.trainer.task.source
        if not isinstance(source, Minibatches):
            return
        network = Network(trainer.task, trainer.parameters.values)
        held = network.calibrated(first_of(source.data.train, TRAIN_PART))
        score = network.score(first_of(source.data.validation, VALIDATION_PART), held)
        names = network.samples(count, held, trainer.task.seed + trainer.number)
        loss = number(score.loss) if score.examples else None
        yield event_types.Validation(
            kind="validation", steps_taken=trainer.number, run=self.place,
            loss=loss, accuracy=score.accuracy, examples=score.examples, names=names,
        )  # fmt: skip

    def _arrived(self) -> Iterator[Told]:
        if self.trainer.number < self.trainer.task.steps:
            yield from self._go("paused")
        else:
            yield from self._ended("finished")

    def _ended(self, status: Status) -> Iterator[Told]:
        """Losses of the whole splits, and names, from a network calibrated with every training example."""
        yield from self._go(status)
        trainer, source = self.trainer, self.trainer.task.source
        if not isinstance(source, Minibatches):
            return
        network = Network(trainer.task, trainer.parameters.values)
        held = network.calibrated(source.data.train)
        scores = {part: network.score(source.data.split(part), held) for part in PARTS}
        names = network.samples(NAMES_AT_END, held, trainer.task.seed + trainer.number)
        losses = {part: number(score.loss) if score.examples else None for part, score in scores.items()}
        accuracies = {part: score.accuracy for part, score in scores.items()}
        yield event_types.Splits(
            kind="splits", steps_taken=trainer.number, run=self.place,
            losses=losses, accuracies=accuracies, calibrated=sorted(held), names=names,
        )  # fmt: skip

    def _diverged(self) -> Iterator[Told]:
        """The step whose loss is not finite: its minibatch and weights are kept, nothing was updated."""
        trainer = self.trainer
        trainer.keep()
        self.status, losses = "diverged", self._untold()
        yield event_types.Diverged(
            kind="diverged", steps_taken=trainer.number, run=self.place,
            step=trainer.number, loss=number(trainer.loss), losses=losses, lr=trainer.rate,
        )  # fmt: skip
        yield from self._go("diverged")

    def _of_run(self) -> OfRun:
        return {"steps_taken": self.trainer.number, "run": self.place}
