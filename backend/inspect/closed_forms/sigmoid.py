"""Sigmoid and binary cross-entropy: every way of writing them collapses into `(p - y) / n`.

Source: Bishop, Pattern Recognition and Machine Learning, equation 4.91.
"""

from __future__ import annotations

from backend.inspect.closed_forms.pattern import FOLDED_LOSS, Pattern, Rule, Stage, Way, said

BINARY_CROSS_ENTROPY = Pattern(
    kind="binary-cross-entropy",
    goals=("loss",),
    wants=("scalar", "y"),
    rules=(
        Rule("probs", "torch.sigmoid(x)"),
        Rule("against", "-x"),
        Rule("odds", "against.exp()"),
        Rule("total", "1 + odds"),
        Rule("probs", "1 / total"),
        Rule("probs", "total ** -1"),
        Rule("probs", "total.reciprocal()"),
        Rule("rest", "1 - probs"),
        Rule("logprobs", "probs.log()"),
        Rule("logprobs", "F.logsigmoid(x)"),
        Rule("logrest", "rest.log()"),
        Rule("logrest", "F.logsigmoid(against)"),
        Rule("unwanted", "1 - wanted"),
        Rule("minus", "-wanted"),
        Rule("right", "wanted * logprobs"),
        Rule("wrong", "unwanted * logrest"),
        Rule("missed", "minus * logprobs"),
        Rule("loss", "right + wrong"),
        Rule("loss", "missed - wrong", "-1"),
        *FOLDED_LOSS,
        Rule("loss", "F.binary_cross_entropy(probs, wanted)", "-1/cells"),
        Rule("loss", "F.binary_cross_entropy(probs, wanted, reduction='sum')", "-1"),
        Rule("loss", "F.binary_cross_entropy_with_logits(x, wanted)", "-1/cells"),
        Rule("loss", "F.binary_cross_entropy_with_logits(x, wanted, reduction='sum')", "-1"),
    ),
    words={
        "y": said("{wanted}"),
        "p": said("{probs}", "torch.sigmoid({x})"),
        "error": said(Way("({p} - {y}){over}", ("part",)), "{p} - {y}"),
        "chain": said(
            Way(
                "`{dprobs}` is the slope of the two logarithms, y/p − (1 − y)/(1 − p), with the weight {weight}.",
                ("dprobs",),
            ),
            "The sigmoid's slope is p (1 − p); the two logarithms have the slopes 1/p and −1/(1 − p).",
        ),
    },
    stages=(
        Stage(
            "{dprobs} * {p} * (1 - {p})",
            "The chain rule from `{dprobs}`: the sigmoid's slope follows from its output, p (1 − p).",
        ),
        Stage(
            "-({y} / {p} - (1 - {y}) / (1 - {p})) * {p} * (1 - {p}){over}",
            "{chain}",
        ),
        Stage(
            "-({y} * (1 - {p}) - (1 - {y}) * {p}){over}",
            "Each division undoes one of the two factors of the sigmoid's slope.",
        ),
        Stage(
            "{error}",
            "Multiplied out, the two products of target and probability cancel. What is left is p − y.",
        ),
    ),
    rule="Through the logarithms and the sigmoid at once, every division by a probability cancels. What is left "
    "compares the prediction with the target, cell by cell.",
    axis="Nothing is summed, and nothing is stretched: each cell has its own target.",
)
