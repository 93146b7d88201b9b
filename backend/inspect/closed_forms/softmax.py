"""The softmax: alone, where it is its Jacobian in one line, and with its cross-entropy, where `(p - y) / n` is left.

Source: Bishop, Pattern Recognition and Machine Learning, equations 4.106 (the Jacobian) and 4.109 (the loss).
"""

from __future__ import annotations

from backend.inspect.closed_forms.pattern import FOLDED_LOSS, Pattern, Rule, Stage, Way, said

SHARES = (
    Rule("shifted", "x"),
    Rule("shifted", "x - row"),
    Rule("shifted", "x.masked_fill(mask, lowest)"),
    Rule("shifted", "torch.where(mask, x, lowest)"),
    Rule("counts", "shifted.exp()"),
    Rule("total", "counts.sum(along)"),
    Rule("share", "total ** -1"),
    Rule("share", "1 / total"),
    Rule("share", "total.reciprocal()"),
    Rule("probs", "counts / total"),
    Rule("probs", "counts * share"),
    Rule("probs", "F.softmax(shifted, along)"),
)

SOFTMAX = Pattern(
    kind="softmax",
    goals=("probs",),
    wants=("one", "dprobs"),
    rules=SHARES,
    words={
        "p": said("{probs}"),
        "moved": said(Way("yes", ("row", "dshifted"))),
        "before": said("{shifted}", aid="masked"),
        "counts": said("{counts}", "({before} - {before}.max({axis}, keepdim=True).values).exp()", aid="counts"),
        "share": said("{kept_share}", "1 / {kept_total}", "1 / {counts}.sum({axis}, keepdim=True)", aid="share"),
        "zero": said(
            Way(" A masked cell has the probability 0: its gradient is 0 with it.", ("mask",)),
            "",
        ),
    },
    stages=(
        Stage(
            "{dshifted}",
            "`{row}` is the same for all that share a total, and taking it away changes no probability. So these cells "
            "of `{dshifted}` add up to 0, and the path through `{row}` brings nothing.",
            needs=("moved",),
        ),
        Stage(
            "{counts} * ({share} * {dprobs} - {share}**2 * ({counts} * {dprobs}).sum({axis}, keepdim=True))",
            "The chain rule from `{dprobs}`. A count is used twice, over the total and in the total: two terms, the "
            "second with the slope of 1/total, −1/total².",
        ),
        Stage(
            "{p} * {dprobs} - {p} * ({p} * {dprobs}).sum({axis}, keepdim=True)",
            "A count over its total is a probability, in both terms.{zero}",
        ),
        Stage(
            "{p} * ({dprobs} - ({p} * {dprobs}).sum({axis}, keepdim=True))",
            "`{p}` comes out of both. This is the softmax's Jacobian, diag(p) − p pᵀ, times the upstream gradient.",
        ),
    ),
    rule="A nudged logit raises its own probability at the expense of the others that share its total: each cell gets "
    "its probability times the difference between its upstream gradient and their average, weighted by probability.",
    axis="The weighted average runs along {where}, which is kept.",
)

CROSS_ENTROPY = Pattern(
    kind="cross-entropy",
    goals=("loss",),
    wants=("scalar", "last", "y"),
    rules=(
        *SHARES,
        Rule("shifted", "torch.reshape(x, rows)"),
        Rule("shifted", "x.flatten(rows, anything)"),
        Rule("normaliser", "total.log()"),
        Rule("normaliser", "shifted.logsumexp(along)"),
        Rule("logprobs", "probs.log()"),
        Rule("logprobs", "F.log_softmax(shifted, along)"),
        Rule("logprobs", "shifted - normaliser"),
        Rule("chosen", "shifted[index]"),
        Rule("chosen", "shifted.gather(along, index)"),
        Rule("loss", "logprobs[index]"),
        Rule("loss", "logprobs.gather(along, index)"),
        Rule("loss", "chosen - normaliser"),
        Rule("loss", "normaliser - chosen", "-1"),
        *FOLDED_LOSS,
        Rule("loss", "F.nll_loss(logprobs, target, ignore_index=anything)", "-1/rows"),
        Rule("loss", "F.nll_loss(logprobs, target, ignore_index=anything, reduction='sum')", "-1"),
        Rule("loss", "F.cross_entropy(shifted, target, ignore_index=anything)", "-1/rows"),
        Rule("loss", "F.cross_entropy(shifted, target, ignore_index=anything, reduction='sum')", "-1"),
    ),
    words={
        "p": said(
            Way("F.softmax({x}, {axis})", ("flat",)),
            "{probs}",
            Way("{logprobs}.exp()", ("dlogprobs",)),
            "F.softmax({shifted}, {axis})",
        ),
        "moved": said(Way("yes", ("row", "dshifted"))),
        "share": said("{kept_share}", "(1 / {kept_total})", "(1 / {counts}.sum({axis}, keepdim=True))"),
        "cancelled": said(
            Way("Multiplying by p and dividing by p undo each other.", ("dprobs",)),
            "The rule of a log-softmax: softmax and logarithm in one, so that nothing is divided by p.",
        ),
        "source": said("`{dlogprobs}`", "the upstream gradient of the log-probabilities"),
        "one_hot": said(
            "Of each row only the right class is in the loss, with the weight {weight}. So {source} is minus the "
            "one-hot matrix{divided}."
        ),
        "error": said(Way("({p} - {y}){over}", ("part",)), "{p} - {y}"),
        "row_sum": said(
            Way(
                "Each row of the one-hot matrix holds a single 1, so its sum is 1. What is left is p − y.",
                ("log_rule",),
            ),
            "A log-sum-exp has the softmax p as its slope. The right logit itself counts −1: that is the one-hot.",
        ),
    },
    # Each stage is an expression for the gradient of `x`; `p` is what the program has for the softmax.
    stages=(
        Stage(
            "{dshifted}",
            "`{row}` is the same for a whole row, and taking it away changes no probability. So each row of "
            "`{dshifted}` adds up to 0, and the path through `{row}` brings nothing.",
            needs=("moved",),
        ),
        Stage(
            "{counts} * ({share} * {dprobs} - {share}**2 * ({counts} * {dprobs}).sum({axis}, keepdim=True))",
            "The chain rule, written out from `{dprobs}`. `{counts}` is used twice, over the total and in the total: "
            "two terms, the second with the slope of 1/total, −1/total².",
        ),
        Stage(
            "{p} * ({dprobs} - ({p} * {dprobs}).sum({axis}, keepdim=True))",
            "A count over its total is a probability, in both terms. This is the softmax's Jacobian, diag(p) − p pᵀ, "
            "times the upstream gradient.",
        ),
        Stage(
            "{p} * ({dlogprobs} / {p} - ({p} * ({dlogprobs} / {p})).sum({axis}, keepdim=True))",
            "Now the logarithm, whose slope is 1/p: `{dprobs}` is `{dlogprobs} / {p}`.",
            needs=("dprobs",),
        ),
        Stage(
            "{dlogprobs} - {p} * {dlogprobs}.sum({axis}, keepdim=True)",
            "{cancelled}",
        ),
        Stage(
            "-{y}{over} - {p} * (-{y}{over}).sum({axis}, keepdim=True)",
            "{one_hot}",
            needs=("log_rule",),
        ),
        Stage(
            "{error}",
            "{row_sum}",
        ),
    ),
    rule="Through the logarithm and the softmax at once, every division by a probability cancels. What is left "
    "compares the prediction with the right class, cell by cell.",
    axis="The softmax runs along {where}. Nothing is summed.",
)
