"""A class of several at once: everyone hears everything once and in order, and every answer counts once."""

import asyncio

from tests.load.students import play
from tests.tools.forked import forked


def test_everyone_hears_all_and_is_counted_once() -> None:
    with forked(workers=1) as server:
        played = asyncio.run(play(server, count=20, steps=5))
    assert all(told == ["shown"] * 6 + ["asked", "closed", "counted"] for told in played.told)
    assert sum(bar["students"] for bar in played.bars) == len(played.answers) == 20
