"""Training on the command line: `python -m backend.training makemore --names FILE --steps 200000`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is loaded, and so before it is

import torch
from tqdm import tqdm

from backend.encode import Document
from backend.language.errors import Refusal
from backend.program.data.words import WordListError
from backend.training.optimisers import OPTIMISERS
from backend.training.schedules import SCHEDULES
from backend.training.session import Session

LESSONS = {"makemore": "makemore-mlp"}


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m backend.training", description=__doc__)
    parser.add_argument("program", help="makemore, or the name of a lesson or starting point")
    parser.add_argument("--names", type=Path, help="a list of words, one a line; without it the embedded one")
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--batch", type=int, default=32)
    for size, default in (("context", 3), ("embedding", 10), ("hidden", 200)):
        parser.add_argument(f"--{size}", type=int, default=default)
    parser.add_argument("--optimiser", choices=OPTIMISERS, default="sgd")
    parser.add_argument("--schedule", choices=SCHEDULES, default="step", help="of the learning rate")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--every", type=int, default=100_000, help="steps after which `step` lowers the rate tenfold")
    parser.add_argument("--clip", type=float, help="the norm that the gradient is held to")
    parser.add_argument("--lines", choices=("closed", "printed", "autograd"), default="closed")
    return parser.parse_args(given)


def request_of(given: argparse.Namespace) -> Document:
    """The request of a run, as POST /api/training takes it."""
    schedule = {"name": given.schedule, "lr": given.lr}
    if given.schedule == "step":
        schedule["every"] = given.every
    if given.schedule == "cosine":
        schedule["total"] = given.steps
    request: Document = {
        "walk": {"lesson": LESSONS.get(given.program, given.program)},
        "steps": given.steps, "batch": given.batch, "lines": given.lines,
        "sizes": {"context": given.context, "embedding": given.embedding, "hidden": given.hidden},
        "optimiser": {"name": given.optimiser}, "schedule": schedule,
    }  # fmt: skip
    if given.clip:
        request["clip"] = {"by": "norm", "limit": given.clip}
    return request | ({} if given.seed is None else {"seed": given.seed})


class Printer:
    """Writes events below a progress bar."""

    def __init__(self, bar: tqdm[None]) -> None:
        self.bar = bar

    def tell(self, event: Document) -> None:
        """One event, if there is something to say of it."""
        getattr(self, "_" + event["kind"], lambda _: None)(event)

    def _report(self, event: Document) -> None:
        self.bar.update(event["steps_taken"] - self.bar.n)
        self.bar.set_postfix_str(f"loss {event['smoothed']:.4f}, lr {event['lr']:g}, norm {event['norm']:.3f}")

    def _validation(self, event: Document) -> None:
        loss = f"validation {event['loss']:.4f}; " if isinstance(event["loss"], float) else ""
        self.bar.write(f"step {event['steps_taken']:>7,}: {loss}{', '.join(event['names'])}")

    def _compared(self, event: Document) -> None:
        told = ", ".join(f"{one['name']} {one['level']}" for one in event["parameters"])
        self.bar.write(f"step {event['steps_taken']:>7,}: beside autograd: {told}")

    def _splits(self, event: Document) -> None:
        losses = ", ".join(f"{part} {loss:.4f}" for part, loss in event["losses"].items() if isinstance(loss, float))
        self.bar.write(f"calibrated with every training example: {losses}")
        self.bar.write("\n".join(event["names"]))

    def _diverged(self, event: Document) -> None:
        self.bar.write(f"step {event['step']:,}: the loss is {event['loss']}; a lower learning rate may help.")


def table(event: Document) -> str:
    """The last report's parameters as a table."""
    rows = [f"{'':12}{'weight std':>12}{'gradient norm':>15}{'update/weight':>15}"]
    for one in event["parameters"]:
        ratio = one["update_ratio"]
        rows.append(
            f"{one['name']:12}{one['value']['std']:>12.4g}{one['gradient']['norm']:>15.4g}"
            + (f"{ratio:>15.2e}" if isinstance(ratio, float) else "")
        )
    rows += [f"{one['name']}: {one['share']:.1%} {one['word']}" for one in event["activations"]]
    return "\n".join(rows)


def main(given: list[str] | None = None) -> int:
    """Train until it is done; returns the exit status."""
    torch.set_num_threads(1)
    said = arguments(given)
    try:
        session = Session(request_of(said), said.names)
    except (Refusal, WordListError) as error:
        print(getattr(error, "message", error), file=sys.stderr)
        return 2
    last: Document = {}
    with tqdm(total=said.steps, unit=" steps", smoothing=0.05) as bar:
        printer = Printer(bar)
        while session.status == "running":
            for event in session.turn():
                printer.tell(event)
                last = event if event["kind"] == "report" else last
    if last:
        print(table(last))
    return 0 if session.status == "finished" else 1


if __name__ == "__main__":
    sys.exit(main())
