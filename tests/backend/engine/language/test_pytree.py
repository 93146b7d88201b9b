"""Tensors in nested values, beside torch's own walk over such values."""

from __future__ import annotations

import random
from typing import Any

import torch
from torch.utils import _pytree

from backend.engine.language.pytree import tensors_in, with_tensors
from backend.engine.language.values import Pair


def drawn(chance: random.Random, depth: int) -> Any:
    kind = chance.randrange(5)
    if depth == 0 or kind == 0:
        return torch.tensor(float(chance.randrange(100)))
    if kind == 1:
        return chance.choice([3, 1.5, "text", None, True])
    parts = [drawn(chance, depth - 1) for _ in range(chance.randrange(4))]
    return parts if kind == 2 else tuple(parts)


def test_tensors_are_found_in_their_order_and_changed_in_their_places() -> None:
    counts = set()
    for seed in range(200):
        value = drawn(random.Random(seed), 4)
        leaves, spec = _pytree.tree_flatten(value)
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        assert all(mine is theirs for mine, theirs in zip(tensors_in(value), tensors, strict=True))
        changed = with_tensors(value, lambda tensor: tensor + 1)
        meant = _pytree.tree_unflatten([t + 1 if isinstance(t, torch.Tensor) else t for t in leaves], spec)
        assert repr(changed) == repr(meant)
        counts.add(len(tensors))
    assert {0, 1, 2, 3, 4} <= counts


def test_pairs_hold_two() -> None:
    pair = Pair(torch.tensor(1.0), torch.tensor(2))
    assert [float(tensor) for tensor in tensors_in([pair, 3])] == [1.0, 2.0]
    (made,) = with_tensors((pair,), lambda tensor: tensor * 2)
    assert isinstance(made, Pair)
    assert (made.values.item(), made.indices.item()) == (2.0, 4)
    assert (pair.values.item(), pair.indices.item()) == (1.0, 2)
