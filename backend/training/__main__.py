"""Training on the command line: `python -m backend.training makemore --names FILE --steps 200000`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is loaded, and so before it is

import torch
from tqdm import tqdm

from backend.engine.encode import Document
from backend.engine.language.errors import Refusal
from backend.program.data.digits import serve_mnist
from backend.program.data.words import load_words
from backend.training.choice import LINES, USUAL_LINES
from backend.training.event_types import Comparison, Diverged, Report, Splits, Validation
from backend.training.optimisers import OPTIMISERS
from backend.training.schedules import SCHEDULES
from backend.training.session import Session, Told
from backend.training.task import SIZES

LESSONS = {"makemore": "makemore-mlp"}


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m backend.training",
        description="Train a network on the backward lines that gradwalk writes for it.",
        epilog="Example: python -m backend.training makemore --names names.txt --steps 200000",
    )
    parser.add_argument("program", help="makemore, a lesson, a starting point, or FILE.json: a body of POST /api/walk")
    data = parser.add_argument_group("data")
    data.add_argument("--data", choices=("own", "names", "digits"), help="what to train on (default: the usual data)")
    data.add_argument("--names", type=Path, metavar="FILE", help="a list of words, one a line (default: built in)")
    data.add_argument("--mnist", type=Path, metavar="DIR", help="MNIST's files, in place of the 8 × 8 digits")
    data.add_argument("--batch", type=int, help="examples in a minibatch (default: 32, or the program's own)")
    data.add_argument("--context", type=int, help="letters in front of the one to predict (default: 3)")
    sizes = parser.add_argument_group("the makemore network")
    sizes.add_argument("--embedding", type=int, help="numbers for each letter (default: 10)")
    sizes.add_argument("--hidden", type=int, help="hidden units (default: 200)")
    run = parser.add_argument_group("training")
    run.add_argument("--steps", type=int, default=200_000, help="how many steps to take (default: 200000)")
    run.add_argument("--seed", type=int, help="of the first weights and of the minibatches (default: the lesson's)")
    run.add_argument("--optimiser", choices=OPTIMISERS, default="sgd", help="how weights are updated (default: sgd)")
    run.add_argument("--schedule", choices=SCHEDULES, default="step", help="of the learning rate (default: step decay)")
    rates = ", ".join(f"{name} {optimiser.usual_rate:g}" for name, optimiser in OPTIMISERS.items())
    run.add_argument("--lr", type=float, help=f"the learning rate to begin with (default: {rates})")
    run.add_argument("--every", type=int, default=100_000, help="steps between two decays to a tenth (default: 100000)")
    run.add_argument("--clip", type=float, metavar="NORM", help="the largest norm that the gradient may have")
    run.add_argument("--clip-loss", type=float, metavar="LIMIT", help="clip each example's loss instead: a mistake")
    run.add_argument(
        "--lines", choices=LINES, default=USUAL_LINES,
        help=f"what the gradients come from: {' or '.join(LINES.values())} (default: {LINES[USUAL_LINES]})",
    )  # fmt: skip
    return parser.parse_args(given)


def request_of(given: argparse.Namespace) -> Document:
    """The request of a run, as POST /api/training takes it."""
    schedule = {"name": given.schedule} | ({} if given.lr is None else {"lr": given.lr})
    if given.schedule == "step":
        schedule["every"] = given.every
    if given.schedule == "cosine":
        schedule["total"] = given.steps
    chosen = {"data": given.data, "batch": given.batch, "seed": given.seed}
    sizes = {name: getattr(given, name) for name in SIZES if getattr(given, name) is not None}
    request: Document = {
        "walk": walk_of(given.program), "steps": given.steps, "lines": given.lines,
        "sizes": sizes, "optimiser": {"name": given.optimiser}, "schedule": schedule,
    }  # fmt: skip
    if given.clip or given.clip_loss:
        by = "loss" if given.clip_loss else "norm"
        request["clip"] = {"by": by, "limit": given.clip_loss or given.clip}
    return request | {name: value for name, value in chosen.items() if value is not None}


def walk_of(program: str) -> Document:
    """What is trained: a lesson by its name, or a program of one's own from a file."""
    if not program.endswith(".json"):
        return {"lesson": LESSONS.get(program, program)}
    try:
        walk = json.loads(Path(program).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{program}, line {error.lineno}: not valid JSON") from None
    if not isinstance(walk, dict) or not {"source", "tensors"} <= set(walk):
        raise ValueError(f'{program}: expected {{"source": …, "tensors": {{…}}}}, as POST /api/walk takes it')
    return walk


class Printer:
    """Writes events below a progress bar."""

    def __init__(self, bar: tqdm[None]) -> None:
        self.bar = bar

    def tell(self, event: Told) -> None:
        """One event, if there is something to say of it."""
        getattr(self, "_" + event["kind"], lambda _: None)(event)

    def _report(self, event: Report) -> None:
        self.bar.update(event["steps_taken"] - self.bar.n)
        loss, norm = float(event["smoothed"]), float(event["norm"])  # what is infinite comes as text
        self.bar.set_postfix_str(f"loss {loss:.4f}, lr {event['lr']:g}, norm {norm:.3f}")

    def _validation(self, event: Validation) -> None:
        told = [scored("validation", event["loss"], event["accuracy"]), ", ".join(event["names"])]
        self.bar.write(f"step {event['steps_taken']:>7,}: {'; '.join(part for part in told if part)}")

    def _compared(self, event: Comparison) -> None:
        parts = event["parameters"]
        told = ", ".join(f"{one['name']} {one['level'].replace('-', ' ')}" for one in parts)
        cells = [cell["agrees"] for one in parts if one["differences"] for cell in one["differences"]["cells"]]
        nudged = f"; central differences agree in {sum(cells)} of {len(cells)} cells" if cells else ""
        self.bar.write(f"step {event['steps_taken']:>7,}: beside autograd: {told}{nudged}")

    def _splits(self, event: Splits) -> None:
        told = [scored(part, loss, event["accuracies"][part]) for part, loss in event["losses"].items()]
        held = f", {' and '.join(event['calibrated'])} as over all training examples" if event["calibrated"] else ""
        self.bar.write(f"over whole splits{held}: {'; '.join(part for part in told if part)}")
        if event["names"]:
            self.bar.write("\n".join(event["names"]))

    def _diverged(self, event: Diverged) -> None:
        self.bar.write(f"step {event['step']:,}: the loss is {event['loss']}; a lower learning rate may help.")


def scored(part: str, loss: object, accuracy: float | None) -> str:
    """The loss of a split, and the share of its examples that are told right."""
    if not isinstance(loss, float):
        return ""
    return f"{part} {loss:.4f}" + ("" if accuracy is None else f" ({accuracy:.1%} right)")


def table(event: Told) -> str:
    """The last report's parameters as a table."""
    rows = [f"{'':12}{'weight std':>12}{'gradient norm':>15}{'update/weight':>15}"]
    for one in event["parameters"]:
        ratio = one["update_ratio"]
        rows.append(
            f"{one['name']:12}{float(one['value']['std']):>12.4g}{float(one['gradient']['norm']):>15.4g}"
            + (f"{ratio:>15.2e}" if isinstance(ratio, float) else "")
        )
    rows += [f"{one['name']}: {one['share']:.1%} {one['word']}" for one in event["activations"]]
    if event["silenced"]:
        rows.append(f"step {event['step']:,}: {event['silenced']['says']}")
    return "\n".join(rows)


def main(given: list[str] | None = None) -> int:
    """Train until it is done; returns the exit status."""
    torch.set_num_threads(1)
    said = arguments(given)
    try:
        if said.mnist is not None:
            serve_mnist(said.mnist)
        if said.names is not None:
            load_words(said.names)
        session = Session(request_of(said), said.names)
    except (Refusal, ValueError, OSError) as error:
        print(f"{error.message} {error.hint}" if isinstance(error, Refusal) else error, file=sys.stderr)
        return 2
    last: Told = {}
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
