"""What a name alone tells: the role of a tensor, its kind, and the usual value of a number."""

from __future__ import annotations

import re

from backend.engine.filling.slots import Kind

WHOLE = re.compile(
    r"(^|_)(idx|ids?|tokens?|indices|index|labels?|inputs_ids|input_ids|ix|words?|Yb|Xb|ys|yb|xb|tgt_ids)\d*$"
)
# Learned vectors that stand before the tokens of a sequence, or in the place of one: no words of it.
LEARNED = re.compile(r"^(cls|class|mask|dist|reg|register|null|memory)_(token|emb)s?$")
TARGET = re.compile(r"^([yY][a-z]?|t|targets?|labels?|tgt|gt|ground_truth|answers?)\d*$|_(target|labels?|true)s?$")
DATA = re.compile(
    r"^([xX][a-z]?|inputs?|data|emb|img|images?|batch|features?|src|obs|states?|q|k|v|query|key|value)\d*$"
)
MASK = re.compile(r"(^|_)(mask|tril|masks)($|_)|^adj(acency)?(_mat(rix)?)?$")
NOISE = re.compile(r"(^|_)(noise|epsilon|randn|rand)($|_)")
ONE_AXIS = re.compile(r"^(time_?steps?|lengths?|actions?|rewards?|dones?|returns?|adv(antages?)?|log_?probs?)$")
BIAS = re.compile(r"^(b|bias|beta|c|gain|gamma|shift)[\dA-Za-z]?$|(^|_)(b|beta|gamma)\d?$|(bias|gain)\d?$")
NUMBERS: tuple[tuple[str, int | float], ...] = (
    (r"(?<!st)eps$", 1e-5), (r"ignore_(index|idx|label|id)$", -100),
    (r"^(n_?|num_?)?heads?$|^[Nn]h$|n_head|nhead|_heads$|groups?$", 2), (r"growth", 4),
    (r"dropout|drop_prob|dropout_p", 0.0),
    (r"kernel(_?size)?s?$", 3), (r"^(stride|dilation)s?$|^pad(ding)?$", 1),
    (r"^(temp(erature)?|tau|alpha|lam(bda)?|lambd|lr|decay|momentum|margin|gamma|beta)$|_(coef|rate|decay)$", 0.1),
    (r"^(dim|axis)$", -1),
    (r"vocab_size|num_classes|n_class(es)?|^vocab$|num_actions|n_actions", 7),
    (r"^(n|num|number_of)_?(\w+_)?(layers?|blocks?|blks?|stages|levels|reps|repeats)$|^layers?_num$", 2),
    (r"^depth$|n_steps|^steps$|iters?$|iterations$|^K$|^k$", 2),
    (r"block_size|seq_len|max_len|^context", 5),
    (r"batch_size|^n$|^N$", 4),
    (r"head_size|head_dim|d_k|^hs$", 4),
    (r"^(n|num|len)_|_(size|dim|len|features|channels)$|^(d_model|n_embd|hidden|n_hidden)$", 8),
)  # fmt: skip
# What a name may mean where only a number can stand.
WANTED: tuple[tuple[str, int | float], ...] = (
    (r"epsilon$", 1e-5),
    (r"heads?$|groups?$", 2),
    (r"(^|_)p$|drop", 0.0), (r"clip", 0.2), (r"^gamma_(neg|pos)$", 2),
    (r"temp(erature)?$|tau$|alpha$|beta$|gamma$|lam(bda)?$|lambd|lr$|coef|weight$|rate$|decay$|momentum$|margin$", 0.1),
    (r"dim$|axis$", -1),
    (r"classes$|vocab$", 7),
    (r"depth$|layers$|steps$|K$|k$", 2),
    (r"context|T$|time|window", 5),
    (r"batch|B$", 2),
    (r"scale", 0.5),
    (r"hs$", 4),
)  # fmt: skip
WIDTH = 8  # of what no name tells
AXIS = re.compile(r"^(dim|axis)$")  # where it is counted or reckoned with, it is no axis but a width
# EPS, LOG_STD_MIN: a number, by how it is written; W_Q and M_2 are matrices.
CONSTANT = re.compile(r"^(?![A-Z]_([A-Z]|[0-9]+)$)[A-Z][A-Z0-9]*[A-Z_][A-Z0-9_]*[A-Z0-9]$")
# What such a number usually is where it is no size; the last one for what no name tells.
CONSTANTS: tuple[tuple[str, float], ...] = ((r"(min|low)$", -2.0), (r"(max|high)$", 2.0), (r"", 0.5))
SIZES = re.compile(
    r"vocab|embd|embed|d_model|^dim|_dim$|hidden|block_size|seq|context|length|n_?layer|num_layers|depth|head|batch"
    r"|channels|features|width|steps|iters|epochs|size$|^n(um)?_"
)


def role_of(name: str) -> str:
    """What a tensor of that name usually is."""
    if MASK.search(name) or NOISE.search(name):
        return "constant"
    if TARGET.search(name):
        return "target"
    return "data" if DATA.search(name) or kind_of(name) == "whole" else "parameter"


def kind_of(name: str) -> Kind:
    """The kind of number that a tensor of that name usually has."""
    return "whole" if WHOLE.search(name) and not LEARNED.search(name) else "decimals"


def is_a_row(name: str) -> bool:
    """Whether a name is that of a bias or a gain, one number a column."""
    return BIAS.search(name) is not None


def axes_of(name: str, kind: Kind | None = None) -> int:
    """How many axes a tensor of that name usually has; of whole numbers `t` are steps of time, one for each row."""
    is_row = is_a_row(name) or ONE_AXIS.search(name) or (kind == "whole" and name == "t")
    return 1 if is_row else 2


def is_constant(name: str) -> bool:
    """Whether a name is written as constants are."""
    return CONSTANT.search(name) is not None


def number_of(name: str) -> int | float | None:
    """The usual value of a number of that name; None for one that is no number by its name."""
    return next((value for words, value in NUMBERS if re.search(words, name)), None)


def number_wanted(name: str, is_size: bool = False) -> int | float:
    """A number for a name that stands where only one can; of settings, one that may be a size."""
    more: tuple[tuple[str, int | float], ...] = (*WANTED, (r"", WIDTH))
    value = number_of(name)
    if is_constant(name) and not is_size:
        name, more = name.lower(), (*WANTED, *CONSTANTS)
        value = number_of(name) if value is None else value
    if value is None or (is_size and value < 0):
        value = next(value for words, value in more if re.search(words, name))
    return WIDTH if is_size and value == -1 else value


def size_wanted(name: str) -> int | None:
    """A small number in the place of a size of the settings; None for what is none by its name."""
    value = number_wanted(name, is_size=True) if SIZES.search(name) else None
    return value if isinstance(value, int) and value > 0 else None
