"""Tensors that share their numbers: what is written into a view is written into what it was taken of."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

import torch

from backend.engine.language.errors import Refusal
from backend.lowering.paths import Paths
from backend.lowering.values import Method, Parts, Path, Tensor, View


def _both(*names: str) -> frozenset[str]:
    return frozenset(f"{owner}{name}" for owner in (".", "torch.") for name in names)


# What keeps the order of the cells, and what is its own way back; of the others it is told place by place.
RESHAPED = _both("view", "unsqueeze", "squeeze", "unflatten", "view_as")
COPIED = _both("reshape", "flatten", "contiguous", "ravel", "reshape_as")  # where no view can be taken
TURNED = _both("t", "T", "mT", "transpose", "swapaxes", "swapdims")
STRETCHED = _both("expand", "expand_as", "broadcast_to")  # one cell in several places: PyTorch writes into none
CUT_LOOSE = _both("detach")
PICKED = _both(
    "permute", "narrow", "select", "chunk", "split", "unbind", "movedim", "moveaxis", "diagonal", "unfold",
    "tensor_split",
)  # fmt: skip
VIEWS = RESHAPED | COPIED | TURNED | STRETCHED | CUT_LOOSE | PICKED | {"[]"}


class Sharing(Paths):
    """Keeps what shares numbers in step: what was changed elsewhere is worked out when it is read."""

    def share(self, key: str, args: list[Any], made: Any, again: Callable[[Tensor], Any]) -> None:
        """What an operation returned shares its numbers with the tensor that it was made of."""
        if key not in VIEWS or not _is_view(key, args, made):
            return
        tensor: Tensor = args[0]
        whole, index = tensor.base or tensor, args[1] if key == "[]" else None
        for place, one in enumerate(made if isinstance(made, Parts) else [made]):
            if isinstance(one, Tensor):
                taken = _part_of(again, place) if isinstance(made, Parts) else again
                one.base, one.view = whole, View(tensor, key, index, taken, bool(self.cuts))
                whole.views.append(one)

    def changed(self, tensor: Tensor) -> None:
        """Whoever shares the numbers of a tensor that is changed has to be worked out anew."""
        source = tensor.view.source if tensor.view else None
        if source is not None and source.owed is not tensor:
            self.renewed_if_whole(source)
        whole = tensor.base or tensor
        for one in [whole, *whole.views]:
            one.stale, one.owed = True, None
        tensor.stale = False
        while tensor.view is not None and tensor.view.key not in STRETCHED | CUT_LOOSE:
            tensor.view.source.owed = tensor
            tensor = tensor.view.source

    def renewed_if_whole(self, source: Tensor) -> None:
        """Let a tensor know of what was written into its views, before one of them is written into again."""
        if source.owed is not None or (source.stale and source.view is not None):
            self.renew(source, self.place)

    def renew(self, tensor: Tensor, node: ast.AST) -> None:
        """Work a tensor out anew, where the numbers that it shares were changed."""
        if not tensor.stale:
            return
        owed, tensor.owed, tensor.stale = tensor.owed, None, False
        cuts, self.cuts = self.cuts, 0
        try:
            made = self.back(owed, tensor, node) if owed is not None else self.taken_again(tensor, node)
            tensor.expr, tensor.meta = made.expr, tensor.laid_out(made.meta.dtype)
            if tensor.variable is not None:
                self.renamed(tensor, self.called_by_author(tensor))
        finally:
            self.cuts = cuts

    def taken_again(self, tensor: Tensor, node: Any) -> Any:
        """The same view of what its tensor has become."""
        if tensor.view is None:
            tensor.stale = True
            raise Refusal("found-stale", at=node)
        made = tensor.view.again(tensor.view.source)
        return self.called(Method(made, "detach"), [], {}, node) if tensor.view.is_cut else made

    def back(self, changed: Tensor, tensor: Tensor, node: Any) -> Any:
        """A tensor with the numbers that one of its views has become."""
        view = changed.view
        assert view is not None
        if view.key == "[]":
            return self.with_cells(tensor, view.index, changed, node)
        if view.key in RESHAPED | COPIED:
            return self.called(Method(changed, "view"), [tuple(tensor.shape)], {}, node)
        if view.key in TURNED:
            return view.again(changed)
        numbers = self.called(Path("torch.arange"), [math.prod(tensor.shape)], {}, node)
        places = view.again(self.called(Method(numbers, "view"), [tuple(tensor.shape)], {}, node))
        return self.called(self.defined_in_library("put_places"), [tensor, places, changed], {}, node)

    def called_by_author(self, tensor: Tensor) -> str:
        """The name that the code has for a tensor; else the one that it is written by."""
        named = (name for name, value in self.scope.names.items() if value is tensor)
        return next(named, tensor.variable or "h")

    def with_cells(self, tensor: Tensor, index: Any, value: Any, node: ast.expr) -> Any:
        raise NotImplementedError


def _is_view(key: str, args: list[Any], made: Any) -> bool:
    """Whether an operation gives out its tensor's own numbers, and not a copy of them."""
    meta = args[0].meta
    if key == "[]":
        parts = args[1] if isinstance(args[1], tuple) else (args[1],)
        return all(part is None or part is ... or isinstance(part, int | slice) for part in parts)
    if key not in COPIED or meta.is_contiguous():
        return True
    outline = torch.empty_strided(meta.shape, meta.stride(), device="meta")
    return not key.endswith("contiguous") and bool(outline.reshape(made.shape)._is_view())


def _part_of(again: Callable[[Tensor], Any], place: int) -> Callable[[Tensor], Any]:
    return lambda tensor: again(tensor)[place]
