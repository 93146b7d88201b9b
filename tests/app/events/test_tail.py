"""The log of a run: numbered once, bounded, and told from any place on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from app.events import tail
from app.events.stream import MOST_EVENTS, PING, follow, page
from app.events.tail import AT_ONCE, Event, Tail


def told(log: Tail, number: int) -> Iterator[Event]:
    """What a stream sends that begins after an event."""
    while (event := log.after(number)) is not None:
        yield event
        number = event.number


def test_events_are_numbered_from_one_and_told_after_any_of_them() -> None:
    log = Tail(1 << 20)
    for text in (b"a", b"b", b"c"):
        log.append(text)
    assert [event.number for event in told(log, 0)] == [1, 2, 3]
    assert [event.lines for event in told(log, 2)] == [b"id: 3\ndata: c\n\n"]
    assert log.after(3) is log.after(9) is None


def test_what_is_kept_is_bounded_and_numbers_go_on() -> None:
    log = Tail(1_000)
    for _ in range(500):
        log.append(b"x" * 50)
        assert log.bytes <= 1_000
    assert log.last == 500
    assert log.first > 450
    assert [event.number for event in told(log, 0)] == list(range(log.first, 501))
    assert [event.number for event in told(log, 498)] == [499, 500]


def test_whoever_comes_late_is_given_one_at_a_time() -> None:
    log = Tail(1 << 20)
    for _ in range(1_000):
        log.append(b"x")
    assert log.after(0) == Event(1, b"id: 1\ndata: x\n\n")
    assert [event.number for event in told(log, 990)] == list(range(991, 1_001))


def test_streams_are_woken_a_few_in_each_turn_and_each_once_for_an_event() -> None:
    log, streams = Tail(1 << 20), 5 * AT_ONCE
    woken: list[int] = []

    async def follow() -> None:
        while not log.closed:
            await log.news()
            woken[-1] += 1

    async def turns() -> list[int]:
        """How many look in each turn of the loop after an event."""
        woken.clear()
        log.append(b"x")
        for _ in range(2 * streams):
            woken.append(0)
            await asyncio.sleep(0)
        return [count for count in woken if count]

    async def main() -> None:
        following = [asyncio.create_task(follow()) for _ in range(streams)]
        await asyncio.sleep(0)
        for _ in range(3):
            assert await turns() == [AT_ONCE] * 5
        log.close()
        await asyncio.gather(*following)

    asyncio.run(main())


def test_who_waited_in_vain_is_forgotten() -> None:
    log = Tail(1 << 20)

    async def main() -> None:
        for _ in range(10):
            assert json.loads(await page(log, 0, 0)) == {"events": []}

    asyncio.run(main())
    assert not log._waiting


def test_who_hears_nothing_for_long_is_told_so_and_one_timer_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail, "BEAT_SECONDS", 0.01)
    log = Tail(1 << 20)

    async def main() -> None:
        following = [follow(log, 0) for _ in range(20)]
        for stream in following:
            assert (await anext(stream)).startswith(b"retry: ")
        timers: list[object] = []
        loop = asyncio.get_running_loop()
        later = loop.call_later

        def noted(*given: Any) -> asyncio.TimerHandle:
            timers.append(given)
            return later(*given)

        monkeypatch.setattr(loop, "call_later", noted)
        assert await asyncio.gather(*map(anext, following)) == [PING] * 20
        assert len(timers) == 1
        log.append(b"x")
        assert await asyncio.gather(*map(anext, following)) == [b"id: 1\ndata: x\n\n"] * 20
        log.close()
        assert log._beat is None, "what has ended is not held any longer"

    asyncio.run(main())


def test_an_event_larger_than_the_log_is_kept_alone() -> None:
    log = Tail(10)
    log.append(b"x" * 50)
    log.append(b"y" * 50)
    assert [event.number for event in told(log, 0)] == [2]


def test_no_document_can_begin_another_event() -> None:
    log = Tail(1_000)
    log.append(b'{"a":1}\n\nid: 7\rdata: {}')
    (event,) = told(log, 0)
    assert event.lines.count(b"\n") == 3
    assert event.lines.endswith(b"\n\n")


def test_a_page_of_events_is_what_a_stream_would_tell_and_no_longer_than_a_page() -> None:
    log = Tail(1 << 20)
    for place in range(MOST_EVENTS + 5):
        log.append(b'{"place": %d,\n"data: ": 1}' % place)

    async def main() -> None:
        first = json.loads(await page(log, 2, 60))["events"]
        assert [one["number"] for one in first] == list(range(3, MOST_EVENTS + 3))
        assert first[0]["told"] == {"place": 2, "data: ": 1}
        rest = json.loads(await page(log, MOST_EVENTS + 2, 60))["events"]
        assert [one["number"] for one in rest] == [MOST_EVENTS + 3, MOST_EVENTS + 4, MOST_EVENTS + 5]
        assert json.loads(await page(log, MOST_EVENTS + 5, 0)) == {"events": []}
        waiting = asyncio.create_task(page(log, MOST_EVENTS + 5, 60))
        await asyncio.sleep(0)
        log.append(b"7")
        assert json.loads(await waiting) == {"events": [{"number": MOST_EVENTS + 6, "told": 7}]}
        log.close()
        async with asyncio.timeout(30):
            assert json.loads(await page(log, MOST_EVENTS + 6, 60)) == {"events": []}, "nothing more comes"
        forgetful = Tail(100)
        for place in range(50):
            forgetful.append(b"%d" % place)
        (missed,) = json.loads(await page(forgetful, 3, 60))["events"]
        assert missed["told"] == {"kind": "missed", "first": 4, "last": forgetful.first - 1}
        assert missed["number"] == forgetful.first - 1

    asyncio.run(main())
