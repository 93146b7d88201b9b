"""Normalisations: mean, distance, variance, inverse, gain and shift collapse into one line.

Sources: batch norm's gradients are in Ioffe and Szegedy, 2015, section 3; layer norm is Ba, Kiros and Hinton, 2016, the
root mean square alone Zhang and Sennrich, 2019.
"""

from __future__ import annotations

from backend.inspect.closed_forms.pattern import Pattern, Rule, Stage, Way, said

GAIN = said(Way("{gain}{tail}", ("tail",)), "{gain}")
TERM = said(Way("({gain}*{dout})", ("gain",)), "{dout}")
FACTOR = said(Way("{gain}*{dout}", ("gain",)), "{dout}")
SQUARES = Rule("squares", "x ** 2"), Rule("squares", "x * x"), Rule("squares", "x.square()")

NORMALISATION = Pattern(
    kind="normalisation",
    goals=("shifted", "gained", "normal"),
    wants=("dout", "sum", "by"),
    rules=(
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
        Rule("deviation", "x.std(along)", "1/(length-1)"),
        Rule("deviation", "x.std(along, unbiased=False)", "1/length"),
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
        Rule("normal", "F.layer_norm(x, inner, eps=eps)"),
        Rule("gained", "F.layer_norm(x, inner, gain, eps=eps)"),
        Rule("shifted", "F.layer_norm(x, inner, gain, shift, eps=eps)"),
        Rule("shifted", "F.layer_norm(x, inner, bias=shift, eps=eps)"),
        Rule("normal", "F.batch_norm(x, channels, anything, training=True, momentum=anything, eps=eps)"),
        Rule("gained", "F.batch_norm(x, channels, anything, gain, training=True, momentum=anything, eps=eps)"),
        Rule("shifted", "F.batch_norm(x, channels, anything, gain, shift, training=True, momentum=anything, eps=eps)"),
    ),
    words={
        "gain": GAIN,
        "g": TERM,
        "g_": FACTOR,
        "by": said(
            "{by_variance}",
            Way("{by_deviation}", without=("variance",)),
            Way("{n}", ("eps",), without=("variance", "deviation")),
        ),
        "c": said("1/{by}"),
        "twice": said("2/{by}"),
        "bessel": said(Way("{n}/{by}*", ("less_variance",)), Way("{n}/{by}*", ("less_deviation",)), ""),
        "dist": said("{distance}", "{x} - {x}.mean({along}, keepdim=True)", aid="diff"),
        "inv": said(
            "{inverse}",
            "1 / {deviation}",
            "({x}.var({along}, unbiased=False, keepdim=True) + {eps})**-0.5",
            aid="inv",
        ),
        "raw": said(Way("{normal}", ("dnormal",)), "{dist} * {inv}", aid="xhat"),
        "slope": said(
            Way(
                "`{inv}` is a power, −½, of the variance: its slope is −½ `{inv}`³. That ½ and the 2 of the square "
                "cancel.",
                ("dvariance", "wide"),
            ),
            "Three paths lead into each cell of `{x}`: directly, through `{inv}` and through the mean. The slope of "
            "`{inv}` in the variance is −½ `{inv}`³, and the mean is taken away from every cell.",
        ),
    },
    # Each stage is an expression for the gradient of `x`; `g` is the upstream gradient of what is normalised.
    stages=(
        Stage(
            "{inv}*{g_} + {twice}*{dist}*{dvariance} + 1/{n}*{daverage}",
            "Three paths lead into each cell of `{x}`: directly, through the variance, through the mean. Their "
            "gradients add up.",
            needs=("wide",),
        ),
        Stage(
            "{inv}*{g_} + {twice}*{dist}*{dvariance} - 1/{n}*({inv}*{g_}).sum({sum})",
            "The mean is taken away from every cell, so its gradient is minus the sum of theirs. The distances from a "
            "mean add up to 0: the part through the variance drops out.",
            needs=("wide",),
        ),
        Stage(
            "{inv}*{g_} - {c}*{dist}*{inv}**3*({dist}*{g_}).sum({sum}) - 1/{n}*({inv}*{g_}).sum({sum})",
            "{slope}",
        ),
        Stage(
            "{inv}*{g_} - {c}*{inv}*{raw}*({raw}*{g_}).sum({sum}) - 1/{n}*{inv}*{g}.sum({sum})",
            "Distance times `{inv}` is `{raw}`, which takes two of the three factors. `{inv}` is the same {down}: it "
            "comes out of both sums.",
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
    ),
    rule="Three paths lead into each cell of `{x}`: directly, through the mean, through the variance. Written with "
    "`{raw}`, nothing else of the block is left but a factor.",
    axis="Two of the three terms are sums along {where}; what is summed is stretched back by broadcasting.",
)

RMS_NORM = Pattern(
    kind="rms-norm",
    goals=("gained", "normal"),
    wants=("dout", "sum", "inv"),
    rules=(
        *SQUARES,
        Rule("square", "squares.mean(along)", "1/length"),
        Rule("safe", "square"),
        Rule("safe", "square + number"),
        Rule("root", "safe ** 0.5"),
        Rule("root", "safe.sqrt()"),
        Rule("inverse", "safe ** -0.5"),
        Rule("inverse", "safe.rsqrt()"),
        Rule("inverse", "1 / root"),
        Rule("inverse", "root ** -1"),
        Rule("normal", "x * inverse"),
        Rule("normal", "x / root"),
        Rule("gained", "gain * normal"),
        Rule("lifted", "gain * x"),
        Rule("gained", "lifted / root"),
        Rule("gained", "lifted * inverse"),
        Rule("normal", "F.rms_norm(x, inner, eps=eps)"),
        Rule("gained", "F.rms_norm(x, inner, gain, eps=eps)"),
    ),
    words={
        "g": TERM,
        "g_": FACTOR,
        "inv": said(
            "{inverse}",
            "1 / {root}",
            Way("(({x}**2).mean({along}, keepdim=True) + {eps})**-0.5", ("eps",)),
            aid="inv",
        ),
        "raw": said(Way("{normal}", ("dnormal",)), "{x} * {inv}", aid="xhat"),
        "slope": said(
            Way(
                "`{inv}` is a power, −½, of the mean square: its slope is −½ `{inv}`³. That ½ and the 2 of the square "
                "cancel.",
                ("dsquare", "wide"),
            ),
            "Two paths lead into each cell of `{x}`: directly, and through `{inv}`, whose slope is −½ `{inv}`³ in the "
            "mean square. That ½ and the 2 of the square cancel.",
        ),
    },
    stages=(
        Stage(
            "{inv}*{g_} + 2/{n}*{x}*{dsquare}",
            "Two paths lead into each cell of `{x}`: directly, and through the mean square. Their gradients add up.",
            needs=("wide",),
        ),
        Stage(
            "{inv}*{g_} - 1/{n}*{x}*{inv}**3*({x}*{g_}).sum({sum})",
            "{slope}",
        ),
        Stage(
            "{inv}*{g_} - 1/{n}*{inv}*{raw}*({raw}*{g_}).sum({sum})",
            "`{x}` times `{inv}` is `{raw}`, which takes two of the three factors. One of them "
            "goes into the sum: `{inv}` is the same {down}.",
        ),
        Stage(
            "{inv}/{n} * ({n}*{g_} - {raw}*({g_}*{raw}).sum({sum}))",
            "Both terms share `{inv}/{n}`: it goes in front.",
        ),
    ),
    rule="Two paths lead into each cell of `{x}`: directly, and through the mean square. Written with `{raw}`, nothing "
    "else of the block is left but a factor.",
    axis="The second term is a sum along {where}; what is summed is stretched back by broadcasting.",
)

UNIT_LENGTH = Pattern(
    kind="unit-length",
    goals=("gained", "unit"),
    wants=("dout", "sum"),
    rules=(
        *SQUARES,
        Rule("square", "squares.sum(along)"),
        Rule("safe", "square"),
        Rule("safe", "square + number"),
        Rule("length", "safe ** 0.5"),
        Rule("length", "safe.sqrt()"),
        Rule("length", "x.norm(dim=along)"),
        Rule("inverse", "safe ** -0.5"),
        Rule("inverse", "safe.rsqrt()"),
        Rule("inverse", "1 / length"),
        Rule("inverse", "length ** -1"),
        Rule("unit", "x * inverse"),
        Rule("unit", "x / length"),
        Rule("unit", "F.normalize(x, dim=along, eps=anything)"),
        Rule("gained", "gain * unit"),
        Rule("lifted", "gain * x"),
        Rule("gained", "lifted / length"),
        Rule("gained", "lifted * inverse"),
    ),
    words={
        "g_": FACTOR,
        "inv": said("{inverse}", "1 / {length}", "1 / {x}.norm(dim={along}, keepdim=True)", aid="inv"),
        "u": said(Way("{unit}", ("dunit",)), "{x} * {inv}", aid="unit"),
    },
    stages=(
        Stage(
            "{inv}*{g_} - {x}*{inv}**3*({x}*{g_}).sum({sum})",
            "Two paths lead into each cell of `{x}`: directly, and through `{inv}`. Its slope in the sum of squares is "
            "−½ `{inv}`³, and the 2 of the square takes that ½ away.",
        ),
        Stage(
            "{inv}*{g_} - {inv}*{u}*({u}*{g_}).sum({sum})",
            "`{x}` times `{inv}` is `{u}`, which takes two of the three factors.",
        ),
        Stage(
            "{inv} * ({g_} - {u}*({u}*{g_}).sum({sum}))",
            "`{inv}` goes in front. What is taken away is the part along `{u}`: to stretch `{x}` leaves its direction.",
        ),
    ),
    rule="To stretch `{x}` leaves its direction as it is: the part of the gradient along `{u}` drops out, and the rest "
    "is divided by the length.",
    axis="The part along `{u}` is a sum along {where}, which is kept.",
)
