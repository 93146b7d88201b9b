"""The kill matrix: nothing acknowledged is lost or kept twice, and with a weaker setting the same test sees a loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.kills import MATRIX, WEAKER
from tests.support.engines import needed

pytestmark = pytest.mark.exhaustive
SEEDS = 20  # within which a second's loss is met, whenever the power goes


@pytest.mark.parametrize("name", MATRIX)
def test_nothing_acknowledged_is_lost_or_kept_twice(tmp_path: Path, name: str) -> None:
    needed("redis-server", "haproxy", "cc")
    for seed in range(2):
        outcome = MATRIX[name](tmp_path / str(seed), seed)
        assert outcome.acknowledged > 50
        assert (outcome.lost, outcome.twice) == (0, 0)


@pytest.mark.parametrize("name", WEAKER)
def test_with_a_weaker_setting_the_loss_is_seen(tmp_path: Path, name: str) -> None:
    needed("redis-server", "cc")
    assert any(WEAKER[name](tmp_path / str(seed), seed).lost for seed in range(SEEDS))
