"""Data sets in three splits, and minibatches of them."""

from __future__ import annotations

import torch

from backend.program.data.digits import load_digits
from backend.training.data import PARTS, Minibatches, digits, names


def test_digits_are_cut_into_three_splits_that_hold_each_picture_once() -> None:
    data, known = digits(torch.float64), load_digits()
    parts = [data.split(part) for part in PARTS]
    assert [len(part.Y) for part in parts] == [1437, 180, 180]
    assert data.train.X.dtype is torch.float64
    whole = torch.cat([torch.cat((part.X, part.Y[:, None].double()), 1) for part in parts])
    all_of_them = torch.cat((known.images.double(), known.labels[:, None].double()), 1)
    assert torch.equal(whole[_order(whole)], all_of_them[_order(all_of_them)])
    assert all(set(part.Y.tolist()) == set(range(data.classes)) for part in parts)
    assert data.label(data.train.X[0], 7) == "a 7"


def _order(rows: torch.Tensor) -> list[int]:
    return sorted(range(len(rows)), key=lambda row: rows[row].tolist())


def test_an_example_of_names_is_written_as_letters() -> None:
    data = names(None, 2)
    assert data.label(torch.tensor([0, 1]), 2) == ".a → b"
    assert (data.train.X.shape[1], data.classes) == (2, 27)
    assert data.title == "8,624 names"


def test_a_copy_draws_the_same_minibatches_and_goes_its_own_way() -> None:
    source = Minibatches(digits(torch.float32), 4, torch.Generator().manual_seed(3), ("X", "Y"))
    other = source.copy()
    told = []
    for one in (source, other, source):
        into = {"X": torch.zeros(4, 64), "Y": torch.zeros(4, dtype=torch.int64)}
        one.start(into)
        one.next()
        told.append(into["X"])
    assert torch.equal(told[0], told[1])
    assert not torch.equal(told[0], told[2])
