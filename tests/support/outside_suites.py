"""Reads a line of a table as programs: `title | expression | inputs`, and perhaps `| code of a refusal`.

In an expression `{0;1}` stands for 0 in one case and 1 in another, and `;` outside of braces ends a statement. An input
is `x=3,4` (a shape), `x=.` (a single number), `x=3,4/4` (one shape, then the other) or `x=[1.0,2.0]` (values). Behind a
shape, `+` makes its cells positive, `>1` larger than 1, `%` between 0 and 1, `@300:400` between those, `<5` whole
numbers below 5, and `?` truth values. A name in capitals gets no gradient.
"""

from __future__ import annotations

import itertools
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from tests.support import torch_reference


@dataclass(frozen=True)
class Line:
    """One line of a table."""

    title: str
    expression: str
    inputs: str
    refused: str = ""

    def cases(self) -> Iterator[torch_reference.Case]:
        """A program for each combination of its alternatives."""
        for number, expression in enumerate(_spelled_out(self.expression)):
            names = [part.partition("=")[0] for part in self.inputs.split()]
            choices = [_alternatives(part.partition("=")[2]) for part in self.inputs.split()]
            for specs in itertools.product(*choices):
                seed = zlib.crc32(f"{self.title} {number} {specs}".encode()) % 10_000
                drawn = zip(names, specs, itertools.count(seed), strict=False)
                yield _program(expression, {name: _tensor(name, spec, one) for name, spec, one in drawn})


def read(table: str) -> list[Line]:
    """The lines of a table; empty ones and comments only part them."""
    lines = (line.strip() for line in table.splitlines())
    return [Line(*(part.strip() for part in line.split(" | "))) for line in lines if line and not line.startswith("#")]


def _spelled_out(expression: str) -> Iterator[str]:
    """The expression with one choice in the place of each pair of braces."""
    pieces = re.split(r"\{(.*?)\}", expression)
    choices = [piece.split(";") if number % 2 else [piece] for number, piece in enumerate(pieces)]
    yield from ("".join(chosen) for chosen in itertools.product(*choices))


def _alternatives(spec: str) -> list[str]:
    return [spec] if spec.startswith("[") else spec.split("/")


def _tensor(name: str, spec: str, seed: int) -> dict[str, Any]:
    match = re.fullmatch(r"([\d,]*|\.)(\+|>1|%|\?|@.*|<\d+)?", spec)
    if match is None:
        values = json.loads(spec)
    else:
        kind, generator = match[2] or "", torch.Generator().manual_seed(seed)
        shape = [int(size) for size in match[1].split(",") if size not in ("", ".")]
        values = _drawn(shape, kind, generator).tolist()
        if 0 in shape:
            return {"role": "parameter", "shape": shape, "init": "zeros"}
    return {"role": "target" if name.isupper() else "parameter", "values": values}


def _drawn(shape: list[int], kind: str, generator: torch.Generator) -> torch.Tensor:
    if kind.startswith("<"):
        return torch.randint(0, int(kind[1:]), shape, generator=generator)
    if kind == "?":
        return torch.rand(shape, generator=generator) > 0.5
    if kind.startswith("@"):
        low, high = map(float, kind[1:].split(":"))
        return low + (high - low) * torch.rand(shape, generator=generator)
    if kind == "%":
        return 0.1 + 0.8 * torch.rand(shape, generator=generator)
    cells = torch.randn(shape, generator=generator)
    cells = cells + 0.05 * cells.sign()  # away from zero, where many an operation has a kink or a pole
    return cells.abs() + {"+": 0.3, ">1": 1.1}[kind] if kind else cells


def _program(expression: str, tensors: dict[str, Any]) -> torch_reference.Case:
    """A program that weighs what the expression gives into a loss."""
    *before, last = (part.strip() for part in expression.split(";"))
    lines = [*before, f"out = {last}"]
    case: torch_reference.Case = {"source": "\n".join(lines), "tensors": tensors}
    scope = torch_reference.scope(case, torch_reference.tensors(case))
    with torch_reference.DefaultDtype(torch.float64):
        exec(case["source"], scope)
    single = isinstance(scope["out"], torch.Tensor)
    outs = [scope["out"]] if single else list(scope["out"])
    names = ["out"] if single else [f"out[{number}]" for number in range(len(outs))]
    for number, out in enumerate(outs):
        weight = 0.5 + torch.rand(out.shape, generator=torch.Generator().manual_seed(number))
        tensors[f"WEIGHT{number}"] = (
            {"role": "target", "shape": list(out.shape), "init": "zeros"}
            if 0 in out.shape
            else {"role": "target", "values": weight.tolist()}
        )
    terms = [f"({name} * WEIGHT{number}).sum()" for number, name in enumerate(names)]
    return {"source": "\n".join([*lines, f"loss = {' + '.join(terms)}"]) + "\n", "tensors": tensors}
