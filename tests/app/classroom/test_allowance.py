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


def test_who_may_do_everything_again_is_forgotten() -> None:
    """As addresses are told by nobody for longer than they are counted."""
    now = 0.0
    allowance = Allowance(2, 60, lambda: now)
    for who, when in (("one", 0.0), ("another", 30.0), ("one", 40.0)):
        now = when
        allowance.spend(who)
    now = 95.0
    allowance.forget()
    assert list(allowance.spent) == ["one"]
    allowance.spend("one")
    with pytest.raises(Failure):
        allowance.spend("one")
    now = 155.0
    allowance.forget()
    assert not allowance.spent


def test_nothing_may_be_allowed_at_all() -> None:
    with pytest.raises(Failure) as refused:
        Allowance(0, 60, lambda: 5.0).spend("one")
    assert refused.value.headers == {"Retry-After": "60"}
