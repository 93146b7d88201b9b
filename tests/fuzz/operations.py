"""Uses of every operation with arguments of every kind: each is answered or refused, never failed at.

`python -m tests.fuzz.operations --seconds 3600 --seed 1` draws programs for an hour and prints what is wrong with its
program and number; `--number 17` tries that one again.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, NoReturn

import torch

import backend
from backend.engine.language import guard
from backend.engine.ops import OPS, REGISTRY
from tests.fuzz import material
from tests.support import op_samples

Case = dict[str, Any]
SPELLINGS = [(op, spelling) for op in OPS for spelling in op.written]
SIGNS = ["+", "-", "*", "/", "**", "@", "//", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="]
ENDS = [
    "h.sum()",
    "h.sum()",
    "h.float().mean()",
    "h[0].sum()",
    "h.values.sum()",
    "(h * x).sum()",
    "(h * s).sum()",
    "h",
    "h.max()",
]
SLOW = 5.0  # seconds of this process's own time; a worker is ended after two


@dataclass
class Fuzz:
    """Programs from one seed, and what was found in them."""

    seed: int
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def program(self, number: int) -> Case:
        """The program of that number: a use or two of operations, and a loss."""
        draw = Random(f"{self.seed} {number}")
        tensors = material.tensors(draw)
        lines = [f"h = {_use(draw, tensors)}"]
        if draw.random() < 0.3:
            lines = [f"g = {_use(draw, tensors)}", *lines]
            lines[1] = lines[1].replace(draw.choice(["x", "a", "v", "s"]), "g", 1) if draw.random() < 0.7 else lines[1]
        if draw.random() < 0.1:
            lines = ["for i in range(2):", *(f"    {line}" for line in lines)]
        lines.append(f"loss = {draw.choice(ENDS)}{draw.choice(['', ' + x.sum()'])}")
        source = "\n".join(lines)
        return {"source": source, "tensors": tensors, "constants": {"n0": 2}}

    def try_one(self, number: int) -> None:
        """Walk a program and keep what is wrong with the answer."""
        case, before, started = self.program(number), guard.caught.copy(), time.process_time()
        try:
            wrong = self.answered(case, number)
        except backend.Refusal as refusal:
            self.outcomes[refusal.code] += 1
            wrong = _badly_refused(refusal)
        except Exception:
            wrong = traceback.format_exc(limit=-6)
        if places := guard.caught - before:
            wrong = f"not foreseen at {next(iter(places))}\n{_cause(case)}"
        if time.process_time() - started > SLOW:
            wrong = f"{time.process_time() - started:.1f} s of work"
        if wrong:
            self.findings.append(f"seed {self.seed}, number {number}: {wrong}\n{case['source']}")

    def answered(self, case: Case, number: int) -> str:
        """Walk, and now and then look inside; what is wrong with the documents."""
        walk = json.loads(backend.walk(case | {"arrays": "lists"}), parse_constant=_no_number)
        self.outcomes["walked"] += 1
        if walk["summary"]["wrong"]:
            self.outcomes["wrong"] += 1
        for job in (_check, _export, _cell, _numeric, _jacobian)[number % 16 : number % 16 + 1]:
            json.dumps(job(case, walk), allow_nan=False)
        return ""


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _badly_refused(refusal: backend.Refusal) -> str:
    told = refusal.message + refusal.hint
    if "object at" in told or "Error" in told or "{" in refusal.message or len(told) > 600:
        return f"{refusal.code}: {told}"
    return ""


def _cause(case: Case) -> str:
    """Where the guard caught something, as a traceback."""
    try:
        backend.walk(case | {"arrays": "lists"})
    except backend.Refusal as refusal:
        return "".join(traceback.format_exception(refusal.__cause__, limit=-6)) if refusal.__cause__ else ""
    return ""


def _check(case: Case, _: Any) -> Any:
    return backend.check(case)


def _export(case: Case, _: Any) -> Any:
    return backend.export(case, "py")


def _cell(case: Case, walk: Any) -> Any:
    node = walk["nodes"][-1]
    wanted = {"walk": case, "tensor": node["name"], "which": "value", "index": [0] * len(node["shape"])}
    return backend.cell(wanted)


def _numeric(case: Case, _: Any) -> Any:
    return backend.numeric({"walk": case, "node": "x"})


def _jacobian(case: Case, walk: Any) -> Any:
    node = next(node for node in walk["nodes"] if node["inputs"])
    return backend.jacobian({"walk": case, "node": node["name"], "input": node["inputs"][0]})


def _use(draw: Random, tensors: dict[str, Any]) -> str:
    """One use of an operation: as a sample has it, with some arguments changed, or with arguments of any kind."""
    kind = draw.random()
    if kind < 0.1:
        return f"{material.argument(draw)} {draw.choice(SIGNS)} {material.argument(draw)}"
    if kind < 0.25:
        return _called(draw, draw.choice([key for key in REGISTRY if "." in key]))
    op, spelling = draw.choice(SPELLINGS)
    return (_sampled(draw, op, spelling, tensors) if op.samples and kind < 0.75 else "") or _spelled(draw, spelling)


def _sampled(draw: Random, op: Any, spelling: str, tensors: dict[str, Any]) -> str:
    """A sample's call, each of its arguments with some luck another; "" where it is for another spelling."""
    sample = op_samples.read(draw.choice(op.samples), op)
    for name in sample.texts:
        if draw.random() < 0.25 and "tensors" not in sample.texts:
            sample.texts[name] = material.argument(draw)
    try:
        calls = list(op_samples.written(spelling, sample))
    except SyntaxError:
        return ""
    tensors |= sample.tensors
    return draw.choice(calls) if calls else ""


def _spelled(draw: Random, spelling: str) -> str:
    """A spelling with arguments of any kind."""
    tree = ast.parse(spelling, mode="eval").body
    texts = {name: material.argument(draw) for name in op_samples.parameters(spelling)}
    if "tensors" in texts and draw.random() < 0.8:
        texts["tensors"] = f"[{', '.join(material.argument(draw) for _ in range(draw.randint(0, 3)))}]"
    if isinstance(tree, ast.Call):
        tree.keywords = [k for k in tree.keywords if draw.random() < 0.4]
        for keyword in tree.keywords:
            keyword.value = ast.Name(str(keyword.arg))
    return _filled(tree, texts)


def _called(draw: Random, key: str) -> str:
    """A function or method with any number of arguments of any kind."""
    given = [material.argument(draw) for _ in range(draw.randint(0, 3))]
    given += [f"{draw.choice(['dim', 'keepdim', 'reduction', 'weight', 'dtype', 'p'])}={material.argument(draw)}"] * (
        draw.random() < 0.2
    )
    return f"{draw.choice(['x', *material.FLOATS, *material.WHOLE]) if key[0] == '.' else ''}{key}({', '.join(given)})"


def _filled(tree: ast.expr, texts: dict[str, str]) -> str:
    """A spelling with texts in the places of its names; words that no call takes, such as a slice, make bad syntax."""

    class Filled(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(texts.get(node.id, node.id))

        def visit_Starred(self, node: ast.Starred) -> Any:
            return self.visit(node.value)

    return ast.unparse(Filled().visit(tree))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--number", type=int, help="this program alone")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    fuzz, seen = Fuzz(options.seed), 0
    numbers = iter(range(10**9)) if options.number is None else iter([options.number])
    end = time.monotonic() + options.seconds
    done = 0
    for number in numbers:
        fuzz.try_one(number)
        done += 1
        for finding in fuzz.findings[seen:]:
            print(f"\n{finding}", flush=True)
        seen = len(fuzz.findings)
        if time.monotonic() > end:
            break
    print(f"\n{done:,} programs, {seen} findings; {dict(fuzz.outcomes.most_common(12))}")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
