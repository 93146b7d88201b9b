"""What is kept of a long run."""

from __future__ import annotations

from itertools import pairwise

from backend.training.bounded_history import MOST, MOST_BYTES, Thinned


def test_what_is_kept_spans_the_run_within_bounds_and_has_the_latest() -> None:
    kept: Thinned[int] = Thinned(lambda _: 1)
    for step in range(5_000):
        kept.add(step, step)
        assert len(kept) <= MOST
        assert (min(kept), max(kept), kept[step]) == (0, step, step)
    assert max(later - earlier for earlier, later in pairwise(kept)) <= 5_000 / 16
    assert kept.before(4_000) == max(step for step in kept if step <= 4_000)
    assert kept.before(-1) is None


def test_no_step_is_far_from_a_checkpoint_where_they_are_added_at_their_spacing() -> None:
    kept: Thinned[int] = Thinned(lambda _: 1)
    for step in range(0, 200_000, 37):
        if not len(kept) or step - max(kept) >= kept.spacing:
            kept.add(step, step)
    steps = [*kept, 200_000]
    assert max(later - earlier for earlier, later in pairwise(steps)) <= 200_000 / 16


def test_large_things_are_fewer() -> None:
    kept: Thinned[int] = Thinned(lambda _: MOST_BYTES // 4)
    for step in range(50):
        kept.add(step, step)
    assert 2 <= len(kept) <= 4
    assert (min(kept), max(kept)) == (0, 49)
