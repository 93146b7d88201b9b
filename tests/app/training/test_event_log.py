"""The log of a run: numbered once, bounded, and told from any place on."""

from __future__ import annotations

from app.training.event_log import MOST_AT_ONCE, EventLog


def test_events_are_numbered_from_one_and_told_after_any_of_them() -> None:
    log = EventLog(1 << 20)
    for text in (b"a", b"b", b"c"):
        log.append(text)
    assert [event.number for event in log.after(0)] == [1, 2, 3]
    assert [event.lines for event in log.after(2)] == [b"id: 3\ndata: c\n\n"]
    assert log.after(3) == log.after(9) == []


def test_what_is_kept_is_bounded_and_numbers_go_on() -> None:
    log = EventLog(1_000)
    for _ in range(500):
        log.append(b"x" * 50)
        assert log.bytes <= 1_000
    assert log.last == 500
    assert log.first > 450
    assert [event.number for event in log.after(0, 500)] == list(range(log.first, 501))
    assert [event.number for event in log.after(498)] == [499, 500]


def test_whoever_comes_late_is_given_a_few_at_a_time() -> None:
    log = EventLog(1 << 20)
    for _ in range(1_000):
        log.append(b"x")
    assert [event.number for event in log.after(0)] == list(range(1, MOST_AT_ONCE + 1))
    assert [event.number for event in log.after(990)] == list(range(991, 1_001))


def test_an_event_larger_than_the_log_is_kept_alone() -> None:
    log = EventLog(10)
    log.append(b"x" * 50)
    log.append(b"y" * 50)
    assert [event.number for event in log.after(0)] == [2]


def test_no_document_can_begin_another_event() -> None:
    log = EventLog(1_000)
    log.append(b'{"a":1}\n\nid: 7\rdata: {}')
    (event,) = log.after(0)
    assert event.lines.count(b"\n") == 3
    assert event.lines.endswith(b"\n\n")
