"""Two runs from one seed that keep step, so that whatever is compared is read where both have taken as many steps."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from backend.program.request import Request
from backend.training.session import TURN, Session, Status, Told

OF_ONE = frozenset({"walk", "compare", "sample", "replay", "cancel-replay"})  # what is asked of one of the two
WHENEVER = frozenset({"set", "restart"})  # what is told to both, whether a run is over or not
FIRST_OF_ALL: tuple[Status, ...] = ("running", "paused")  # a pair does what either of its runs does
LEAST_SHARE = 0.02  # of a turn's time, which the first run takes while the other is far slower
LENGTH = 8  # bytes that say how long the first run's state is


class Pair:
    """A run and the one `beside` it, told what to do as if they were one; `saved` continues both.

    The first takes as many steps as fit into its share of a turn, the second as many. A run whose loss is no number any
    more stays behind, and the other goes on alone.
    """

    def __init__(self, request: Request, names: Path | None = None, saved: bytes | None = None) -> None:
        first, second = (None, None) if saved is None else _parts(saved)
        self.runs = Session(request, names, first), Session(request_beside(request), names, second, place=1)
        self.share = 0.5

    @property
    def status(self) -> Status:
        """What is under way in either run; of two that are over that of the first."""
        each = [run.status for run in self.runs]
        return next((status for status in FIRST_OF_ALL if status in each), each[0])

    @property
    def busy(self) -> bool:
        """Whether a turn would do anything."""
        return any(run.busy for run in self.runs)

    def save(self) -> bytes:
        """Everything that the steps of both to come depend on."""
        first, second = (run.save() for run in self.runs)
        return len(first).to_bytes(LENGTH, "big") + first + second

    def go_on(self, told: Sequence[int]) -> None:
        """Take the steps again, silently, up to what was told of either after they were saved."""
        for run in self.runs:
            run.go_on(told)

    def begin(self) -> Iterator[Told]:
        """What is trained, of each run."""
        for run in self.runs:
            yield from run.begin()

    def about(self) -> Told:
        """The same as one document, and not as events."""
        first, second = (run.about() for run in self.runs)
        return {**first, "beside": second}

    def command(self, command: Request) -> Iterator[Told]:
        """Carry out a command, on both runs or on the one that it names; raises Refusal where it makes no sense now."""
        name = command["do"]
        if name in OF_ONE:
            yield from self.runs[command.get("run", 0)].command(command)
            return
        if name == "about":
            (first,) = self.runs[0].command(command)
            yield {**first, "beside": self.runs[1].about()}
            return
        for run in [run for run in self.runs if run.alive or name in WHENEVER] or self.runs:
            told = command.get("beside", command) if run.place else command
            yield from run.command({**told, "do": name})

    def turn(self, seconds: float = TURN) -> Iterator[Told]:
        """Train both for about so long, as many steps each; take steps again where somebody waits for one."""
        first, second = self.runs
        if not first.status == second.status == "running":
            for run in self.runs:
                yield from run.turn(seconds)
            return
        began = time.perf_counter()
        yield from first.turn(seconds * self.share)
        between = time.perf_counter()
        yield from second.turn(seconds, beside=first)
        own, others = between - began, time.perf_counter() - between
        self.share = max(LEAST_SHARE, own / max(own + others, 1e-9))


def training_session(request: Request, names: Path | None = None, saved: bytes | None = None) -> Session | Pair:
    """The run that a request asks for, or the two."""
    return Pair(request, names, saved) if "beside" in request else Session(request, names, saved)


def request_beside(request: Request) -> Request:
    """The request of the second run: the first one's, but for what is said of it."""
    own = dict(request["beside"])
    plant = {"plant": own.pop("plant")} if "plant" in own else {}
    return {**request, **own, "walk": {**request["walk"], **plant}}


def _parts(saved: bytes) -> tuple[bytes, bytes]:
    end = LENGTH + int.from_bytes(saved[:LENGTH], "big")
    return saved[LENGTH:end], saved[end:]
