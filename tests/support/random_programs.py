"""Random programs held against autograd: `python -m tests.support.random_programs --count 100000` for the long run."""

from __future__ import annotations

import argparse
import gc
import hashlib
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import backend
from backend.engine.language.errors import Refusal
from backend.engine.ops import REGISTRY
from backend.engine.verify.compare import verify
from backend.engine.verify.rounding import reasons
from backend.pipeline import run_of
from backend.program.runs import Run
from tests.support import torch_reference
from tests.support.program_statistics import Tally
from tests.support.random_names import Naming, strangers
from tests.support.solve import Solution, problems_of

FOUND = Path(__file__).parents[1] / "programs" / "found"
Choose = Callable[[list[Any]], Any]
Values = dict[str, torch.Tensor]

UNARY = (
    "tanh sigmoid sin cos square expm1 erf exp silu softplus gelu logsigmoid relu abs sqrt log log1p rsqrt reciprocal "
    "atan sinh cosh exp2 log2 log10 elu leaky_relu"
)
KINKS = {"relu", "abs", "elu", "leaky_relu"}
POSITIVE = {"sqrt", "log", "log1p", "rsqrt", "log2", "log10"}
REDUCTIONS = ["sum", "mean", "amax", "amin", "max", "min", "logsumexp", "var", "std", "prod", "norm"]
SIZES = [1, 2, 3, 4]
GAP = 0.02
TOLERANCE = 1e-7
SHOWN = 8  # one program in so many of the long run is made into a document, too


class Author:
    """Writes one program, a statement at a time; `choose` decides, and each value is kept away from kinks."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.lines: list[str] = []
        self.names = Naming(choose)
        self.tensors = {self.names.given(): self.input(n) for n in range(choose([2, 3, 4]))}
        self.tensors["mask"] = {"role": "target", "values": [True, False, True, True]}
        given = torch_reference.tensors({"tensors": self.tensors})
        # Where torch records gradients some results lie in memory differently, and `.view` minds.
        recorded = {name: t.requires_grad_() if t.is_floating_point() else t for name, t in given.items()}
        self.scope = torch_reference.scope({}, recorded)
        self.values: Values = {name: self.scope[name].detach() for name in self.tensors if name != "mask"}

    def input(self, number: int) -> dict[str, Any]:
        shape = [self.choose(SIZES) for _ in range(self.choose([1, 2, 2, 3]))]
        return {
            "role": "parameter" if number == 0 else self.choose(["parameter", "parameter", "parameter", "data"]),
            "shape": shape,
            "init": self.choose(["randn", "randn", "randn", "randn", "rand", "ones", "zeros"]),
            "seed": self.choose(list(range(50))) + 50 * number,
        }

    def write(self, most: int = 40) -> torch_reference.Case:
        wanted, tries = min(self.choose(list(range(5, most + 1))) for _ in range(2)), 0
        while len(self.lines) < wanted and tries < 4 * wanted:
            tries += 1
            self.statement()
        ends = [self.any() for _ in range(3)] + [list(self.values)[-1]]
        terms = [f"({name} * {name}).mean()" if self.choose([0, 1]) else f"{name}.sum() * 0.3" for name in ends]
        source = "\n".join([*self.lines, "loss = " + " + ".join(terms)]) + "\n"
        return {"source": source, "tensors": self.tensors}

    def statement(self) -> None:
        if self.choose([0, 0, 0, 0, 0, 1]):
            self.cut()
            return
        expression = self.expression(self.choose([0, 0, 1, 2]))
        value = None if expression is None else self.value(expression)
        if expression is not None and value is not None:
            self.assign(self.names.next(), expression, eval(expression, self.scope), value)

    def cut(self) -> None:
        """A tensor cut into parts that get names of their own: `s, t = y.chunk(2, dim=1)`."""
        x = self.any()
        value = self.values[x]
        dims = [dim for dim, size in enumerate(value.shape) if size in (2, 3, 4)]
        if not dims:
            return
        dim = self.choose(dims)
        size = value.shape[dim]
        forms = [f"{x}.chunk(2, dim={dim})", f"torch.split({x}, [1, {size - 1}], {dim})"]
        forms += [f"{x}.split({size - 1}, dim={dim})", *([f"{x}.unbind({dim})"] if size == 2 else [])]
        expression = self.choose(forms)
        parts = eval(expression, self.scope)
        names = [self.names.next() for _ in parts]
        if len(set(names)) == len(names):
            self.lines.append(f"{', '.join(names)} = {expression}")
            self.keep(dict(zip(names, parts, strict=True)))

    def assign(self, name: str, expression: str, recorded: torch.Tensor, value: torch.Tensor) -> None:
        self.lines.append(f"{name} = {expression}")
        self.scope[name], self.values[name] = recorded, value

    def keep(self, parts: Values) -> None:
        self.scope |= parts
        self.values |= {name: part.detach() for name, part in parts.items()}

    def value(self, expression: str) -> torch.Tensor | None:
        """What an expression gives; None where torch refuses it or the numbers are no good for differences."""
        try:
            value = eval(expression, self.scope).detach()
        except (RuntimeError, IndexError, TypeError, ValueError):
            return None
        good = bool(value.isfinite().all()) and value.numel() <= 400 and value.ndim <= 4 and value.numel() > 0
        return value if good and float(value.abs().max()) < 30 else None

    def any(self) -> str:
        return self.choose(list(self.values))

    def operand(self, depth: int) -> str | None:
        if depth <= 0 or self.choose([0, 1]):
            return self.any()
        inner = self.expression(depth - 1)
        return None if inner is None else f"({inner})"

    def expression(self, depth: int) -> str | None:
        x = self.operand(depth)
        value = self.value(x) if x else None
        if x is None or value is None:
            return None
        kind = self.choose(
            [self.unary, self.binary, self.binary, self.number, self.reduction, self.shape, self.pick, self.joined]
        )
        return kind(x, value, depth)

    def unary(self, x: str, value: torch.Tensor, _: int) -> str | None:
        name = self.choose([n for n in UNARY.split() if f"torch.{n}" in REGISTRY or f"F.{n}" in REGISTRY])
        if name in KINKS and float(value.abs().min()) < GAP:
            return None
        if name in POSITIVE | {"reciprocal"} and float(value.min()) < 0.1:
            return f"({x}**2 + 0.5).{name}()" if f".{name}" in REGISTRY else None
        spellings = [f"torch.{name}({x})" if f"torch.{name}" in REGISTRY else f"F.{name}({x})"]
        return self.choose(spellings + ([f"{x}.{name}()"] if f".{name}" in REGISTRY else []))

    def binary(self, x: str, value: torch.Tensor, depth: int) -> str | None:
        y = self.choose([x, self.operand(depth - 1), self.choose(self.read_in(x))])
        other = self.value(y) if y else None
        if y is None or other is None:
            return None
        sign = self.choose(["+", "-", "*", "*", "/", "@", "@", "max", "of both"])
        if sign == "/":
            return f"{x} / {y}" if float(other.abs().min()) > 0.3 else f"{x} / ({y}**2 + 0.7)"
        if sign == "@":
            return self.choose([f"{x} @ {y}", f"{x} @ {y}.T"]) if other.ndim == 2 else f"{x} @ {y}"
        if sign == "max":
            far = self.value(f"({x} - {y}).abs().min()")
            name = self.choose(["maximum", "minimum"])
            return f"torch.{name}({x}, {y})" if far is not None and float(far) > GAP else None
        if sign == "of both":
            return self.of_both(x, y, value.shape, other.shape)
        return f"{x} {sign} {y}"

    def read_in(self, x: str) -> list[str]:
        """The tensors that an expression reads: `f(s / g) * g` has a part that two gradients need."""
        return [name for name in re.findall(r"\w+", x) if name in self.values]

    def of_both(self, x: str, y: str, of_x: torch.Size, of_y: torch.Size) -> str:
        forms = [f"torch.outer({x}, {y})", f"torch.einsum('i,j->ij', {x}, {y})"]
        if len(of_y) == 2 and of_x[-1:] == of_y[-1:]:
            forms = [f"F.linear({x}, {y})", f"torch.einsum('ij,kj->ik', {x}, {y})"]
        forms += [f"F.mse_loss({x}, {y})", f"F.mse_loss({x}, {y}, reduction='none')"] if of_x == of_y else []
        return self.choose(forms)

    def number(self, x: str, value: torch.Tensor, _: int) -> str | None:
        forms = [
            "2 * {x}",
            "{x} - 0.5",
            "1.5 - {x}",
            "-{x}",
            "{x}**2",
            "{x}**3",
            "{x} / 3",
            "1/4*{x}",
            "0.7**{x}",
            "{x} * -1",
            "--{x}",
        ]
        forms += [
            "torch.full_like({x}, 0.5) + {x}",
            "{x}.masked_fill({x}.detach() < 0, 0.5)",
            "torch.ones_like({x}) * {x}",
        ]
        forms += (
            ["{x}.clamp(-1, 1)", "{x}.clamp(min=0)"] if float(((value.abs() - 1) * value).abs().min()) > GAP else []
        )
        forms += ["1 / {x}", "{x}**-1"] if float(value.abs().min()) > 0.3 else []
        forms += ["{x}**0.5", "{x}**-0.5"] if float(value.min()) > 0.1 else []
        return self.choose(forms).format(x=x)

    def reduction(self, x: str, value: torch.Tensor, _: int) -> str | None:
        name = self.choose([n for n in REDUCTIONS if f".{n}" in REGISTRY])
        dim = self.choose([*range(-value.ndim, value.ndim)]) if value.ndim else None
        if dim is None or (name in ("sum", "mean") and self.choose([0, 0, 1])):
            return f"{x}.{self.choose(['sum', 'mean'])}()"
        if name in ("var", "std") and (value.shape[dim] < 2 or float(value.std(dim).min()) < 0.1):
            return None
        if name in ("amax", "amin", "max", "min") and not _apart(value, dim):
            return None
        if name == "prod" and float(value.abs().min()) < GAP:
            return None
        if self.choose([0, 0, 0, 1]):
            return self.choose([f"F.softmax({x}, {dim})", f"{x}.log_softmax({dim})", f"{x}.cumsum({dim})"])
        if name == "norm":
            return self.scaled(x, value, dim)
        if name in ("max", "min"):
            return f"{x}.{name}({dim}{self.choose(['', ', keepdim=True'])}).values"
        return f"{x}.{name}({dim}{self.choose(['', ', keepdim=True'])})"

    def scaled(self, x: str, value: torch.Tensor, dim: int) -> str | None:
        if float(value.norm(dim=dim).min()) < 0.1 or float(value.std(-1, correction=0).min()) < 0.1:
            return None
        last = value.shape[-1]
        return self.choose([f"{x}.norm(dim={dim})", f"F.normalize({x}, dim={dim})", f"F.layer_norm({x}, ({last},))"])

    def shape(self, x: str, value: torch.Tensor, _: int) -> str | None:
        rank = value.ndim
        forms = [
            "{x}.view(-1)",
            "{x}.reshape(-1, 1)",
            "{x}.unsqueeze(0)",
            "{x}.unsqueeze(-1)",
            "{x}.expand(2, " + "-1, " * rank + ")",
        ]
        forms += ["{x}.squeeze()", "{x}.flatten()", "{x}.repeat(2" + ", 1" * max(rank - 1, 0) + ")"]
        forms += ["F.pad({x}, (1, 2))", "{x}.roll(1, 0)", "{x}.unbind(0)[0]", "{x}.chunk(2)[0]", "{x}.split(1)[-1]"]
        forms += ["{x}.T", "{x}.t()", "{x}.tril()", "{x}.triu()", "{x}.movedim(0, 1)"] if rank == 2 else []
        forms += ["{x}.transpose(0, -1)", "{x}.flip(0)", "{x}.mT"] if rank >= 2 else []
        forms += ["{x}.permute(2, 0, 1)"] if rank == 3 else []
        return self.choose(forms).format(x=x).replace(", )", ")")

    def pick(self, x: str, value: torch.Tensor, _: int) -> str | None:
        if not value.ndim:
            return None
        last = value.shape[0] - 1
        forms = [
            f"{x}[0]",
            f"{x}[-1]",
            f"{x}[None]",
            f"{x}[..., None]",
            f"{x}[1:]",
            f"{x}[::2]",
            f"{x}[..., 0]",
            f"{x}[..., :2]",
        ]
        forms += [f"{x}[torch.tensor([0, {last}, 0])]", f"{x}.index_select(0, torch.tensor([{last}, 0]))"]
        forms += [f"{x}[range({last + 1})]", f"{x}[mask]" if last == 3 else f"{x}[:]"]
        forms += [f"{x}[:, 0]", f"{x}[:, -1:]"] if value.ndim > 1 else []
        return self.choose(forms)

    def joined(self, x: str, value: torch.Tensor, depth: int) -> str | None:
        y = self.choose([x, self.operand(depth - 1)])
        if y is None or self.value(y) is None:
            return None
        forms = [
            f"torch.cat(({x}, {y}))",
            f"torch.stack(({x}, {y}))",
            f"torch.cat([{x}, {y}], dim=-1)",
            f"torch.where({x}.detach() {self.choose(['>', '<', '>=', '<='])} 0, {x}, {y})",
        ]
        return self.choose(forms)


def _apart(value: torch.Tensor, dim: int) -> bool:
    ordered = value.sort(dim).values
    return value.shape[dim] < 2 or float(ordered.diff(dim=dim).abs().min()) > GAP


def wrong(case: torch_reference.Case, tally: Tally | None = None, shown: bool = True) -> list[str]:
    """What is wrong with the engine's answer, and with the walk where it is `shown`; a refusal or any exception counts."""
    tally = tally or Tally()
    request = {**case, "exact": len(case["source"]) % 2 == 1, "dtype": "float64", "arrays": "lists"}
    try:
        if shown:
            backend.walk(request)
        run = run_of(request)
        tally.count(run.plan.graph)
        solution = Solution(run.plan.graph, run.plan.lines, run.forward, run.contributions, run.gradients)
        return problems_of(case, solution, TOLERANCE, "float64") + misjudged(run)
    except Refusal as refusal:
        tally.refused += 1
        return [f"refused: {refusal.code}: {refusal.message}{badly(refusal, case)}"]
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def misjudged(run: Run) -> list[str]:
    """The gradients whose verdict is that they are wrong; raises where a verdict has no reason."""
    verdicts = verify(run)
    told = reasons(run, verdicts)
    return [
        f"{name} is said to be wrong: {told[name]}" for name, one in verdicts.items() if one.level in ("wrong", "shape")
    ]


def badly(refusal: Refusal, case: torch_reference.Case) -> str:
    """What a refusal lacks: a place, a hint, or only names that somebody typed."""
    lacks = [f"speaks of {name}, which nobody typed" for name in sorted(strangers(refusal, case))]
    lacks += [] if refusal.where else ["no place"]
    return "".join(f"; {lack}" for lack in [*lacks, *([] if refusal.hint else ["no hint"])])


def keep(case: torch_reference.Case, folder: Path = FOUND) -> Path:
    """Write a failing program where test_programs finds it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(case['source'].encode()).hexdigest()[:12]}.toml"
    used = {name: spec for name, spec in case["tensors"].items() if name in case["source"]}
    rows = [f"{name} = {{ {', '.join(f'{k} = {_toml(v)}' for k, v in spec.items())} }}" for name, spec in used.items()]
    path.write_text(f"source = '''\n{case['source']}'''\n[tensors]\n" + "\n".join(rows) + "\n")
    return path


def _toml(value: Any) -> str:
    return str(value).lower() if not isinstance(value, str) else f'"{value}"'


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--count", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--most", type=int, default=40, help="statements in a program")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    gc.freeze()
    tally = Tally()
    for number in range(1, options.count + 1):
        case = Author(random.Random(options.seed * 10**9 + number).choice).write(options.most)
        found = wrong(case, tally, shown=number % SHOWN == 0)
        tally.programs += 1
        if found:
            tally.failed += 1
            print(f"\nprogram {number}: {found[0]}\n  kept as {keep(case)}")
        if number % 100 == 0:
            print(
                f"\r{number:,} of {options.count:,} programs, {tally.failed} failed, {tally.rate:.0f} a second ",
                end="",
                flush=True,
            )
    print("\n" + tally.report())
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
