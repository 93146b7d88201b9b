"""What eight training runs take from those who walk, and from each other."""

import time

from tests.bench.reach import told
from tests.support.crowd import at, waits
from tests.tools.server import Server, running

RUNS, WALKS, PAUSE, SECONDS = 8, 40, 0.2, 6.0
WALK = {"lesson": "makemore-mlp"}


def report() -> None:
    """Print what a walk and the event loop take beside nobody and beside the runs, and how the runs share."""
    with running(training_runs=RUNS, training_runs_per_client=RUNS) as server:
        idle = at(0.95, walks(server))
        say("nobody", waits(server, SECONDS))
        runs = [begun(server, seed) for seed in range(RUNS)]
        before, since = steps(server, runs), time.perf_counter()
        beside = at(0.95, walks(server))
        say(f"{RUNS} runs", waits(server, SECONDS))
        took = time.perf_counter() - since
        speeds = [(now - then) / took for now, then in zip(steps(server, runs), before, strict=True)]
    told(
        f"a walk beside {RUNS} training runs, p95 ({1e3 * beside:.0f} ms), by one alone",
        beside / idle,
        3,
        "x",
        digits=1,
    )
    mean = sum(speeds) / RUNS
    slowest = min(speeds) / mean
    told(f"steps a second of a run ({mean:.0f}), the slowest by their mean", slowest, 0.5, "x", digits=2, at_least=True)


def walks(server: Server) -> list[float]:
    """Seconds of a walk of makemore, one every fifth of a second, once it has been walked before."""
    taken = []
    assert server.post("/api/walk", WALK).status == 200
    for _ in range(WALKS):
        began = time.perf_counter()
        assert server.post("/api/walk", WALK).status == 200
        taken.append(time.perf_counter() - began)
        time.sleep(PAUSE)
    return sorted(taken)


def begun(server: Server, seed: int) -> str:
    """The id of a run that is under way."""
    answer = server.post("/api/training", {"walk": WALK, "steps": 1_000_000, "seed": seed})
    assert answer.status == 201
    return str(answer.json()["id"])


def steps(server: Server, runs: list[str]) -> list[int]:
    """How many steps each has taken."""
    return [int(server.get(f"/api/training/{run}").json()["run"]["steps_taken"]) for run in runs]


def say(name: str, times: list[float]) -> None:
    """Print the loop's answers, of which the slowest hundredth counts."""
    told(f"healthz beside {name}, p99", 1e3 * at(0.99, times), 5, "ms", digits=1)
