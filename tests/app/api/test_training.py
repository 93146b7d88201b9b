"""Training over HTTP: runs begun, told what to do, followed, dropped, killed, and bounded."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from app.training.run import MOST_WAITING
from tests.support.streams import Received, stream, until
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import JSON, Reply, Server

SMALL = {
    "walk": {"lesson": "makemore-mlp"},
    "sizes": {"hidden": 8, "embedding": 3},
    "batch": 8,
    "steps": 50,
}
LONG = {**SMALL, "steps": 1_000_000}
MOST = 3
HEAD_OF_TWO = b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture(scope="module")
def host() -> Iterator[Server]:
    """A server with room for few runs, all of one client's."""
    with forked(workers=1, training_runs=MOST, training_runs_per_client=MOST) as server:
        yield server


@pytest.fixture
def begun(host: Server) -> Iterator[list[str]]:
    """The ids of runs to be ended after a test."""
    ids: list[str] = []
    yield ids
    for one in ids:
        host.ask("DELETE", f"/api/training/{one}")


def begin(server: Server, ids: list[str], request: dict[str, Any]) -> str:
    reply = server.post("/api/training", request)
    assert reply.status == 201, reply.body
    told = reply.json()
    assert told["events"] == f"/api/training/{told['id']}/events"
    ids.append(told["id"])
    return str(told["id"])


def tell(server: Server, run: str, command: str, **body: object) -> Reply:
    return server.post(f"/api/training/{run}/{command}", body)


def kinds(events: list[Received]) -> list[str]:
    return [event.data["kind"] for event in events]


def test_a_run_from_its_beginning_to_its_samples(host: Server, begun: list[str]) -> None:
    run = begin(host, begun, {**SMALL, "paused": True})
    assert host.get(f"/api/training/{run}").json()["run"]["parameters"]["W2"] == [8, 27]
    assert tell(host, run, "step").status == 200
    first = until(host, run, "report")
    assert [event.number for event in first] == list(range(1, len(first) + 1))
    assert first[-1].data["step"] == 0
    assert eventually(lambda: host.get(f"/api/training/{run}").json()["status"] == "paused")
    told = tell(host, run, "set", schedule={"name": "constant", "lr": 0.05}, clip={"by": "norm", "limit": 0.5}).json()
    assert (told["kind"], told["lr"], told["clip"]["limit"]) == ("settings", 0.05, 0.5)
    assert tell(host, run, "run-to", step=10).status == 200
    assert eventually(lambda: host.get(f"/api/training/{run}").json()["run"]["steps_taken"] == 10)
    assert {one["level"] for one in tell(host, run, "compare").json()["parameters"]} <= {"exact", "approximate", "zero"}
    assert len(tell(host, run, "sample", count=3).json()["names"]) == 3
    walk = host.get(f"/api/training/{run}/walk?step=9").json()["walk"]
    walked = host.post("/api/walk", walk).json()
    assert tell(host, run, "resume").status == 200
    whole = until(host, run)
    report = next(event.data for event in whole if event.data["kind"] == "report" and event.data["step"] == 9)
    assert walked["loss"]["value"] == pytest.approx(report["loss"], rel=1e-6)
    assert whole[-1].data["steps_taken"] == 50
    assert len(whole[-1].data["names"]) == 20
    assert tell(host, run, "resume").error["code"] == "run-over"


def test_fifty_lost_connections_lose_and_double_nothing(host: Server, begun: list[str]) -> None:
    run, draw = begin(host, begun, {**LONG}), random.Random(7)
    got: list[Received] = []
    for drop in range(50):
        with stream(host, run, got[-1].number if got else None) as events:
            for _ in range(draw.randint(1, 3)):
                events.some(draw)  # whatever is only half here is lost with the connection
            got += events.whole()
        if drop == 25:
            assert tell(host, run, "sample").status == 200
    assert tell(host, run, "stop").status == 200
    whole = until(host, run)
    got += until(host, run, after=got[-1].number)
    assert [event.number for event in got] == list(range(1, len(whole) + 1))
    assert got == whole


def test_who_can_follow_no_stream_asks_for_what_came_after_an_event(host: Server, begun: list[str]) -> None:
    run, got = begin(host, begun, SMALL), list[dict[str, Any]]()
    whole = until(host, run)

    def asked(after: int, wait: float) -> list[dict[str, Any]]:
        reply = host.get(f"/api/training/{run}/events?after={after}&wait={wait}")
        assert (reply.status, reply.headers["cache-control"]) == (200, "no-store")
        events: list[dict[str, Any]] = reply.json()["events"]
        return events

    while len(got) <= len(whole) and (more := asked(len(got), 0)):
        got += more
    assert [(one["number"], one["told"]) for one in got] == [(event.number, event.data) for event in whole]
    with stream(host, run, 3) as events:
        assert next(iter(events)).number == 4
    assert asked(10**9, 0)[0]["number"] == 1, "a server that has yet to hear of it begins anew"
    assert host.get(f"/api/training/{run}").json()["watched"] is False
    assert host.get(f"/api/training/{run}/events?after=-1").status == 422


def test_a_killed_process_is_told_and_its_run_goes_on_from_its_last_state(host: Server, begun: list[str]) -> None:
    request = {**SMALL, "steps": 400, "schedule": {"name": "constant", "lr": 0.1}}
    undisturbed = until(host, begin(host, begun, request))[-1].data
    before = set(host.worker_pids())
    run = begin(host, begun, {**request, "paused": True})
    (pid,) = set(host.worker_pids()) - before
    tell(host, run, "run-to", step=150)
    assert eventually(lambda: host.get(f"/api/training/{run}").json()["status"] == "paused")
    os.kill(pid, signal.SIGKILL)
    lost = until(host, run, "lost")[-1]
    assert lost.data["resumable"] is True
    assert host.get(f"/api/training/{run}").json()["status"] == "lost"
    assert tell(host, run, "compare").error["code"] == "training-lost"
    assert tell(host, run, "resume").status == 200
    ended = until(host, run, "splits", after=lost.number)
    assert ended[0].number == lost.number + 1
    assert "lost" not in kinds(ended)
    assert {event.data["steps_taken"] for event in ended if event.data["kind"] == "start"} == {150}
    assert ended[-1].data == undisturbed


def test_a_run_whose_process_is_killed_while_it_trains_tells_no_step_twice(host: Server, begun: list[str]) -> None:
    before = set(host.worker_pids())
    run = begin(host, begun, LONG)
    (pid,) = set(host.worker_pids()) - before
    with stream(host, run) as events:
        reports = (event for event in events if event.data["kind"] == "report")
        told = [next(reports) for _ in range(30)]  # one and a half times as long as between two states
    os.kill(pid, signal.SIGKILL)
    told = until(host, run, "lost")
    assert tell(host, run, "resume").status == 200
    with stream(host, run, told[-1].number) as events:
        rest = iter(events)
        told += [next(rest) for _ in range(20)]
    start = next(event.data for event in reversed(told) if event.data["kind"] == "start")
    taken = [event.data["steps_taken"] for event in told if event.data["kind"] == "report"]
    assert start["steps_taken"] in taken
    assert taken == sorted(set(taken))
    steps = [step for event in told if event.data["kind"] == "report" for step, *_ in event.data["losses"]]
    assert steps == sorted(set(steps))


def test_a_loss_that_is_not_finite_is_marked_at_its_step_and_can_be_walked(host: Server, begun: list[str]) -> None:
    request = {"walk": {"lesson": "classifier"}, "steps": 100, "schedule": {"name": "constant", "lr": 1e30}}
    run = begin(host, begun, request)
    diverged = until(host, run, "diverged")[-1].data
    assert diverged["loss"] in ("NaN", "Infinity")
    walk = host.get(f"/api/training/{run}/walk?step={diverged['step']}")
    assert walk.status == 200
    assert eventually(lambda: tell(host, run, "replay", step=0).json()["state"] == "ready")
    early = host.post("/api/walk", host.get(f"/api/training/{run}/walk?step=0").json()["walk"]).json()
    assert 0 < early["loss"]["value"] < 10
    assert host.get(f"/api/training/{run}/walk?step=12345").error["code"] == "step-not-taken"


def test_any_step_is_walked_and_compared_while_the_run_goes_on(host: Server, begun: list[str]) -> None:
    run = begin(host, begun, {**LONG, "clip": {"by": "loss", "limit": 3.0}})
    assert eventually(lambda: host.get(f"/api/training/{run}").json()["run"]["steps_taken"] > 600)
    kept = set(host.get(f"/api/training/{run}").json()["run"]["kept"])
    step = next(step for step in range(301, 600) if step not in kept)
    assert eventually(lambda: tell(host, run, "replay", step=step).json()["state"] == "ready")
    walk = host.get(f"/api/training/{run}/walk?step={step}").json()["walk"]
    assert "clamped = losses.clamp(max=3.0)" in walk["source"]
    assert 0 < host.post("/api/walk", walk).json()["loss"]["value"] <= 3.0
    told = tell(host, run, "compare", step=step).json()
    assert told["step"] == step
    nudged = [one["differences"] for one in told["parameters"] if one["differences"]]  # as far as time went
    assert all(one["agrees"] for one in nudged)
    assert tell(host, run, "pause").json()["status"] == "paused"
    assert tell(host, run, "replay", step=10**6).error["code"] == "step-not-taken"
    assert tell(host, run, "replay").error["code"] == "request-invalid"
    assert tell(host, run, "cancel-replay").json() == {}


def test_a_thousand_runs_are_bounded_and_refused_politely(host: Server, begun: list[str], thorough: bool) -> None:
    replies = [host.post("/api/training", LONG) for _ in range(MOST + 5)]
    begun += [reply.json()["id"] for reply in replies if reply.status == 201]
    assert len(begun) == MOST
    refused = [reply for reply in replies if reply.status != 201]
    refused += [host.post("/api/training", LONG) for _ in range((1_000 if thorough else 200) - len(replies))]
    assert {(reply.status, reply.error["code"]) for reply in refused} == {(429, "training-full")}
    assert all(int(reply.headers["retry-after"]) > 0 for reply in refused)
    tell(host, begun[0], "stop")
    assert eventually(lambda: host.post("/api/walk", {"lesson": "first-steps"}).status == 200)
    assert eventually(lambda: host.get(f"/api/training/{begun[0]}").json()["status"] == "stopped")
    begun.append(begin(host, [], SMALL))  # what is over makes room
    assert host.get(f"/api/training/{begun[0]}").error["code"] == "training-unknown"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "request-invalid"),
        ({"walk": {"lesson": "nonesuch"}}, "lesson-unknown"),
        ({"walk": {"lesson": "makemore-mlp"}, "steps": 0}, "request-invalid"),
        ({"walk": {"lesson": "makemore-mlp"}, "steps": 10**9}, "request-invalid"),
        ({"walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": 10**6}}, "request-invalid"),
        ({"walk": {"lesson": "makemore-mlp"}, "optimiser": {"name": "sgd", "beta1": 0.5}}, "request-invalid"),
        ({"walk": {"lesson": "makemore-mlp"}, "schedule": {"name": "constant", "every": 5}}, "request-invalid"),
        ({"walk": {"lesson": "makemore-mlp"}, "do": "stop"}, "request-invalid"),
        ({"walk": {"lesson": "makemore-mlp"}, "data": "words"}, "request-invalid"),
        ({"walk": {"lesson": "classifier"}, "data": "digits"}, "data-shape"),
        ({"walk": {"lesson": "attention"}, "data": "names"}, "data-inputs"),
        ({"walk": {"source": "y = eval(x)", "tensors": {"x": {"role": "data", "values": 1.0}}}}, "function-unlisted"),
        ({"walk": {"source": "y = x * 2", "tensors": {"x": {"role": "data", "values": 1.0}}}}, "nothing-to-train"),
    ],
)
def test_what_is_refused(host: Server, body: dict[str, Any], code: str) -> None:
    reply = host.post("/api/training", body)
    assert (reply.status // 100, reply.error["code"]) == (4, code)


def test_a_command_that_makes_no_sense_is_refused_and_changes_nothing(host: Server, begun: list[str]) -> None:
    run = begin(host, begun, {**SMALL, "paused": True})
    assert tell(host, run, "step", count=0).error["code"] == "request-invalid"
    assert tell(host, run, "set", optimiser={"beta1": 0.5}).error["code"] == "setting-unknown"
    assert tell(host, run, "dance").status in (404, 405)
    assert tell(host, "another", "pause").error["code"] == "training-unknown"
    assert host.get(f"/api/training/{run}").json()["run"]["steps_taken"] == 0


def test_a_head_of_the_events_ends_with_it_and_watches_nothing(host: Server, begun: list[str]) -> None:
    run = begin(host, begun, {**SMALL, "paused": True})
    with closing(http.client.HTTPConnection(*host.address, timeout=240)) as connection:
        for method, path in (("HEAD", f"/api/training/{run}/events"), ("GET", f"/api/training/{run}")):
            connection.request(method, path)
            assert connection.getresponse().read() if method == "GET" else not connection.getresponse().read()
    assert eventually(lambda: host.get(f"/api/training/{run}").json()["watched"] is False)


def test_commands_by_the_hundred_are_answered_or_refused_and_harm_nobody(host: Server, begun: list[str]) -> None:
    run = begin(host, begun, {**LONG, "paused": True})
    padded = b"{}".ljust(200_000)
    with ThreadPoolExecutor(MOST_WAITING + 16) as clients:
        asked = [(run, name) for name in ["sample"] * 6 + ["pause"] * 60]
        replies = list(
            clients.map(lambda one: host.ask("POST", "/api/training/{}/{}".format(*one), padded, JSON, 60), asked)
        )
    codes = {200 if reply.status == 200 else reply.error["code"] for reply in replies}
    assert {200} <= codes <= {200, "training-busy"}
    for _ in range(20):  # and those whose client leaves in the middle
        with host.connect() as client:
            client.sendall(f"POST /api/training/{run}/sample HTTP/1.1\r\nHost: localhost\r\n".encode() + HEAD_OF_TWO)
    assert eventually(lambda: tell(host, run, "pause").status == 200)
    assert len(tell(host, run, "sample", count=3).json()["names"]) == 3


def test_a_run_that_nobody_waits_for_is_ended(host: Server, begun: list[str]) -> None:
    body = json.dumps(LONG).encode()
    head = f"POST /api/training HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    for _ in range(MOST):
        with host.connect() as client:
            client.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)

    def has_room() -> bool:
        reply = host.post("/api/training", LONG)
        begun.extend([reply.json()["id"]] if reply.status == 201 else [])
        return reply.status == 201

    assert all(eventually(has_room) for _ in range(MOST))


def test_what_nobody_watches_pauses_and_then_ends_and_all_ends_with_the_server() -> None:
    with forked(workers=1, training_unwatched=0.4, training_abandoned=6) as server:
        watched = begin(server, [], LONG)
        with stream(server, watched) as events:
            left = begin(server, [], LONG)
            assert tell(server, watched, "resume").status == 200  # should it have been paused before it was watched
            assert eventually(lambda: server.get(f"/api/training/{left}").json()["status"] == "paused")
            assert server.get(f"/api/training/{watched}").json()["status"] == "running"
            assert eventually(lambda: server.get(f"/api/training/{left}").status == 404)
            assert next(iter(events)).data["kind"] == "start"
        assert eventually(lambda: server.get(f"/api/training/{watched}").status == 404)
        assert eventually(lambda: len(server.worker_pids()) == 2)  # one is for what is ours
        with stream(server, begin(server, [], LONG)) as events:
            server.process.terminate()
            assert all(event.number for event in events)  # to its end, and no error
        assert server.process.wait(240) == 0
        assert "Traceback" not in server.log.read_text()


def test_two_runs_keep_step_and_are_told_of_in_one_stream(host: Server, begun: list[str]) -> None:
    beside = {"lines": "autograd", "optimiser": {"name": "adam"}, "schedule": {"name": "constant", "lr": 0.01}}
    run = begin(host, begun, {**SMALL, "beside": beside, "paused": True})
    for count in (1, 4):
        assert tell(host, run, "step", count=count).status == 200
        assert eventually(lambda: host.get(f"/api/training/{run}").json()["status"] == "paused")
    assert tell(host, run, "set", unclipped=True).status == 200
    events = [event.data for event in until(host, run, "settings")]
    steps = [[one["step"] for one in events if one["kind"] == "report" and one["run"] == place] for place in (0, 1)]
    assert steps[0] == steps[1], "what is told of either is told where both have taken as many steps"
    assert (steps[0][0], steps[0][-1]) == (0, 4)  # a busy machine tells more of them
    about = host.get(f"/api/training/{run}").json()["run"]
    assert (about["lines"], about["beside"]["lines"]) == ("printed", "autograd")
    assert (about["optimiser"]["name"], about["beside"]["optimiser"]["name"]) == ("sgd", "adam")
    walks = [host.get(f"/api/training/{run}/walk?step=3&run={place}").json()["walk"]["tensors"] for place in (0, 1)]
    assert walks[0]["Xb"] == walks[1]["Xb"]
    assert walks[0]["W1"] != walks[1]["W1"]
    assert host.get(f"/api/training/{run}/walk?run=2").status == 422
    assert host.post(f"/api/training/{run}/compare", {"run": 2}).status == 422
    alone = begin(host, begun, SMALL)
    assert host.post(f"/api/training/{alone}/compare", {"run": 1}).error["code"] == "run-beside-missing"
