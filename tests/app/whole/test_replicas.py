"""One class on several servers: real Redis, a real proxy, two real servers of which one is killed."""

from __future__ import annotations

import signal
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.support.class_of import board, joined, opened
from tests.support.engines import PROXIES
from tests.support.replicas import is_kept, known, replicas
from tests.support.waiting import eventually

GRADIENT = {"kind": "gradient", "walk": {"lesson": "first-steps"}, "target": "x"}
STUDENTS = 12


@pytest.mark.parametrize("proxy", PROXIES)
def test_a_class_is_the_same_at_every_server_and_outlives_one(tmp_path: Path, proxy: str) -> None:
    with replicas(tmp_path, proxy) as held:
        (one, other), proxied = held.servers, held.proxied
        teacher, code, _ = opened(one)
        assert known(teacher, held.servers)
        far = joined(other, code)
        with far.events() as told:
            assert next(told)["kind"] == "shown"
            assert teacher.tell("show", address="/walk/first-steps?step=3").status == 200
            assert next(told) == {"kind": "shown", "address": "/walk/first-steps?step=3"}
            assert eventually(lambda: board(teacher)["present"] == 1), "who follows at another server counts"
            assert teacher.tell("ask", ask=GRADIENT).status == 200
            assert next(told)["kind"] == "asked"
            assert far.answer(1, "dx = -3 * dy").status == 201
            there = replace(far, server=one)
            assert there.answer(1, "dx = -3 * dy").status == 200, "the other server knows of it"
            assert there.answer(1, "dx = dy").error["code"] == "revision-taken"
            assert board(teacher)["question"]["answered"] == 1

        students = [joined(proxied, code) for _ in range(STUDENTS)]
        given = {"dx = 3 * dy": 0, "dx = dy": 0}
        for place, student in enumerate(students):
            text = list(given)[place % 2]
            if place == STUDENTS // 2:
                one.process.send_signal(signal.SIGKILL)
            assert eventually(partial(is_kept, student, text)), "the proxy sends it to whoever is there"
            given[text] += 1
        teacher.server = other
        counted = {item["text"]: item["students"] for item in board(teacher)["question"]["texts"]}
        assert counted == {**given, "dx = -3 * dy": 1}, "none is lost, and none counts twice"
        assert eventually(lambda: board(teacher)["question"]["waiting"] == 0), "the other server judges them"
        teacher.server = proxied
        counts = {bar["code"]: bar["students"] for bar in teacher.tell("count").json()["bars"]}
        assert counts["right"] == given["dx = 3 * dy"]
        with far.events() as told:
            assert teacher.ask("DELETE", "").status == 204
            assert [event["kind"] for event in told][-1] == "ended"
