"""The range of whole numbers that a program can pick with, tried on its own numbers."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.parse import parse

USUAL = 7
MOST_CELLS = 200_000


def below(source: str, scope: Mapping[str, Any], name: str, sizes: Iterable[int], dtype: torch.dtype) -> int:
    """The least whole number that is too large for a tensor; a small one where any would do."""
    if sum(one.numel() for one in scope.values() if isinstance(one, torch.Tensor)) > MOST_CELLS:
        return 2
    tried = [size for size in sorted(set(sizes)) if size > 1]
    least = next((size for size in tried if not _runs(source, scope, name, size, dtype)), None)
    if least is None:
        return USUAL if _runs(source, scope, name, USUAL - 1, dtype) else 2
    return least if _runs(source, scope, name, least - 1, dtype) else 2


def _runs(source: str, scope: Mapping[str, Any], name: str, value: int, dtype: torch.dtype) -> bool:
    return refused(source, {**scope, name: torch.full_like(scope[name], value)}, dtype) is None


def is_finite(source: str, scope: Mapping[str, Any], loss: str, dtype: torch.dtype) -> bool:
    """Whether a program comes to a number with these tensors; one that is refused says so itself."""
    end = _ended(source, scope, dtype)
    made = end.get(loss) if isinstance(end, Mapping) else None
    return not isinstance(made, torch.Tensor) or bool(made.isfinite().all())


def refused(source: str, scope: Mapping[str, Any], dtype: torch.dtype) -> Refusal | None:
    """What is refused of a program with these numbers; None where it comes to its end."""
    end = _ended(source, scope, dtype)
    return end if isinstance(end, Refusal) else None


def _ended(source: str, scope: Mapping[str, Any], dtype: torch.dtype) -> Mapping[str, Any] | Refusal:
    """What the names of a program hold at its end, or what is refused of it on the way there."""
    evaluator = Evaluator(dict(scope))
    with torch.no_grad(), DefaultDtype(dtype), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            evaluator.run(parse(source).statements)
        except Refusal as refusal:
            return refusal
    return evaluator.scope
