"""Which losses a report tells."""

from backend.training.reported_losses import MOST_POINTS, points


def test_the_slower_of_two_runs_tells_every_step_that_the_faster_one_does() -> None:
    told = {}
    for speed in (3, 61, 700):
        losses = [float(step) for step in range(2100)]
        parts = [losses[first : first + speed] for first in range(0, 2100, speed)]
        reports = [points(int(part[0]), part, [-loss for loss in part]) for part in parts]
        assert all(0 < len(report) <= MOST_POINTS for report in reports)
        told[speed] = [step for report in reports for step, *_ in report]
        assert told[speed] == sorted(set(told[speed]))
        assert all((loss, mean) == (step, -step) for report in reports for step, loss, mean in report)
    assert told[3] == list(range(2100))
    assert set(told[700]) < set(told[61]) < set(told[3])
    assert len(told[700]) > 100
