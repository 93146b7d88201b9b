"""A network with one backward line wrong, drawn from a seed: such that a gradient is wrong, and training suffers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from backend.engine.execute.plan import Plan
from backend.engine.execute.planting import plant
from backend.engine.execute.run import run_backward
from backend.engine.language.errors import Refusal
from backend.engine.verify.compare import verify
from backend.inspect.descent_path import Descender, stopped
from backend.lines.equations.names import names_of
from backend.lines.mistakes.choices import hidden_in
from backend.lines.mistakes.library import Mutant
from backend.pipeline import run_of
from backend.program.changes import parameters_of
from backend.program.runs import Run, execute

One = TypeVar("One")
STEPS = 30
WORSE = 0.03  # of what the right lines gain: so much less, and a run is seen to train badly
TURNED = 0.3  # of a parameter's gradient, in its length
TRIES = 2  # of a line, before another line is looked at
COMMONEST = "sign"  # nearly every line has it, and training always suffers: taken where a line has no other
KEPT = 16


@dataclass(frozen=True)
class Network:
    """A network that trains: the lesson that it is, and a learning rate at which the right lines get down."""

    title: str
    lesson: str
    rate: float


NETWORKS = {
    "makemore": Network("a name generator with batch norm", "makemore-mlp", 0.5),
    "digits": Network("a digit classifier with relu", "relu-classifier", 0.1),
    "recurrent": Network("a recurrent network", "through-time", 0.3),
    "block": Network("a GPT block", "gpt-block", 0.1),
    "variational": Network("a variational autoencoder", "variational", 0.2),
}


@dataclass(frozen=True)
class Case:
    """What a seed draws: the run with the wrong line, the mistake, and the losses of both short runs."""

    network: Network
    run: Run
    number: int
    mutant: Mutant
    right: list[float]
    wrong: list[float]

    @property
    def origin(self) -> Plan:
        """The plan without the mistake."""
        assert self.run.plan.origin is not None
        return self.run.plan.origin


@lru_cache(maxsize=KEPT)
def case_of(name: str, seed: int, names: Path | None = None) -> Case:
    """The network `name` with the mistake that `seed` draws; the same seed gives the same one."""
    network = NETWORKS[name]
    run = run_of({"lesson": network.lesson}, names)
    right = _right_losses(name, names)
    found = next(_possible(network, run, right, f"{name}/{seed}"), None)
    if found is None:
        raise Refusal("bug-none", found=name)
    return found


@lru_cache(maxsize=len(NETWORKS))
def _right_losses(name: str, names: Path | None) -> list[float]:
    run = run_of({"lesson": NETWORKS[name].lesson}, names)
    return _losses(run, run.plan, NETWORKS[name].rate)


def _losses(run: Run, plan: Plan, rate: float) -> list[float]:
    """The loss on the way downhill; it ends where it is no number any more."""
    descender = Descender(run, plan)
    for _ in range(STEPS):
        if not math.isfinite(descender.losses[-1]):
            break
        descender.step(rate)
    return descender.losses


def _possible(network: Network, run: Run, right: list[float], key: str) -> Iterator[Case]:
    """Every case, in the order in which a key draws them: lines first, so that none is drawn for having many."""
    plan = run.plan
    for number in shuffled(range(1, len(plan.lines)), key):  # the first one only says where the pass begins
        mutants = hidden_in(plan.lines[number], names_of(plan), plan.lines)
        by_kind = {one.code: one for one in shuffled(mutants, key)}
        drawn = sorted(shuffled(by_kind.values(), key), key=lambda one: one.code == COMMONEST)
        for mutant in drawn[:TRIES]:
            case = _tried(network, run, number, mutant, right)
            if case is not None:
                yield case


def _tried(network: Network, run: Run, number: int, mutant: Mutant, right: list[float]) -> Case | None:
    """The case of one mistake; None where training hardly suffers, or where no gradient is wrong."""
    planted = plant(run.plan, number, mutant.source)
    assert planted.planted is not None
    if planted.planted.unfit or not _turns_a_parameter(run, planted):
        return None
    wrong = _losses(run, planted, network.rate)
    ends = wrong[-1]
    if math.isfinite(ends) and ends - right[-1] < WORSE * (right[0] - right[-1]):
        return None
    found = execute(planted, run.material)
    if found.lost or stopped(found) or all(one.level != "wrong" for one in verify(found).values()):
        return None
    return Case(network, found, number, mutant, right, wrong)


def _turns_a_parameter(run: Run, planted: Plan) -> bool:
    """Whether a parameter's gradient is so far from the right one that a run could show it: a look before the run."""
    found = run_backward(planted.lines, run.forward.values, run.material.dtype, planted.planted).gradients
    right = {name: run.gradients[name] for name in (f"d{one}" for one in parameters_of(run.material))}
    return any(float((found[name] - one).norm()) > TURNED * float(one.norm()) for name, one in right.items())


def shuffled(items: Iterable[One], key: str) -> list[One]:
    """Items in an order that a key decides, the same everywhere and for ever."""
    return sorted(items, key=lambda one: sha256(f"{key}/{_told(one)}".encode()).digest())


def _told(item: object) -> str:
    return f"{item.code}/{item.source}" if isinstance(item, Mutant) else str(item)


def numbers_of(losses: Sequence[float]) -> list[float]:
    """Losses of one length with the others: what is no number any more stays so to the end."""
    return [*losses, *[math.nan] * (STEPS + 1 - len(losses))]
