"""What an argument is by its annotation: a tensor, a number, or a list of either; and what its axes are called."""

from __future__ import annotations

import ast
import re

TENSORS = re.compile(
    r"(torch\.|t\.|th\.|jaxtyping\.)*(Tensor|FloatTensor|LongTensor|BoolTensor|IntTensor|DoubleTensor|Variable)$"
)
# Kinds of jaxtyping's, whose brackets hold the tensor and the names of its axes.
SHAPED = re.compile(
    r"(?:jaxtyping\.)?(Float\d*|Int\d*|Integer|Bool|Shaped|Num|UInt\d*|Real)\[.*?['\"]([^'\"]*)['\"]\]$"
)
NUMBERS = re.compile(r"(int|float|numbers\.Number)$")
LISTS = re.compile(r"(?:typing\.)?(?:List|list|Sequence|Tuple|tuple|Iterable|Collection)\[(.*)\]$")
OPTIONAL = re.compile(r"(?:typing\.)?Optional\[(.*)\]$")
UNION = re.compile(r"(?:typing\.)?Union\[(.*)\]$")
WHOLE = re.compile(r"(torch\.)?(LongTensor|IntTensor)$|(jaxtyping\.)?U?Int")
MOST_PARTS = 8


def told_by(annotation: ast.expr | None) -> str:
    """`tensor`, `number`, `tensors`, `numbers` or, of anything else, nothing."""
    text = _alone(annotation)
    if listed := LISTS.match(text):
        parts = [_kind(one) for one in listed[1].split(",")]
        return f"{parts[0]}s" if parts[0] else ""
    return _kind(text)


def parts_told(annotation: ast.expr | None) -> int:
    """How many parts a list has by its annotation: 3 for `Tuple[int, int, int]`, 0 where that isn't told."""
    text = _alone(annotation)
    parts = listed[1].split(",") if (listed := LISTS.match(text)) else []
    return len(parts) if 1 < len(parts) <= MOST_PARTS and "..." not in text else 0


def axes_told(annotation: ast.expr | None) -> list[str]:
    """The names of the axes in `Float[Tensor, "batch time"]`; none where their number isn't told."""
    shaped = SHAPED.match(_alone(annotation))
    axes = shaped[2].split() if shaped else []
    return [] if any(one.startswith(("*", "...")) for one in axes) else axes


def is_whole(annotation: ast.expr | None) -> bool:
    """Whether an annotation tells of whole numbers."""
    return WHOLE.match(_alone(annotation)) is not None and bool(_kind(_alone(annotation)) == "tensor")


def name_told(annotation: ast.expr | None) -> str:
    """The one name that an annotation is, such as that of a class."""
    text = _alone(annotation)
    return text if text.isidentifier() else ""


def _alone(annotation: ast.expr | None) -> str:
    """An annotation without what says that it may be missing."""
    if annotation is None:
        return ""
    text = annotation.value if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
    text = re.sub(r"\s*\|\s*None\b|\bNone\s*\|\s*", "", text if isinstance(text, str) else "")
    if optional := OPTIONAL.match(text):
        text = optional[1]
    if union := UNION.match(text):
        text = union[1].split(",")[0]
    return text.strip()


def _kind(text: str) -> str:
    text = text.strip()
    if TENSORS.match(text) or SHAPED.match(text):
        return "tensor"
    return "number" if NUMBERS.match(text) else ""
