"""Functions with a backward pass of their own, made of the rules of operations: right ones, and wrong ones by a mistake."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from backend.engine.language.errors import Refusal
from backend.engine.ops import OPS
from backend.lines.equations.names import names_of
from backend.lines.mistakes.library import mutants_of
from backend.pipeline import make_plan
from backend.program.request import read
from tests.support import op_samples, torch_reference

DIFFERS = 0.05  # of the largest cell: what bfloat16 can tell apart
PRECISIONS = ("float32", "bfloat16", "tf32")


@dataclass(frozen=True)
class Product:
    """A forward pass, and lines that should lead back from it: `code` is the mistake in those of `wrong`, if any."""

    forward: str
    outs: tuple[str, ...]
    tensors: dict[str, Any]
    wanted: tuple[str, ...]
    backward: str
    code: str = ""
    wrong: str = ""

    def function(self, dtype: torch.dtype) -> tuple[type[torch.autograd.Function], list[torch.Tensor]]:
        """The function, and its arguments in a precision. Its lines are run by Python, not by the engine."""
        given = {name: torch_reference.tensor(spec, dtype) for name, spec in self.tensors.items()}
        fixed = {name: one for name, one in given.items() if name not in self.wanted}
        names = list(self.wanted)
        forward, backward = compile(self.forward, "forward", "exec"), compile(self.backward, "backward", "exec")

        class Own(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, *args: Any) -> Any:
                scope = torch_reference.scope({}, fixed | dict(zip(names, args, strict=True)))
                exec(forward, scope)
                ctx.scope = {name: one for name, one in scope.items() if name != "__builtins__"}
                made = tuple(scope[name] for name in self.outs)
                return made if len(made) > 1 else made[0]

            @staticmethod
            def backward(ctx: Any, *upstream: torch.Tensor) -> Any:
                scope = dict(ctx.scope) | {f"d{name}": g for name, g in zip(self.outs, upstream, strict=True)}
                with torch_reference.DefaultDtype(dtype):
                    exec(backward, scope)
                found = [scope.get(f"d{name}") for name in names]
                return found[0] if len(found) == 1 else tuple(found)

        return Own, [given[name] for name in names]


def gradients(product: Product, dtype: torch.dtype = torch.float64) -> list[Any] | None:
    """What it returns for one upstream gradient, summed as PyTorch sums it; None where PyTorch refuses."""
    function, args = product.function(dtype)
    try:
        out = function.apply(*(one.requires_grad_() for one in args))
        outs = out if isinstance(out, tuple) else (out,)
        generator = torch.Generator().manual_seed(5)
        upstream = [torch.randn(one.shape, generator=generator).to(dtype) for one in outs]
        with torch.no_grad():
            found = outs[0].grad_fn.apply(*upstream)
    except (RuntimeError, TypeError, IndexError, ValueError, NameError, AttributeError):
        return None
    found = found if isinstance(found, tuple) else (found,)
    return [None if g is None else taken(g, one) for g, one in zip(found, args, strict=True)]


def taken(g: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
    try:
        return g.to(of.dtype).sum_to_size(of.shape)
    except RuntimeError:
        return g.to(of.dtype)


def split(case: torch_reference.Case) -> tuple[str, tuple[str, ...]]:
    """The first line of a case, and the names that it makes."""
    first = case["source"].split("\n")[0]
    return first, tuple(name.strip() for name in first.split(" = ")[0].split(",") if name.strip())


def plan_and_lines(case: torch_reference.Case) -> tuple[Any, list[Any]] | None:
    try:
        plan = make_plan(read(case))
    except Refusal:
        return None
    outs = split(case)[1]
    known = {f"d{name}" for name in outs} | {plan.graph.loss.variable}
    lines = [one for one in plan.lines if one.variable not in known and not one.variable.startswith(("dpart", "dloss"))]
    return plan, lines


def of_case(case: torch_reference.Case) -> Product | None:
    found = plan_and_lines(case)
    if found is None:
        return None
    _, lines = found
    forward, outs = split(case)
    wanted = tuple(name for name, spec in case["tensors"].items() if spec["role"] == "parameter")
    tensors = {name: spec for name, spec in case["tensors"].items() if not re.fullmatch(r"weight\d+", name)}
    if not lines or not wanted or any(f"d{name}" not in {line.variable for line in lines} for name in wanted):
        return None
    return Product(forward, outs, tensors, wanted, "\n".join(line.code for line in lines))


def wrong_one(product: Product, case: torch_reference.Case, chosen: random.Random) -> Product | None:
    """One of the mutants of its lines that make other numbers, as likely as any other."""
    found, right = plan_and_lines(case), gradients(product)
    assert found is not None
    assert right is not None
    plan, lines = found
    mutants = [(line, mutant) for line in lines for mutant in mutants_of(line, names_of(plan), plan.lines)]
    for line, mutant in chosen.sample(mutants, len(mutants)):
        text = "\n".join(mutant.source if one is line else one.code for one in lines)
        wrong = replace(product, backward=text, code=mutant.code, wrong=mutant.source)
        other = gradients(wrong)
        if other is not None and differ(right, other):
            return wrong
    return None


def differ(right: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether some gradient is another one, by more than rounding."""
    for a, b in zip(right, other, strict=True):
        if b is None or a.shape != b.shape:
            return True
        a, b = a.detach(), b.detach()
        if float((a - b).abs().nan_to_num(torch.inf).max()) > DIFFERS * float(a.abs().max()):
            return True
    return False


def drawn(count: int, seed: int) -> tuple[list[Product], list[Product]]:
    """So many right and wrong products, an operation's sample as likely as another one."""
    chosen = random.Random(seed)
    samples = [(op, text) for op in OPS for text in op.samples]
    right, wrong = list[Product](), list[Product]()
    while len(wrong) < count:
        op, text = chosen.choice(samples)
        sample = op_samples.read(text, op)
        calls = [call for spelling in op.written for call in op_samples.written(spelling, sample)]
        case = op_samples.case(chosen.choice(calls), sample) if calls else None
        product = None if case is None else of_case(case)
        if product is None or case is None or gradients(product) is None:
            continue
        mistaken = wrong_one(product, case, chosen)
        if mistaken is not None:
            right.append(product)
            wrong.append(mistaken)
    return right[:count], wrong[:count]


class Tf32(TorchDispatchMode):
    """Matrix products as TF32 has them: float32 operands keep ten bits behind the leading one."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func.overloadpacket.__name__ in ("mm", "bmm", "addmm", "baddbmm", "mv", "dot", "convolution"):
            args = [rounded(one) for one in args]
        return func(*args, **(kwargs or {}))


def rounded(value: Any) -> Any:
    if not isinstance(value, torch.Tensor) or value.dtype is not torch.float32:
        return value
    bits = value.contiguous().view(torch.int32)
    return ((bits + 0x1000) & ~0x1FFF).view(torch.float32)
