"""How often somebody may do something."""

import pytest

from app.classroom.allowance import Allowance
from app.errors import Failure


def test_so_many_times_and_then_again_later() -> None:
    now = 0.0
    allowance = Allowance(3, 60, lambda: now)
    for second in (0.0, 10.0, 20.0):
        now = second
        allowance.spend("one")
    allowance.spend("another")
    now = 30.0
    with pytest.raises(Failure) as refused:
        allowance.spend("one")
    assert refused.value.status == 429
    assert refused.value.headers == {"Retry-After": "30"}
    now = 60.0
    allowance.spend("one")
    with pytest.raises(Failure):
        allowance.spend("one")


@pytest.mark.parametrize(("seconds", "said"), [(120, "120 s"), (121, "3 minutes"), (3600, "60 minutes")])
def test_a_long_wait_is_told_in_minutes(seconds: float, said: str) -> None:
    allowance = Allowance(1, seconds, lambda: 0.0)
    allowance.spend("one")
    with pytest.raises(Failure) as refused:
        allowance.spend("one")
    assert refused.value.hint == f"Try again in {said}."
