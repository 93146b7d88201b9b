"""What a long run says at its end."""

from __future__ import annotations

import random
from collections import Counter

from tests.support.program_statistics import Tally, spread
from tests.support.random_programs import Author, wrong


def test_a_run_is_counted() -> None:
    tally = Tally()
    for seed in range(3):
        assert not wrong(Author(random.Random(seed).choice).write(), tally)
        tally.programs += 1
    assert wrong({"source": "loss = q", "tensors": {}}, tally)
    report = tally.report()
    assert report.startswith("3 programs in ")
    assert "1 refused, 0 failed" in report
    assert tally.statements.total() == tally.sizes.total() == 3
    assert tally.operations["mul"] > 0
    assert "mul " in report
    assert "embedding" in report.splitlines()[-1]


def test_sizes_are_spread() -> None:
    assert spread(Counter([5, 12, 13, 41])) == "5 to 41, median 13 (1-10: 1, 11-20: 2, 21-30: 0, 31-40: 0, 41-60: 1)"
    assert spread(Counter()) == "none"
