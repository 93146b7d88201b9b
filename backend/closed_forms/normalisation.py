"""Batch and layer normalisation: mean, distance, variance, inverse, gain and shift collapse into one line."""

from __future__ import annotations

from backend.closed_forms.match import Rule
from backend.closed_forms.stage import Stage

RULES = (
    Rule("average", "x.sum(along)"),
    Rule("average", "x.mean(along)", "1/length"),
    Rule("average", "number * average", "number"),
    Rule("average", "average / number", "1/number"),
    Rule("distance", "x - average", wants={"average": "1/length"}),
    Rule("squares", "distance ** 2"),
    Rule("squares", "distance * distance"),
    Rule("squares", "distance.square()"),
    Rule("variance", "squares.sum(along)"),
    Rule("variance", "squares.mean(along)", "1/length"),
    Rule("variance", "x.var(along)", "1/(length-1)"),
    Rule("variance", "x.var(along, unbiased=False)", "1/length"),
    Rule("variance", "x.var(along, correction=1)", "1/(length-1)"),
    Rule("variance", "x.var(along, correction=0)", "1/length"),
    Rule("variance", "number * variance", "number"),
    Rule("variance", "variance / number", "1/number"),
    Rule("safe", "variance"),
    Rule("safe", "variance + number"),
    Rule("deviation", "safe ** 0.5"),
    Rule("deviation", "safe.sqrt()"),
    Rule("inverse", "safe ** -0.5"),
    Rule("inverse", "safe.rsqrt()"),
    Rule("inverse", "1 / deviation"),
    Rule("inverse", "deviation ** -1"),
    Rule("inverse", "deviation.reciprocal()"),
    Rule("normal", "distance * inverse"),
    Rule("normal", "distance / deviation"),
    Rule("gained", "gain * normal"),
    Rule("lifted", "gain * distance"),
    Rule("gained", "lifted / deviation"),
    Rule("gained", "lifted * inverse"),
    Rule("shifted", "gained + shift"),
    Rule("shifted", "normal + shift"),
)

# Each stage is an expression for the gradient of `x`; `g` is the upstream gradient of what is normalised.
STAGES = (
    Stage(
        "{inv}*{g_} + {twice}*{dist}*{dvar} + 1/{n}*{dmean}",
        "Three paths lead into each cell of `{x}`: directly, through the variance, through the mean. Their gradients "
        "add up.",
        needs=("dvar", "dmean", "wide"),
    ),
    Stage(
        "{inv}*{g_} + {twice}*{dist}*{dvar} - 1/{n}*({inv}*{g_}).sum({sum})",
        "The mean is taken away from every cell, so its gradient is minus the sum of theirs. The distances from a mean "
        "add up to 0: the part through the variance drops out.",
        needs=("dvar", "wide"),
    ),
    Stage(
        "{inv}*{g_} - {c}*{dist}*{inv}**3*({dist}*{g_}).sum({sum}) - 1/{n}*({inv}*{g_}).sum({sum})",
        "{slope}",
    ),
    Stage(
        "{inv}*{g_} - {c}*{inv}*{raw}*({raw}*{g_}).sum({sum}) - 1/{n}*{inv}*{g}.sum({sum})",
        "Distance times `{inv}` is `{raw}`, which takes two of the three factors. `{inv}` is the same {down}: it comes "
        "out of both sums.",
    ),
    Stage(
        "{inv}/{n} * ({n}*{g_} - {g}.sum({sum}) - {bessel}{raw}*({g_}*{raw}).sum({sum}))",
        "All three terms share `{inv}/{n}`: it goes in front.",
    ),
    Stage(
        "{gain}*{inv}/{n} * ({n}*{dout} - {dout}.sum({sum}) - {bessel}{raw}*({dout}*{raw}).sum({sum}))",
        "`{gain}` is the same {down}, too. In front of the bracket it leaves the upstream gradient `{dout}` alone.",
        needs=("common",),
    ),
)
