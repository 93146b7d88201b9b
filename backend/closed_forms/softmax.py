"""Softmax and cross-entropy: every way of writing it collapses into `(p - y) / n`."""

from __future__ import annotations

from backend.closed_forms.match import Rule
from backend.closed_forms.stage import Stage

RULES = (
    Rule("shifted", "x"),
    Rule("shifted", "x - row"),
    Rule("counts", "shifted.exp()"),
    Rule("total", "counts.sum(along)"),
    Rule("share", "total ** -1"),
    Rule("share", "1 / total"),
    Rule("share", "total.reciprocal()"),
    Rule("probs", "counts / total"),
    Rule("probs", "counts * share"),
    Rule("probs", "F.softmax(shifted, along)"),
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
    Rule("loss", "-loss", "-1"),
    Rule("loss", "loss.mean()", "1/cells"),
    Rule("loss", "loss.sum()"),
    Rule("loss", "number * loss", "number"),
    Rule("loss", "loss / number", "1/number"),
    Rule("loss", "F.nll_loss(logprobs, target)", "-1/rows"),
    Rule("loss", "F.cross_entropy(shifted, target)", "-1/rows"),
)

# Each stage is an expression for the gradient of `x`; `p` is what the program has for the softmax.
STAGES = (
    Stage(
        "{dshifted}",
        "`{row}` is the same for a whole row, and taking it away changes no probability. So each row of `{dshifted}` "
        "adds up to 0, and the path through `{row}` brings nothing.",
        needs=("dshifted", "moved"),
    ),
    Stage(
        "{counts} * ({share} * {dprobs} - {share}**2 * ({counts} * {dprobs}).sum({axis}, keepdim=True))",
        "The chain rule, written out from `{dprobs}`. `{counts}` is used twice, over the total and in the total: two "
        "terms, the second with the slope of 1/total, −1/total².",
        needs=("dprobs", "counts", "share"),
    ),
    Stage(
        "{p} * ({dprobs} - ({p} * {dprobs}).sum({axis}, keepdim=True))",
        "A count over its total is a probability, in both terms. This is the softmax's Jacobian, diag(p) − p pᵀ, times "
        "the upstream gradient.",
        needs=("dprobs",),
    ),
    Stage(
        "{p} * ({dlogprobs} / {p} - ({p} * ({dlogprobs} / {p})).sum({axis}, keepdim=True))",
        "Now the logarithm, whose slope is 1/p: `{dprobs}` is `{dlogprobs} / {p}`.",
        needs=("dprobs", "dlogprobs"),
    ),
    Stage(
        "{dlogprobs} - {p} * {dlogprobs}.sum({axis}, keepdim=True)",
        "{cancelled}",
        needs=("dlogprobs",),
    ),
    Stage(
        "-{y}{over} - {p} * (-{y}{over}).sum({axis}, keepdim=True)",
        "{one_hot}",
        needs=("log_rule",),
    ),
    Stage(
        "({p} - {y}){over}",
        "{row_sum}",
    ),
)
