"""torch's own operation samples, re-expressed as programs of the chunk language."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

SAME = """
    add sub mul div pow exp log log1p expm1 log2 sqrt rsqrt square reciprocal abs sign floor sin cos erf tanh sigmoid
    neg clamp maximum minimum sum mean prod amax amin var std norm logsumexp cumsum tril triu flip roll movedim
    swapaxes matmul mm bmm mv dot outer reshape flatten transpose permute squeeze unsqueeze tile broadcast_to unbind clone
    cat stack split chunk gather index_select take_along_dim where einsum softmax log_softmax var_unbiased std_unbiased
""".split()
FUNCTIONAL = """
    relu leaky_relu elu gelu silu softplus logsigmoid linear embedding cross_entropy nll_loss mse_loss l1_loss
    smooth_l1_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div batch_norm layer_norm rms_norm
    group_norm scaled_dot_product_attention
""".split()
METHODS = ("view", "expand", "repeat", "masked_fill", "float")
EXTREMES = [
    f"{which}_{form}" for which in ("max", "min") for form in ("binary", "reduction_with_dim", "reduction_no_dim")
]
REVERSED = {"__rmul__": "*", "__radd__": "+", "__rsub__": "-", "__rdiv__": "/", "__rpow__": "**", "__rmatmul__": "@"}
SPELLINGS = (
    {name: f"torch.{name.removesuffix('_unbiased')}" for name in SAME}
    | {f"nn.functional.{name}": f"F.{name}" for name in FUNCTIONAL}
    | {name: f"torch.{name[:3]}" for name in EXTREMES}
    | dict.fromkeys([*METHODS, *REVERSED, "T", "mT", "__getitem__"], "")
)
NORMS = ("norm", "norm_inf", "norm_fro")


@dataclass
class Sample:
    """One call as a program, with its tensors; `wants` are those that get a gradient."""

    operation: str
    source: str
    tensors: dict[str, torch.Tensor] = field(default_factory=dict)
    wants: set[str] = field(default_factory=set)


class NotWritable(Exception):
    """An argument that no program can hold, such as a complex number."""


def full_name(info: Any) -> str:
    """An operation's name with its variant."""
    return f"{info.name}_{info.variant_test_name}" if info.variant_test_name else str(info.name)


def samples() -> Iterator[Sample]:
    """Every sample of every listed operation that the installed torch generates, in float64."""
    from torch.testing._internal.common_methods_invocations import op_db

    for info in op_db:
        if info.supports_autograd and (full_name(info) in SPELLINGS or full_name(info) in NORMS):
            torch.manual_seed(0)
            for one in info.sample_inputs("cpu", torch.float64, requires_grad=True):
                try:
                    yield program(info, one)
                except NotWritable:
                    continue


def program(info: Any, one: Any) -> Sample:
    """A program that makes the sample's call and ends in a scalar."""
    made = Sample(full_name(info), "")
    call = _call(made, info.name, one)
    result = info(one.input, *one.args, **one.kwargs)
    if isinstance(result, torch.Tensor) or hasattr(result, "values"):
        first = result if isinstance(result, torch.Tensor) else result[0]
        made.tensors["G"] = torch.randn(first.shape, dtype=torch.float64)
        made.source = f"y = {call}{'' if first is result else '.values'}\nloss = (y * G).sum()"
        return made
    names = [f"p{number}" for number in range(len(result))]
    head = f"{', '.join(names)} = {call}" if len(names) > 1 else f"p = {call}\np0 = p[0]"
    made.source = f"{head}\nloss = {' + '.join(f'({name} * {name}).sum()' for name in names)}"
    return made


def _call(made: Sample, name: str, one: Any) -> str:
    if name == "__getitem__":
        index = one.args[0]
        parts = ", ".join(text(made, part) for part in index) if isinstance(index, tuple) else text(made, index)
        return f"{text(made, one.input)}[{parts}]"
    subject = text(made, one.input)
    args = [text(made, arg) for arg in one.args]
    named = [f"{key}={text(made, value)}" for key, value in one.kwargs.items()]
    if name in REVERSED:
        return f"{args[0]} {REVERSED[name]} {subject}"
    if name in ("T", "mT"):
        return f"{subject}.{name}"
    if name in METHODS:
        return f"{subject}.{name}({', '.join(args + named)})"
    if name == "einsum":
        return f"torch.einsum({args[0]}, {subject[1:-1]})"
    second_first = name in ("where", "nn.functional.embedding")
    args = [args[0], subject, *args[1:]] if second_first else [subject, *args]
    return f"{SPELLINGS.get(made.operation, 'torch.norm')}({', '.join(args + named)})"


def text(made: Sample, value: Any) -> str:
    """A value as a program writes it; tensors become inputs."""
    if isinstance(value, torch.Tensor):
        name = f"t{len(made.tensors)}"
        made.tensors[name] = value.detach().clone()
        made.wants |= {name} if value.requires_grad else set()
        return name
    if isinstance(value, slice):
        ends = ["" if end is None else text(made, end) for end in (value.start, value.stop)]
        return ":".join(ends) + (f":{value.step}" if value.step is not None else "")
    if isinstance(value, tuple | list):
        inner = ", ".join(text(made, item) for item in value)
        round_ones = isinstance(value, tuple) and not isinstance(value, torch.Size)
        return f"({inner}{',' if len(value) == 1 else ''})" if round_ones else f"[{inner}]"
    return _literal(value)


def _literal(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    if value is ...:
        return "..."
    if isinstance(value, int | float | str | None):
        return repr(value)
    raise NotWritable(type(value).__name__)
